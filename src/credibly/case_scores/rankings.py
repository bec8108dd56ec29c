"""Rankings of documents by query, with the grades that some of them were judged to have."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.case_scores._declare import Evidence
from credibly.case_scores.beside import WeightKind, for_each_model
from credibly.case_scores.findings import (
    NOT_JUDGED,
    QUERIES_LEFT_OUT,
    QUERIES_MISSING,
    SMALL_GRADES,
    TIED_SCORES,
)
from credibly.case_scores.ranked_documents import JUDGEMENTS, Numbered, numbered, runs_of
from credibly.errors import MAX_LISTED, DataError, listed
from credibly.predictions.labels import as_array

MAX_GRADE = 1000  # grade, of which two to its power is a double
MAX_PADDING = 2  # times as many places as documents, up to which lists are sorted side by side
Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False, repr=False)
class Rankings(Evidence):
    """Ranked documents of one or several systems (runs) for the same judged queries.

    A *list* is one run on one query. Documents stand one below the other, list by list and best first: ``of`` says to which
    list each belongs, ``place`` where it stands in it, from 1 on, and ``grade`` what it was judged, NaN for what was
    not judged.

    >>> from credibly import rankings
    >>> judged = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}}
    >>> found = rankings(judged, {"old": {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"b": 1, "a": 0.5}}})
    >>> found
    Rankings(1 run, 2 queries)
    >>> found.scored("reciprocal_rank").outcome.tolist()
    [1.0, 0.5]
    """

    queries: tuple[str, ...]
    models: tuple[str, ...]
    of: Indices
    place: Floats
    grade: Floats
    judged_of: Indices  # the query of each judged document, the highest grade first
    judged: Floats  # its grade
    findings: tuple[Finding, ...] = ()
    beside: Mapping[str, Any] = field(default_factory=dict)  # what else is known of the queries

    @property
    def heading(self) -> str:
        """How many runs and queries there are."""
        return f"{count(len(self.models), 'run')}, {_queries(len(self.queries))}"

    @property
    def lists(self) -> int:
        """How many lists there are: each run on each query."""
        return len(self.queries) * len(self.models)

    def of_cases(self) -> dict[str, Any]:
        """Return the query and the run of each list."""
        queries = np.array(self.queries, object)
        return for_each_model({"row": queries, **self.beside}, self.models, queries.size)

    @cached_property
    def first(self) -> Indices:
        """Where each list starts that holds a document."""
        return np.flatnonzero(self.place == 1)

    def sums(self, values: Floats) -> Floats:
        """Add up numbers of documents in each list."""
        sums = np.zeros(self.lists)
        sums[self.of[self.first]] = np.add.reduceat(values, self.first, dtype=np.float64)
        return sums

    def running(self, values: Floats) -> Floats:
        """Add up numbers of documents from the top of their list down to each."""
        total = np.cumsum(values)
        before = np.where(self.first > 0, total[self.first - 1], 0.0)
        return total - np.repeat(before, np.diff(self.first, append=self.of.size))

    @cached_property
    def found(self) -> Floats:
        """How many relevant documents stand in the list down to each."""
        return self.running(self.relevant.astype(float))

    @cached_property
    def relevant(self) -> NDArray[np.bool_]:
        """Which documents were judged relevant: a grade of 1 or more."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.grade >= 1)

    def _each(self, values: Any) -> Floats:  # noqa: ANN401
        """Add up numbers of judged documents by query, for each list."""
        return np.tile(np.bincount(self.judged_of, values, len(self.queries)), len(self.models))

    @cached_property
    def n_relevant(self) -> Floats:
        """How many relevant documents each list could have; NaN where there is none."""
        values = self._each(self.judged >= 1)
        return np.where(values > 0, values, np.nan)

    @cached_property
    def n_not_relevant(self) -> Floats:
        """How many documents of each list's query were judged not relevant."""
        return self._each(self.judged < 1)

    @cached_property
    def highest_grade(self) -> float:
        """The highest grade that any document was judged to have."""
        return float(self.judged.max())

    def ideal(self, of_grades: Callable[[Floats, Floats], Floats]) -> Floats:
        """Return what the best ranking of all judged documents of each query has, in each list."""
        return self._each(of_grades(self.judged, places(self.judged_of)))


