// Parts that screens are put together from: findings, stats with intervals, forest rows, tables, frames of charts.

import { DASHES, colourOf } from "./charts.js";
import { MINUS, make, readNumber, shownText, withMinus } from "./words.js";

const SVG_NAME = "http://www.w3.org/2000/svg";
const EQUAL_WITHIN = 1e-9; // values that differ by less, relative to their size, are equal
const SHAPES = {
  problem: "M5.5 1h6L16 5.5v6L11.5 16h-6L1 11.5v-6Zm2.2 3v5.5h1.6V4Zm0 7v1.7h1.6V11Z",
  caution: "M8.5 1.5 16.5 16h-16Zm-.8 5v4.5h1.6V6.500Zm0 6V14h1.6v-1.5Z",
  note: "M8.500 1a7.5 7.5 0 1 0 .01 0Zm-.8 3v1.700h1.600V4Zm0 3.200V13h1.600V7.200Z",
  passed: "m6.700 14.500-5-5L3.200 8l3.500 3.500L14 4.200l1.500 1.500Z",
  aside: "M3 7.500h11v2H3Z",
};
const WORDS = { problem: "Problem", caution: "Caution", note: "Note", passed: "Passed", aside: "Does not apply" };
const SEVERITIES = ["problem", "caution", "note"];
/** What is said of columns, which the screen that reads them shows by itself. */
const OF_COLUMNS = ["numbers-as-written", "unused-columns", "guessed-columns"];

/** Make an element of a picture. @param {string} tag @param {Record<string, any>} attributes @param {...Node} children */
export function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG_NAME, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Set custom properties, which a policy without inline styles allows. @param {HTMLElement} element @param {Record<string, any>} values */
export function vars(element, values) {
  for (const [name, value] of Object.entries(values)) element.style.setProperty(name, String(value));
  return element;
}

