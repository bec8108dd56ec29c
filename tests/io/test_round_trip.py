import csv
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from credibly import Predictions
from credibly.io import read
from credibly.io.classes import is_whole

# No NUL, which is refused, no lone surrogates, which no file can hold, and no number.
TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
)
LABEL = st.one_of(
    TEXT, st.sampled_from(['"', ",", "\n", "\r", " a", "a ", "'", ";", "#", "\\", "é", "NA"])
)


def is_real(text):
    try:
        float(text)
    except ValueError:
        return False
    return not is_whole(text)


@st.composite
def cases(draw):
    labels = draw(
        st.lists(LABEL, min_size=1, max_size=4, unique=True).filter(
            lambda v: not any(map(is_real, v))
        )
    )
    rows = draw(
        st.lists(st.tuples(*[st.sampled_from([*labels, None])] * 2), min_size=1, max_size=12)
    )
    truth, label = ([r[i] for r in rows] for i in (0, 1))
    seen = [v for v in (*truth, *label) if v is not None]
    if seen and all(map(is_whole, seen)):
        number = [[None if v is None else int(v) for v in column] for column in (truth, label)]
        return truth, label, *number
    return truth, label, truth, label


def check(path, wanted_truth, wanted_label):
    got = read(path, truth="truth", label="label")
    try:
        want = Predictions.of(wanted_truth, label=wanted_label)
    except ValueError:
        return
    assert got.fingerprint == want.fingerprint


@settings(max_examples=30, deadline=None)
@given(cases())
def test_csv_and_parquet(case):
    truth, label, wanted_truth, wanted_label = case
    with tempfile.TemporaryDirectory() as folder:
        text, table = Path(folder, "p.csv"), Path(folder, "p.parquet")
        with text.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writerow(["truth", "label"])
            writer.writerows(
                ["" if v is None else v for v in row] for row in zip(truth, label, strict=True)
            )
        pq.write_table(
            pa.table(
                {"truth": pa.array(truth, pa.string()), "label": pa.array(label, pa.string())}
            ),
            table,
        )
        check(text, wanted_truth, wanted_label)
        check(table, wanted_truth, wanted_label)
