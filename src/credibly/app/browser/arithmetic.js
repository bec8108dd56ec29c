// What selecting the top of a list brings: counts, sums, rates and their intervals, from the full table.
// The same formulas as credibly.decisions; tests hold the two together to twelve digits.

/** @typedef {{score: Float64Array, tp: Float64Array, fp: Float64Array, positives: number, negatives: number}} Table
 *  Distinct scores, falling; tp[i] and fp[i] count the cases of the i highest of them. */
/** @typedef {{tp: number, fp: number, fn: number, tn: number}} Costs What each outcome costs; benefits are negative. */
/** @typedef {{costs: Costs, population: number|null, prevalence: number|null, level: number, z: number}} Setting
 *  z is the normal quantile of the level, which Python computes. */
/** @typedef {{by: string, value: number}} Place by: share, number, recall, threshold, best or worst. */
/** @typedef {{value: number, low: number|null, high: number|null, why: string}} Estimate */

const ROUNDING = 1e-9;
const NO_VARIATION = "it does not vary with the cases";

/** @param {ArrayLike<number>} score @param {ArrayLike<number>} positive @param {ArrayLike<number>} negative
 *  @returns {Table} */
export function makeTable(score, positive, negative) {
  const tp = new Float64Array(score.length + 1);
  const fp = new Float64Array(score.length + 1);
  for (let i = 0; i < score.length; i++) {
    tp[i + 1] = tp[i] + positive[i];
    fp[i + 1] = fp[i] + negative[i];
  }
  return { score: Float64Array.from(score), tp, fp, positives: tp[score.length], negatives: fp[score.length] };
}

/** Return a quotient, NaN where nothing is divided by nothing. @param {number} a @param {number} b */
export const ratio = (a, b) => (b === 0 ? NaN : a / b);

/** Return what a case of each class stands for in the population, and the share of the positive class there.
 *  @param {Table} t @param {Setting} s */
export function standsFor(t, s) {
  const cases = t.positives + t.negatives;
  const population = s.population ?? cases;
  const prevalence = s.prevalence ?? t.positives / cases;
  const scale = population / cases;
  if (s.prevalence === null) return { positive: scale, negative: scale, population, prevalence };
  return {
    positive: (scale * prevalence) / (t.positives / cases),
    negative: (scale * (1 - prevalence)) / (t.negatives / cases),
    population,
    prevalence,
  };
}

