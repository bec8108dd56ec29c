"""Which measures of scores are as right on a few cases as on all: means over pairs of cases, and no others."""

from itertools import combinations

import numpy as np
import pytest

from credibly import Predictions, compare, evaluate
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.measures import measures

SCORES = np.array([0.9, 0.7, 0.65, 0.8, 0.6, 0.5, 0.3, 0.1])
TRUTH = np.array([1, 1, 1, 0, 0, 0, 0, 0])
FOLD = np.array([0, 1, 2, 0, 1, 2, 0, 1])
RANKED = [
    m for m in measures if m.compares_scores and not m.lacks(Predictions.of(TRUTH, score=SCORES))
]


@pytest.mark.parametrize("m", RANKED, ids=lambda m: m.name)
def test_a_mean_over_pairs_is_the_mean_of_its_values_on_few_cases(m):
    """So folds may be averaged; of anything else the mean over folds is off, and all cases are taken together."""
    whole = m.value(Predictions.of(TRUTH, score=SCORES))
    chosen = [np.r_[i, list(j)] for i in range(3) for j in combinations(range(3, 8), 2)]
    parts = [m.value(Predictions.of(TRUTH[rows], score=SCORES[rows])) for rows in chosen]
    mean = np.mean(parts) * (15 / 2 if m.most is not None else 1)  # pairs of all cases are more
    assert m.of_pairs == (mean == pytest.approx(whole))


@pytest.mark.parametrize("apart", [0.0, 1.5, 9.0])
def test_a_number_of_pairs_is_as_uncertain_as_its_share_of_them(apart):
    """How many pairs there are is known: of 228 cases nearly all pairs had been said to be 17 to 12,155."""
    rng = np.random.default_rng(3)
    truth = np.repeat([1, 0], [90, 138])
    p = Predictions.of(truth, score=rng.normal(apart * truth))
    found = evaluate(p, ["auc", "concordant_pairs", "discordant_pairs"])
    share, won, lost = (
        found[name].interval for name in ("auc", "concordant_pairs", "discordant_pairs")
    )
    assert tuple(won) == pytest.approx([90 * 138 * end for end in share])
    assert tuple(lost) == pytest.approx([90 * 138 * (1 - end) for end in reversed(tuple(share))])


@pytest.mark.parametrize("m", RANKED, ids=lambda m: m.name)
def test_what_is_no_mean_over_pairs_stands_for_all_cases_of_the_folds(m):
    p = Predictions.of(TRUTH, score=SCORES, fold=FOLD, n_train=5)
    assert headline_estimate(p, m.name) == ("fold_mean" if m.of_pairs else "pooled")


def test_average_precision_of_folds_is_that_of_all_cases():
    """On folds of three cases it would be 0.83 here, which no case is ranked better for."""
    p = Predictions.of(TRUTH, score=SCORES, fold=FOLD, n_train=5)
    found = evaluate(p, "average_precision")["average_precision"]
    assert found.value == measures["average_precision"].value(Predictions.of(TRUTH, score=SCORES))
    assert found.interval.about == "training"


def test_areas_are_compared_over_the_folds_that_hold_both_classes():
    """As they are evaluated: which folds these are hangs on the cases, whose rest was refused a comparison."""
    p = Predictions.of(np.r_[TRUTH, TRUTH, 0, 0], score=np.r_[SCORES, SCORES[::-1], 0.2, 0.3], fold=np.r_[FOLD, FOLD + 3, 6, 6], n_train=15)  # fmt: skip
    q = Predictions.of(p.truth, score=np.cos(7 * np.arange(p.n)), fold=p.fold, n_train=15)
    result = compare(p, q, "auc")
    assert result.values == tuple(evaluate(each, "auc")["auc"].value for each in (p, q))
    assert result.n == 6
    assert "left-out-folds" in {f.code for f in result.findings}
