"""Rankings of documents by query, with the grades that some of them were judged to have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.words import count, shown
from credibly.case_scores._declare import Evidence
from credibly.case_scores.findings import (
    NOT_JUDGED,
    QUERIES_LEFT_OUT,
    QUERIES_MISSING,
    TIED_SCORES,
)
from credibly.errors import DataError, ParameterError, listed

NAMED = 8
QRELS, RUN = 4, 6  # fields of a line of judgements, and of a run
Table = Mapping[str, Mapping[str, float]]  # a number by query and document
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
    judged: tuple[Floats, ...]  # the grades of each query, the highest first
    findings: tuple[Finding, ...] = ()

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
        k, n = len(self.models), len(self.queries)
        made: dict[str, Any] = {"row": np.tile(np.array(self.queries, object), k)}
        if k > 1:
            made["model"] = np.repeat(np.array(self.models, object), n)
        return made

    def sums(self, values: Floats) -> Floats:
        """Add up numbers of documents in each list."""
        return np.bincount(self.of, values, self.lists).astype(np.float64)

    def running(self, values: Floats) -> Floats:
        """Add up numbers of documents from the top of their list down to each."""
        total = np.cumsum(values)
        first = np.flatnonzero(self.place == 1)
        before = np.where(first > 0, total[first - 1], 0.0)
        return total - np.repeat(before, np.diff(first, append=self.of.size))

    @cached_property
    def relevant(self) -> NDArray[np.bool_]:
        """Which documents were judged relevant: a grade of 1 or more."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.grade >= 1)

    def _each(self, counted: Any) -> Floats:  # noqa: ANN401
        return np.tile([float(counted(g)) for g in self.judged], len(self.models))

    @cached_property
    def n_relevant(self) -> Floats:
        """How many relevant documents each list could have; NaN where there is none."""
        found = self._each(lambda g: (g >= 1).sum())
        return np.where(found > 0, found, np.nan)

    @cached_property
    def n_not_relevant(self) -> Floats:
        """How many documents of each list's query were judged not relevant."""
        return self._each(lambda g: (g < 1).sum())

    @cached_property
    def highest_grade(self) -> float:
        """The highest grade that any document was judged to have."""
        return max(float(g.max(initial=0)) for g in self.judged)

    def ideal(self, of_grades: Any) -> Floats:  # noqa: ANN401
        """Return what the best ranking of all judged documents of each query has, in each list."""
        return self._each(lambda g: of_grades(np.maximum(g, 0), np.arange(1, g.size + 1)).sum())


@door
def rankings(
    judged: str | PathLike[str] | Mapping[str, Mapping[str, float]],
    runs: str | PathLike[str] | Mapping[str, Any],
) -> Rankings:
    r"""Take rankings by query with judgements of documents, to be scored query by query.

    Documents of the same score stand in falling order of their identifiers, as in trec_eval. What was not judged, or has a negative
    grade, is not relevant. Queries that nobody judged are left out; a query for which a run ranks nothing has an empty ranking.

    Parameters
    ----------
    judged
        Grades by query and document, or a file of judgements in TREC's form (qrels).
    runs
        The scores of one run by query and document, or a file in TREC's form; or several by their names.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> qrels, run = folder / "qrels.txt", folder / "bm25.txt"
    >>> _ = qrels.write_text("q1 0 a 1\nq1 0 b 0\n")
    >>> _ = run.write_text("q1 Q0 b 1 2.5 bm25\nq1 Q0 a 2 1.5 bm25\n")
    >>> rankings(qrels, run).table("ndcg")["ndcg"].value.__round__(4)
    0.6309
    """
    grades = {
        q: {d: g for d, g in held.items() if g >= 0} for q, held in _taken(judged, QRELS).items()
    }
    grades = {q: held for q, held in grades.items() if held}
    if not grades:
        raise DataError("No query has a judged document.")
    given = _runs(runs)
    queries = tuple(sorted(grades))
    said = list(_doubts(queries, given))
    parts = [
        _ranked(table, queries, grades, i * len(queries)) for i, table in enumerate(given.values())
    ]
    of, place, grade = (np.concatenate([p[j] for p in parts]) for j in range(3))
    found = tuple(np.sort(np.array([*grades[q].values()], float))[::-1] for q in queries)
    top = place <= 10
    if (unknown := np.isnan(grade[top]).mean() if top.any() else 0.0) > 0:
        said.append(NOT_JUDGED(share=float(unknown), where=" among the first ten"))
    said += [
        TIED_SCORES(model=m, share=p[3]) for m, p in zip(given, parts, strict=True) if p[3] > 0
    ]
    return Rankings(queries, tuple(given), of.astype(np.intp), place, grade, found, tuple(said))


