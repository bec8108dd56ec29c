// Compare models: by any measure or by cost, with what would not matter, every pair, and where labels differ.

import { addScreen } from "../screens.js";
import { card, chanceWords, measureInput, measureTitle, measureWords, choice, decimalsOf, estimateTexts, field, fixed, forest, numberInput, pairOf, swatch, table } from "../parts.js";
import { countText, make, shownText } from "../words.js";
import { costsOf } from "./overview.js";

const USUAL = {
  probability: ["accuracy", "auc", "brier", "log_loss", "average_precision", "f1", "kappa", "mcc"],
  score: ["auc", "average_precision"],
  label: ["accuracy", "f1", "kappa", "mcc"],
  value: ["mae", "rmse", "r2"],
};
const BY_COST = "what decisions cost";
const REALLY = { better: "Better", worse: "Worse", unsure: "No clear difference", alike: "Alike, within what matters", slight: "Better, but not by what matters", differ: "Different; nothing says which way is better" };
const KNOWN = ["higher", "lower"]; // ways in which a measure is better

addScreen({
  id: "compare",
  title: "Compare models",
  group: "judge",
  order: 60,
  icon: "M2 4h9m-2-2 2 2-2 2M14 12H5m2-2-2 2 2 2",
  state: { measure: "", against: "", margin: null },
  applies: (study) => (study.alone ? "Comparing needs the server of this page." : study.models.length > 1 ? "" : "There is one model; a comparison needs two."),
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Compare models");
    const controls = make("div", { class: "row end" });
    const result = make("div", { class: "stacked" });
    place.append(heading, controls, result);
    return { update(now, change) {
      if (!["tp", "fp", "fn", "tn", "told", "model", "compare.measure", "compare.against", "compare.margin"].some((k) => k in change)) return;
      controls.replaceChildren(...controlsOf(bench, now));
      bench.fill(result, askPairs(bench, now), (found) => {
        const pairs = pairsOf(found.plain);
        heading.textContent = shownText(verdictSentence(bench, found, pairs, now));
        return [differenceCard(bench, found, pairs, now), pairsCard(bench, pairs, found.plain), flipsPlace(bench, now), aboutTest(found.plain)];
      });
    } };
  },
});

/** @param {any} study */
export function measuresFor(study) {
  if (study.task === "outcome") return []; // the usual one says whether it is a share or a mean
  const kind = ["probability", "score", "value", "label"].find((k) => study.provides.includes(k)) ?? "label";
  return USUAL[kind];
}

/** @param {any} study @param {any} now */
const mayCompareCosts = (study, now) => study.classes.length === 2 && costsOf(now) !== null && study.provides.includes("probability");

/** The difference itself, and the same with a margin, which decides whether two are alike. @param {any} bench @param {any} now */
async function askPairs(bench, now) {
  const byCost = now["compare.measure"] === BY_COST && mayCompareCosts(bench.study, now);
  const asked = { measure: byCost ? null : now["compare.measure"] || measuresFor(bench.study)[0], costs: byCost ? costsOf(now) : null, confidence_level: now.level };
  if (asked.measure === BY_COST) asked.measure = measuresFor(bench.study)[0];
  const margin = now["compare.margin"];
  const [plain, alike] = await Promise.all([bench.ask("compare", asked), margin ? bench.ask("compare", { ...asked, margin }) : null]);
  return { plain, alike: alike ? pairsOf(alike) : null };
}

/** @param {any} found one test, or those of all pairs */
const pairsOf = (found) => found.comparisons ?? [found];

/** @param {any} t @param {any} alike the same pair with a margin @param {number} level */
function verdictOf(t, alike, level) {
  const better = (t.direction === "lower" ? -1 : 1) * t.value > 0;
  const sure = typeof t.p === "number" && t.p < 1 - level;
  const same = alike && typeof (alike.adjusted_pvalue ?? alike.pvalue) === "number" && (alike.adjusted_pvalue ?? alike.pvalue) < 1 - level;
  if (same) return sure && better && KNOWN.includes(t.direction) ? REALLY.slight : REALLY.alike;
  if (!sure) return REALLY.unsure;
  if (!KNOWN.includes(t.direction)) return REALLY.differ;
  return better ? REALLY.better : REALLY.worse;
}

/** @param {any} bench @param {any} now */
const againstOf = (bench, now) => {
  const { models } = bench.study;
  const wanted = now["compare.against"];
  return models.includes(wanted) && wanted !== now.model ? wanted : models.find((m) => m !== now.model);
};

/** @param {any} bench @param {any} now */
function controlsOf(bench, now) {
  const { study, store } = bench;
  const names = [...measuresFor(study), ...(mayCompareCosts(study, now) ? [BY_COST] : [])];
  const chosen = now["compare.measure"] || (names[0] ?? "");
  const all = names.includes(chosen) ? names : [chosen, ...names];
  const typed = measureInput(bench.titles, { placeholder: "such as fbeta(beta=2)", onchange: (event) => { if (event.target.value.trim()) store.set({ "compare.measure": event.target.value.trim() }); } });
  const margin = numberInput(store, "compare.margin", "such as 0.01", (x) => x > 0);
  const others = study.models.filter((m) => m !== now.model);
  return [
    ...(study.kind ? [] : [field("Compare by", choice(all.map((m) => [m, measureTitle(m, bench.titles) || "the usual measure"]), chosen, (value) => store.set({ "compare.measure": value }))), field("Or any other measure", typed)]),
    field(`Compare ${now.model} with`, choice(others.map((m) => [m, m]), againstOf(bench, now), (value) => store.set({ "compare.against": value }))),
    field("A difference within this would not matter", margin),
  ];
}

