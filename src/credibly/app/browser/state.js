// What is chosen: one plain object, kept in the address of the page, with a way back.

import { makeTable } from "./arithmetic.js";
import { firstOfScreens, screens } from "./screens.js";

/** @typedef {{name: string, kind: string, table: import("./arithmetic.js").Table, drawn: ArrayLike<number>,
 *  hull: ArrayLike<number>, parts: import("./curves.js").Parts, whyNoIntervals: string, histogram: any,
 *  calibration: any, list: any}} Model */
/** @typedef {any} Chosen screen, model, positive (the class that is looked for; "" as the file has it), score (of each case), estimate, level; the
 *  place on the list (by, at), costs (tp, fp, fn, tn) and whether they were given, population, prevalence, unit, curve; and
 *  what each screen has of its own. */

const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };
const NUMBERS = ["at", "tp", "fp", "fn", "tn", "population", "prevalence", "level"];
const ALLOWED = { by: ["share", "number", "recall", "threshold"], curve: ["gains", "lift"], told: ["yes", "no"] };
const COST_KEYS = ["tp", "fp", "fn", "tn"];
const ONE_NUMBER = /^\w+\(\w+=[\d.]+\)$/; // of a score: its level, or a time
const LONGEST = 2000; // of a text in an address
const MOST_STEPS = 200;
export const MOST = 1e15; // of an amount or a population: more has no room, and whole numbers end

/** Turn text back into numbers. @param {{type: keyof KINDS, data: string}} packed */
export function unpack(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new KINDS[packed.type](bytes.buffer);
}

/** @param {any} value */
export const numberOf = (value) => (value === null || value === undefined ? NaN : Number(value));

/** Return the models of a pageData with their tables. @param {any} pageData @returns {Model[]} */
export function modelsOf(pageData) {
  return pageData.models.map((m) => ({
    name: m.name,
    kind: m.kind,
    table: makeTable(unpack(m.score), unpack(m.positive), unpack(m.negative)),
    drawn: unpack(m.drawn),
    hull: unpack(m.hull),
    parts: partsOf(m.parts),
    whyNoIntervals: m.why_no_intervals,
    histogram: m.histogram,
    calibration: m.calibration,
    list: m.list,
  }));
}

/** @param {any} parts @returns {import("./curves.js").Parts} */
function partsOf(parts) {
  if (parts.why) return parts;
  return { ...parts, ...Object.fromEntries(["starts", "cut", "tp", "fp"].map((k) => [k, unpack(parts[k])])) };
}

/** Return the corners of the hull of all models, with numbers for infinite thresholds. @param {any} pageData */
export const cornersOf = (pageData) => pageData.hull.map((q) => ({ ...q, threshold: numberOf(q.threshold) }));

/** Return what a page opens with. @param {any} study @param {string} screen @returns {Chosen} */
export function firstChoice(study, screen) {
  const { at, costs, ...rest } = study.start ?? {};
  const place = at ? { by: at.by, at: numberOf(at.value) } : { by: "share", at: 0.2 };
  return {
    screen, model: study.models[0], positive: "", score: "", estimate: "auto", level: 0.95, ...place, tp: 0, fp: 0, fn: 0, tn: 0,
    told: costs ? "yes" : "no", population: null, prevalence: null, unit: costs ? "$" : "", curve: "gains", ...firstOfScreens(), ...costs, ...rest,
  };
}

/** Write what differs from the first choice for the address. @param {Chosen} chosen @param {Chosen} first */
export function toHash(chosen, first) {
  const changed = Object.entries(chosen).filter(([k, v]) => v !== first[k]).map(([k, v]) => [k, v === null ? "" : String(v)]);
  return changed.length ? `#${new URLSearchParams(changed)}` : "";
}

/** Read the address; what makes no sense there is left as it was first. @param {string} hash @param {Chosen} first
 *  @param {any} study @returns {Chosen} */
