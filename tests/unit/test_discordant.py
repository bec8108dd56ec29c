"""Two models of which only the discordant counts, the means or the values are known."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from credibly import CrediblyError, ParameterError, Predictions, compare
from credibly.cli import main
from credibly.comparisons import Discordant, FoldValues, Moments

METHODS = ("chi_square", "corrected", "exact", "mid_p")
counts = st.integers(0, 30)


def rows(b, c, both, neither):
    """The slow twin: every case is a row."""
    first = [0] * b + [1] * c + [0] * both + [1] * neither
    second = [1] * b + [0] * c + [0] * both + [1] * neither
    truth = [1] * len(first)
    return [Predictions.of(truth, label=x, classes=[0, 1]) for x in (first, second)]


@given(counts, counts, counts, counts, st.sampled_from(["two-sided", "less", "greater"]))
def test_it_is_what_the_rows_give(b, c, both, neither, alternative):
    n = b + c + both + neither
    if not n:
        return
    found = compare(Discordant(b, c, cases=n, both=both), alternative=alternative)
    assert [found[f"mcnemar(method={m!r})"].parameters["method"] for m in METHODS] == [*METHODS]
    for method in METHODS:
        test = f"mcnemar(method={method!r})"
        alone = compare(
            *rows(b, c, both, neither), "error_rate", test=test, alternative=alternative
        )
        mine = found[test]
        assert mine.pvalue == pytest.approx(alone.pvalue, rel=1e-12)
        assert mine.difference == pytest.approx(alone.difference, abs=1e-15)
        assert mine.values == pytest.approx(alone.values)
        assert mine.confidence_interval.low == pytest.approx(
            alone.confidence_interval.low, abs=1e-12
        )
        assert mine.n == n


@pytest.mark.thorough
@given(st.integers(0, 60), st.integers(1, 60))
def test_p_values_need_no_number_of_all_cases(b, c):
    found, told = compare(Discordant(b, c)), compare(Discordant(b, c, cases=1000))
    assert found.pvalues == pytest.approx(told.pvalues)
    assert found.pvalues["mcnemar(method='exact')"] == pytest.approx(
        stats.binomtest(b, b + c).pvalue
    )
    assert found.results[0].statistic == pytest.approx((b - c) ** 2 / (b + c))
    assert told.results[0].values == ()  # error rates are not known
    assert "cases that only one gets wrong" in found.heading


def test_as_many_cases_as_there_are():
    found = compare(Discordant(1_200_000, 1_198_000, cases=4_000_000_000))
    assert found.results[0].pvalue == pytest.approx(stats.chi2.sf(2000**2 / 2_398_000, 1))


def test_one_test_is_one_result():
    assert compare(Discordant(12, 5), test="mcnemar").parameters["method"] == "exact"
    assert compare(Discordant(0, 0, cases=9), test="mcnemar").pvalue == 1
    newcombe = compare(Discordant(12, 5, cases=100, both=3), test="mcnemar(interval='newcombe')")
    assert newcombe.confidence_interval.method == "Newcombe"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((-1, 5), "only_first must be a whole number of cases, at least 0; got -1"),
        ((3, 2.5), "only_second must be a whole number of cases"),
        ((0, 0), "Set cases="),
        ((12, 5, 10), "more cases wrong than there are; got 17 of 10"),
        ((12, 5, None, 3), "Set cases="),
        ((12, 5, float("nan")), "cases must be a whole number of cases"),
        (("x", 5), "only_first must be a number"),
        ((12, 5, None, None, ("a", "a")), "names must be two different names"),
    ],
)
def test_what_is_wrong_is_said(given, said):
    with pytest.raises(ParameterError, match=said):
        Discordant(*given)


def test_tests_side_by_side():
    values = FoldValues([0.8, 0.7, 0.9, 0.75], [0.7, 0.65, 0.8, 0.76], test_train_ratio=1 / 9)
    names = ["paired_t", "corrected_resampled_t", "wilcoxon", "sign_test"]
    found = compare(values, test=names)
    assert found.tests == tuple(names)
    for name in names:
        assert found[name].pvalue == compare(values, test=name).pvalue
    assert json.loads(found.to_json())["tests"][2]["test"] == "wilcoxon"
    assert found.frame("polars")["pvalue"].to_list() == list(found.pvalues.values())
    with pytest.raises(KeyError, match="was not asked for"):
        found["mcnemar"]
    with pytest.raises(ParameterError, match="exactly two models"):
        compare(values, test=[])


def run(capsys, *tokens):
    status = main(["compare", *tokens])
    done = capsys.readouterr()
    return status, done.out, done.err


def test_counts_on_the_command_line(capsys):
    status, out, _ = run(capsys, "--discordant", "12", "5", "--json")
    assert status == 0
    assert [t["pvalue"] for t in json.loads(out)["tests"]] == pytest.approx(
        list(compare(Discordant(12, 5)).pvalues.values())
    )
    _, out, _ = run(capsys, "--discordant", "12", "5", "--cases", "100", "--test", "mcnemar")
    assert "difference     0.070" in out
    assert (
        "only_second must be a whole number of cases" in run(capsys, "--discordant", "12", "-5")[2]
    )


def test_means_and_variances_on_the_command_line(capsys):
    means = ("--means", "0.81", "0.78", "--sizes", "10", "12", "--json")
    found = [
        json.loads(run(capsys, *means, *spread)[1])
        for spread in (("--deviations", "0.02", "0.03"), ("--variances", "0.0004", "0.0009"))
    ]
    known = stats.ttest_ind_from_stats(0.81, 0.02, 10, 0.78, 0.03, 12, equal_var=False)
    for each in found:
        assert each["pvalue"] == pytest.approx(known.pvalue)
    pooled = json.loads(
        run(
            capsys, *means, "--deviations", "0.02", "0.03", "--test", "unpaired_t(variant='pooled')"
        )[1]
    )
    assert pooled["pvalue"] == pytest.approx(
        stats.ttest_ind_from_stats(0.81, 0.02, 10, 0.78, 0.03, 12).pvalue
    )
    named = run(capsys, *means[:-1], "--deviations", "0.02", "0.03", "--measure", "accuracy")[1]
    assert "in favour of first" in named
    status, _, err = run(capsys, *means)
    assert status == 2
    assert "--variances" in err


def test_values_typed_in(capsys, tmp_path):
    a, b = [0.81, 0.79, 0.84, 0.80], [0.78, 0.80, 0.80, 0.77]
    typed = [
        part
        for n, v in (("a", a), ("b", b))
        for part in ("--values", f"{n}={','.join(map(str, v))}")
    ]
    status, out, _ = run(
        capsys, *typed, "--over", "datasets", "--test", "paired_t,wilcoxon", "--json"
    )
    assert status == 0
    found = {t["test"]: t["pvalue"] for t in json.loads(out)["tests"]}
    assert found["paired_t"] == pytest.approx(stats.ttest_rel(a, b).pvalue)
    for name, values in (("a", a), ("b", b)):
        np.savetxt(tmp_path / f"{name}.txt", values)
    kept = [part for n in "ab" for part in ("--values", str(tmp_path / f"{n}.txt"))]
    folds = json.loads(run(capsys, *kept, "--test-train-ratio", "0.25", "--json")[1])
    assert folds["test"] == "corrected_resampled_t"
    assert folds["names"] == ["a", "b"]


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        ([], "There is nothing to compare"),
        (["--values", "a=1,2"], "values of two schemes; got 1"),
        (["--values", "a=1,x", "--values", "b=1,2"], "The values of 'a' are numbers; got 'x'"),
        (["--values", "a=1,2", "--values", "a=1,2"], "given twice"),
        (["--values", "a", "--values", "b"], "Write values as a=0.81,0.79"),
        (
            ["--values", "a=1,2", "--values", "b=1,2,3"],
            "same number of values by fold; got a 2, b 3",
        ),
        (["--discordant", "1", "2", "--values", "a=1,2"], "Give either printed numbers"),
        (["--cases", "5"], "Give printed numbers as --discordant"),
    ],
)
def test_what_is_wrong_is_said_on_the_command_line(capsys, tokens, said):
    status, _, err = run(capsys, *tokens)
    assert status in {1, 2}
    assert said in err


def test_limits_that_rest_on_what_is_not_known_are_none():
    test = "mcnemar(interval='newcombe')"
    unknown = compare(Discordant(12, 5, cases=100), test=test)
    assert unknown.confidence_interval is None
    assert "how many cases both models get wrong" in unknown.why_no_interval
    limits = [
        compare(Discordant(12, 5, cases=100, both=both), test=test).confidence_interval
        for both in (0, 40)
    ]
    assert limits[0].high > limits[1].high + 0.005
    alone = compare(Discordant(12, 5), test=test)  # there, no case is one that both get wrong
    assert alone.confidence_interval is not None


@pytest.mark.parametrize(
    "given",
    [
        (0.8, 0.01, 10),
        ((0.8, 0.7), (0.01, 0.02), (10, 10.5)),
        ((0.8, 0.7), (0.01,), (10, 10)),
        ((0.8, 0.7), (-0.01, 0.01), (10, 10)),
        ((0.8, math.nan), (0.01, 0.01), (10, 10)),
        ((0.8, 0.7, 0.6), (0.01, 0.01, 0.01), (10, 10, 10)),
    ],
)
def test_moments_are_those_of_two_models(given):
    with pytest.raises(CrediblyError):
        Moments(*given)


def test_a_deviation_is_no_negative_number(capsys):
    asked = "compare --means 0.8 0.7 --sizes 10 10 --deviations -0.1 0.1"
    assert main(asked.split()) == 2
    assert "--deviations must be" in capsys.readouterr().err
    asked = "compare --discordant 12 5 --cases 100 --both 40 --test mcnemar --json"
    assert main(asked.split()) == 0
    assert json.loads(capsys.readouterr().out)["values"] == [0.52, 0.45]
