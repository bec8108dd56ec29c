"""Rows without a prediction are undecided where labels are judged and left out elsewhere."""

import math

import numpy as np
import pytest

import credibly
from credibly import CrediblyError, DataError, Predictions, compare, curve, evaluate
from credibly.cli import main
from credibly.evaluation.caveats import surely_wrong
from credibly.measures import measures
from each import Each

NAN = float("nan")
CLASSES = list("aabbabbaab")
P = np.array([0.9, 0.6, 0.3, 0.2, 0.7, 0.4, 0.6, 0.5, 0.8, 0.1])
GAP = 3


def two_classes(gap=(0.0, 0.0), **more):
    matrix = np.column_stack([P, 1 - P])
    matrix[GAP] = gap
    return Predictions.of(CLASSES, probability=matrix, positive="a", **more)


def numbers(value):
    given = P.copy()
    given[GAP] = value
    return Predictions.of(np.arange(10.0), value=given, baseline=4.0)


def without(p):
    return p.take(np.arange(p.n) != GAP)


@pytest.mark.parametrize("gap", [(0.0, 0.0), (NAN, NAN), (None, None)])
def test_zero_and_missing_probabilities_are_the_same(gap):
    p = two_classes(gap)
    assert p.label[GAP] == -1
    assert p.fingerprint == two_classes().fingerprint
    assert {f.code for f in p.findings} >= {"no-prediction"}


KINDS = {"classes": two_classes(), "numbers": numbers(NAN)}


@pytest.mark.parametrize("kind", KINDS)
@Each("m", list(measures))
def test_every_measure_of_scores_and_numbers_leaves_them_out(m, kind):
    p = KINDS[kind]
    if m.lacks(p) or m.takes == "label":
        return
    whole, rest = evaluate(p, m, rng=1), evaluate(without(p), m, rng=1)
    assert whole[m.name].n == rest[m.name].n
    expected = rest[m.name].value
    for value in (whole[m.name].value, m(p)):
        assert value == expected or (math.isnan(value) and math.isnan(expected))
    if rest[m.name].interval is not None:
        assert whole[m.name].interval.low == pytest.approx(rest[m.name].interval.low, abs=1e-12)
        assert whole[m.name].interval.high == pytest.approx(rest[m.name].interval.high, abs=1e-12)


@Each("m", list(measures))
def test_every_measure_of_labels_takes_them_as_undecided(m):
    p = two_classes()
    if m.lacks(p) or m.takes != "label":
        return
    labels = [None if c < 0 else p.classes[c] for c in p.label.tolist()]
    undecided = Predictions.of(CLASSES, label=labels, positive="a", baseline=p.baseline)
    if not m.lacks(undecided):
        assert m(p) == m(undecided) or math.isnan(m(p))


def test_a_given_label_stays():
    p = Predictions.of(["a", "b"], label=["a", "b"], probability=[[0, 0], [0.5, 0.5]])
    assert p.label.tolist() == [0, 1]
    assert evaluate(p, "accuracy")["accuracy"].value == 1


DOORS = {
    "curve": lambda p: curve("roc", p).y.tolist(),
    "band": lambda p: curve("roc", p, band="pointwise", rng=1, replicates=50).band.low.tolist(),
    "calibration": lambda p: credibly.calibration(p, rng=1, groups=3, replicates=50).outcomes.n,
    "compare": lambda p: compare(p, p, measure="auc").difference,
    "against": lambda p: compare(p, measure="auc", against=0.5).pvalue,
    "decide": lambda p: credibly.decide(p, {"fn": 2, "fp": 1}).table["average_cost"].value,
    "bootstrap": lambda p: credibly.intervals.bootstrap(p, "auc", rng=1).values.tolist(),
    "plot": lambda p: credibly.plot(p, "scores_by_class").alt,
}


@pytest.mark.parametrize("door", DOORS)
def test_doors_of_scores_answer_as_without_these_rows(door):
    p = two_classes()
    assert DOORS[door](p) == DOORS[door](without(p))


VERBS = [n for n in credibly.__all__ if n.islower() and callable(getattr(credibly, n))]


