// Measures and slices: any measure of every model with its interval, and by any column.

import { addScreen } from "../screens.js";
import { card, chanceWords, choice, decimalsBeside, decimalsOf, estimateCell, estimateTexts, estimateTitle, field, fixed, forest, measureInput, measureTitle, table } from "../parts.js";
import { countText, make, shownText } from "../words.js";
import { measuresFor } from "./compare.js";
import { askReport, trivialOf } from "./overview.js";

const OWN_SLICES = { fold: "fold", repeat: "repeat", part: "part", group: "group" };
const NONE = "none"; // where no trivial rule has a value
const MOST_SLICES = 30; // rows of a picture
const MOST_BESIDE = 3; // models whose table leaves room for slices beside it

addScreen({
  id: "measures",
  title: "Measures and slices",
  group: "judge",
  order: 20,
  icon: "M2 14V8h3v6m2 0V3h3v11m2 0V6h2v8M1 14h14",
  state: { by: "", of: "", all: "", search: "" },
  applies: (study) => (study.alone ? "Measures and slices need the server of this page." : ""),
  render(place, bench) {
    const heading = make("h1", { tabindex: -1 }, "Measures");
    const measured = make("div");
    const sliced = make("div");
    const sides = make("div", {}, measured, sliced);
    place.append(heading, sides);
    const showAll = (now) => bench.fill(measured, askMeasures(bench, now), (found) => {
      heading.textContent = shownText(leadSentence(bench, found));
      return [measuresCard(bench, found, now)];
    });
    const showSlices = (now) => {
      sides.className = now["measures.search"] || bench.study.models.length > MOST_BESIDE ? "stacked" : "columns wide-left";
      slices(bench, sliced, now);
    };
    return { update(now, change) {
      if (["tp", "fp", "fn", "tn", "told", "measures.all"].some((k) => k in change)) showAll(now);
      if (["measures.by", "measures.of", "measures.search", "model"].some((k) => k in change)) showSlices(now);
    } };
  },
});

/** @param {any} bench @param {any} now */
async function askMeasures(bench, now) {
  if (now["measures.all"] === "yes") return bench.ask("evaluate", { estimate: now.estimate, confidence_level: now.level });
  const { evaluation } = await askReport(bench);
  if (now.estimate === "auto") return evaluation;
  const names = [...new Set(evaluation.estimates.map((e) => e.measure))].filter((name) => !name.includes("costs="));
  return bench.ask("evaluate", { measures: names, estimate: now.estimate, confidence_level: now.level });
}

/** @param {any} e */
const panelKey = (e) => `${estimateTitle(e)}${e.average ? `, ${e.average}` : ""}${e.class === undefined || e.class === null ? "" : `, class ${e.class}`}`;

/** Costs of labels that do not follow the costs; Overview has those of the decisions that do. @param {any} e */
const isCost = (e) => /^(average|total)_cost\b/.test(e.measure);

/** Estimates by measure, then by model. @param {any} bench @param {any[]} estimates */
function byMeasure(bench, estimates) {
  const found = new Map();
  for (const e of estimates) {
    const key = panelKey(e);
    if (!found.has(key)) found.set(key, new Map());
    const mine = found.get(key);
    const model = String(e.model ?? bench.study.models[0]);
    if (!mine.has(model)) mine.set(model, e); // the first estimate of several is the one that counts
  }
  return found;
}

/** @param {any} bench @param {any} found */
function leadSentence(bench, found) {
  const { models } = bench.study;
  const chief = found.estimates.filter((e) => e.headline !== false && !isCost(e) && e.direction !== "neither" && typeof e.value === "number");
  const first = chief.find((e) => !e.average || e.average === "macro");
  if (!first) return "Measures and slices";
  if (models.length < 2) {
    const texts = estimateTexts(first);
    const trivial = trivialOf(first);
    const beside = trivial === null ? "" : `; ${ruleOf(first)} would score ${fixed(trivial, decimalsOf(first.value, first.interval?.low, first.interval?.high))}`;
    return `${estimateTitle(first)} is ${texts.value} (${texts.interval})${beside}.`;
  }
  const wins = Object.fromEntries(models.map((m) => [m, 0]));
  const measures = [...byMeasure(bench, chief).values()];
  for (const each of measures) wins[bestOf(each)] += 1;
  const [leader, n] = Object.entries(wins).sort((a, b) => b[1] - a[1])[0];
  return n === measures.length ? `${leader} leads by every measure shown.` : `${leader} leads by ${n} of ${measures.length} measures.`;
}

