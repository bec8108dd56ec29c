"""Classes and numbers that files write in their own way come back as they were, or are refused for what they are."""

import numpy as np
import pandas as pd
import pytest

from credibly import Predictions, read, save
from credibly.errors import DataError


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("columns", [1, 2])
def test_truth_values_keep_their_probabilities(tmp_path, ending, columns):
    shares = np.array([0.9, 0.2, 0.7, 0.4])
    given = shares if columns == 1 else np.column_stack([1 - shares, shares])
    p = Predictions.of([True, False, True, False], probability=given, classes=[False, True])
    back = read(save(p, tmp_path / f"p.{ending}"))
    assert [str(c) for c in back.classes] == ["False", "True"]
    assert back.probability is not None
    assert back.probabilities_of(1) == pytest.approx(shares)


def test_a_class_without_a_name_is_kept_beside_missing_ones(tmp_path):
    p = Predictions.of(["", "a", None, "a"], label=["", "", "a", None], classes=["", "a"])
    back = read(save(p, tmp_path / "p.parquet"))
    assert back.classes == ("", "a")
    assert back.truth.tolist() == p.truth.tolist()
    assert back.label.tolist() == p.label.tolist()


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("odd", ["", " a", "a ", " ", "\n", "_a", "=a", "p_", "p_a", "truth", "NA"])
def test_probabilities_of_oddly_named_classes_come_back(odd, suffix, tmp_path):
    if not odd and suffix != "parquet":
        pytest.skip("text has no class without a name")
    for classes in ([odd, "zz"], [odd, "a", "zz"]):
        shares = np.random.default_rng(1).dirichlet(np.ones(len(classes)), 6)
        truth = [classes[i % len(classes)] for i in range(6)]
        p = Predictions.of(truth, probability=shares, classes=classes)
        assert read(save(p, tmp_path / f"p.{suffix}")).fingerprint == p.fingerprint
        assert read(p.frame(), classes=classes).probability.tolist() == shares.tolist()


def test_blanks_around_a_class_in_the_name_of_a_column_do_not_count():
    frame = pd.DataFrame({"truth": ["a", "b"], "p: a": [0.75, 0.5], "prob = b": [0.25, 0.5]})
    p = read(frame.rename(columns={"prob = b": "p = b", "p: a": "p : a"}))
    assert p.probability.tolist() == [[0.75, 0.25], [0.5, 0.5]]
    given = Predictions.of(["a", "b"], probability=frame[["p: a", "prob = b"]])
    assert given.probability.tolist() == p.probability.tolist()


def test_ordered_categories_of_a_file_are_those_of_the_frame(tmp_path):
    kind = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame({"truth": ["mid", "high", "low"], "label": ["mid", "low", "low"]}).astype(
        kind
    )
    frame.to_parquet(tmp_path / "p.parquet")
    assert read(tmp_path / "p.parquet").classes == read(frame).classes == ("low", "mid", "high")
    plain = pd.CategoricalDtype(["low", "mid", "high"])
    frame.astype(plain).to_parquet(tmp_path / "q.parquet")
    assert read(tmp_path / "q.parquet").classes == ("high", "low", "mid")


def test_thousands_are_refused_for_their_separators(tmp_path):
    (tmp_path / "p.csv").write_text('truth,value\n"1,234",1200\n"12,345,678.5",2300\n17,15\n')
    with pytest.raises(DataError, match="without separators of thousands: 1234, not 1,234"):
        read(tmp_path / "p.csv")


@pytest.mark.parametrize("written", ["2", 2, 2.0, "2.0", " 2 "])
def test_positive_class_is_found_however_its_whole_number_is_written(tmp_path, written):
    path = tmp_path / "whole.csv"
    path.write_text("truth,label\n1,1\n2,1\n2,2\n1,2\n2,2\n")
    p = read(path, positive=written)
    assert p.classes[p.positive] == 2
    path.write_text("truth,label\n2.0,2\n2,2.0\nx,x\n")  # text: these are two classes
    p = read(path, positive=str(written).strip())
    assert p.classes[p.positive] == str(written).strip()
