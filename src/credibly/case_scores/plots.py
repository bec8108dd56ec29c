"""Pictures of kinds of prediction whose measures are means over cases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from credibly._core.arrays import UNIT_RANGE
from credibly._core.text import number_text
from credibly.case_scores._declare import Evidence
from credibly.case_scores.conformal_result import Conformal
from credibly.case_scores.survival_results import ByTime, HorizonCalibration, HorizonDecision
from credibly.evaluation import evaluate
from credibly.predictions import Predictions
from credibly.results.figure import Axis, Figure, Layer
from credibly.results.forest import forest
from credibly.results.interval import level_text
from credibly.results.plot import plot, plot_kind, shows

FIFTHS = ("lowest fifth", "second fifth", "middle fifth", "fourth fifth", "highest fifth")


@plot_kind("Scored cases", of=Evidence)
def scored_cases(found: Evidence) -> Figure:
    """The first of what a kind of prediction shows beside its scores, such as calibration at a time; else its first score.

    >>> import credibly
    >>> credibly.plot(credibly.forecasts([1.0, 2.0, 4.0], members=[[1, 2], [2, 3], [2, 5]]))
    Figure('PIT histogram', 3 layers)
    """
    results = (make() for _, make in found.details())
    first = next((result for result in results if shows(result)), None)
    return plot(found.scored(found.defined()[0]) if first is None else first)


@plot_kind("Coverage of conformal predictions", of=Conformal)
def conformal_coverage(found: Conformal) -> Figure:
    """How often predictions contain the truth, over all cases and by class, or by fifths of the predicted numbers.

    The dashed line is the level that was meant. The guarantee is about all cases, not about each part.

    >>> import numpy as np, credibly
    >>> x = np.random.default_rng(1).normal(size=(2, 300))
    >>> p = credibly.Predictions.of(x.sum(axis=0), value=x[0], row=range(300))
    >>> figure = credibly.plot(credibly.conformal(p[:99], p[99:]))
    >>> figure.y.categories[:2]
    ('all cases', 'lowest fifth')
    """
    if found.sets is not None:
        scored = found.sets.scored("set_coverage")
        part = np.asarray(scored.columns["true_class"])
        order = [c for c in found.sets.classes if c in set(part.tolist())]
    else:
        scored = found.evidence.scored(f"interval_holds(level={found.level!r})")
        middle = (np.asarray(found.low) + np.asarray(found.high)) / 2
        cuts = np.quantile(middle, [0.2, 0.4, 0.6, 0.8])
        part = np.array(FIFTHS, object)[np.searchsorted(cuts, middle, side="right")]
        order = [f for f in FIFTHS if f in set(part.tolist())]
    predictions = Predictions.of(
        outcome=scored.outcome, better="higher", columns={"where": part}, group=scored.group
    )
    each = {e.keys["where"]: e for e in evaluate(predictions, "pass_rate", by="where")}
    estimates = [evaluate(predictions, "pass_rate")["pass_rate"], *(each[name] for name in order)]
    names = ("all cases", *order)
    rows = [(name, e.value, e.interval) for name, e in zip(names, estimates, strict=True)]
    return forest(
        rows,
        "share of cases whose truth is held",
        f"Coverage at a level of {found.level:g}:",
        subtitle=f"{found.heading}; {level_text(e.interval for e in estimates)}",
        spoken=", ".join(f"{name} {number_text(value)}" for name, value, _ in rows),
        dashed=[found.level],
    )


@plot_kind("Score by time", of=ByTime)
def score_by_time(found: ByTime) -> Figure:
    """A score of times to an event at several times, a line for each model, with intervals.

    >>> import credibly
    >>> found = credibly.survival([1, 2, 3, 4], [1, 1, 0, 1], risk=[4, 3, 2, 1])
    >>> credibly.plot(found.by_time("survival_auc", [1.5, 2.5])).x.title
    'time'
    """
    title, times = found.estimates[0].title, found.places
    text = f"{title} from {min(times):g} to {max(times):g}: first {found.estimates[0].value:.3g}."
    return Figure("", Axis("time"), Axis(title), tuple(_lines(found)), text)


def _lines(found: ByTime) -> Iterator[Layer]:
    """Yield a line and a band for each model."""
    for m in dict.fromkeys(e.keys.get("model") for e in found.estimates):
        held = [e for e in found.estimates if e.keys.get("model") == m]
        x, y = [float(e.keys[found.along]) for e in held], [e.value for e in held]  # type: ignore[arg-type]
        ends = [tuple(e.interval) if e.interval else (e.value, e.value) for e in held]
        named = None if m is None else str(m)
        low, high = ([pair[i] for pair in ends] for i in range(2))
        yield Layer.of("band", x=x, low=low, high=high, series=named)
        yield Layer.of("line", x=x, y=y, series=named)


@plot_kind("Decision curve at a time", of=HorizonDecision)
def horizon_decision(found: HorizonDecision) -> Figure:
    """Net benefit by threshold of the risk of an event by a time, a line for each model and for treating all, with intervals.

    >>> import credibly
    >>> found = credibly.survival([1, 2, 3, 4], [1, 1, 0, 1], survival=[0.2, 0.4, 0.8, 0.9], times=2)
    >>> credibly.plot(found.decision_curve(thresholds=[0.2, 0.5])).x.title
    'threshold of the risk'
    """
    top = max(0.05, *(e.interval.high if e.interval else e.value for e in found.estimates))
    none = Layer.of("rule", y=[0.0], emphasis="dashed")
    return Figure(
        "",
        Axis("threshold of the risk", UNIT_RANGE),
        Axis("net benefit", (-top / 2, top)),  # treating all falls without end
        (*_lines(found), none),
        found.meaning(),
        subtitle=f"{found.about}; dashed: nobody is treated",
    )


@plot_kind("Calibration at a time", of=HorizonCalibration)
def horizon_calibration(found: HorizonCalibration) -> Figure:
    """Observed against predicted risks of an event by a time, in groups of similar risk, with intervals.

    >>> import credibly
    >>> found = credibly.survival([1, 2, 3, 4] * 5, [1, 1, 0, 1] * 5, survival=[0.2, 0.4, 0.8, 0.9] * 5, times=2)
    >>> credibly.plot(found.calibration(groups=2)).square
    True
    """
    columns = found.columns()
    gap = max(abs(x - y) for x, y in zip(columns["x"], columns["y"], strict=True))
    return Figure(
        "",
        Axis(f"predicted risk by {found.at:g}", UNIT_RANGE),
        Axis("observed risk (Kaplan-Meier)", UNIT_RANGE),
        (
            Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, emphasis="dashed"),
            Layer.of("points", **columns),
        ),
        f"{len(found.groups)} groups of similar risk; the largest gap is {gap:.3g}.",
        subtitle="dashed: calibrated",
        square=True,
    )
