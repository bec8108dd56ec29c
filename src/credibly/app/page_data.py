"""What the page computes from: every model's full table of scores, its hull, and what only Python can say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._kernels.hull import upper_hull
from credibly.app.arrays import packed
from credibly.app.prediction_store import CONFIDENCE_LEVELS, described
from credibly.app.scenario import command_of
from credibly.app.surface import on_page
from credibly.calibration import Outcomes, grouped, isotonic_curve
from credibly.curves import draw, hull
from credibly.curves._declare import curves
from credibly.decisions import cost_benefit, decision_rules
from credibly.decisions.decide import scored_models
from credibly.decisions.draws import subsamples, units_of
from credibly.decisions.problem import REPEATED_CASES, DecisionProblem
from credibly.decisions.uncertainty import MIN_UNITS, PART_EXPONENT, unit_name
from credibly.errors import CrediblyError, DataError, surface
from credibly.evaluation import evaluate
from credibly.intervals.quantiles import normal_quantile
from credibly.measures import Measure, measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.cost_matrix import as_costs
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.linear import against_rest
from credibly.results.formats import json_ready

if TYPE_CHECKING:
    from credibly.reports.context import ReportContext


VERSION = 1
MAX_CURVE_POINTS = 400  # of each kind of curve: four for each of a hundred columns of a picture
HISTOGRAM_BARS = 40
MAX_SCORE = 1e150  # distances of larger scores overflow a double
ASKED_BY_THE_PAGE = "costs-ignored"
GROUPED_REASON = "the cases come in groups, which a page without its server cannot allow for"
WEIGHTED_REASON = (
    "the cases have importance weights, which a page without its server cannot allow for"
)
CELLS = ("tp", "fp", "fn", "tn")
RATES_OF_CLASSES = ["recall", "specificity"]  # which no share of positives changes
RATES = [*RATES_OF_CLASSES, "precision", "accuracy"]


def page_data(
    predictions: Predictions,
    *,
    title: str = "Predictions",
    listed: bool = True,
    start: Mapping[str, Any] | None = None,
    told: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what the page shows, ready for JSON.

    Parameters
    ----------
    predictions
        Scores or probabilities of two classes, of one model or several; of more classes the positive
        one stands against the rest.
    title
        What the page is about, such as the name of the file.
    listed
        Whether the page can write the list of selected rows itself; without, it asks its server.
    start
        What the page opens with: ``costs``, ``at``, ``population``, ``prevalence``, ``level``.
    told
        The arguments of :func:`credibly.read` that were given for the file.

    >>> from credibly import Predictions
    >>> made = page_data(Predictions.of(["no", "yes", "no", "yes"], score=[1, 4, 2, 3]))
    >>> made["positive"], made["negative"], [m["name"] for m in made["models"]]
    ('yes', 'no', ['model'])
    """
    two = against_rest(as_predictions(predictions, "a page"))
    whole = DecisionProblem.of(two, {"fn": 1, "fp": 1})
    scored, aside = scored_models(whole)
    only = "model" if two.model is None else two.model[0]
    parts = {str(keys.get("model", only)): problem for keys, problem in scored}
    positive, cases = int(two.positive or 0), next(iter(parts.values())).cases
    levels = sorted({*CONFIDENCE_LEVELS, float((start or {}).get("level", CONFIDENCE_LEVELS[-1]))})
    made = {
        "version": VERSION,
        "title": title,
        "positive": str(two.classes[positive]),
        "negative": str(two.classes[1 - positive]),
        "quantiles": {str(level): normal_quantile(1 - level, tails=2) for level in levels},
        "models": [_model(name, problem, listed=listed) for name, problem in parts.items()],
        "weighted_rows": cases.n if cases.given_kind == "importance" else None,
        "hull": _hull({name: q.cases for name, q in parts.items()}),
        "about": described(predictions)["about"],
        "answers": {"report": overview(predictions)} if listed else {},
        "findings": _findings(aside),
        "start": dict(start or {}),
        "command": command_of(title, {**(told or {}), "positive": str(two.classes[positive])}),
    }
    return json_ready(made)


def _model(name: str, problem: DecisionProblem, *, listed: bool) -> dict[str, Any]:
    cases = problem.cases
    problem.scores()  # or say what is missing
    table = ScoreTable.of(cases, "the analyser")
    return {
        "name": name,
        "kind": "score" if cases.probability is None else "probability",
        "score": packed(table.score),
        "positive": packed(table.pos),
        "negative": packed(table.neg),
        "drawn": packed(_drawn(table)),
        "hull": packed(table.hull()),
        "parts": parts_of(problem, table),
        "why_no_intervals": _why_no_intervals(problem),
        "histogram": _histogram(table),
        "calibration": _calibration(cases),
        "list": _list(problem, table) if listed else None,
    }


