"""Comparisons of bare values: bad input, margins, effect sizes, rankings, what results tell."""

import json
import math

import numpy as np
import pytest

from credibly import DataError, ParameterError, compare
from credibly.comparisons import (
    DatasetTable,
    FoldTable,
    FoldValues,
    Moments,
    PairedValues,
    comparisons,
)
from credibly.comparisons.multiplicity import CONTROLS, adjust, adjustments
from credibly.comparisons.ranking import rank_schemes
from credibly.comparisons.wins import wins_ties_losses

A = np.array([0.84, 0.78, 0.67, 0.87, 0.80, 0.78, 0.78, 0.79, 0.82, 0.81])
B = np.array([0.88, 0.97, 0.74, 0.80, 0.87, 0.90, 0.90, 0.86, 0.84, 0.78])
NAMES = ("x", "y", "z")


def folds(a=A, b=B, **more):
    return FoldValues(a, b, **{"test_train_ratio": 1 / 9, "repeats": 5, "folds": 2, **more})


def table(values, names=NAMES, **more):
    return DatasetTable(values, names, **more)


PAIRED = [c for c in comparisons if issubclass(FoldValues, c.reads)]
RANKED = [c for c in comparisons if c.reads is DatasetTable]


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FoldValues([0.8], [0.7]), "at least two values per model"),
        (lambda: PairedValues([], []), "at least two values per model"),
        (lambda: PairedValues([[1, 2], [3, 4]], [1, 2]), r"shape \(2, 2\)"),
        (lambda: PairedValues([1, 2, 3], [1, 2]), "got 3 and 2"),
        (lambda: PairedValues([1, 2, math.nan], [1, 2, 3]), "first are not finite in data set 2"),
        (lambda: PairedValues([1, 2], [1, math.inf]), "second are not finite in data set 1"),
        (lambda: PairedValues(["a", "b"], [1, 2]), "first holds something other than numbers"),
        (lambda: PairedValues([1, None], [1, 2]), "first are not finite in data set 1"),
        (lambda: table([[1, 2, 3], [1, 2]]), "rows of different lengths"),
        (lambda: table([1, 2, 3]), "got the shape"),
        (lambda: PairedValues([1e200, 2], [1, 2]), "too large for a double"),
        (lambda: Moments((1, 2), (1, -1), (3, 3)), "variance of at least 0"),
        (lambda: Moments((1, 2), (1, 1), (3, 1)), "at least two values"),
        (lambda: Moments((1, math.nan), (1, 1), (3, 3)), "a mean"),
        (lambda: table([[1, 2, 3]]), "1 dataset and 3 schemes"),
        (lambda: table([[1], [2]], ("x",)), "2 datasets and 1 scheme"),
        (lambda: table([[1, 2], [3, 4]]), r"column per scheme \(3\); got the shape \(2, 2\)"),
        (lambda: table([[1, 2, 3], [4, math.nan, 6]], datasets=("p", "q")), "first y on q"),
        (lambda: table([[1, 2, 3], [4, 5, 6]], ("x", "y", "x")), "twice"),
        (lambda: table([[1, 2, 3], [4, 5, 6]], datasets=("p", "p")), "twice"),
    ],
)
def test_evidence_that_cannot_be(make, message):
    with pytest.raises(DataError, match=message):
        make()


RESULTS = {"data": ["p", "q"], "x": [0.1, 0.2], "y": [0.3, None], "z": [1, 2]}


def test_tables_from_frames():
    import pandas as pd
    import polars as pl

    for frame in (RESULTS, pd.DataFrame(RESULTS), pl.DataFrame(RESULTS)):
        made = DatasetTable.of(frame, datasets="data", columns=["z", "x"], measure="error_rate")
        assert made.names == ("z", "x")
        assert made.datasets == ("p", "q")
        assert made.direction == "lower"
        assert made.table.tolist() == [[1, 0.1], [2, 0.2]]
    assert DatasetTable.of({"x": [1, 2], "y": [3, 4]}).datasets == (1, 2)
    assert (
        DatasetTable.of({"x": [1, 2], "y": [3, 4]}, measure="fbeta(beta=2)").direction == "higher"
    )


