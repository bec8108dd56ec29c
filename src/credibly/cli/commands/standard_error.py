"""`credibly standard-error`: the standard error of any statistic, by the bootstrap."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import Options, calls, many
from credibly.cli.output import PICTURED, PicturedOutput
from credibly.errors import ParameterError, says
from credibly.predictions import Predictions

GROUP = JUDGE


class StandardErrorOptions(Options):
    """How often rows are drawn."""

    verb = "credibly.intervals.row_bootstrap:bootstrap_rows"
    takes = "replicates rng confidence_level"
    defaults = {"rng": 1, "replicates": 2000}


def command(
    file: Path,
    *,
    columns: Columns,
    column: str | None = None,
    statistic: str | None = None,
    measure: list[str] | None = None,
    asked: StandardErrorOptions,
    output: PicturedOutput = PICTURED,
) -> None:
    """Bootstrap the standard error of a statistic, such as a median.

    For instance:
      credibly standard-error people.csv --column income --statistic median
      credibly standard-error people.csv --column height,weight --statistic correlation
      credibly standard-error people.csv --column income --statistic "quantile(q=0.9)" -o income.svg
      credibly standard-error preds.csv --measure auc,kappa --replicates 5000

    Parameters
    ----------
    file
        A file with columns of numbers; with --measure, a file of predictions.
    column
        The column, or the columns that the statistic takes, separated by commas; by default the only one.
    statistic
        A name from `credibly list statistics`; the mean by default.
    measure
        Measures of predictions such as auc,'fbeta(beta=2)', instead of a statistic of columns.
    """
    from credibly.cli.terminal import print_result
    from credibly.intervals import bootstrap_rows, statistics
    from credibly.io import read_numbers

    if measure and (column or statistic):
        raise ParameterError(
            says("Give either <column=...> with <statistic=...>, or <measure=...> for predictions.")
        )
    if measure is not None:
        _print_measures(columns.read(file), calls(measure) or [], asked, output)
        return
    chosen = statistics.parse(statistic or "mean")  # before a large file is read
    names = many(column) or []
    read = read_numbers(file, names, format=columns.get("format"))
    print_result(bootstrap_rows(chosen, *(read[n] for n in names or read), **asked), output)


def _print_measures(
    p: Predictions, measures: list[str], asked: StandardErrorOptions, output: PicturedOutput
) -> None:
    from credibly.cli.terminal import print_result
    from credibly.evaluation import evaluate
    from credibly.results.plot import plot

    table = evaluate(p, measures, estimate="pooled", interval="bootstrap", spread=True, **asked)
    kind = "sampling_distribution"
    print_result(table, output, draw=lambda: plot(p, kind, measure=measures[0], **asked))
