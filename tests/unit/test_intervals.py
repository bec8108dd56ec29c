"""Intervals of measures: agreement with other roads to the same number, edges and bad input."""

import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, compare, curve, evaluate
from credibly.intervals import proportion_interval, proportion_methods
from credibly.intervals._declare import EstimateRequest
from credibly.intervals.bootstrap import bootstrap
from credibly.intervals.influence import influence
from credibly.intervals.left_out import left_out
from credibly.intervals.methods import interval_for
from credibly.intervals.row_bootstrap import bootstrap_rows
from credibly.intervals.standard_errors import standard_error
from credibly.measures import auc, measures
from credibly.predictions.summaries import ScoreTable

PANEL = ("accuracy", "recall", "fbeta", "mcc", "auc", "average_precision", "brier", "log_loss")


def binary(n, seed, prevalence=0.4, decimals=2, **columns):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    p = np.clip(rng.normal(0.35 + 0.3 * y, 0.2), 0.01, 0.99).round(decimals)
    return Predictions.of(y, probability=p, **columns)


def delong_by_pairs(y, s):
    """DeLong's variance from the definition: placements of each case among those of the other class."""
    positive, negative = s[y == 1], s[y == 0]
    wins = (positive[:, None] > negative) + (positive[:, None] == negative) / 2
    return wins.mean(axis=1).var(ddof=1) / len(positive) + wins.mean(axis=0).var(ddof=1) / len(
        negative
    )


@pytest.mark.parametrize("seed", range(5))
def test_influence_of_an_auc_is_delongs_variance(seed):
    p = binary(150, seed, decimals=1)
    error, _ = standard_error(influence(auc, p), p, by_class=True)
    assert error**2 == pytest.approx(delong_by_pairs(p.truth, p.probability), rel=1e-8)


def test_delong_is_normal_and_hanley_mcneil_from_the_model():
    p = binary(300, 1)
    value = auc.value(p)
    half = 1.959963984540054 * np.sqrt(delong_by_pairs(p.truth, p.probability))
    limits = evaluate(p, "auc", interval="delong")["auc"].interval
    assert (limits.low, limits.high) == pytest.approx((value - half, value + half), rel=1e-8)
    q1, q2 = value / (2 - value), 2 * value**2 / (1 + value)
    m, n = p.truth.sum(), (1 - p.truth).sum()
    variance = (value * (1 - value) + (m - 1) * (q1 - value**2) + (n - 1) * (q2 - value**2)) / (
        m * n
    )
    limits = evaluate(p, "auc", interval="hanley_mcneil")["auc"].interval
    assert limits.high - limits.low == pytest.approx(
        2 * 1.959963984540054 * np.sqrt(variance), rel=1e-9
    )


def test_influence_of_a_mean_is_its_standard_error():
    p = binary(200, 2)
    losses = measures["brier"].losses(p)[:, 0]
    error, freedom = standard_error(influence(measures["brier"], p), p, by_class=False)
    assert error == pytest.approx(losses.std(ddof=1) / np.sqrt(200), rel=1e-8)
    assert freedom <= 199


def test_an_area_near_one_is_not_said_to_be_known_by_a_few_cases():
    """228 cases, of which two positives score low: a t with 2.7 degrees of freedom gave 0.88 to 1.00."""
    truth = np.repeat([1, 0], [90, 138])
    score = np.concatenate([np.linspace(1, 2, 88), [0.2, 0.6], np.linspace(0, 0.99, 138)])
    p = Predictions.of(truth, score=score)
    e = evaluate(p, "auc")["auc"]
    assert e.interval.method == "DeLong or Newcombe, the larger error, Wilson's form"
    assert 0.93 < e.interval.low < e.value < e.interval.high < 0.998
    gini = evaluate(p, "gini")["gini"].interval
    assert tuple(gini) == pytest.approx([2 * x - 1 for x in e.interval])