/** What the best trivial rule is called. @param {any} e */
const ruleOf = (e) => Object.entries(e.baselines ?? {}).find(([, v]) => v === trivialOf(e))?.[0].replaceAll("_", " ") ?? "";

/** The model with the best value. @param {Map<string, any>} mine */
function bestOf(mine) {
  const known = [...mine].filter(([, e]) => typeof e.value === "number");
  const sign = known[0]?.[1].direction === "lower" ? -1 : 1;
  return known.reduce((a, b) => (sign * b[1].value > sign * a[1].value ? b : a), known[0])?.[0];
}

/** @param {any} bench @param {any} found @param {any} now */
function measuresCard(bench, found, now) {
  const all = now["measures.all"] === "yes";
  const { models } = bench.study;
  const shown = byMeasure(bench, found.estimates.filter((e) => (all || e.headline !== false) && !isCost(e)));
  const rows = [...shown].map(([title, mine]) => {
    const first = mine.values().next().value;
    const best = models.length > 1 && first.direction !== "neither" ? bestOf(mine) : null;
    const decimals = decimalsBeside([...mine.values()]);
    const cells = models.map((m) => (mine.has(m) ? make("span", { class: m === best ? "leads" : false }, estimateCell(mine.get(m), decimals)) : "not defined"));
    const trivial = trivialOf(first);
    const beside = trivial === null ? NONE : make("span", {}, make("span", { class: "value" }, fixed(trivial, decimals)), make("span", { class: "interval" }, ruleOf(first)));
    const direction = first.direction === "neither" ? "" : `${first.direction} is better`;
    return [make("span", {}, title, make("span", { class: "interval" }, direction)), ...cells, beside];
  });
  const more = make("button", { class: "link", onclick: () => bench.store.set({ "measures.all": all ? "" : "yes" }) }, all ? "Fewer measures" : "Every measure that applies");
  const level = `${Number((100 * found.confidence_level).toPrecision(6))} % intervals`;
  const beside = rows.some((row) => row.at(-1) !== NONE) ? ["best trivial rule"] : [];
  return card("All cases", `${bench.study.cases}, ${level}`,
    table("Measures", ["measure", ...models.map((m) => make("bdi", {}, m)), ...beside], beside.length ? rows : rows.map((row) => row.slice(0, -1))), make("p", {}, more));
}

/** @param {any} bench @param {HTMLElement} place @param {any} now */
function slices(bench, place, now) {
  const { study, store } = bench;
  const own = Object.keys(OWN_SLICES).filter((role) => role in study.roles);
  const columns = [...(study.task === "classification" ? ["class"] : []), ...own, ...study.case_columns];
  const by = now["measures.by"];
  const chosen = choice([["", "choose a column ..."], ...columns.map((c) => [c, c])], by, (value) => store.set({ "measures.by": value, "measures.search": "" }));
  const result = make("div");
  const of = measureInput(bench.titles, { value: now["measures.of"], placeholder: "the usual one", onchange: (event) => store.set({ "measures.of": event.target.value.trim() }) });
  place.replaceChildren(card("Slices", "", make("div", { class: "fields" }, field("By", chosen), field("Measure, such as recall", of)), result));
  if (now["measures.search"]) {
    const asked = { search: true, measures: now["measures.of"] ? [now["measures.of"]] : null, confidence_level: now.level, rng: 1 };
    bench.fill(result, bench.ask("slices", asked), (found) => worstSlices(bench, found, now));
    return;
  }
  if (!by) {
    const search = make("button", { onclick: () => store.set({ "measures.search": "yes" }) }, "Search for the worst slices");
    result.replaceChildren(make("p", { class: "quiet" }, columns.length
      ? "Choose the slices that matter beforehand: among many, some look worse by chance. A search allows for having looked at all of them."
      : study.kind ? "Cases have no column to slice by, or this score has no value of a slice."
        : "The file has no column beside those that predict; add one, such as a site or a month."), ...(study.case_columns.length ? [search] : []));
    return;
  }
  const usual = study.kind ? "" : by === "class" ? "recall" : measuresFor(study)[0] ?? "";
  const measure = now["measures.of"] || usual;
  const asked = { measures: measure ? [measure] : null, confidence_level: now.level };
  const ofClasses = () => bench.ask("evaluate", { ...asked, by: study.models.length > 1 ? ["model", by] : [by] }); // a class is its own rest
  bench.unask(by === "class" ? "slices" : "evaluate");
  bench.fill(result, by === "class" ? ofClasses() : bench.ask("slices", { ...asked, by: [by], rng: 1 }), (found) => slicePanels(bench, found, by, now));
}

