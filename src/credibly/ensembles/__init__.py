"""Several models as one: estimators that vote, combinations of given predictions, how they differ.

Bagging and AdaBoost are schemes like others (`schemes/_voting.py`), so that they have names and may learn
by the name of a scheme; `ensembles` holds what is made of predictions.

- **One loop**: cases are drawn by their weights, a model learns, it gets a vote. Bagging leaves weights and
  votes equal; AdaBoost moves both by the weighted error. Rows are put in an order that depends on their
  content first, so shuffling them, or writing a case twice instead of weighing it 2, changes nothing.
- **Votes are shares**, and come out of a run as such: the model says who wins a tie, and `margin` curves
  read them. What a fitted model doubts about itself (`findings_`) becomes a finding of the run.
- **Combining** needs no inputs: models are brought into line as for a comparison, and a declared function
  turns what they say into one more model. Stacked weights come from the other folds.
- **Diversity** puts one model in the place of the truth, so that measures of labels and their intervals
  serve.
- **An ensemble curve** is a learning curve whose size is the number of models, with training parts
  predicted too. Every size starts from the same seed, so a smaller ensemble is the beginning of a larger.

scikit-learn is imported only for the estimators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.ensembles._declare import (
        Combination as Combination,
        JointVerdict as JointVerdict,
        Opinions as Opinions,
        combination as combination,
        combinations as combinations,
    )
    from credibly.ensembles.combine import combine as combine
    from credibly.ensembles.diversity import diversity as diversity
    from credibly.ensembles.ensemble_curve import (
        EnsembleCurve as EnsembleCurve,
        ensemble_curve as ensemble_curve,
    )
    from credibly.schemes import (
        AdaBoost as AdaBoost,
        Bagging as Bagging,
        reweighted as reweighted,
        vote_weight as vote_weight,
    )

lazy(__name__)
