"""Recalibration without a second set of cases: each fold gets the map of the others."""

import json

import numpy as np
import pytest

from credibly import DataError, Predictions, recalibrate
from credibly.calibration.recalibration import recalibrations
from credibly.cli import main
from credibly.io import read


def overconfident(n=120, seed=1, **columns):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    y = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)
    return Predictions.of(y, probability=1 / (1 + np.exp(-3 * z)), positive=1, **columns)


@pytest.mark.parametrize("method", ["logistic", "isotonic", "histogram(groups=4)"])
def test_known_folds_by_hand(method):
    fold = np.arange(120) % 4
    p = overconfident(fold=fold)
    made = recalibrate(p, method=method)
    entry = recalibrations.parse(method)
    matrix = np.column_stack([1 - p.probability, p.probability])
    for k in range(4):
        other = fold != k
        want = entry.fitted(matrix[other], p.truth[other])(matrix[~other])[:, 1]
        assert made.predictions.probability[~other] == pytest.approx(want)
    assert made.fitted(matrix)[:, 1] == pytest.approx(entry.fitted(matrix, p.truth)(matrix)[:, 1])
    assert made.same_roc is None
    assert "map-of-all-cases" in {f.code for f in made.findings}


def test_a_case_is_never_mapped_by_what_it_was_fitted_on():
    """Cases predicted repeatedly, and groups, are dealt as one."""
    base = overconfident(40)
    p = Predictions.of(
        np.tile(base.truth, 2), probability=np.tile(base.probability, 2), positive=1,
        row=np.tile(np.arange(40), 2), repeat=np.repeat([0, 1], 40),
    )  # fmt: skip
    after = recalibrate(p, folds=5, rng=1).predictions.probability
    assert after[:40] == pytest.approx(after[40:])  # in one fold, so by one map
    fold = np.r_[np.arange(40) % 4, np.arange(40)[::-1] % 5]
    q = Predictions.of(p.truth, probability=p.probability, positive=1, row=p.row, repeat=p.repeat, fold=fold)  # fmt: skip
    made = recalibrate(q).predictions.probability
    second = overconfident(40, fold=fold[40:])
    assert made[40:] == pytest.approx(recalibrate(second).predictions.probability)


def test_frequencies_weigh_in_the_fit():
    p = overconfident(60, fold=np.arange(60) % 3)
    counts = np.arange(60) % 3 + 1
    rows = np.repeat(np.arange(60), counts)
    counted = Predictions.of(p.truth, probability=p.probability, positive=1, fold=p.fold, sample_weight=counts, weight_kind="frequency")  # fmt: skip
    expanded = Predictions.of(p.truth[rows], probability=p.probability[rows], positive=1, fold=p.fold[rows])  # fmt: skip
    a, b = (recalibrate(x).predictions.probability for x in (counted, expanded))
    assert a[rows] == pytest.approx(b)


def test_folds_without_a_seed_are_those_of_a_fixed_one():
    fixed, seeded = recalibrate(overconfident()), recalibrate(overconfident(), rng=1)
    assert fixed.table.rows() == seeded.table.rows()
    assert {f.code for f in fixed.findings} - {f.code for f in seeded.findings} == {"unseeded"}
    assert fixed.meaning().startswith(
        "Recalibration did not clearly change the log loss: 0.767 before"
    )


def test_what_cannot_be_dealt_is_said():
    with pytest.raises(DataError, match="folds need"):
        recalibrate(overconfident(30), folds=31, rng=1)
    one_sided = Predictions.of([1] * 5 + [0] * 5, probability=[0.5] * 10, positive=1, fold=[0] * 5 + [1] * 5)  # fmt: skip
    with pytest.raises(DataError, match="two classes"):
        recalibrate(one_sided)


@pytest.fixture
def files(tmp_path):
    paths = []
    for name, seed in (("a", 1), ("b", 2)):
        p = overconfident(seed=seed)
        rows = "".join(f"{name}{i},{y},{q}\n" for i, (y, q) in enumerate(zip(p.truth, p.probability, strict=True)))  # fmt: skip
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text(f"row,truth,probability\n{rows}")
    return [str(path) for path in paths]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.daily(number=[1])
def test_on_the_command_line(number, files, tmp_path, capsys):
    better, picture = tmp_path / "better.parquet", tmp_path / "map.json"
    words = [*files[:number], "--replicates", "20", "--json"]
    assert main(["recalibrate", *words, "--save", str(better), "-o", str(picture)]) == 0
    told = json.loads(capsys.readouterr().out)
    a, b = map(read, files)
    want = recalibrate(a, b if number == 2 else None, rng=1, replicates=20)
    values = [e.value for e in want.table.estimates]
    assert [e["value"] for e in told["estimates"]] == pytest.approx(values)
    assert read(better).probability == pytest.approx(want.predictions.probability)
    assert picture.exists()


@pytest.mark.parametrize("repeats", [1, 2])
def test_tests_are_about_the_differences_that_the_table_shows(repeats):
    base, row = overconfident(), np.tile(np.arange(120), repeats)
    repeat = np.repeat(np.arange(repeats), 120)
    p = Predictions.of(
        base.truth[row], probability=base.probability[row], positive=1,
        row=row, repeat=repeat, fold=(row // (repeat + 1)) % 4, n_train=[90] * len(row),
    )  # fmt: skip
    found = recalibrate(p, rng=1, replicates=50)
    assert [t.measure for t in found.tests] == ["brier", "log_loss", "expected_calibration_error"]
    for test in found.tests:
        before, after = found.table.where(measure=test.measure.partition("(")[0])
        assert test.difference == pytest.approx(after.value - before.value)
        assert test.about == "cases"
    assert "uses 10 groups of equal width" in str(found)
