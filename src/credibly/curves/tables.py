"""One table that sets the lift chart, the ROC curve and the precision-recall curve beside each other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.display import Printed
from credibly._core.doors import door
from credibly._core.errors import DataError
from credibly._core.text import number_text, plain_table
from credibly.curves._declare import curves
from credibly.curves.curve import slices, summarise
from credibly.predictions import Predictions
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.counts import ratio
from credibly.results.formats import SCHEMA_VERSION, frame_of, json_ready

if TYPE_CHECKING:
    from credibly._core.arrays import Floats


# Title of each column; the lift chart plots TP against the share of cases, the ROC curve TPR against
# FPR, the precision-recall curve precision against recall.
COLUMNS = {
    "threshold": "threshold",
    "labelled": "cases",
    "share": "share (lift x)",
    "tp": "TP (lift y)",
    "lift": "lift",
    "fpr": "FPR (ROC x)",
    "tpr": "TPR, recall (ROC y, PR x)",
    "precision": "precision (PR y)",
}


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdTable(Printed):
    """The points of three curves at the same thresholds, a row each."""

    columns: dict[str, Floats]

    def rows(self) -> list[dict[str, float]]:
        """Return one dictionary a threshold."""
        values = zip(*(c.tolist() for c in self.columns.values()), strict=True)
        return [dict(zip(self.columns, row, strict=True)) for row in values]

    def frame(self, backend: Any = "pandas") -> Any:  # noqa: ANN401
        """Return the rows as a frame of ``backend`` (pandas, polars, pyarrow)."""
        return frame_of({k: c.tolist() for k, c in self.columns.items()}, backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON but for NaN and infinity."""
        return {"schema_version": SCHEMA_VERSION, "rows": self.rows()}

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON with full precision."""
        return json.dumps(json_ready(self.to_dict()), indent=indent)

    def __str__(self) -> str:
        body = [[number_text(v) for v in row.values()] for row in self.rows()]
        return plain_table([COLUMNS[k] for k in self.columns], body)

    def __repr__(self) -> str:
        return str(self)


@door
def threshold_table(predictions: Predictions, *, points: int = 11) -> ThresholdTable:
    """Set lift, ROC and precision-recall beside each other at thresholds that share out the cases evenly.

    >>> from credibly import Predictions
    >>> t = threshold_table(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]))
    >>> t.columns["lift"].tolist(), t.columns["fpr"].tolist()
    ([2.0, 1.0, 1.3333333333333333, 1.0], [0.0, 0.5, 0.5, 1.0])
    """
    parts = list(slices(predictions, None))
    if len(parts) > 1:
        raise DataError(
            "These predictions are of several models: take those of one with .take(...)."
        )
    t = summarise(curves["roc"], parts[0][1], {})
    assert isinstance(t, ScoreTable)  # noqa: S101
    labelled, total = t.tp + t.fp, t.positives + t.negatives
    wanted = np.searchsorted(labelled, np.linspace(0, 1, points) * total)
    at = np.unique(np.minimum(wanted, t.score.size - 1))
    at = np.arange(t.score.size) if t.score.size <= points else at
    tp, fp, cases = t.tp[at], t.fp[at], labelled[at]
    share, recall = cases / total, tp / t.positives
    return ThresholdTable(
        {
            "threshold": t.score[at],
            "labelled": cases,
            "share": share,
            "tp": tp,
            "lift": ratio(recall, share),
            "fpr": fp / t.negatives,
            "tpr": recall,
            "precision": ratio(tp, cases),
        }
    )
