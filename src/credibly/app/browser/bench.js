// The workbench: one study, one rail, and what is chosen kept in the address.

import { Server, ServerError } from "./server.js";
import { screenOf, screens } from "./screens.js";
import { Store, cornersOf, firstChoice, fromHash, modelsOf, toHash } from "./state.js";
import { byId, make, say, shownText } from "./words.js";
import { icon, numberInput, swatch } from "./parts.js";
import { Drawer } from "./drawer.js";
import { Files, needsLook } from "./files.js";

const QUIET = 250; // milliseconds without a change before the address follows
const PATIENT = 300; // milliseconds before it is said that something is computed
const GROUPS = { judge: "Judge", tell: "Tell", make: "Make" };
const VIEW = ["positive", "score"]; // what is looked at of a study, which every call gets
const NEW_NUMBERS = [...VIEW, "estimate", "level"]; // what makes screens render again

/** What the page is about before anything was opened. */
const NOTHING = { id: "", name: "", models: [], classes: [], columns: [], roles: {}, start: {}, levels: [], estimates: [] };

export class Bench {
  /** @param {any} known */
  constructor(known) {
    this.known = known;
    this.server = known.server ? new Server(known.server) : null;
    this.study = NOTHING;
    this.rendered = new Map();
    this.answers = new Map();
    this.asked = new Map();
    this.running = new Set(); // what can be stopped of what the server computes
    this.badges = {};
    this.waiting = 0;
    this.timer = 0; // until what was changed has settled
    this.pending = null;
    this.drawer = new Drawer(this);
    this.files = this.server ? new Files(this) : null;
    this.newStore("");
    this.wire();
  }

  // --- the study ---------------------------------------------------------------------------------

  /** Show a study. @param {any} study @param {{hash?: string, keep?: boolean, screen?: string}} how `keep` what was chosen */
  open(study, { hash = "", keep = false, screen = "" } = {}) {
    this.study = study;
    this.forget();
    if (keep) this.store.follow(study);
    else this.newStore(hash);
    if (screen) this.store.now = { ...this.store.now, screen };
    if (this.server && study.id !== new URL(location.href).searchParams.get("id")) this.write("pushState");
    this.introduce();
    this.show(this.store.now);
  }

  /** Return to where nothing is open. */
  leave() {
    this.open(NOTHING);
  }

  get isOpen() {
    return this.study !== NOTHING;
  }

  /** Let go of what was rendered and answered. */
  forget() {
    for (const { place } of this.rendered.values()) place.remove();
    for (const each of [this.rendered, this.answers, this.asked]) each.clear();
    this.badges = {};
    this.worlds = Object.create(null); // by classes, which may be called as what objects have
  }

  /** @param {string} hash */
  newStore(hash) {
    const usual = !this.isOpen ? "home" : this.server && needsLook(this.study) ? "import" : this.server ? "overview" : "threshold";
    const first = firstChoice(this.study, screenOf(usual) ? usual : "threshold");
    const now = fromHash(hash, first, this.study);
    if (this.store) this.store.listeners = [];
    this.store = new Store(first, this.isOpen || screenOf(now.screen)?.alone ? now : { ...now, screen: first.screen }, this.study);
    this.store.listeners.push((_, change) => this.later(change));
  }

  introduce() {
    const { study } = this;
    const { positive } = study;
    say("title", this.isOpen ? study.name : "Nothing opened yet");
    const about = positive === null || positive === undefined ? "" : `, positive class: ${positive}`;
    say("about", this.isOpen ? `${study.about ?? ""}${about}` : "choose a file or an example");
    document.title = this.isOpen ? `${shownText(study.name)}: Credibly` : "Credibly";
    this.showPickers();
  }

  // --- what is chosen ----------------------------------------------------------------------------

  /** Draw once a frame, however many changes there are. @param {object} change */
  later(change) {
    document.body.dataset.busy = "yes";
    const waiting = this.pending !== null;
    this.pending = { ...this.pending, ...change };
    if (!waiting) requestAnimationFrame(() => { const all = this.pending; this.pending = null; this.show(all); });
  }

