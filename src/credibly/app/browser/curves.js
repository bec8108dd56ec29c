// Curves through the cuts of a table, and what follows from their hulls: tangents, costs that turn the
// choice, which model wins where, and how far the best place may be off.

import { bestCut, pointAt, ratio, standsFor } from "./arithmetic.js";

/** @typedef {import("./arithmetic.js").Table} Table */
/** @typedef {import("./arithmetic.js").Setting} Setting */
/** @typedef {{x: number, y: number, model: string, threshold: number}} Corner Of the hull of all models' ROC curves. */
/** @typedef {{size: number, of: number, rate: number, starts: ArrayLike<number>, cut: ArrayLike<number>,
 *  tp: ArrayLike<number>, fp: ArrayLike<number>, why: string}} Parts Hulls of parts of the cases, one after the other. */

/** Return a column for each curve at some cuts.
 *  @param {Table} t @param {ArrayLike<number>} cuts @param {Setting} s */
export function curvesAt(t, cuts, s) {
  const w = standsFor(t, s);
  const c = s.costs;
  return Array.from(cuts, (i) => {
    const [tp, fp] = [w.positive * t.tp[i], w.negative * t.fp[i]];
    const [fn, tn] = [w.positive * t.positives - tp, w.negative * t.negatives - fp];
    const recall = t.tp[i] / t.positives;
    const share = (tp + fp) / w.population;
    return {
      share,
      recall,
      alarms: t.fp[i] / t.negatives,
      precision: ratio(tp, tp + fp),
      lift: ratio(recall, share),
      profit: -(c.tp * tp + c.fp * fp + c.fn * fn + c.tn * tn),
      threshold: i === 0 ? Infinity : t.score[i - 1],
    };
  });
}

/** Return what a miss and a false alarm cost a case beyond being right, weighed by the classes; the
 *  slope of lines of equal cost in ROC space and the place on a cost curve follow.
 *  @param {Setting} s @param {number} prevalence */
export function tradeOff(s, prevalence) {
  const miss = prevalence * (s.costs.fn - s.costs.tp);
  const alarm = (1 - prevalence) * (s.costs.fp - s.costs.tn);
  const sensible = miss >= 0 && alarm >= 0 && miss + alarm > 0;
  const probabilityCost = sensible ? miss / (miss + alarm) : NaN;
  return { miss, alarm, sensible, free: miss === 0 && alarm === 0, slope: miss > 0 ? alarm / miss : Infinity, probabilityCost };
}

/** Return the cheapest corner of a hull and the line of equal cost through it; null where mistakes pay.
 *  @param {Corner[]} corners @param {{miss: number, alarm: number, sensible: boolean, slope: number}} trade */
export function tangentOf(corners, trade) {
  if (!trade.sensible) return null;
  const costs = corners.map((q) => trade.miss * (1 - q.y) + trade.alarm * q.x);
  const least = Math.min(...costs);
  const corner = corners[costs.findIndex((cost) => cost <= least * (1 + 1e-12))];
  return { corner, slope: trade.slope, intercept: corner.y - trade.slope * corner.x };
}

/** Return where on a cost curve a classifier beats both trivial ones. @param {number} fpr @param {number} fnr */
export const operatingRange = (fpr, fnr) => [ratio(fpr, fpr + 1 - fnr), ratio(1 - fpr, 1 - fpr + fnr)];

/** Return the lower envelope of the cost lines of a table's hull.
 *  @param {Table} t @param {ArrayLike<number>} hull */
export function costEnvelope(t, hull) {
  const corners = Array.from(hull, (i) => ({ x: t.fp[i] / t.negatives, y: t.tp[i] / t.positives }));
  const turns = corners.slice(1).map((q, i) => {
    const [right, up] = [q.x - corners[i].x, q.y - corners[i].y];
    return right / (right + up);
  });
  const places = [0, ...turns, 1];
  return places.map((x, i) => {
    const q = corners[Math.min(i, corners.length - 1)];
    return { x, y: (1 - q.y) * x + q.x * (1 - x) };
  });
}

/** Return the costs of a selected negative case between which neither nobody nor everybody is the best list.
 *  Below the first, selecting all is best; from the second on, none.
 *  @param {Table} t @param {ArrayLike<number>} hull @param {Setting} s */
