// The explorer: every curve at the same threshold, measures, differences between models, and findings.

import { pointAt, ratesAt, standsFor } from "./arithmetic.js";
import { costEnvelope, curvesAt, operatingRange, tangentOf, tradeOff } from "./curves.js";
import { byId, make, percentText, say, scoreText, shortText } from "./words.js";
import { Chart, axis, barsSpec, colourOf, curvesSpec, groupsSpec } from "./charts.js";
import { alternative, placeOf, settingOf } from "./analyser.js";

const UNIT = [0, 1];
const SEVERITIES = ["problem", "caution", "note"];

export class Explorer {
  /** @param {import("./analyser.js").World} world */
  constructor(world) {
    this.world = world;
    const names = world.models.map((m) => m.name);
    const unit = (title) => axis(title, { domain: UNIT });
    this.charts = {
      roc: new Chart(byId("chart-roc"), curvesSpec(unit("false positive rate"), unit("true positive rate"), names)),
      precision: new Chart(byId("chart-precision"), curvesSpec(unit("recall"), axis("precision", { zero: true }), names)),
      cost: new Chart(byId("chart-cost"), curvesSpec(unit("probability cost"), axis("normalised expected cost", { zero: true }), names)),
      scores: new Chart(byId("chart-scores"), barsSpec(axis(world.models[0].kind), axis("share of the class", { zero: true }), [world.scene.negative, world.scene.positive])),
      calibration: new Chart(byId("chart-calibration"), groupsSpec(axis("predicted probability"), axis("observed share", { zero: true }))),
    };
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
    const rows = (x, y) => curves.flatMap((points, k) => points.map((p) => ({ x: p[x], y: p[y], series: models[k].name })).filter((r) => !Number.isNaN(r.y)));
    const diagonal = UNIT.map((x) => ({ x, y: x, line: "chance" }));
    this.charts.roc.show({ curves: rows("alarms", "recall"), beside: [...diagonal, ...corners.map((q) => ({ x: q.x, y: q.y, line: "hull" }))] });
    const { prevalence } = standsFor(models[0].table, s);
    this.charts.precision.show({ curves: rows("recall", "precision"), beside: UNIT.map((x) => ({ x, y: prevalence, line: "random" })) });
    const envelopes = models.flatMap((m) => costEnvelope(m.table, m.hull).map((p) => ({ ...p, series: m.name })));
    const trivial = [[0, 0, "never"], [0.5, 0.5, "never"], [0.5, 0.5, "always"], [1, 0, "always"]].map(([x, y, line]) => ({ x, y, line }));
    this.charts.cost.show({ curves: envelopes, beside: trivial });
    this.drawModel();
  }

  /** What is about one model alone. */
  drawModel() {
    const { scene } = this.world;
    const { histogram, calibration } = this.model();
    const bars = (side) => histogram[side].map((y, i) => ({ x: histogram.edges[i], right: histogram.edges[i + 1], y, series: scene[side] }));
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
    const steep = tangent && !Number.isFinite(tangent.slope);
    const touching = !tangent ? [] : [
      steep ? { kind: "line", x: tangent.corner.x, colour } : { kind: "line", x: 0, y: tangent.intercept, x2: 1, y2: tangent.intercept + tangent.slope, colour },
      { kind: "dot", x: tangent.corner.x, y: tangent.corner.y, colour },
    ];
    this.charts.roc.mark([...touching, { kind: "cross", x: fpr, y: q.recall }]);
    this.charts.precision.mark([{ kind: "cross", x: q.recall, y: q.precision }]);
    const [low, high] = operatingRange(fpr, fnr);
    const at = trade.probabilityCost;
    const here = Number.isNaN(at) ? [] : [{ kind: "line", x: at, dashed: true }, { kind: "cross", x: at, y: fnr * at + fpr * (1 - at) }];
    const range = low < high ? [{ kind: "band", x: low, x2: high, colour }] : [];
    this.charts.cost.mark([...range, { kind: "line", x: 0, y: fpr, x2: 1, y2: fnr, colour: "gray" }, ...here]);
    for (const name of ["scores", "calibration"]) this.charts[name].mark(Number.isFinite(q.threshold) ? [{ kind: "line", x: q.threshold, dashed: true }] : []);
    this.explain(q, tangent, { low, high, at });
  }