/** Return how many scores reach a threshold. @param {Table} t @param {number} threshold */
export function cutAt(t, threshold) {
  let low = 0;
  let high = t.score.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t.score[middle] >= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Return the first cut at which a rising function has reached what is wanted. */
function firstReaching(/** @type {(i: number) => number} */ reached, wanted, cuts) {
  let low = 0;
  let high = cuts - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reached(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Return where a place lies: the cut, its threshold, and which part of the last score's cases is taken.
 *  @param {Table} t @param {Place} place @param {Setting} s */
export function locate(t, place, s) {
  if (place.by === "best" || place.by === "worst") return whole(t, bestCut(t, s, place.by === "best" ? 1 : -1));
  if (place.by === "threshold") return { cut: cutAt(t, place.value), threshold: place.value, taken: 1 };
  const w = standsFor(t, s);
  const last = t.score.length;
  const selected = (i) => w.positive * t.tp[i] + w.negative * t.fp[i];
  const reached = place.by === "recall" ? (i) => t.tp[i] : selected;
  const most = reached(last);
  const wanted = Math.min(Math.max(place.by === "number" ? place.value : place.value * most, 0), most);
  const cut = firstReaching(reached, wanted * (1 - 1e-12), last + 1);
  if (cut === 0) return whole(t, 0);
  const step = reached(cut) - reached(cut - 1);
  return { cut, threshold: t.score[cut - 1], taken: Math.min(1, (wanted - reached(cut - 1)) / step) };
}

/** @param {Table} t @param {number} cut */
const whole = (t, cut) => ({ cut, threshold: cut === 0 ? Infinity : t.score[cut - 1], taken: 1 });

/** Return the outcome of selecting the cases of the highest scores, in numbers of the population.
 *  @param {Table} t @param {Place} place @param {Setting} s */
export function pointAt(t, place, s) {
  const { cut, threshold, taken } = locate(t, place, s);
  const before = Math.max(cut - 1, 0);
  const hits = t.tp[before] + taken * (t.tp[cut] - t.tp[before]);
  const alarms = t.fp[before] + taken * (t.fp[cut] - t.fp[before]);
  const w = standsFor(t, s);
  const [tp, fp] = [w.positive * hits, w.negative * alarms];
  const [fn, tn] = [w.positive * (t.positives - hits), w.negative * (t.negatives - alarms)];
  const selected = tp + fp;
  const share = selected / w.population;
  const profit = -total(s.costs, tp, fp, fn, tn);
  const random = -total(s.costs, share * (tp + fn), share * (fp + tn), (1 - share) * (tp + fn), (1 - share) * (fp + tn));
  const precision = ratio(tp, selected);
  return {
    cut, threshold, taken, hits, alarms, selected, share, tp, fp, fn, tn, profit, random,
    gain: profit - random,
    recall: ratio(tp, tp + fn),
    precision,
    lift: precision / w.prevalence,
    accuracy: ratio(tp + tn, w.population),
    breakEven: ratio(selected, tp),
    population: w.population,
    prevalence: w.prevalence,
  };
}

/** @param {Costs} c */
const total = (c, tp, fp, fn, tn) => c.tp * tp + c.fp * fp + c.fn * fn + c.tn * tn;

/** Return the cut of the largest profit, or of the smallest; of equal ones the smallest list.
 *  @param {Table} t @param {Setting} s @param {1|-1} sign */
export function bestCut(t, s, sign = 1) {
  const w = standsFor(t, s);
  // Selecting changes a case from left to selected, so only these two differences matter for the place.
  const up = (sign * w.positive * (s.costs.fn - s.costs.tp)) / w.population;
  const down = (sign * w.negative * (s.costs.tn - s.costs.fp)) / w.population;
  const start = (-sign * (s.costs.fn * w.positive * t.positives + s.costs.tn * w.negative * t.negatives)) / w.population;
  const larger = (/** @type {number} */ a, /** @type {number} */ b) => Math.max(Math.abs(a), Math.abs(b));
  const [miss, alarm] = [larger(s.costs.fn, s.costs.tp), larger(s.costs.fp, s.costs.tn)];
  const stake = (miss * w.positive * t.positives + alarm * w.negative * t.negatives) / w.population;
  let most = -Infinity;
  for (let i = 0; i < t.tp.length; i++) {
    const merit = start + up * t.tp[i] + down * t.fp[i];
    if (merit > most) most = merit;
  }
  const enough = most - ROUNDING * stake;
  for (let i = 0; i < t.tp.length; i++) if (start + up * t.tp[i] + down * t.fp[i] >= enough) return i;
  return 0;
}

/** Return profit, that of a random sample of the size, the gain over it and that over the better of all and none.
 *  Each has an interval about new cases, with the selected scores taken as given.
 *  @param {Table} t @param {ReturnType<typeof pointAt>} q @param {Setting} s @returns {Record<string, Estimate>} */
export function estimatesAt(t, q, s) {
  const groups = groupsAt(t, q);
  const profits = (part) => (g) =>
    -(part(g) * (g.positive ? s.costs.tp : s.costs.fp) + (1 - part(g)) * (g.positive ? s.costs.fn : s.costs.tn));
  const own = profits((g) => g.part);
  const random = profits(() => q.share);
  const [all, none] = [profits(() => 1), profits(() => 0)];
  const best = meanOf(t, groups, none, s).value > meanOf(t, groups, all, s).value ? none : all;
  const times = q.population;
  const costs = Object.values(s.costs);
  const [least, most] = [-Math.max(...costs), -Math.min(...costs)];
  const made = {
    profit: [own, least, most],
    random: [random, least, most],
    gain: [(g) => own(g) - random(g), least - most, most - least],
    advantage: [(g) => own(g) - best(g), least - most, most - least],
  };
  return {
    ...Object.fromEntries(Object.entries(made).map(([k, [f, low, high]]) =>
      [k, multiplied(within(meanOf(t, groups, f, s), low, high), times)])),
    accuracy: meanOf(t, groups, (g) => (g.positive ? g.part : 1 - g.part), s),
  };
}

/** Keep limits to what is possible. @param {Estimate} e @param {number} low @param {number} high @returns {Estimate} */
const within = (e, low, high) =>
  e.low === null || e.high === null ? e : { ...e, low: Math.max(e.low, low), high: Math.min(e.high, high) };

/** @param {Estimate} e @param {number} times @returns {Estimate} */
const multiplied = (e, times) => ({
  value: e.value * times,
  low: e.low === null ? null : e.low * times,
  high: e.high === null ? null : e.high * times,
  why: e.why,
});

/** Return the cases as six groups that no sum distinguishes: of each class those selected, tied and left. */
function groupsAt(/** @type {Table} */ t, q) {
  const before = Math.max(q.cut - 1, 0);
  const sides = [[true, t.tp, t.positives], [false, t.fp, t.negatives]];
  return sides.flatMap(([positive, reached, all]) => [
    { positive, part: 1, n: reached[before] },
    { positive, part: q.taken, n: reached[q.cut] - reached[before] },
    { positive, part: 0, n: all - reached[q.cut] },
  ]).filter((g) => g.n > 0);
}

/** Return the mean of a number of each case with its interval, or why it has none.
 *  Influence values, with Satterthwaite's degrees of freedom; at a given prevalence the mean of the class means. */
function meanOf(/** @type {Table} */ t, groups, number, /** @type {Setting} */ s) {
  const n = t.positives + t.negatives;
  const values = groups.map(number);
  const share = s.prevalence ?? t.positives / n;
  const size = (g) => (g.positive ? t.positives : t.negatives);
  const sumOf = (side) => sum(groups.map((g, i) => (g.positive === side ? g.n * values[i] : 0)));
  const means = [sumOf(true) / t.positives, sumOf(false) / t.negatives];
  const mean = s.prevalence === null
    ? sum(groups.map((g, i) => g.n * values[i])) / n
    : share * means[0] + (1 - share) * means[1];
  const moves = groups.map((g, i) => s.prevalence === null
    ? (values[i] - mean) / n
    : (values[i] - means[g.positive ? 0 : 1]) * ((g.positive ? share : 1 - share) / size(g)));
  const { error, freedom } = standardError(groups, moves, s.prevalence !== null, t);
  const largest = Math.max(0, ...values.map(Math.abs));
  if (!(error > ROUNDING * Math.max(Math.abs(mean), largest * ROUNDING))) {
    return { value: mean, low: null, high: null, why: NO_VARIATION };
  }
  const half = error * twoSided(s.level, s.z, freedom);
  return { value: mean, low: mean - half, high: mean + half, why: "" };
}

const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);

/** Return the standard error from influence values and Satterthwaite's degrees of freedom, those of classes combined as Welch did. */
function standardError(groups, moves, byClass, /** @type {Table} */ t) {
  const n = t.positives + t.negatives;
  const mean = sum(groups.map((g, i) => g.n * moves[i])) / n;
  const squares = moves.map((v) => (v - mean) ** 2);
  const samples = byClass ? [[true, t.positives], [false, t.negatives]] : [[null, n]];
  let [variance, squared] = [0, 0];
  for (const [side, size] of samples) {
    if (size < 2) return { error: NaN, freedom: 1 };
    const added = (power) => sum(groups.map((g, i) => (side === null || g.positive === side ? g.n * squares[i] ** power : 0)));
    const part = added(1);
    const spread = added(2) - part ** 2 / size;
    const freedom = Math.min(spread > 0 ? (2 * part ** 2) / spread : Infinity, size - 1);
    variance += (part * size) / (size - 1);
    squared += ((part * size) / (size - 1)) ** 2 / freedom;
  }
  return { error: Math.sqrt(variance), freedom: squared > 0 ? variance ** 2 / squared : n - 1 };
}

/** Return the rates at a point with Wilson's intervals; at a given prevalence the precision's is MOVER-R's.
 *  @param {Table} t @param {ReturnType<typeof pointAt>} q @param {Setting} s @returns {Record<string, Estimate>} */
export function ratesAt(t, q, s) {
  const recall = wilson(q.hits, t.positives, s.z);
  const alarms = wilson(q.alarms, t.negatives, s.z);
  const specificity = wilson(t.negatives - q.alarms, t.negatives, s.z);
  const plain = s.prevalence === null;
  return {
    recall,
    alarms,
    specificity,
    precision: plain ? wilson(q.hits, q.hits + q.alarms, s.z) : precisionAt(s.prevalence, recall, alarms),
    accuracy: plain ? wilson(q.hits + t.negatives - q.alarms, t.positives + t.negatives, s.z) : estimatesAt(t, q, s).accuracy,
  };
}

/** Return the number of cases in each cell of the population, with an interval.
 *  At the cases' own prevalence a cell is a share of all; at a given one, of its class.
 *  @param {Table} t @param {ReturnType<typeof pointAt>} q @param {Setting} s @returns {Record<string, Estimate>} */
export function cellsAt(t, q, s) {
  const n = t.positives + t.negatives;
  const counts = { tp: q.hits, fp: q.alarms, fn: t.positives - q.hits, tn: t.negatives - q.alarms };
  return Object.fromEntries(Object.entries(counts).map(([cell, count]) => {
    const positive = cell === "tp" || cell === "fn";
    const whole = s.prevalence === null ? n : positive ? t.positives : t.negatives;
    const part = s.prevalence === null ? 1 : positive ? s.prevalence : 1 - s.prevalence;
    return [cell, { ...multiplied(wilson(count, whole, s.z), q.population * part), value: q[cell] }];
  }));
}

/** Wilson's interval of a proportion, written so that nothing cancels.
 *  @param {number} part @param {number} whole @param {number} z @returns {Estimate} */
export function wilson(part, whole, z) {
  if (!(whole > 0)) return { value: NaN, low: null, high: null, why: "it is a share of no cases" };
  const spread = z * Math.sqrt(z * z + (4 * part * (whole - part)) / whole);
  const share = part / whole;
  const low = part <= 0 ? 0 : (2 * part * share) / (2 * part + z * z + spread);
  const high = part >= whole ? 1 : (2 * part + z * z + spread) / (2 * (whole + z * z));
  return { value: share, low: Math.min(Math.max(low, 0), share), high: Math.max(Math.min(high, 1), share), why: "" };
}

/** The precision at a given prevalence and its limits, from those of recall and false alarms (Donner & Zou 2012).
 *  @param {number} prevalence @param {Estimate} recall @param {Estimate} alarms @returns {Estimate} */
export function precisionAt(prevalence, recall, alarms) {
  const odds = prevalence / (1 - prevalence);
  const share = (part, rest) => (part || rest ? (odds * part) / (odds * part + rest) : NaN);
  const value = share(recall.value, alarms.value);
  if (Number.isNaN(value)) return { value, low: null, high: null, why: "it is a share of no cases" };
  const square = (rate, limit) => limit * (2 * rate - limit);
  const [fewestHits, mostHits] = [square(recall.value, recall.low), square(recall.value, recall.high)];
  const [fewestAlarms, mostAlarms] = [square(alarms.value, alarms.low), square(alarms.value, alarms.high)];
  const product = recall.value * alarms.value;
  const least = product + Math.sqrt(Math.max(product ** 2 - fewestHits * mostAlarms, 0));
  const most = product + Math.sqrt(Math.max(product ** 2 - mostHits * fewestAlarms, 0));
  return {
    value,
    low: fewestHits > 0 ? share(fewestHits, least) : 0,
    high: fewestAlarms > 0 ? share(most, fewestAlarms) : 1,
    why: "",
  };
}

/** Return t such that Student's t lies within -t and t with the given probability; z is the normal's.
 *  @param {number} level @param {number} z @param {number} freedom */
export function twoSided(level, z, freedom) {
  const tail = (1 - level) / 2;
  let t = expansion(z, freedom);
  if (freedom >= 1000) return t;
  let [low, high] = [0, Infinity];
  for (let i = 0; i < 100; i++) {
    const excess = tailBeyond(t, freedom) - tail;
    if (excess > 0) low = t;
    else high = t;
    const step = t + excess / density(t, freedom); // Newton's, unless it leaves what is known
    const next = step > low && step < high ? step : high < Infinity ? (low + high) / 2 : 2 * t;
    if (Math.abs(next - t) <= 1e-15 * t) break;
    t = next;
  }
  return t;
}

/** Cornish and Fisher's expansion of t about the normal quantile (Abramowitz & Stegun 26.7.5). */
function expansion(z, freedom) {
  const q = z * z;
  const terms = [
    (z * (q + 1)) / 4,
    (z * (5 * q ** 2 + 16 * q + 3)) / 96,
    (z * (3 * q ** 3 + 19 * q ** 2 + 17 * q - 15)) / 384,
    (z * (79 * q ** 4 + 776 * q ** 3 + 1482 * q ** 2 - 1920 * q - 945)) / 92160,
  ];
  return z + sum(terms.map((term, i) => term / freedom ** (i + 1)));
}

/** The logarithm of Gamma(a + 1/2) / Gamma(a): a series for large a, to which small ones are led up. */
function halfStep(a) {
  let shift = 0;
  while (a < 30) {
    shift += Math.log(a / (a + 0.5));
    a += 1;
  }
  const r = 1 / a;
  return shift + Math.log(a) / 2 - r / 8 + r ** 3 / 192 - r ** 5 / 640 + (17 * r ** 7) / 14336;
}

const density = (t, freedom) =>
  Math.exp(halfStep(freedom / 2) - Math.log(freedom * Math.PI) / 2 - ((freedom + 1) / 2) * Math.log1p((t * t) / freedom));

/** Probability that t is exceeded: half of I_x(freedom / 2, 1 / 2) at x = freedom / (freedom + t^2). */
function tailBeyond(t, freedom) {
  const [a, b] = [freedom / 2, 0.5];
  const x = freedom / (freedom + t * t);
  const rest = (t * t) / (freedom + t * t);
  const front = Math.exp(halfStep(a) - Math.log(Math.PI) / 2 + a * Math.log(x) + b * Math.log(rest));
  if (x < (a + 1) / (a + b + 2)) return (front * fraction(x, a, b)) / a / 2;
  return 0.5 - (front * fraction(rest, b, a)) / b / 2;
}

/** Lentz's evaluation of the continued fraction of the incomplete beta function (DLMF 8.17.22). */
function fraction(x, a, b) {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let made = d;
  for (let m = 1; m < 10000; m++) {
    const steps = [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ];
    for (const step of steps) {
      d = 1 / (1 + step * d);
      c = 1 + step / c;
      made *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return made;
}