def _drawn(table: ScoreTable) -> NDArray[np.int64]:
    """Return the cuts through which curves are drawn: those that a picture of some kind can show."""
    small = Predictions.of([0, 1], score=[0, 1])
    table.stand_for(small)
    kept = [table.hull()]
    for name in ("roc", "gains", "precision_recall"):
        thin = draw(curves[name], small).thinned(MAX_CURVE_POINTS)
        assert thin.threshold is not None  # noqa: S101
        kept.append(np.searchsorted(-table.score, -thin.threshold, side="right"))
    return np.unique(np.concatenate(kept))


def _why_no_intervals(problem: DecisionProblem) -> str:
    if problem.repeated or problem.cases.unshared is not None:
        return REPEATED_CASES
    if problem.cases.clusters is not None:
        return GROUPED_REASON
    return WEIGHTED_REASON if problem.cases.weight_kind == "importance" else ""


def _histogram(table: ScoreTable) -> dict[str, list[float]]:
    """Return how the scores of each class are spread, as shares of the class."""
    if not np.abs(table.score).max(initial=0) < MAX_SCORE:
        raise DataError("The scores are too far apart to be drawn. Divide them by a constant.")
    edges = np.histogram_bin_edges(table.score, HISTOGRAM_BARS)
    positive, negative, _ = table.binned(edges)
    return {
        "edges": edges.tolist(),
        "positive": (positive / positive.sum()).tolist(),
        "negative": (negative / negative.sum()).tolist(),
    }


def _calibration(cases: Predictions) -> dict[str, Any] | None:
    """Return the observed share in groups of equal size, and the isotonic curve; none without probabilities."""
    if cases.probability is None:
        return None
    outcomes = Outcomes.of(cases)
    try:
        groups = grouped(outcomes, 10)
        line = isotonic_curve(outcomes).thinned(MAX_CURVE_POINTS)
    except CrediblyError:  # too few cases to say anything
        return None
    names = ("predicted", "observed", "low", "high")
    return {
        "groups": {name: getattr(groups, name).tolist() for name in names},
        "line": {"x": line.x.tolist(), "y": line.y.tolist()},
        "rule": groups.rule,
    }


def _list(problem: DecisionProblem, table: ScoreTable) -> dict[str, Any]:
    """Return the rows in falling order of score, those of one score as they stand in the file."""
    cases = problem.cases
    place = np.searchsorted(-table.score, -problem.scores())
    order = np.argsort(place, kind="stable")
    rows = np.arange(cases.n) if cases.row is None else cases.row
    whole = rows.dtype.kind in "iu" and (rows >= 0).all()
    return {
        "row": packed(rows[order]) if whole else [str(r) for r in rows[order].tolist()],
        "sizes": packed(np.bincount(place, minlength=table.score.size)),
        "positive": packed((cases.truth == cases.positive)[order]),
        "weight": None if cases.weight is None else packed(cases.weight[order]),
    }


def _hull(parts: Mapping[str, Predictions]) -> list[dict[str, Any]]:
    names = {
        "x": "false_positive_rate",
        "y": "true_positive_rate",
        "model": "model",
        "threshold": "threshold",
    }
    points = hull(dict(parts)).points
    return [{key: getattr(q, name) for key, name in names.items()} for q in points]


def _findings(found: Sequence[Finding]) -> list[dict[str, Any]]:
    with surface(on_page):
        return [
            replace(f, message=str(f.message), action=str(f.action)).to_dict()
            for f in dict.fromkeys(found)
            if f.code != ASKED_BY_THE_PAGE
        ]


