// The cost/benefit analyser: one place on the list, shown and typed in every way, and what it brings.

import { bestCut, cellsAt, estimatesAt, pointAt, ratesAt, standsFor } from "./arithmetic.js";
import { bestLimits, breakEven, curvesAt, turningCosts, winners } from "./curves.js";
import { FOLLOWS, byId, countText, make, moneyText, percentText, readNumber, say, scoreText, shortText, showEstimate, shownText } from "./words.js";
import {
  bestSentence, evenSentence, foundSentence, limitsSentence, methodSentence, placeSentence, profitSentence, turningSentence,
  winnerSentence,
} from "./sentences.js";
import { MOST, sensible } from "./state.js";
import { Chart, axis, colourOf, curvesSpec } from "./charts.js";

/** @typedef {{pageData: any, models: import("./state.js").Model[], corners: any[], store: import("./state.js").Store, bench: any}} World */

const CELLS = ["tp", "fn", "fp", "tn"];
const PLACE_KEYS = ["by", "at"];
const LEAST_STRETCH = 0.02; // of the list: shorter leads are not worth a word
const LEAST_LIFT_SHARE = 0.005; // a lift of a handful of cases is noise
const BOXES = { share: "by-share", number: "by-number", recall: "by-recall", threshold: "by-threshold" };
const PERCENT = ["share", "recall"];
const RATES = ["recall", "specificity", "precision", "accuracy"];
const MOST_STRETCHES = 4; // that are named for a model
const UP_TO = ` of at most ${countText(MOST)}`;
const SHARE_AXIS = axis("share of the population selected", { domain: [0, 1], format: ".0%" });

/** Return what the arithmetic needs to know. @param {any} pageData @param {import("./state.js").Chosen} now */
export const settingOf = (pageData, now) => ({
  costs: { tp: now.tp, fp: now.fp, fn: now.fn, tn: now.tn },
  population: now.population,
  prevalence: now.prevalence,
  level: now.level,
  z: pageData.quantiles[String(now.level)],
});

/** Return where a choice lies. @param {import("./state.js").Chosen} now */
export const placeOf = (now) => ({ by: now.by, value: now.at });

/** What may be tried: each changes some of what is chosen. @param {any} pageData @param {World} world */
const presetsOf = (pageData, world) => [
  ["Every mistake costs 1", () => ({ tp: 0, fp: 1, fn: 1, tn: 0 })],
  [`A missed ${pageData.positive} costs five false alarms`, () => ({ tp: 0, fp: 1, fn: 5, tn: 0 })],
  [`A false alarm costs five missed ${pageData.positive}`, () => ({ tp: 0, fp: 5, fn: 1, tn: 0 })],
  ["A response brings 15, a letter costs 0.80", () => ({ tp: -15, fp: 0.8, fn: 0, tn: 0 })],
  ["A response brings 15, a letter costs 0.50", () => ({ tp: -15, fp: 0.5, fn: 0, tn: 0 })],
  [`A selected ${pageData.negative} costs a fifth more`, (now) => ({ fp: now.fp + Math.abs(now.fp) / 5 })],
  ["Positives half as common", (now) => ({ prevalence: prevalenceNow(world, now) / 2 })],
  ["Positives twice as common", (now) => ({ prevalence: Math.min(2 * prevalenceNow(world, now), 0.99) })],
  ["Ten times the population", (now) => ({ population: 10 * (now.population ?? casesOf(world.models[0].table)) })],
];

/** @param {import("./arithmetic.js").Table} t */
const casesOf = (t) => t.positives + t.negatives;
const prevalenceNow = (world, now) => standsFor(world.models[0].table, settingOf(world.pageData, now)).prevalence;

export class Analyser {
  /** @param {World} world */
  constructor(world) {
    this.world = world;
    this.curve = new Chart(byId("chart-curve"), () => ({}));
    this.profit = new Chart(byId("chart-profit"), curvesSpec(SHARE_AXIS, axis("profit", { format: "~s" }), this.names()));
    for (const chart of [this.curve, this.profit]) this.listenTo(chart);
    this.wirePlace();
    this.wireCosts();
    this.wireSetting();
    this.makePicker();
  }

