"""What a user of scikit-learn writes from habit: arrays by place, and keywords of other libraries."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold

import credibly
from credibly import (
    ParameterError,
    Predictions,
    bias_variance,
    compare,
    evaluate,
    read,
    report,
    run,
)
from credibly._core.keywords import FOREIGN_KEYWORDS, OTHER_KEYWORDS, own_keywords
from credibly.errors import UnknownArgumentError
from credibly.running import learning_curve

TWO, THREE = [1, 0, 1, 0], ["a", "b", "c", "a"]
MANY = list(range(25))
READINGS = {
    "labels": (TWO, [1, 1, 0, 0], "label"),
    "labels as floats": (TWO, [1.0, 1.0, 0.0, 0.0], "label"),
    "labels of one class": ([1, 1], [1, 0], "label"),
    "labels, some missing": (TWO, [1, None, 0, 0], "label"),
    "text": (THREE, ["a", "a", "c", "b"], "label"),
    "truth values": ([True, False], [True, True], "label"),
    "whole numbers of several": ([1, 2, 3], [2, 3, 4], "label"),
    "probabilities": (TWO, [0.9, 0.1, 0.4, 0.0], "probability"),
    "probabilities of a word": (["no", "yes"], [0.25, 1.0], "probability"),
    "probabilities beside truth values": ([True, False], [0.5, 0.25], "probability"),
    "probabilities, some missing": (TWO, [0.9, float("nan"), 0.4, 0.0], "probability"),
    "a column of them": (TWO, [[0.9], [0.1], [0.4], [0.0]], "probability"),
    "a matrix": (THREE, np.full((4, 3), 1 / 3), "probability"),
    "scores": (TWO, [2.5, -1.0, 0.3, 0.1], "score"),
    "whole scores": (TWO, [7, -1, 3, 0], "score"),
    "scores of signs": ([-1, 1], [-0.5, 2.5], "score"),
    "numbers": ([1.5, 2.0], [1, 2], "value"),
    "many numbers": (MANY, MANY, "value"),
    "fractions beside counts": ([0, 1, 2, 3], [0.4, 1.2, 2.0, 2.9], "value"),
}


@pytest.mark.parametrize(("truth", "given", "column"), READINGS.values(), ids=READINGS)
@pytest.mark.parametrize("made", [list, lambda v: np.array(v, object), np.array])
def test_the_second_array_is_what_its_values_tell(truth, given, column, made):
    p = Predictions.of(truth, made(given))
    named = Predictions.of(truth, **{column: given})
    assert p.fingerprint == named.fingerprint
    said = [f for f in p.findings if f.code == "predictions-taken"]
    plain = np.ndim(given) == 2 and np.shape(given)[1] > 1
    if plain or not isinstance(np.ravel(given)[0], int | float | np.number):
        assert not said
    elif not isinstance(truth[0], bool):
        assert len(said) == 1


def test_named_classes_are_never_numbers():
    assert Predictions.of(MANY, MANY, classes=MANY).task == "classification"
    with pytest.raises(ValueError, match="one column but there are 4 classes"):
        Predictions.of([0, 1, 2, 3], [0.4, 1.2, 2.0, 2.9], classes=[0, 1, 2, 3])


def test_labels_stand_beside_probabilities():
    p = Predictions.of(TWO, [1, 1, 0, 0], probability=[0.9, 0.1, 0.4, 0.0])
    assert p.label.tolist() == [1, 1, 0, 0]
    with pytest.raises(ParameterError, match="y_pred and label= are both given"):
        Predictions.of(TWO, TWO, label=TWO)


def test_zeros_and_ones_beside_text_are_its_classes_where_one_is_plainly_positive():
    assert Predictions.of(["no", "yes"], [0, 1]).label.tolist() == [0, 1]
    with pytest.raises(ValueError, match="No predicted label occurs in the truth"):
        Predictions.of(["cat", "dog"], [0, 1])


def test_keywords_of_other_libraries_are_taken():
    named = Predictions.of(TWO, probability=[0.9, 0.1, 0.4, 0.2], positive=0)
    assert Predictions.of(TWO, y_prob=[0.9, 0.1, 0.4, 0.2], pos_label=0).fingerprint == (
        named.fingerprint
    )
    p = Predictions.of(TWO, y_score=[3, 1, 2, 0], groups=[1, 1, 2, 2], weights=[1, 2, 1, 1])
    assert (p.provides, p.group.tolist()) == (("score",), [1, 1, 2, 2])
    assert evaluate(p, scoring="roc_auc")["auc"].value == 1
    X = np.arange(20.0)[:, None]
    made = run("zero-r", X, np.arange(20) % 2, cv=KFold(4), random_state=1, progress=False)
    assert len(made.provenance.fits) == 4


def test_a_keyword_and_its_other_name_clash():
    with pytest.raises(UnknownArgumentError, match="pos_label is another name for positive"):
        Predictions.of(TWO, TWO, positive=1, pos_label=1)
    with pytest.raises(UnknownArgumentError, match="prob is another name for probability"):
        Predictions.of(TWO, proba=TWO, prob=TWO)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda p: evaluate(p, avrage="macro"), r"no argument 'avrage'. Did you mean average\?"),
        (lambda p: evaluate(p, alpha=0.05), r"Set confidence_level=..., which is 1 - alpha"),
        (lambda p: evaluate(p, colour=1), "It takes predictions, measures, by"),
        (lambda p: compare(p, zero_division=0), "It takes a, b, measure"),
        (lambda p: evaluate(p, average="binary"), "about the positive class. Leave it out"),
    ],
)
def test_unknown_keywords_end_in_the_right_word(call, said):
    with pytest.raises(ParameterError, match=said) as caught:
        call(Predictions.of(TWO, TWO))
    assert isinstance(caught.value, TypeError) == ("average='" not in said and "Leave" not in said)


def test_columns_of_frames_are_named_likewise():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": TWO, "b": [0.9, 0.1, 0.4, 0.0]})
    assert read(frame, y_true="a", y_prob="b").provides == ("label", "probability")


def test_a_name_of_two_arguments_is_none_of_them():
    with pytest.raises(UnknownArgumentError, match="It takes measures and measure, which are two"):
        report(Predictions.of(TWO, TWO), scoring="accuracy")


def test_no_keyword_both_works_and_is_refused():
    both = set(FOREIGN_KEYWORDS) & {w for words in OTHER_KEYWORDS.values() for w in words.split()}
    for word in both:  # it works where the argument is, and is answered where it is not
        serves = next(iter(FOREIGN_KEYWORDS[word]))
        own = next(n for n, words in OTHER_KEYWORDS.items() if word in words.split())
        assert own_keywords("f", [own, serves], {word: 1}, open_ended=False) == {own: 1}
        with pytest.raises(UnknownArgumentError, match=f"f has no argument '{word}'. "):
            own_keywords("f", [serves], {word: 1}, open_ended=False)


def test_a_bootstrap_without_a_seed_takes_a_fixed_one_and_says_so():
    p = Predictions.of([1, 0] * 20, score=np.arange(40) % 7)
    asked = {"interval": "bootstrap", "replicates": 50}
    fixed, seeded = evaluate(p, "auc", **asked), evaluate(p, "auc", **asked, rng=1)
    assert fixed["auc"].interval == seeded["auc"].interval
    assert [f.code for f in fixed.findings if f not in seeded.findings] == ["unseeded"]


@pytest.mark.parametrize("verb", [learning_curve, bias_variance])
def test_verbs_that_draw_need_no_seed(verb):
    X, y = np.arange(30.0)[:, None], np.arange(30) % 2
    size = {"replicates": 3} if verb is bias_variance else {"sizes": [0.5], "resampling": 2}
    made = [verb("zero-r", X, y, **size, progress=False, **seed) for seed in ({}, {"rng": 1})]
    assert [f.code for f in made[0].all_findings() if f not in made[1].all_findings()] == [
        "unseeded"
    ]
    assert made[0].rows() == made[1].rows()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda p: credibly.learning_curve, "It is credibly.running.learning_curve"),
        (lambda p: credibly.compare([0.8, 0.9], [0.7, 0.8]), "PairedValues"),
        (lambda p: credibly.compare(p, "auc"), "A comparison needs two models"),
        (lambda p: credibly.compare(p, measure=["auc", "brier"]), "One measure is taken at a time"),
        (lambda p: credibly.compare(p, "other.csv", "auc"), "credibly.read('other.csv')"),
        (lambda p: credibly.curve(p), "curve needs name. name: A name from"),
        (lambda p: credibly.compare(p, p, discordant=(12, 5)), "comparisons.Discordant"),
        (lambda p: credibly.read_csv("p.csv"), "Use credibly.read('predictions.csv')."),
        (lambda p: credibly.plot_roc(p), "Use credibly.plot(p, 'roc')."),
        (lambda p: evaluate(p, "auc").where(measure="auc").f1, "has no attribute 'f1'"),
        (lambda p: credibly.compare(p, against=0.4).significant, "Use .rejected."),
        (lambda p: credibly.demo(), "It is a command of the terminal: `credibly demo`."),
        (lambda p: credibly.benchmarks({"a": p, "b": p}), "No column 'task' says which task"),
        (lambda p: credibly.survival([5, 3], [1, 0], [0.3, 0.2]), "a dictionary or None; got"),
        (lambda p: credibly.survival([5, 3], [1, 0], [0.3, 0.2]), "models: Predictions of several"),
        (lambda p: credibly.evaluate(p, "auc", "f1"), "in one list: ['auc', 'f1']"),
        (
            lambda p: Predictions.of([1, 0], DummyClassifier()),
            "credibly.Predictions.from_estimator(",
        ),
        (
            lambda p: Predictions.from_estimator(DummyClassifier(), [[1]]),
            "takes estimator, X and y,",
        ),
    ],
)
def test_what_is_looked_for_in_the_wrong_place_is_pointed_to(wrong, says):
    p = credibly.Predictions.of([0, 1, 1, 0], score=[0.1, 0.8, 0.4, 0.6])
    with pytest.raises((AttributeError, credibly.ParameterError)) as error:
        wrong(p)
    assert says in str(error.value)


def test_editors_offer_what_people_read():
    p = credibly.Predictions.of([0, 1, 1, 0], score=[0.1, 0.8, 0.4, 0.6])
    assert {"score", "frame", "from_estimator"} <= {*dir(p)}
    assert not {"probability", "cache", "_hashed", "gapless"} & {*dir(p)}
    table = evaluate(p, "auc")
    assert {"estimates", "where", "findings", "frame", "plot", "all"} <= {*dir(table)}
    assert not {"json_keys", "laid_out", "_described_by"} & {*dir(table)}
    assert repr(credibly.measures.auc).startswith("<auc: Chance that a positive case")


def test_probabilities_of_both_classes_serve_for_scores():
    y, p = [0, 1, 1, 0], np.array([0.1, 0.8, 0.4, 0.6])
    both = np.column_stack([1 - p, p])
    assert credibly.measures.auc(y, both) == credibly.measures.auc(y, p) == 0.75


def test_folds_of_conformal_prediction_and_experiments_need_no_seed():
    y = np.arange(60) % 2
    p = Predictions.of(y, probability=np.where(y, 0.7, 0.2) + (np.arange(60) % 7) / 50)
    drawn, seeded = credibly.conformal(p), credibly.conformal(p, rng=1)
    assert drawn.table.rows() == seeded.table.rows()
    assert [f.code for f in drawn.findings if f not in seeded.findings] == ["unseeded"]
    assert repr(credibly.Experiment("tree", ["iris"])).endswith(
        "(1 scheme on 1 dataset, 10x10, rng=1)"
    )


def test_rows_of_a_table_are_a_table_and_an_estimate_is_rounded_like_a_number():
    p = Predictions.of([1, 0, 0, 1], {"a": [1, 1, 0, 1], "b": [1, 0, 0, 0]})
    rows = evaluate(p, ["accuracy", "recall"]).where(model="b")
    assert [e.measure for e in rows] == ["accuracy", "recall"]
    assert rows["accuracy"] is rows[0]
    assert round(rows[0], 1) == 0.8 == round(rows[0].value, 1)
