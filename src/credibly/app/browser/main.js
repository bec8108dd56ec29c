// Puts the page together: what is known, what is chosen, and who shows it.

import { pointAt } from "./arithmetic.js";
import { Store, cornersOf, firstChoice, fromHash, modelsOf, toHash } from "./state.js";
import { byId, countText, make, percentText, say, scoreText } from "./words.js";
import { hereSentence } from "./sentences.js";
import { onThemeChange, useThemes } from "./charts.js";
import { download, pngOf, rowsText, scenarioText } from "./exports.js";
import { Analyser, placeOf, settingOf } from "./analyser.js";
import { Explorer } from "./explorer.js";
import { Opening } from "./opening.js";

const QUIET = 250; // milliseconds without a change before the address and the spoken text follow

/** One set of predictions on the page. */
class Page {
  /** @param {any} scene @param {Opening} opening @param {string} hash */
  constructor(scene, opening, hash) {
    this.scene = scene;
    this.opening = opening;
    this.models = modelsOf(scene);
    const names = this.models.map((m) => m.name);
    const first = firstChoice(scene, this.models);
    this.store = new Store(first, fromHash(hash, first, names), names);
    this.world = { scene, models: this.models, corners: cornersOf(scene), store: this.store };
    for (const id of ["tools", "scene"]) byId(id).hidden = false;
    byId("opening").hidden = true;
    this.analyser = new Analyser(this.world);
    this.explorer = new Explorer(this.world);
    this.wire();
    this.introduce();
    this.pending = null;
    this.store.listeners.push((now, change) => this.later(change));
    document.body.dataset.busy = "yes";
    this.show(this.store.now);
  }

  introduce() {
    const t = this.models[0].table;
    say("title", this.scene.title);
    document.title = `${this.scene.title}: where to operate`;
    const n = t.positives + t.negatives;
    const share = percentText(t.positives / n);
    const rows = this.scene.weighted_rows;
    const cases = rows === null
      ? `${countText(n)} cases, ${countText(t.positives)} of them ${this.scene.positive} (${share})`
      : `${countText(rows)} cases that weigh ${countText(n)} together, ${share} of it ${this.scene.positive}`;
    const models = this.models.length > 1 ? `, ${this.models.length} models` : "";
    say("about", `${cases}${models}`);
  }

  /** Draw once a frame, however many changes there are. @param {object} change */
  later(change) {
    document.body.dataset.busy = "yes";
    const waiting = this.pending !== null;
    this.pending = { ...this.pending, ...change };
    if (!waiting) requestAnimationFrame(() => { const all = this.pending; this.pending = null; this.show(all); });
  }