  names() {
    return this.world.models.map((m) => shownText(m.name));
  }

  /** Follow the pointer while it is pressed. @param {Chart} chart */
  listenTo(chart) {
    const follow = (event) => {
      const at = chart.across(event);
      if (Number.isFinite(at)) this.world.store.set({ by: "share", at }, "slide");
    };
    chart.place.onpointerdown = (event) => { chart.place.setPointerCapture(event.pointerId); follow(event); };
    chart.place.onpointermove = (event) => { if (event.buttons & 1) follow(event); };
  }

  wirePlace() {
    const { store } = this.world;
    for (const id of ["slider", "dock-slider"]) {
      byId(id).oninput = (event) => store.set({ by: "share", at: Number(event.target.value) }, "slide");
    }
    for (const [by, id] of Object.entries(BOXES)) {
      byId(id).onchange = (event) => {
        const value = readNumber(event.target.value);
        const at = value === null ? NaN : PERCENT.includes(by) ? value / 100 : value;
        const good = Number.isFinite(at) && (by === "threshold" || (at >= 0 && at <= this.most(by)));
        mark(event.target, good, this.rangeOf(by));
        if (good) store.set({ by, at });
      };
    }
    byId("maximise").onclick = () => this.goTo(1);
    byId("minimise").onclick = () => this.goTo(-1);
  }

  /** @param {string} by */
  most(by) {
    return by === "number" ? standsFor(this.model().table, this.setting()).population : 1;
  }

  /** Say which numbers a place may have. @param {string} by */
  rangeOf(by) {
    if (by === "threshold") return "";
    return ` from 0 to ${countText((PERCENT.includes(by) ? 100 : 1) * this.most(by))}`;
  }

  /** @param {1|-1} sign */
  goTo(sign) {
    this.world.store.set(this.bestPlace(this.setting(), sign));
  }

  /** @param {any} setting @param {1|-1} sign */
  bestPlace(setting, sign) {
    const { table } = this.model();
    const cut = bestCut(table, setting, sign);
    return cut === 0 ? { by: "share", at: 0 } : { by: "threshold", at: table.score[cut - 1] };
  }

  model() {
    return this.world.models.find((m) => m.name === this.world.store.now.model) ?? this.world.models[0];
  }

  setting() {
    return settingOf(this.world.pageData, this.world.store.now);
  }

  wireCosts() {
    const { pageData, store } = this.world;
    for (const cell of CELLS) {
      const actual = cell === "tp" || cell === "fn" ? pageData.positive : pageData.negative;
      const what = `${actual}, ${cell === "tp" || cell === "fp" ? "selected" : "left"}`;
      const ways = [make("option", { value: "1" }, "costs"), make("option", { value: "-1" }, "brings")];
      const sign = make("select", { "aria-label": `${what}: costs or brings`, id: `sign-${cell}` }, ...ways);
      const writing = { inputmode: "decimal", autocomplete: "off" };
      const amount = make("input", { "aria-label": `${what}: amount`, id: `amount-${cell}`, ...writing });
      sign.value = cell === "tp" || cell === "tn" ? "-1" : "1";
      const read = () => {
        const value = Number(sign.value) * (readNumber(amount.value) ?? NaN) + 0; // never -0
        const good = sensible(cell, value, {});
        mark(amount, good, UP_TO);
        if (good) store.set({ [cell]: value });
      };
      sign.onchange = read;
      amount.onchange = read;
      document.querySelector(`[data-cell=${cell}]`).replaceChildren(make("div", { class: "amount" }, sign, amount));
    }
    this.wirePresets(presetsOf(pageData, this.world));
  }