@pytest.mark.parametrize(
    ("data", "asked", "message"),
    [
        (RESULTS, {"datasets": "data"}, "first y on q"),
        (RESULTS, {}, "data holds something other than numbers"),
        (RESULTS, {"datasets": "date"}, "no column 'date'.*Did you mean data"),
        ({"x": [1, 2], "y": [1, 2, 3]}, {}, "same length; got x 2, y 3"),
        ({}, {}, "at least two"),
        ([1, 2, 3], {}, "got list"),
    ],
)
def test_tables_that_cannot_be(data, asked, message):
    with pytest.raises(ValueError, match=message):
        DatasetTable.of(data, **asked)


def test_evidence_is_not_a_view_that_is_written_to():
    given = A.copy()
    for c in PAIRED:
        c(folds(given), **({"rng": 1} if c.random else {}))
    assert (given == A).all()


@pytest.mark.parametrize("name", ["corrected_resampled_t", "bayesian_correlated_t"])
def test_overlap_of_folds_must_be_known(name):
    with pytest.raises(DataError, match=f"{name} needs to know how much folds overlap"):
        comparisons[name](FoldValues(A, B))
    with pytest.raises(DataError, match="above 0; got 0"):
        comparisons[name](FoldValues(A, B, test_train_ratio=0))


@pytest.mark.parametrize("name", ["five_by_two_t", "five_by_two_f"])
@pytest.mark.parametrize("repeats", [1, 10])
def test_five_by_two_needs_five_by_two(name, repeats):
    with pytest.raises(DataError, match="five repeats of two folds"):
        comparisons[name](folds(repeats=repeats))


@pytest.mark.parametrize("c", RANKED, ids=lambda c: c.name)
def test_two_schemes_are_no_case_for_several(c):
    with pytest.raises(DataError, match="at least three schemes; got 2"):
        c(table([[1, 2], [3, 4]], ("x", "y")))


@pytest.mark.parametrize("c", RANKED, ids=lambda c: c.name)
def test_ranks_need_a_direction(c):
    with pytest.raises(ParameterError, match="higher or lower value is better"):
        c(table([[1, 2, 3], [4, 5, 6]], direction="neither"))


# --- no variation -----------------------------------------------------------------------------


@pytest.mark.parametrize("c", PAIRED, ids=lambda c: c.name)
def test_equal_values_are_equal(c):
    result = c(folds(A, A), **({"rng": 1} if c.random else {}))
    assert result.difference == 0
    if c.bayesian:
        assert result.probabilities["no difference"] == 1
    else:
        assert result.pvalue == 1
        assert "no-variation" in {f.code for f in result.findings}


@pytest.mark.parametrize("name", ["corrected_resampled_t", "paired_t"])
def test_a_difference_without_variation_is_judged_by_signs_that_share_no_test_case(name):
    test = comparisons[name]
    once = FoldValues(A + 0.5, A, test_train_ratio=1 / 9)
    assert test(once).pvalue == 2**-9
    assert test(once).confidence_interval is None
    assert "same-difference" in {f.code for f in test(once).findings}
    assert test(once, alternative="greater").pvalue == 2**-10
    assert test(once, alternative="less").pvalue == 1
    assert test(once, alternative="greater", margin=0.1).pvalue == 2**-10
    assert test(once, margin=0.6).pvalue == 2**-10  # within the margin in every fold
    assert test(once, margin=0.4).pvalue == 1
    often = FoldValues(np.tile(A, 10) + 0.5, np.tile(A, 10), test_train_ratio=1 / 9, repeats=10)
    assert test(often).pvalue == 2**-9  # repeats are no new cases
    single = FoldValues(A + 0.5, A, test_train_ratio=1 / 9, repeats=10)  # of one fold each
    assert np.isnan(test(single).pvalue)
    assert "no-standard-error" in {f.code for f in test(single).findings}


def test_but_signs_and_ranks_can():
    assert comparisons["sign_test"](folds(A + 0.1, A)).pvalue == 2**-9
    assert comparisons["wilcoxon"](folds(A + 0.1, A)).pvalue == 2**-9


