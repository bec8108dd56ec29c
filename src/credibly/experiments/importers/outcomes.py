"""Outcomes as results: models are schemes, tasks are datasets, and each task was judged once."""

from __future__ import annotations

from credibly._core.entry_names import MeasureName
from credibly.comparisons.given_models import measure_of, models_by_name
from credibly.evaluation import evaluate
from credibly.experiments.analysis.results import Results
from credibly.measures import Measure
from credibly.predictions import Predictions


def from_outcomes(
    predictions: Predictions,
    measure: MeasureName | Measure | None = None,
    *,
    task: str = "task",
) -> Results:
    """Take outcomes of several models on several tasks, for ranks and wins over tasks.

    :func:`analyse` takes such outcomes as they are, and then tests each task over its cases. For one decision
    about the cases of all tasks use :func:`credibly.benchmarks`.

    Parameters
    ----------
    predictions
        Outcomes, or predictions, with a ``model`` column.
    measure
        A measure of them; the mean of outcomes, or the pass rate, by default.
    task
        The column that names the task of each case.

    >>> p = Predictions.of(outcome={"new": [1, 1, 0, 1], "old": [1, 0, 0, 1]}, columns={"task": list("aabb")})
    >>> from_outcomes(p)
    2 schemes on 2 datasets, 1 split each: pass_rate
    """
    m, _ = measure_of(measure, None, models_by_name(predictions, "from_outcomes"))
    table = evaluate(predictions, m, by=task, interval="none")
    return Results.of(
        [str(e.keys[task]) for e in table],
        [str(e.keys.get("model", "the model")) for e in table],
        {m.call: [e.value for e in table]},
        directions={m.call: m.direction} if m.direction != "neither" else {},
        n_test=[e.n for e in table],
        findings=predictions.findings,
    )


def outcomes_by_task(predictions: Predictions) -> dict[str, Predictions]:
    """Return the outcomes of each task."""
    return {str(keys["task"]): part for keys, part in predictions.groups(["task"])}