@pytest.mark.parametrize("measure", ["auc", "brier", "log_loss", "mcc", "fbeta", "kappa"])
def test_the_test_of_a_value_rejects_what_the_interval_does_not_hold(measure):
    p = binary(80, seed=3)
    limits = evaluate(p, measure)[measure].interval
    for end in limits:
        assert compare(p, measure=measure, against=end).pvalue == pytest.approx(0.05, abs=1e-9)


@pytest.mark.daily(seed=range(0, 20, 4))
@pytest.mark.parametrize("seed", range(20))
def test_bootstrap_and_influence_agree_within_monte_carlo_error(seed):
    n = 2000 + 100 * seed
    p = binary(n, seed, prevalence=0.2 + 0.03 * seed)
    drawn = bootstrap(p, PANEL, replicates=400, rng=seed)
    for name, error in zip(PANEL, drawn.standard_errors, strict=True):
        m = measures[name]
        expected, _ = standard_error(influence(m, p), p, by_class=m.reads is ScoreTable)
        # A standard deviation of B normal numbers is off by 1 / sqrt(2 B); 160 are looked at.
        assert error == pytest.approx(expected, rel=4.5 / np.sqrt(2 * 400)), name


def test_perfect_ranking_has_an_interval_with_a_width():
    p = Predictions.of([0] * 20 + [1] * 15, score=np.arange(35.0))
    e = evaluate(p, "auc")["auc"]
    assert e.value == e.interval.high == 1
    assert 0.8 < e.interval.low < 0.95
    assert e.interval.method == "Newcombe"
    worst = evaluate(Predictions.of([1] * 15 + [0] * 20, score=np.arange(35.0)), "auc")["auc"]
    assert worst.interval.low == 0
    assert worst.interval.high == pytest.approx(1 - e.interval.low, abs=1e-12)


def test_all_scores_tied():
    e = evaluate(Predictions.of([0, 1] * 20, score=np.zeros(40)), "auc")["auc"]
    assert e.interval.low < 0.5 < e.interval.high


def test_no_errors_and_one_positive():
    p = Predictions.of([0] * 30, label=[0] * 30)
    e = evaluate(p, "error_rate")["error_rate"]
    assert e.value == e.interval.low == 0
    assert e.interval.high == pytest.approx(0.11351, abs=1e-5)
    one = Predictions.of([1] + [0] * 30, score=np.arange(31.0))
    e = evaluate(one, "auc", interval="influence")["auc"]
    assert e.interval is None
    assert e.why_no_interval


def test_groups_widen_what_hides_in_them():
    """Every case five times over: the cases look five times as many as they are."""
    single = binary(60, 3)
    repeated = Predictions.of(
        np.repeat(single.truth, 5),
        probability=np.repeat(single.probability, 5),
        group=np.repeat(np.arange(60), 5),
    )
    ungrouped = Predictions.of(
        np.repeat(single.truth, 5), probability=np.repeat(single.probability, 5)
    )
    for name in ("brier", "auc", "accuracy"):
        made = [
            evaluate(p, name, interval="influence")[name].interval
            for p in (single, repeated, ungrouped)
        ]
        widths = [i.high - i.low for i in made]
        assert widths[1] == pytest.approx(widths[0], rel=0.06)
        assert widths[2] < 0.6 * widths[1]


def test_bootstrap_is_the_same_on_any_number_of_threads_and_for_any_panel():
    p = binary(3000, 4)
    one = bootstrap(p, PANEL, replicates=200, rng=7)
    two = bootstrap(p, PANEL, replicates=200, rng=7, n_threads=2)
    np.testing.assert_array_equal(one.replicates, two.replicates)
    alone = bootstrap(p, "auc", replicates=200, rng=7)
    np.testing.assert_array_equal(alone.replicates[:, 0], one.replicates[:, PANEL.index("auc")])
    other = bootstrap(p, "auc", replicates=200, rng=8)
    assert not np.array_equal(other.replicates, alone.replicates)


