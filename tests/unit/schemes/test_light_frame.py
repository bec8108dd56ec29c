"""Light frames hold the values of what they are made of, and encode as values one by one would."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st

from credibly import run
from credibly.resampling._equal_rows import equal_rows
from credibly.schemes import as_scheme, build, take_rows
from credibly.schemes._encoding import Encoder
from credibly.schemes.columns import columns_of, light_frame, light_if_text, nature_of
from credibly.schemes.light_frame import LightFrame, Text

TEXTS = st.sampled_from(["a", "b", "B", "", "ä", "1", None])
NUMBERS = st.one_of(st.none(), st.floats(-1e6, 1e6))
ROWS = st.lists(st.tuples(TEXTS, NUMBERS, TEXTS), min_size=1, max_size=30)


def as_objects(rows):
    array = np.empty((len(rows), 3), object)
    array[:] = rows
    return array


def encoded(train, test, text, encoding, *, keep_missing):
    """Encode cell by cell: the slow twin."""
    made = []
    for j in range(train.shape[1]):
        if j not in text:
            known = [float(v) for v in train[:, j] if v is not None]
            mean = sum(known) / len(known) if known else 0.0
            gap = np.nan if keep_missing else mean
            made.append([gap if v is None else float(v) for v in test[:, j]])
            continue
        present = sorted({v for v in train[:, j] if v is not None})
        present += [None] if None in set(train[:, j]) else []
        if encoding == "one-hot":
            made += [[float(v == c) for v in test[:, j]] for c in present]
        else:
            unknown = np.nan if keep_missing else -1.0
            made.append([present.index(v) if v in present else unknown for v in test[:, j]])
    return np.array(made, float).T


@given(rows=ROWS, cut=st.integers(1, 29), keep=st.booleans(), hot=st.booleans())
def test_parts_are_encoded_as_cell_by_cell(rows, cut, keep, hot):
    array = as_objects(rows)
    text = [j for j in (0, 2) if any(v is not None for v in array[:, j])]
    names = tuple(f"column {j}" for j in text)
    encoding = "one-hot" if hot else "codes"
    whole = light_frame(array, names)
    train, test = array[:cut], array[cut // 2 :]
    encoder = Encoder(encoding, text=names, keep_missing=keep).fit(whole[np.arange(len(train))])
    found = encoder.transform(whole[np.arange(cut // 2, len(array))])
    want = encoded(train, test, text, encoding, keep_missing=keep)
    np.testing.assert_allclose(found, want.reshape(found.shape), rtol=1e-12)
    given_objects = Encoder(encoding, text=names, keep_missing=keep).fit(train).transform(test)
    np.testing.assert_array_equal(found, given_objects)


@given(rows=ROWS)
def test_values_come_back(rows):
    array = as_objects(rows)
    light = light_frame(array)
    want = columns_of(array)
    for name, column in columns_of(light).items():
        np.testing.assert_array_equal(column, want[name])
    assert light.shape == array.shape
    assert len(light) == len(array)
    assert nature_of(light).text == nature_of(array).text
    back = np.asarray(light)
    numbers = [None if v != v else v for v in np.asarray(columns_of(array)["column 1"], float)]
    assert [None if v != v else v for v in back[:, 1]] == numbers
    assert equal_rows(light).max() + 1 == len({(a, b, c) for a, b, c in rows})


def test_only_text_makes_a_light_frame():
    assert light_if_text(np.ones((2, 2))) is None
    assert light_if_text(np.array([[1, None], [2, 3]], object)) is None
    assert light_if_text(pd.DataFrame({"x": [1, 2]})) is None
    assert isinstance(light_if_text(pd.DataFrame({"x": ["a", "b"]})), LightFrame)
    light = LightFrame({"t": Text.of(np.array(["b", "a", None], object))})
    assert light_frame(light) is light
    with pytest.raises(ValueError, match="as an array it is a copy"):
        np.asarray(light, copy=False)


def mixed():
    """Numbers and text, and a class that depends on both."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.normal(size=80), "t": rng.choice(["a", "b", "c"], 80)})
    return frame, np.where(frame["x"] + (frame["t"] == "a") > 0.3, "yes", "no")


def test_processes_get_the_same_table():
    """The one run in several processes that is tried every day."""
    frame, y = mixed()
    schemes = ["naive-bayes", "tree", "one-r", "bagging(n_estimators=3)"]
    alone, together = (run(schemes, frame, y, resampling="2x4", rng=1, n_jobs=n) for n in (1, 2))
    assert alone.fingerprint == together.fingerprint


@pytest.mark.parametrize("scheme", ["naive-bayes", "tree", "one-r", "bagging(n_estimators=3)"])
def test_a_run_gives_the_same_from_every_kind_of_table(scheme):
    frame, y = mixed()
    kinds = [frame, pl.from_pandas(frame), frame.to_numpy(object)]
    found = [run({"s": scheme}, X, y, resampling="2x4", rng=1) for X in kinds]
    assert len({p.fingerprint for p in found}) == 1
    train, test, light = np.arange(60), np.arange(60, 80), light_frame(frame)
    built = [build(as_scheme(scheme), "classification", X, seed=3) for X in (frame, light)]
    for model, X in zip(built, (frame, light), strict=True):
        model.fit(take_rows(X, train), y[train])
    (a, X), (b, Z) = zip(built, (frame, light), strict=True)
    assert a.predict(take_rows(X, test)).tolist() == b.predict(take_rows(Z, test)).tolist()
