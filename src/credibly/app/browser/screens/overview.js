// Overview: what was found in a sentence, what to doubt first, and the key numbers.

import { addScreen } from "../screens.js";
import { card, chanceWords, estimateTexts, estimateTitle, findingList, forest, measureWords, pairOf, ranked } from "../parts.js";
import { countText, make, shortText, withMinus } from "../words.js";

const MOST_FINDINGS = 4; // that stand on the first screen
const MOST_PANELS = 6;
const FIRST_MEASURES = ["average_cost", "auc", "average_precision", "accuracy", "brier", "log_loss"];
// Which screen does what a finding asks for, by a word of its code.
const LEADS = { calib: "calibration", probab: "calibration", threshold: "threshold", cost: "threshold", curse: "compare", slice: "measures", row: "errors" };

/** What costs are told to the server; nothing where nobody said any, or all are 0 and decide nothing. @param {any} now */
export const costsOf = ({ told, tp, fp, fn, tn }) => (told === "yes" && [tp, fp, fn, tn].some((cost) => cost !== 0) ? { tp, fp, fn, tn } : null);

/** @param {any} study */
const mayCost = (study) => study.task === "classification" && study.classes.length === 2;

/** Ask for the report, as every screen that shows a part of it does. @param {any} bench */
export function askReport(bench) {
  const { now } = bench.store;
  return bench.ask("report", { costs: mayCost(bench.study) ? costsOf(now) : null, confidence_level: now.level });
}

addScreen({
  id: "overview",
  title: "Overview",
  group: "judge",
  order: 10,
  icon: "M2 4h12M2 8h8M2 12h10",
  applies: () => "",
  render(place, bench) {
    const keys = ["tp", "fp", "fn", "tn", "told"];
    const show = () => bench.fill(place, askReport(bench), (found) => overview(bench, found));
    return { update(now, change) { if (keys.some((k) => k in change)) show(); } };
  },
});

/** @param {any} bench @param {any} found */
function overview(bench, found) {
  bench.badge("overview", ranked(found.findings).filter((f) => f.severity !== "note").length);
  const [first, ...rest] = sentences(found.headline);
  return [
    make("h1", { tabindex: -1 }, withMinus(first)),
    make("p", { class: "lead" }, withMinus(rest.join(" "))),
    make("div", { class: "columns lead-right" }, doubtCard(bench, found.findings), numbersCard(bench, found)),
    nextCards(bench, found),
  ];
}

/** Return the sentences of a text. @param {string} text */
const sentences = (text) => text.split(/(?<=\.)\s+(?=[A-Z])/);

/** @param {any} bench @param {any[]} all */
function doubtCard(bench, all) {
  const findings = ranked(all);
  const count = (severity, word) => {
    const n = findings.filter((f) => f.severity === severity).length;
    return n ? [`${countText(n)} ${word}${n > 1 ? "s" : ""}`] : [];
  };
  const about = [...count("problem", "problem"), ...count("caution", "caution"), ...count("note", "note")].join(", ");
  const more = findings.length > MOST_FINDINGS ? [make("p", {}, bench.link("checks", `${findings.length - MOST_FINDINGS} more, and every check`))] : [];
  return card("What to doubt first", about, findingList(all, (f) => linkOf(bench, f), MOST_FINDINGS), ...more);
}

/** A link to the screen that does what a finding asks for. @param {any} bench @param {any} f */
export function linkOf(bench, f) {
  const word = Object.keys(LEADS).find((each) => f.code.includes(each));
  const screen = word && bench.screenFor(LEADS[word]);
  return screen ? bench.link(screen.id, screen.title) : null;
}

/** @param {any} bench @param {any} found */
function numbersCard(bench, { evaluation, decision }) {
  const costs = (decision?.estimates ?? []).filter((e) => e.measure === "average_cost");
  const chief = evaluation.estimates.filter((e) => e.headline !== false && e.measure !== "average_cost");
  const all = [...costs, ...chief];
  const panels = [...Map.groupBy(all, (e) => `${estimateTitle(e)}${e.average ?? ""}`).values()].sort((a, b) => standing(a[0]) - standing(b[0]));
  const shown = panels.slice(0, MOST_PANELS).map((estimates) => panel(bench, estimates));
  const dashed = all.some((e) => trivialOf(e) !== null) ? "; dashed: the best trivial rule" : "";
  const about = `${Number((100 * evaluation.confidence_level).toPrecision(6))} % intervals${dashed}`;
  return card("Key numbers", about, make("div", { class: "forests" }, ...shown), make("p", {}, bench.link("measures", "All measures, and slices")));
}

