"""Decision boundaries and classes on two attributes: the figures of Zaki & Meira, chapter 22."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import credibly
from credibly import CrediblyError, DataError, ParameterError
from credibly.ensembles import AdaBoost, Bagging
from credibly.running import class_scatter, decision_boundaries
from credibly.schemes import FullBayes

X, Y = load_iris(return_X_y=True)
COMPONENTS = pd.DataFrame(PCA(2).fit_transform(X), columns=["u1", "u2"])
VERSICOLOR = np.where(Y == 1, "c1", "c2")


def test_on_a_boundary_two_classes_are_equally_probable():
    """As for fig. 22.1: full Bayes on sepal length and width."""
    found = decision_boundaries("full-bayes", X, Y, attributes=[0, 1])
    (b,) = found.boundaries
    model = FullBayes().fit(X[:, :2], Y)
    assert b.error == (model.predict(X[:, :2]) != Y).mean()
    points = np.concatenate([np.column_stack(line) for line in b.lines])
    top = np.sort(model.predict_proba(points), axis=1)
    assert np.quantile(top[:, 2] - top[:, 1], 0.95) < 0.01
    labels = [
        set(model.predict(points + np.array([dx, dy]))) for dx, dy in ((0.1, 0.1), (-0.1, -0.1))
    ]
    assert labels[0] | labels[1] == {0, 1, 2}


def test_a_symmetric_case_has_the_line_in_the_middle():
    rows = [[0, 0], [0, 2], [4, 0], [4, 2], [0, 1], [4, 1]]
    found = decision_boundaries(SVC(kernel="linear"), rows, list("aabbab"))
    (line,) = found.boundaries[0].lines
    np.testing.assert_allclose(line[0], 2, atol=1e-6)
    assert found.rows()[0] == {"scheme": "SVC", "fit": "all rows", "line": 0, "x": line[0][0], "y": line[1][0]}  # fmt: skip


def test_schemes_that_give_labels_alone():
    found = decision_boundaries(
        "sklearn.neighbors:NearestCentroid()", [[0, 0], [0.5, 2], [3.5, 0], [4, 2]], list("aabb")
    )
    np.testing.assert_allclose(found.boundaries[0].lines[0][0], 2, atol=0.05)


def quadratic(c):
    return SVC(kernel="poly", degree=2, coef0=1, C=c)


def test_boundaries_vary_with_the_sample():
    """Fig. 22.7: a quadratic kernel over ten bootstrap samples; with C = 100 it varies more than with C = 1."""
    both = decision_boundaries(
        {"C = 1": quadratic(1), "C = 100": quadratic(100)}, COMPONENTS, VERSICOLOR,
        replicates=6, points=31, rng=1,
    )  # fmt: skip
    assert [b.fit for b in both.of("C = 1")] == [
        "all rows",
        *(f"replicate {i}" for i in range(1, 7)),
    ]
    assert both.unsettled("C = 100") > both.unsettled("C = 1") > 0
    figure = both.plot()
    assert figure.series()[:2] == ["c1", "c2"]
    assert {"C = 1", "C = 100"} <= set(figure.series())
    assert figure.subtitle == "thin: other fits"
    again = decision_boundaries(
        quadratic(1), COMPONENTS, VERSICOLOR, replicates=6, points=31, rng=1
    )
    assert again.boundaries[5].error == both.of("C = 1")[5].error


def test_members_of_ensembles():
    """Figs. 22.8a and 22.9a: what votes, and what comes of it."""
    bagged = decision_boundaries(
        Bagging(quadratic(1), 10, random_state=1), COMPONENTS, VERSICOLOR, members=True, points=31
    )
    assert [b.fit for b in bagged.boundaries][1:] == [f"member {i}" for i in range(1, 11)]
    assert {f.emphasis for f in bagged.plot().layers if f.kind == "line"} == {"plain", "quiet"}
    boosted = AdaBoost(SVC(kernel="linear"), 4, random_state=2)
    found = decision_boundaries(boosted, COMPONENTS, VERSICOLOR, members=True, points=31)
    codes = (VERSICOLOR == "c2").astype(int)
    model = boosted.fit(COMPONENTS.to_numpy(), codes)
    wrong = [(m.predict(COMPONENTS.to_numpy()) != codes).mean() for m in model.estimators_]
    assert [b.error for b in found.boundaries] == [
        (model.predict(COMPONENTS.to_numpy()) != codes).mean(), *wrong,
    ]  # fmt: skip
    assert "member 1" in found.plot().series()


def test_scheme_that_says_one_class_has_no_boundary():
    found = decision_boundaries("zero-r", COMPONENTS, VERSICOLOR, points=11)
    assert found.boundaries[0].lines == ()
    assert json.loads(found.to_json())["boundaries"][0]["lines"] == []
    assert len(found.plot().layers) == 1


def test_distributions_are_those_of_full_and_naive_bayes():
    """Figs. 22.1 and 22.2: means and contours of the training rows, which the schemes learn as well."""
    test = np.arange(0, 150, 5)
    train = np.setdiff1d(np.arange(150), test)
    full = class_scatter(X, Y, attributes=[0, 1], test=test)
    model = FullBayes().fit(X[train][:, :2], Y[train])
    np.testing.assert_allclose(full.means, model.means_)
    np.testing.assert_allclose(full.covariances, model.covariances_)
    naive = class_scatter(
        COMPONENTS, VERSICOLOR, test=np.isin(np.arange(150), test), covariance="naive"
    )
    other = GaussianNB(var_smoothing=0).fit(COMPONENTS.to_numpy()[train], VERSICOLOR[train])
    np.testing.assert_allclose(naive.means, other.theta_)
    np.testing.assert_allclose(np.diagonal(naive.covariances, axis1=1, axis2=2), other.var_)
    assert naive.rows()[0]["correlation"] == 0


@pytest.mark.parametrize("deviations", [1, 2])
def test_contours_lie_at_their_distance(deviations):
    scatter = class_scatter(X, Y, attributes=[0, 1])
    for c in range(3):
        away = scatter.ellipse(c, deviations) - scatter.means[c]
        distance = np.einsum("ni,ij,nj->n", away, np.linalg.inv(scatter.covariances[c]), away)
        np.testing.assert_allclose(distance, deviations**2)


def test_scatter_is_drawn():
    figure = credibly.plot(class_scatter(X, Y, attributes=[0, 1], test=[0, 60, 149]))
    assert figure.series() == ["0", "1", "2"]
    assert [len(f.columns["x"]) for f in figure.layers if f.kind == "points"] == [147, 3, 3]
    assert sum(f.kind == "line" for f in figure.layers) == 6
    bare = credibly.plot(class_scatter(X, Y, attributes=[0, 1], covariance="none"))
    assert len(bare.layers) == 1


@pytest.mark.parametrize(
    ("call", "error", "why"),
    [
        (lambda: decision_boundaries("tree", X, Y), ParameterError, "two attributes; there are 4"),
        (lambda: decision_boundaries("tree", X, Y, attributes=[0, "b"]), ParameterError, "no attribute 'b'"),
        (lambda: decision_boundaries("tree", X, Y, attributes=[0, 7]), ParameterError, "no attribute 7"),
        (lambda: decision_boundaries("tree", COMPONENTS, Y, members=True), ParameterError, "not an ensemble"),
        (lambda: decision_boundaries("tree", COMPONENTS, Y, points=1), ParameterError, "points must be"),
        (lambda: decision_boundaries("tree", [[1, "a"], [2, "b"]], [0, 1]), DataError, "finite number"),
        (lambda: decision_boundaries("tree", [[1, np.nan], [2, 1]], [0, 1]), DataError, "finite number"),
        (lambda: class_scatter(COMPONENTS, Y, test=[200]), ParameterError, "numbers of rows"),
        (lambda: class_scatter(COMPONENTS, Y, test="all"), CrediblyError, "test must be"),
        (lambda: class_scatter(COMPONENTS, Y, covariance="tied"), ParameterError, "covariance must be"),
    ],
)  # fmt: skip
def test_what_has_no_plane_is_refused(call, error, why):
    with pytest.raises(error, match=why):
        call()
