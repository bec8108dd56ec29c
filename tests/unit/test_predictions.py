"""Predictions once inside: immutable, fingerprinted, sliced."""

from dataclasses import FrozenInstanceError, fields
from threading import Barrier, Thread

import numpy as np
import pytest

from credibly import DataError, Predictions, evaluate, read
from credibly.errors import MissingColumnError
from credibly.measures import accuracy
from credibly.predictions.labels import ROWS_PER_BLOCK, Labels, joint_codes
from credibly.predictions.table import MAX_COMPARED_CODES, tallied


def columns():
    rng = np.random.default_rng(0)
    y = np.arange(12) % 2
    return {
        "y_true": y,
        "label": 1 - y,
        "score": rng.normal(size=12),
        "probability": rng.random(12),
        "sample_weight": rng.integers(1, 4, 12).astype(float),
        "baseline": np.tile([0.5, 0.5], (12, 1)),
        "row": np.arange(12),
        "model": np.array(["m"] * 12),
        "fold": np.arange(12) // 4,
        "repeat": np.zeros(12, int),
        "part": np.array(["test"] * 12),
        "group": np.arange(12) % 3,
        "n_train": np.full(12, 100),
    }


def arrays(p):
    return [a for f in fields(p) if isinstance(a := getattr(p, f.name), np.ndarray)]


def test_every_array_is_read_only():
    for p in (Predictions.of(**columns()), Predictions.of([1.0], value=[2.0], baseline=0.0)):
        for part in (p, p.take(np.arange(p.n) == 0), p.known()):
            for array in arrays(part):
                with pytest.raises(ValueError, match="read-only"):
                    array[0] = array[0]
    with pytest.raises(FrozenInstanceError):
        p.truth = np.zeros(1)


def test_the_callers_arrays_may_change_afterwards():
    given = columns()
    p = Predictions.of(**given)
    before = Predictions.of(**columns()).fingerprint
    for column in given.values():
        column[:] = column[::-1].copy()
        column[0] = column[1]
    assert p.fingerprint == before


def test_the_callers_arrays_stay_writable():
    given = columns()
    Predictions.of(**given)
    assert all(column.flags.writeable for column in given.values())


def test_the_fingerprint_is_the_same_wherever_the_columns_come_from():
    given = columns()
    plain = Predictions.of(**given).fingerprint
    lists = {k: v.tolist() for k, v in given.items()}
    small = {
        k: v.astype({"i": "i2", "U": "U9"}.get(v.dtype.kind, v.dtype)) for k, v in given.items()
    }
    objects = {k: v.astype(object) if v.ndim == 1 else v for k, v in given.items()}
    unsigned = {k: v + 0.0 if v.dtype.kind == "f" else v for k, v in given.items()}
    signed = {k: np.where(v == 0, -0.0, v) if v.dtype.kind == "f" else v for k, v in given.items()}
    assert any(np.signbit(v).any() for v in signed.values() if v.dtype.kind == "f")
    for other in (lists, small, objects, unsigned, signed):
        assert Predictions.of(**other).fingerprint == plain
    assert len(plain) == 32


@pytest.mark.parametrize("name", [*columns(), "classes", "positive", "weight_kind"])
def test_the_fingerprint_changes_when_anything_changes(name):
    given = columns()
    before = Predictions.of(**given).fingerprint
    changed = {
        "classes": {"classes": [0, 1, 2], "probability": None},
        "positive": {"positive": 0},
        "weight_kind": {"weight_kind": "frequency"},
        "probability": {"probability": np.nextafter(given["probability"], 1)},
        "score": {"score": np.nextafter(given["score"], 9)},
        "baseline": {"baseline": [0.25, 0.75]},
        "model": {"model": "n"},
        "part": {"part": "train"},
    }.get(name)
    if changed is None:
        other = given[name].copy()
        other[0] = 1 - other[0] if name in {"y_true", "label"} else other[0] + 50
        changed = {name: other}
    if name == "classes":
        given["probability"] = given["score"] = None
        given["baseline"] = None
        before = Predictions.of(**given).fingerprint
    assert Predictions.of(**{**given, **changed}).fingerprint != before


def test_the_fingerprint_depends_on_the_order_of_rows():
    p = Predictions.of([0, 1], label=[1, 1])
    assert p.fingerprint != p.take(np.array([1, 0])).fingerprint
    assert p.fingerprint == p.take(np.array([0, 1])).fingerprint


def test_findings_and_caches_are_not_part_of_the_fingerprint():
    told = Predictions.of(["no", "yes"], label=["no", "yes"], positive="yes")
    guessed = Predictions.of(["no", "yes"], label=["no", "yes"])
    assert guessed.findings
    assert not told.findings
    assert told.fingerprint == guessed.fingerprint