export function turningCosts(t, hull, s) {
  const { prevalence } = standsFor(t, s);
  const worth = s.costs.fn - s.costs.tp;
  if (!(worth > 0)) return null;
  const slope = (i, j) => ratio((t.tp[j] - t.tp[i]) / t.positives, (t.fp[j] - t.fp[i]) / t.negatives);
  const last = hull.length - 1;
  const cost = (steepness) => s.costs.tn + (steepness * prevalence * worth) / (1 - prevalence);
  const first = slope(hull[0], hull[1]);
  return { all: cost(slope(hull[last - 1], hull[last])), none: Number.isNaN(first) ? Infinity : cost(first) };
}

/** Return what a selected negative case may cost before the profit at a point is gone, and what each
 *  selected case may cost beyond what it does. @param {ReturnType<typeof pointAt>} q @param {Setting} s */
export const breakEven = (q, s) => ({ negative: s.costs.fp + ratio(q.profit, q.fp), selected: ratio(q.profit, q.selected) });

/** Return the stretches of the list over which each model finds most positives, by equal steps of share.
 *  @param {{name: string, table: Table}[]} models @param {Setting} s @param {number} steps */
export function winners(models, s, steps = 200) {
  const found = [];
  for (let i = 1; i < steps; i++) {
    const recalls = models.map((m) => pointAt(m.table, { by: "share", value: i / steps }, s).recall);
    const best = Math.max(...recalls);
    const ahead = recalls.filter((r) => r >= best - 1e-12).length;
    const name = ahead > 1 ? null : models[recalls.indexOf(best)].name;
    const last = found.at(-1);
    if (last && last.name === name) last.to = (i + 0.5) / steps;
    else found.push({ name, from: (i - 0.5) / steps, to: (i + 0.5) / steps });
  }
  if (found.length) [found[0].from, found.at(-1).to] = [0, 1];
  return found;
}

/** Return between which shares of the list the best place may lie, by subsampling: the best place of each
 *  part is a corner of its hull, so that other costs need no new draws.
 *  @param {Table} t @param {Parts} parts @param {Setting} s */
export function bestLimits(t, parts, s) {
  const cut = bestCut(t, s);
  const w = standsFor(t, s);
  const share = (i) => (w.positive * t.tp[i] + w.negative * t.fp[i]) / w.population;
  const own = share(cut);
  const gains = { up: s.costs.fn - s.costs.tp, down: s.costs.tn - s.costs.fp };
  if (parts.why) return { own, low: null, high: null, why: parts.why };
  if (gains.up === 0 && gains.down === 0) return { own, low: null, high: null, why: "with these costs no mistake costs anything" };
  if (!(gains.up >= 0 && gains.down <= 0)) return { own, low: null, high: null, why: "with these costs, mistakes pay" };
  const away = new Float64Array(parts.starts.length - 1);
  for (let k = 0; k < away.length; k++) away[k] = Math.abs(share(bestCorner(parts, k, gains, s.prevalence)) - own);
  away.sort();
  const half = (quantile(away, s.level) * (parts.size / parts.of) ** parts.rate) / Math.sqrt(1 - parts.size / parts.of);
  return { own, low: Math.max(0, own - half), high: Math.min(1, own + half), why: "" };
}

/** Return the cut of the best corner of one part. */
function bestCorner(/** @type {Parts} */ parts, k, gains, prevalence) {
  const end = parts.starts[k + 1] - 1;
  const [positives, negatives] = [parts.tp[end], parts.fp[end]];
  const up = gains.up * (prevalence === null ? 1 : positives ? prevalence / positives : 0);
  const down = gains.down * (prevalence === null ? 1 : negatives ? (1 - prevalence) / negatives : 0);
  let [best, most] = [parts.starts[k], 0]; // the first corner selects nobody
  for (let i = best + 1; i <= end; i++) {
    const merit = up * parts.tp[i] + down * parts.fp[i];
    if (merit > most + 1e-9 * Math.abs(most)) [best, most] = [i, merit];
  }
  return parts.cut[best];
}

/** Return a quantile of sorted numbers, straight between neighbours. @param {ArrayLike<number>} sorted @param {number} p */
export function quantile(sorted, p) {
  const at = (sorted.length - 1) * p;
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}
