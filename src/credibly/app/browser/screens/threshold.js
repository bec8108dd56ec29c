// Threshold and costs: the cost/benefit analyser on one screen.

import { Analyser, placeOf, settingOf } from "../analyser.js";
import { download, pngOf, rowsText, scenarioText } from "../exports.js";
import { pointAt } from "../arithmetic.js";
import { hereSentence } from "../sentences.js";
import { addScreen } from "../screens.js";
import { isDark } from "../charts.js";
import { costsOf } from "./overview.js";
import { pictureOf } from "./pictures.js";
import { byId, countText, make, moneyText, percentText, rangeText, say, scoreText, shortText } from "../words.js";

const MOST_CLASSES = 12; // that are shown side by side

addScreen({
  id: "threshold",
  title: "Threshold and costs",
  group: "judge",
  order: 30,
  icon: "M1 5h5m4 0h5M6 3v4M1 11h8m4 0h2M9 9v4",
  applies: needsScores,
  render: withWorld((place, world) => {
    const analyser = new Analyser(world);
    wireTaking(place, world, analyser);
    return {
      update: (now, change) => analyser.update(now, change),
      settle: () => settleThreshold(world, analyser),
      redraw: () => [analyser.curve, analyser.profit].forEach((c) => c.draw()),
    };
  }),
});

/**
 * Render a screen whose markup stands until the scores are there; `draw` then says how it follows what changes.
 * @param {(place: HTMLElement, world: any) => any} draw
 */
export function withWorld(draw) {
  return (place, bench) => {
    if (isOpen(bench.study, bench.store.now)) return classesApart(place, bench);
    const shown = { update() {} };
    const markup = [...place.childNodes];
    bench.fill(place, bench.world(), (world) => {
      place.replaceChildren(...markup);
      Object.assign(shown, draw(place, world));
      shown.update(world.store.now, world.store.now);
      shown.settle?.();
    });
    return shown;
  };
}

/** Say why there is nothing to put in an order. @param {any} study @param {any} now */
export function needsScores(study, now) {
  if (study.task === "numeric") return "The predictions are numbers, so there is no list of cases to select from.";
  if (study.task !== "classification") return "The cases were scored elsewhere, so there is nothing to rank.";
  if (!study.provides.some((kind) => kind === "score" || kind === "probability")) {
    return "There are only labels, without scores or probabilities, so there is no threshold to move.";
  }
  return study.alone && isOpen(study, now) ? "Choose a class at the top: it then stands against the rest." : "";
}

/** Whether it is not said yet which of several classes is looked for. @param {any} study @param {any} now */
const isOpen = (study, now) => study.classes.length > 2 && (study.positive ?? null) === null && !now.positive;

/** Each class against the rest, to choose from. @param {HTMLElement} place @param {any} bench */
function classesApart(place, bench) {
  const { study, store } = bench;
  const shown = study.classes.slice(0, MOST_CLASSES).map(String);
  const rest = study.classes.length - shown.length;
  const draw = (now) => place.replaceChildren(make("h1", { tabindex: -1 }, "Which class do you look for?"),
    make("p", { class: "lead" }, `It then stands against the rest. ${rest ? `These are the first ${shown.length}; the list at the top has ${rest} more.` : ""}`),
    make("div", { class: "columns three" }, ...shown.map((positive) => {
      const picture = make("div");
      bench.fill(picture, bench.ask("plot", { kind: "roc", positive, model: now.model, theme: isDark() ? "dark" : "light" }, `class ${positive}`), (found) => [pictureOf(found)]);
      const look = make("button", { "data-class": positive, onclick: () => store.set({ positive }) }, "Look for ", make("bdi", {}, positive));
      return make("section", { class: "card" }, make("div", { class: "row between" }, make("h2", {}, make("bdi", {}, positive)), look), picture);
    })));
  return { update: (now, change) => { if ("model" in change) draw(now); }, redraw: () => draw(store.now) };
}

/** What need not follow at once: what a screen reader says. */
function settleThreshold(world, analyser) {
  const { now } = world.store;
  if (now.told === "yes") say("here", hereSentence(analyser.here, world.pageData.positive, now.unit));
  if (!world.bench.server) return;
  const model = world.models.find((m) => m.name === now.model) ?? world.models[0];
  if (costsOf(now)) askSums(world, model, now);
  if (model.whyNoIntervals) askCounts(world, model, now);
}

const SUMS = { profit: "profit", random: "random_profit", gain: "gain", advantage: "advantage" };

/** What is asked of the server about a place. @param {any} now */
const sumsAsked = (now) => ({
  costs: { tp: now.tp, fp: now.fp, fn: now.fn, tn: now.tn }, at: `${now.by}=${now.at}`, population: now.population,
  prevalence: now.prevalence, confidence_level: now.level,
});