/** @param {any} bench @param {any} found @param {any[]} pairs @param {any} now */
function verdictSentence(bench, { alike }, pairs, now) {
  const { model, level } = now;
  const tested = bench.study.models.map((other) => ({ other, t: pairOf(pairs, model, other) })).filter(({ other, t }) => other !== model && t);
  if (!tested.length) return "These models cannot be compared.";
  const measure = measureWords(tested[0].t, bench.titles);
  const alikeWith = Map.groupBy(tested, ({ other, t }) => verdictOf(t, alike && pairOf(alike, model, other), level));
  const texts = {
    [REALLY.better]: (others) => `${model} is better than ${others} by ${measure}.`,
    [REALLY.slight]: (others) => `${model} is better than ${others} by ${measure}, but not by what matters.`,
    [REALLY.alike]: (others) => `By ${measure}, ${model} is like ${others}, within what matters.`,
    [REALLY.unsure]: (others) => `By ${measure}, ${model} does not differ clearly from ${others}.`,
    [REALLY.differ]: (others) => `${model} differs from ${others} in ${measure}; nothing says which way is better.`,
    [REALLY.worse]: (others) => `${model} is worse than ${others} by ${measure}.`,
  };
  const names = new Intl.ListFormat("en-GB", { type: "conjunction" });
  return Object.entries(texts).filter(([verdict]) => alikeWith.has(verdict))
    .map(([verdict, text]) => text(names.format(alikeWith.get(verdict).map(({ other }) => other)))).join(" ");
}

/** @param {any} bench @param {any} found @param {any[]} pairs @param {any} now */
function differenceCard(bench, { alike }, pairs, now) {
  const { models } = bench.study;
  const other = now.model;
  const margin = now["compare.margin"];
  const rest = models.filter((m) => m !== other).map((m) => ({ m, t: pairOf(pairs, m, other) })).filter(({ t }) => t);
  const [{ t: first }] = rest;
  const rows = rest.map(({ m, t }) => ({ name: m, e: t, mark: models.indexOf(m) }));
  const picture = forest({ title: `Difference from ${other}`, about: KNOWN.includes(first.direction) ? "" : "nothing says which side is better", rows, difference: true, better: first.direction, zone: margin ? [-margin, margin] : null });
  const cells = rest.map(({ m, t }) => [
    make("span", { class: "row" }, swatch(models.indexOf(m)), make("bdi", {}, m)),
    estimateTexts({ value: t.own }).value, signed(t), make("b", {}, verdictOf(t, alike && pairOf(alike, m, other), now.level)), chanceWords(t.p),
  ]);
  const adjusted = first.adjusted_pvalue === undefined ? "p" : "p, adjusted for all pairs";
  const own = `${other} itself: ${estimateTexts({ value: first.other }).value}`;
  return card(`Against ${other}`, margin ? `${own}; shaded: within ${margin} would not matter` : own, picture,
    table("Differences", ["model", "its value", `minus ${other}`, "verdict", adjusted], cells));
}

/** A difference with its sign and interval. @param {any} t */
function signed(t) {
  const { low, high } = t.interval ?? {};
  const decimals = decimalsOf(t.value, low, high);
  const plus = (x) => (x > 0 ? `+${fixed(x, decimals)}` : fixed(x, decimals));
  return make("span", {}, make("span", { class: "value" }, typeof t.value === "number" ? plus(t.value) : "undefined"),
    make("span", { class: "interval" }, t.interval ? `${plus(low)} to ${plus(high)}` : t.why_no_interval ?? "no interval"));
}

/** @param {any} bench @param {any[]} pairs @param {any} found */
function pairsCard(bench, pairs, found) {
  const { models } = bench.study;
  if (models.length < 3) return make("span");
  const rows = models.map((a) => [make("bdi", {}, a), ...models.map((b) => {
    const t = a === b ? null : pairOf(pairs, a, b);
    return t ? signed(t) : "";
  })]);
  return card("All pairs", "row minus column", table("All pairs", ["", ...models.map((m) => make("bdi", {}, m))], rows, { class: "grid" }));
}

/** @param {any} found */
function aboutTest(found) {
  const [t] = pairsOf(found);
  const correction = found.correction ? ` p-values are adjusted (${found.correction.replace("holm", "Holm").replaceAll("_", " ")}) for ${pairsOf(found).length} pairs.` : "";
  const about = { training: "this way of learning, with new training sets", cases: "these models on new cases", models: "these models on new cases" }[t.about] ?? t.about;
  return make("p", { class: "quiet" }, `Test: ${t.title}${t.why ? `; ${t.why.replace(/\.$/, "")}` : ""}. It is about ${about}.${correction}`);
}

/** Where two models label differently. @param {any} bench @param {any} now */
function flipsPlace(bench, now) {
  if (bench.study.task !== "classification") return make("span");
  const place = make("div");
  const other = againstOf(bench, now);
  bench.fill(place, bench.ask("flips", { model: now.model, other }), (f) => {
    if (f.both === null) return [make("span")];
    const rows = [[`${now.model} right`, countText(f.both), countText(f.only_first)], [`${now.model} wrong`, countText(f.only_second), countText(f.neither)]];
    return [card("Where labels differ", `${countText(f.n)} cases of both`, table("Where labels differ", ["", `${other} right`, `${other} wrong`], rows, { class: "grid", right: [1, 2] }),
      make("p", { class: "quiet" }, `${countText(f.only_first + f.only_second)} cases are right in one of the two models alone. `, bench.link("errors", "Look at the rows")))];
  });
  return place;
}