def test_halves_that_differ_by_as_much_cannot_be_judged():
    with pytest.raises(DataError, match="no variation to test against"):
        comparisons["five_by_two_f"](folds(A + 0.1, A))


def test_two_constant_samples():
    assert np.isnan(comparisons["unpaired_t"](Moments.of([1, 1, 1], [2, 2])).pvalue)
    assert comparisons["unpaired_t"](Moments.of([1, 1, 1], [1, 1])).pvalue == 1


@pytest.mark.parametrize("c", RANKED, ids=lambda c: c.name)
def test_schemes_that_tie_everywhere(c):
    result = c(table([[1, 1, 1], [2, 2, 2]]))
    assert (result.statistic, result.pvalue) == (0, 1)


def test_where_all_datasets_rank_alike_the_chance_of_that_is_known():
    """Three schemes in the same order on four datasets: (3!)^-3."""
    same = table([[1, 2, 3]] * 3 + [[1, 2, 4]])
    result = comparisons["iman_davenport"](same)
    assert result.statistic == math.inf
    assert result.pvalue == pytest.approx(6.0**-3)
    assert json.loads(result.to_json())["statistic"] == "Infinity"


def test_the_smallest_numbers_can_be_ranked():
    smallest = comparisons["wilcoxon"](PairedValues(1e-300 * A, 1e-300 * B))
    assert smallest.pvalue == pytest.approx(
        comparisons["wilcoxon"](PairedValues(A, B)).pvalue, abs=0.05
    )


def test_tiny_values_are_no_rounding():
    small = comparisons["corrected_resampled_t"](folds(1e-20 * A, 1e-20 * B))
    assert small.pvalue == pytest.approx(comparisons["corrected_resampled_t"](folds()).pvalue)


# --- sides, margins, sizes --------------------------------------------------------------------


@pytest.mark.parametrize(
    "c", [c for c in PAIRED if c.alternatives and not c.bayesian], ids=lambda c: c.name
)
def test_one_side_is_the_other_of_the_swapped(c):
    assert c(folds(), alternative="less").pvalue == pytest.approx(
        c(folds(B, A), alternative="greater").pvalue, rel=1e-12
    )
    assert c(folds(), alternative="less").pvalue < c(folds(), alternative="greater").pvalue


@pytest.mark.parametrize("c", [c for c in PAIRED if c.shifts], ids=lambda c: c.name)
def test_equivalence_is_that_the_interval_lies_within_the_margin(c):
    untied = A + 1e-4 * np.square(np.arange(10))  # with ties the limits of ranks are approximate
    for margin in (0.02, 0.1, 0.3):
        result = c(folds(untied), margin=margin)
        limits = result.confidence_interval
        assert limits.confidence_level == pytest.approx(0.9)
        assert result.rejected == (-margin < limits.low and limits.high < margin)


def test_equivalence_from_means_and_variances():
    papers = Moments((0.80, 0.81), (0.0004, 0.0004), (30, 30))
    assert comparisons["unpaired_t"](papers, margin=0.03).rejected
    assert not comparisons["unpaired_t"](papers, margin=0.01).rejected


def test_effect_sizes_say_what_they_are():
    difference = A - B
    t = comparisons["paired_t"](PairedValues(A, B)).effect_sizes
    assert t == pytest.approx(
        {"mean over SD of differences (d_z)": difference.mean() / difference.std(ddof=1)}
    )
    welch = comparisons["unpaired_t"](Moments.of(A, B)).effect_sizes
    pooled = math.sqrt((A.var(ddof=1) + B.var(ddof=1)) / 2)
    assert welch == pytest.approx({"Cohen's d": difference.mean() / pooled})
    # Ranks of 4, 19, 7, +7, 7, 12, 12, 7, 2, +3 hundredths; those of +7 and +3 are 5.5 and 2.
    ranks = comparisons["wilcoxon"](PairedValues(A, B)).effect_sizes
    assert ranks == pytest.approx({"rank-biserial correlation": (7.5 - 47.5) / 55})
    assert comparisons["sign_test"](PairedValues(A, B)).effect_sizes == {
        "share of wins, ties as half": 0.2
    }


