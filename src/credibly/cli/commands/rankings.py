"""`credibly rankings`: scores of rankings by query, from TREC's files."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from credibly.cli.columns import named_files
from credibly.cli.command_groups import JUDGE
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import EVERY_SCORE, AskedScores

GROUP = JUDGE


def command(
    judged: Path, *runs: Path, asked: AskedScores = EVERY_SCORE, output: Output = TEXT
) -> None:
    """Score rankings of documents query by query: nDCG, MAP, MRR ..., with intervals about new queries.

    For instance:
      credibly rankings qrels.txt bm25.txt dense.txt
      credibly rankings qrels.txt bm25.txt dense.txt --score "ndcg(k=10)" --save ndcg.csv
      credibly compare ndcg.csv

    Parameters
    ----------
    judged
        Judgements in TREC's form (qrels): query, 0, document, grade. Or, without runs, a table with a row per query and document,
        its grade and the score that each run gave it.
    runs
        Rankings in TREC's form, one file per system: query, Q0, document, rank, score, name.
    """
    from credibly.case_scores.ranking_tables import read_rankings
    from credibly.case_scores.rankings import rankings
    from credibly.case_scores.tables import table_kinds
    from credibly.io._declare import open_source

    if runs:
        found = rankings(judged, named_files(list(runs)))
    else:
        with closing(open_source(judged)) as table:
            columns = table_kinds["rankings"].needed_in(table)
        found = read_rankings(judged, **columns)
    asked.show(found, output)
