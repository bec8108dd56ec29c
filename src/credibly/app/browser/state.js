// What is chosen: one plain object, kept in the address of the page, with a way back.

import { makeTable } from "./arithmetic.js";

/** @typedef {{name: string, kind: string, table: import("./arithmetic.js").Table, drawn: ArrayLike<number>,
 *  hull: ArrayLike<number>, parts: import("./curves.js").Parts, whyNoIntervals: string, histogram: any,
 *  calibration: any, list: any}} Model */
/** @typedef {{model: string, by: string, at: number, tp: number, fp: number, fn: number, tn: number, population: number|null,
 *  prevalence: number|null, level: number, unit: string, curve: "gains"|"lift", view: "analyser"|"explorer"}} Chosen */

const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };
const NUMBERS = ["at", "tp", "fp", "fn", "tn", "population", "prevalence", "level"];
const ALLOWED = { by: ["share", "number", "recall", "threshold"], curve: ["gains", "lift"], view: ["analyser", "explorer"] };
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

/** Return the models of a scene with their tables. @param {any} scene @returns {Model[]} */
export function modelsOf(scene) {
  return scene.models.map((m) => ({
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

/** Return the corners of the hull of all models, with numbers for infinite thresholds. @param {any} scene */
export const cornersOf = (scene) => scene.hull.map((q) => ({ ...q, threshold: numberOf(q.threshold) }));

/** Return what a page opens with. @param {any} scene @param {Model[]} models @returns {Chosen} */
export function firstChoice(scene, models) {
  const { at, costs, ...rest } = scene.start;
  const place = at ? { by: at.by, at: numberOf(at.value) } : { by: "share", at: 0.2 };
  return {
    model: models[0].name, ...place, tp: 0, fp: 1, fn: 1, tn: 0, population: null, prevalence: null, level: 0.95, unit: "$",
    curve: "gains", view: "analyser", ...costs, ...rest,
  };
}

/** Write what differs from the first choice for the address. @param {Chosen} chosen @param {Chosen} first */
export function toHash(chosen, first) {
  const changed = Object.entries(chosen).filter(([k, v]) => v !== first[k]).map(([k, v]) => [k, v === null ? "" : String(v)]);
  return changed.length ? `#${new URLSearchParams(changed)}` : "";
}

/** Read the address; what makes no sense there is left as it was first. @param {string} hash @param {Chosen} first
 *  @param {string[]} names @returns {Chosen} */
export function fromHash(hash, first, names) {
  const made = { ...first };
  for (const [key, text] of new URLSearchParams(hash.replace(/^#/, ""))) {
    if (!(key in first)) continue;
    const value = NUMBERS.includes(key) ? (text === "" ? null : Number(text)) : text;
    if (sensible(key, value, names)) made[key] = value;
  }
  return made;
}

/** Say whether a value can be chosen. @param {string} key @param {any} value @param {string[]} names */
export function sensible(key, value, names) {
  if (key === "model") return names.includes(value);
  if (key in ALLOWED) return ALLOWED[key].includes(value);
  if (key === "unit") return typeof value === "string" && value.length <= 12;
  if (value === null) return key === "population" || key === "prevalence";
  if (!Number.isFinite(value)) return false;
  if (key === "population") return value > 0 && value <= MOST;
  if (key === "prevalence" || key === "level") return value > 0 && value < 1;
  return key === "at" || Math.abs(value) <= MOST;
}

/** Keeps what is chosen, tells who listens, and goes back and forth. */
export class Store {
  /** @param {Chosen} first @param {Chosen} now @param {string[]} names */
  constructor(first, now, names) {
    this.first = first;
    this.now = now;
    this.names = names;
    this.past = [];
    this.future = [];
    this.listeners = [];
    this.gesture = null;
  }

  /** Change something. Changes of one gesture, such as moving the slider, are taken back together.
   *  @param {Partial<Chosen>} change @param {string|null} gesture */
  set(change, gesture = null) {
    const kept = Object.fromEntries(Object.entries(change).filter(([k, v]) => sensible(k, v, this.names)));
    if (Object.entries(kept).every(([k, v]) => Object.is(this.now[k], v))) return;
    if (gesture === null || gesture !== this.gesture) this.past = [...this.past.slice(1 - MOST_STEPS), this.now];
    this.gesture = gesture;
    this.future = [];
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
    this.now = next;
    this.tell(next);
  }

  /** @param {Partial<Chosen>} change */
  tell(change) {
    for (const listener of this.listeners) listener(this.now, change);
  }
}
