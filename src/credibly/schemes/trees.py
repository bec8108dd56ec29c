"""Decision trees and their ensembles."""

from __future__ import annotations

from functools import partial
from typing import Any

from credibly._core.names import Names
from credibly._core.parameters import between
from credibly.predictions.table import Task
from credibly.schemes._declare import scheme

of_codes = partial(scheme, encoding="codes", takes_missing=True)


@of_codes(
    "Decision tree",
    aliases=Names(
        "cart",
        texts="decision tree",
        sklearn="DecisionTreeClassifier, DecisionTreeRegressor",
        caret="rpart",
        unlike={"J48, C4.5": "Weka's learner splits and prunes in another way"},
    ),
    cite="Breiman, L., Friedman, J. H., Olshen, R. A. & Stone, C. J. (1984) Classification and Regression Trees. Wadsworth.",
)
def tree(task: Task) -> Any:
    """Split the cases again and again at a value of one column (CART), without pruning by default.

    >>> from credibly.schemes import schemes
    >>> schemes["tree"].make("classification", max_depth=3)
    DecisionTreeClassifier(max_depth=3)
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    return DecisionTreeClassifier() if task == "classification" else DecisionTreeRegressor()


@of_codes(
    "Probability estimation tree",
    tasks=("classification",),
    aliases=Names("laplace-tree, pet"),
    constraints={"laplace": between(0, 1000, ends=True)},
    cite="Provost, F. & Domingos, P. (2003) Tree induction for probability-based ranking. Machine Learning 52, 199-215.",
)
def probability_tree(task: Task) -> Any:  # noqa: ARG001
    """Grow a decision tree and add ``laplace`` cases (1) to each class of a leaf: Laplace's estimate.

    No class gets a probability of 0, so that no informational loss is infinite.

    >>> from credibly.schemes import schemes
    >>> schemes["probability-tree"].make("classification", laplace=2)
    ProbabilityTree(laplace=2)
    """
    from credibly.schemes._probability_tree import ProbabilityTree

    return ProbabilityTree()


@of_codes(
    "Random forest",
    aliases=Names(
        texts="random forest",
        weka="RandomForest, random-forest",
        sklearn="RandomForestClassifier, RandomForestRegressor",
        caret="rf",
    ),
    renamed={"trees": "n_estimators"},
    cite="Breiman, L. (2001) Random forests. Machine Learning 45, 5-32.",
)
def forest(task: Task) -> Any:
    """Average ``trees`` (100) decision trees, each grown on a bootstrap sample with random columns at each split.

    >>> from credibly.schemes import schemes
    >>> schemes["forest"].make("numeric", trees=50)
    RandomForestRegressor(n_estimators=50)
    """
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    return RandomForestClassifier() if task == "classification" else RandomForestRegressor()


@of_codes(
    "Gradient boosting",
    aliases=Names(
        "gradient-boosting",
        sklearn="HistGradientBoostingClassifier, HistGradientBoostingRegressor",
        unlike={
            "gbm, GradientBoostingClassifier": "these split at every value; this scheme splits "
            "at bins"
        },
    ),
    cite="Friedman, J. H. (2001) Greedy function approximation: a gradient boosting machine. Annals of Statistics 29, 1189-1232.",
)
def boosting(task: Task) -> Any:
    """Add small trees one by one, each fitted to what the sum so far gets wrong (on histograms).

    >>> from credibly.schemes import schemes
    >>> schemes["boosting"].make("classification", learning_rate=0.05)
    HistGradientBoostingClassifier(learning_rate=0.05)
    """
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    return (
        HistGradientBoostingClassifier()
        if task == "classification"
        else HistGradientBoostingRegressor()
    )