/** What does not depend on a threshold that nobody chose stands first. @param {any} e */
function standing(e) {
  const name = e.measure.replace(/\(.*/, "");
  return FIRST_MEASURES.includes(name) ? FIRST_MEASURES.indexOf(name) : FIRST_MEASURES.length;
}

/** Return what the best trivial rule scores. @param {any} e */
export function trivialOf(e) {
  const values = Object.values(e.baselines ?? {}).filter((v) => typeof v === "number");
  if (!values.length || e.direction === "neither") return null;
  return e.direction === "higher" ? Math.max(...values) : Math.min(...values);
}

/** One measure of every model. @param {any} bench @param {any[]} estimates */
function panel(bench, estimates) {
  const [first] = estimates;
  const { models } = bench.study;
  const name = (e) => String(e.model ?? models[0]);
  const sign = first.direction === "lower" ? -1 : 1;
  const known = estimates.filter((e) => typeof e.value === "number");
  const best = known.reduce((a, b) => (sign * b.value > sign * a.value ? b : a), known[0]);
  const average = first.average ? `, ${first.average}` : "";
  const rows = estimates.map((e) => ({ name: name(e), e, mark: Math.max(models.indexOf(name(e)), 0), best: models.length > 1 && e.value === best?.value && first.direction !== "neither" }));
  return forest({ title: `${estimateTitle(first)}${average}`, rows, better: first.direction, yardstick: trivialOf(first) });
}

/** Where to go on. @param {any} bench @param {any} found */
function nextCards(bench, found) {
  const said = (code) => found.checks.find((c) => c.code === code && c.status !== "not applicable")?.message.replace(/ \([^)]*\)/g, "");
  const next = [
    ["compare", "Is it really better?", leadOf(found.comparison, bench.titles) ?? "Differences between models, with their intervals and what would not matter."],
    ["threshold", "Where should it operate?", operatingOf(found.decision) ?? "Say what mistakes cost, and see where the best threshold lies and how sure that is."],
    ["calibration", "Can its probabilities be believed?", said("miscalibrated") ?? "Predicted against observed, before and after recalibration."],
    ...(bench.screenFor("curves") ? [] : [["pictures", "What does it look like?", "Predictions beside what happened, and how errors are spread."]]),
    ["details", "What else is to be seen?", "Tables and pictures of this kind of prediction."],
    ["errors", "What does it get wrong?", said("rows-wrong-every-time") ?? "The rows that are farthest off, with your own columns."],
  ];
  const cards = next.filter(([id]) => bench.screenFor(id)).map(([id, title, text]) =>
    make("section", { class: "card" }, make("h2", {}, bench.link(id, title)), make("p", { class: "quiet" }, withMinus(text))));
  return make("div", { class: "columns four" }, ...cards);
}

/** From where on the costs say to select, and what that saves. @param {any} decision */
function operatingOf(decision) {
  const [first] = decision?.decisions ?? [];
  const saving = decision?.estimates.find((e) => e.measure === "saving");
  if (typeof first?.threshold !== "number" || !saving) return null;
  const { value, interval } = estimateTexts(saving);
  return `By these costs from a probability of ${shortText(first.threshold)} on. ${saving.title}: ${value} (${interval}).`;
}

/** What the two best models differ by. @param {any} comparison @param {Record<string, string>} titles */
function leadOf(comparison, titles) {
  const pairs = comparison?.comparisons ?? (comparison?.names ? [comparison] : []);
  const sign = pairs[0]?.direction === "lower" ? -1 : 1;
  const values = new Map(pairs.flatMap((t) => t.names.map((name, i) => [name, sign * t.values[i]])));
  const [first, second] = [...values].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const t = pairOf(pairs, first, second);
  if (!t?.interval) return null;
  const { value, interval } = estimateTexts(t);
  const among = pairs.length > 1 ? `, allowing for ${pairs.length} pairs of models` : "";
  return `${first} minus ${second} by ${measureWords(t, titles)}: ${value} (${interval}), p ${chanceWords(t.p)}${among}.`;
}