  wirePresets(presets) {
    const { store } = this.world;
    const options = presets.map(([name], i) => make("option", { value: i }, name));
    byId("presets").replaceChildren(make("option", { value: "" }, "choose ..."), ...options);
    byId("presets").onchange = (event) => {
      if (event.target.value !== "") { // what is tried is seen where it is best
        const tried = presets[Number(event.target.value)][1](store.now);
        const setting = settingOf(this.world.pageData, { ...store.now, ...tried });
        store.set({ ...tried, ...(store.now.told === "yes" || "fp" in tried ? this.bestPlace(setting, 1) : {}) });
      }
      event.target.value = "";
    };
  }

  wireSetting() {
    const { pageData, store } = this.world;
    const number = (id, key, times, range) => {
      byId(id).onchange = (event) => {
        const value = readNumber(event.target.value);
        const scaled = value === null ? null : value / times;
        const good = sensible(key, scaled, {});
        mark(event.target, good, range);
        if (good) store.set({ [key]: scaled });
      };
    };
    number("population", "population", 1, ` above 0,${UP_TO}`);
    number("prevalence", "prevalence", 100, " between 0 and 100");
    byId("unit").onchange = (event) => store.set({ unit: event.target.value.trim() });
    byId("curve").onchange = (event) => store.set({ curve: event.target.value });
    for (const side of ["positive", "negative"]) {
      document.querySelectorAll(`th.${side}`).forEach((th) => { th.textContent = shownText(pageData[side]); });
    }
  }

