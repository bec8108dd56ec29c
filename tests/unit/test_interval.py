"""So many successes of so many cases: every method side by side."""

import json
import math

import pytest
from hypothesis import given, strategies as st
from scipy import stats

import credibly
from credibly import ParameterError
from credibly.cli import main
from credibly.intervals import proportion_interval, proportion_methods, sample_size_for_proportion


@pytest.mark.parametrize(("n", "low", "high"), [(1000, "0.732", "0.767"), (100, "0.691", "0.801")])
def test_the_figures_of_a_text_book(n, low, high):
    limits = credibly.interval(round(0.75 * n), n, confidence_level=0.8)["wilson"]
    assert (f"{limits.low:.3f}", f"{limits.high:.3f}") == (low, high)


def test_a_share_of_few_cases():
    found = credibly.interval(rate=0.75, n=10, confidence_level=0.8)
    assert (f"{found['wilson'].low:.3f}", f"{found['wilson'].high:.3f}") == ("0.548", "0.881")
    with pytest.raises(ParameterError, match="Clopper-Pearson gives no interval"):
        found["exact"]
    assert "Clopper-Pearson gives none: it counts cases" in str(found)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_every_method_is_there_as_by_itself(counts):
    found = credibly.interval(*counts, confidence_level=0.9)
    assert [e.method for e in found.intervals] == [m.name for m in proportion_methods]
    for each in found.intervals:
        alone = proportion_interval(*counts, confidence_level=0.9, method=each.method)
        assert found[each.method] == alone
        assert 0 <= alone.low <= counts[0] / counts[1] <= alone.high <= 1


@given(st.integers(2, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_student_and_corrected_wald_by_the_formula(counts):
    part, n = counts
    share = part / n
    t = stats.t.ppf(0.95, n - 1) * math.sqrt(share * (1 - share) / (n - 1))
    z = stats.norm.ppf(0.95) * math.sqrt(share * (1 - share) / n) + 1 / (2 * n)
    found = credibly.interval(part, n, confidence_level=0.9, method=["student", "wald_corrected"])
    for name, half in (("student", t), ("wald_corrected", z)):
        assert found[name].low == pytest.approx(max(0, share - half), rel=1e-9, abs=1e-12)
        assert found[name].high == pytest.approx(min(1, share + half), rel=1e-9)


def test_one_limit():
    found = credibly.interval(9, 10, alternative="greater")
    assert found["exact"].low == pytest.approx(
        stats.binomtest(9, 10, alternative="greater").proportion_ci(0.95).low
    )
    assert found["exact"].high == 1
    upper = credibly.interval(9, 10, alternative="less")
    assert upper["wilson"].low == 0
    # The centre is that of the limit that is shown: z at 95 %, one-sided.
    z = stats.norm.ppf(0.95)
    assert found.intervals[0].estimate == pytest.approx((9 + z * z / 2) / (10 + z * z))


def test_the_size_for_a_width():
    found = credibly.interval(75, 100, width=0.05)
    for each in found.intervals:
        assert each.n_for_width == sample_size_for_proportion(0.025, 0.75, 0.95, each.method).n
    nothing = credibly.interval(0, 10, method="wald", width=0.05)
    assert nothing.intervals[0].n_for_width is None  # it has no width at any size
    single = credibly.interval(1, 1, method="student", width=0.1)
    assert single.intervals[0].n_for_width is None  # from two cases on


@pytest.mark.parametrize(
    ("given", "told", "said"),
    [
        ((1200, 1000), {}, "more successes than cases; got 1,200 of 1,000"),
        ((-1, 10), {}, "Successes must be a whole number of at least 0; got -1"),
        ((7.5, 10), {}, "For a share, set rate="),
        ((0, 0), {}, "n must be a whole number of cases, at least 1; got 0"),
        ((1, 2**53 + 2), {}, "up to 2\\^53; got 9007199254740994 cases"),
        ((1, 2.5), {}, "n must be a whole number of cases, at least 1; got 2.5"),
        ((1,), {}, "An interval needs the successes and n="),
        ((1, 5), {"rate": 0.2}, "An interval needs the successes and n="),
        ((1, 5), {"width": 2}, "width"),
        ((1, 5), {"width": 0.1, "alternative": "less"}, "two limits"),
        ((1, 5), {"alternative": "up"}, "alternative"),
        ((1, 5), {"alternative": "less", "confidence_level": 0.4}, "above 0.5"),
        ((1, 5), {"method": "wilsom"}, "Did you mean wilson"),
        ((1, 5), {"method": []}, "names one method or several"),
    ],
)
def test_what_is_wrong_is_said(given, told, said):
    with pytest.raises(ParameterError, match=said):
        credibly.interval(*given, **told)


def test_large_counts_are_written_out():
    assert str(credibly.interval(3, 10**15)).startswith("3 of 1,000,000,000,000,000: ")
    assert str(credibly.interval(rate=0.75, n=10)).startswith("7.5000 of 10: 0.75")


def test_it_is_a_result():
    found = credibly.interval(750, 1000)
    kept = json.loads(found.to_json())
    assert kept["intervals"][0]["interval"]["low"] == found["wilson"].low
    frame = found.frame("polars")
    assert frame.shape[0] == len(found) == len(list(proportion_methods))
    assert found.plot().y.categories[0] == "Wilson"


def test_on_the_command_line(capsys):
    assert main(["interval", "750", "1000", "--confidence-level", "0.8"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("750 of 1,000: 0.75, standard error 0.01369")
    assert "[0.7321, 0.7671]" in out
    assert (
        main(["interval", "--rate", "0.75", "--n", "10", "--method", "wilson,wald", "--csv"]) == 0
    )
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["interval", "1200", "1000"]) == 2
    assert "more successes than cases" in capsys.readouterr().err
