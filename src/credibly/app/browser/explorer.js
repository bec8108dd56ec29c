// The explorer: every curve at the same threshold, measures, differences between models, and findings.

import { pointAt, ratesAt, standsFor } from "./arithmetic.js";
import { costEnvelope, curvesAt, operatingRange, tangentOf, tradeOff } from "./curves.js";
import { byId, make, percentText, say, scoreText, shortText } from "./words.js";
import { rangeSentence, tangentSentence } from "./sentences.js";
import { Chart, axis, barsSpec, colourOf, curvesSpec, groupsSpec } from "./charts.js";
import { alternative, placeOf, settingOf } from "./analyser.js";

const UNIT = [0, 1];
// What saying always the same costs; the better of the two.
const TRIVIAL = [[0, 0], [0.5, 0.5], [1, 0]].map(([x, y]) => ({ x, y, line: "trivial" }));
const SEVERITIES = ["problem", "caution", "note"];

export class Explorer {
  /** @param {import("./analyser.js").World} world */
  constructor(world) {
    this.world = world;
    const names = world.models.map((m) => m.name);
    const classes = [world.scene.negative, world.scene.positive];
    const unit = (title) => axis(title, { domain: UNIT });
    const up = (title) => axis(title, { zero: true });
    const specs = {
      roc: curvesSpec(unit("false positive rate"), unit("true positive rate"), names),
      precision: curvesSpec(unit("recall"), up("precision"), names),
      cost: curvesSpec(unit("probability cost"), up("normalised expected cost"), names),
      scores: barsSpec(axis(world.models[0].kind), up("share of the class"), classes),
      calibration: groupsSpec(axis("predicted probability"), up("observed share")),
    };
    this.charts = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, new Chart(byId(`chart-${name}`), spec)]));
    this.stale = true;
    this.showMeasures();
    this.showComparison();
    this.showFindings();
  }

  model() {
    return this.world.models.find((m) => m.name === this.world.store.now.model) ?? this.world.models[0];
  }

  /** Show what is chosen; curves only when they change. */
  update(now, change) {
    this.stale ||= Object.keys(change).some((key) => !["by", "at", "unit", "level", "view", "curve"].includes(key));
    if (now.view !== "explorer") return;
    if (this.stale) this.drawCurves(settingOf(this.world.scene, now));
    this.stale = false;
    this.markCharts(now);
  }

  drawCurves(s) {
    const { models, corners } = this.world;
    const curves = models.map((m) => curvesAt(m.table, m.drawn, s));
    const row = (p, x, y, k) => ({ x: p[x], y: p[y], series: models[k].name });
    const all = (x, y) => curves.flatMap((points, k) => points.map((p) => row(p, x, y, k)));
    const rows = (x, y) => all(x, y).filter((r) => !Number.isNaN(r.y));
    const diagonal = UNIT.map((x) => ({ x, y: x, line: "chance" }));
    const hull = corners.map((q) => ({ x: q.x, y: q.y, line: "hull" }));
    this.charts.roc.show({ curves: rows("alarms", "recall"), beside: [...diagonal, ...hull] });
    const { prevalence } = standsFor(models[0].table, s);
    const random = UNIT.map((x) => ({ x, y: prevalence, line: "random" }));
    this.charts.precision.show({ curves: rows("recall", "precision"), beside: random });
    const envelopes = models.flatMap((m) => costEnvelope(m.table, m.hull).map((p) => ({ ...p, series: m.name })));
    this.charts.cost.show({ curves: envelopes, beside: TRIVIAL });
    this.drawModel();
  }

  /** What is about one model alone. */
  drawModel() {
    const { scene } = this.world;
    const { histogram, calibration } = this.model();
    const { edges } = histogram;
    const bars = (side) => histogram[side].map((y, i) => ({ x: edges[i], right: edges[i + 1], y, series: scene[side] }));
    this.charts.scores.show({ bars: [...bars("negative"), ...bars("positive")] });
    byId("calibration").hidden = !calibration;
    if (!calibration) return;
    const { groups, line } = calibration;
    const end = Math.max(...groups.predicted);
    const start = Math.min(...groups.predicted);
    this.charts.calibration.show({
      groups: groups.predicted.map((x, i) => ({ x, y: groups.observed[i], low: groups.low[i], high: groups.high[i] })),
      curves: line.x.map((x, i) => ({ x, y: line.y[i] })).filter((r) => r.x >= start && r.x <= end),
      beside: [start, end].map((x) => ({ x, y: x })),
    });
  }

  markCharts(now) {
    const { models, corners, scene } = this.world;
    const s = settingOf(scene, now);
    const { table } = this.model();
    const q = pointAt(table, placeOf(now), s);
    const trade = tradeOff(s, q.prevalence);
    const tangent = tangentOf(corners, trade);
    const rates = ratesAt(table, q, s);
    const [fpr, fnr] = [rates.alarms.value, 1 - rates.recall.value];
    const colour = colourOf(models.indexOf(this.model()));
    this.charts.roc.mark([...touching(tangent, colour), { kind: "cross", x: fpr, y: q.recall }]);
    this.charts.precision.mark([{ kind: "cross", x: q.recall, y: q.precision }]);
    const [low, high] = operatingRange(fpr, fnr);
    const at = trade.probabilityCost;
    const cost = { kind: "cross", x: at, y: fnr * at + fpr * (1 - at) };
    const here = Number.isNaN(at) ? [] : [{ kind: "line", x: at, dashed: true }, cost];
    const range = low < high ? [{ kind: "band", x: low, x2: high, colour }] : [];
    this.charts.cost.mark([...range, { kind: "line", x: 0, y: fpr, x2: 1, y2: fnr, colour: "gray" }, ...here]);
    const cut = Number.isFinite(q.threshold) ? [{ kind: "line", x: q.threshold, dashed: true }] : [];
    for (const name of ["scores", "calibration"]) this.charts[name].mark(cut);
    this.explain(q, tangent, { low, high, at });
  }

  explain(q, tangent, { low, high, at }) {
    const { scene } = this.world;
    const range = rangeSentence(low, high, at);
    say("explained", `${tangentSentence(tangent)} ${range}`);
    const here = `Now: score from ${scoreText(q.threshold)}, ${percentText(q.share)} selected.`;
    const rates = `True positive rate ${shortText(q.recall)}, false positive rate ${shortText(q.fp / (q.fp + q.tn))}.`;
    alternative("chart-roc", `ROC curves and their hull. ${here} ${rates}`);
    const precision = `Precision ${percentText(q.precision)} at recall ${percentText(q.recall)}.`;
    alternative("chart-precision", `Precision against recall. ${here} ${precision}`);
    alternative("chart-cost", `Cost curves. ${range}`);
    alternative("chart-scores", `Scores of ${scene.positive} and of ${scene.negative}, ${this.model().name}. ${here}`);
    alternative("chart-calibration", `Observed share against predicted probability in ten groups, ${this.model().name}. ${here}`);
  }

  showMeasures() {
    const { measures } = this.world.scene;
    const titles = [...new Set(measures.map((e) => e.title))];
    const models = [...new Set(measures.map((e) => e.model))];
    const find = (model, title) => measures.find((m) => m.model === model && m.title === title);
    const rows = models.map((m) => [m || this.world.models[0].name, ...titles.map((t) => measureCell(find(m, t)))]);
    fillTable("measures", ["model", ...titles], rows);
  }

  showComparison() {
    const { comparison } = this.world.scene;
    byId("compared").hidden = comparison.length === 0;
    const head = ["first", "second", "measure", "first less second", "interval", "p-value", "test"];
    fillTable("comparison", head, comparison.map((c) => [
      c.first,
      c.second,
      c.measure,
      smallText(c.difference),
      c.low === null ? "no interval" : `${smallText(c.low)} to ${smallText(c.high)}`,
      chanceText(c.adjusted_pvalue ?? c.pvalue),
      c.adjusted_pvalue === undefined ? c.test : `${c.test}, adjusted`,
    ]));
  }

  showFindings() {
    const { findings } = this.world.scene;
    const ranked = [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
    const severity = (f) => make("span", { class: "severity" }, f.severity);
    const items = ranked.map((f) => make("li", { class: f.severity }, severity(f), ` ${f.message} ${f.action}`));
    const none = make("li", { class: "note" }, "No check found anything to doubt.");
    byId("findings").replaceChildren(...(items.length ? items : [none]));
  }
}

