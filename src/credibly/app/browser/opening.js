// Opening a file: dropped or chosen, sent to the page's own server, its columns shown and changeable.

import { byId, countText, make, shownText } from "./words.js";

const MULTIPLE = ["probability", "baseline"]; // roles that may take several columns
const ROLES = ["truth", "label", "score", "probability", "value", "weight", "row", "model", "repeat", "fold", "part", "group"];

/** Speaks with the server and shows how that goes. */
export class Opening {
  /** @param {any} server @param {(set: any) => void} opened */
  constructor(server, opened) {
    this.server = server;
    this.opened = opened;
    this.set = server?.set ?? null;
    byId("open").hidden = !server;
    if (!server) return;
    const formats = server.formats.map((f) => f.title).join(", ");
    byId("formats").textContent = `${formats}; at most ${countText(server.limit / 1e6)} MB. ` +
      "The file is read by the server of this page and removed when that ends.";
    const buttons = server.examples.map((name) => make("button", { onclick: () => this.example(name) }, name));
    byId("examples").replaceChildren("Or look at ", ...buttons.flatMap((button) => [button, " "]));
    byId("open").onclick = () => {
      byId("opening").hidden = !byId("opening").hidden;
      if (!byId("opening").hidden) byId("file").focus();
    };
    byId("file").onchange = (event) => { if (event.target.files.length) this.upload(event.target.files[0]); };
    byId("roles").onsubmit = (event) => { event.preventDefault(); this.readAgain(); };
    this.listenToDrops();
    if (server.error) this.complain(server.error);
    if (this.set) this.showRoles(this.set);
  }

  listenToDrops() {
    const over = (event) => { event.preventDefault(); document.body.classList.add("over"); byId("opening").hidden = false; };
    const away = () => document.body.classList.remove("over");
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) away(); });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      away();
      const file = event.dataTransfer?.files[0];
      if (file) this.upload(file);
    });
  }

  /** @param {File} file */
  upload(file) {
    if (file.size > this.server.limit) {
      const sizes = `${countText(file.size / 1e6)} MB; at most ${countText(this.server.limit / 1e6)} MB are taken here`;
      this.complain(`${file.name} has ${sizes}. Keep the columns and rows that matter, or use the command line.`);
      return;
    }
    const request = new XMLHttpRequest(); // fetch does not tell how far an upload is
    request.open("POST", `api/predictions?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader("Authorization", `Bearer ${this.server.token}`);
    request.upload.onprogress = (event) => this.progress(`Sending ${file.name}`, event.loaded / event.total);
    request.upload.onload = () => this.progress(`Reading and evaluating ${file.name} ...`);
    request.onerror = () => this.complain("The server does not answer. Is it still running?");
    request.onload = () => this.answered(request.status, request.responseText);
    this.progress(`Sending ${file.name}`, 0);
    request.send(file);
  }

  /** @param {string} name */
  example(name) {
    this.progress(`Opening ${name} ...`);
    this.ask("api/example", { name });
  }

  readAgain() {
    const roles = {};
    const selects = [...byId("roles").querySelectorAll("select[data-column]")];
    for (const select of selects.filter((s) => s.value)) {
      const column = select.dataset.column;
      if (roles[select.value] === undefined) roles[select.value] = column;
      else roles[select.value] = [roles[select.value], column].flat();
    }
    const twice = Object.entries(roles).find(([role, columns]) => Array.isArray(columns) && !MULTIPLE.includes(role));
    if (twice) {
      this.complain(`Only one column can be the ${twice[0]}.`);
      return;
    }
    const ignore = selects.filter((s) => !s.value).map((s) => s.dataset.column);
    const positive = byId("roles").querySelector("[name=positive]")?.value;
    this.progress("Reading again ...");
    this.ask("api/roles", { id: this.set.id, roles, ignore, ...(positive ? { positive } : {}) });
  }

  /** @param {string} path @param {object} body */
  async ask(path, body) {
    try {
      const answer = await this.call(path, body);
      this.answered(answer.status, await answer.text());
    } catch {
      this.complain("The server does not answer. Is it still running?");
    }
  }

  /** @param {string} path @param {object} body */
  call(path, body) {
    return fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${this.server.token}` },
      body: JSON.stringify(body),
    });
  }

  /** @param {number} status @param {string} text */
  answered(status, text) {
    let answer = {};
    try {
      answer = JSON.parse(text);
    } catch {
      answer = { error: "The server's answer cannot be understood." };
    }
    if (status >= 400) {
      this.complain(answer.error ?? `The server refused (${status}).`);
      return;
    }
    this.set = answer;
    this.showRoles(answer);
    if (answer.problem) {
      this.complain(answer.problem);
      return;
    }
    this.progress("");
    byId("trouble").textContent = "";
    this.opened(answer);
  }

  /** @param {string} text @param {number|null} done */
  progress(text, done = null) {
    const [bar, words] = byId("progress").children;
    bar.hidden = done === null;
    if (done !== null) bar.style.setProperty("--done", `${100 * done}%`);
    words.textContent = shownText(text);
    if (text) byId("trouble").textContent = "";
  }

  /** @param {string} text */
  complain(text) {
    this.progress("");
    byId("opening").hidden = false;
    byId("trouble").textContent = shownText(text);
  }

  /** Show what each column was taken for. @param {any} set */
  showRoles(set) {
    const roleOf = {};
    for (const [role, columns] of Object.entries(set.roles ?? {})) for (const column of [columns].flat()) roleOf[column] = role;
    const fields = (set.columns ?? []).map((column) => {
      const options = ROLES.map((role) => make("option", { value: role, selected: roleOf[column] === role }, role));
      const select = make("select", { "data-column": column }, make("option", { value: "" }, "not used"), ...options);
      return make("label", {}, column, select);
    });
    fields.push(make("label", {}, "positive class", positiveField(set)));
    byId("roles").querySelector(".fields").replaceChildren(...fields);
    const rows = set.rows === null ? "" : `, ${countText(set.rows)} rows`;
    byId("roles-about").textContent = shownText(`${set.name}${rows}. Change a role and read the file again.`);
    byId("roles").hidden = false;
  }
}

/** A choice among the classes, or a field to write one in where they are not known yet. @param {any} set */
function positiveField(set) {
  if (!set.classes?.length) return make("input", { name: "positive", autocomplete: "off" });
  const isIt = (c) => String(c) === String(set.positive);
  const options = set.classes.map((c) => make("option", { value: String(c), selected: isIt(c) }, String(c)));
  const ask = set.positive === null ? [make("option", { value: "" }, "choose ...")] : [];
  return make("select", { name: "positive" }, ...ask, ...options);
}
