"""Judgements and runs as numbers by query and document: of mappings, of frames and other tables, of TREC's files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain, compress
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.text import shown
from credibly.errors import DataError, MissingColumnError, ParameterError, listed
from credibly.io import readers
from credibly.io._declare import open_source
from credibly.io.roles import found_columns
from credibly.predictions.column_names import plain_name


class Form(NamedTuple):
    """What a table of numbers by query and document holds, and where it stands in TREC's files."""

    what: str
    fields: str  # of a line
    at: int  # of them the number
    names: tuple[str, ...]  # by which its column is known


JUDGEMENTS = Form("grade", "query, 0, document, grade", 3, ("grade", "relevance", "rel", "label", "judgement", "judgment", "rating"))  # fmt: skip
RUNS = Form("score", "query, Q0, document, rank, score, name", 4, ("score", "prediction", "similarity"))  # fmt: skip
QUERY_COLUMNS = ("query", "query_id", "qid", "topic", "topic_id", "user", "user_id")
DOCUMENT_COLUMNS = ("document", "document_id", "doc", "doc_id", "docid", "docno", "item", "item_id")
Places = NDArray[np.intp]
RUN_COLUMNS = ("run", "model", "system", "name", "tag", "run_id", "runid")


class Numbered(NamedTuple):
    """Numbers of documents, query by query: each query once, and each document once under a query."""

    queries: list[str]
    sizes: Places  # how many documents each query has
    documents: list[str]
    numbers: NDArray[Any]
    # The mapping it was made of, if of nothing but texts.
    given: Mapping[str, Mapping[str, Any]] | None = None

    def by_document(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the numbers by document under each query."""
        if self.given is not None:
            return self.given
        return {q: dict(zip(held, x.tolist(), strict=True)) for q, held, x in self.lists()}

    def with_numbers(self, column: Floats) -> Numbered:
        """Return the documents that have a number in a column, whose rows are the numbers here."""
        numbers = column[self.numbers]
        known = ~np.isnan(numbers)
        sizes = np.bincount(self.of[known], minlength=self.sizes.size)
        documents = [*compress(self.documents, known.tolist())]
        return Numbered(
            [*compress(self.queries, sizes)], sizes[sizes > 0], documents, numbers[known]
        )

    def lists(self) -> Iterator[tuple[str, list[str], Floats]]:
        """Yield the documents and numbers of each query."""
        ends = np.cumsum(self.sizes).tolist()
        for query, start, end in zip(self.queries, [0, *ends], ends, strict=False):
            yield query, self.documents[start:end], self.numbers[start:end]

    @property
    def of(self) -> Places:
        """The place among the queries of each document's."""
        return np.repeat(np.arange(self.sizes.size), self.sizes)


def runs_of(given: object) -> dict[str, Numbered]:
    """Return the scores of each run by query and document."""
    if isinstance(given, str | PathLike) and not _is_table(Path(given)):
        return {Path(given).stem: numbered(given, RUNS)}
    if not isinstance(given, Mapping) and not np.isscalar(given):
        name = Path(given).stem if isinstance(given, str | PathLike) else "run"
        return _of_table(given, RUNS, name)
    if not isinstance(given, Mapping) or not given:
        raise ParameterError(
            f"runs is a file, a frame, or scores by query and document, or several of these by name; got {shown(given)}."
        )
    first = next(iter(given.values()))
    one = isinstance(first, Mapping) and not _holds_tables(first)
    if one:
        return {"run": numbered(given, RUNS)}
    return {str(name): numbered(each, RUNS) for name, each in given.items()}


def _holds_tables(given: Mapping[Any, Any]) -> bool:
    """Whether what is held by name is itself more than numbers."""
    return not np.isscalar(next(iter(given.values()), 0.0))


def numbered(given: object, form: Form) -> Numbered:
    """Return numbers by query and document, each of which must be one."""
    if isinstance(given, str | PathLike) and not _is_table(Path(given)):
        made = _of_file(Path(given), form)
    elif isinstance(given, Mapping):
        made = _of_mapping(given, form.what)
    else:
        several = _of_table(given, form, "")
        if len(several) > 1:
            raise DataError(f"Several runs are in one table: {listed(several, most=4)}.")
        made = next(iter(several.values()))
    blank = np.isnan(made.numbers)
    if blank.any():
        at = int(blank.argmax())
        raise DataError(
            f"The {form.what} of document {made.documents[at]} under query {made.queries[made.of[at]]} is not a number."
        )
    return made


def _of_mapping(given: Mapping[Any, Any], what: str) -> Numbered:
    try:
        sizes = np.fromiter(map(len, given.values()), np.intp, len(given))
        numbers = np.fromiter(
            chain.from_iterable(held.values() for held in given.values()), np.float64, sizes.sum()
        )
    except (AttributeError, TypeError, ValueError):
        for query, held in given.items():
            for document, x in held.items() if isinstance(held, Mapping) else ():
                if isinstance(x, str):
                    raise DataError(f"The {what} of document {document} under query {query} is not a number: {shown(x)}.") from None  # fmt: skip
        raise ParameterError(
            f"Judgements and runs are numbers by query and document, frames or files; got {shown(given)}."
        ) from None
    documents = list(chain.from_iterable(given.values()))
    if _are_texts(given) and _are_texts(documents):
        return Numbered(list(given), sizes, documents, numbers, given)
    queries = [str(q) for q, held in given.items() for _ in held]
    return by_query(queries, list(map(str, documents)), numbers, "A dictionary")


def _are_texts(names: Iterable[Any]) -> bool:
    """Whether all names are texts, which joining them finds out in a third of the time of looking at their types."""
    try:
        "".join(names)
    except TypeError:
        return False
    return True


# --- tables ---------------------------------------------------------------------------------------


def _is_table(path: Path) -> bool:
    """Whether a file is one that other verbs read as a table; TREC's files have other endings, or ``.txt``."""
    known = {suffix for each in readers for suffix in each.suffixes} - {".txt"}
    return path.suffix.lower() in known


def _of_table(given: object, form: Form, name: str) -> dict[str, Numbered]:
    """Return numbers by query and document of each run of a table with a row for each."""
    if not isinstance(given, str | PathLike) and not any(hasattr(given, a) for a in ("columns", "column_names")):  # fmt: skip
        raise ParameterError(
            f"Judgements and runs are numbers by query and document, frames or files; got {shown(given)}."
        )
    with closing(open_source(given, None)) as source:
        query, document, number, run = (
            next((c for c in source.names if plain_name(c) in names), None)
            for names in (QUERY_COLUMNS, DOCUMENT_COLUMNS, form.names, RUN_COLUMNS)
        )
        lacking = [w for w, c in (("query", query), ("document", document), (form.what, number)) if not c]  # fmt: skip
        if lacking or not (query and document and number):
            raise MissingColumnError(
                f"{source.where} has no column {listed(lacking, 'or')}.",
                choices=source.names,
                remedy=found_columns(source),
            )
        of_run = run if form is RUNS else None
        source.load([number], [c for c in (query, document, of_run) if c])
        for c in (query, document, of_run):
            if c and (source.labels(c).codes < 0).any():
                raise DataError(f"{source.where}: {c} is missing in some rows.")
        queries, documents = (list(map(str, source.column(c).tolist())) for c in (query, document))
        numbers, where = source.numbers(number), source.where
        of = np.array([*map(str, source.column(of_run).tolist())], object) if of_run else None
    if of is None:
        return {name: by_query(queries, documents, numbers, where)}
    columns = np.array(queries, object), np.array(documents, object), numbers
    made = {}
    for each in dict.fromkeys(of.tolist()):
        rows = of == each
        q, d, x = (c[rows] for c in columns)
        made[each] = by_query(q.tolist(), d.tolist(), x, f"{where}, {each}")
    return made


def by_query(
    queries: list[str], documents: list[str], numbers: NDArray[Any], where: str
) -> Numbered:
    """Put rows together by query, as they mostly stand."""
    code = {query: i for i, query in enumerate(dict.fromkeys(queries))}
    of = np.fromiter(map(code.__getitem__, queries), np.intp, len(queries))
    if (np.diff(of) < 0).any():
        order = np.argsort(of, kind="stable")
        of, documents, numbers = of[order], [documents[i] for i in order], numbers[order]
    made = Numbered([*code], np.bincount(of, minlength=len(code)), documents, numbers)
    for query, held, _ in made.lists():
        if len(set(held)) < len(held):
            twice = next(d for i, d in enumerate(held) if d in held[:i])
            raise DataError(f"{where}: document {twice} occurs twice under query {query}.")
    return made


# --- files of TREC --------------------------------------------------------------------------------


def _of_file(path: Path, form: Form) -> Numbered:
    """Read a file in TREC's form."""
    if not path.is_file():
        raise ParameterError(f"{path.name} is not a file.")
    text = path.read_text("utf-8")
    columns = _columns(text, form)
    try:
        numbers = np.fromiter(map(float, columns[2]), np.float64, len(columns[2]))
    except ValueError:
        i, line = next(_bad_lines(text.splitlines(), form))
        raise DataError(
            f"{path.name}, line {i}: {shown(line)} does not have the fields {form.fields}.",
            remedy="The judgements come first, then the runs." if i == 1 else "",
        ) from None
    return by_query(columns[0], columns[1], numbers, path.name)


def _columns(text: str, form: Form) -> tuple[list[str], list[str], list[str]]:
    """Return queries, documents and numbers, as they are written; an empty text for the numbers where a line is too short.

    Where all lines have the same fields, the second of which is the same in all, the text need not be divided by lines.
    """
    fields, n = text.split(), form.fields.count(",") + 1
    if len(fields) % n == 0 and len({*fields[1::n]}) <= 1:
        return fields[0::n], fields[2::n], fields[form.at :: n]
    rows = [parts for parts in map(str.split, text.splitlines()) if parts]
    short = [parts for parts in rows if len(parts) <= form.at]
    if short:
        return [], [], [""]
    return [r[0] for r in rows], [r[2] for r in rows], [r[form.at] for r in rows]


def _bad_lines(lines: Sequence[str], form: Form) -> Iterator[tuple[int, str]]:
    for i, line in enumerate(lines, 1):
        parts = line.split()
        try:
            _ = parts and float(parts[form.at])
        except (IndexError, ValueError):
            yield i, line
