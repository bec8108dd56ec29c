// The explorer: every curve at the same threshold, measures, differences between models, and findings.

import { pointAt, ratesAt, standsFor } from "./arithmetic.js";
import { costEnvelope, curvesAt, operatingRange, tangentOf, tradeOff } from "./curves.js";
import { byId, percentText, say, scoreText, shortText, shownText } from "./words.js";
import { rangeSentence, tangentSentence } from "./sentences.js";
import { Chart, axis, barsSpec, colourOf, curvesSpec, groupsSpec } from "./charts.js";
import { alternative, placeOf, settingOf } from "./analyser.js";

const UNIT = [0, 1];
// What saying always the same costs; the better of the two.
const TRIVIAL = [[0, 0], [0.5, 0.5], [1, 0]].map(([x, y]) => ({ x, y, line: "trivial" }));

export class Explorer {
  /** @param {import("./analyser.js").World} world */
  constructor(world) {
    this.world = world;
    const names = world.models.map((m) => shownText(m.name));
    const classes = [world.pageData.negative, world.pageData.positive].map(shownText);
    const unit = (title) => axis(title, { domain: UNIT });
    const up = (title) => axis(title, { zero: true });
    const specs = {
      roc: curvesSpec(unit("false positive rate"), unit("true positive rate"), names, true),
      precision: curvesSpec(unit("recall"), up("precision"), names),
      cost: curvesSpec(unit("probability cost"), up("normalised expected cost"), names),
      scores: barsSpec(axis(world.models[0].kind), up("share of the class"), classes),
      calibration: groupsSpec(axis("predicted probability"), up("observed share")),
    };
    this.charts = Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, new Chart(byId(`chart-${name}`), spec)]));
    this.stale = true;
    byId("curves-slider").oninput = (event) => world.store.set({ by: "share", at: Number(event.target.value) }, "slide");
  }

  model() {
    return this.world.models.find((m) => m.name === this.world.store.now.model) ?? this.world.models[0];
  }

  /** Show what is chosen; curves only when they change. */
  update(now, change) {
    this.stale ||= Object.keys(change).some((key) => !["by", "at", "unit", "level", "curve"].includes(key));
    if (this.stale) this.drawCurves(settingOf(this.world.pageData, now));
    this.stale = false;
    this.markCharts(now);
  }

  drawCurves(s) {
    const { models, corners } = this.world;
    const curves = models.map((m) => curvesAt(m.table, m.drawn, s));
    const row = (p, x, y, k) => ({ x: p[x], y: p[y], series: shownText(models[k].name) });
    const all = (x, y) => curves.flatMap((points, k) => points.map((p) => row(p, x, y, k)));
    const rows = (x, y) => all(x, y).filter((r) => !Number.isNaN(r.y));
    const diagonal = UNIT.map((x) => ({ x, y: x, line: "chance" }));
    const hull = corners.map((q) => ({ x: q.x, y: q.y, line: "hull" }));
    this.charts.roc.show({ curves: rows("alarms", "recall"), beside: diagonal, hull });
    const { prevalence } = standsFor(models[0].table, s);
    const random = UNIT.map((x) => ({ x, y: prevalence, line: "random" }));
    this.charts.precision.show({ curves: rows("recall", "precision"), beside: random });
    const envelopes = models.flatMap((m) => costEnvelope(m.table, m.hull).map((p) => ({ ...p, series: shownText(m.name) })));
    this.charts.cost.show({ curves: envelopes, beside: TRIVIAL });
    this.drawModel();
  }

  /** What is about one model alone. */
  drawModel() {
    const { pageData } = this.world;
    const whose = this.world.models.length > 1 ? `of ${this.model().name}` : "";
    for (const place of document.querySelectorAll(".whose")) place.textContent = shownText(whose);
    const { histogram, calibration } = this.model();
    const { edges } = histogram;
    const bars = (side) => histogram[side].map((y, i) => ({ x: edges[i], right: edges[i + 1], y, series: shownText(pageData[side]) }));
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
    const { models, corners, pageData } = this.world;
    const s = settingOf(pageData, now);
    const { table } = this.model();
    const q = pointAt(table, placeOf(now), s);
    const told = now.told === "yes";
    const trade = tradeOff(s, q.prevalence);
    const tangent = told ? tangentOf(corners, trade) : null;
    const rates = ratesAt(table, q, s);
    const [fpr, fnr] = [rates.alarms.value, 1 - rates.recall.value];
    const colour = colourOf(models.indexOf(this.model()));
    this.charts.roc.mark([...touching(tangent, colour), { kind: "cross", x: fpr, y: q.recall }]);
    this.charts.precision.mark([{ kind: "cross", x: q.recall, y: q.precision }]);
    const [low, high] = operatingRange(fpr, fnr);
    const at = told ? trade.probabilityCost : NaN;
    const cost = { kind: "cross", x: at, y: fnr * at + fpr * (1 - at) };
    const here = Number.isNaN(at) ? [] : [{ kind: "line", x: at, dashed: true }, cost];
    const range = low < high ? [{ kind: "band", x: low, x2: high, colour }] : [];
    this.charts.cost.mark([...range, { kind: "line", x: 0, y: fpr, x2: 1, y2: fnr, colour: "gray" }, ...here]);
    const cut = Number.isFinite(q.threshold) ? [{ kind: "line", x: q.threshold, dashed: true }] : [];
    for (const name of ["scores", "calibration"]) this.charts[name].mark(cut);
    this.explain(q, tangent, { low, high, at, free: trade.free });
  }

  explain(q, tangent, { low, high, at, free }) {
    const { pageData } = this.world;
    const range = rangeSentence(low, high, at);
    const told = this.world.store.now.told === "yes";
    say("explained", told ? `${tangentSentence(tangent, free)} ${range}` : range);
    const where = `${percentText(q.share)} of the list, score from ${scoreText(q.threshold)}`;
    say("curves-here", where);
    if (Math.abs(Number(byId("curves-slider").value) - q.share) > 0.0005) byId("curves-slider").value = String(q.share);
    say("curves-sentence", `At ${where}, ${this.world.bench.nameOf(this.model().name)} finds ${percentText(q.recall)} of ${pageData.positive} and takes ${percentText(q.fp / (q.fp + q.tn))} of ${pageData.negative} with it.`);
    const here = `Now: score from ${scoreText(q.threshold)}, ${percentText(q.share)} selected.`;
    const rates = `True positive rate ${shortText(q.recall)}, false positive rate ${shortText(q.fp / (q.fp + q.tn))}.`;
    alternative("chart-roc", `ROC curves and their hull. ${here} ${rates}`);
    const precision = `Precision ${percentText(q.precision)} at recall ${percentText(q.recall)}.`;
    alternative("chart-precision", `Precision against recall. ${here} ${precision}`);
    alternative("chart-cost", `Cost curves. ${range}`);
    alternative("chart-scores", `Scores of ${pageData.positive} and of ${pageData.negative}, ${this.model().name}. ${here}`);
    alternative("chart-calibration", `Observed share against predicted probability in ten groups, ${this.model().name}. ${here}`);
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
