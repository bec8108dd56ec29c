"""Schemes by name, by path and as objects, and what is refused."""

import pickle
from dataclasses import FrozenInstanceError

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from credibly import ParameterError
from credibly.errors import UnknownNameError
from credibly.schemes import as_scheme, as_schemes, schemes


@pytest.mark.parametrize("text", ["naive-bayes", "naive_bayes", " naive-bayes "])
def test_dash_and_underscore_are_the_same(text):
    assert as_scheme(text).name == "naive-bayes"
    assert text.strip() in schemes


def test_a_name_takes_literal_arguments():
    scheme = as_scheme("knn(k=3, weights='distance')")
    assert scheme.name == "knn(k=3, weights='distance')"
    assert scheme.entry == "knn"
    assert scheme.parameters == {"k": 3, "weights": "distance"}


def test_an_alias_is_written_as_the_name():
    assert as_scheme("k-nn(k=3)").name == "knn(k=3)"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("naive-bays", "Did you mean naive-bayes"),
        ("knn(k=__import__('os').getpid())", "literal arguments"),
        ("knn(3)", "literal arguments"),
        ("knn(", "Cannot read"),
        ("", "Cannot read"),
        ("no.such.package:Thing()", "Cannot import 'no.such.package'"),
        ("sklearn.tree:DecisionTreeClasifier", "Did you mean DecisionTreeClassifier"),
        ("sklearn.tree:DecisionTreeClassifier(depth=3)", "unexpected keyword argument 'depth'"),
        ("sklearn.preprocessing:StandardScaler()", "has no predict"),
        ("math:pi", "math:pi is not a class"),
        ("os:system(command='true')", "os:system is not a class"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(text, says):
    with pytest.raises(ParameterError) as error:
        as_scheme(text)
    assert says in str(error.value)


def test_an_unknown_name_is_a_lookup_error_too():
    with pytest.raises(UnknownNameError):
        as_scheme("nonsense")


def test_a_path_is_imported_and_made():
    scheme = as_scheme("sklearn.linear_model:Ridge(alpha=0.5)")
    assert scheme.name == "sklearn.linear_model:Ridge(alpha=0.5)"
    assert isinstance(scheme.estimator, Ridge)
    assert scheme.estimator.alpha == 0.5


def test_objects_are_named_after_their_class_and_what_tells_them_apart():
    assert as_scheme(Ridge(alpha=3)).name == "Ridge"
    pipelines = [make_pipeline(StandardScaler(), LogisticRegression(C=c)) for c in (1, 10)]
    assert as_scheme(pipelines[0]).name == "StandardScaler + LogisticRegression"
    assert [s.name for s in as_schemes(["tree", Ridge(2), *pipelines])] == [
        "tree",
        "Ridge",
        "StandardScaler + LogisticRegression(C=1)",
        "StandardScaler + LogisticRegression(C=10)",
    ]
    with pytest.raises(ParameterError, match="Two schemes are called 'Ridge'"):
        as_schemes([Ridge(), Ridge()])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (Ridge, "give an estimator made from it: Ridge()"),
        (StandardScaler(), "StandardScaler has no predict"),
        (3, "int has no fit"),
        (None, "NoneType has no fit"),
    ],
)
def test_what_is_no_scheme(given, says):
    with pytest.raises(ParameterError) as error:
        as_scheme(given)
    assert says in str(error.value)


def test_several_schemes_and_their_names():
    read = as_schemes(["zero-r", ("mine", DecisionTreeClassifier()), "tree(max_depth=2)"])
    assert [s.name for s in read] == ["zero-r", "mine", "tree(max_depth=2)"]
    assert [s.name for s in as_schemes({"a": "tree", "b": Ridge()})] == ["a", "b"]
    assert [s.name for s in as_schemes("tree")] == ["tree"]
    assert [s.name for s in as_schemes(("mine", Ridge()))] == ["mine"]
    assert [s.name for s in as_schemes(("tree", "forest"))] == ["tree", "forest"]
    assert as_scheme(read[0]) is read[0]


def test_no_two_schemes_share_a_name():
    with pytest.raises(ParameterError, match="Two schemes are called 'tree'"):
        as_schemes(["tree", "cart"])
    with pytest.raises(ParameterError, match="No scheme is given"):
        as_schemes([])


def test_schemes_travel_and_do_not_change():
    scheme = pickle.loads(pickle.dumps(as_scheme("knn(k=3)")))
    assert scheme.parameters == {"k": 3}
    with pytest.raises(FrozenInstanceError):
        scheme.name = "other"
