"""`credibly compare` on bare values: by fold, by dataset."""

import csv
import io
import json

import pytest

from credibly.cli import main


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(
        "dataset,a,b,c\niris,0.95,0.94,0.90\nglass,0.70,0.66,0.65\nwine,0.97,0.98,0.9\n"
        "zoo,0.9,0.85,0.8\nheart,0.82,0.8,0.79\n"
    )
    return str(path)


def run(capsys, *arguments):
    """Return the exit status and what was printed."""
    try:
        status = main(list(arguments)) or 0
    except SystemExit as stop:
        status = stop.code or 0
    done = capsys.readouterr()
    return status, done.out, done.err


def test_schemes_over_datasets(capsys, results):
    asked = ("compare", results, "--datasets", "dataset", "--columns", "a,b,c", "--measure", "auc")
    status, out, _ = run(capsys, *asked, "--json")
    stored = json.loads(out)
    assert status == 0
    assert stored["schemes"] == ["a", "b", "c"]
    assert stored["average_ranks"] == [1.2, 1.8, 3.0]
    assert "Critical difference" in run(capsys, *asked)[1]


def test_the_measure_says_which_way_is_better(capsys, results):
    asked = ("compare", results, "--datasets", "dataset", "--columns", "a,b,c", "--json")
    ranked = json.loads(run(capsys, *asked, "--measure", "error_rate")[1])
    assert ranked["schemes"] == ["c", "b", "a"]
    turned = json.loads(run(capsys, *asked, "--direction", "lower")[1])
    assert turned["schemes"] == ["c", "b", "a"]


def test_against_a_control(capsys, results):
    _, out, _ = run(
        capsys, "compare", results, "--datasets", "dataset", "--columns", "a,b,c",
        "--against", "c", "--csv",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(r["first"], r["second"]) for r in rows] == [("a", "c"), ("b", "c")]


def test_two_schemes_over_folds(capsys, results):
    asked = ("compare", results, "--columns", "a,b", "--test-train-ratio", "0.25", "--json")
    assert json.loads(run(capsys, *asked)[1])["test"] == "corrected_resampled_t"
    bayes = json.loads(run(capsys, *asked, "--test", "bayesian_correlated_t(rope=0.01)")[1])
    assert bayes["pvalue"] is None
    assert sum(bayes["probabilities"].values()) == pytest.approx(1)


def test_five_repeats_of_two_folds(capsys, tmp_path):
    path = tmp_path / "folds.csv"
    a, b = [9, 8, 9, 7, 8, 8, 9, 8, 7, 8], [8, 8, 7, 7, 8, 7, 8, 8, 7, 7]
    path.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in zip(a, b, strict=True)))
    asked = ("compare", str(path), "--columns", "a,b", "--test", "five_by_two_f", "--json")
    assert json.loads(run(capsys, *asked, "--repeats", "5")[1])["statistic"] == pytest.approx(1)
    assert "five repeats of two folds" in run(capsys, *asked)[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--columns", "a,x"), "There is no column 'x'"),
        (("--columns", "a,b", "--datasets", "date"), "There is no column 'date'"),
        (("--columns", "a"), "columns of two schemes"),
        (("--columns", "a,b"), "--test-train-ratio"),
        (("--columns", "a,b,c", "--datasets", "dataset", "--against", "z"), "got 'z'"),
    ],
)
def test_what_cannot_be_compared(capsys, results, arguments, message):
    status, out, err = run(capsys, "compare", results, *arguments)
    assert status != 0
    assert not out
    assert message in err


def test_a_gap_in_a_table_is_named(capsys, tmp_path):
    path = tmp_path / "gap.csv"
    path.write_text("d,a,b\np,1,2\nq,,3\n")
    status, _, err = run(capsys, "compare", str(path), "--datasets", "d", "--columns", "a,b")
    assert status != 0
    assert "first a on q" in err


def test_several_schemes_over_folds(capsys, results):
    """Every pair by the same test as two alone; Holm's p-values are never smaller."""
    asked = ("compare", results, "--test-train-ratio", "0.2", "--json", "--columns")
    status, out, _ = run(capsys, *asked, "a,b,c")
    assert status == 0
    found = json.loads(out)
    alone = [json.loads(run(capsys, *asked, pair)[1]) for pair in ("a,b", "a,c", "b,c")]
    assert found["correction"] == "holm"
    assert [c["pvalue"] for c in found["comparisons"]] == [c["pvalue"] for c in alone]
    p = sorted(c["pvalue"] for c in alone)
    holm = [3 * p[0], max(3 * p[0], 2 * p[1]), max(3 * p[0], 2 * p[1], p[2])]
    assert sorted(c["adjusted_pvalue"] for c in found["comparisons"]) == pytest.approx(holm)
