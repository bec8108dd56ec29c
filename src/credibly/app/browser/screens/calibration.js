// Calibration: predicted against observed, by how much they differ, and what recalibration changes.

import { addScreen } from "../screens.js";
import { Chart, axis, groupsSpec } from "../charts.js";
import { card, chanceWords, chartFrame, choice, decimalsOf, estimateCell, estimateTexts, field, fixed, knowCard, stat, table } from "../parts.js";
import { countText, make, shownText, withMinus } from "../words.js";

const METHODS = ["logistic", "isotonic", "beta", "histogram"];
const STATISTICS = ["calibration_in_the_large", "calibration_slope", "expected_calibration_error", "brier", "log_loss"];
const SIMULATED = 200; // outcomes behind a band on the screen

addScreen({
  id: "calibration",
  title: "Calibration",
  group: "judge",
  order: 50,
  icon: "M2 14 14 2M3 11h2m2-3h2m2-3h2",
  state: { groups: 10, after: "" },
  applies: (study) => {
    if (study.alone) return "Calibration needs the server of this page; Curves shows the groups.";
    if (study.task === "numeric") return "The predictions are numbers, not probabilities. Measures and Errors show how far off they are.";
    return study.provides.includes("probability") ? "" : "There are no probabilities to check.";
  },
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Calibration");
    const lead = make("p", { class: "lead" });
    const controls = make("div", { class: "row end" });
    const result = make("div", { class: "stacked" });
    place.append(heading, lead, controls, result);
    let charts = [];
    return {
      redraw: () => charts.forEach((c) => c.draw()),
      update(now, change) {
        if (!["model", "calibration.groups", "calibration.after"].some((k) => k in change)) return;
        controls.replaceChildren(...controlsFor(bench, now));
        bench.fill(result, askBoth(bench, now), (found) => {
          const whose = bench.study.models.length > 1 ? ` of ${now.model}` : "";
          heading.textContent = shownText(`The probabilities${whose} are ${found.before.in_short || "not judged"}.`);
          lead.textContent = shownText(withMinus([found.before.meaning, `${found.before.heading}.`, found.map?.meaning].filter(Boolean).join(" ")));
          const made = panels(bench, found, now);
          charts = made.charts;
          setTimeout(() => charts.forEach((c) => c.draw()));
          return made.content;
        });
      },
    };
  },
});

/** @param {any} bench @param {any} now */
async function askBoth(bench, now) {
  const asked = { groups: now["calibration.groups"], replicates: SIMULATED, rng: 1, confidence_level: now.level };
  const many = bench.study.classes.length > 2 && bench.study.positive === null && !now.positive;
  if (many) asked.of = "top-label";
  const after = now["calibration.after"];
  const both = [bench.ask("calibration", asked)];
  if (after) both.push(bench.ask("recalibrate", { method: after, rng: 1, confidence_level: now.level }), bench.ask("calibration", { ...asked, after }, "after"));
  else ["recalibrate", "after"].forEach((as) => bench.unask(as));
  const [before, map, later] = await Promise.all(both);
  const of = (found) => (found?.models ? found.models[now.model] : found ?? null);
  return { before: of(before), map: of(map), later: of(later) };
}

/** @param {any} bench @param {any} now */
function controlsFor(bench, now) {
  const { store } = bench;
  const numbers = ["5", "10", "20"].map((n) => [n, `${n} groups`]);
  return [
    field("Groups of cases", choice(numbers, String(now["calibration.groups"]), (value) => store.set({ "calibration.groups": Number(value) }))),
    field("Recalibrate, each fold by the others", choice([["", "no"], ...METHODS.map((m) => [m, m])], now["calibration.after"], (value) => store.set({ "calibration.after": value }))),
  ];
}

/** @param {any} found @param {string} name */
const statisticOf = (found, name) => found.statistics.find((e) => e.measure.split("(")[0] === name);

/** @param {any} bench @param {any} found @param {any} now */
function panels(bench, { before, map, later }, now) {
  const pictures = [[later ? "Before" : "Predicted and observed", before], ...(later ? [["After recalibration", later]] : [])].map(([title, found]) => picture(title, found, now));
  const numbers = STATISTICS.map((name) => statisticOf(before, name)).filter(Boolean);
  const stats = card("How far off", now.model, make("dl", { class: "stats" }, ...numbers.map((e) => stat(e.title, e))),
    table("Tests", ["test of the probabilities", "statistic", "p"], before.tests.map((t) => [t.title, fixed(t.statistic, decimalsOf(t.statistic)), chanceWords(t.pvalue)]), { class: "", right: [1] }));
  const shown = make("section", { class: "card" }, make("div", { class: "charts" }, ...pictures.map((p) => p.figure)), make("details", {}, make("summary", {}, "Groups"), groupsTable(before)));
  const content = [make("div", { class: map ? "stacked" : "columns lead-left" }, shown, map ? make("div", { class: "columns" }, changeCard(map), stats) : stats), ...knowCard(bench, before.findings)];
  return { content, charts: pictures.map((p) => p.chart) };
}

/** @param {string} title @param {any} found @param {any} now */
function picture(title, found, now) {
  const groups = found.groups.map((g) => ({ x: g.predicted, y: g.observed, low: g.low, high: g.high }));
  const line = found.curves.find((c) => c.curve === "isotonic") ?? found.curves[0];
  const curve = line ? line.x.map((x, i) => ({ x, y: line.y[i] })) : [];
  const farthest = Math.max(...groups.map((g) => Math.max(g.x, g.high)), ...curve.map((p) => Math.max(p.x, p.y)));
  const most = Math.min(1, Math.ceil(10 * farthest) / 10 || 0.1);
  const words = `${title}: observed share against predicted probability in ${groups.length} groups of ${now.model}; the table below has the numbers.`;
  const { figure, plot } = chartFrame(title, "points with intervals; dashed: calibrated", words);
  const unit = (name) => axis(name, { domain: [0, most] });
  const chart = new Chart(plot, groupsSpec(unit("predicted probability"), unit("observed share")));
  Object.assign(chart.data, { beside: [0, most].map((x) => ({ x, y: x })), curves: curve, groups });
  return { figure, chart };
}

/** @param {any} map */
function changeCard(map) {
  const of = (when) => Object.fromEntries(map.estimates.filter((e) => e.when === when).map((e) => [e.title, e]));
  const [was, is] = [of("before"), of("after")];
  const rows = Object.keys(was).filter((t) => is[t]).map((title) => {
    const test = map.tests.find((t) => t.measure === was[title].measure);
    return [title, estimateCell(was[title]), estimateCell(is[title]), test ? estimateCell({ ...test, value: test.difference }) : "not tested"];
  });
  return card("What recalibration changes", map.heading, table("Before and after", ["measure", "before", "after", "after minus before"], rows));
}

/** @param {any} found */
function groupsTable(found) {
  const rows = found.groups.map((g, i) => [String(i + 1), countText(g.n), estimateTexts({ value: g.predicted }).value, estimateCell({ value: g.observed, interval: g })]);
  return make("div", {}, make("p", { class: "quiet" }, found.rule), table("Groups", ["group", "cases", "predicted", "observed"], rows, { right: [1] }));
}
