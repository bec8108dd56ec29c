"""Description length of clusterings: parts, choices, doors and errors."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.mixture import GaussianMixture

from credibly import DataError, ParameterError, clustering_mdl
from credibly.description_length import clustering
from credibly.description_length.messages import Message, adaptive_bits, gaussian_bits
from reference.decoders import Reader


def blobs(k=3, n=40, seed=1):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(k), n)
    return (rng.normal(size=(k * n, 2)) + 12 * labels[:, None]).round(1), labels


def parts(found, name="given"):
    return {p.name: p.bits for p in found[name].parts}


def test_the_clustering_is_rebuilt_from_the_symbols():
    """Centres and spreads are read back, and the bits of the values follow from them alone."""
    X, labels = blobs()
    rows = clustering._ClusterRows.of(X, None)
    message = Message()
    told = clustering._Code("adaptive", False, 0.5).tell(rows, labels, message)
    reader = Reader([s.value for s in message.symbols])
    assert reader.whole() == 3
    bits = 0.0
    for c in range(3):
        for j, name in enumerate(rows.precision):
            precision = rows.precision[name]
            values = X[labels == c, j]
            spread = reader.scale(precision, len(values))
            centre = reader.real(spread / math.sqrt(len(values)))
            assert abs(centre - values.mean()) <= spread / math.sqrt(len(values))
            assert spread == pytest.approx(values.std(), rel=0.15)
            bits += gaussian_bits(values - centre, spread, precision).sum()
    assert not reader.values
    assert math.isclose(reader.bits, sum(message.parts().values()), rel_tol=1e-12)
    assert math.isclose(told["numeric attributes"], bits, rel_tol=1e-12)
    assert math.isclose(told["membership"], adaptive_bits([40, 40, 40], 0.5), rel_tol=1e-12)


def test_membership():
    X, labels = blobs()
    uneven = np.minimum(labels, 1)
    even, adaptive = (
        parts(clustering_mdl(X, uneven, membership=m))["membership"]
        for m in ("uniform", "adaptive")
    )
    assert even == 120
    assert adaptive < 120
    assert parts(clustering_mdl(X, labels, membership="uniform"))["membership"] == pytest.approx(
        120 * math.log2(3)
    )


def test_nominal_attributes():
    rng = np.random.default_rng(1)
    labels = np.arange(100) % 2
    town = np.where(rng.random(100) < 0.9, labels, 1 - labels).astype(str).astype(object)
    frame = pd.DataFrame({"town": town})
    adaptive, sent = (clustering_mdl(frame, labels, nominal=m) for m in ("adaptive", "sent"))
    counts = [[np.sum((town == v) & (labels == c)) for v in "01"] for c in (0, 1)]
    assert parts(adaptive)["nominal attributes"] == pytest.approx(adaptive_bits(counts, 0.5).sum())
    assert "distributions" not in parts(adaptive)
    assert parts(sent)["distributions"] > 0
    assert sent["given"].total == pytest.approx(adaptive["given"].total, abs=6)


def test_nominal_clusters_pay_where_several_columns_agree():
    rng = np.random.default_rng(2)
    labels = np.arange(200) % 2
    columns = {f"c{j}": np.where(rng.random(200) < 0.05, 1 - labels, labels) for j in range(6)}
    frame = pd.DataFrame({n: np.array(["no", "yes"], object)[c] for n, c in columns.items()})
    assert clustering_mdl(frame, {"two": labels}).best.name == "two"
    assert clustering_mdl(frame, {"two": rng.permutation(labels)}).best.name == "1 cluster"
    assert clustering_mdl(frame, k=[1, 2, 3], rng=1).best.name == "2 clusters"


def test_missing_values_and_constant_columns():
    X, labels = blobs()
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["same"], frame["town"] = 3.0, np.where(labels == 0, "x", None)
    frame.loc[:5, "a"] = np.nan
    found = clustering_mdl(frame, k=range(1, 5), rng=1)
    assert found.best.name == "3 clusters"
    told = parts(found, "3 clusters")
    assert {"missing values", "nominal attributes"} <= set(told)
    assert all(math.isfinite(b) and b >= 0 for b in told.values())


def test_any_clusterer_and_any_labels():
    X, labels = blobs()
    ways = {
        "mixture": GaussianMixture(),
        "linkage": AgglomerativeClustering(),
        "density": DBSCAN(eps=2),
        "mine": np.array(["a", "b", "c"])[labels],
    }
    found = clustering_mdl(X, ways, k=[2, 3], rng=1)
    names = [d.name for d in found.descriptions]
    assert names == [
        "1 cluster", "mixture, 2 clusters", "mixture, 3 clusters",
        "linkage, 2 clusters", "linkage, 3 clusters", "density", "mine",
    ]  # fmt: skip
    assert found["mine"].total == found["linkage, 3 clusters"].total
    assert [f.code for f in found.findings] == ["same-clusters"]


def test_precision_is_stated_and_moves_all_alike():
    X, labels = blobs()
    fine, coarse = (clustering_mdl(X, labels, precision=p) for p in (0.01, 0.1))
    assert fine.precision == {"column 0": 0.01, "column 1": 0.01}
    assert clustering_mdl(X, labels).precision["column 0"] == pytest.approx(0.1)
    gap = fine["given"].data - coarse["given"].data
    assert gap == pytest.approx(X.size * math.log2(10), rel=1e-3)
    assert fine.saved("given") == pytest.approx(coarse.saved("given"), rel=0.02)


def test_shape_of_the_result():
    X, labels = blobs()
    found = clustering_mdl(X, labels)
    assert found.kind == "clustering"
    assert list(found.frame().columns[:4]) == ["clustering", "of", "part", "bits"]
    assert found.rows()[-1]["saved"] == found.saved("given") > 100
    assert found.plot().y.categories == ("1 cluster", "given")


def test_no_clusters_are_said():
    X = np.random.default_rng(1).normal(size=(100, 2))
    assert "no-clusters" in {f.code for f in clustering_mdl(X, k=[2, 3], rng=1).findings}


def test_few_distinct_rows_and_no_seed_are_said():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    labels = {"mine": np.arange(20) % 5}
    assert not [f for f in clustering_mdl(X, labels).findings if f.code == "unseeded"]
    codes = {f.code for f in clustering_mdl(X, k=[2, 4]).findings}
    assert codes >= {"unseeded", "fewer-clusters"}


@pytest.mark.parametrize(
    ("X", "more", "words"),
    [
        ([[1.0], [2.0]], {"clusterings": [0]}, "1 label for 2 rows"),
        ([[1.0], [np.inf]], {"clusterings": [0, 1]}, "infinite"),
        (np.empty((0, 1)), {}, "nothing to learn from"),
    ],
)
def test_bad_data(X, more, words):
    with pytest.raises(DataError, match=words):
        clustering_mdl(X, **more)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"clusterings": "cobweb"}, "no clusterer 'cobweb'"),
        ({"k": 0}, "whole numbers from 1"),
        ({"k": [2, 99]}, "got 99"),
        ({"k": []}, "whole numbers"),
        ({"k": 1.5}, "whole numbers"),
        ({"membership": "fixed"}, "membership must be"),
        ({"nominal": "fixed"}, "nominal must be"),
        ({"zero_frequency": "none"}, "zero_frequency must be"),
        ({"precision": -1.0}, "precision must be a number"),
        ({"precision": {"age": 1.0}}, "got 'age'"),
    ],
)
def test_bad_arguments(more, words):
    with pytest.raises(ParameterError, match=words):
        clustering_mdl([[1.0], [2.0], [4.0]], **more)


def test_the_same_clusters_found_again_are_named():
    found = clustering_mdl(np.ones((10, 2)), k=range(1, 4), rng=1)
    (said,) = [f.message for f in found.findings if f.code == "same-clusters"]
    assert said == "These give the same clusters as 1 cluster: 2 clusters, 3 clusters."
    renamed = {"a": [0, 0, 1, 1], "b": ["y", "y", "x", "x"], "c": [0, 1, 1, 1]}
    found = clustering_mdl([[1.0], [2.0], [8.0], [9.0]], renamed)
    (said,) = [f.message for f in found.findings if f.code == "same-clusters"]
    assert said == "These give the same clusters as a: b."


def test_rows_without_a_label_are_one_more_cluster_and_said():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [0.4], [9.0]])
    noise = clustering_mdl(X, DBSCAN(eps=0.2, min_samples=2))
    given = clustering_mdl(X, {"DBSCAN": [1, 1, 1, 1, 1, None]})
    assert noise["DBSCAN"].total == given["DBSCAN"].total
    for found in (noise, given):
        (said,) = [f.message for f in found.findings if f.code == "unlabelled-rows"]
        assert said.startswith("DBSCAN: 1 row without a label")


@pytest.mark.parametrize("given", [DBSCAN(), {"a": [0, 1, 1]}, [0, 1, 1]])
def test_numbers_of_clusters_are_refused_where_nothing_takes_them(given):
    with pytest.raises(ParameterError, match="k= is for clusterers that take a number"):
        clustering_mdl([[1.0], [2.0], [3.0]], given, k=[1, 2])
