"""Tables of rankings: a row per query and document, with its grade and the score that each run gave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

import numpy as np

from credibly._core.doors import door
from credibly._core.text import several
from credibly.case_scores.beside import OtherNames, alike_within
from credibly.case_scores.ranked_documents import (
    DOCUMENT_COLUMNS,
    JUDGEMENTS,
    QUERY_COLUMNS,
    RUNS,
    Form,
    by_query,
)
from credibly.case_scores.rankings import Rankings, ranked, rankings
from credibly.case_scores.tables import (
    Columns,
    FilePart,
    FilesApart,
    ReadTable,
    one_called,
    table_kind,
)
from credibly.io._source import Source
from credibly.io.classes import as_number

QUERY_NAMES = (*QUERY_COLUMNS, "session")
DOCUMENT_NAMES = (*DOCUMENT_COLUMNS, "passage_id")
GRADE_NAMES = ("grade", "relevance", "rel", "label", "judgement", "judgment", "relevant", "truth")


def _of_queries(table: Source) -> Columns | None:
    """Recognise a query and a document beside a grade; the other columns of numbers are scores of runs."""
    named = {role: one_called(table, names) for role, names in (("query", QUERY_NAMES), ("document", DOCUMENT_NAMES), ("grade", GRADE_NAMES))}  # fmt: skip
    if not all(named.values()):
        return None
    others = [c for c in table.names if c not in named.values() and c.lower() != "rank"]
    table.load([], others)
    scores = [c for c in others if table.kind(c) in {"whole", "number"}]
    return {**named, "score": scores} if scores else None


def _in_form(form: Form, lines: Sequence[Sequence[str]]) -> bool:
    """Whether lines have the fields of a file in TREC's form."""
    fields = form.fields.count(",") + 1
    return all(len(x) == fields and as_number(x[form.at]) is not None for x in lines)


TREC = FilesApart(
    rankings,
    FilePart(
        "judgements",
        partial(_in_form, JUDGEMENTS),
        "These are judgements of documents by query. Add the rankings, one file per system.",
    ),
    FilePart(
        "rankings",
        partial(_in_form, RUNS),
        "These are rankings of documents by query. Add the file of judgements (qrels), and other systems.",
    ),
)


@table_kind("Rankings of documents by query", _of_queries, TREC)
@door
def read_rankings(
    source: object,
    query: str = "query",
    document: str = "document",
    grade: str = "grade",
    *,
    score: Sequence[str],
    **others: Unpack[OtherNames],
) -> Rankings:
    """Read rankings from a file or a frame with one row per query and document; a log of recommendations is the same.

    Parameters
    ----------
    source
        A file or a frame.
    query
        The column of the query, or of the user who was recommended something.
    document
        The column of the document or item.
    grade
        The column of relevance grades; empty for documents without a judgement.
    score
        The column of the score by which documents are ranked; of several, each is a run. Empty where a run does not rank it.
    **others
        ``group``, ``weight`` (and ``weight_kind``): the columns of groups of queries that belong together, and of how much each
        query counts; ``columns``: other columns that are the same in all rows of a query, to slice by; ``format``: that of the file.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"query": ["q", "q"], "document": ["a", "b"], "grade": [1, 0], "bm25": [0.5, 0.9]})
    >>> read_rankings(frame, score=["bm25"]).scored("reciprocal_rank").outcome.tolist()
    [0.5]
    """
    runs = several(score, "score", "columns")
    held = ReadTable(source, [grade, *runs], others, query=query, document=document)
    queries, documents = (list(map(str, held.role(r).tolist())) for r in ("query", "document"))
    rows = by_query(queries, documents, np.arange(held[grade].size), held.where)
    made = ranked(rows.with_numbers(held[grade]), {c: rows.with_numbers(held[c]) for c in runs})
    return replace(made, beside=alike_within(held.beside, held.role("query"), made.queries))