/** The line of equal cost, and the corner that it touches. */
function touching(tangent, colour) {
  if (!tangent) return [];
  const { corner, slope, intercept } = tangent;
  const line = Number.isFinite(slope)
    ? { kind: "line", x: 0, y: intercept, x2: 1, y2: intercept + slope, colour }
    : { kind: "line", x: corner.x, colour };
  return [line, { kind: "dot", x: corner.x, y: corner.y, colour }];
}

/** @param {string} id @param {string[]} head @param {(Node|string)[][]} rows the first cell of each names it */
function fillTable(id, head, rows) {
  const cell = (content, i) => make(i ? "td" : "th", i ? {} : { scope: "row" }, content);
  byId(id).replaceChildren(
    make("thead", {}, make("tr", {}, ...head.map((h) => make("th", { scope: "col" }, h)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))),
  );
}

/** A measure with its interval, or why there is none. @param {any} e */
function measureCell(e) {
  if (!e || e.value === null) return make("span", { title: e?.why ?? false }, "undefined");
  const interval = e.low === null ? "no interval" : `${smallText(e.low)} to ${smallText(e.high)}`;
  return make("span", { title: e.why || false },
    make("span", { class: "value" }, String(Number(Number(e.value).toPrecision(4)))),
    make("span", { class: "interval" }, interval));
}

/** @param {any} x */
const smallText = (x) => (x === null || x === undefined ? "undefined" : shortText(Number(x)));

/** @param {any} p */
const chanceText = (p) => (p !== null && Number(p) < 0.0001 ? "below 0.0001" : smallText(p));
