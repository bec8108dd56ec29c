"""Two schemes share results only if they do the same, in this process and in the next."""

import functools
import subprocess
import sys
from types import FunctionType, ModuleType

import numpy as np
import pandas as pd
import pytest
from scipy.stats import loguniform, norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RandomizedSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from credibly import Experiment
from credibly.experiments.plan.fingerprints import described, written
from credibly.schemes import as_scheme


def made(source, name="f"):
    """Run a source as a module of its own, as a file that was edited would be."""
    module = ModuleType("edited")
    exec(source, vars(module))
    found = vars(module)[name]
    assert found.__module__ == "edited"
    return found


def scaled_by(factor):
    return lambda X: X * factor


def test_schemes_that_differ_in_a_function_are_two(tmp_path):
    """Which shared their cells, and so their numbers, while a function was known by its name alone."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    schemes = {
        name: make_pipeline(
            FunctionTransformer(f), DecisionTreeClassifier(max_depth=2, random_state=0)
        )
        for name, f in {"a": lambda X: X[["a"]], "b": lambda X: X[["b"]]}.items()
    }
    how = {"resampling": "3", "measures": ["error_rate"], "rng": 1}
    results = Experiment(schemes, {"d": (X, X["b"] > 0)}, **how).run(tmp_path, n_jobs=1).results()
    assert results.where(scheme="b").values["error_rate"].max() < 0.1
    assert results.where(scheme="a").values["error_rate"].min() > 0.2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f = lambda x: x + 1", "f = lambda x: x + 2"),
        ("def f(x): return x.mean()", "def f(x): return x.sum()"),
        ("def f(x, n=1): return n", "def f(x, n=2): return n"),
        ("def f(x, *, n=1): return n", "def f(x, *, n=2): return n"),
        ("k = 1\ndef f(x): return x + k", "k = 2\ndef f(x): return x + k"),
        ("def g(x): return 1\ndef f(x): return g(x)", "def g(x): return 2\ndef f(x): return g(x)"),
        ("def f(x):\n  return [y + 1 for y in x]", "def f(x):\n  return [y + 2 for y in x]"),
        ("def f(x): return x in {'a', 'b'}", "def f(x): return x in {'a', 'c'}"),
    ],
)
def test_functions_are_told_apart_by_what_they_do(one, other):
    assert written(made(one)) != written(made(other))
    assert written(made(one)) == written(made(f"# moved\n\n{one}"))


def test_functions_that_call_each_other_come_to_an_end():
    circle = "def f(x): return g(x)\ndef g(x): return f(x)"
    assert written(made(circle)) == written(made(circle))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (scaled_by(1), scaled_by(2)),
        (functools.partial(np.power, 2), functools.partial(np.power, 3)),
        (np.log, np.exp),
        (
            KNeighborsClassifier(metric=lambda a, b: 1.0),
            KNeighborsClassifier(metric=lambda a, b: 2.0),
        ),
        (
            ColumnTransformer([("a", "passthrough", lambda X: X.columns[:1])]),
            ColumnTransformer([("a", "passthrough", lambda X: X.columns[1:])]),
        ),
        (loguniform(0.01, 10), loguniform(0.01, 20)),
        (norm(0, 1), loguniform(0.01, 20)),
        (np.arange(3), np.arange(4)),
        ("".join, ",".join),
    ],
)
def test_parameters_are_told_apart(one, other):
    assert written(one) != written(other)
    assert written(one) == written(one)


def test_own_classes_are_known_by_their_code():
    source = "class F:\n  def fit(self): return {}\n  @property\n  def p(self): return 1"
    one, same, other = (made(source.format(k), "F") for k in (1, 1, 2))
    assert written(one) == written(same) != written(other)
    assert isinstance(vars(one)["fit"], FunctionType)
    assert written(DecisionTreeClassifier) == "sklearn.tree._classes.DecisionTreeClassifier"


class Own(ClassifierMixin, BaseEstimator):
    """Refers to itself by super(), as many classes do."""

    def __init__(self, k=1):
        super().__init__()
        self.k = k


ANOTHER_PROCESS = """
from scipy.stats import loguniform
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RandomizedSearchCV
from experiments.test_fingerprints import Own, scaled_by, searching, written
print(written(searching()), written(Own(k=2)), written(scaled_by(3)), written(sets))
"""


def searching():
    return RandomizedSearchCV(LogisticRegression(), {"C": loguniform(0.01, 10)}, random_state=0)


@pytest.mark.thorough
def test_another_process_writes_the_same(tmp_path):
    """Sets of texts and generators of random numbers differ between processes; keys must not."""
    source = "def sets(x): return x in {'a', 'b', 'c', 'd', 'e'}\n"
    here = tmp_path / "script.py"
    here.write_text(f"{source}{ANOTHER_PROCESS}")
    found = {
        subprocess.run(
            [sys.executable, str(here)],
            env={"PYTHONPATH": ":".join(p for p in sys.path if p), "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(found) == 1
    assert described(as_scheme(searching())) in found.pop()
