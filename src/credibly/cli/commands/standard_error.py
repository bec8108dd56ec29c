"""`credibly standard-error`: the standard error of any statistic, by the bootstrap."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from credibly.cli.columns import Columns
from credibly.cli.command_groups import JUDGE
from credibly.cli.options import WHAT, WRITTEN, Options, calls, many
from credibly.cli.output import TEXT, Output
from credibly.errors import ParameterError, says

GROUP = JUDGE


class Drawn(Options):
    """How often rows are drawn."""

    verb = "credibly.intervals.row_bootstrap:bootstrap_rows"
    takes = "replicates rng confidence_level"
    defaults = {"rng": 1, "replicates": 2000}


def command(
    file: Path,
    *,
    columns: Columns,
    column: Annotated[str | None, Parameter(group=WHAT)] = None,
    statistic: Annotated[str | None, Parameter(group=WHAT)] = None,
    measure: Annotated[list[str] | None, Parameter(group=WHAT)] = None,
    asked: Drawn,
    picture: Annotated[Path | None, WRITTEN] = None,
    output: Output = TEXT,
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
    picture
        File to write: .svg, .png, .pdf, .html or .json; without it, only the table is shown.
    """
    from credibly.results.figure import format_of

    if measure and (column or statistic):
        raise ParameterError(
            says("Give either <column=...> with <statistic=...>, or <measure=...> for predictions.")
        )
    if picture is not None:
        format_of(picture)
    if measure is not None:
        _of_predictions(file, columns, calls(measure) or [], asked, picture, output)
    else:
        listed = many(column) or []
        _of_columns(
            file, columns.get("format"), listed, statistic or "mean", asked, picture, output
        )


def _of_columns(
    file: Path,
    form: str | None,
    names: list[str],
    statistic: str,
    asked: dict[str, Any],
    picture: Path | None,
    output: Output,
) -> None:
    from credibly.cli.terminal import print_result
    from credibly.intervals import bootstrap_rows, statistics
    from credibly.io import read_numbers

    chosen = statistics.parse(statistic)  # what is not known is told before a large file is read
    read = read_numbers(file, names, format=form)
    drawn = bootstrap_rows(chosen, *(read[name] for name in names or read), **asked)
    print_result(drawn, output, picture=picture)


def _of_predictions(
    file: Path,
    columns: Columns,
    measures: list[str],
    asked: dict[str, Any],
    picture: Path | None,
    output: Output,
) -> None:
    from credibly.cli.terminal import print_result
    from credibly.evaluation import evaluate
    from credibly.results.plot import plot

    p = columns.read(file)
    table = evaluate(p, measures, estimate="pooled", interval="bootstrap", spread=True, **asked)
    if picture is not None:
        plot(p, "sampling_distribution", measure=measures[0], **asked).save(picture)
    print_result(table, output)
