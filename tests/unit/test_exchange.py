"""Predictions go out as frames, in slices and as text."""

import numpy as np
import pytest

import credibly
from credibly import ParameterError, Predictions

P = Predictions.of(["no", "yes"] * 4, np.linspace(0.1, 0.8, 8), fold=[0, 1] * 4)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_is_read_back(backend):
    assert credibly.read(P.frame(backend)).fingerprint == P.fingerprint
    numbers = Predictions.of([1.5, 2.5], value=[1.0, 2.0], sample_weight=[1, 2])
    assert credibly.read(numbers.frame(backend)).fingerprint == numbers.fingerprint


def test_rows_are_taken_as_from_an_array():
    assert P[:3].fingerprint == P.take(np.arange(3)).fingerprint
    assert P[P.fold == 1].fingerprint == P.where(fold=1).fingerprint
    assert P[-1].truth.tolist() == [1]
    assert P[[3, 1]].probability.tolist() == P.probability[[3, 1]].tolist()
    with pytest.raises(ParameterError, match=r"mask or positions; got 'label'. .*where\(model"):
        P["label"]
    with pytest.raises(IndexError):
        P[8]


def test_text_shows_the_first_rows_and_what_was_taken():
    lines = str(P).splitlines()
    assert lines[0] == repr(P)
    assert lines[1].split() == ["truth", "label", "p_yes", "fold"]
    assert lines[2].split() == ["no", "no", "0.1", "0"]
    assert lines[7] == "... 3 rows more"
    assert any("y_pred was taken as probabilities" in line for line in lines[8:])