  makePicker() {
    const { models, store } = this.world;
    const heads = [...byId("models").tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
    byId("models").tBodies[0].replaceChildren(...models.map((m) => {
      const radio = make("input", { type: "radio", name: "model", value: m.name, onchange: () => store.set({ model: m.name }) });
      const name = make("label", {}, radio, make("span", { class: "square" }), make("bdi", {}, m.name));
      return make("tr", {}, make("th", { scope: "row" }, name), ...heads.map((head) => make("td", { "data-name": head })));
    }));
  }

  /** Show what is chosen. @param {import("./state.js").Chosen} now @param {Partial<import("./state.js").Chosen>} change */
  update(now, change) {
    if (Object.keys(change).some((key) => !PLACE_KEYS.includes(key))) this.prepare(now, change);
    const { table } = this.model();
    const s = this.setting();
    const q = pointAt(table, placeOf(now), s);
    this.showPlace(q);
    this.showResult(table, q, s, now);
    this.showTable(table, q, s);
    this.showPicker(q, s, now);
    this.markCharts(q, s, now);
    this.showSentence(q, now);
    this.here = q;
    return q;
  }

  /** What the screen found, in a sentence; sums only where somebody said what outcomes cost. */
  showSentence(q, now) {
    const { pageData } = this.world;
    const told = now.told === "yes";
    const texts = this.model().table.score.length;
    const isBest = q.profit >= this.own.profit;
    say("place-sentence", told ? profitSentence(q, texts, now.unit, isBest) : foundSentence(q, texts, pageData.positive));
    say("dock-profit", told ? moneyText(q.profit, now.unit) : percentText(q.recall));
    byId("dock-profit").previousSibling.textContent = told ? "Profit " : "Found ";
    say("dock-share", percentText(q.share));
    byId("picker").hidden = !told || this.world.models.length < 2;
    if (byId("ask-costs").hidden === told) return;
    byId("ask-costs").hidden = told;
    for (const id of ["result", "profit-figure", "best", "best-limits", "even", "turning", "method", "maximise", "minimise", "honest", "cross-fitting"]) byId(id).hidden = !told;
    for (const chart of told ? [this.curve, this.profit] : [this.curve]) chart.draw(); // beside each other, or one alone
  }

  /** What stays as it is while the slider moves. */
  prepare(now, change) {
    const s = this.setting();
    const model = this.model();
    this.best = this.world.models.map((m) => pointAt(m.table, { by: "best", value: 0 }, s));
    this.limits = bestLimits(model.table, model.parts, s);
    this.own = this.best[this.world.models.indexOf(model)];
    this.stretches = this.world.models.length > 1 ? winners(this.world.models, s) : [];
    this.showInputs(now, s, model);
    this.showBest(now, s, model);
    this.drawCurves(now, s, change);
  }

  showInputs(now, s, model) {
    for (const cell of CELLS) {
      const sign = byId(`sign-${cell}`);
      if (now[cell] !== 0) sign.value = now[cell] > 0 ? "1" : "-1";
      fill(`amount-${cell}`, String(Math.abs(now[cell])));
    }
    const w = standsFor(model.table, s);
    fill("population", String(Number(w.population.toFixed(w.population < 1 ? 6 : 1))));
    fill("prevalence", String(Number((100 * w.prevalence).toPrecision(6))));
    fill("unit", now.unit);
    byId("curve").value = now.curve;
  }

  showBest(now, s, model) {
    say("best", bestSentence(this.own, model.table.score.length, now.unit));
    say("best-limits", limitsSentence(this.limits, model.parts, s.level));
    say("turning", turningSentence(turningCosts(model.table, model.hull, s), s.costs, this.world.pageData, now.unit));
    say("method", methodSentence(model.whyNoIntervals, Boolean(this.world.bench?.server)));
  }

  drawCurves(now, s, change) {
    const { models } = this.world;
    const curves = models.map((m) => curvesAt(m.table, m.drawn, s));
    const rows = (y) => curves.flatMap((points, k) => points.map((p) => ({ x: p.share, y: p[y], series: shownText(models[k].name) })));
    if ("curve" in change || "prevalence" in change) this.drawCurve(now.curve === "lift", rows, "curve" in change);
    const random = [curves[0][0], curves[0].at(-1)].map((p, x) => ({ x, y: p.profit, line: "random" }));
    const zero = [0, 1].map((x) => ({ x, y: 0, line: "zero" }));
    this.profit.show({ curves: rows("profit"), beside: [...random, ...zero] });
  }

  /** The gains or lift chart, which costs do not move. */
  drawCurve(lift, rows, anew) {
    const found = `share of ${this.world.pageData.positive} found`;
    const y = lift ? axis("lift", { zero: true }) : axis(found, { domain: [0, 1], format: ".0%" });
    this.curve.specOf = curvesSpec(SHARE_AXIS, y, this.names());
    const curves = lift ? rows("lift").filter((r) => r.x >= LEAST_LIFT_SHARE) : rows("recall");
    const data = { curves, beside: [0, 1].map((x) => ({ x, y: lift ? 1 : x, line: "random" })) };
    Object.assign(this.curve.data, data);
    if (anew) this.curve.draw();
    else this.curve.show(data);
  }

  showPlace(q) {
    const slider = byId("slider");
    for (const each of [slider, byId("dock-slider")]) if (Math.abs(Number(each.value) - q.share) > 0.0005) each.value = String(q.share);
    slider.setAttribute("aria-valuetext", placeSentence(q));
    fill("by-share", String(Number((100 * q.share).toFixed(2))));
    fill("by-number", countText(q.selected));
    fill("by-recall", String(Number((100 * q.recall).toFixed(2))));
    fill("by-threshold", scoreText(q.threshold));
  }

  showResult(table, q, s, now) {
    const why = this.whyNone();
    const money = (x) => moneyText(x, now.unit);
    const found = estimatesAt(table, q, s);
    for (const name of ["profit", "random", "gain", "advantage"]) showEstimate(byId(name), found[name], money, why);
    const [none, all] = [0, 1].map((value) => pointAt(table, { by: "share", value }, s).profit);
    say("rival", none > all ? "selecting nobody" : "selecting everybody");
    say("even", evenSentence(q, breakEven(q, s), this.world.pageData, now.unit));
  }

  /** Why the page shows no interval by itself. */
  whyNone() {
    const why = this.model().whyNoIntervals;
    return why && this.world.bench?.server ? FOLLOWS : why;
  }

  showTable(table, q, s) {
    const why = this.whyNone();
    const [cells, rates] = [cellsAt(table, q, s), ratesAt(table, q, s)];
    for (const cell of CELLS) showEstimate(byId(`cell-${cell}`), cells[cell], countText, why);
    for (const rate of RATES) showEstimate(byId(`rate-${rate}`), rates[rate], percentText, why);
    const { precision } = rates;
    const times = (x) => (x === null ? null : x / q.prevalence);
    const lift = { value: q.lift, low: times(precision.low), high: times(precision.high), why: precision.why };
    showEstimate(byId("rate-lift"), lift, shortText, why);
  }

  showPicker(q, s, now) {
    const { models } = this.world;
    if (models.length < 2 || now.told !== "yes") return;
    const here = models.map((m) => pointAt(m.table, { by: "share", value: q.share }, s).profit);
    [...byId("models").tBodies[0].rows].forEach((row, i) => {
      row.querySelector("input").checked = models[i].name === now.model;
      row.querySelector(".square").style.backgroundColor = colourOf(i);
      const best = `${moneyText(this.best[i].profit, now.unit)} at ${percentText(this.best[i].share)}`;
      const texts = [moneyText(here[i], now.unit), best, this.leads(models[i].name)].map(shownText);
      texts.forEach((text, k) => { if (row.cells[k + 1].textContent !== text) row.cells[k + 1].textContent = text; });
    });
    const first = (values) => models[values.indexOf(Math.max(...values))].name;
    say("winner", winnerSentence(first(here), first(this.best.map((b) => b.profit))));
  }

  /** Say over which stretches of the list a model finds most positives. @param {string} name */
  leads(name) {
    const mine = this.stretches.filter((t) => t.name === name && t.to - t.from > LEAST_STRETCH);
    const told = mine.slice(0, MOST_STRETCHES).map((t) => `${percentText(t.from)} to ${percentText(t.to)}`).join(", ");
    return mine.length > MOST_STRETCHES ? `${told} ...` : told || "over no longer stretch";
  }

  markCharts(q, s, now) {
    const { models, pageData } = this.world;
    const chosen = models.findIndex((m) => m.name === now.model);
    const points = models.map((m, i) => (i === chosen ? q : pointAt(m.table, { by: "share", value: q.share }, s)));
    const kind = (i) => (i === chosen ? { kind: "cross" } : { kind: "dot", colour: colourOf(i) });
    const marks = (y, text) => [
      { kind: "line", x: q.share, dashed: true, colour: "gray" },
      ...points.map((p, i) => ({ ...kind(i), x: q.share, y: y(p) })),
      { kind: "text", x: q.share, y: y(q), text },
    ];
    const { low, high } = this.limits;
    const band = low === null ? [] : [{ kind: "band", x: low, x2: high, colour: colourOf(chosen) }];
    const profit = moneyText(q.profit, now.unit);
    const lift = now.curve === "lift";
    this.profit.mark([...band, ...marks((p) => p.profit, profit)]);
    const found = `${percentText(q.recall)} found`;
    this.curve.mark(lift ? marks((p) => p.lift, `lift ${shortText(q.lift)}`) : marks((p) => p.recall, found));
    const share = percentText(q.share);
    alternative("chart-curve", `${lift ? "Lift" : "Gains"} chart. At ${share} of the population ` +
      `${percentText(q.recall)} of ${pageData.positive} are found, lift ${shortText(q.lift)}.`);
    alternative("chart-profit", `Profit against the share selected. At ${share} it is ${profit}; ${byId("best").textContent}`);
  }
}

/** @param {string} id @param {string} text */
export const alternative = (id, text) => byId(id).setAttribute("aria-label", text);

/** Write into a field, unless somebody is writing there. @param {string} id @param {string} text */
function fill(id, text) {
  const field = byId(id);
  if (field.value === text || field.dataset.typing) return;
  field.value = text;
  mark(field, true);
}

/** Mark a field, and say beneath it what it takes. @param {HTMLElement} field @param {boolean} good
 *  @param {string} range in words */
function mark(field, good, range = "") {
  const id = `${field.id}-takes`;
  byId(id)?.remove();
  if (good) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
    return;
  }
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", id);
  const takes = `Write a number${range}, such as 0.5 or 1,000: a point before decimals, commas between thousands.`;
  field.closest(".fields, td").append(make("p", { id, class: "takes trouble", role: "alert" }, takes));
}