def _runs(given: object) -> dict[str, Table]:
    """Return the runs by name."""
    if isinstance(given, str | PathLike):
        return {Path(given).stem: _taken(given, RUN)}
    if not isinstance(given, Mapping) or not given:
        raise ParameterError(
            f"runs is a file, or scores by query and document, or several of these by name; got {shown(given)}."
        )
    first = next(iter(given.values()))
    one = isinstance(first, Mapping) and not isinstance(
        next(iter(first.values()), None), Mapping | str | PathLike
    )
    return (
        {"run": _taken(given, RUN)} if one else {str(n): _taken(r, RUN) for n, r in given.items()}
    )


def _taken(given: object, fields: int) -> Table:
    """Return numbers by query and document, of a mapping or of a file."""
    table = _read(Path(given), fields) if isinstance(given, str | PathLike) else _held(given)
    for query, held in table.items():
        blank = [document for document, number in held.items() if math.isnan(number)]
        if blank:
            what = "grade" if fields == QRELS else "score"
            raise DataError(
                f"The {what} of document {blank[0]} under query {query} is not a number."
            )
    return table


def _held(given: object) -> Table:
    try:
        return {str(q): {str(d): float(x) for d, x in held.items()} for q, held in given.items()}  # type: ignore[attr-defined]
    except (AttributeError, TypeError, ValueError):
        raise ParameterError(
            f"Judgements and runs are numbers by query and document, or files; got {shown(given)}."
        ) from None


def _read(path: Path, fields: int) -> Table:
    """Read a file in TREC's form: query, -, document, grade; or query, -, document, rank, score, name."""
    if not path.is_file():
        raise ParameterError(f"{path.name} is not a file.")
    made: dict[str, dict[str, float]] = {}
    at = 3 if fields == QRELS else 4
    for i, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        parts = line.split()
        if not parts:
            continue
        try:
            number = float(parts[at])
        except (IndexError, ValueError):
            wanted = (
                "query, 0, document, grade"
                if fields == QRELS
                else "query, Q0, document, rank, score, name"
            )
            raise DataError(
                f"{path.name}, line {i}: {shown(line)} does not have the fields {wanted}."
            ) from None
        held = made.setdefault(parts[0], {})
        if parts[2] in held:
            raise DataError(
                f"{path.name}, line {i}: document {parts[2]} stands twice under query {parts[0]}."
            )
        held[parts[2]] = number
    return made


def _ranked(
    table: Table, queries: tuple[str, ...], grades: Table, start: int
) -> tuple[Indices, Floats, Floats, float]:
    """Return the documents of a run list by list, best first, and how many of them have the score of another."""
    of, places, found, ties, documents = [], [], [], 0, 0
    for i, q in enumerate(queries):
        held = table.get(q, {})
        order = sorted(held, reverse=True)  # documents of one score in falling order of their names
        order.sort(key=lambda d: -held[d])
        of.append(np.full(len(order), start + i))
        places.append(np.arange(1.0, len(order) + 1))
        found.append(np.array([grades[q].get(d, np.nan) for d in order], float))
        documents += len(order)
        ties += len(order) - len(set(held.values()))
    share = ties / documents if documents else 0.0
    return np.concatenate(of), np.concatenate(places), np.concatenate(found), share


def _doubts(queries: tuple[str, ...], runs: Mapping[str, Table]) -> Iterator[Finding]:
    known = set(queries)
    extra = sorted({q for table in runs.values() for q in table} - known)
    if extra:
        yield QUERIES_LEFT_OUT(queries=_queries(len(extra)), names=listed(extra[:NAMED]))
    for model, table in runs.items():
        missing = sorted(known - set(table))
        if missing:
            told = {"queries": _queries(len(missing)), "names": listed(missing[:NAMED])}
            yield QUERIES_MISSING(model=model, **told)


def _queries(n: int) -> str:
    return f"{n:,} {'query' if n == 1 else 'queries'}"