@pytest.mark.parametrize("columns", [{}, {"sample_weight": True}, {"group": True}])
@pytest.mark.parametrize("n", [60, 1200])
def test_replicates_are_the_measure_on_weighted_cases(n, columns):
    """A panel's fast sums against the measure itself, replicate by replicate."""
    from dataclasses import replace

    from credibly.intervals.replicates import Replicates

    rng = np.random.default_rng(n)
    given = {
        "sample_weight": rng.integers(1, 4, n) if "sample_weight" in columns else None,
        "weight_kind": "frequency" if "sample_weight" in columns else None,
        "group": rng.integers(0, n // 4, n) if "group" in columns else None,
    }
    p = binary(n, 5, decimals=1, **given)
    chosen = [
        measures[m]
        for m in (*PANEL, "ks", "three_point_average_precision", "h_measure", "hand_till")
    ]
    draws = Replicates(p, 11, 12, stratified=False)
    fast = draws.values(chosen, None)
    weights = np.concatenate(list(draws._blocks()))
    for i, weight in enumerate(weights):
        again = replace(p, weight=weight, weight_kind="frequency", cache={})
        np.testing.assert_allclose(fast[i], [m.value(again) for m in chosen], rtol=1e-9, atol=1e-12)


def test_stratified_replicates_keep_the_class_sizes():
    p = binary(80, 6)
    drawn = bootstrap(p, "prevalence", replicates=50, rng=1, stratified=True)
    assert np.ptp(drawn.replicates) < 1e-12
    assert np.ptp(bootstrap(p, "prevalence", replicates=50, rng=1).replicates) > 0


def test_kinds_of_bootstrap_interval():
    p = binary(500, 7)
    drawn = bootstrap(p, "brier", replicates=999, rng=1)
    column = drawn.replicates[:, 0]
    low, high = np.quantile(column, [0.025, 0.975])
    percentile = drawn.interval("brier", kind="percentile")
    basic = drawn.interval("brier", kind="basic")
    assert (percentile.low, percentile.high) == pytest.approx((low, high))
    assert (basic.low, basic.high) == pytest.approx(
        (2 * drawn.values[0] - high, 2 * drawn.values[0] - low)
    )
    bca = drawn.interval("brier")
    assert bca.low == pytest.approx(low, abs=0.2 * (high - low))
    with pytest.raises(ParameterError, match="kind must be"):
        drawn.interval("brier", kind="magic")


def test_an_interval_of_replicates_by_any_name_of_its_measure():
    p = Predictions.of([1, 1, 0, 0] * 9, label=[1, 0, 0, 1, 1, 1, 0, 0, 0] * 4)
    drawn = bootstrap(p, ["f1", "fbeta(beta=2)"], replicates=50, rng=1)
    wanted = drawn.interval("fbeta")
    assert drawn.interval("f1") == drawn.interval("f_measure") == wanted
    assert drawn.interval(measures["f1"]) == wanted
    assert drawn.interval("f1(beta=2)") == drawn.interval("fbeta(beta=2)") != wanted
    for unknown in ("accuracy", "nonsense", "f1(beta=3)", "(", 7):
        with pytest.raises(ParameterError, match=r"was not bootstrapped; there are: fbeta, fbeta"):
            drawn.interval(unknown)


def test_bca_agrees_with_scipy():
    """From the same replicates, so that chance has no part in it."""
    from scipy import stats

    values = np.random.default_rng(8).exponential(size=120)
    drawn = bootstrap(Predictions.of(np.zeros(120), value=values), "mae", replicates=500, rng=3)
    ours = drawn.interval("mae")
    same = SimpleNamespace(bootstrap_distribution=drawn.replicates[:, 0])
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=0, bootstrap_result=same, method="BCa"
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)