/** Intervals that the page cannot compute, of groups and of weights, come from the server. @param {any} world @param {any} model @param {any} now */
async function askSums(world, model, now) {
  const found = await world.bench.ask("cost-benefit", sumsAsked(now)).catch(() => null); // also for the drawer
  if (!found || !model.whyNoIntervals || now !== world.store.now) return;
  for (const [id, measure] of Object.entries(SUMS)) showInterval(id, found.estimates.find((e) => e.measure === measure && isOf(e, model)), (x) => moneyText(x, now.unit));
}

/** @param {any} world @param {any} model @param {any} now */
async function askCounts(world, model, now) {
  const { costs, ...asked } = sumsAsked(now);
  const q = pointAt(model.table, placeOf(now), settingOf(world.pageData, now));
  const threshold = Number.isFinite(q.threshold) ? q.threshold : null;
  const found = await world.bench.ask("outcomes", { ...asked, threshold, taken: q.taken }).catch(() => null);
  if (!found || now !== world.store.now) return;
  for (const e of found.estimates.filter((each) => isOf(each, model))) {
    if (byId(`cell-${e.of}`)) showInterval(`cell-${e.of}`, e, countText);
    else showInterval(`rate-${e.of}`, e, percentText);
    if (e.of === "precision") showInterval("rate-lift", e, (x) => shortText(x / q.prevalence));
  }
}

/** @param {any} e @param {any} model */
const isOf = (e, model) => String(e.model ?? model.name) === model.name;

/** Write limits of the server beside a number of the page. @param {string} id @param {any} e @param {(x: number) => string} text */
function showInterval(id, e, text) {
  const said = e?.interval ? rangeText(text(e.interval.low), text(e.interval.high)) : "no interval";
  byId(id).querySelector(".interval").textContent = said;
}

/** What the best place brings where others chose it. @param {any} world */
async function crossFit({ bench, store, models }) {
  const { now } = store;
  say("honest", "Choosing the place on other cases than it is judged on ...");
  const found = await bench.tried(() => bench.ask("cost-benefit", { ...sumsAsked(now), at: "best", rng: 1 }));
  const e = found?.estimates.find((each) => each.measure === "cross_fitted_profit" && String(each.model ?? models[0].name) === now.model);
  const money = (x) => moneyText(x, now.unit);
  say("honest", e ? `Cross-fitted, the best place brings ${money(e.value)}${e.interval ? ` (${money(e.interval.low)} to ${money(e.interval.high)})` : ""}: it was chosen on other cases than it is judged on.` : "");
}

/** @param {HTMLElement} place @param {any} world @param {Analyser} analyser */
function wireTaking(place, world, analyser) {
  const { store, pageData } = world;
  const button = (id, act) => { place.querySelector(`#${id}`).onclick = act; };
  button("save-rows", () => saveRows(world));
  button("save-scenario", () => {
    download("scenario.json", scenarioText(pageData, store.now, world.models.length > 1), "application/json");
    say("saved", `Run the scenario again: ${pageData.command}`);
  });
  button("save-link", copyLink);
  button("cross-fit", () => crossFit(world));
  place.querySelector("#cross-fit").hidden = !world.bench.server;
  for (const each of place.querySelectorAll(".save")) wireSaving(each, () => analyser[each.dataset.chart]);
}

/** @param {HTMLElement} place @param {() => import("../charts.js").Chart} chart */
export function wireSaving(place, chart) {
  const name = place.dataset.chart;
  const ways = {
    SVG: async () => download(`${name}.svg`, await chart().svg(), "image/svg+xml"),
    PNG: async () => download(`${name}.png`, await pngOf(await chart().svg())),
  };
  place.replaceChildren(...Object.entries(ways).map(([kind, onclick]) =>
    make("button", { "aria-label": `Save the chart ${name} as ${kind}`, onclick }, kind)));
}

/** @param {any} world */
async function saveRows({ store, pageData, models, bench }) {
  const { now } = store;
  const model = models.find((m) => m.name === now.model) ?? models[0];
  const q = pointAt(model.table, placeOf(now), settingOf(pageData, now));
  const part = q.taken < 1 ? ` Of the cases that score ${scoreText(q.threshold)} only some are among them.` : "";
  const saved = `The rows were written to selected.csv.${part}`;
  if (model.list) {
    download("selected.csv", rowsText(pageData, model, q), "text/csv");
    say("saved", saved);
    return;
  }
  const at = now.by === "number" && now.population !== null ? `share=${q.share}` : `${now.by}=${now.at}`;
  const named = models.length > 1 ? { model: model.name } : {};
  const body = { id: bench.study.id, at, ...(now.prevalence === null ? {} : { prevalence: now.prevalence }), ...named, ...bench.view() };
  say("saved", "Writing ...");
  const answer = await bench.tried(() => bench.server.call("selection", body));
  if (answer) download("selected.csv", await answer.text(), "text/csv");
  say("saved", answer ? saved : "The rows were not written.");
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    say("saved", "The link was copied: it opens this page in this state.");
  } catch {
    say("saved", `This link opens the page in this state: ${location.href}`);
  }
}
