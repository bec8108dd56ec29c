"""The verb `clustering_mdl`: which clustering makes the shortest description of the rows."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count
from credibly.description_length.findings import (
    FEWER_CLUSTERS,
    NO_CLUSTERS,
    SAME_CLUSTERS,
    UNLABELLED_ROWS,
)
from credibly.description_length.messages import (
    Message,
    adaptive_bits,
    gaussian_bits,
    order_saving,
    resolution,
)
from credibly.description_length.problem import MIN_SPREAD, PSEUDO_COUNTS
from credibly.description_length.result import CodePart, Description, DescriptionLengths
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.labels import as_column, distinct, is_missing
from credibly.schemes.columns import as_features, columns_of, plain_matrix

if TYPE_CHECKING:
    Codes = NDArray[np.intp]

K_MEANS = "kmeans"
NULL_CLUSTERING = "1 cluster"
MAX_CLUSTERS = 8  # clusters that are tried by default
NOISE_LABEL = -1  # what clusterers call rows that are in no cluster
SIZE_PARAMETERS = ("n_clusters", "n_components")  # what clusterers call the number of clusters


@door
def clustering_mdl(
    X: Any,
    clusterings: Any = K_MEANS,
    *,
    k: int | Iterable[int] | None = None,
    membership: Literal["adaptive", "uniform"] = "adaptive",
    nominal: Literal["adaptive", "sent"] = "adaptive",
    zero_frequency: Literal["kt", "laplace"] = "kt",
    precision: float | Mapping[str, float] | None = None,
    rng: int | np.random.Generator | None = None,
) -> DescriptionLengths:
    """Choose a clustering by minimum description length.

    A clustering costs bits for its centres and spreads, or class shares, and for the cluster of
    each row. It saves bits where rows lie close to their centre. A single cluster is the null.

    Parameters
    ----------
    X
        The rows: columns of numbers and of categories, missing values among them.
    clusterings
        ``"kmeans"`` (of standardised columns), a clusterer of scikit-learn's kind, the label of each
        row, or a dictionary that names several of these. Clusterers see one column for each category
        and means for missing numbers. Rows without a label, and those that a clusterer labels -1 as
        noise, count as one more cluster.
    k
        Numbers of clusters to try, for clusterers that take one; 1 to 8 by default.
    membership
        Whether the cluster of a row costs log2 of k bits (``"uniform"``), or less in larger clusters,
        by frequencies that are learnt on the way (``"adaptive"``).
    nominal
        Whether the shares of categories in a cluster are ``"sent"`` with it, or learnt on the way.
    zero_frequency
        Half a case (``"kt"``) or one (``"laplace"``) is added to every count that is learnt on the way.
    precision
        To which numbers are coded, one for all columns or by name; for others the smallest difference
        between their values.
    rng
        Seed of clusterers.

    >>> import credibly, numpy as np
    >>> rng = np.random.default_rng(1)
    >>> X = np.vstack([rng.normal(centre, 1, (50, 2)) for centre in (0, 10, 20)]).round(1)
    >>> found = credibly.clustering_mdl(X, k=range(1, 6), rng=1)
    >>> found.best.name
    '3 clusters'
    >>> [part.name for part in found.best.parts]
    ['structure', 'spreads', 'centres', 'membership', 'numeric attributes']
    """
    _check_sizes(clusterings, k)
    rows = _ClusterRows.of(as_features(X), precision)
    seed = None if rng is None else seed_of(rng)
    made = list(_clusterings(clusterings, X, k, FIXED_SEED if seed is None else seed))
    labelled = {each.name: each.labels for each in made}
    coded = {name: np.asarray(distinct(c).codes, np.intp) for name, c in labelled.items()}
    named = {NULL_CLUSTERING: np.zeros(rows.n, np.intp), **coded}
    code = _Code(membership, nominal == "sent", PSEUDO_COUNTS[zero_frequency])
    described = tuple(code.describe(name, rows, labels) for name, labels in named.items())
    asked = {each.name: each.asked for each in made}
    findings = (*_unlabelled(labelled), *_findings(named, asked, seed, clusterings))
    heading = (
        f"{count(rows.n, 'row')}, {count(len(rows.numeric), 'numeric column')}, "
        f"{count(len(rows.nominal), 'nominal column')}; two-part code in bits, {membership} membership"
    )
    lengths = DescriptionLengths(
        described,
        NULL_CLUSTERING,
        heading,
        "clustering",
        order_saving(range(rows.n)),
        rows.precision,
        findings=findings,
    )
    if len(lengths) > 1 and lengths.best.name == NULL_CLUSTERING:
        return replace(lengths, findings=(*lengths.findings, NO_CLUSTERS()))
    return lengths


@dataclass(frozen=True, eq=False)
class _ClusterRows:
    """The columns: numbers with NaN where missing and their precision, categories as codes."""

    n: int
    numeric: dict[str, Floats]
    nominal: dict[str, tuple[Codes, int]]
    precision: dict[str, float]

    @classmethod
    def of(cls, X: Any, precision: float | Mapping[str, float] | None) -> _ClusterRows:
        columns = columns_of(X.toarray() if hasattr(X, "toarray") else X)
        numeric = {n: c for n, c in columns.items() if c.dtype.kind == "f"}
        for name, values in numeric.items():
            if np.isinf(values).any():
                raise DataError(
                    f"{name} holds infinite values, which cannot be encoded. Remove these rows."
                )
        found = {n: distinct(c) for n, c in columns.items() if n not in numeric}
        nominal = {n: (np.asarray(d.codes, np.intp), len(d.values)) for n, d in found.items()}
        return cls(X.shape[0], numeric, nominal, _precisions(numeric, precision))

    @cached_property
    def missing(self) -> dict[str, tuple[Codes, int]]:
        """Which numbers are missing, of the columns that miss some: two categories."""
        gone = {name: np.isnan(v) for name, v in self.numeric.items()}
        return {name: (g.astype(np.intp), 2) for name, g in gone.items() if g.any()}


@dataclass(frozen=True, slots=True, eq=False)
class _Code:
    """The code of rows, given the cluster of each."""

    membership: str
    sent: bool
    pseudo_count: float

    def describe(self, name: str, rows: _ClusterRows, labels: Codes) -> Description:
        """Return the parts of the length."""
        message = Message()
        rest = self.tell(rows, labels, message)
        theory = [CodePart(part, length, "theory") for part, length in message.parts().items()]
        data = [CodePart(part, length, "data") for part, length in rest.items()]
        return Description(name, (*theory, *data), "clustering", n=rows.n)

    def tell(self, rows: _ClusterRows, labels: Codes, message: Message) -> dict[str, float]:
        """Send a clustering; return the bits of what it leaves to tell of the rows."""
        sizes = np.bincount(labels)
        groups = np.split(np.argsort(labels, kind="stable"), np.cumsum(sizes)[:-1])
        message.whole("structure", len(sizes))
        numbers = [
            self._numbers(values[g], rows.precision[name], message)
            for g in groups
            for name, values in rows.numeric.items()
        ]
        missing, classes = (
            [self._classes(codes[g], m, message) for g in groups for codes, m in columns.values()]
            for columns in (rows.missing, rows.nominal)
        )
        told = {
            "numeric attributes": numbers,
            "missing values": missing,
            "nominal attributes": classes,
        }
        every = {"membership": self._membership(sizes)}
        return every | {part: math.fsum(bits) for part, bits in told.items() if bits}

    def _membership(self, sizes: NDArray[Any]) -> float:
        if self.membership == "uniform":
            return membership_bits(len(sizes), int(sizes.sum()))
        return float(adaptive_bits(sizes, self.pseudo_count))

    def _numbers(self, values: Floats, precision: float, message: Message) -> float:
        """Send spread and centre of a column in a cluster; return the bits of its values."""
        known = values[~np.isnan(values)]
        if not known.size:
            return 0.0
        wide = max(float(known.std()), MIN_SPREAD * precision)
        spread = message.scale("spreads", wide, precision, known.size)
        centre = message.real("centres", float(known.mean()), spread / math.sqrt(known.size))
        return float(gaussian_bits(known - centre, spread, precision).sum())

    def _classes(self, codes: Codes, m: int, message: Message) -> float:
        """Return the bits of categories in a cluster, whose shares are sent or learnt on the way."""
        counts = np.bincount(codes, minlength=m)
        if not self.sent:
            return float(adaptive_bits(counts, self.pseudo_count))
        shares = message.shares("distributions", counts / counts.sum(), counts.sum())
        return float(-(counts * np.log2(shares)).sum())


def membership_bits(k: int, n: int) -> float:
    """Return the bits that tell which of k clusters each of n rows belongs to, all alike.

    >>> membership_bits(8, 100)
    300.0
    """
    return n * math.log2(k)


def _precisions(
    numeric: dict[str, Floats], asked: float | Mapping[str, float] | None
) -> dict[str, float]:
    given = dict(asked) if isinstance(asked, Mapping) else dict.fromkeys(numeric, asked)
    for name, value in given.items():
        if name not in numeric or (value is not None and not 0 < value < math.inf):
            raise ParameterError(
                f"precision must be a number above 0 for each numeric column ({', '.join(numeric)}); got {name!r}: {value!r}."
            )
    return {
        name: float(given.get(name) or resolution(values[~np.isnan(values)]))
        for name, values in numeric.items()
    }


def _size_of(given: Any) -> str | None:
    """Return what a clusterer calls the number of clusters, if it takes one."""
    known = given.get_params(deep=False) if hasattr(given, "get_params") else ()
    return next((s for s in SIZE_PARAMETERS if s in known), None)


def _check_sizes(given: Any, k: object) -> None:
    every = list(given.values()) if isinstance(given, Mapping) else [given]
    if k is not None and not any(isinstance(g, str) or _size_of(g) for g in every):
        raise ParameterError(
            says(
                "<k=> is for clusterers that take a number of clusters; what is given here has its own."
            ),
            remedy="Leave it out.",
        )


class _Clustering(NamedTuple):
    """The label of each row, and how many clusters were asked for."""

    name: str
    labels: NDArray[Any]
    asked: int = 0


def _clusterings(
    given: Any, X: Any, k: int | Iterable[int] | None, seed: int | None
) -> Iterator[_Clustering]:
    """Yield clusterings; clusterers are fitted once for each number of clusters."""
    n = as_features(X).shape[0]
    if isinstance(given, Mapping):
        for name, each in given.items():
            made = list(_clusterings(each, X, k, seed))
            alone = len(made) == 1
            yield from (c._replace(name=str(name) if alone else f"{name}, {c.name}") for c in made)
        return
    if isinstance(given, str) or hasattr(given, "fit_predict"):
        yield from _fitted(given, X, _sizes(k, n), seed)
        return
    labels = as_column(given, "clusterings")
    if len(labels) != n:
        raise DataError(
            f"There are {count(len(labels), 'label')} for {count(n, 'row')}; a clustering needs one label per row."
        )
    yield _Clustering("given", labels)


def _fitted(given: Any, X: Any, sizes: tuple[int, ...], seed: int | None) -> Iterator[_Clustering]:
    from sklearn.base import clone
    from sklearn.cluster import KMeans
    from sklearn.preprocessing import StandardScaler

    from credibly.schemes import seeded
    from credibly.schemes._encoding import Encoder

    rows = as_features(X)
    plain = plain_matrix(rows)
    inputs, clusterer = Encoder().fit_transform(rows) if plain is None else plain, given
    if isinstance(given, str):
        if given != K_MEANS:
            raise ParameterError(
                f"There is no clusterer {given!r}.",
                asked=given,
                choices=[K_MEANS],
                remedy=f"Use {K_MEANS!r}, or any scikit-learn clusterer as an object.",
            )
        inputs, clusterer = StandardScaler().fit_transform(inputs), KMeans(n_init=10)
    size = _size_of(clusterer)
    if size is None:
        labels = _labels(seeded(clone(clusterer), seed), inputs)
        yield _Clustering(type(clusterer).__name__, labels)
        return
    for k in sizes:
        if k > 1:
            made = seeded(clone(clusterer).set_params(**{size: k}), seed)
            yield _Clustering(f"{k} clusters", _labels(made, inputs), k)


def _labels(clusterer: Any, inputs: Any) -> NDArray[Any]:
    """Return the label of each row; none for those that a clusterer takes for noise."""
    with warnings.catch_warnings():  # that it found fewer clusters is said by a finding
        warnings.simplefilter("ignore")
        found = np.asarray(clusterer.fit_predict(inputs))
    if not (found == NOISE_LABEL).any():
        return found
    labels = found.astype(object)
    labels[found == NOISE_LABEL] = None
    return labels


def _sizes(k: int | Iterable[int] | None, n: int) -> tuple[int, ...]:
    if k is None:
        return tuple(range(1, min(MAX_CLUSTERS, n) + 1))
    asked = tuple(k) if isinstance(k, Iterable) else (k,)
    bad = [s for s in asked if not isinstance(s, int | np.integer) or not 1 <= s <= n]
    if bad or not asked:
        raise ParameterError(
            f"k must be whole numbers from 1 to the number of rows ({n}); got {bad[0] if bad else k!r}."
        )
    return tuple(int(s) for s in dict.fromkeys(asked))


def _unlabelled(labelled: Mapping[str, NDArray[Any]]) -> Iterator[Finding]:
    """Return a finding if rows without a label were taken as a cluster."""
    for name, labels in labelled.items():
        n = sum(map(is_missing, labels.tolist()))
        if n:
            yield UNLABELLED_ROWS(name=name, rows=count(n, "row"))


def _findings(
    named: dict[str, Codes], asked: dict[str, int], seed: int | None, given: Any
) -> Iterator[Finding]:
    fewer = [name for name, k in asked.items() if k > named[name].max() + 1]
    if fewer:
        yield FEWER_CLUSTERS(names=", ".join(fewer))
    yield from _same(named)
    if seed is None and (
        isinstance(given, str) or "random_state" in getattr(given, "__dict__", {})
    ):
        yield UNSEEDED(what="the clusterer", seed=FIXED_SEED)


def _same(named: dict[str, Codes]) -> Iterator[Finding]:
    """Return a finding about clusterings that group the rows alike under other labels."""
    alike: dict[bytes, list[str]] = {}
    for name, labels in named.items():
        _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
        alike.setdefault(first[codes].tobytes(), []).append(name)
    for first_name, *others in alike.values():
        if others:
            yield SAME_CLUSTERS(first=first_name, others=", ".join(others))