def test_groups_by_one_and_several_columns():
    p = Predictions.of(**columns())
    for name, number in (("fold", 3), ("group", 3), ("model", 1), ("repeat", 1), ("part", 1)):
        found = list(p.groups([name]))
        assert len(found) == number
        for keys, part in found:
            assert part.row.tolist() == p.row[getattr(p, name) == keys[name]].tolist()
        assert sum(part.n for _, part in found) == p.n
    both = {(k["fold"], k["group"]): part.n for k, part in p.groups(["fold", "group"])}
    assert len(both) == 9
    assert sum(both.values()) == 12
    ((keys, whole),) = p.groups([])
    assert (keys, whole) == ({}, p)


def test_rows_without_a_group_are_a_group():
    p = Predictions.of([0, 1, 1], label=[0, 1, 1], group=["a", None, "b"], fold=[None, 1, 1])
    assert [k["group"] for k, _ in p.groups(["group"])] == [None, "a", "b"]
    assert [(k["group"], k["fold"]) for k, _ in p.groups(["group", "fold"])] == [
        (None, 1),
        ("a", None),
        ("b", 1),
    ]


def test_what_is_not_there_is_asked_for():
    p = Predictions.of([0, 1], label=[0, 1])
    with pytest.raises(
        MissingColumnError, match=r"auc needs a score or probability; .* have: label.*accuracy"
    ):
        p.scores_of(1, "auc")
    with pytest.raises(MissingColumnError, match="by='fold' needs fold"):
        list(p.groups(["fold"]))


