"""The one artifact: what was observed and what was predicted, row by row.

- **Predictions** are the one artifact. Columns: `truth`; `label`, `score`, `probability` or `value`;
  `weight` with its kind; `row, model, repeat, fold, part, group`; `baseline` and `n_train`, which describe
  the training part. Class labels are codes into `classes`: -1 in `truth` is an unknown truth, -1 in `label`
  an undecided case. NaN in a score, probability or number is no prediction: `scored()` leaves such rows
  out, and what reads numbers without it is refused, never answered with NaN. What a model lacks while
  others have it is missing in all of its rows (NaN, -2 in `label`): a part of that model alone has no such
  column, `need` refuses the whole by the names of the models, and every verb judges each model by what it
  has (`predictions/outputs.py`). Arrays are copied on the way in and read-only from then on. Derived things
  (the sorted table, the counts) are kept in `cache`, so that one sort serves all measures.
- **Provenance** stands beside the columns: the resampling, fingerprints of splits and data, the seed,
  versions, and every fit with its times, the output that was taken and its error. It is no part of the
  fingerprint, since times differ from run to run.
- **baseline** comes from the training part, because relative errors and information scores compare with a
  rule that could have been used. If it is missing, such measures refuse; they never fall back on the test
  part.
- **Undefined** is NaN with a finding that says why. `ratio()` in `predictions/summaries/linear.py` is the
  only place where a division by zero gets its meaning. Infinite losses are counted apart from the sums, so
  merging and unmerging stay exact.
- **Which rows count** is decided once, when predictions are made (`predictions/parts.py`), so that no verb
  has to remember it. Rows of training and validation parts lie apart in `seen`; slices by part and the
  estimates of a bootstrap read them, nothing else does. A case that its model predicts repeatedly counts
  once: each row has a share of its weight, and `unshared` keeps what was given. `clusters` says which rows
  belong together (groups, blocks of time, repeated predictions of a case), and all inference reads that; in time
  order, `time_steps` says at which moment each row stands.
  `tests/every/test_doors.py` looks through every verb, plot, command and call for one that shows other
  numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.predictions.artifact import Predictions as Predictions
    from credibly.predictions.cost_matrix import CostMatrix as CostMatrix, RowCosts as RowCosts
    from credibly.predictions.provenance import (
        Design as Design,
        Fit as Fit,
        Provenance as Provenance,
    )

lazy(__name__)
