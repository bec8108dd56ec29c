// Files that are chosen or dropped: sent to the page's own server, which reads them.

import { dataOf, resume, studyIn } from "./study_file.js";
import { byId, countText, make, shownText } from "./words.js";

/** Whether somebody should say, or confirm, what the columns are. @param {any} set */
export const needsLook = (set) => Boolean(set.problem) || Object.keys(set.suggested).length > 0;

export class Files {
  /** @param {any} bench */
  constructor(bench) {
    this.bench = bench;
    this.listenToDrops();
  }

  get known() {
    return this.bench.known.server;
  }

  listenToDrops() {
    const away = () => document.body.classList.remove("over");
    document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) away(); });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      away();
      const dropped = [...(event.dataTransfer?.files ?? [])];
      if (dropped.length) this.take(dropped);
    });
  }

  /** A button that asks for files; one that was repaired can be chosen again. @param {string|Node} text @param {boolean} main
   *  @param {(files: File[]) => void} take */
  button(text, main = false, take = (files) => this.take(files)) {
    const input = make("input", { type: "file", class: "unseen", multiple: true, onchange: () => {
      const chosen = [...input.files];
      input.value = ""; // or the same file would not be a change
      if (chosen.length) take(chosen);
    } });
    return make("label", { class: `button${main ? " main" : ""}` }, text, input);
  }

  /** Open files: predictions, several of which are models of the same cases, or a study. @param {File[]} files */
  async take(files) {
    const large = files.find((file) => file.size > this.known.limit);
    if (large) {
      const sizes = `${countText(large.size / 1e6)} MB; at most ${countText(this.known.limit / 1e6)} MB are taken here`;
      this.bench.complain(`${large.name} has ${sizes}. Keep the columns and rows that matter, or use the command line.`);
      return;
    }
    if (files.length === 1 && await this.tookStudy(files[0])) return;
    const sets = [];
    for (const file of files) {
      const set = await this.bench.tried(() => this.send(file));
      this.progress("");
      if (!set) return;
      sets.push(set);
    }
    if (sets.length === 1 && this.kept) {
      const study = this.kept;
      this.kept = null;
      await resume(this.bench, study, sets[0]);
    } else if (sets.length > 1) await this.join(sets);
    else this.bench.open(sets[0], { screen: needsLook(sets[0]) ? "import" : "" });
  }

  /** Take a file that holds a study, and say whether it does. @param {File} file */
  async tookStudy(file) {
    try {
      const kept = await studyIn(file);
      if (kept) await this.takeStudy(kept);
      return Boolean(kept);
    } catch (error) {
      this.bench.complain(error.message);
      return true;
    }
  }

  /** Open a study: with its data where they came along, else with those that are opened next. @param {any} kept */
  async takeStudy(kept) {
    this.kept = kept;
    if (kept.data) await this.take([dataOf(kept)]);
    else this.bench.complain(`The study of ${kept.name} was read. Now open the data it is about: ${kept.name}, or the file that took its place.`);
  }

  /** Take sets as models of the same cases. @param {any[]} sets */
  async join(sets) {
    const unclear = sets.find((set) => set.problem && !set.waits);
    if (unclear) {
      this.bench.complain(unclear.problem.startsWith(unclear.name) ? unclear.problem : `${unclear.name}: ${unclear.problem}`);
      return;
    }
    const set = await this.bench.tried(() => this.bench.server.call("joined", { ids: sets.map((s) => s.id) }));
    if (set) this.bench.open(set);
  }

  /** @param {File} file */
  async send(file) {
    const name = new URLSearchParams({ name: file.name });
    this.progress(`Sending ${file.name}`);
    return this.bench.server.send(`predictions?${name}`, file, (share) => {
      this.progress(share < 1 ? `Sending ${file.name}: ${Math.round(100 * share)} %` : `Reading ${file.name} ...`);
    });
  }

  /** Send data to learn from. @param {File} file */
  sendData(file) {
    return this.bench.tried(() => this.bench.server.send(`data?${new URLSearchParams({ name: file.name })}`, file, () => {}));
  }

  /** @param {string} name */
  async example(name) {
    const set = await this.bench.tried(() => this.bench.server.call("example", { name }));
    if (set) this.bench.open(set);
  }

  /** @param {string} text */
  progress(text) {
    byId("progress").textContent = shownText(text);
  }
}
