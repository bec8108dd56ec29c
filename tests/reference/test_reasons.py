"""Why a value is not finite: what is said is true of the rows, by statements that share no code with it."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly import CostMatrix, Predictions, evaluate
from credibly.calibration._declare import calibration_statistics
from credibly.measures import measures
from credibly.measures._causes import why_not_finite
from every.additions import ByHand
from examples import examples

CODES = {"undefined", "too-large", "too-small", "infinite-loss"}


def counted(p):
    """Return the rows that count, as plain Python."""
    columns = {
        "truth": p.truth.tolist(),
        "label": None if p.label is None else p.label.tolist(),
        "value": None if p.value is None else p.value.tolist(),
        "baseline": None if p.baseline is None else p.baseline.tolist(),
        "probability": None if p.probability is None else np.atleast_2d(p.probability.T).T.tolist(),
    }
    kept = [i for i, w in enumerate(p.weights.tolist()) if w > 0]
    return {k: None if c is None else [c[i] for i in kept] for k, c in columns.items()}


def of_truth(p, column):
    """Return the share or probability of the class that happened, row by row."""
    rows = counted(p)
    if column == "probability" and p.probability.ndim == 1:
        return [
            q[0] if t == p.positive else 1 - q[0]
            for t, q in zip(rows["truth"], rows["probability"], strict=True)
        ]
    return [q[t] for t, q in zip(rows["truth"], rows[column], strict=True)]


def information(p, m):
    """Return the information of each row: a number, infinite, or nothing where it is 0 over 0."""
    clip = m.arguments.get("clip", 0)
    found = []
    for prior, said in zip(of_truth(p, "baseline"), of_truth(p, "probability"), strict=True):
        q = max(said, clip)
        if m.name == "complexity_improvement":
            ends = (math.inf if prior == 0 else 0) - (math.inf if q == 0 else 0)
            found.append(ends)
        elif q >= prior:
            found.append(math.nan if q == 0 else math.inf if prior == 0 else 0)
        else:
            found.append(-math.inf if prior == 1 else 0)
    return found


def constant(column):
    return len(set(column)) <= 1


def labels_of(p, *, positive):
    """Return the labels of the positive, or of all other, cases."""
    rows = counted(p)
    both = zip(rows["truth"], rows["label"], strict=True)
    return [lab for t, lab in both if (t == p.positive) == positive]


def decided(p):
    rows = counted(p)
    both = [(t, lab) for t, lab in zip(rows["truth"], rows["label"], strict=True) if lab >= 0]
    return [t for t, _ in both], [lab for _, lab in both]


TRUE = ByHand(
    "Add to TRUE of tests/reference/test_reasons.py what is so of predictions where '{name}' is true.",
    {
        "there are no cases": lambda p, m: not counted(p)["truth"],
        "there is a single class": lambda p, m: len(p.classes) == 1,
        "a class has no cases": lambda p, m: len(set(counted(p)["truth"])) < len(p.classes),
        "no case is positive": lambda p, m: p.positive not in counted(p)["truth"],
        "no case is negative": lambda p, m: set(counted(p)["truth"]) <= {p.positive},
        "no case is labelled positive": lambda p, m: p.positive not in counted(p)["label"],
        "no case is labelled negative": lambda p, m: set(counted(p)["label"]) <= {p.positive, -1},
        "no case is positive or labelled positive": lambda p, m: (
            p.positive not in counted(p)["truth"] + counted(p)["label"]
        ),
        "no negative case is labelled positive": lambda p, m: (
            p.positive not in labels_of(p, positive=False)
        ),
        "no negative case is labelled negative": lambda p, m: (
            set(labels_of(p, positive=False)) <= {p.positive, -1}
        ),
        "every positive case is labelled positive": lambda p, m: (
            set(labels_of(p, positive=True)) == {p.positive}
        ),
        "no positive case is expected": lambda p, m: (
            not any(
                q[0 if p.probability.ndim == 1 else p.positive] for q in counted(p)["probability"]
            )
        ),
        "some class has no case": lambda p, m: (
            set(counted(p)["truth"]) != set(range(len(p.classes)))
        ),
        "every case is of one class": lambda p, m: constant(counted(p)["truth"]),
        "every case gets the same label, or none": lambda p, m: constant(counted(p)["label"]),
        "the cases that have a label are all positive or all negative, in truth or by label": (
            lambda p, m: any(constant([c == p.positive for c in side]) for side in decided(p))
        ),
        "chance alone would agree on every case": lambda p, m: constant(
            counted(p)["truth"] + counted(p)["label"]
        ),
        "there are fewer than k cases": lambda p, m: p.weights.sum() < m.arguments["k"],
        "the baseline is never wrong": lambda p, m: set(of_truth(p, "baseline")) == {1.0},
        "the class shares of the training part leave nothing to predict": lambda p, m: (
            set(of_truth(p, "baseline")) == {1.0}
        ),
        "a class happened that had no share in the training part": lambda p, m: (
            0.0 in of_truth(p, "baseline")
        ),
        "a class happened that had neither a share in the training part nor a probability": (
            lambda p, m: any(math.isnan(v) for v in information(p, m))
        ),
        "some cases count as infinitely good and others as infinitely bad": lambda p, m: (
            {math.inf, -math.inf} <= set(information(p, m))
        ),
        "the truth takes one value only": lambda p, m: constant(counted(p)["truth"]),
        "the prediction takes one value only": lambda p, m: constant(counted(p)["value"]),
        "the training mean is always right": lambda p, m: (
            counted(p)["truth"] == counted(p)["baseline"]
        ),
        "a truth or prediction is -1 or less": lambda p, m: (
            min(counted(p)["truth"] + counted(p)["value"]) <= -1
        ),
    },
)
ENDLESS = ByHand(
    "Add to ENDLESS of tests/reference/test_reasons.py what is so of predictions where '{name}' is true.",
    {
        "An outcome that occurred had a predicted probability of exactly 0": lambda p, m: (
            0.0 in of_truth(p, "probability")
        ),
        "A class happened that had no share in the training part": lambda p, m: (
            0.0 in of_truth(p, "baseline")
        ),
        "The only class of the training part was given a probability below 1": (
            lambda p, m: any(
                prior == 1 > q
                for prior, q in zip(
                    of_truth(p, "baseline"), of_truth(p, "probability"), strict=True
                )
            )
        ),
        "A truth of zero was missed": lambda p, m: any(
            t == 0 != v for t, v in zip(counted(p)["truth"], counted(p)["value"], strict=True)
        ),
    },
)


def variants():
    costs = CostMatrix.of([[0, 1], [5, 0]], classes=[0, 1])
    given_by_name = {"k": 3, "costs": costs}
    for m in measures:
        needed = {q.name: given_by_name[q.name] for q in m.parameters if q.required}
        yield m.given(**needed) if needed else m
    yield measures.parse("complexity_improvement(clip=0.25)")
    yield measures.parse("kappa(weights='linear')")


VARIANTS = list(variants())


def check(m, p, e=None):
    """Whatever is not finite has one finding, and what it says is true."""
    e = e or evaluate(p, m, interval=None).estimates[0]
    if math.isfinite(e.value):
        assert not e.findings
        return None
    (said,) = e.findings
    assert said.code in CODES
    if said.code == "infinite-loss":
        told = [r.text for r in m.infinite_reasons if r.text in said.action]
        assert told
        assert all(ENDLESS[text](p, m) for text in told), (m.call, told)
        if "has a floor" in said.action:
            found = evaluate(p, m.given(clip=0.001), interval=None).estimates[0]
            assert math.isfinite(found.value) or "infinite-loss" not in str(found.findings)
        return None
    told = [r.text for r in m.reasons if f": {r.text}." in said.message]
    if said.code == "undefined":
        assert len(told) == 1, said.message
        assert TRUE[told[0]](p, m), (m.call, said.message)
        return told[0]
    others = [r.text for r in m.reasons if TRUE[r.text](p, m)]
    assert p.task == "numeric"
    assert not others, (m.call, said.message, others)
    sizes = [abs(x) for c in (p.truth, p.value, p.baseline) if c is not None for x in c.tolist()]
    assert max(sizes) > 1e100 or min(x for x in sizes if x) < 1e-100
    return None


weights = st.sampled_from([0, 1, 1, 1, 2])
numbers = st.sampled_from(
    [0.0, -0.0, 1.0, 2.0, -1.0, -3.0, -0.5, 1e308, -1e308, 1e200, 1e-200, 5e-324, 4.25]
)
shares = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@st.composite
def weighed(draw, n):
    kept = [draw(weights) for _ in range(n)]
    return kept if any(kept) else [1] * n


@st.composite
def classified(draw):
    """Few rows of two or three classes, some of which have no case, with certain probabilities and shares."""
    k = draw(st.sampled_from([2, 2, 3]))
    n = draw(st.integers(1, 4))
    occurring = draw(st.sampled_from([1, k]))
    truth = [draw(st.integers(0, occurring - 1)) for _ in range(n)]
    label = [draw(st.sampled_from([None, *range(k)])) for _ in range(n)]
    rows, baseline = (
        [draw(st.permutations([a, 1 - a, *[0.0] * (k - 2)])) for a in [draw(shares) for _ in truth]]
        for _ in range(2)
    )
    column = np.empty(n, object)
    column[:] = label
    return Predictions.of(
        truth,
        label=column,
        probability=rows,
        baseline=np.array(baseline),
        classes=list(range(k)),
        positive=draw(st.integers(0, k - 1)),
        sample_weight=draw(weighed(n)),
        weight_kind="frequency",
    )


@st.composite
def numeric(draw):
    n = draw(st.integers(1, 4))
    pick = st.sampled_from(draw(st.lists(numbers, min_size=1, max_size=3)))
    truth, value, baseline = ([draw(pick) for _ in range(n)] for _ in range(3))
    if draw(st.booleans()):
        baseline = truth
    return Predictions.of(
        truth, value=value, baseline=np.array(baseline), sample_weight=draw(weighed(n))
    )


few = examples(60)


def check_all(p):
    fitting = [
        m
        for m in VARIANTS
        if not m.lacks(p) and ("costs" not in m.arguments or len(p.classes) == 2)
    ]
    table = evaluate(p, fitting, interval=None, average=None)
    for m, e in zip(fitting, table.estimates, strict=True):
        check(m, p, e)


@few
@given(classified())
def test_reasons_of_classes_are_true(p):
    check_all(p)


@few
@given(numeric())
def test_reasons_of_numbers_are_true(p):
    check_all(p)


def test_zero_probabilities_are_no_prediction():
    rows = [[0.0] * 3, [0.2, 0.3, 0.5], [1.0, 0, 0]]
    p = Predictions.of([0, 1, 2], probability=rows)
    assert math.isfinite(evaluate(p, "spherical_score")["spherical_score"].value)
    (said,) = [f for f in evaluate(p, "log_loss")["log_loss"].findings if f.code == "infinite-loss"]
    assert "(row 2" in said.message  # the third row, though the first is left out


def test_a_number_without_a_logarithm_is_not_called_too_large():
    p = Predictions.of([0.0, 5.0], value=[-3.0, 2.0])
    for name in ("rmsle", "male"):
        assert check(measures[name], p) == "a truth or prediction is -1 or less"


def test_a_single_class():
    p = Predictions.of(["a", "a"], probability=[[1.0], [1.0]], classes=["a"])
    assert check(measures["hand_till"], p) == "there is a single class"


def test_shares_that_are_certain_are_not_called_a_missed_zero():
    p = Predictions.of([1, 0, 1], probability=[0.2, 0.3, 0.4], baseline=[0, 1.0])
    for name in ("class_complexity_order_0", "complexity_improvement", "information_score"):
        check(measures[name], p)


def test_squares_that_vanish_are_not_called_right():
    p = Predictions.of([1e-200, 2e-200], value=[1e-200, 1e-200], baseline=0.0)
    (said,) = evaluate(p, "rse", interval=None)["rse"].findings
    assert said.code == "too-small"


def test_every_reason_has_a_statement_and_none_is_left_over():
    TRUE.check_complete({r.text for m in measures for r in m.reasons})
    ENDLESS.check_complete({r.text for m in measures for r in m.infinite_reasons})


@pytest.mark.parametrize("m", list(calibration_statistics), ids=lambda m: m.name)
def test_statistics_of_calibration_have_a_value_where_there_are_cases_or_another_reason(m):
    grid = [Fraction(i, 4) for i in range(5)]
    for a in grid:
        for b in grid:
            for truth in ([0, 1], [1, 1], [0, 0], [1, 0]):
                p = Predictions.of(
                    truth, probability=[float(a), float(b)], classes=[0, 1], positive=1
                )
                if math.isnan(m.value(p)):
                    (cause,) = why_not_finite(m, p)
                    assert cause.text != "there are no cases", (truth, a, b)
                    assert cause.text in {r.text for r in m.reasons}


def test_a_weighted_average_names_no_class_that_it_leaves_out():
    p = Predictions.of(list("aab"), label=list("aaa"), classes=list("abc"))
    weighted = evaluate(p, "precision", average="weighted", interval=None)["precision"]
    (said,) = weighted.findings
    assert "for class 'b': no case is labelled positive" in said.message


def test_folds_say_the_reason_that_holds_there():
    p = Predictions.of(
        [1, 0, 0, 0], score=[0.1, 0.2, 0.3, 0.4], fold=[0, 0, 1, 1], n_train=2, row=range(4)
    )
    (e,) = evaluate(p, "auc", estimate="fold_mean").estimates
    (said,) = [f for f in e.findings if f.code == "left-out-folds"]
    assert "in 1 of 2 folds, which are left out of the mean: no case is positive." in said.message