def test_any_function_of_rows():
    rng = np.random.default_rng(9)
    x = rng.normal(size=200)
    y = x + rng.normal(size=200)
    drawn = bootstrap_rows(lambda a, b: np.corrcoef(a, b)[0, 1], x, y, replicates=500, rng=1)
    r = np.corrcoef(x, y)[0, 1]
    assert drawn.value == pytest.approx(r)
    assert drawn.standard_error == pytest.approx((1 - r**2) / np.sqrt(200), rel=0.2)
    assert drawn.interval().low < r < drawn.interval().high


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda p: evaluate(p, "auc", confidence_level=1.0), ParameterError, "between 0 and 1"),
        (lambda p: evaluate(p, "auc", confidence_level=95), ParameterError, "Did you mean 0.95"),
        (
            lambda p: evaluate(p, "auc", interval="magic"),
            ParameterError,
            "no interval method 'magic'",
        ),
        (lambda p: bootstrap(p, "auc", replicates=1, rng=1), ParameterError, "at least 2"),
        (lambda p: bootstrap(p, "auc", rng="today"), ParameterError, "rng must be"),
        (lambda p: bootstrap(p, "auc", rng=-1), ParameterError, "rng must be"),
        (lambda p: bootstrap_rows(np.mean, [1.0], rng=1), DataError, "at least 2"),
        (lambda p: bootstrap_rows(np.mean, [1.0, 2.0], [1.0], rng=1), DataError, "same length"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call(binary(50, 10))


def test_one_group_cannot_show_how_groups_vary():
    p = binary(50, 11, group=np.zeros(50))
    e = evaluate(p, "brier")["brier"]
    assert e.interval is None
    assert "one group" in e.why_no_interval
    with pytest.raises(DataError, match="one group"):
        bootstrap(p, "brier", rng=1)


def test_repeats_get_no_interval_that_takes_them_for_cases():
    p = binary(60, 12, repeat=np.repeat([0, 1], 30))
    for method in ("auto", "bootstrap", "influence"):
        e = evaluate(p, "brier", interval=method, rng=1, replicates=20)["brier"]
        assert e.interval is None
        assert "repeat" in e.why_no_interval
    assert all(e.interval for e in evaluate(p, "brier", by="repeat").estimates)


def test_importance_weights_are_scale_free():
    rng = np.random.default_rng(13)
    weight = rng.random(200) + 0.1
    made = []
    for scale in (1.0, 1e6):
        p = binary(200, 13, sample_weight=scale * weight)
        made.append([evaluate(p, m)[m].interval for m in ("accuracy", "auc", "brier", "mcc")])
    for a, b in zip(*made, strict=True):
        assert (a.low, a.high) == pytest.approx((b.low, b.high), rel=1e-6)


def test_an_interval_asked_by_name_is_that_or_a_refusal():
    p = binary(100, 14)
    limits, why = interval_for(EstimateRequest(measures["brier"], p, None, "wilson", value=0.2))
    assert limits is None
    assert "not a proportion" in why


@pytest.mark.parametrize("method", [m.name for m in proportion_methods])
def test_a_share_has_the_interval_of_its_counts(method):
    p = Predictions.of([1] * 20 + [0] * 30, label=[1] * 17 + [0] * 3 + [1] * 4 + [0] * 26)
    counts = {
        "recall": (17, 20),
        "specificity": (26, 30),
        "precision": (17, 21),
        "accuracy": (43, 50),
    }
    table = evaluate(p, [*counts, "mcc"], interval=method, confidence_level=0.9)
    for name, (part, whole) in counts.items():
        found = table[name].interval
        assert found == proportion_methods[method](part, whole, 0.9)
        assert found.standard_error == pytest.approx(
            np.sqrt(part / whole * (1 - part / whole) / whole), rel=1e-12
        )
    assert table["mcc"].why_no_interval == "it is not a proportion of cases"


def test_few_cases_are_doubted_where_a_method_cannot_serve_them():
    p = Predictions.of([1] * 5 + [0] * 5, label=[1] * 4 + [0] * 5 + [1])
    doubted = {
        method: [f.code for f in evaluate(p, "recall", interval=method)["recall"].findings]
        for method in ("auto", "clopper_pearson", "jeffreys", "wald")
    }
    none = {"auto": [], "clopper_pearson": [], "jeffreys": []}
    assert doubted == none | {"wald": ["few-cases"]}


def test_exact_limits_of_weighted_cases():
    p = Predictions.of([1] * 4, label=[1, 1, 0, 1], classes=[0, 1], sample_weight=[1, 2, 1, 2.5])
    limits = evaluate(p, "accuracy", interval="exact")["accuracy"].interval
    size = 6.5**2 / (1 + 4 + 1 + 6.25)
    expected = proportion_interval(5.5 / 6.5 * size, size, method="exact")
    assert (limits.low, limits.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert limits.method == expected.method
    refused = evaluate(p, "accuracy", interval="mid_p")["accuracy"]
    assert refused.why_no_interval.startswith("mid_p counts cases")


def test_wald_says_nothing_where_all_cases_are_alike():
    sure = evaluate(Predictions.of([1, 0], label=[1, 0]), "accuracy", interval="wald")["accuracy"]
    assert sure.interval is None
    assert "no width" in sure.why_no_interval


def test_studentised_bootstrap_of_a_skewed_mean():
    """Close to the bootstrap-t worked out by hand on the same weights."""
    rng = np.random.default_rng(15)
    values = rng.exponential(size=60)
    p = Predictions.of(np.zeros(60), value=values)
    drawn = bootstrap(p, "mae", replicates=400, rng=4, studentised=True)
    limits = drawn.interval("mae", kind="studentised")
    from credibly._kernels.draws import multinomial_weights

    t = []
    for w in multinomial_weights(60, seed=4, count=400):
        again = np.repeat(values, w)
        t.append((again.mean() - values.mean()) / (again.std(ddof=1) / np.sqrt(60)))
    upper, lower = np.quantile(t, [0.025, 0.975])
    error = values.std(ddof=1) / np.sqrt(60)
    assert limits.low == pytest.approx(values.mean() - lower * error, rel=1e-6)
    assert limits.high == pytest.approx(values.mean() - upper * error, rel=1e-6)
    with pytest.raises(ParameterError, match="studentised=True"):
        bootstrap(p, "mae", replicates=20, rng=1).interval("mae", kind="studentised")


def test_tables_of_labels_are_drawn_at_a_cost_that_no_number_of_cases_changes():
    """Cells of a multinomial: the same distribution as drawing cases, whose sums the panel takes."""
    p = binary(1000, 16)
    cells = bootstrap(p, ["accuracy", "mcc"], replicates=2000, rng=5)
    cases = bootstrap(p, ["accuracy", "mcc", "brier"], replicates=2000, rng=5)
    np.testing.assert_allclose(cells.standard_errors, cases.standard_errors[:2], rtol=0.08)
    np.testing.assert_allclose(
        cells.replicates.mean(axis=0), cells.values, atol=4 * cells.standard_errors.max() / 40
    )


def pairs_won(positive, negative):
    """Whether each positive score exceeds each negative one; a half where they are the same."""
    return (1 + np.sign(np.subtract.outer(positive, negative))) / 2


def slow_mann_whitney_variance(positive, negative):
    """Unbiased: the mean product of two pairs, by the cases that they share, from all pairs of pairs."""
    won = pairs_won(positive, negative)
    m, n = won.shape
    sums, sizes = np.zeros((2, 2)), np.zeros((2, 2))
    for i, j, a, b in itertools.product(range(m), range(n), range(m), range(n)):
        sums[int(i == a), int(j == b)] += won[i, j] * won[a, b]
        sizes[int(i == a), int(j == b)] += 1
    means = sums / sizes
    # The mean square of the statistic, less what is expected of its square.
    return (sums.sum() - sizes.sum() * means[0, 0]) / (m * n) ** 2


def test_mann_whitney_variance_from_all_pairs_of_pairs():
    rng = np.random.default_rng(2)
    for m, n in ((2, 2), (4, 6), (7, 3)):
        positive, negative = rng.integers(2, 7, m) / 4, rng.integers(0, 6, n) / 4
        expected = slow_mann_whitney_variance(positive, negative)
        p = Predictions.of(np.repeat([1, 0], [m, n]), score=np.concatenate([positive, negative]))
        area = measures["auc"].value(p)
        limits, why = interval_for(
            EstimateRequest(measures["auc"], p, None, "mann_whitney", 0.5, value=area)
        )
        if expected <= 0:
            assert why
            continue
        half = 0.6744897501960817 * np.sqrt(expected)
        assert limits.low == pytest.approx(max(0, area - half), rel=1e-12)
        assert limits.high == pytest.approx(min(1, area + half), rel=1e-12)


def test_mann_whitney_variance_is_unbiased():
    """Over all samples of a small population with ties, its mean is the variance of the AUC."""
    high, low = [0, 1, 2], [0, 0, 1]
    areas, variances = [], []
    for positive in itertools.product(high, repeat=3):
        for negative in itertools.product(low, repeat=2):
            a, b = np.array(positive), np.array(negative)
            areas.append(pairs_won(a, b).mean())
            variances.append(slow_mann_whitney_variance(a, b))
    assert np.mean(variances) == pytest.approx(np.var(areas), rel=1e-12)


def test_intervals_of_an_area_are_stretched_for_the_gini_coefficient():
    p = Predictions.of([1, 1, 1, 0, 0, 0], score=[0.9, 0.4, 0.3, 0.4, 0.2, 0.1])
    for method in ("delong", "hanley_mcneil", "mann_whitney", "newcombe"):
        of_area, of_gini = (
            interval_for(EstimateRequest(m, p, None, method, 0.8, value=m.value(p)))[0]
            for m in (measures["auc"], measures["gini"])
        )
        assert [of_gini.low, of_gini.high] == pytest.approx(
            [2 * of_area.low - 1, 2 * of_area.high - 1], rel=1e-12
        )


@pytest.mark.parametrize("axis", ["fpr", "tpr"])
def test_partial_auc_has_the_standard_error_of_its_bootstrap(axis):
    rng = np.random.default_rng(8)
    y = rng.random(4000) < 0.4
    p = Predictions.of(y, score=np.round(rng.normal(1.2 * y, 1), 2))
    m = measures["partial_auc"].given(limit=0.2, axis=axis)
    error, _ = standard_error(influence(m, p), p, by_class=True)
    drawn = float(bootstrap(p, m, replicates=1000, rng=4).standard_errors[0])
    assert error == pytest.approx(drawn, rel=4 / np.sqrt(2 * 1000))


def test_a_class_of_a_few_cases_that_are_all_right_is_not_known_for_certain():
    p = Predictions.of([1] * 4 + [0] * 200, label=[1] * 4 + [0] * 190 + [1] * 10)
    made = evaluate(p, ["youden", "balanced_accuracy", "kappa"])
    assert made["youden"].interval.low < 0.7 < made["youden"].value < made["youden"].interval.high
    assert "1/2 case added to each cell" in made["kappa"].interval.method
    perfect = evaluate(Predictions.of([1, 1, 0, 0, 0], label=[1, 1, 0, 0, 0]), "kappa")["kappa"]
    assert perfect.interval.low < 0.6
    assert perfect.interval.high == 1


def near_the_end(n=100, apart=3.5, seed=2):
    """Nearly all cases in the right order: replicates are often at the end of the range."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return Predictions.of(y, score=rng.normal(size=n) + apart * y)


@pytest.mark.parametrize("name", ["ks", pytest.param("h_measure", marks=pytest.mark.thorough)])
def test_limits_of_a_lifted_measure_move_with_the_seed_by_monte_carlo_error_alone(name):
    """A quantile of 2,000 replicates moves by 0.3 (KS) and 0.7 (H) here: onto the end of the range and off it."""
    p = near_the_end()
    made = [bootstrap(p, name, replicates=2000, rng=seed) for seed in range(6)]
    lows, highs = np.array([tuple(b.interval(name)) for b in made]).T
    error = made[0].standard_errors[0]
    assert np.ptp(lows) < error
    assert np.ptp(highs) < error / 4


def test_the_mean_of_a_tail_is_the_normal_quantile_at_its_level():
    """By the definition: the mean beyond the quantile of 2.5 times the tail."""
    from statistics import NormalDist

    from credibly.intervals.bootstrap import TAIL_FACTOR, _mean_between

    normal = NormalDist()
    values = np.array([normal.inv_cdf((i + 0.5) / 20_000) for i in range(20_000)])
    for tail in (0.005, 0.025, 0.05):
        found = _mean_between(values, 1 - TAIL_FACTOR * tail, 1)
        assert found == pytest.approx(normal.inv_cdf(1 - tail), abs=0.03)


def few_positives(count, shift):
    rng = np.random.default_rng([8, count])
    truth = np.array([1] * count + [0] * (40 - count))
    return [Predictions.of(truth, score=shift * truth + rng.normal(size=40)) for _ in range(2)]


@pytest.mark.parametrize("measure", ["auc", "ks", "recall_at_specificity"])
def test_replicates_of_which_more_are_undefined_than_an_interval_leaves_out_give_none(measure):
    """Two positive cases are missing from one replicate in eight, where limits leave out one in twenty."""
    p, q = few_positives(2, 1.0)
    undefined = r"undefined in \d+ of 2000 replicates"
    alone = evaluate(p, measure, interval="bootstrap", rng=1).estimates[0]
    assert alone.interval is None
    assert re.search(undefined, alone.why_no_interval)
    with pytest.raises(DataError, match=undefined):
        compare(p, q, measure, test="bootstrap", rng=1)
    with pytest.raises(DataError, match=undefined):
        bootstrap(p, measure, rng=1).interval(measure, kind="percentile")
    with pytest.raises(DataError, match=undefined):
        curve(p, "roc", band="pointwise", rng=1)
    assert compare(p, q, measure, test="bootstrap(stratified=True)", rng=1).confidence_interval


def test_a_class_of_a_single_case_is_not_redrawn_within_its_class():
    p, q = few_positives(1, 1.0)
    with pytest.raises(DataError, match="single case"):
        compare(p, q, "auc", test="bootstrap(stratified=True)", rng=1)


def test_an_interval_says_how_many_replicates_it_rests_on():
    """At 80 % limits leave out one replicate in five, and may lack the one in eight without a positive case."""
    p, _ = few_positives(2, 1.0)
    wide = evaluate(p, "auc", interval="bootstrap", rng=1, confidence_level=0.8).estimates[0]
    assert re.search(r"\d+ of 2000 replicates", wide.interval.method)


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("measure", ["r2_test_mean", "correlation"])
def test_limits_beside_one_very_large_number_do_not_hang_on_the_order_of_rows(measure, grouped):
    rng = np.random.default_rng(0)
    truth = rng.normal(size=30) * 10 + 50
    value = np.append(truth + rng.normal(size=30), 55.0)
    group = np.append(np.arange(30) // 2, 15)

    def limits(large, seed):
        rows = np.random.default_rng(seed).permutation(31)
        more = {"group": group[rows]} if grouped else {}
        p = Predictions.of(np.append(truth, large)[rows], value=value[rows], **more)
        found = evaluate(p, measure)[measure].interval
        return found.low, found.high

    seen = [limits(1e10, seed) for seed in range(3)]
    assert seen[1:] == [pytest.approx(seen[0], rel=1e-6)] * 2
    assert seen[0] == pytest.approx(limits(1e4, 0), rel=0.05)


def test_what_is_left_of_a_sum_is_what_the_other_cases_give():
    rng = np.random.default_rng(0)
    truth, weight = np.append(rng.normal(size=30), 1e10), np.append(np.ones(30), 0.5)
    p = Predictions.of(truth, value=np.append(truth[:30], 5.0) + 0.1, weight=weight)
    m = measures["r2"]
    slopes = influence(m, p)
    exact = left_out(m, p, slopes)[-1] * 0.5
    here, there = m.on(p, None), m.on(p.take(np.arange(30)), None)
    apart = np.log((1 - here) / (1 - there)) * (1 - here)
    assert exact == pytest.approx(-apart * (1 - 0.5 / 30.5), rel=1e-9)