  explain(q, tangent, { low, high, at }) {
    const { scene } = this.world;
    const line = tangent
      ? `For these costs and classes lines of equal cost have the slope ${shortText(tangent.slope)}; the best of them touches the hull at ${tangent.corner.model}${Number.isFinite(tangent.corner.threshold) ? ` from ${scoreText(tangent.corner.threshold)}` : ""}.`
      : "With these costs mistakes pay, so that no line of equal cost touches the hull.";
    const range = low < high ? `This threshold beats both trivial rules for probability costs between ${shortText(low)} and ${shortText(high)}` : "This threshold beats the trivial rules for no probability cost";
    const yours = Number.isNaN(at) ? "" : `; yours is ${shortText(at)}`;
    say("explained", `${line} ${range}${yours}.`);
    const here = `Now: score from ${scoreText(q.threshold)}, ${percentText(q.share)} selected.`;
    alternative("chart-roc", `ROC curves and their hull. ${here} True positive rate ${shortText(q.recall)}, false positive rate ${shortText(q.fp / (q.fp + q.tn))}.`);
    alternative("chart-precision", `Precision against recall. ${here} Precision ${percentText(q.precision)} at recall ${percentText(q.recall)}.`);
    alternative("chart-cost", `Cost curves. ${range}${yours}.`);
    alternative("chart-scores", `Scores of ${scene.positive} and of ${scene.negative}, ${this.model().name}. ${here}`);
    alternative("chart-calibration", `Observed share against predicted probability in ten groups, ${this.model().name}. ${here}`);
  }

  showMeasures() {
    const { measures } = this.world.scene;
    const titles = [...new Set(measures.map((e) => e.title))];
    const models = [...new Set(measures.map((e) => e.model))];
    const cell = (model, title) => {
      const e = measures.find((m) => m.model === model && m.title === title);
      if (!e || e.value === null) return make("td", { title: e?.why ?? false }, "undefined");
      const interval = e.low === null ? "no interval" : `${shortText(e.low)} to ${shortText(e.high)}`;
      return make("td", { title: e.why || false }, make("span", { class: "value" }, String(Number(Number(e.value).toPrecision(4)))), make("span", { class: "interval" }, interval));
    };
    byId("measures").replaceChildren(
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "model"), ...titles.map((t) => make("th", { scope: "col" }, t)))),
      make("tbody", {}, ...models.map((m) => make("tr", {}, make("th", { scope: "row" }, m || this.world.models[0].name), ...titles.map((t) => cell(m, t))))),
    );
  }

  showComparison() {
    const { comparison } = this.world.scene;
    byId("compared").hidden = comparison.length === 0;
    const head = ["first", "second", "measure", "first less second", "interval", "p-value", "test"];
    const text = (x) => (x === null || x === undefined ? "undefined" : shortText(Number(x)));
    const row = (c) => [c.first, c.second, c.measure, text(c.difference), c.low === null ? "no interval" : `${text(c.low)} to ${text(c.high)}`, chanceText(c.adjusted_pvalue ?? c.pvalue), c.adjusted_pvalue === undefined ? c.test : `${c.test}, adjusted`];
    byId("comparison").replaceChildren(
      make("thead", {}, make("tr", {}, ...head.map((h) => make("th", { scope: "col" }, h)))),
      make("tbody", {}, ...comparison.map((c) => make("tr", {}, ...row(c).map((t, i) => (i ? make("td", {}, t) : make("th", { scope: "row" }, t)))))),
    );
  }

  showFindings() {
    const { findings } = this.world.scene;
    const ranked = [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
    const items = ranked.map((f) => make("li", { class: f.severity }, make("span", { class: "severity" }, f.severity), ` ${f.message} ${f.action}`));
    byId("findings").replaceChildren(...(items.length ? items : [make("li", { class: "note" }, "No check found anything to doubt.")]));
  }
}

/** @param {any} p */
const chanceText = (p) => (p === null || p === undefined ? "undefined" : Number(p) < 0.0001 ? "below 0.0001" : shortText(Number(p)));