@Each("verb", [n for n in VERBS if n not in {"read", "save", "run"}])
def test_no_verb_ends_in_a_foreign_error(verb):
    function = getattr(credibly, verb)
    try:
        function("roc", two_classes()) if verb == "curve" else function(two_classes())
    except CrediblyError:
        pass
    except TypeError as error:  # a verb that needs more than predictions
        assert "required" in str(error)  # noqa: PT017


@pytest.mark.parametrize("kind", ["classes", "many", "numbers"])
def test_checks_and_reports_are_made(kind):
    p = {**KINDS, "many": _many()}[kind]
    assert credibly.check(p)["certain-probabilities"]
    assert "no prediction" in credibly.report(p).markdown()


def _many():
    """As many cases as every check asks for."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    p = np.clip(0.5 + 0.3 * (truth - 0.5) + 0.2 * rng.normal(size=200), 0.01, 0.99)
    matrix = np.column_stack([1 - p, p])
    matrix[[3, 50, 77]] = 0
    return Predictions.of(truth, probability=matrix)


def test_one_model_without_a_prediction_leaves_the_case_out_for_both():
    other = without(two_classes())
    whole = Predictions.of(CLASSES, probability=P[::-1].copy(), positive="a")
    found = compare(two_classes(), whole, measure="auc")
    assert found.difference == compare(other, without(whole), measure="auc").difference


def test_what_reads_numbers_says_which_rows_have_none():
    with pytest.raises(DataError, match=r"1 of [0-9]+ rows has none: row 3.*scored\(\)"):
        two_classes().probability_matrix("a matrix")


def test_partly_missing_probabilities_are_refused():
    with pytest.raises(DataError, match=r"probability is not a finite number in 1 row: row 3"):
        two_classes((NAN, 0.5))


def test_they_are_saved_and_read(tmp_path):
    for name in ("p.parquet", "p.csv", "p.jsonl"):
        path = credibly.save(two_classes(), tmp_path / name)
        again = credibly.read(path, positive="a")
        assert again.fingerprint == two_classes().fingerprint


@pytest.mark.parametrize("weight", [1, 3])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("untold", [0, 2])
@pytest.mark.parametrize("unpredicted", [0, 1])
def test_only_missing_truths_are_called_unknown(kind, untold, unpredicted, weight):
    truth = np.array([0.0, 1, 0, 1, 1, 0]) + (0.5 if kind == "numbers" else 0)
    given = np.array([0.2, 0.7, 0.4, 0.9, 0.3, 0.1])
    truth[:untold] = NAN
    given[3 : 3 + unpredicted] = NAN
    how = {"sample_weight": [weight] * 6, "weight_kind": "frequency"}
    p = Predictions.of(truth, **{"value" if kind == "numbers" else "score": given}, **how)
    measure = "mae" if kind == "numbers" else "auc"
    said = {f.code: f.message for f in evaluate(p, measure).findings}
    assert ("no-prediction" in said) == bool(unpredicted)
    assert ("missing-truth" in said) == bool(untold)
    if untold:
        assert (
            f"The truth is missing in {untold * weight} rows of {6 * weight}"
            in said["missing-truth"]
        )


def test_a_gap_does_not_keep_the_first_screen_from_naming_sure_errors(tmp_path, capsys):
    path = tmp_path / "a.csv"
    rows = [(y, y or 0.25) for y in [0, 1] * 6]
    for sure in (False, True):
        rows[1], rows[4] = (1, ""), (0, 1.0 if sure else 0.5)
        path.write_text("y_true,y_proba\n" + "".join(f"{y},{p}\n" for y, p in rows))
        assert main(["evaluate", str(path)]) == 0
        said = capsys.readouterr().out
        assert "1 of 12 rows has no prediction" in said
        assert ("1 case costs infinitely much (row 4," in said) == sure


def test_sure_errors_are_named_beside_a_model_without_probabilities():
    given = [NAN] * 4 + [NAN, 0.2, 0.0, 0.3]
    p = Predictions.of([0, 1, 1, 0] * 2, probability=given, label=[0, 1, 1, 0] * 2, model=["a"] * 4 + ["b"] * 4, row=[0, 1, 2, 3] * 2)  # fmt: skip
    (found,) = surely_wrong(p)
    assert "for model 'b': 1 case costs infinitely much (row 2," in found.message