/** What a search found. @param {any} bench @param {any} found @param {any} now */
function worstSlices(bench, found, now) {
  const mine = found.slices.filter((s) => String(s.model ?? now.model) === now.model);
  const name = (s) => Object.entries(s.slice).map(([column, value]) => `${column} ${value}`).join(", ");
  const small = (text) => make("span", { class: "interval" }, text);
  const rows = mine.map((s) => [make("span", {}, make("bdi", {}, name(s)), small(`${countText(s.n)} cases`)), estimateCell(s),
    make("span", {}, estimateCell({ ...s.rest, value: s.rest.difference }), small(`p ${chanceWords(s.rest.adjusted_pvalue)}`))]);
  const title = (mine[0]?.title ?? mine[0]?.measure ?? "").replaceAll("_", " ");
  return [...(rows.length ? [table("Worst slices", ["slice", title, "minus the rest"], rows)] : [make("p", {}, "No slice is worse than the rest.")]),
    ...found.findings.filter((f) => f.code === "searched-slices" || f.severity !== "note").map((f) => make("p", { class: "quiet" }, `${f.message} ${f.action}`))];
}

/** @param {any} bench @param {any} found slices, or estimates of classes @param {string} by @param {any} now */
function slicePanels(bench, found, by, now) {
  const name = (e) => String(e.slice ? e.slice[by] : e[by]);
  const mine = (found.slices ?? found.estimates.filter((e) => (e[by] ?? null) !== null && e.headline !== false)).filter((e) => String(e.model ?? now.model) === now.model);
  const [first] = mine;
  if (!first) return [make("p", { class: "quiet" }, "These slices cannot be compared.")];
  const title = first.title ?? measureTitle(first.measure, bench.titles);
  const all = mine.filter((e) => e.measure === first.measure && e.average === first.average);
  const rows = all.slice(0, MOST_SLICES);
  const mark = Math.max(bench.study.models.indexOf(now.model), 0);
  const panel = forest({ title, about: `by ${by}, ${now.model}`, rows: rows.map((e) => ({ name: name(e), e, mark })) });
  const cells = rows.map((e) => [make("bdi", {}, name(e)), countText(e.n), estimateCell(e)]);
  const told = [...(rows.length < all.length ? [`${rows.length} of ${countText(all.length)} slices are shown.`] : []),
    ...(found.slices ? ["The intervals hold in all slices at once."] : []), ...found.findings.filter((f) => f.severity !== "note").map((f) => f.message)];
  return [panel, table(`Slices by ${by}`, [by, "cases", title], cells, { right: [1] }), ...told.map((text) => make("p", { class: "quiet" }, text)), ...gapWords(found, by, now)];
}

/** The name of a slice in a sentence: without the sign of equality that commands need. @param {string} slice @param {string} by */
const sliceName = (slice, by) => (slice.startsWith(`${by}=`) ? `${by} ${slice.slice(by.length + 1)}` : slice);

/** How far the lowest and the highest slice lie apart, allowing for having picked them. @param {any} found @param {string} by @param {any} now */
function gapWords({ gaps = [] }, by, now) {
  const gap = gaps.find((each) => String(each.model ?? now.model) === now.model);
  if (!gap) return [];
  const texts = estimateTexts({ value: gap.difference, interval: gap.interval });
  return [make("p", {}, make("b", {}, "Widest gap. "), `${gap.title} of ${sliceName(gap.highest, by)} minus that of ${sliceName(gap.lowest, by)}: ${texts.value} (${texts.interval}), p ${chanceWords(gap.pvalue)}.`),
    make("p", { class: "quiet" }, "The limits hold together with those of all other pairs of these slices; p allows for the fact that it is the widest.")];
}
