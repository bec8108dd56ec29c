// Numbers as people read them, and elements made of text alone.

const LETTERS = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufeff\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const RIGHT_TO_LEFT = new RegExp(`[${LETTERS}]+(?:[ -][${LETTERS}]+)*`, "gu");
const ISOLATED = new RegExp(`\u2068(${RIGHT_TO_LEFT.source})\u2069`, "gu");
// Controls, marks of direction and what else has no shape of its own.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Write text with names, which are data, so that none disturbs the rest: what would be obeyed is escaped,
 *  and words that run from right to left are isolated. As `visible` in _core/text.py. @param {string} text */
export function shownText(text) {
  const plain = text.replace(ISOLATED, "$1").replace(UNSEEN, (c) =>
    c === "\n" ? c : `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
  return plain.replace(RIGHT_TO_LEFT, "\u2068$&\u2069");
}

/** Make an element; strings among the children become text, never markup.
 *  @param {string} tag @param {Record<string, any>} attributes @param {...(Node|string)} children */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.map((child) => (typeof child === "string" ? shownText(child) : child)));
  return made;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Write text only where it changes, so that nothing is laid out again in vain. @param {string} id @param {string} text */
export function say(id, text) {
  const place = byId(id);
  const shown = shownText(text);
  if (place.textContent !== shown) place.textContent = shown;
}

export const FOLLOWS = "the server is asked for it"; // why the page shows no interval yet
export const MINUS = "\u2212";
/** Write a sentence of the library with true minus signs before its numbers. @param {string} text */
export const withMinus = (text) => text.replace(/(?<=^|[\s([=])-(?=\d)/g, MINUS);
const LONG = 50; // a reason that has no room beside a number
const WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
const CENTS = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {number} value */
export function countText(value) {
  const plain = Math.abs(value) >= 100 || Math.abs(value - Math.round(value)) < 1e-9;
  return (plain ? WHOLE : TENTHS).format(value);
}

/** @param {number} share */
export const percentText = (share) => (Number.isNaN(share) ? "undefined" : `${(100 * share).toFixed(1)}\u00a0%`);

/** Write a sum in its unit: a sign such as $ stands before it, a word after.
 *  @param {number} value @param {string} unit */
export function moneyText(value, unit) {
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "any sum" : "no sum";
  const rounded = CENTS.format(Math.abs(value));
  const sign = value < 0 && rounded !== "0.00" ? MINUS : "";
  const number = Math.abs(value) >= 1e7 ? WHOLE.format(Math.abs(value)) : rounded;
  if (!unit) return sign + number;
  return /[A-Za-z]{2}/.test(unit) ? `${sign}${number} ${unit}` : `${sign}${unit}${number}`;
}

/** @param {number} value */
export const scoreText = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(5))) : "none");

/** @param {number} value */
export const shortText = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(3))) : "undefined");

/** Write limits; a percent sign stands once. @param {string} low @param {string} high */
export const rangeText = (low, high) => `${/\s%$/.test(high) ? low.replace(/\s%$/, "") : low} to ${shownText(high)}`;

/** Write an estimate with its interval, or with a mark that says why it has none.
 *  @param {HTMLElement} place @param {import("./arithmetic.js").Estimate} e @param {(x: number) => string} text
 *  @param {string} why */
export function showEstimate(place, e, text, why = "") {
  if (!place.firstChild) place.append(make("span", { class: "value" }), make("span", { class: "interval" }));
  const [value, interval] = place.children;
  value.textContent = text(e.value);
  const reason = why || e.why;
  const none = reason === FOLLOWS ? "..." : `no interval${reason.length < LONG ? `: ${reason}` : ""}`;
  interval.textContent = reason || e.low === null ? none : rangeText(text(e.low), text(e.high));
  interval.title = reason;
}

// Thousands may be grouped by commas or spaces; a decimal comma is refused rather than misread.
const NUMBER = /^[+-]?(?:(?:[1-9]\d{0,2}(?:([,\s])\d{3})(?:\1\d{3})*|\d+)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Read a number as people write it: 1,000 and 20 % too. Nothing is null, what is not a number is NaN. @param {string} text */
export function readNumber(text) {
  const plain = text.trim().replace(/\u2212/g, "-").replace(/^([+-]?)[$€£]\s*/, "$1").replace(/\s*[%$€£]$/, "");
  if (plain === "") return null;
  return NUMBER.test(plain) ? Number(plain.replace(/[,\s]/g, "")) : NaN;
}
