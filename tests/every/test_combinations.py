"""What must hold of every way to combine models, naming none of them."""

import re

import numpy as np
import pytest

from credibly import CrediblyError, ParameterError, Predictions, compare, evaluate
from credibly.ensembles import combinations, combine
from each import Each
from every.additions import ByHand, example_runs

EVERY = list(combinations)
ARGUMENTS = ByHand(
    "{name} has no default: add a value to ARGUMENTS of tests/every/test_combinations.py.",
    {"weights": {"a": 2.0, "b": 1.0, "c": 1.0}},
)
by_name = Each("way", EVERY)


def filled(way):
    return way.given(**{q.name: ARGUMENTS[q.name] for q in way.parameters if q.required})


def models(kind="probability", n=60, classes=2, models="abc", seed=1):
    """Predictions of models that differ, on the same cases, in folds."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    share = rng.dirichlet(np.ones(classes), (len(models), n)) + np.eye(classes)[truth]
    share /= share.sum(axis=2, keepdims=True)
    columns = {
        "probability": share.reshape(-1, classes) if classes > 2 else share[..., 1].ravel(),
        "label": share.argmax(axis=2).ravel(),
        "value": (truth + rng.normal(size=(len(models), n))).ravel(),
    }
    return Predictions.of(
        np.tile(truth, len(models)).astype(float if kind == "value" else int),
        **{kind: columns[kind]},
        model=np.repeat(list(models), n),
        row=np.tile(np.arange(n), len(models)),
        fold=np.tile(np.arange(n) % 4, len(models)),
    )


def applies(way, kind):
    """Whether it takes predictions of a kind, or refuses on purpose."""
    try:
        combine(models(kind), filled(way))
    except CrediblyError:
        return False
    return True


@by_name
def test_is_described(way):
    assert way.title[0].isupper()
    assert way.name.isidentifier()
    assert way.summary.endswith(".")
    assert re.search(r"\((19|20)\d\d\)", way.cite)
    assert all(combinations[a] is way for a in (way.name, *way.aliases))


@by_name
def test_worked_example_runs(way):
    example_runs(way)


@by_name
def test_parameters_refuse_what_their_rule_refuses(way):
    for q in way.parameters:
        with pytest.raises(ParameterError, match=f"{way.name}: {q.name} must be"):
            way.given(**{q.name: q.rule.broken_by})
        assert q.required or q.rule.accepts(q.default)


@by_name
@pytest.mark.parametrize("kind", ["probability", "label", "value"])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_combined_model_is_judged_beside_the_others(way, kind, classes):
    p = models(kind, classes=classes)
    if not applies(way, kind):
        return
    made = combine(p, filled(way))
    assert made.n == 4 * 60
    # Models that give labels alone have votes, whose shares are a score, or probabilities of many classes.
    votes = () if kind != "label" else ("score",) if p.has_positive else ("probability",)
    assert made.provides == (*p.provides, *votes)
    new = made.take(made.model == filled(way).call)
    old = made.take(made.model == "a")
    np.testing.assert_array_equal(new.truth, old.truth)
    np.testing.assert_array_equal(new.row, old.row)
    if new.probability is not None:
        matrix = new.probability_matrix("a test")
        np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
    for column in made.provides:
        assert not getattr(made, column).flags.writeable
    measure = "mse" if kind == "value" else "error_rate"
    assert len(evaluate(made, measure).estimates) == 4
    assert len(compare(made, measure=measure).results) == 6


@by_name
@pytest.mark.parametrize("kind", ["probability", "label", "value"])
def test_models_that_agree_are_left_as_they_are(way, kind):
    one = models(kind, models="a")
    if not applies(way, kind):
        return
    made = combine(dict.fromkeys("abc", one), filled(way))
    new = made.take(made.model == filled(way).call)
    column = "value" if kind == "value" else "label"
    np.testing.assert_allclose(getattr(new, column), getattr(one, column), atol=1e-12)


@by_name
def test_the_order_of_the_rows_does_not_matter(way):
    p = models()
    order = np.random.default_rng(5).permutation(p.n)

    def combined(given):
        made = combine(given, filled(way))
        new = made.take(made.model == filled(way).call)
        return new.probability[np.argsort(new.row)]

    np.testing.assert_allclose(combined(p.take(order)), combined(p), atol=1e-9)


@by_name
def test_nothing_of_the_members_is_changed(way):
    p = models()
    before = p.fingerprint
    made = combine(p, filled(way))
    assert p.fingerprint == before
    for name in "abc":
        np.testing.assert_array_equal(
            made.take(made.model == name).probability, p.take(p.model == name).probability
        )
