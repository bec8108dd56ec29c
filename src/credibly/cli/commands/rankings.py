"""`credibly rankings`: scores of rankings by query, from TREC's files."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import named_files
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, WHAT, Options
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import EVERY_SCORE, AskedScores
from credibly.errors import ParameterError

GROUP = JUDGE


class RankingOptions(Options):
    """The columns of a table, where there are no files of runs."""

    verb = "credibly.case_scores.ranking_tables:read_rankings"
    names = {"score": "run"}
    defaults = dict.fromkeys(("query", "document", "grade", "score"))
    group = COLUMNS
    elsewhere = {"format": WHAT}


def command(
    judged: Path,
    *runs: Path,
    table: RankingOptions,
    asked: AskedScores = EVERY_SCORE,
    output: Output = TEXT,
) -> None:
    """Score rankings of documents query by query: nDCG, MAP, MRR ..., with intervals about new queries.

    For instance:
      credibly rankings qrels.txt bm25.txt dense.txt
      credibly rankings qrels.txt bm25.txt dense.txt --score "ndcg(k=10)" --save ndcg.csv
      credibly compare ndcg.csv
      credibly rankings clicks.csv --query user --document item --run old,new

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

    if runs and table:
        raise ParameterError(
            "Columns or a format were named, but TREC's files have no columns to name. Leave them out, or give one table and no runs."
        )
    found = rankings(judged, named_files(list(runs))) if runs else read_rankings(judged, **table)
    asked.show(found, output)
