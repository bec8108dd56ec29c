// Starts the page: what is known, and who shows it.

import { Bench } from "./bench.js";
import { keepFocus } from "./focus.js";
import { byId } from "./words.js";
import { onThemeChange, useThemes } from "./charts.js";

const STILL = 150; // milliseconds without another width before pictures are drawn again

/** Note which field somebody is writing in, so that nothing is written over it. */
function markTyping() {
  const begin = (event) => { if (event.target.inputMode) event.target.dataset.typing = "yes"; };
  const end = (event) => { delete event.target.dataset?.typing; };
  document.addEventListener("input", begin, true);
  for (const kind of ["change", "focusout"]) document.addEventListener(kind, end, true);
}

/** A study that needs no server: what the page was given. @param {any} pageData */
const alone = (pageData) => ({
  id: "", name: pageData.title, about: pageData.about, task: "classification", models: pageData.models.map((m) => m.name),
  classes: [pageData.negative, pageData.positive], positive: pageData.positive, start: pageData.start,
  levels: Object.keys(pageData.quantiles).map(Number), estimates: [], roles: {}, columns: [], provides: ["score"], alone: true,
});

/** @param {Bench} bench */
function follow(bench) {
  onThemeChange(() => bench.redraw());
  let width = window.innerWidth;
  let timer = 0;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    document.body.dataset.busy = "yes"; // until pictures have the new width
    clearTimeout(timer);
    timer = setTimeout(() => bench.redraw(), STILL);
  });
  window.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || typing) return;
    event.preventDefault();
    if (event.shiftKey) bench.store.redo();
    else bench.store.undo();
  });
}

/** @param {any} known */
function start(known) {
  useThemes(known.themes);
  const bench = new Bench(known);
  follow(bench);
  markTyping();
  keepFocus();
  const study = known.page_data ? alone(known.page_data) : known.server?.set;
  if (known.server?.error) bench.complain(known.server.error);
  if (study) bench.open(study, { hash: location.hash });
  else {
    bench.newStore(location.hash);
    bench.introduce();
    bench.show(bench.store.now);
  }
  document.body.dataset.ready = "yes";
}

start(JSON.parse(byId("known").textContent));
