"""What must hold of every coder: a decoder rebuilds the theory from the symbols and the inputs alone."""

import math
import re
from importlib import import_module

import numpy as np
import pytest
from sklearn.base import is_regressor

from credibly.description_length import CodingProblem, Message, coders
from credibly.description_length._declare import coder_of
from each import Each
from every.additions import example_runs
from reference.decoders import DECODERS, Reader, Shared

EVERY = list(coders)
by_name = Each("coder", EVERY)
PATHS = [path for coder in EVERY for path in coder.describes]
FEW = {"n_estimators": 3, "max_iter": 2000}
WITH_MISSING = {"tree", "one_r"}


def made(path):
    module, _, name = path.rpartition(".")
    of = getattr(import_module(module), name)
    known = of().get_params()
    settings = {k: v for k, v in FEW.items() if k in known}
    if "random_state" in known:
        settings["random_state"] = 1
    return of(**settings)


def inputs(n=90, seed=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    X[:, 1] = X[:, 1].round(1)  # ties
    X[:, 2] = 5.0  # says nothing
    return X, rng


def cases(path):
    """Inputs and targets that an estimator takes: two classes, three, numbers, missing values."""
    X, rng = inputs()
    if is_regressor(made(path)):
        yield X, (3 * X[:, 0] + rng.normal(size=len(X))).round(2), 0
        yield X, 1000 + 50 * X[:, 3].round(1), 0
        return
    signal = X[:, 0] + X[:, 1] + rng.normal(size=len(X))
    yield X, (signal > 0).astype(int), 2
    yield X, np.digitize(signal, [-1.0, 0.5]), 3
    if coder_of(made(path)).name in WITH_MISSING:
        gone = X.copy()
        gone[rng.random(len(X)) < 0.2, 0] = np.nan
        yield gone, (signal > 0).astype(int), 2


def described(path, X, y, k, **more):
    model = made(path).fit(X, y)
    problem = CodingProblem(X, y, k, precision=1.0 if k else 0.01, **more)
    message = Message(labels_only=problem.labels_only)
    return coder_of(model)(model, problem, message), message, problem


@by_name
def test_is_described(coder):
    assert coder.title[0].isupper()
    assert coder.name.isidentifier()
    assert coder.doc.split("\n")[0].endswith(".")
    assert re.search(r"\b(19|20)\d\d\b", coder.cite)
    assert all(coders[a] is coder for a in (coder.name, *coder.aliases))


@by_name
def test_worked_example_runs(coder):
    example_runs(coder)


def test_every_coder_has_a_decoder():
    DECODERS.check_complete(c.name for c in EVERY)


def test_no_estimator_has_two_coders():
    assert len(PATHS) == len(set(PATHS))


@pytest.mark.parametrize("labels_only", [False, True])
@pytest.mark.parametrize("path", PATHS)
def test_the_theory_is_rebuilt_from_the_symbols(path, labels_only):
    for X, y, k in cases(path):
        if labels_only and not k:
            continue
        sent, message, problem = described(path, X, y, k, labels_only=labels_only)
        reader = Reader([s.value for s in message.symbols], labels_only=labels_only)
        shared = Shared(X, len(y), k, precision=problem.precision)
        back = DECODERS[coder_of(made(path)).name](reader, shared)
        assert not reader.values, "every symbol was read"
        assert math.isclose(reader.bits, sum(message.parts().values()), rel_tol=1e-9)
        if sent.probability is not None:
            assert np.allclose(back, sent.probability, rtol=0, atol=1e-9)
        elif sent.value is not None:
            assert np.allclose(back[0], sent.value, rtol=1e-12)
            assert back[1] == pytest.approx(sent.spread, rel=1e-12)
        else:
            assert np.allclose(back, y)


@pytest.mark.parametrize("path", PATHS)
def test_what_was_sent_is_close_to_what_was_fitted(path):
    """Rounding costs a few bits, not many: about one for each number that is sent."""
    for X, y, k in cases(path):
        sent, message, problem = described(path, X, y, k)
        if sent.value is None and sent.probability is None:
            continue
        model = made(path).fit(X, y)
        _, bits = problem.rest(sent)
        if k:
            p = problem.smoothed(model.predict_proba(X))
            exact = -np.log2(p[np.arange(len(y)), y]).sum()
            assert np.allclose(sent.probability.sum(axis=1), 1)
            assert sent.probability.min() > 0
        else:
            left = (y - model.predict(X)).std()
            exact = len(y) * math.log2(max(left, 1e-3) * math.sqrt(2 * math.pi * math.e) / 0.01)
        assert bits <= exact + 1.5 * message.parameters + 6


@pytest.mark.parametrize("path", PATHS)
def test_bits_are_never_negative_and_inputs_stay_as_they_are(path):
    for X, y, k in cases(path):
        before = X.copy(), y.copy()
        _, message, _ = described(path, X, y, k)
        assert all(s.bits >= 0 for s in message.symbols)
        assert np.array_equal(X, before[0], equal_nan=True)
        assert np.array_equal(y, before[1])