  /** @param {object} change */
  show(change) {
    const { now } = this.store;
    if ("view" in change) this.showView(now.view);
    const q = this.analyser.update(now, change);
    this.explorer.update(now, change);
    byId("undo").disabled = this.store.past.length === 0;
    byId("redo").disabled = this.store.future.length === 0;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(q), QUIET);
  }

  /** What need not follow at once: the address, and what a screen reader says. */
  settle(q) {
    const { now, first } = this.store;
    history.replaceState(null, "", toHash(now, first) || location.pathname + location.search);
    say("here", hereSentence(q, this.scene.positive, now.unit));
    say("rerun", `Run the scenario again: ${this.scene.command}`);
    delete document.body.dataset.busy;
  }

  /** @param {string} view */
  showView(view) {
    for (const name of ["analyser", "explorer"]) {
      byId(name).hidden = name !== view;
      byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
      byId(`tab-${name}`).tabIndex = name === view ? 0 : -1;
    }
    if (view === "explorer") Object.values(this.explorer.charts).forEach((c) => c.draw());
    else [this.analyser.curve, this.analyser.profit].forEach((c) => c.draw());
  }

  wire() {
    const { store } = this;
    for (const name of ["analyser", "explorer"]) {
      byId(`tab-${name}`).onclick = () => store.set({ view: name });
      byId(`tab-${name}`).onkeydown = (event) => {
        if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
        const other = name === "analyser" ? "explorer" : "analyser";
        store.set({ view: other });
        byId(`tab-${other}`).focus();
      };
    }
    byId("undo").onclick = () => store.undo();
    byId("redo").onclick = () => store.redo();
    byId("save-rows").onclick = () => this.saveRows();
    byId("save-scenario").onclick = () => {
      download("scenario.json", scenarioText(this.scene, store.now, this.models.length > 1), "application/json");
    };
    byId("save-link").onclick = () => this.copyLink();
    for (const place of document.querySelectorAll(".save")) this.wireSaving(place, place.dataset.chart);
  }

  /** @param {HTMLElement} place @param {string} name of the chart */
  wireSaving(place, name) {
    const svg = () => (this.explorer.charts[name] ?? this.analyser[name]).svg();
    const ways = {
      SVG: async () => download(`${name}.svg`, await svg(), "image/svg+xml"),
      PNG: async () => download(`${name}.png`, await pngOf(await svg())),
    };
    place.replaceChildren(...Object.entries(ways).map(([kind, onclick]) =>
      make("button", { "aria-label": `Save the chart ${name} as ${kind}`, onclick }, kind)));
  }

  async saveRows() {
    const { now } = this.store;
    const model = this.models.find((m) => m.name === now.model);
    const q = pointAt(model.table, placeOf(now), settingOf(this.scene, now));
    const part = q.taken < 1 ? ` Of the cases that score ${scoreText(q.threshold)} only some are among them.` : "";
    if (model.list) {
      download("selected.csv", rowsText(this.scene, model, q), "text/csv");
      say("saved", `The rows were written to selected.csv.${part}`);
      return;
    }
    const at = now.by === "number" && now.population !== null ? `share=${q.share}` : `${now.by}=${now.at}`;
    const named = this.models.length > 1 ? { model: now.model } : {};
    const body = { id: this.opening.set.id, at, prevalence: now.prevalence, ...named };
    const answer = await this.opening.call("api/selection", body);
    if (answer.ok) download("selected.csv", await answer.text(), "text/csv");
    say("saved", answer.ok ? `The rows were written to selected.csv.${part}` : (await answer.json()).error);
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      say("saved", "The link was copied: it opens this page in this state.");
    } catch {
      say("saved", `This link opens the page in this state: ${location.href}`);
    }
  }

  /** Let go of the page before another set takes its place. */
  close() {
    clearTimeout(this.timer);
    this.store.listeners = [];
  }

  redraw() {
    this.showView(this.store.now.view);
    this.explorer.stale = true;
    this.show(this.store.now);
  }
}

/** Note which field somebody is writing in, so that nothing is written over it. */
function markTyping() {
  const begin = (event) => { if (event.target.inputMode) event.target.dataset.typing = "yes"; };
  const end = (event) => { delete event.target.dataset?.typing; };
  document.addEventListener("input", begin, true);
  for (const kind of ["change", "focusout"]) document.addEventListener(kind, end, true);
}

/** @param {any} known */
function start(known) {
  useThemes(known.themes);
  let page = null;
  const opening = new Opening(known.server, (set) => {
    page?.close();
    history.replaceState(null, "", `?${new URLSearchParams({ token: known.server.token, id: set.id })}`);
    page = new Page(set.scene, opening, "");
    byId("main").focus();
  });
  if (known.scene) page = new Page(known.scene, opening, location.hash);
  else byId("opening").hidden = !known.server;
  onThemeChange(() => page?.redraw());
  let width = window.innerWidth;
  let timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(timer);
    timer = setTimeout(() => page?.redraw(), 150);
  });
  window.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || typing || !page) return;
    event.preventDefault();
    if (event.shiftKey) page.store.redo();
    else page.store.undo();
  });
  markTyping();
  document.body.dataset.ready = "yes";
}

start(JSON.parse(byId("known").textContent));