def test_limits_need_enough_pairs():
    few = comparisons["wilcoxon"](PairedValues(A[:5], B[:5]))
    assert few.confidence_interval is None
    assert "too few pairs" in few.why_no_interval
    assert comparisons["wilcoxon"](PairedValues(A[:6], B[:6])).confidence_interval is not None


def test_many_pairs_have_no_hodges_lehmann_limits():
    rng = np.random.default_rng(1)
    result = comparisons["wilcoxon"](PairedValues(rng.normal(size=501), rng.normal(size=501)))
    assert result.confidence_interval is None
    assert "up to 500 pairs" in result.why_no_interval


def test_what_a_test_of_folds_takes_for_granted_is_violated():
    for name in ("paired_t", "wilcoxon", "sign_test"):
        over_folds = comparisons[name](folds())
        assert over_folds.about == "training"
        assert over_folds.assumptions[0].stands == "violated"
        assert over_folds.findings[0].code == "dependent-folds"
        over_datasets = comparisons[name](PairedValues(A, B))
        assert over_datasets.about == "datasets"
        assert not over_datasets.findings


def test_few_datasets_make_chi_square_rough():
    rng = np.random.default_rng(0)
    few, many = table(rng.random((5, 3))), table(rng.random((20, 3)))
    assert [f.code for f in comparisons["friedman"](few).findings] == ["few-datasets"]
    assert not comparisons["friedman"](many).findings


# --- Bayesian ---------------------------------------------------------------------------------


def test_bayesian_results_have_probabilities_and_no_p_value():
    for name in ("bayesian_correlated_t", "bayesian_signed_rank"):
        result = comparisons[name](folds(), rng=1, rope=0.01)
        assert math.isnan(result.pvalue)
        assert not result.rejected
        assert sum(result.probabilities.values()) == pytest.approx(1)
        assert "p-value" not in str(result)
        assert "first lower" in str(result)
        swapped = comparisons[name](folds(B, A), rng=1, rope=0.01).probabilities
        assert swapped["first higher"] == pytest.approx(
            result.probabilities["first lower"], abs=0.01
        )


def test_a_random_comparison_keeps_to_its_seed_and_takes_a_fixed_one_without():
    test = comparisons["bayesian_signed_rank"]
    unseeded = test(folds())
    assert unseeded.probabilities == test(folds(), rng=1).probabilities
    assert "unseeded" in {f.code for f in unseeded.findings}
    assert test(folds(), rng=3).probabilities == test(folds(), rng=3).probabilities


def test_a_constant_difference_is_certain():
    test = comparisons["bayesian_correlated_t"]
    assert test(folds(A + 0.1, A)).probabilities["first higher"] == 1
    assert test(folds(A + 0.1, A), rope=0.2).probabilities["no difference"] == 1


# --- several p-values and schemes -------------------------------------------------------------


@pytest.mark.parametrize("method", [a.name for a in adjustments])
def test_adjusted_values_keep_order_and_never_fall(method):
    rng = np.random.default_rng(2)
    for size in (1, 3, 6, 10):
        p = rng.random(size) ** 3
        adjusted = adjust(p, method)
        assert (adjusted >= p - 1e-15).all()
        assert (adjusted <= 1).all()
        assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()
        assert adjustments[method].controls in CONTROLS


def test_adjusting_nothing_is_nothing():
    assert adjust([], "holm").size == 0


@pytest.mark.parametrize(
    ("p", "method", "message"),
    [
        ([0.1, 1.2], "holm", "row 1"),
        ([0.1, math.nan], "holm", "row 1"),
        ([[0.1]], "holm", "shape"),
        ([0.1, 0.2], "shaffer", "all pairs of some schemes"),
        ([0.1, 0.2], "tukey", "There is no adjustment 'tukey'"),
    ],
)
def test_what_cannot_be_adjusted(p, method, message):
    with pytest.raises(ValueError, match=message):
        adjust(p, method)


