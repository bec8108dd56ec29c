"""Run learning schemes on resampled data; the predictions are kept, so that everything can be judged later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.running.final import FinalModel as FinalModel, final_model as final_model
    from credibly.running.learning_curves import (
        learning_curve as learning_curve,
        run_datasets as run_datasets,
    )
    from credibly.running.run import run as run
    from credibly.running.tuning import (
        nested as nested,
        select as select,
        tuned_threshold as tuned_threshold,
    )

lazy(
    __name__,
    {
        "final": "FinalModel final_model",
        "learning_curves": "learning_curve run_datasets",
        "run": "run",
        "tuning": "nested select tuned_threshold",
    },
)