def places(of: Indices) -> Floats:
    """Return the place of each in its list, from 1 on, where lists stand one below the other.

    >>> places(np.array([0, 0, 2, 2, 2])).tolist()
    [1.0, 2.0, 1.0, 2.0, 3.0]
    """
    at = np.arange(1.0, of.size + 1)
    first = np.append(True, of[1:] != of[:-1])[: of.size]
    return at - np.maximum.accumulate(np.where(first, at - 1, 0.0))


@door
def rankings(
    judged: object,
    runs: object,
    *,
    group: Mapping[str, Any] | None = None,
    sample_weight: Mapping[str, float] | None = None,
    weight_kind: WeightKind = None,
    columns: Mapping[str, Mapping[str, Any]] | None = None,
) -> Rankings:
    r"""Take rankings by query with judgements of documents, to be scored query by query.

    Documents of the same score stand in falling order of their identifiers, as in trec_eval. What was not judged, or has a negative
    grade, is not relevant. Queries that nobody judged are left out; a query for which a run ranks nothing has an empty ranking.

    Parameters
    ----------
    judged
        Grades by query and document: a dictionary of dictionaries, a frame or a table with a row for each (columns such as
        ``query``, ``document``, ``grade``; of recommenders ``user``, ``item``, ``rating``), or a file in TREC's form (qrels).
    runs
        The scores of one run by query and document in one of these forms (``score`` for ``grade``); or several by their names,
        which a table has in a column ``run`` or ``model``.
    group
        A group for each query by its name, such as the user who asked: queries of one group belong together.
    sample_weight
        How much each query counts, by its name.
    weight_kind
        What the weights mean: ``"importance"`` (the default), or ``"frequency"`` where they count queries.
    columns
        Other columns of the queries, to slice by, each a dictionary by query.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> qrels, run = folder / "qrels.txt", folder / "bm25.txt"
    >>> _ = qrels.write_text("q1 0 a 1\nq1 0 b 0\n")
    >>> _ = run.write_text("q1 Q0 b 1 2.5 bm25\nq1 Q0 a 2 1.5 bm25\n")
    >>> rankings(qrels, run).table("ndcg")["ndcg"].value.__round__(4)
    0.6309
    """
    made = ranked(numbered(judged, JUDGEMENTS), runs_of(runs))
    told = {"group": group, "sample_weight": sample_weight}
    beside: dict[str, Any] = {n: _by_name(x, made.queries, n) for n, x in told.items() if x is not None}  # fmt: skip
    beside["columns"] = {c: _by_name(x, made.queries, c) for c, x in (columns or {}).items()}
    return replace(made, beside=beside | ({"weight_kind": weight_kind} if weight_kind else {}))


def _by_name(given: Mapping[str, Any], queries: Sequence[str], what: str) -> NDArray[Any]:
    """Return what is given of queries by their names, in their order."""
    held = {str(query): value for query, value in given.items()}
    if lacking := [q for q in queries if q not in held]:
        raise DataError(f"{what} has no value for {_queries(len(lacking))}: {listed(lacking, most=MAX_LISTED)}.")  # fmt: skip
    return as_array([held[q] for q in queries], what)