def random_table(seed=4, n=12):
    rng = np.random.default_rng(seed)
    values = rng.normal(0.8, 0.05, (n, 1)) + rng.normal([0.02, 0.0, -0.03, -0.031], 0.01, (n, 4))
    return table(values, ("a", "b", "c", "d"), measure_name="accuracy")


def test_the_best_has_rank_one_whichever_way_is_better():
    higher = rank_schemes(random_table())
    flipped = rank_schemes(table(-random_table().table, ("a", "b", "c", "d"), direction="lower"))
    assert higher.schemes == flipped.schemes
    assert higher.schemes[0] == "a"
    assert higher.average_ranks == flipped.average_ranks
    assert list(higher.average_ranks) == sorted(higher.average_ranks)


def test_a_pair_differs_where_its_ranks_lie_further_apart_than_the_critical_difference():
    for seed in range(5):
        ranking = rank_schemes(random_table(seed))
        for pair in ranking.pairs:
            beyond = abs(pair.rank_difference) > ranking.critical_difference
            assert (pair.adjusted <= 0.05) == beyond
            assert pair.wins + pair.ties + pair.losses == 12


def test_groups_hold_all_pairs_that_do_not_differ():
    for seed in range(8):
        ranking = rank_schemes(random_table(seed))
        together = {frozenset((p, q)) for g in ranking.groups for p in g for q in g if p != q}
        for pair in ranking.pairs:
            assert (frozenset((pair.first, pair.second)) in together) == (pair.adjusted > 0.05)


@pytest.mark.parametrize("correction", [a.name for a in adjustments])
def test_any_adjustment_of_ranks(correction):
    ranking = rank_schemes(random_table(), correction=correction)
    plain = [p.pvalue for p in ranking.pairs]
    assert [p.adjusted for p in ranking.pairs] == adjust(plain, correction).tolist()
    assert ranking.critical_difference is None
    assert ranking.correction == adjustments[correction].title


def test_a_control_is_compared_with_all_others():
    ranking = rank_schemes(random_table(), correction="holm", against="c")
    assert {p.second for p in ranking.pairs} == {"c"}
    assert {p.first for p in ranking.pairs} == {"a", "b", "d"}
    assert ranking.groups == ()
    assert ranking["a", "c"].rank_difference < 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"correction": "bonferroni_dunn"}, "against="),
        ({"correction": "nemenyi", "against": "a"}, "all pairs"),
        ({"correction": "shaffer", "against": "a"}, "all pairs"),
        ({"against": "e", "correction": "holm"}, "one of the schemes a, b, c, d; got 'e'"),
        ({"correction": "tukey"}, "no adjustment 'tukey'"),
        ({"confidence_level": 95}, "confidence_level"),
    ],
)
def test_rankings_that_cannot_be(asked, message):
    with pytest.raises(ParameterError, match=message):
        rank_schemes(random_table(), **asked)


def test_a_ranking_can_be_read_and_stored():
    ranking = rank_schemes(random_table())
    text = str(ranking)
    assert "Critical difference of average ranks" in text
    assert "wins/ties/losses" in text
    assert max(map(len, text.splitlines())) < 120
    stored = json.loads(ranking.to_json())
    assert stored["schemes"] == list(ranking.schemes)
    assert stored["whole"]["test"] == "iman_davenport"
    assert len(stored["pairs"]) == 6
    assert ranking.frame().shape == (6, 9)
    with pytest.raises(KeyError, match="is not among these"):
        _ = ranking["a", "z"]


def test_evidence_tells_about_itself():
    every = [
        folds(), PairedValues(A, B), Moments.of(A, B), random_table()
    ]  # fmt: skip
    for evidence in every:
        assert len(evidence.values) == len(evidence.names)
        assert evidence.n >= 10
        assert isinstance(evidence.measure_name, str)
    assert random_table().pair(0, 2).names == ("a", "c")


# --- through compare --------------------------------------------------------------------------


def test_compare_ranks_a_table():
    ranking = compare(random_table())
    assert ranking.correction == "Nemenyi"
    assert ranking.whole.test == "iman_davenport"
    assert compare(random_table(), correction="shaffer").correction == "Shaffer, static"
    against = compare(random_table(), against="d")
    assert against.correction == "Bonferroni-Dunn"
    assert against.against == "d"


