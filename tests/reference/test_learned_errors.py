"""Errors of what was learned, written from the papers: every model is fitted again, on the same splits.

Nothing here reads the rows or the sums of the program: twins have splits, scikit-learn's fits and plain loops.
Nested cross-validation, conservative z and Wald intervals of squared errors have their twins in
`tests/running/test_nested.py`, choosing the best in `test_best_of.py` beside this.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from credibly import evaluate, run
from credibly.evaluation.out_of_bag import influences
from credibly.resampling import bootstrap, folds, nested_cv, paired_subsampling

NUMBERS = tuple(a[:48] for a in load_diabetes(return_X_y=True))
CLASSES = tuple(a[::12] for a in load_breast_cancer(return_X_y=True))
EXACT = 1e-10


def squared(model, X, y):
    return [(a - b) ** 2 for a, b in zip(model.predict(X), y, strict=True)]


def wrong(model, X, y):
    return [float(a != b) for a, b in zip(model.predict(X), y, strict=True)]


def brier(model, X, y):
    """Squares of one of two classes: half of Brier's own score."""
    return [(p - b) ** 2 for p, b in zip(model.predict_proba(X)[:, 1], y, strict=True)]


CASES = {
    "least squares": (LinearRegression(), NUMBERS[0][:, :4], NUMBERS[1], "mse", squared),
    "discriminants": (LinearDiscriminantAnalysis(), CLASSES[0][:, :3], CLASSES[1], "error_rate", wrong),
    "neighbours": (KNeighborsClassifier(3), CLASSES[0][:, :2], CLASSES[1], "error_rate", wrong),
    "naive Bayes": (GaussianNB(), CLASSES[0][:, 8:11], CLASSES[1], "brier", brier),
}  # fmt: skip


@pytest.fixture(params=CASES)
def learned(request):
    """Return a scheme, its data, the measure and the losses of a model fitted on some rows at others."""
    model, X, y, measure, losses = CASES[request.param]

    def of(train, test):
        return losses(model.fit(X[train], y[train]), X[test], y[test])

    return model, X, y, measure, of


def of_rule(learned, rule, estimate, **options):
    model, X, y, measure, of = learned
    task = "numeric" if measure == "mse" else "classification"
    p = run(model, X, y, resampling=rule, rng=3, task=task, progress=False)
    (made,) = evaluate(p, measure, estimate=estimate, **options).estimates
    return made, rule.realise(len(y), y, rng=3), of


# --- Bates, Hastie & Tibshirani (2024), algorithm 1


def test_nested_cross_validation(learned):
    made, splits, of = of_rule(learned, nested_cv(k=4, repeats=2), "nested_cv")
    n, k = splits.n, 4
    apart, noise, inner, outer = [], [], [], []
    for repeat in range(2):
        parts = [s.test for s in splits if s.repeat == repeat and not s.inner]
        assert len(parts) == k
        for out in parts:
            inside = []
            for test in parts:
                if test is not out:
                    train = [i for i in range(n) if i not in set(out) and i not in set(test)]
                    inside += of(train, test)
            held = of([i for i in range(n) if i not in set(out)], out)
            apart.append((sum(inside) / len(inside) - sum(held) / len(held)) ** 2)
            noise.append(stats.sem(held) ** 2)
            inner += inside
            outer += held
    naive = np.std(inner, ddof=1) / math.sqrt(n)
    mean_square = (k - 1) / k * (sum(apart) - sum(noise)) / len(apart)
    error = min(max(math.sqrt(max(mean_square, 0)), naive), math.sqrt(k) * naive)
    bias = (1 + (k - 2) / k) * (np.mean(inner) - np.mean(outer))
    assert made.value == pytest.approx(np.mean(inner) - bias, rel=EXACT)
    assert made.interval.standard_error == pytest.approx(error, rel=EXACT)


# --- Nadeau & Bengio (2003), section 4.2


@pytest.mark.daily(learned=["least squares", "discriminants"])
def test_conservative_z(learned):
    made, splits, of = of_rule(
        learned, paired_subsampling(test=0.15, repeats=15, pairs=4), "conservative_z"
    )
    of_all = [np.mean(of(s.train, s.test)) for s in splits if not s.inner]
    halves = {}
    for s in splits:
        if s.inner:
            halves.setdefault(s.repeat, []).append(np.mean(of(s.train, s.test)))
    means = [np.mean(halves[r]) for r in sorted(halves)]
    squares = [(one - other) ** 2 for one, other in zip(means[::2], means[1::2], strict=True)]
    assert (len(of_all), len(squares)) == (15, 4)
    assert made.value == pytest.approx(np.mean(of_all), rel=EXACT)
    error = math.sqrt(sum(squares) / (2 * len(squares)))
    assert made.standard_error == pytest.approx(error, rel=EXACT)


# --- Bayle, Bayle, Janson & Mackey (2020), section 4


