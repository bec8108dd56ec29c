"""`credibly rankings`: scores of rankings by query, from TREC's files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.columns import named_files
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import OUTPUT, WHAT
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import show_scores

GROUP = JUDGE


def command(
    judged: Path,
    *runs: Path,
    score: Annotated[str | None, Parameter(group=WHAT)] = None,
    confidence_level: Annotated[float, Parameter(group=WHAT)] = 0.95,
    save: Annotated[Path | None, Parameter(group=OUTPUT)] = None,
    output: Output = TEXT,
) -> None:
    """Score rankings of documents query by query: nDCG, MAP, MRR ..., with intervals about new queries.

    For instance:
      credibly rankings qrels.txt bm25.txt dense.txt
      credibly rankings qrels.txt bm25.txt dense.txt --score "ndcg(k=10)" --save ndcg.csv
      credibly compare ndcg.csv

    Parameters
    ----------
    judged
        Judgements in TREC's form (qrels): query, 0, document, grade.
    runs
        Rankings in TREC's form, one file per system: query, Q0, document, rank, score, name.
    score
        Scores from ``credibly list case-scores``, separated by commas; all of rankings by default.
    confidence_level
        Confidence level of the intervals.
    save
        File to write the score of each query and system to, the first of those that are named: other commands take it.
    """
    from credibly.case_scores.rankings import rankings

    found = rankings(judged, named_files(list(runs)))
    show_scores(found, score, confidence_level, save, output)