def ranked(graded: Numbered, given: Mapping[str, Numbered]) -> Rankings:
    """Put runs and judgements together by query, and say what is to be doubted."""
    if graded.numbers.max(initial=0) > MAX_GRADE:
        raise DataError(f"A grade is {graded.numbers.max():g}; the highest grade that gains can be computed for is {MAX_GRADE:,}.")  # fmt: skip
    kept = graded.numbers >= 0
    counted = np.bincount(graded.of[kept], minlength=len(graded.queries))
    queries = tuple(sorted(q for q, n in zip(graded.queries, counted.tolist(), strict=True) if n))
    if not queries:
        raise DataError("No query has a judged document.")
    code = {query: i for i, query in enumerate(queries)}
    for name, run in given.items():
        if not {*run.queries} & {*queries}:
            raise DataError(
                f"{name} ranks documents for none of the judged queries: it has {listed(run.queries[:3]) or 'no query'}, judged are {listed(queries[:3])}.",
                remedy="Write the identifiers of queries alike in both.",
            )
    findings = list(_doubts(queries, given))
    small = int(((graded.numbers > 0) & (graded.numbers < 1)).sum())
    findings += [SMALL_GRADES(documents=count(small, "judged document"))] if small else []
    known = graded.by_document()
    parts = [_ranked(run, code, known) for run in given.values()]
    of = np.concatenate([part.of + i * len(queries) for i, part in enumerate(parts)])
    place, grade = places(of), np.concatenate([part.grade for part in parts])
    judged_of = np.array([code.get(q, -1) for q in graded.queries])[graded.of][kept]
    order = _best_first(graded.numbers[kept], graded.of[kept], judged_of)
    top = place <= 10
    if (unknown := np.isnan(grade[top]).mean() if top.any() else 0.0) > 0:
        findings.append(NOT_JUDGED(share=float(unknown), where=" among the first ten"))
    findings += [
        TIED_SCORES(model=m, share=part.ties / part.of.size)
        for m, part in zip(given, parts, strict=True)
        if part.ties
    ]
    return Rankings(
        queries, tuple(given), of, place, grade, judged_of[order], graded.numbers[kept][order], tuple(findings)
    )  # fmt: skip


class _Ranked(NamedTuple):
    """The documents of a run, list by list and best first."""

    of: Indices
    grade: Floats
    ties: int  # how many documents have the score of another


def _falling(numbers: Floats, of: Indices) -> Indices:
    """Return the order by list and, in each, from the highest number down; equal ones as they stand."""
    return _by_list(np.argsort(-numbers, kind="stable"), of)


def _by_list(order: Indices, of: Indices) -> Indices:
    small = np.uint16 if of.max(initial=0) < 1 << 16 else np.int64  # which is sorted by its bytes
    return order[np.argsort(of[order].astype(small), kind="stable")]


def _best_first(numbers: Floats, within: Indices, of: Indices) -> Indices:
    """Return the order by list and, in each, from the highest number down; equal ones in any order.

    Lists stand one below the other, as ``within`` numbers them: they are sorted side by side unless some are much longer than others.
    """
    size = np.bincount(within, minlength=1)
    if size.size * int(size.max()) > MAX_PADDING * numbers.size:
        return _falling(numbers, of)
    there = np.arange(size.max()) < size[:, None]
    padded = np.full(there.shape, np.inf)
    padded[there] = -numbers
    order = np.argsort(padded, axis=1) + (np.cumsum(size) - size)[:, None]
    return _by_list(order[there], of)


def _ranked(run: Numbered, code: Mapping[str, int], known: Mapping[str, Any]) -> _Ranked:
    nothing: dict[str, float] = {}
    looked_up = (
        map(known.get(query, nothing).get, held, repeat(math.nan)) for query, held, _ in run.lists()
    )
    grade = np.fromiter(chain.from_iterable(looked_up), np.float64, run.numbers.size)
    grade[grade < 0] = math.nan  # not judged
    place = np.array([code.get(q, len(code)) for q in run.queries], np.intp)
    of, scores = place[run.of], run.numbers
    order = _best_first(scores, run.of, of)
    at, ranked = of[order], scores[order]
    same = (ranked[1:] == ranked[:-1]) & (at[1:] == at[:-1]) & (at[1:] < len(code))
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same)) if same.size else same
    if tied.size:  # documents of one score in falling order of their names
        rows = order[tied].tolist()
        rows.sort(key=lambda i: run.documents[i], reverse=True)
        by_name = np.array(rows)
        order[tied] = by_name[_falling(scores[by_name], of[by_name])]
    order = order[: np.searchsorted(at, len(code))]  # queries that nobody judged come last
    return _Ranked(of[order], grade[order], tied.size)


def _doubts(queries: tuple[str, ...], runs: Mapping[str, Numbered]) -> Iterator[Finding]:
    known = set(queries)
    extra = sorted({q for run in runs.values() for q in run.queries} - known)
    if extra:
        yield QUERIES_LEFT_OUT(queries=_queries(len(extra)), names=listed(extra, most=MAX_LISTED))
    for model, run in runs.items():
        missing = sorted(known - set(run.queries))
        if missing:
            told = {"queries": _queries(len(missing)), "names": listed(missing, most=MAX_LISTED)}
            yield QUERIES_MISSING(model=model, **told)


def _queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"