def test_compare_takes_a_test_of_two_for_every_pair_of_a_table():
    pairs = compare(random_table(), test="wilcoxon", correction="hommel")
    plain = [r.pvalue for r in pairs.results]
    assert pairs.adjusted == tuple(adjust(plain, "hommel").tolist())
    assert pairs["a", "c"].pvalue == comparisons["wilcoxon"](random_table().pair(0, 2)).pvalue
    assert pairs["a", "c"].about == "datasets"


def test_compare_makes_a_test_of_all_alone():
    assert compare(random_table(), test="friedman(ties='ignored')").title.endswith("ignored")


def test_compare_chooses_by_the_kind_of_values():
    assert compare(folds()).test == "corrected_resampled_t"
    assert compare(PairedValues(A, B)).test == "wilcoxon"
    assert compare(Moments.of(A, B)).test == "unpaired_t"
    assert compare(table(random_table().table[:, :2], ("a", "b"))).test == "wilcoxon"
    with pytest.raises(DataError, match="test_train_ratio"):
        compare(FoldValues(A, B))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"margin": 0.1}, "no one-sided alternative and no margin"),
        ({"alternative": "less"}, "no one-sided alternative and no margin"),
        ({"against": "e", "test": "wilcoxon"}, "not one of the models"),
        ({"against": "a", "test": "wilcoxon", "correction": "shaffer"}, "all pairs"),
    ],
)
def test_what_a_table_cannot_be_asked(asked, message):
    with pytest.raises(ParameterError, match=message):
        compare(random_table(), **asked)


def test_every_other_scheme_is_compared_with_one():
    pairs = compare(random_table(), test="wilcoxon", against="b")
    assert [r.names for r in pairs.results] == [("a", "b"), ("c", "b"), ("d", "b")]
    alone = table(random_table().table[:, :2], ("a", "b"))
    first = compare(alone, against="a")
    assert first.names == ("b", "a")
    assert first.difference == -compare(alone).difference
    with pytest.raises(ParameterError, match="names one of several models"):
        compare(PairedValues(A, B), against="a")


# --- wins and losses over folds ---------------------------------------------------------------


def fold_results(seed=3):
    rng = np.random.default_rng(seed)
    return {
        f"data {i}": {
            s: rng.normal(0.7 + shift, 0.03, 10) for s, shift in zip("abc", row, strict=True)
        }
        for i, row in enumerate([(0, 0, 0.2), (0, 0.01, -0.3), (0.2, 0, 0)])
    }


def test_wins_are_those_of_the_test_on_each_dataset():
    results = fold_results()
    found = wins_ties_losses(results, test_train_ratio=1 / 9)
    for row in found.rows():
        of = results[row["dataset"]]
        pair = FoldValues(of[row["first"]], of[row["second"]], test_train_ratio=1 / 9)
        result = compare(pair)
        assert row["pvalue"] == result.pvalue
        assert row["verdict"] == (np.sign(result.difference) if result.rejected else 0)
    assert found.counts("a", "c") == (2, 0, 1)
    assert found.counts("c", "a") == (1, 0, 2)
    lower = wins_ties_losses(results, test_train_ratio=1 / 9, direction="lower")
    assert lower.counts("a", "c") == (1, 0, 2)


def test_wins_can_be_read_and_stored():
    found = wins_ties_losses(fold_results(), test_train_ratio=1 / 9)
    assert "significantly better and worse than a at 5 %" in str(found)
    stored = json.loads(found.to_json())
    assert len(stored["comparisons"]) == 9
    assert stored["findings"][0]["code"] == "not-adjusted"


def test_a_constant_difference_is_never_a_tie():
    """The better scheme in each of a hundred folds was shown as a tie, and one that varied was marked."""
    folds = {
        "a": np.ones(100),
        "b": np.full(100, 0.5),
        "c": np.tile([0.9, 0.8], 50),
        "d": np.ones(100),
    }
    table = FoldTable(
        np.column_stack(list(folds.values())), tuple(folds), "value", "higher", 1 / 9, 10
    )
    found = wins_ties_losses({"d": table})
    assert found.counts("a", "b") == (1, 0, 0)
    assert found.pvalues[0, 0, 1] == 2**-9
    assert found.counts("c", "b") == (1, 0, 0)
    assert found.counts("a", "d") == (0, 1, 0)


