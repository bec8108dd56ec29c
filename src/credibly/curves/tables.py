"""One table that sets the lift chart, the ROC curve and the precision-recall curve beside each other."""

from __future__ import annotations

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.text import number_text
from credibly.curves._declare import curves
from credibly.curves.curve import slices, summarise
from credibly.curves.thresholds import rates
from credibly.errors import DataError
from credibly.predictions import Predictions
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.linear import ratio
from credibly.results.formats import by_row
from credibly.results.result import Cells, Result

# Title of each column; the lift chart plots TP against the share of cases, the ROC curve TPR against
# FPR, the precision-recall curve precision against recall.
COLUMN_TITLES = {
    "threshold": "threshold",
    "labelled": "cases",
    "share": "share (lift x)",
    "tp": "TP (lift y)",
    "lift": "lift",
    "fpr": "FPR (ROC x)",
    "tpr": "TPR, recall (ROC y, PR x)",
    "precision": "precision (PR y)",
    "area": "ROC area so far",
}


class ThresholdTable(Result):
    """The points of three curves at the same thresholds, a row each."""

    columns: dict[str, Floats]

    versioned = True
    json_keys = "rows"

    def rows(self) -> list[dict[str, float]]:
        """Return one dictionary for each threshold."""
        return by_row(self.columns)

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        body = [[number_text(v) for v in row.values()] for row in self.rows()]
        return [COLUMN_TITLES[k] for k in self.columns], body


@door
def threshold_table(predictions: Predictions, *, points: int = 11) -> ThresholdTable:
    """Set lift, ROC and precision-recall beside each other at thresholds that share out the cases evenly.

    The last column is the area under the ROC curve from the left up to that point, by trapezoids: in
    the last row the whole AUC, as Zaki and Meira's algorithm 22.1 adds it up.

    Parameters
    ----------
    predictions
        Of one model, with a score or probability.
    points
        At most this many thresholds; all of them if the scores have no more distinct values.

    >>> from credibly import Predictions
    >>> t = threshold_table(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]))
    >>> t.columns["lift"].tolist(), t.columns["fpr"].tolist()
    ([2.0, 1.0, 1.3333333333333333, 1.0], [0.0, 0.5, 0.5, 1.0])
    """
    parts = list(slices(predictions, None))
    if len(parts) > 1:
        raise DataError("These predictions are by several models: select one.")
    t = summarise(curves["roc"], parts[0][1], {})
    assert isinstance(t, ScoreTable)  # noqa: S101
    labelled, total = t.tp + t.fp, t.positives + t.negatives
    wanted = np.searchsorted(labelled, np.linspace(0, 1, points) * total)
    at = np.unique(np.minimum(wanted, t.score.size - 1))
    at = np.arange(t.score.size) if t.score.size <= points else at
    tp, fp, cases = t.tp[at], t.fp[at], labelled[at]
    share, recall = cases / total, tp / t.positives
    fpr, tpr = rates(t)
    area = (np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2).cumsum()
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
            "area": area[at],
        }
    )
