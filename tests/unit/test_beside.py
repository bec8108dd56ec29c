"""What is known of cases beside what is predicted: the same for every kind of prediction."""

import numpy as np
import pandas as pd
import pytest

import credibly
from credibly import DataError, slices
from credibly._core.signatures import arguments_of
from credibly.case_scores.tables import table_kinds

N = 30


def drawn(seed, *shape):
    return np.random.default_rng(seed).random((N, *shape)).round(1)


TRUE, CHANCE = drawn(1, 3) < 0.5, drawn(2, 3)
SETS, CLASS = CHANCE > 0.3, np.arange(N) * 7 % 3
Y, MEMBERS = drawn(3), drawn(4, 4)
COUNTS = np.arange(N) % 3 + 1
GRADES, SCORES = (3 * drawn(5, 6)).astype(int), drawn(6, 6)
GRADES[:, 0] = 2


WEEKS, HAD = 1 + np.arange(N) * 7 % 6, np.arange(N) * 11 % 5 > 1


def by_query(matrix, rows):
    return {f"q{i}": {f"d{j}": float(x) for j, x in enumerate(matrix[r])} for i, r in enumerate(rows)}  # fmt: skip


def named(given, rows):
    """Give what is known of the cases by query."""
    columns = given.pop("columns", None) or {}
    by_name = {
        k: v if k == "weight_kind" else {f"q{i}": x for i, x in enumerate(v)}
        for k, v in given.items()
    }
    return {**by_name, "columns": {c: {f"q{i}": x for i, x in enumerate(v)} for c, v in columns.items()}}  # fmt: skip


KINDS = {
    "label sets": lambda r, **k: credibly.label_sets(TRUE[r], probability=CHANCE[r], **k),
    "sets of classes": lambda r, **k: credibly.prediction_sets(CLASS[r], SETS[r].astype(int), **k),
    "forecasts": lambda r, **k: credibly.forecasts(Y[r], members=MEMBERS[r], **k),
    "times to an event": lambda r, **k: credibly.survival(WEEKS[r], HAD[r], risk=CHANCE[r, 0], survival=CHANCE[r, 1:], times=[2, 4], **k),
    "rankings": lambda r, **k: credibly.rankings(by_query(GRADES, r), by_query(SCORES, r), **named(k, r)),
}  # fmt: skip
EVERY = np.arange(N)


@pytest.mark.parametrize("kind", KINDS)
def test_a_case_of_weight_two_counts_as_two_cases(kind):
    weighted = KINDS[kind](EVERY, sample_weight=COUNTS)
    repeated = KINDS[kind](np.repeat(EVERY, COUNTS))
    for score in weighted.defined():
        values = [e.value for ev in (weighted, repeated) for e in ev.table(score)]
        assert values[0] == pytest.approx(values[1], rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_frequencies_are_cases(kind):
    weighted = KINDS[kind](EVERY, sample_weight=COUNTS, weight_kind="frequency")
    repeated = KINDS[kind](np.repeat(EVERY, COUNTS))
    for score in weighted.defined():
        (e,), (other,) = (ev.table(score).estimates for ev in (weighted, repeated))
        assert tuple(e.interval) == pytest.approx(tuple(other.interval), rel=1e-9)
        assert e.n == other.n


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_weight_zero_and_the_unit_of_weights_change_nothing(kind):
    some = EVERY % 5 > 0
    part = KINDS[kind](EVERY[some], sample_weight=COUNTS[some])
    with_none = KINDS[kind](EVERY, sample_weight=np.where(some, 8.0 * COUNTS, 0))
    for score in part.defined():
        (e,), (other,) = (ev.table(score).estimates for ev in (part, with_none))
        assert e.value == pytest.approx(other.value, rel=1e-12)
        assert tuple(e.interval) == pytest.approx(tuple(other.interval), rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_cases_are_grouped_and_sliced_by_columns(kind):
    site = np.where(EVERY < 15, "north", "south")
    found = KINDS[kind](EVERY, group=EVERY // 3, columns={"site": site})
    score = found.defined()[0]
    p = found.scored(score)
    assert [e.keys["site"] for e in found.table(score, by="site")] == ["north", "south"]
    if kind != "times to an event":  # whose scores are no means over cases
        assert {e.name for e in slices(p, by="site").estimates} == {"site=north", "site=south"}
    assert np.unique(p.group).size == 10


def test_weights_of_labels_are_those_of_scikit_learn():
    from sklearn.metrics import f1_score, hamming_loss

    found = credibly.label_sets(TRUE, SETS, sample_weight=COUNTS)
    assert found.table("hamming_loss").estimates[0].value == pytest.approx(hamming_loss(TRUE, SETS, sample_weight=COUNTS), rel=1e-12)  # fmt: skip
    for e in found.averaged("f1"):
        theirs = f1_score(TRUE, SETS, average=e.average, sample_weight=COUNTS)
        assert e.value == pytest.approx(theirs, rel=1e-12)


def test_every_table_takes_the_same_of_its_cases():
    for kind in table_kinds:
        texts = {name: a.text for name, a in arguments_of(kind.function).items()}
        assert {"group", "columns", "format"} <= {*texts}
        assert all(texts.values()), kind


def test_a_table_of_rankings_says_what_is_known_of_its_queries():
    frame = pd.DataFrame(
        {"query": np.repeat([f"q{i}" for i in range(12)], 4), "document": [*"abcd"] * 12}
    )
    frame["grade"], frame["old"], frame["new"] = ([1, 0, 2, 0] * 12), drawn(7, 2).ravel()[:48], drawn(8, 2).ravel()[:48]  # fmt: skip
    frame["user"], frame["words"] = np.repeat(["ann", "bob", "eve"], 16), np.repeat([1, 2, 1], 16)
    frame["weight"] = np.repeat(np.arange(1.0, 13), 4)
    options = {"score": ["old", "new"], "group": "user", "weight": "weight"}
    found = credibly.read_rankings(frame, **options)
    p = found.scored("ndcg")
    users = dict(zip(frame["query"], frame["user"], strict=True))
    assert [users[q] for q in p.row] == p.group.tolist()
    assert {*p.columns} == {"words"}
    order = np.argsort([f"q{i}" for i in range(12)])
    assert p.weight[:12].tolist() == (order + 1.0).tolist()
    frame.loc[0, "user"] = "eve"
    with pytest.raises(DataError, match="differ in their group"):
        credibly.read_rankings(frame, **options)


def test_what_is_not_known_of_a_query_is_named():
    judged, run = by_query(GRADES, [0, 1]), by_query(SCORES, [0, 1])
    with pytest.raises(DataError, match="group has no value for 1 query: q1"):
        credibly.rankings(judged, run, group={"q0": "ann"})


def test_places_of_weighted_cases_are_not_tested():
    found = KINDS["forecasts"](EVERY, sample_weight=COUNTS)
    assert not [*found.details()]
    with pytest.raises(DataError, match="count the same"):
        found.pit()