def overview(predictions: Predictions, **options: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the numbers and findings of a report, with sentences as the page says them."""
    from credibly.reports import report

    with surface(on_page):
        data = dict(report(predictions, **options).document.data)
        data["findings"] = [
            {**f, "message": str(f["message"]), "action": str(f["action"])}
            for f in data["findings"]
        ]
    return json_ready(data)


HULL_SEED, HULL_REPLICATES = 1, 500


def parts_of(problem: DecisionProblem, table: ScoreTable) -> dict[str, Any]:
    """Return the corners of the hull of each part, as cuts of the whole and counts of the part.

    Whatever the costs, the best place of a part is one of its corners, so that these few numbers give
    the limits of ``decide(rule="minimum_cost", rng=1)`` for every cost matrix.
    """
    _, n = units_of(problem)
    m = round(n**PART_EXPONENT)
    stated: dict[str, Any] = {"size": m, "of": n, "unit": unit_name(problem)}
    stated["rate"] = decision_rules["minimum_cost"].rate
    if problem.repeated or n < MIN_UNITS:
        few = f"subsampling needs at least {MIN_UNITS} cases (or groups); there are {n}"
        return stated | {"why": REPEATED_CASES if problem.repeated else few}
    place = np.searchsorted(-table.score, -problem.scores())
    positive = problem.cases.truth == problem.cases.positive
    corners = [
        _corners(place[rows], positive[rows], weight)
        for rows, weight in subsamples(problem, m, seed=HULL_SEED, replicates=HULL_REPLICATES)
    ]
    cut, tp, fp = (np.concatenate(column) for column in zip(*corners, strict=True))
    starts = np.concatenate([[0], np.cumsum([c[0].size for c in corners])])
    columns = {"starts": starts, "cut": cut, "tp": tp, "fp": fp}
    return stated | {"why": ""} | {name: packed(column) for name, column in columns.items()}


def _corners(
    place: NDArray[np.int64], positive: NDArray[np.bool_], weight: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the corners of one part: the cut of the whole, and the part's counts up to it."""
    order = np.argsort(place, kind="stable")
    place, weight = place[order], weight[order]
    last = np.append(np.flatnonzero(np.diff(place)), place.size - 1)
    tp, fp = (
        np.concatenate([[0.0], np.cumsum(weight * side[order])[last]])
        for side in (positive, ~positive)
    )
    at = upper_hull(fp, tp, times=HULL_REPLICATES)
    return np.concatenate([[0], place[last] + 1])[at], tp[at], fp[at]


def outcomes_at(
    p: Predictions,
    threshold: float | None = None,
    taken: float = 1.0,
    *,
    confidence_level: float = 0.95,
    prevalence: Any = None,  # noqa: ANN401
    **place: Any,  # noqa: ANN401
) -> Iterator[dict[str, Any]]:
    """Yield each count of outcomes, and from a threshold on each rate, with its interval.

    A count is what the list brings where that outcome alone brings one: a sum over cases like any other.

    >>> p = Predictions.of([1, 1, 0, 0, 1, 0], score=[6, 5, 4, 3, 2, 1], group=[0, 0, 1, 1, 2, 2], positive=1)
    >>> found = {e["of"]: e["value"] for e in outcomes_at(p, 4.0, 0.5, at="number=2.5")}
    >>> found["tp"], found["fp"], found["precision"]
    (2.0, 0.5, 0.8)
    """
    p = p.scored()
    for cell in CELLS:
        one = {**dict.fromkeys(CELLS, 0.0), cell: -1.0}
        analysis = cost_benefit(
            p, one, confidence_level=confidence_level, prevalence=prevalence, **place
        )
        yield from (
            {"of": cell, **e} for e in analysis.to_dict()["estimates"] if e["measure"] == "profit"
        )
    if threshold is None:
        return
    rates = RATES if prevalence is None else RATES_OF_CLASSES
    table = evaluate(_labelled(p, threshold, taken), rates, confidence_level=confidence_level)
    yield from ({"of": e["measure"], **e} for e in table.to_dict()["estimates"])


def _labelled(p: Predictions, threshold: float, taken: float) -> Predictions:
    """Label cases positive from a threshold on: of those at it, a part of each."""
    positive = p.positive or 0
    score = p.scores_of(positive, "a threshold")
    label = np.where(score >= threshold, positive, 1 - positive)
    if taken >= 1:
        return replace(p, label=label, cache={})
    tied = score == threshold
    split = np.concatenate([np.arange(p.n), np.flatnonzero(tied)])
    weight = np.concatenate([np.where(tied, taken, 1.0), np.full(tied.sum(), 1 - taken)])
    labels = np.concatenate([label, np.full(tied.sum(), 1 - positive)])
    rows = p.take(split)
    return replace(
        rows, label=labels, weight=rows.weights * weight, weight_kind="importance", cache={}
    )


def decided_by_costs(p: Predictions, costs: Mapping[str, float]) -> tuple[Any, Measure]:
    """Return the cases of each model with decided labels, and the measure of what these cost.

    It is what a report with these costs compares models by.

    >>> p = Predictions.of([0, 1, 0, 1], probability=[0.4, 0.6, 0.1, 0.3], model=["a", "a", "b", "b"])
    >>> made, measure = decided_by_costs(p, {"fn": 5, "fp": 1})
    >>> made["a"].label.tolist(), made["b"].label.tolist(), measure.name
    ([1, 1], [0, 1], 'average_cost')
    """
    from credibly.reports.context import ReportContext

    matrix = as_costs(dict(costs), p.classes, p.positive)
    context: ReportContext = ReportContext(p, costs=matrix)
    if context.decided is None:
        why = context.missed[0].message if context.missed else "These costs decide nothing here."
        raise DataError(why)
    return context.decided, measures["average_cost"].given(costs=matrix)
