"""`credibly bias-variance`: what the loss of a learning scheme is made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from credibly.cli.columns import WHAT, calls
from credibly.cli.data import HOW, NO_COLUMNS, DataColumns
from credibly.cli.output import OUTPUT, TEXT, Output

if TYPE_CHECKING:
    from credibly.biasvariance import BiasVariance


def command(
    data: str,
    /,
    *,
    columns: DataColumns = NO_COLUMNS,
    scheme: Annotated[
        list[str] | None,
        Parameter(
            group=HOW,
            negative=(),
            help="Learning schemes such as tree,'knn(k=3)'; may be given again. Without any, DATA is a file of predictions.",
        ),
    ] = None,
    over: Annotated[
        list[str] | None,
        Parameter(
            group=HOW,
            negative=(),
            help="Values of a parameter to go through, such as max_depth=1,2,4,8.",
        ),
    ] = None,
    training: Annotated[
        str,
        Parameter(
            group=HOW,
            help="bootstrap, subsample (half of the rows), or a resampling such as 20x5.",
        ),
    ] = "bootstrap",
    replicates: Annotated[
        int | None, Parameter(group=HOW, help="How many training sets; 50 when not given.")
    ] = None,
    task: Annotated[
        Literal["classification", "numeric"] | None,
        Parameter(group=HOW, help="Where the target does not tell."),
    ] = None,
    rng: Annotated[int, Parameter(group=HOW, help="Seed of everything random.")] = 1,
    jobs: Annotated[int, Parameter(group=HOW, help="Worker processes; -1 for all cores.")] = 1,
    loss: Annotated[
        str | None,
        Parameter(
            group=WHAT,
            help="A name from `credibly list decompositions`; domingos for classes and squared for numbers when not given.",
        ),
    ] = None,
    positive: Annotated[str | None, Parameter(group=WHAT, help="The positive class.")] = None,
    confidence_level: Annotated[float, Parameter(group=WHAT, help="Of the intervals.")] = 0.95,
    save: Annotated[
        Path | None,
        Parameter(group=OUTPUT, help="Keep the predictions: a .parquet, .csv or .jsonl file."),
    ] = None,
    plot: Annotated[
        Path | None, Parameter(group=OUTPUT, help="Draw it: a .svg, .png, .pdf or .html file.")
    ] = None,
    output: Output = TEXT,
) -> None:
    """Take the loss apart: noise, bias, and what depends on the training set.

    Schemes learn from many training sets drawn from the data, and each row is predicted by those that do
    not hold it. A file of predictions must have several of a row, as `credibly run` saves them.

    For instance:
      credibly bias-variance iris --scheme tree --over max_depth=1,2,4,8
      credibly bias-variance loans.csv --target default --scheme knn --over k=1,5,25 --plot knn.svg
      credibly run iris --scheme tree --resampling 10x10 --save preds.parquet
      credibly bias-variance preds.parquet --loss kohavi_wolpert

    Parameters
    ----------
    data
        A file, or the name of a bundled set.
    """
    from credibly.cli.printing import print_result
    from credibly.io.saving import save as save_to

    if scheme:
        learning = {
            "over": _ranges(over) if over else None, "training": training, "replicates": replicates,
            "task": task, "rng": rng, "n_jobs": jobs, "positive": positive,
        }  # fmt: skip
        made = _learned(data, columns, calls(scheme), loss, confidence_level, learning)
    else:
        made = _read(data, loss, confidence_level)
    if save is not None:
        save_to(made.predictions, save)
    if plot is not None:
        made.plot().save(plot)
    print_result(made.table, output, confusion=False)


def _learned(
    data: str,
    columns: DataColumns,
    schemes: list[str],
    loss: str | None,
    confidence_level: float,
    learning: dict[str, Any],
) -> BiasVariance:
    from dataclasses import replace

    from credibly.biasvariance import bias_variance

    table = columns.read(data)
    made = bias_variance(
        schemes if len(schemes) > 1 else schemes[0],
        table.X,
        table.y,
        loss=loss,
        confidence_level=confidence_level,
        groups=table.group,
        sample_weight=table.weight,
        weight_kind=columns.weight_kind,
        **learning,
    )
    findings = (*table.findings, *made.table.findings)
    return replace(made, table=replace(made.table, findings=findings))


def _read(data: str, loss: str | None, confidence_level: float) -> BiasVariance:
    from credibly.biasvariance import bias_variance
    from credibly.io import read

    return bias_variance(read(Path(data)), loss=loss, confidence_level=confidence_level)


def _ranges(asked: list[str]) -> dict[str, list[Any]]:
    """Read ``name=value,value``.

    >>> _ranges(["k=1,5", "weights=uniform,distance"])
    {'k': [1, 5], 'weights': ['uniform', 'distance']}
    """
    from credibly._core.errors import ParameterError
    from credibly.cli.columns import many

    found = {}
    for text in asked:
        name, equals, values = text.partition("=")
        if not equals or not many(values):
            msg = (
                f"over must name a parameter and its values, such as max_depth=1,2,4; got {text!r}."
            )
            raise ParameterError(msg)
        found[name.strip()] = [_literal(v) for v in many(values) or ()]
    return found


def _literal(text: str) -> Any:  # noqa: ANN401
    from ast import literal_eval

    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text
