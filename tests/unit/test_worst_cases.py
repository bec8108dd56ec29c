"""The worst cases against a slow twin: each case looked at by itself."""

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, worst_cases
from credibly.errors import UnknownNameError

N = 40


def drawn(seed):
    return np.random.default_rng(seed)


TRUTH = drawn(1).integers(0, 3, N)
SAID = {
    m: np.where(drawn(i).random(N) < 0.6, TRUTH, drawn(i + 9).integers(0, 3, N))
    for i, m in enumerate("abc")
}
LABELS = Predictions.of(TRUTH, label=SAID, columns={"site": np.arange(N) % 4}, group=np.arange(N) // 2)  # fmt: skip
NUMBERS = {m: TRUTH + drawn(i).normal(size=N) for i, m in enumerate("ab")}


def test_cases_are_counted_and_picked_by_how_many_models_get_them_wrong():
    times = [sum(SAID[m][i] != TRUTH[i] for m in "abc") for i in range(N)]
    found = worst_cases(LABELS)
    assert found.wrong_in == tuple(times.count(k) for k in range(4))
    assert (found.n, found.picked, found.models) == (N, N, ("a", "b", "c"))
    for k in range(4):
        picked = worst_cases(LABELS, wrong_in=k, of_class="2")
        assert [row[0] for row in picked.table] == [
            i for i in range(N) if times[i] == k and TRUTH[i] == 2
        ]
    i, truth, *said, group, site = found.table[0]
    assert found.columns == ("row", "truth", "a", "b", "c", "group", "site")
    assert [truth, *said] == [TRUTH[i], *(SAID[m][i] for m in "abc")]
    assert (group, site) == (i // 2, i % 4)


def test_numbers_are_ordered_by_their_mean_distance():
    p = Predictions.of(TRUTH.astype(float) + 0.5, value=NUMBERS)
    found = worst_cases(p, most=5)
    apart = [np.mean([abs(NUMBERS[m][i] - TRUTH[i] - 0.5) for m in "ab"]) for i in range(N)]
    assert [row[0] for row in found.table] == np.argsort(-np.array(apart))[:5].tolist()
    assert (found.wrong_in, found.picked) == ((), N)
    with pytest.raises(ParameterError, match="right or wrong"):
        worst_cases(p, wrong_in=1)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_outcomes_are_ordered_by_what_is_better(better):
    scored = drawn(4).random(N)
    found = worst_cases(Predictions.of(outcome=scored, better=better))
    order = np.argsort(scored if better == "higher" else -scored)
    assert [row[0] for row in found.table] == order.tolist()


def test_probabilities_are_ordered_by_what_they_lack():
    y = TRUTH > 0
    p = Predictions.of(y, probability=drawn(5).random(N), row=[f"case {i}" for i in range(N)])
    lacks = np.where(y, 1 - p.probability, p.probability)
    found = worst_cases(p)
    assert [row[0] for row in found.table] == [f"case {i}" for i in np.argsort(-lacks)]
    assert found.wrong_in[1] == (lacks > 0.5).sum()


def test_what_weighs_nothing_is_no_case():
    p = Predictions.of([0, 1, 1], label=[1, 1, 0], sample_weight=[0, 1, 1], weight_kind="frequency")
    assert worst_cases(p).wrong_in == (1, 1)


def test_what_is_not_there_is_named():
    with pytest.raises(UnknownNameError, match="no class '7'"):
        worst_cases(LABELS, of_class="7")
    with pytest.raises(UnknownNameError, match="no column 'sit'"):
        worst_cases(LABELS, beside=["sit"])
    with pytest.raises(DataError, match="none can be wrong"):
        worst_cases(Predictions.of([0, 1], score=[0.1, 3]))


@pytest.mark.parametrize(("better", "failed"), [("higher", 0.0), ("lower", 1.0)])
def test_where_every_case_fails_all_are_wrong(better, failed):
    found = worst_cases(Predictions.of(outcome=[failed] * 3, better=better))
    assert found.wrong_in == (0, 3)
    assert found.heading() == "3 of 3 cases wrong"


def test_a_case_without_a_truth_is_neither_right_nor_wrong():
    p = Predictions.of([1, None, 0], label=[1, 0, 1], classes=[0, 1])
    found = worst_cases(p)
    assert (found.n, found.wrong_in, len(found.table)) == (3, (1, 1), 3)
    assert found.heading() == "1 of 2 cases wrong"
    assert "1 case has no truth and is not counted." in str(found)
    assert [row[0] for row in worst_cases(p, wrong_in=0).table] == [0]


def test_without_some_outcomes_others_still_pass_or_fail():
    p = Predictions.of(outcome=[1.0, np.nan, 0.0])
    assert worst_cases(p).wrong_in == (1, 1)
    assert "1 case has no outcome and is not counted." in str(worst_cases(p))
    assert [row[0] for row in worst_cases(p, wrong_in=0).table] == [0]


def test_no_column_is_lost_to_another_of_its_name():
    p = Predictions.of([1, 0], label=[0, 0], group=["a", "b"], columns={"truth": ["x", "y"], "group": ["u", "v"]})  # fmt: skip
    assert worst_cases(p).rows()[0] == {
        "row": 0,
        "truth": 1,
        "predicted": 0,
        "group": "a",
        "truth (column)": "x",
        "group (column)": "u",
    }
    assert worst_cases(p, beside=["group"]).rows()[0]["group"] == "u"
    models = Predictions.of([1, 0], label={"truth": [0, 0], "a": [1, 0]})
    assert worst_cases(models).columns == ("row", "truth", "truth (model)", "a")


def test_of_several_fits_the_most_frequent_label_is_shown():
    rows, fits = np.tile(np.arange(9), 5), np.repeat(np.arange(5), 9)
    truth = np.tile(np.arange(9) % 3, 5)
    label = drawn(7).integers(0, 3, 45)
    p = Predictions.of(truth, label=label, row=rows, repeat=fits, classes=[0, 1, 2])
    found = {row[0]: row[2] for row in worst_cases(p).table}
    for case in range(9):
        said = label[rows == case].tolist()
        assert found[case] == max(range(3), key=said.count)  # the first of several
    times = [sum(label[rows == i] != i % 3) for i in range(9)]
    assert worst_cases(p).wrong_in[1] == sum(n >= 3 for n in times)
    p = Predictions.of([1, 1, 1], label=[0, 0, 1], row=["a"] * 3, repeat=[0, 1, 2])
    assert worst_cases(p, beside=[]).table == (("a", 1, 0),)


def test_cases_of_a_class_are_counted_among_themselves():
    p = Predictions.of([0, 0, 1, 1], label=[1, 0, 1, 0])
    found = worst_cases(p, of_class=1)
    assert (found.n, found.wrong_in, found.picked) == (2, (1, 1), 2)
    assert found.heading() == "1 of 2 cases of class 1 wrong"
