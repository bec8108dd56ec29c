"""The list of selected cases as CSV, the same that a page without a server writes (exports.js)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from credibly.app.csv_text import as_csv
from credibly.predictions import Predictions


def list_of(selected: Predictions, beside: Sequence[str] = ()) -> str:
    """Write selected cases: being selected is to be labelled positive, whatever the score.

    ``beside`` are columns of the user's file to write too.

    >>> from credibly import Predictions, cost_benefit
    >>> p = Predictions.of(["no", "yes", "no"], probability=[0.25, 0.4, 0.3])
    >>> list_of(cost_benefit(p, {"fn": 5, "fp": 1}).selected()).splitlines()
    ['row,truth,label,probability', '1,yes,yes,0.4']
    """
    positive = int(selected.positive or 0)
    label = selected.classes[positive]
    columns: dict[str, list[Any]] = {
        "row": list(range(selected.n)) if selected.row is None else selected.row.tolist(),
        "truth": [selected.classes[code] for code in selected.truth.tolist()],
        "label": [label] * selected.n,
        "score" if selected.probability is None else "probability": selected.scores_of(
            positive, "the list"
        ).tolist(),
    }
    if selected.weight is not None:
        columns["weight"] = selected.weight.tolist()
    columns |= {name: selected.columns[name].tolist() for name in beside if name not in columns}
    return as_csv(columns, zip(*columns.values(), strict=True))
