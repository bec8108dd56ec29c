"""What the page computes from: every model's full table of scores, its hull, and what only Python can say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly.app.arrays import packed
from credibly.app.hulls_of_parts import parts_of
from credibly.app.prediction_store import CONFIDENCE_LEVELS, described
from credibly.app.scenario import command_of
from credibly.app.surface import on_page
from credibly.calibration import Outcomes, grouped, isotonic_curve
from credibly.curves import draw, hull
from credibly.curves._declare import curves
from credibly.decisions.decide import scored_models
from credibly.decisions.problem import REPEATED_CASES, DecisionProblem
from credibly.errors import CrediblyError, DataError, surface
from credibly.intervals.quantiles import normal_quantile
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.linear import against_rest
from credibly.results.formats import json_ready

VERSION = 1
MAX_CURVE_POINTS = 400  # of each kind of curve: four for each of a hundred columns of a picture
HISTOGRAM_BARS = 40
MAX_SCORE = 1e150  # distances of larger scores overflow a double
ASKED_BY_THE_PAGE = "costs-ignored"
GROUPED_REASON = "the cases come in groups, which a page without its server cannot allow for"
WEIGHTED_REASON = (
    "the cases have importance weights, which a page without its server cannot allow for"
)


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
    two = against_rest(as_predictions(predictions, "scene"))
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