/** Return a picture of 16 by 16. @param {string} path */
export const icon = (path) => draw("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, draw("path", { d: path }));

/** The line and mark of a model in every chart. @param {number} i */
export function swatch(i) {
  const stroke = colourOf(i);
  const line = draw("line", { x1: 0, x2: 22, y1: 5, y2: 5, stroke, "stroke-width": 2, "stroke-dasharray": DASHES[i % DASHES.length].join(" ") || "none" });
  const marks = [
    draw("circle", { cx: 11, cy: 5, r: 3.8, fill: stroke }),
    draw("rect", { x: 7.5, y: 1.5, width: 7, height: 7, fill: stroke }),
    draw("path", { d: "M11 .5 15.500 8.500h-9Z", fill: stroke }),
    draw("path", { d: "m11 0 5 5-5 5-5-5Z", fill: stroke }),
  ];
  return draw("svg", { viewBox: "0 0 22 10", class: "swatch", "aria-hidden": "true" }, line, marks[i % marks.length]);
}

/** Return a sentence in which names are data: strings are text, each name among them is isolated.
 *  @param {TemplateStringsArray} texts @param {...any} names */
export function sentence(texts, ...names) {
  const parts = texts.flatMap((text, i) => (i < names.length ? [text, make("bdi", {}, String(names[i]))] : [text]));
  const made = document.createDocumentFragment();
  made.append(...parts);
  return made;
}

/** A sentence in which code stands between backticks. @param {string} text */
export const withCode = (text) => text.split("`").map((part, i) => (i % 2 ? make("code", {}, part) : part));

/** What to doubt: its shape, how much it matters, what was found, what to do.
 *  @param {{severity: string, message: string, action?: string, others?: string[]}} found @param {Node|null} link to the screen that does it */
export function finding({ severity, message, action = "", others = [] }, link = null) {
  const shape = draw("svg", { viewBox: "0 0 17 17", "aria-hidden": "true" }, draw("path", { d: SHAPES[severity], "fill-rule": "evenodd" }));
  const todo = action || link ? [make("p", { class: "do" }, ...withCode(action), ...(link ? [" ", link] : []))] : [];
  const says = make("p", {}, make("span", { class: "severity" }, `${WORDS[severity]}.`), ` ${withMinus(message)}`);
  const more = others.length ? [make("details", { class: "quiet" }, make("summary", {}, `${others.length} more like this`), ...others.map((text) => make("p", {}, withMinus(text))))] : [];
  return make("li", { class: `finding ${severity}` }, shape, make("div", {}, says, ...more, ...todo));
}

/** Findings, the worst first, those of one kind as one: what is true of four models is said once, and of the others on request. @param {any[]} found */
export function ranked(found) {
  const kinds = Map.groupBy(found.filter((f) => !OF_COLUMNS.includes(f.code)), (f) => `${f.code} ${f.severity} ${f.action}`);
  return [...kinds.values()].map((same) => ({ ...same[0], others: [...new Set(same.map((f) => f.message))].slice(1) }))
    .sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** What to doubt, or that there is nothing. @param {any[]} found @param {(f: any) => Node|null} link @param {number} most that are listed */
export function findingList(found, link = () => null, most = Infinity) {
  const listed = ranked(found).slice(0, most);
  if (!listed.length) return make("p", { class: "quiet" }, "No check found anything to doubt.");
  return make("ul", { class: "findings" }, ...listed.map((f) => finding(f, link(f))));
}

/** What a screen has to say beyond what was said of the predictions when they were read. @param {any} bench @param {any[]} found @param {string} about */
export function knowCard(bench, found, about = "") {
  const said = new Set(bench.study.findings.map((f) => f.message));
  const more = found.filter((f) => !said.has(f.message));
  return ranked(more).length ? [card("What to know", about, findingList(more))] : [];
}

/** Write a number with so many decimals, with a true minus and no minus before nothing. @param {number} value @param {number} decimals */
export function fixed(value, decimals) {
  const text = Math.abs(value).toLocaleString("en-GB", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

/** Return how many decimals an interval leaves worth saying: two digits that it leaves uncertain. @param {any} value @param {any} low @param {any} high */
export function decimalsOf(value, low, high) {
  const half = (high - low) / 2;
  if (Number.isFinite(half) && half > 0) return Math.min(Math.max(1 - Math.floor(Math.log10(half)), 0), 8);
  const size = Math.abs(value);
  return size >= 1000 ? 0 : size >= 1 ? 2 : size === 0 ? 0 : Math.min(3 - Math.floor(Math.log10(size)) - 1, 8);
}

/** What a number of the server is: undefined and infinite are said. @param {any} value */
const unusual = (value) => {
  if (value === null || value === undefined || Number.isNaN(value)) return "undefined";
  if (typeof value === "string") return value.startsWith("-") ? "minus infinite" : "infinite";
  return "";
};

/** @param {any} e */
const limitsOf = (e) => e.interval ?? e.confidence_interval ?? {};

/** Return how many decimals the values have that stand beside each other: those of the surest, but at most one more than each deserves.
 *  @param {any[]} estimates of which those without a number have none */
export function decimalsBeside(estimates) {
  const own = estimates.filter((e) => typeof e.value === "number").map((e) => decimalsOf(e.value, limitsOf(e).low, limitsOf(e).high));
  return own.length ? Math.min(Math.max(...own), Math.min(...own) + 1) : 0;
}

/** An estimate of the server as texts. @param {any} e with value and interval @param {number|null} beside decimals of those beside it
 *  @returns {{value: string, interval: string, why: string}} */
export function estimateTexts(e, beside = null) {
  const odd = unusual(e.value);
  const { low, high } = limitsOf(e);
  const known = typeof low === "number" && typeof high === "number";
  const decimals = beside ?? decimalsOf(e.value, low, high);
  const why = e.why_no_interval ?? "";
  return {
    value: odd || fixed(e.value, decimals),
    interval: known ? `${fixed(low, decimals)} to ${fixed(high, decimals)}` : "no interval",
    why,
  };
}

/** An estimate in two lines: value, interval below it, and why there is none. @param {any} e @param {number|null} beside decimals of those beside it */
export function estimateCell(e, beside = null) {
  const texts = estimateTexts(e, beside);
  return make("span", { title: texts.why || false },
    make("span", { class: "value" }, texts.value), make("span", { class: "interval" }, texts.interval));
}

/** A number with its interval, and below it what it is measured against. @param {string} label @param {any} e @param {string} beside */
export const stat = (label, e, beside = "") =>
  make("div", {}, make("dt", {}, label), make("dd", {}, estimateCell(e), ...(beside ? [make("span", { class: "interval" }, beside)] : [])));

/** Values with whiskers on one scale; what a trivial rule has is a dashed line, which the scale always shows.
 *  That of differences is 0, where neither model is better.
 *  @param {{title: string, about?: string, rows: {name: string, e: any, mark?: number, best?: boolean}[], yardstick?: number|null,
 *  difference?: boolean, zone?: number[]|null, better?: string}} o `better` is higher or lower, else neither end is */
export function forest({ title, about = "", rows, difference = false, yardstick = difference ? 0 : null, zone = null, better = "" }) {
  const numbers = rows.flatMap(({ e }) => [e.value, e.interval?.low, e.interval?.high]).concat(zone ?? [], yardstick ?? []).filter((x) => typeof x === "number");
  const { from, to, decimals } = roundScale(Math.min(...numbers), Math.max(...numbers));
  const place = (x) => (100 * (x - from)) / (to - from);
  const beside = decimalsBeside(rows.map((row) => row.e));
  const made = rows.map((row) => whiskerRow(row, place, yardstick, zone, beside));
  const scale = make("div", { class: "whisker-row" }, make("span", { class: "way" }, ["higher", "lower"].includes(better) ? `${better} is better` : ""),
    make("span", { class: "scale", "aria-hidden": "true" }, ...[from, to].map((x) => make("span", {}, fixed(x, decimals)))));
  const head = make("div", { class: "head" }, make("h3", {}, title), ...(about ? [make("span", { class: "quiet" }, about)] : []));
  return make("div", { class: "forest" }, head, ...made, ...(numbers.length > 1 ? [scale] : []));
}

/** A scale that ends at round numbers, which nobody takes for the limits of an interval. Those of shares stay within 0 and 1.
 *  @param {number} least @param {number} most */
function roundScale(least, most) {
  const size = Math.max(Math.abs(least), Math.abs(most));
  const width = most - least > EQUAL_WITHIN * size ? most - least : size || 1;
  const unit = 10 ** (Math.floor(Math.log10(width)) - 1);
  const step = unit * [2, 5, 10, 20].find((each) => width <= 6 * each * unit);
  const end = (round, x) => Number((round(Number((x / step).toPrecision(12))) * step).toPrecision(12));
  const [from, to] = [end(Math.floor, least), end(Math.ceil, most)];
  return { from, to: to > from ? to : from + width, decimals: Math.min(Math.max(-Math.floor(Math.log10(step * 1.001)), 0), 8) };
}

/** @param {any} row @param {(x: number) => number} place @param {number|null} yardstick @param {number[]|null} zone @param {number} beside decimals */
function whiskerRow({ name, e, mark = 0, best = false }, place, yardstick, zone, beside) {
  const texts = estimateTexts(e, beside);
  const known = texts.interval !== "no interval";
  const line = make("span", { class: `whisker m${mark % 4}`, "aria-hidden": "true" });
  vars(line, { "--c": colourOf(mark) });
  if (zone) line.append(vars(make("u"), { "--from": place(zone[0]), "--to": place(zone[1]) }));
  if (yardstick !== null) line.append(vars(make("s"), { "--z": place(yardstick) }));
  if (known) line.append(vars(make("i"), { "--low": place(e.interval.low), "--high": place(e.interval.high) }));
  if (typeof e.value === "number") line.append(vars(make("b"), { "--at": place(e.value) }));
  return make("div", { class: `whisker-row${best ? " best" : ""}`, title: texts.why || texts.interval },
    make("span", { class: "name", title: name }, make("bdi", {}, name)),
    make("span", { class: "number" }, texts.value, make("span", { class: "unseen" }, ` (${texts.interval})`)),
    known || typeof e.value === "number" ? line : make("span", { class: "small" }, "no interval"));
}

/** A table whose first cells name the rows; a cell is text or a node. On a phone each row is a card, unless it is of another class. @param {string} name @param {(Node|string)[]} head @param {(Node|string)[][]} rows
 *  @param {{class?: string, right?: number[]}} more columns of numbers */
export function table(name, head, rows, { class: kind = "cards", right = [] } = {}) {
  const side = (i) => (right.includes(i) ? { class: "right" } : {});
  const names = head.map((h) => (typeof h === "string" ? shownText(h) : h.textContent));
  const cell = (content, i) => make(i ? "td" : "th", { ...(i ? { "data-name": names[i] } : { scope: "row" }), ...side(i) }, content);
  const made = make("table", { class: kind },
    make("thead", {}, make("tr", {}, ...head.map((h, i) => (h ? make("th", { scope: "col", ...side(i) }, h) : make("td"))))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))));
  return make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, made);
}

/** A card with a title, and beside it what it is about. @param {string|Node} title @param {string} about @param {...(Node|string)} content */
export const card = (title, about, ...content) => make("section", { class: "card" },
  make("div", { class: "head" }, make("h2", {}, title), ...(about ? [make("span", { class: "quiet" }, about)] : [])), ...content);

/** The test of two models, with the sign of the first against the second. @param {any[]} pairs @param {string} a @param {string} b */
export function pairOf(pairs, a, b) {
  const found = pairs.find((t) => t.names.includes(a) && t.names.includes(b));
  if (!found) return null;
  const sign = found.names[0] === a ? 1 : -1;
  const { low, high } = found.confidence_interval ?? {};
  const known = typeof low === "number" && typeof high === "number";
  const flipped = known ? { low: sign > 0 ? low : -high, high: sign > 0 ? high : -low } : null;
  return { ...found, value: sign * found.difference, interval: flipped, p: found.adjusted_pvalue ?? found.pvalue, own: found.values[sign > 0 ? 0 : 1], other: found.values[sign > 0 ? 1 : 0] };
}

/** What a comparison is by, as it stands in a sentence. @param {any} t @param {Record<string, string>} titles of measures */
export const measureWords = (t, titles) => (t.measure_title ?? measureTitle(t.measure, titles))
  .replace(/^[A-Z](?=[a-z]+(?!'s)\b)/, (first) => first.toLowerCase());

/** What an estimate is of, with the numbers that the measure was given. @param {any} e */
export function estimateTitle(e) {
  const numbers = [...e.measure.matchAll(/(\w+)=([\d.]+)(?=[,)])/g)].map(([, name, x]) => `${name} ${x}`);
  return [e.title, ...numbers].join(", ");
}

/** What a measure is called; what it was given stays. @param {string} measure such as fbeta(beta=2) @param {Record<string, string>} titles */
export function measureTitle(measure, titles) {
  const [name, ...given] = measure.split("(");
  return [titles[name] ?? name.replaceAll("_", " "), ...given].join(" (");
}

/** A field for a measure, which offers those that there are. @param {Record<string, string>} titles @param {Record<string, any>} more attributes */
export function measureInput(titles, more) {
  if (!document.getElementById("known-measures")) {
    document.body.append(make("datalist", { id: "known-measures" }, ...Object.entries(titles).map(([value, label]) => make("option", { value, label }))));
  }
  return make("input", { list: "known-measures", autocomplete: "off", ...more });
}

/** A place for a chart below its title. @param {string} title @param {string} about @param {string} alternative */
export function chartFrame(title, about, alternative) {
  const plot = make("div", { class: "plot", role: "img", "aria-label": alternative });
  const caption = make("figcaption", {}, make("span", {}, title), ...(about ? [make("span", { class: "quiet" }, about)] : []));
  return { figure: make("figure", {}, caption, plot), plot };
}

/** A control with its name above it. @param {string} name @param {HTMLElement} control */
export const field = (name, control) => make("label", { class: "field" }, name, control);

/** A number to type, or nothing; what is not good is marked and not taken. @param {any} store @param {string} key @param {string} placeholder
 *  @param {(x: number) => boolean} good @param {{shown?: any, told?: (x: number|null) => any}} as what stands there, and what is kept of a number */
export function numberInput(store, key, placeholder, good = () => true, { shown = store.now[key] ?? "", told = (x) => x } = {}) {
  return make("input", { inputmode: "decimal", value: shown, placeholder, onchange: (event) => {
    const value = readNumber(event.target.value);
    const taken = value === null || (Number.isFinite(value) && good(value));
    event.target.setAttribute("aria-invalid", String(!taken));
    if (taken) store.set({ [key]: told(value) });
  } });
}

/** A choice in a list. @param {[string, string][]} options values with their texts @param {string} value @param {(value: string) => void} chosen */
export function choice(options, value, chosen) {
  const made = make("select", { onchange: (event) => chosen(event.target.value) },
    ...options.map(([v, text]) => make("option", { value: v, selected: v === value }, text)));
  return made;
}

/** A choice of buttons. @param {string} name @param {[string, Node|string][]} options @param {string} value @param {(value: string) => void} chosen */
export const segments = (name, options, value, chosen) => make("div", { class: "segments", role: "group", "aria-label": name },
  ...options.map(([v, text]) => make("button", { type: "button", "aria-pressed": String(v === value), onclick: () => chosen(v) }, text)));

/** A share as a bar with its text. @param {string|Node} name @param {number} share @param {string} text */
export const meterRow = (name, share, text) => make("div", { class: "bar-row" },
  make("span", {}, name), make("span", { class: "meter" }, vars(make("i"), { "--done": `${100 * share}%` })), make("span", {}, text));

/** Write a probability as reports do. @param {any} p */
export const chanceWords = (p) => {
  if (typeof p !== "number") return "undefined";
  return p < 0.001 ? "below 0.001" : p.toFixed(3);
};