WRITTEN = {
    "case": (["no", "yes"], ["No", "Yes"]),
    "spaces": (["no", "yes"], [" no ", "yes "]),
    "some of them": (["no", "yes"], ["no", "YES"]),
    "both": (["no", "yes"], ["0", "1"]),
    "numbers": (["no", "yes"], [0, 1]),
    "text": ([0, 1], ["0", "1"]),
    "words": ([0, 1], ["no", "yes"]),
    "truth values": ([False, True], ["false", "true"]),
    "signs": ([-1, 1], [0, 1]),
    "three": (["a", "b", "c c"], ["A", "B", "C  C"]),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_labels_written_in_another_way_are_taken_as_the_classes_of_the_truth(name, tmp_path):
    classes, others = WRITTEN[name]
    truth, place = np.arange(60) % len(classes), np.arange(60) * 7 % 11 % len(classes)
    actual, right, odd = (
        [of[i] for i in at] for of, at in ((classes, truth), (classes, place), (others, place))
    )
    path = tmp_path / "p.csv"
    path.write_text(
        "truth,label\n" + "".join(f"{y},{v}\n" for y, v in zip(actual, odd, strict=True))
    )
    wanted = Predictions.of(actual, label=right)
    for made in (
        Predictions.of(actual, label=odd),
        Predictions.of(actual, label=odd, classes=classes),
        read(path),
    ):
        assert made.label.tolist() == wanted.label.tolist()
        assert [str(c) for c in made.classes] == [str(c) for c in wanted.classes]
    assert "labels-respelled" in {f.code for f in Predictions.of(actual, label=odd).findings}
    assert "labels-respelled" not in {f.code for f in wanted.findings}


def test_labels_that_the_truth_does_not_know_are_refused_where_it_knows_none(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("truth,label\n" + "cat,0\ndog,1\n" * 5)
    for read_it in (
        lambda: Predictions.of(["cat", "dog"] * 5, label=[0, 1] * 5),
        lambda: read(path),
    ):
        with pytest.raises(
            DataError,
            match="No predicted label occurs in the truth: the truth has 'cat', 'dog', the labels are",
        ):
            read_it()
    stated = Predictions.of(
        ["cat", "dog"], label=["cow", "ape"], classes=["ape", "cat", "cow", "dog"]
    )
    alone = Predictions.of(["cat", "dog"], label=["cow", "cow"])
    for p in (stated, alone):
        assert [f.code for f in p.findings if f.severity == "problem"] == ["strange-labels"]
    for fine in (["cow", "dog"], ["Cow", "dog"]):
        assert not Predictions.of(["cat", "dog"], label=fine).findings


def test_classes_that_the_truth_itself_tells_apart_are_no_spellings():
    p = Predictions.of(["a", "A", "b"], label=["A", "A", " a"])
    assert p.classes == (" a", "A", "a", "b")
    assert "labels-respelled" not in {f.code for f in p.findings}


def test_scores_of_the_other_class():
    p = Predictions.of([0, 1], score=[0.25, 2.0])
    assert p.scores_of(0, "").tolist() == [-0.25, -2.0]
    q = Predictions.of([0, 1], probability=[0.25, 1.0])
    assert q.probability_matrix("").tolist() == [[0.75, 0.25], [0.0, 1.0]]
    assert q.scores_of(0, "").tolist() == [0.75, 0.0]


def test_weights_and_their_kinds():
    given = {"y_true": [0, 1], "label": [0, 1]}
    p = Predictions.of(**given)
    assert (p.weight, p.weight_kind, p.weights.tolist()) == (None, "none", [1.0, 1.0])
    q = Predictions.of(**given, sample_weight=[2, 3])
    assert (q.weight_kind, [f.code for f in q.findings]) == ("importance", ["weight-kind"])
    f = Predictions.of(**given, sample_weight=[2, 3], weight_kind="frequency")
    assert (f.weight_kind, f.findings) == ("frequency", ())


def test_truth_values_are_written_as_1_and_0_too():
    p = Predictions.of([True, False, True], label=[1, 0, 0])
    assert (p.classes, accuracy(p)) == ((False, True), pytest.approx(2 / 3))
    assert "strange-labels" not in {f.code for f in p.findings}


def test_classes_are_taken_as_frames_state_them():
    pandas = pytest.importorskip("pandas")
    size = pandas.CategoricalDtype(["low", "mid", "high"], ordered=True)
    truth = pandas.Series(["low", "mid", "high"], dtype=size)
    assert Predictions.of(truth, truth[::-1].reset_index(drop=True)).classes == (
        "low",
        "mid",
        "high",
    )
    chances = pandas.DataFrame({"c": [0.1, 0.8], "a": [0.8, 0.1], "b": [0.1, 0.1]})
    p = Predictions.of(["a", "c"], probability=chances, classes=["a", "b", "c"])
    assert p.probability.tolist() == [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]]


def test_intervals_use_the_size_that_the_weights_leave():
    y, label = [1, 1, 1, 0], [1, 1, 0, 0]
    plain = evaluate(Predictions.of(y, label=label), "accuracy")["accuracy"]

    def with_weight(w, kind):
        p = Predictions.of(y, label=label, sample_weight=w, weight_kind=kind)
        return evaluate(p, "accuracy")["accuracy"]

    twice = Predictions.of(y * 2, label=label * 2)
    frequency, importance = with_weight([2] * 4, "frequency"), with_weight([2] * 4, "importance")
    repeated = evaluate(twice, "accuracy")["accuracy"]
    assert frequency.interval == repeated.interval
    assert frequency.n == repeated.n == 8
    assert importance.interval == plain.interval
    uneven = with_weight([5, 1, 1, 1], "importance")
    assert f"effective size {64 / 28:.4g}" in uneven.interval.method
    for scale in (1e-90, 1e90):
        scaled = with_weight(np.array([5, 1, 1, 1]) * scale, "importance")
        assert scaled.interval.low == pytest.approx(uneven.interval.low)


@pytest.mark.thorough
def test_four_threads_see_the_same_results():
    given = columns()
    expected = evaluate(Predictions.of(**given)).to_json()
    shared = Predictions.of(**given)
    start, found = Barrier(4), []

    def work():
        start.wait()
        found.extend(evaluate(shared).to_json() for _ in range(3))

    threads = [Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [expected] * 12


def test_threads_that_are_first_see_every_measure():
    """A registry loads once, and nobody sees half of it."""
    from credibly._core.declared import Registry
    from credibly.measures import measures

    class Slow(Registry):
        pass

    registry = Slow("measure", "credibly.measures")
    registry._entries, registry._names = measures._entries, measures._names
    start, sizes = Barrier(4), []

    def work():
        start.wait()
        sizes.append(len(list(registry)))

    threads = [Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sizes == [len(measures)] * 4


def test_merging_what_does_not_belong_together_is_refused():
    from credibly.predictions.summaries import Counts

    one = Counts.of(Predictions.of([0, 1], label=[0, 1]))
    other = Counts.of(Predictions.of(["a", "b"], label=["a", "b"]))
    with pytest.raises(DataError, match="differ in classes"):
        one + other


@pytest.mark.parametrize("k", [2, MAX_COMPARED_CODES, MAX_COMPARED_CODES + 1])
@pytest.mark.parametrize("kind", [bool, np.int8, np.int64])
def test_many_codes_are_tallied_as_few_are(kind, k):
    codes = np.random.default_rng(k).integers(-1, k, ROWS_PER_BLOCK + 3)
    codes = codes > 0 if kind is bool else codes.astype(kind)
    whole = np.bincount(codes[codes >= 0], minlength=k)
    assert tallied(codes, None, k).tolist() == whole.tolist()
    assert tallied(codes, np.ones(codes.size), k).tolist() == whole.tolist()


def test_rows_that_differ_in_columns_of_many_values_have_different_numbers():
    """The product of what columns may hold was more than 64 bits, so that numbers began again at 0."""
    many = range(1 << 40)
    columns = [Labels(np.array([0, 1 << 24]), many), Labels(np.zeros(2, np.int64), many)]
    assert joint_codes(columns).tolist() == [0, len(many)]


def test_a_class_that_is_named_may_be_all_that_is_predicted():
    p = Predictions.of([1, 2, 1], label=[0, 0, 0], classes=[0, 1, 2])
    assert not p.findings


def test_half_precision_holds_classes():
    truth = np.array([0, 1, 1], np.float16)
    assert Predictions.of(truth, score=[0.1, 0.7, 0.6]).truth.tolist() == [0, 1, 1]
