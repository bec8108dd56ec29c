"""Holding out: one part of the rows is kept for testing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly._core.errors import DataError
from credibly._core.parameters import SWITCH, between
from credibly.resampling._declare import resampling
from credibly.resampling._splits import Plan, others
from credibly.resampling.cross_validation import shuffled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.resampling._rows import Rows

    Indices = NDArray[np.intp]

SHARE = between(0, 1)


@resampling(
    "resubstitution",
    aliases=("training_set", "apparent"),
    cite="Efron, B. (1983) Estimating the error rate of a prediction rule. Journal of the American Statistical Association 78, 316-331.",
)
def resubstitution(rows: Rows) -> Plan:
    """Test on the very rows that were trained on: how well a model fits, not how well it predicts.

    >>> resubstitution.realise(3)[0].test
    array([0, 1, 2])
    """
    every = np.arange(rows.n)
    return Plan(1, lambda _: every, lambda _: every)


@resampling(
    "holdout",
    promises=("disjoint",),
    aliases=("train_test", "hold_out"),
    where={"test": SHARE, "stratified": SWITCH, "swapped": SWITCH},
    cite="Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining, 3rd ed., sec. 5.3.",
)
def holdout(
    rows: Rows,
    rng: np.random.Generator,
    *,
    test: float = 1 / 3,
    stratified: bool = True,
    swapped: bool = False,
) -> Plan:
    """Train on a random part of the rows and test on the rest, a third unless told otherwise.

    ``swapped`` adds a second split with the roles of the two parts exchanged.

    >>> [s.test.size for s in holdout(swapped=True).realise(30, rng=1)]
    [10, 20]
    """
    tested = sample(rows.strata if stratified else None, rows.n, test, rng)
    parts = [tested, others(tested, rows.n)]
    return Plan(1 + swapped, lambda i: parts[i], folds=1 + swapped)


def sample(strata: Indices | None, n: int, share: float, rng: np.random.Generator) -> Indices:
    """Draw a share of the rows, of every class as near to it as whole rows allow.

    Rows are sorted by class, in random order within a class, and taken at equal steps from a
    random start; so a class gives its share of rows, rounded down or up.
    """
    if n < 2:
        msg = "Holding rows out needs at least 2 rows; there is 1."
        raise DataError(msg)
    m = min(max(round(n * share), 1), n - 1)
    steps = np.floor((np.arange(m) + rng.random()) * (n / m)).astype(np.intp)
    return np.sort(shuffled(strata, n, rng)[np.minimum(steps, n - 1)])
