"""Run learning schemes on resampled data; the predictions are kept, so that everything can be judged later.

`run` is the only caller of users' models. It realises a resampling once, hands (scheme, split) tasks to
joblib and puts the results together in a fixed order, so the predictions are the same for any number of
processes and any backend.

- **A task** knows its rows by number; data travel once. It returns what it predicted or its error as data.
  What a dead worker took with it is run again, at last each task in a process of its own; Ctrl-C keeps what
  is done. Each fit has a seed of its own, made from the run's seed and the place of its split.
- **Exact shortcuts** (`running/shortcuts`) give the held-out predictions of some schemes without refitting,
  where that is provably the same; splits they do not vouch for are refitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.running.boundaries import (
        DecisionBoundaries as DecisionBoundaries,
        decision_boundaries as decision_boundaries,
    )
    from credibly.running.data_sets import run_datasets as run_datasets
    from credibly.running.final import FinalModel as FinalModel, final_model as final_model
    from credibly.running.learning_curves import (
        learning_curve as learning_curve,
    )
    from credibly.running.run import run as run
    from credibly.running.scorers import Scorer as Scorer, scorer as scorer
    from credibly.running.theories import (
        TheorySize as TheorySize,
        TheorySizes as TheorySizes,
        theory_size as theory_size,
        theory_sizes as theory_sizes,
    )
    from credibly.running.tuning import (
        nested as nested,
        select as select,
        tuned_threshold as tuned_threshold,
    )
    from credibly.running.two_attributes import (
        ClassScatter as ClassScatter,
        class_scatter as class_scatter,
    )

lazy(__name__)
