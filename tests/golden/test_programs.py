"""Measures that scikit-learn 1.9 and scipy also have, on random data with ties, weights and many classes.

Everything agrees to 1e-12. Where the others define a case that Credibly leaves undefined, or the
other way round, the last tests say which and why.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
import scipy.integrate
import scipy.stats
from sklearn import metrics as sk

from credibly import Predictions, compare, evaluate
from credibly.intervals import wilson
from credibly.measures import measures
from credibly.predictions.summaries import ScoreTable
from credibly.predictions.summaries.scores import decisions_at

SEEDS = range(6)


def near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-12)


class Classes:
    """A problem of many classes: truth, labels, probabilities with ties, weights or none."""

    def __init__(self, seed, k, n=300):
        rng = np.random.default_rng(seed)
        self.k = k
        self.y = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
        raw = rng.integers(1, 6, (n, k)) + 3.0 * (rng.random((n, k)) < 0.3)
        raw[np.arange(n), self.y] += rng.integers(0, 4, n)
        self.q = raw / raw.sum(axis=1, keepdims=True)
        self.label = np.where(rng.random(n) < 0.7, self.q.argmax(axis=1), rng.integers(0, k, n))
        self.w = None if seed % 2 else np.round(rng.exponential(2.0, n), 1) + 0.1
        self.p = Predictions.of(
            self.y,
            label=self.label,
            probability=self.q,
            classes=range(k),
            positive=1,
            sample_weight=self.w,
        )


@pytest.fixture(params=SEEDS)
def two(request):
    return Classes(request.param, 2)


@pytest.fixture(params=SEEDS)
def many(request):
    return Classes(request.param, 3 + request.param)


class Numbers:
    """Numeric truth and prediction with ties; weights are whole, so that rows can be repeated instead."""

    def __init__(self, seed, n=200):
        rng = np.random.default_rng(seed)
        self.y = np.round(rng.normal(20, 5, n))
        self.v = np.round(self.y + rng.normal(0.5, 3, n))
        self.w = None if seed % 2 else rng.integers(1, 5, n).astype(float)
        self.p = Predictions.of(self.y, value=self.v, sample_weight=self.w)

    def repeated(self):
        times = np.ones(self.y.size, int) if self.w is None else self.w.astype(int)
        return np.repeat(self.y, times), np.repeat(self.v, times)


@pytest.fixture(params=SEEDS)
def numbers(request):
    return Numbers(request.param)


LABELS = {
    "accuracy": sk.accuracy_score,
    "error_rate": sk.zero_one_loss,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "kappa": sk.cohen_kappa_score,
}


@pytest.mark.parametrize("name", LABELS)
def test_measures_of_labels(name, many):
    theirs = LABELS[name](many.y, many.label, sample_weight=many.w)
    assert measures[name](many.p) == near(theirs)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_weighted_kappa(weights, many):
    theirs = sk.cohen_kappa_score(many.y, many.label, weights=weights, sample_weight=many.w)
    assert measures["kappa"](many.p, weights=weights) == near(theirs)


PER_CLASS = {
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "f1": sk.f1_score,
    "fbeta(beta=2)": lambda *a, **k: sk.fbeta_score(*a, beta=2, **k),
}


@pytest.mark.parametrize("name", PER_CLASS)
def test_measures_of_one_class_and_their_averages(name, many):
    m, theirs = measures.parse(name), PER_CLASS[name]

    def given(average):
        return theirs(many.y, many.label, average=average, sample_weight=many.w)

    assert m.by_class(many.p) == near(given(None))
    for average in ("macro", "micro", "weighted"):
        assert m.averaged(many.p, average) == near(given(average))


def test_measures_of_two_classes(two):
    given = {"sample_weight": two.w}
    assert measures["precision"](two.p) == near(sk.precision_score(two.y, two.label, **given))
    assert measures["specificity"](two.p) == near(
        sk.recall_score(two.y, two.label, pos_label=0, **given)
    )
    positive, negative = sk.class_likelihood_ratios(two.y, two.label, **given)
    tpr, fpr = measures["tpr"](two.p), measures["fpr"](two.p)
    assert tpr / fpr == near(positive)
    assert measures["fnr"](two.p) / measures["tnr"](two.p) == near(negative)
    tn, fp, fn, tp = sk.confusion_matrix(two.y, two.label, **given).ravel()
    ours = [measures[m](two.p) for m in ("tn", "fp", "fn", "tp")]
    assert ours == near([tn, fp, fn, tp])


def test_ranking_of_two_classes(two):
    score, given = two.q[:, 1], {"sample_weight": two.w}
    assert measures["auc"](two.p) == near(sk.roc_auc_score(two.y, score, **given))
    assert measures["average_precision"](two.p) == near(
        sk.average_precision_score(two.y, score, **given)
    )


def test_curves(two):
    score, given = two.q[:, 1], {"sample_weight": two.w, "drop_intermediate": False}
    every = ScoreTable.of(two.p).decisions()
    fpr, tpr, cuts = sk.roc_curve(two.y, score, **given)
    assert measures["fpr"].of_summary(every) == near(fpr[1:])
    assert measures["tpr"].of_summary(every) == near(tpr[1:])
    assert ScoreTable.of(two.p).score.tolist() == cuts[1:].tolist()
    precision, recall, _ = sk.precision_recall_curve(two.y, score, **given)
    assert measures["precision"].of_summary(every) == near(precision[:-1][::-1])
    assert measures["recall"].of_summary(every) == near(recall[:-1][::-1])


def test_ranking_of_many_cases():
    """Enough of them to be left to the compiled kernels."""
    rng = np.random.default_rng(5)
    y = (rng.random(120_000) < 0.2).astype(int)
    score = np.round(rng.normal(y, 1.0), 4)
    p = Predictions.of(y, score=score)
    assert measures["auc"](p) == near(sk.roc_auc_score(y, score))
    assert measures["average_precision"](p) == near(sk.average_precision_score(y, score))
    gap = scipy.stats.ks_2samp(score[y == 1], score[y == 0], method="asymp").statistic
    assert measures["ks"](p) == near(gap)
    assert decisions_at(p, [0.25, 1.5]).tp.tolist() == [
        (score[y == 1] >= cut).sum() for cut in (0.25, 1.5)
    ]


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_one_against_the_rest(average, many):
    given = {"average": average, "sample_weight": many.w}
    theirs = sk.roc_auc_score(many.y, many.q, multi_class="ovr", **given)
    assert measures["auc"].averaged(many.p, average) == near(theirs)
    theirs = sk.average_precision_score(many.y, many.q, **given)
    assert measures["average_precision"].averaged(many.p, average) == near(theirs)


def test_one_against_one(many):
    """Scikit-learn takes no weights here; whole weights and repeated rows must come to the same."""
    bare = Predictions.of(many.y, probability=many.q, classes=range(many.k))
    theirs = sk.roc_auc_score(many.y, many.q, multi_class="ovo", average="macro")
    assert measures["hand_till"](bare) == near(theirs)
    times = 1 + np.arange(many.y.size) % 3
    weighted = Predictions.of(
        many.y, probability=many.q, classes=range(many.k), sample_weight=times
    )
    theirs = sk.roc_auc_score(
        np.repeat(many.y, times), np.repeat(many.q, times, axis=0), multi_class="ovo"
    )
    assert measures["hand_till"](weighted) == near(theirs)


def test_losses_of_probabilities(many, two):
    for c in (many, two):
        given = {"sample_weight": c.w}
        log_loss = sk.log_loss(c.y, c.q, **given)
        assert measures["log_loss"](c.p) == near(log_loss)
        assert measures["informational_loss"](c.p) == near(log_loss / math.log(2))
        assert measures["quadratic_loss"](c.p) == near(
            sk.brier_score_loss(c.y, c.q, scale_by_half=False, **given)
        )
    assert measures["brier"](two.p) == near(
        sk.brier_score_loss(two.y, two.q[:, 1], sample_weight=two.w)
    )


NUMERIC = {
    "mse": sk.mean_squared_error,
    "rmse": sk.root_mean_squared_error,
    "mae": sk.mean_absolute_error,
    "median_absolute_error": sk.median_absolute_error,
    "r2": sk.r2_score,
    "mape": sk.mean_absolute_percentage_error,
    "rmsle": sk.root_mean_squared_log_error,
    "pinball(quantile=0.2)": lambda *a, **k: sk.mean_pinball_loss(*a, alpha=0.2, **k),
    "pinball(quantile=0.5)": lambda *a, **k: sk.mean_pinball_loss(*a, alpha=0.5, **k),
}


@pytest.mark.parametrize("name", NUMERIC)
def test_measures_of_numbers(name, numbers):
    theirs = NUMERIC[name](numbers.y, numbers.v, sample_weight=numbers.w)
    assert measures.parse(name).value(numbers.p) == near(theirs)


def test_measures_of_numbers_that_take_no_weights(numbers):
    """Whole weights against repeated rows."""
    y, v = numbers.repeated()
    assert measures["max_error"](numbers.p) == sk.max_error(y, v)
    assert measures["median_absolute_error"](numbers.p) == sk.median_absolute_error(y, v)
    assert measures["pearson"](numbers.p) == near(scipy.stats.pearsonr(y, v).statistic)
    assert measures["spearman"](numbers.p) == near(scipy.stats.spearmanr(y, v).statistic)
    assert measures["kendall"](numbers.p) == near(scipy.stats.kendalltau(y, v).statistic)


def test_statistics_of_two_samples(two):
    score = two.q[:, 1]
    p = Predictions.of(two.y, score=score)
    yes, no = score[two.y == 1], score[two.y == 0]
    assert measures["ks"](p) == near(scipy.stats.ks_2samp(yes, no).statistic)
    u = scipy.stats.mannwhitneyu(yes, no).statistic
    assert measures["concordant_pairs"](p) + measures["tied_pairs"](p) / 2 == u
    assert measures["gini"](p) == near(scipy.stats.somersd(two.y, score).statistic)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
@pytest.mark.parametrize("part", [0, 1, 7, 29, 30])
def test_wilson_interval(part, level):
    theirs = scipy.stats.binomtest(part, 30).proportion_ci(level, method="wilson")
    ours = wilson(part, 30, level)
    assert (ours.low, ours.high) == near((theirs.low, theirs.high))


H_CASES = {
    (1, 40, 0.3, 2): [0.6896695168736, 0.69634467035265, 0.71248289463276],
    (2, 200, 0.5, 1): [0.29355414633398, 0.2980621397915, 0.28125761556133],
    (3, 500, 0.1, 3): [0.32065822388297, 0.24407738112738, 0.21780982835989],
    (4, 60, 0.8, 2): [0.54210165256373, 0.4844979232143, 0.54481512598136],
}


def h_case(seed, n, share, digits):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return y, np.round(1 / (1 + np.exp(-rng.normal(1.2 * y, 1))), digits)


@pytest.mark.parametrize("case", H_CASES, ids=str)
def test_h_measure(case):
    """The same belief about costs, Beta(2, 1 + 1/SR) with SR = pi1/pi0 by default, as the R package's.

    ``H_CASES`` was made by the package hmeasure 0.1.6 from PyPI, a translation of the R package of
    Anagnostopoulos and Hand, under Python 3.11 with numpy 2.4.6 and scikit-learn 1.9.1::

        from hmeasure import h_score
        for case in H_CASES:
            y, s = h_case(*case)
            default = h_score(y, s)
            others = [h_score(y, s, severity_ratio=r) for r in (0.5, 3.0)]
            print([round(float(h), 14) for h in (default, *others)])
    """
    y, s = h_case(*case)
    p = Predictions.of(y, score=s)
    ours = [
        measures["h_measure"](p),
        *(measures["h_measure"](p, severity_ratio=r) for r in (0.5, 3.0)),
    ]
    assert ours == pytest.approx(H_CASES[case], rel=1e-12)
    worthless = Predictions.of(y, score=-s)  # what hmeasure gives too: no scores are better
    assert measures["h_measure"](worthless) < 0.01


def h_by_integration(p, severity_ratio):
    """One minus the ratio of two integrals over the cost c of a false positive, by quadrature.

    At each c the threshold that costs least is used, so no convex hull is needed; between the costs
    at which one threshold takes over from another the integrand is smooth.
    """
    t = ScoreTable.of(p)
    fp, tp = np.append(0, t.fp), np.append(0, t.tp)
    n = t.positives + t.negatives
    wrong_no, wrong_yes = fp / n, (t.positives - tp) / n
    prior1 = t.positives / n
    ratio = prior1 / (1 - prior1) if severity_ratio is None else severity_ratio
    belief = scipy.stats.beta(2, 1 + 1 / ratio)

    def scored(c):
        return (c * wrong_no + (1 - c) * wrong_yes).min() * belief.pdf(c)

    def blind(c):
        return min(c * (1 - prior1), (1 - c) * prior1) * belief.pdf(c)

    with np.errstate(all="ignore"):
        rise, fall = np.subtract.outer(wrong_no, wrong_no), np.subtract.outer(wrong_yes, wrong_yes)
        meet = (fall / (fall - rise)).ravel()
    cuts = np.unique(np.round(np.concatenate([[0, 1, prior1], meet[(meet > 0) & (meet < 1)]]), 15))

    def integral(f):
        # With c = 1 - u^4 the density is smooth at c = 1 as well.
        def by_u(u):
            return f(1 - u**4) * 4 * u**3

        ends = (1 - cuts) ** 0.25
        return math.fsum(
            scipy.integrate.fixed_quad(np.vectorize(by_u), low, high, n=24)[0]
            for high, low in pairwise(ends)
        )

    return 1 - integral(scored) / integral(blind)


@pytest.mark.parametrize("severity_ratio", [None, 0.25, 2.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_h_measure_by_numerical_integration(severity_ratio, weighted):
    rng = np.random.default_rng(11)
    y = (rng.random(40) < 0.4).astype(int)
    s = np.round(rng.normal(y, 1.0))
    w = rng.integers(1, 9, 40) / 4 if weighted else None
    p = Predictions.of(y, score=s, sample_weight=w)
    ours = measures["h_measure"](
        p, **({"severity_ratio": severity_ratio} if severity_ratio else {})
    )
    assert ours == pytest.approx(h_by_integration(p, severity_ratio), abs=1e-10)


def test_where_scikit_learn_says_zero_and_credibly_that_nothing_is_defined():
    """Without a positive case there is no average precision; without a predicted one no precision."""
    y, label, score = [0, 0], [0, 0], [0.1, 0.9]
    assert sk.precision_score(y, label, zero_division=0) == 0
    with pytest.warns(UserWarning, match="No positive class"):
        assert sk.average_precision_score(y, score) == 0
    nobody = Predictions.of(y, label=label, score=score)
    for name in ("average_precision", "precision", "recall", "mcc"):
        assert math.isnan(measures[name](nobody)), name


def test_where_scikit_learn_clips_and_credibly_is_infinite():
    """A certain mistake; scikit-learn takes the smallest step below one for the probability."""
    y, q = [0, 1], [0.5, 0.0]
    assert measures["log_loss"](y, q) == math.inf
    step = float(np.finfo(float).eps)
    assert measures["log_loss"](y, q, clip=step) == near(sk.log_loss(y, q))
    assert measures["mape"]([0.0, 1.0], [1.0, 1.0]) == math.inf
    assert sk.mean_absolute_percentage_error([0.0, 1.0], [1.0, 1.0]) > 1e15


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("limit", [0.1, 0.37, 1.0])
def test_partial_auc_of_scikit_learn(seed, limit):
    rng = np.random.default_rng(seed)
    y = (rng.random(80) < 0.4).astype(int)
    s = (rng.random(80) + 0.4 * y).round(1)
    ours = measures["partial_auc"](y, s, limit=limit)
    assert ours == pytest.approx(sk.roc_auc_score(y, s, max_fpr=limit), abs=1e-12)
    # Along the other axis it is the partial area of the other class.
    other = measures["partial_auc"](1 - y, -s, limit=limit)
    assert measures["partial_auc"](y, s, limit=limit, axis="tpr") == pytest.approx(other, abs=1e-12)


# The data set mtcars of R: engine shape, transmission, gears and weight of 32 cars.
SHAPE = [int(c) for c in "00110101111000000111100001010001"]
MANUAL = [int(c) for c in "11100000000000000111000001111111"]
GEARS = [int(c) for c in "44433334444333333444333334555554"]
WEIGHT = "2.62 2.875 2.32 3.215 3.44 3.46 3.57 3.19 3.15 3.44 3.44 4.07 3.73 3.78 5.25 5.424 5.345 2.2 1.615 1.835 2.465 3.52 3.435 3.84 3.845 1.935 2.14 1.513 3.17 2.77 3.57 2.78"


def logistic(*columns):
    """Return the fitted probabilities of the engine shape, by Newton's method."""
    x, y = np.column_stack([np.ones(32), *columns]), np.array(SHAPE)
    b = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ b))
        b = b + np.linalg.solve(x.T @ (x * (p * (1 - p))[:, None]), x.T @ (y - p))
    return Predictions.of(y, probability=1 / (1 + np.exp(-x @ b)))


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("nri(cutoffs=(0.2, 0.4))", (0.754, 0.341, 1.167)),
        ("nri", (1.413, 0.943, 1.882)),
        ("idi", (0.532, 0.356, 0.709)),
    ],
)
def test_reclassification_of_predictabel(test, expected):
    """The example of reclassificationJS in R's jsmodule 1.6.11, which is PredictABEL's function."""
    old = logistic(MANUAL, GEARS)
    new = logistic(MANUAL, GEARS, [float(w) for w in WEIGHT.split()])
    found = compare(new, old, test=test)
    limits = found.confidence_interval
    assert (found.difference, limits.low, limits.high) == pytest.approx(expected, abs=5e-4)
    assert found.pvalue < 0.001
    assert [f.code for f in found.findings][-1] == "improper-comparison"


def test_likelihood_ratio_and_exact_limits_of_epir():
    """Example 1 of epi.tests in R's epiR 2.0.53: 670 of 744 and 202 of 842 test positive."""
    p = Predictions.from_counts([[640, 202], [74, 670]], classes=[0, 1], positive=1)
    ratio = evaluate(p, "positive_likelihood_ratio", interval="log_normal").estimates[0]
    exact = evaluate(p, ["recall", "specificity"], interval="exact").estimates
    found = [(e.value, e.interval.low, e.interval.high) for e in (ratio, *exact)]
    printed = [(3.75, 3.32, 4.24), (0.90, 0.88, 0.92), (0.76, 0.73, 0.79)]
    for ours, theirs in zip(found, printed, strict=True):
        assert ours == pytest.approx(theirs, abs=0.005)