def test_a_constant_difference_in_few_folds_is_marked_as_untestable():
    few = {"a": A[:5] + 0.1, "b": A[:5], "c": A[:5]}
    found = wins_ties_losses({"d": few}, test_train_ratio=1 / 4)
    assert found.counts("a", "b") == (0, 0, 0)
    assert found.counts("b", "c") == (0, 1, 0)
    assert found.cells()[1][0][2].endswith("?")
    assert "?: cannot be tested." in str(found)
    assert [f.code for f in found.findings] == ["not-adjusted", "untestable", "untestable"]
    assert [row["untestable"] for row in found.rows()] == [True, True, False]
    single = wins_ties_losses({"d": few}, test_train_ratio=1 / 4, repeats=5)
    assert np.isnan(single.pvalues[0, 0, 1])
    assert single.untestable[0, 0, 1]


@pytest.mark.parametrize(
    ("results", "asked", "message"),
    [
        ({}, {}, "no datasets"),
        ({"d": {"a": A}}, {}, "two schemes; got 1 scheme"),
        ({"d": {"a": A, "b": B}, "e": {"a": A}}, {}, "e differs in b"),
        ({"d": {"a": A, "b": B[:5]}}, {}, "a as of b on d; got 10 and 5"),
        ({"d": {"a": A, "b": B}}, {"direction": "up"}, "direction"),
        ({"d": {"a": A, "b": B}}, {"test": "five_by_two_f"}, "five repeats of two folds"),
    ],
)
def test_wins_that_cannot_be_counted(results, asked, message):
    with pytest.raises(ValueError, match=message):
        wins_ties_losses(results, test_train_ratio=1 / 9, **asked)


# --- Wilcoxon's test as others have it ------------------------------------------------------------

DEMSAR = {  # Demsar (2006), Table 2: AUCs of two schemes on 14 datasets
    "c45": [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957],
    "c45m": [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978],
}  # fmt: skip


def test_zeros_split_as_demsar_does():
    pairs = PairedValues(DEMSAR["c45m"], DEMSAR["c45"])
    found = comparisons["wilcoxon"](pairs, zeros="split", method="normal", continuity=False)
    assert found.statistic == 93
    z = (93 - 14 * 15 / 4) / math.sqrt(14 * 15 * 29 / 24)  # his, which leaves out ties
    assert found.pvalue == pytest.approx(math.erfc(z / math.sqrt(2)), rel=0.005)
    exact = comparisons["wilcoxon"](pairs, zeros="split")
    assert exact.parameters["distribution"] == "exact"
    assert exact.pvalue < 0.01


@pytest.mark.parametrize("continuity", [True, False])
@pytest.mark.parametrize(
    ("zeros", "theirs"), [("drop", "wilcox"), ("pratt", "pratt"), ("split", "zsplit")]
)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_normal_wilcoxon_beside_scipy(zeros, theirs, continuity, alternative):
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(7)
    for _ in range(5):
        a, b = rng.integers(0, 6, (2, 24))
        zero = np.flatnonzero(a == b)
        a[zero[: zero.size % 2]] += 9  # an odd zero is left out here, halved there
        found = comparisons["wilcoxon"](
            PairedValues(a, b), alternative=alternative,
            zeros=zeros, method="normal", continuity=continuity,
        )  # fmt: skip
        asked = {"zero_method": theirs, "correction": continuity, "method": "approx"}
        expected = wilcoxon(a, b, alternative=alternative, **asked).pvalue
        assert found.pvalue == pytest.approx(expected, rel=1e-9)


def test_all_zeros_are_no_difference_however_they_are_counted():
    for zeros in ("drop", "pratt", "split"):
        found = comparisons["wilcoxon"](PairedValues([1, 2, 3], [1, 2, 3]), zeros=zeros)
        assert found.pvalue == 1
        assert [f.code for f in found.findings] == ["no-variation"]