  /** @param {any} change */
  show(change) {
    const { now } = this.store;
    document.body.dataset.busy = "yes";
    if (NEW_NUMBERS.some((key) => key in change) && this.numbersOf(now) !== this.numbersShown) {
      if (this.numbersShown) this.forget();
      this.numbersShown = this.numbersOf(now);
    }
    if ("screen" in change && now.screen !== this.screenShown) this.moved();
    this.showScreen(now, change);
    this.showRail();
    this.showChosen(now);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), QUIET);
  }

  /** @param {any} now */
  numbersOf(now) {
    return JSON.stringify(NEW_NUMBERS.map((key) => now[key]));
  }

  /** Another screen is another entry of the history. */
  moved() {
    if (this.screenShown) {
      this.write("pushState");
      window.scrollTo(0, 0);
      byId("main").focus({ preventScroll: true });
    }
    this.screenShown = this.store.now.screen;
  }

  settle() {
    this.timer = 0;
    this.write("replaceState");
    this.rendered.get(this.store.now.screen)?.shown?.settle?.();
    this.quiet();
  }

  /** Write the state into the address. @param {"pushState"|"replaceState"} how */
  write(how) {
    const url = new URL(location.href);
    if (this.server) {
      if (this.study.id) url.searchParams.set("id", this.study.id);
      else url.searchParams.delete("id");
    }
    url.hash = toHash(this.store.now, this.store.first);
    const address = url.hash ? url.href : url.href.replace(/#$/, "");
    if (address !== location.href) history[how](null, "", address);
  }

  /** Follow the address: Back, Forward, and what somebody wrote there. */
  async followAddress() {
    const id = new URL(location.href).searchParams.get("id") ?? "";
    if (this.server && id !== this.study.id) {
      if (!id) this.leave();
      else await this.tried(async () => this.open(await this.server.call(`predictions/${id}`), { hash: location.hash }));
      return;
    }
    const next = fromHash(location.hash, this.store.first, this.study);
    this.screenShown = next.screen; // it is in the history already
    this.store.goTo(next);
  }

  // --- asking ------------------------------------------------------------------------------------

  /** Ask for what the library computes of this study. Each question is asked once, and known to the drawer.
   *  @param {string} call such as evaluate @param {any} body @param {string} as what the drawer calls it, where a screen asks twice */
  ask(call, body = {}, as = call) {
    const given = Object.fromEntries(Object.entries({ ...body, ...this.view() }).filter(([, v]) => v !== null && v !== undefined && v !== ""));
    const key = JSON.stringify([call, given]);
    this.spells(call, given, as);
    if (!this.answers.has(key)) {
      const answer = this.server ? this.busy(this.stoppable(call, { id: this.study.id, ...given })) : recorded(this.known, call);
      this.answers.set(key, answer);
      answer.catch(() => this.answers.delete(key));
    }
    return this.answers.get(key);
  }

  /** What is looked at of the study: a class, or a score of its cases. */
  view() {
    return Object.fromEntries(VIEW.filter((key) => this.store.now[key]).map((key) => [key, this.store.now[key]]));
  }

  /** What measures are called, by name. @returns {Record<string, string>} */
  get titles() {
    return this.known.server?.measures ?? {};
  }

  /** The score of each case that is looked at, with its numbers, such as a level or a time; nothing where cases have none. */
  get score() {
    const { score } = this.store.now;
    const scores = this.study.scores ?? [];
    const found = scores.find((s) => s.call === score) ?? scores.find((s) => score.startsWith(`${s.name}(`)) ?? scores[0];
    const told = [...score.matchAll(/(\w+)=([^,)]+)/g)].map(([, name, x]) => [name, Number(x)]);
    return found ? { ...found, at: scores.indexOf(found), numbers: { ...found.numbers, ...Object.fromEntries(told) } } : null;
  }

  /** What it is called. */
  scoreTitle() {
    const { title, numbers } = this.score ?? { title: "", numbers: {} };
    return [title, ...Object.entries(numbers).map(([name, x]) => `${name} ${x}`)].join(", ");
  }

  /** Call the server until it answers, or until somebody presses Stop: the server hears that nobody waits. @param {string} call @param {any} body */
  async stoppable(call, body) {
    const control = new AbortController();
    this.running.add(control);
    try {
      return await this.server.call(call, body, { signal: control.signal });
    } finally {
      this.running.delete(control);
    }
  }

  stop() {
    for (const each of this.running) each.abort(new ServerError("This was stopped. Choose something else, or load the page again to compute it."));
  }

  /** Let the drawer know a call that says what the page computes by itself. @param {string} call @param {any} given @param {string} as */
  spells(call, given, as = call) {
    const { screen } = this.store.now;
    const mine = this.asked.get(screen) ?? new Map();
    this.asked.set(screen, mine.set(as, { call, given: { ...given, ...this.view() } }));
  }

  /** A screen does not ask this any more. @param {string} as */
  unask(as) {
    this.asked.get(this.store.now.screen)?.delete(as);
  }

  /** Count what is waited for, which tests and readers of the page see. @template T @param {Promise<T>} promise @returns {Promise<T>} */
  async busy(promise) {
    this.waiting += 1;
    document.body.dataset.busy = "yes";
    try {
      return await promise;
    } finally {
      this.waiting -= 1;
      clearTimeout(this.rest);
      this.rest = setTimeout(() => this.quiet(), QUIET);
    }
  }

  quiet() {
    if (!this.waiting && this.pending === null && !this.timer) delete document.body.dataset.busy;
  }

  /** Fill a place when the answer comes: until then it says that it waits, and what went wrong is said there.
   *  @param {HTMLElement} place @param {Promise<any>} answer @param {(answer: any) => (Node|string)[]|void} show */
  async fill(place, answer, show) {
    const turn = (Number(place.dataset.turn) || 0) + 1;
    place.dataset.turn = String(turn);
    const isLate = () => place.dataset.turn !== String(turn);
    const since = Date.now();
    const told = make("span", { role: "status" });
    const waiting = make("p", { class: "waiting row" }, told, ...(this.running.size ? [make("button", { onclick: () => this.stop() }, "Stop")] : []));
    const wait = () => { if (!isLate()) { told.textContent = `Computing ... ${Math.round((Date.now() - since) / 1000)} s`; if (!waiting.isConnected) place.replaceChildren(waiting); } };
    let clock = 0;
    const timer = setTimeout(() => { wait(); clock = window.setInterval(wait, 1000); }, PATIENT);
    try {
      const found = await answer;
      if (isLate()) return;
      clearInterval(clock);
      const made = show(found);
      if (made) place.replaceChildren(...made);
    } catch (error) {
      if (isLate() || error.name === "AbortError") return; // nobody wants it any more
      const title = place.matches(".screen") ? [make("h1", { tabindex: -1 }, place.ariaLabel ?? "")] : [];
      place.replaceChildren(...title, make("p", { class: "notice trouble", role: "alert" }, said(error)));
    } finally {
      clearTimeout(timer);
      clearInterval(clock);
    }
  }

  /** Do something that may fail, and say so. @param {() => Promise<any>} act */
  async tried(act) {
    byId("trouble").replaceChildren();
    try {
      return await this.busy(act());
    } catch (error) {
      this.complain(said(error));
      return null;
    }
  }

  /** @param {string} text */
  complain(text) {
    byId("trouble").replaceChildren(...(text ? [make("p", { class: "notice trouble" }, text)] : []));
  }

  /** The scores of every model, from which the page computes as the slider moves. */
  world() {
    const key = this.store.now.positive;
    this.worlds[key] ??= this.pageDataNow().then((pageData) => ({
      pageData, models: modelsOf(pageData), corners: cornersOf(pageData), store: this.store, bench: this,
    }));
    return this.worlds[key];
  }

  pageDataNow() {
    return this.server ? this.ask("page_data") : Promise.resolve(this.known.page_data);
  }

  // --- the shell ---------------------------------------------------------------------------------

  /** @param {any} now @param {any} change */
  showScreen(now, change) {
    const screen = screenOf(now.screen);
    for (const [id, { place }] of this.rendered) place.hidden = id !== now.screen;
    let kept = this.rendered.get(now.screen);
    const isNew = !kept;
    if (!kept) {
      const place = make("section", { class: "screen", id: `screen-${screen.id}`, "aria-label": screen.title });
      byId("main").append(place);
      kept = { place, shown: null, late: false };
      this.rendered.set(screen.id, kept);
      kept.shown = this.render(screen, place) ?? null;
    }
    kept.shown?.update?.(now, isNew || "screen" in change ? now : change);
    if (kept.late) kept.shown?.redraw?.();
    kept.late = false;
  }

  /** @param {import("./screens.js").Screen} screen @param {HTMLElement} place */
  render(screen, place) {
    const why = this.whyNot(screen);
    const markup = byId(`markup-${screen.id}`);
    if (!why) {
      if (markup) place.append(markup.content.cloneNode(true));
      return screen.render(place, this);
    }
    const where = !this.isOpen ? [" ", this.link("home", "Open a file")] : this.study.problem ? [" ", this.link("import", "What the columns are")] : [];
    place.append(make("h1", { tabindex: -1 }, screen.title), make("p", { class: "notice" }, why, ...where));
    return null;
  }

  /** Say why a screen cannot be shown. @param {import("./screens.js").Screen} screen */
  whyNot(screen) {
    if (screen.alone) return "";
    if (!this.isOpen) return "Open predictions first.";
    if (this.study.problem && screen.id !== "import") return "Say first what the columns are.";
    return screen.applies(this.study, this.store.now);
  }

  /** What sentences call a model. @param {string} name */
  nameOf(name) {
    return this.study.models.length > 1 ? name : "the model";
  }

  /** Return a screen if it can be shown of this study. @param {string} id */
  screenFor(id) {
    const screen = screenOf(id);
    return screen && !this.whyNot(screen) ? screen : null;
  }

  showRail() {
    const { now } = this.store;
    const listed = Object.entries(GROUPS).flatMap(([group, title]) => {
      const mine = screens.filter((s) => s.group === group && (this.server || !s.alone) && (!s.rare || !this.whyNot(s)));
      return mine.length ? [make("h2", {}, title), ...mine.map((s) => this.item(s, now.screen))] : [];
    });
    byId("items").replaceChildren(...listed);
    say("menu-name", screenOf(now.screen)?.title ?? "Screens");
  }

  /** @param {import("./screens.js").Screen} screen @param {string} here */
  item(screen, here) {
    const why = this.whyNot(screen);
    const name = make("span", {}, screen.title);
    const count = this.badges[screen.id] ? [make("span", { class: "count" }, String(this.badges[screen.id]))] : [];
    const reason = why ? [make("span", { class: "unseen" }, ` (${why})`)] : [];
    const about = { class: `item${why ? " off" : ""}`, title: why || false };
    if (why && !this.isOpen) return make("span", about, icon(screen.icon), name, ...reason);
    return make("a", { ...about, href: this.addressOf(screen.id), "aria-current": screen.id === here ? "page" : false,
      onclick: (event) => this.follow(event, screen.id) }, icon(screen.icon), name, ...count, ...reason);
  }

  /** Return the address of a screen, which can be opened in another tab. @param {string} id @param {object} more to choose there */
  addressOf(id, more = {}) {
    return toHash({ ...this.store.now, ...more, screen: id }, this.store.first) || `#screen=${id}`;
  }

  /** A link to a screen. @param {string} id @param {string|Node} text @param {object} more to choose there @param {string} kind */
  link(id, text, more = {}, kind = "") {
    return make("a", { class: kind || false, href: this.addressOf(id, more), onclick: (event) => this.follow(event, id, more) }, text);
  }

  /** @param {MouseEvent} event @param {string} id @param {object} more */
  follow(event, id, more = {}) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.openMenu(false);
    this.store.set({ ...more, screen: id });
  }

  /** Show a number beside a screen in the rail. @param {string} id @param {number} count */
  badge(id, count) {
    this.badges[id] = count;
    this.showRail();
  }

  showPickers() {
    const { study, store } = this;
    const several = study.models.length > 1;
    const chip = (name, i) => make("button", { class: "chip", "data-model": name, onclick: () => store.set({ model: name }) }, swatch(i), make("span", {}, make("bdi", {}, name)));
    byId("chips").replaceChildren(...(several ? study.models.map(chip) : []));
    const classes = study.task === "classification" ? study.classes : [];
    const own = study.positive ?? null;
    const asRead = own === null ? [make("option", { value: "" }, "all classes")] : [];
    const option = (c) => make("option", { value: String(c) === String(own) ? "" : String(c) }, `class ${c}`);
    byId("class").replaceChildren(...asRead, ...classes.map(option));
    byId("class").hidden = !this.server || classes.length < 2;
    byId("class").onchange = (event) => store.set({ positive: event.target.value });
    const scores = study.scores ?? [];
    byId("score").replaceChildren(...scores.map(({ call, title }, i) => make("option", { value: i ? call : "" }, title)));
    byId("score").hidden = scores.length < 2;
    byId("score").onchange = (event) => store.set({ score: event.target.value });
    byId("estimate").replaceChildren(...study.estimates.map(([value, text]) => make("option", { value }, text)));
    byId("estimate").hidden = study.estimates.length < 2;
    byId("estimate").onchange = (event) => store.set({ estimate: event.target.value });
    byId("level").replaceChildren(...study.levels.map((l) => make("option", { value: l }, `${Number((100 * l).toPrecision(6))} %`)));
    byId("level").hidden = !study.levels.length;
    byId("level").onchange = (event) => store.set({ level: Number(event.target.value) });
  }

  /** @param {any} now */
  showChosen(now) {
    for (const chip of byId("chips").children) chip.setAttribute("aria-pressed", String(chip.dataset.model === now.model));
    byId("class").value = now.positive;
    this.showNumber();
    byId("estimate").value = now.estimate;
    byId("level").value = String(now.level);
    for (const id of ["undo", "redo", "command"]) byId(id).hidden = !this.isOpen;
    byId("bar").classList.toggle("alone", Boolean(screenOf(now.screen)?.alone)); // of no study
    byId("undo").disabled = this.store.past.length === 0;
    byId("redo").disabled = this.store.future.length === 0;
  }

  /** The level, the time or the number of places that the score is about, to change. */
  showNumber() {
    const { at, name, numbers } = this.score ?? { at: -1, name: "", numbers: {} };
    byId("score").selectedIndex = at;
    const told = Object.entries(numbers);
    const [[what, value]] = told.length === 1 ? told : [["", 0]];
    byId("number").hidden = !what;
    if (!what) return;
    const input = numberInput(this.store, "score", "", (x) => x > 0, { shown: value, told: (x) => (x === null ? "" : `${name}(${what}=${x})`) });
    byId("number").replaceChildren(`${what} `, input);
  }

  /** @param {boolean} open */
  openMenu(open) {
    const wasInside = byId("rail").classList.contains("open") && byId("rail").contains(document.activeElement);
    byId("rail").classList.toggle("open", open);
    byId("menu").setAttribute("aria-expanded", String(open));
    if (open) byId("rail").querySelector("a")?.focus();
    else if (wasInside) byId("menu").focus();
  }

  wire() {
    byId("undo").onclick = () => this.store.undo();
    byId("redo").onclick = () => this.store.redo();
    byId("command").onclick = () => this.drawer.open();
    byId("menu").onclick = () => this.openMenu(!byId("rail").classList.contains("open"));
    byId("skip").onclick = (event) => { event.preventDefault(); byId("main").focus(); };
    const home = screenOf("home");
    byId("brand").href = home ? "#screen=home" : "#";
    byId("brand").onclick = (event) => { event.preventDefault(); this.openMenu(false); if (home && this.server) this.store.set({ screen: "home" }); };
    byId("study").href = "#screen=import";
    byId("study").onclick = (event) => { event.preventDefault(); this.openMenu(false); if (this.server) this.store.set({ screen: this.isOpen && screenOf("import") ? "import" : "home" }); };
    window.addEventListener("popstate", () => this.followAddress());
    window.addEventListener("keydown", (event) => { if (event.key === "Escape") this.openMenu(false); });
  }

  /** Draw pictures again, for another width or theme. */
  redraw() {
    this.showPickers();
    for (const kept of this.rendered.values()) {
      if (kept.place.hidden) kept.late = true; // it is drawn again where it is shown
      else kept.shown?.redraw?.();
    }
    this.show(this.store.now);
  }
}

/** @param {any} error */
const said = (error) => (error instanceof Error ? error.message : String(error));

/** What a page without a server was given of what its library computed. @param {any} known @param {string} call */
async function recorded(known, call) {
  const found = known.page_data?.answers?.[call];
  if (!found) throw new Error("This page has no server, and was not given this when it was made.");
  return found;
}
