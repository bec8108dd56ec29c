"""Which interval and which test are taken: tables that are made by asking, for the page about choosing.

Each way of making predictions is made once, small, and asked for a few measures; what comes out is what the
program chooses, whatever the pages say. A new row is a new entry of ``DESIGNS`` or ``EVIDENCE``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from credibly_markup import escape, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from credibly import Predictions

MEASURES = {
    "error_rate": "a share, such as the error rate",
    "auc": "AUC",
    "brier": "a mean over cases, such as the Brier score",
    "f1": "another smooth measure, such as F",
}
ROWS = 90
DESIGNS: dict[str, dict[str, Any]] = {
    "one test set": {"resampling": "holdout"},
    "one test set, cases in groups": {
        "resampling": "grouped_holdout(repeats=1)",
        "groups": [i // 3 for i in range(ROWS)],
    },
    "cross-validation": {"resampling": "3"},
    "repeated cross-validation": {"resampling": "2x3"},
    "cross-validation with whole groups": {
        "resampling": "3",
        "groups": [i // 3 for i in range(ROWS)],
    },
    "nested cross-validation": {"resampling": "nested_cv(k=3, repeats=1)"},
    "paired subsampling": {"resampling": "paired_subsampling(repeats=3, pairs=2, test=0.2)"},
    "leave-one-out": {"resampling": "loo"},
    "bootstrap": {"resampling": "bootstrap(replicates=10)"},
    "folds in the order of time": {"resampling": "time_ordered(k=3)", "time": list(range(ROWS))},
    "independent data sets": {"resampling": "subsets(parts=3, k=2)"},
}
PAIRS = "each pair, adjusted"


def predicted(design: dict[str, Any]) -> Predictions:
    """Return predictions of three models, made as a design says."""
    import numpy as np

    from credibly import run

    rng = np.random.default_rng(1)
    y = np.arange(ROWS) % 2
    inputs = rng.normal(size=(ROWS, 3)) + 0.8 * y[:, None]
    models = dict.fromkeys("ab", "naive-bayes") | {"c": "naive-bayes(var_smoothing=0.5)"}
    return run(models, inputs, y, rng=1, **design)


def interval_cell(p: Predictions, measure: str) -> str:
    from credibly import evaluate
    from credibly.results.about import ABOUT_ONE_MODEL

    e = evaluate(p.where(model="a"), measure).estimates[0]
    way = {"fold_mean": "mean over folds: ", "oob": "out of bag: ", "dataset_mean": "mean: "}
    start = way.get(str(e.keys.get("estimate", "")), "")
    if e.interval is None:
        return escape(f"{start}none; {e.why_no_interval}")
    parts = e.interval.method.split(", ")  # figures in it are facts of the sample
    method = ", ".join(part for part in parts if not re.search(r"\d", part))
    return escape(f"{start}{method}; about {ABOUT_ONE_MODEL[e.interval.about]}")


def test_cell(p: Predictions, measure: str, models: str) -> str:
    from credibly import compare
    from credibly.errors import DataError

    try:
        result = compare({name: p.where(model=name) for name in models}, measure=measure)
    except DataError:
        return "none by itself: the folds are too small"
    if len(models) > 2 and result.whole is None:
        return PAIRS
    return test_link(_first(result))


def test_link(result: Any) -> str:
    return f":ref:`{result.title.partition(',')[0]} <comparison-{result.test}>`"


def _evidence() -> dict[str, Callable[[], Any]]:
    from credibly import Predictions, compare, comparisons

    truth, scores = [0, 1, 1, 0] * 8, [0.1, 0.6, 0.8, 0.7] * 8
    p = Predictions.of(truth, probability=scores, row=range(32))
    q = Predictions.of(truth, probability=[0.3, 0.4, 0.9, 0.5] * 8, row=range(8, 40))
    two = {"a": [0.1, 0.2, 0.3, 0.2, 0.4, 0.3], "b": [0.2, 0.25, 0.28, 0.4, 0.5, 0.31]}
    three = two | {"c": [0.3, 0.2, 0.1, 0.6, 0.3, 0.2]}
    tables = comparisons.DatasetTable
    return {
        "different cases for each model, a share": lambda: compare(
            p, q, measure="error_rate", independent=True
        ),
        "different cases for each model, AUC": lambda: compare(
            p, q, measure="auc", independent=True
        ),
        "different cases for each model, a mean": lambda: compare(
            p, q, measure="brier", independent=True
        ),
        "some cases in common": lambda: compare(p, q, measure="auc", partial=True),
        "one model against a required share": lambda: compare(p, measure="accuracy", against=0.5),
        "one model against a required AUC": lambda: compare(p, measure="auc", against=0.5),
        "two schemes on many datasets": lambda: compare(tables.of(two, measure="error_rate")),
        "several schemes on many datasets": lambda: compare(tables.of(three, measure="error_rate")),
        "two counts: cases that only one gets wrong": lambda: compare(
            comparisons.Discordant(12, 5)
        ),
        "printed AUCs": lambda: compare(
            comparisons.Areas((0.9, 0.8), positives=50, negatives=50, correlation=0.3)
        ),
    }


def choices_tables() -> dict[str, str]:
    """Return the tables as parts of a page."""
    made = {label: predicted(design) for label, design in DESIGNS.items()}
    intervals = [(label, *(interval_cell(p, m) for m in MEASURES)) for label, p in made.items()]
    head = ("how the predictions were made", *MEASURES.values())
    tests = {
        models: [(label, *(test_cell(p, m, models) for m in MEASURES)) for label, p in made.items()]
        for models in ("ac", "abc")
    }
    joint = [row for row in tests["abc"] if set(row[1:]) != {PAIRS}]
    other = [(label, test_link(_first(ask()))) for label, ask in _evidence().items()]
    return {
        "choices-intervals.inc": table(head, intervals, widths="20 20 20 20 20"),
        "choices-two.inc": table(head, tests["ac"], widths="20 20 20 20 20"),
        "choices-several.inc": table(head, joint, widths="20 20 20 20 20"),
        "choices-other.inc": table(("what there is", "test"), other, widths="60 40"),
    }


def _first(result: Any) -> Any:
    """Return the test that is made first of what a comparison returns."""
    whole = getattr(result, "whole", None)
    return whole or (result if hasattr(result, "test") else result.results[0])
