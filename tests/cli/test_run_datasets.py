"""Several data sets that share no case, on the command line."""

import json

import numpy as np
import pytest

from credibly import evaluate, read
from credibly.cli import main
from credibly.io.datasets import read_data
from credibly.running import run_datasets


@pytest.fixture
def files(tmp_path):
    made = []
    for k in range(3):
        rng = np.random.default_rng(k)
        y = rng.integers(0, 2, 40)
        x = rng.normal(y, 1).round(4)
        rows = "".join(f"{a},{'xyz'[i % 3]},{'no' if c else 'yes'}\n" for i, (a, c) in enumerate(zip(x, y, strict=True)))  # fmt: skip
        made.append(tmp_path / f"{k}.csv")
        made[-1].write_text(f"size,town,sold\n{rows}")
    return [str(path) for path in made]


def typed(capsys, *words):
    code = main(["run", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_means_are_over_data_sets(files, tmp_path, capsys):
    kept = tmp_path / "kept.parquet"
    words = ("--target", "sold", "--scheme", "naive-bayes,zero-r", "--resampling", "2")
    code, out, _ = typed(capsys, *files, *words, "--measure", "error_rate", "--json", "--save", str(kept))  # fmt: skip
    assert code == 0
    tables = [read_data(f, "sold") for f in files]
    want = run_datasets(["naive-bayes", "zero-r"], [(t.X, t.y) for t in tables], resampling=2, rng=1)  # fmt: skip
    values = [e.value for e in evaluate(want, "error_rate").estimates]
    told = json.loads(out)["estimates"]
    assert [e["value"] for e in told] == pytest.approx(values)
    means = [e for e in told if e.get("estimate") == "dataset_mean"]
    assert [e["interval"]["about"] for e in means] == ["datasets"] * 2
    assert set(read(kept).repeat.tolist()) == {0, 1, 2}


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--positive", "yes"], 2, "--positive only works with one dataset"),
        (["--group", "town"], 2, "--group only works with one dataset"),
        (["--ignore", "price"], 1, "price"),
    ],
)
def test_what_is_for_one_data_set_is_said(files, more, code, said, capsys):
    words = ("--target", "sold", "--scheme", "zero-r")
    found, _, err = typed(capsys, *files, *words, *more)
    assert found == code
    assert said in err


def test_other_columns_are_refused(files, tmp_path, capsys):
    other = tmp_path / "other.csv"
    other.write_text("weight,town,sold\n" + "1,a,no\n2,b,yes\n" * 4)
    code, _, err = typed(capsys, files[0], str(other), "--target", "sold", "--scheme", "zero-r")
    assert code == 1
    assert "other.csv has different inputs from 0.csv: weight, town." in err