@pytest.mark.parametrize("method", ["within_fold", "all_pairs"])
def test_wald_intervals(learned, method):
    made, splits, of = of_rule(learned, folds(k=4), "pooled", interval=method)
    losses = [of(s.train, s.test) for s in splits]
    every = [loss for part in losses for loss in part]
    if method == "within_fold":
        variance = np.mean([np.var(part, ddof=1) for part in losses])
    else:
        variance = sum((loss - np.mean(every)) ** 2 for loss in every) / len(every)
    assert made.value == pytest.approx(np.mean(every), rel=EXACT)
    error = math.sqrt(variance / len(every))
    assert made.interval.standard_error == pytest.approx(error, rel=EXACT)


# --- Efron and Tibshirani, sections 5 and 6 of their paper of 1997


class Drawn:
    """Losses of the models of bootstrap samples on what these lack, and of the model of all cases."""

    def __init__(self, splits, of, y, model, X, measure):
        self.n = n = len(y)
        self.times = [[list(s.train).count(i) for i in range(n)] for s in splits]
        self.losses = [dict(zip(s.test, of(s.train, s.test), strict=True)) for s in splits]
        self.apparent = np.mean(of(range(n), range(n)))
        fitted = model.fit(X, y)
        said = fitted.predict_proba(X)[:, 1] if measure == "brier" else fitted.predict(X)
        self.no_information = np.mean(
            [  # every prediction beside every truth
                float(a != b) if measure == "error_rate" else (a - b) ** 2 for a in said for b in y
            ]
        )

    def of_cases(self, samples):
        """The mean loss of each case over the samples without it (their E_i)."""
        found = []
        for i in range(self.n):
            without = [self.losses[b][i] for b in samples if i in self.losses[b]]
            found.append(sum(without) / len(without))
        return found

    def influence(self, samples):
        """Eq. 36 to 40; losses less their mean, which adds nothing but noise: see the test below."""
        n, centre = self.n, np.mean(self.of_cases(range(len(self.times))))
        error = [sum(loss - centre for loss in self.losses[b].values()) / n for b in samples]
        own, found = self.of_cases(samples), []
        for i in range(n):
            together = np.cov([self.times[b][i] for b in samples], error, ddof=1)[0, 1]
            apart = own[i] - sum(own) / n
            found.append((2 + 1 / (n - 1)) * apart / n + (1 - 1 / n) ** -n * together)
        return np.array(found)

    def moved(self, share):
        """Return the influences, and by eq. 42 and 43 the jackknife variance over samples to take off."""
        every = list(range(len(self.times)))
        left = np.array([self.influence([c for c in every if c != b]) for b in every])
        internal = (len(every) - 1) / len(every) * ((left - left.mean(axis=0)) ** 2).sum()
        return self.influence(every), share**2 * internal


@pytest.mark.daily(learned=["least squares", "discriminants"])
def test_out_of_bag_632_and_632_plus(learned):
    model, X, y, measure, of = learned
    rule = bootstrap(replicates=12)
    splits = [s for s in rule.realise(len(y), y, rng=3) if len(s.test) < len(y)]
    assert len(splits) == 12
    drawn = Drawn(splits, of, y, model, X, measure)
    outside, inside, chance = np.mean(drawn.of_cases(range(12))), drawn.apparent, drawn.no_information  # fmt: skip
    bounded = min(outside, chance)
    rate = (bounded - inside) / (chance - inside) if bounded > inside and chance > inside else 0.0
    weight = 0.632 / (1 - 0.368 * rate)
    expected = {
        "oob": outside,
        "632": 0.368 * inside + 0.632 * outside,
        "632+": (1 - weight) * inside + weight * bounded,
    }
    own = np.array(of(range(drawn.n), range(drawn.n))) - inside
    for name, value in expected.items():
        made, _, _ = of_rule(learned, rule, name, interval="delta_after_bootstrap")
        assert made.value == pytest.approx(value, rel=EXACT), name
        share = 1.0 if name == "oob" else (value - inside) / (outside - inside)
        moved, internal = drawn.moved(share)
        variance = ((share * moved + (1 - share) * own / drawn.n) ** 2).sum() - internal
        if variance <= 0:
            assert made.interval is None
        else:
            assert made.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9), name


def test_losses_less_their_mean_move_as_the_paper_has_it():
    """Over all samples that can be drawn, a case moves nothing but what the paper says.

    Their eq. 37 has the losses themselves. How many cases a sample lacks does not hang on one of them alone, so a
    constant that is taken off each loss changes no influence: here exactly, and with few samples but by noise.
    """
    n = 4
    samples = list(itertools.product(range(n), repeat=n))
    times = np.array([[s.count(i) for i in range(n)] for s in samples], float)
    out = (times == 0).astype(float)
    losses = np.random.default_rng(1).random(times.shape)
    plain, _ = influences(losses, out, times)
    less, _ = influences(losses - 17.0, out, times)
    assert less == pytest.approx(plain, rel=1e-9)
