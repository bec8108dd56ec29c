// What the page says in words about a place on the list.

import { countText, moneyText, percentText, scoreText, shortText } from "./words.js";

/** @typedef {ReturnType<typeof import("./arithmetic.js").pointAt>} Point */

/** Where the slider is. @param {Point} q */
export const placeSentence = (q) =>
  `${percentText(q.share)} of the population, ${countText(q.selected)} selected, ` +
  `recall ${percentText(q.recall)}, score from ${scoreText(q.threshold)}`;

/** What a screen reader says when things have settled. @param {Point} q @param {string} positive @param {string} unit */
export const hereSentence = (q, positive, unit) =>
  `${countText(q.selected)} of ${countText(q.population)} selected, ${percentText(q.share)}, ` +
  `score from ${scoreText(q.threshold)}: ${percentText(q.recall)} of ${positive} found, ` +
  `profit ${moneyText(q.profit, unit)}, random sample ${moneyText(q.random, unit)}.`;

/** What is done here: an order where it is best, else an assumption. @param {Point} q @param {number} scores how many different ones there are @param {boolean} best */
function listText(q, scores, best = false) {
  const what = q.selected === 0 ? "nobody" : q.cut === scores && q.taken >= 1 ? "everybody" : `the best ${percentText(q.share)} of the list`;
  return best ? `Select ${what}: it` : `If you select ${what}, it`;
}

/** @param {number} x @param {string} unit */
const sumText = (x, unit) => (x < 0 ? `loses ${moneyText(-x, unit)}` : `brings ${moneyText(x, unit)}`);

/** @param {Point} q @param {number} scores @param {string} unit @param {boolean} best whether no other place brings more */
export function profitSentence(q, scores, unit, best) {
  const random = q.selected === 0 || q.cut === scores ? "" : `, where a random sample ${sumText(q.random, unit)}`;
  return `${listText(q, scores, best)} ${sumText(q.profit, unit)}${random}.`;
}

/** @param {Point} q @param {number} scores @param {string} positive */
export const foundSentence = (q, scores, positive) =>
  `${listText(q, scores)} finds ${percentText(q.recall)} of ${positive}, and ${percentText(q.precision)} of those selected are ${positive}.`;

/** @param {Point} q @param {number} scores how many different ones there are @param {string} unit */
export function bestSentence(q, scores, unit) {
  let what = `selecting ${percentText(q.share)} of the list ` +
    `(${countText(q.selected)} ${q.selected === 1 ? "case" : "cases"}, score ${scoreText(q.threshold)} or more)`;
  if (q.cut === 0) what = "selecting nobody";
  if (q.cut === scores) what = "selecting everybody";
  return `Best: ${what} ${sumText(q.profit, unit)}.`;
}

/** @param {ReturnType<typeof import("./curves.js").bestLimits>} limits @param {import("./curves.js").Parts} parts
 *  @param {number} level */
export function limitsSentence({ low, high, why }, parts, level) {
  if (why) return `The uncertainty of the best place is not known: ${why}.`;
  const drawn = `${countText(parts.size)} of ${countText(parts.of)} ${parts.unit} ${parts.starts.length - 1} times`;
  if (low === high) return `Subsampling ${drawn} shows no other best place, so its uncertainty is not known.`;
  return `With other cases the best place may lie between ${percentText(low)} and ${percentText(high)} ` +
    `of the list (shaded; ${shortText(100 * level)} % by subsampling ${drawn}).`;
}

/** @param {{all: number, none: number}|null} turn @param {import("./arithmetic.js").Costs} costs @param {any} pageData
 *  @param {string} unit */
export function turningSentence(turn, costs, pageData, unit) {
  const idle = costs.fn === costs.tp && costs.fp === costs.tn;
  if (idle) return "Selecting brings and costs nothing, so every list is as good as another.";
  if (!turn) return `Selecting a ${pageData.positive} brings nothing${costs.fp < costs.tn ? "" : ", so nobody should be selected"}.`;
  const all = turn.all >= 0.005
    ? `Selecting everybody is best only if a selected ${pageData.negative} costs at most ${moneyText(turn.all, unit)}`
    : `Selecting everybody is best only if a selected ${pageData.negative} costs nothing`;
  const none = Number.isFinite(turn.none)
    ? `selecting nobody is best from ${moneyText(turn.none, unit)} on`
    : "selecting nobody is never best, however much it costs";
  return `${all}; ${none}.`;
}

/** @param {Point} q @param {{negative: number, selected: number}} even @param {any} pageData @param {string} unit */
export function evenSentence(q, even, pageData, unit) {
  if (q.selected === 0) return "Nobody is selected.";
  const each = `Counting the cases left as well, it ${sumText(even.selected, unit)} per selected case.`;
  if (q.fp === 0) return `No ${pageData.negative} is selected. ${each}`;
  const may = even.negative >= 0
    ? `A selected ${pageData.negative} may cost up to ${moneyText(even.negative, unit)} before this list loses money.`
    : `This list would lose money even if a selected ${pageData.negative} cost nothing.`;
  return `${may} ${each}`;
}

/** @param {string} whyNone why the page has none @param {boolean} served whether a server has them */
export function methodSentence(whyNone, served) {
  const own = "Sums: influence values and Student's t; counts and rates: Wilson. They treat the place as given";
  const how = !whyNone ? own : served ? "Intervals: influence values, with the cases of a group together and weights as they are. They treat the place as given" : `${own}; none here, because ${whyNone}`;
  return `${how}. The profit of the best place is that on the cases it was chosen on, so it is too optimistic.`;
}

/** @param {string} here @param {string} best */
export const winnerSentence = (here, best) =>
  `For this size of list ${here} is ahead; at its best place ${best} brings the most. ` +
  "Compare models shows whether a difference is more than chance.";

/** @param {{corner: any, slope: number}|null} tangent @param {boolean} free whether no mistake costs anything */
export function tangentSentence(tangent, free) {
  if (free) return "With these costs no mistake costs anything, so every place is as good as another.";
  if (!tangent) return "With these costs, mistakes pay, so no line of equal cost touches the hull.";
  const { model, threshold } = tangent.corner;
  const from = Number.isFinite(threshold) ? ` from ${scoreText(threshold)}` : "";
  return `For these costs and classes, lines of equal cost have the slope ${shortText(tangent.slope)}; ` +
    `the best of them touches the hull at ${model}${from}.`;
}

/** @param {number} low @param {number} high @param {number} yours */
export function rangeSentence(low, high, yours) {
  const range = low < high
    ? `This threshold beats both trivial rules for probability costs between ${shortText(low)} and ${shortText(high)}`
    : "This threshold beats the trivial rules for no probability cost";
  return `${range}${Number.isNaN(yours) ? "" : `; yours is ${shortText(yours)}`}.`;
}