export function fromHash(hash, first, study) {
  const made = { ...first };
  for (const [key, text] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (!(key in first)) continue;
    const isNumber = NUMBERS.includes(key) || typeof first[key] === "number" || (key.includes(".") && first[key] === null);
    const value = isNumber ? (text === "" ? null : Number(text)) : text;
    if (sensible(key, value, study)) made[key] = value;
    if (COST_KEYS.includes(key) && made[key] === value) made.told = "yes";
  }
  return made;
}

/** Say whether a value can be chosen. @param {string} key @param {any} value @param {any} study */
export function sensible(key, value, study) {
  if (key === "screen") return screens.some((s) => s.id === value);
  if (key === "model") return study.models.includes(value);
  if (key === "positive") return value === "" || study.classes.map(String).includes(value);
  if (key === "score") return value === "" || (study.scores ?? []).some((s) => s.call === value || (ONE_NUMBER.test(value) && value.startsWith(`${s.name}(`)));
  if (key in ALLOWED) return ALLOWED[key].includes(value);
  if (key === "unit") return typeof value === "string" && value.length <= 12;
  if (typeof value === "string") return (key === "estimate" || key.includes(".")) && value.length <= LONGEST;
  if (value === null) return key === "population" || key === "prevalence" || key.includes(".");
  if (!Number.isFinite(value)) return false;
  if (key === "population") return value > 0 && value <= MOST;
  if (key === "prevalence" || key === "level") return value > 0 && value < 1;
  return key === "at" || Math.abs(value) <= MOST;
}

/** Keeps what is chosen, tells who listens, and goes back and forth. */
export class Store {
  /** @param {Chosen} first @param {Chosen} now @param {any} study */
  constructor(first, now, study) {
    this.first = first;
    this.now = now;
    this.study = study;
    this.past = [];
    this.future = [];
    this.listeners = [];
    this.gesture = null;
  }

  /** Change something. Changes of one gesture, such as moving the slider, are taken back together.
   *  @param {Partial<Chosen>} change @param {string|null} gesture */
  set(change, gesture = null) {
    const kept = Object.fromEntries(Object.entries(change).filter(([k, v]) => sensible(k, v, this.study)));
    if (COST_KEYS.some((cell) => cell in kept)) kept.told = "yes";
    const changed = Object.keys(kept).filter((k) => !Object.is(this.now[k], kept[k]));
    if (!changed.length) return;
    if (changed.some((k) => k !== "screen")) { // to look elsewhere changes nothing
      if (gesture === null || gesture !== this.gesture) this.past = [...this.past.slice(1 - MOST_STEPS), this.now];
      this.gesture = gesture;
      this.future = [];
    }
    this.now = { ...this.now, ...kept };
    this.tell(kept);
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  /** @param {Chosen[]} from @param {Chosen[]} to */
  step(from, to) {
    const next = from.pop();
    if (!next) return;
    to.push(this.now);
    this.gesture = null;
    this.now = { ...next, screen: this.now.screen };
    this.tell(this.now);
  }

  /** Show another state, such as that of an address. @param {Chosen} now */
  goTo(now) {
    this.gesture = null;
    this.now = now;
    this.tell(now);
  }

  /** Go on with another reading of the data: costs, places and the way back stay. @param {any} study */
  follow(study) {
    this.study = study;
    const model = study.models[0];
    const kept = (state) => ({
      ...state,
      model: study.models.includes(state.model) ? state.model : model,
      positive: sensible("positive", state.positive, study) ? state.positive : "",
      score: sensible("score", state.score, study) ? state.score : "",
    });
    this.first = { ...this.first, model };
    [this.past, this.future] = [this.past.map(kept), this.future.map(kept)];
    this.now = kept(this.now);
  }

  /** @param {Partial<Chosen>} change */
  tell(change) {
    for (const listener of this.listeners) listener(this.now, change);
  }
}
