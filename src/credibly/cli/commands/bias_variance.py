"""`credibly bias-variance`: what the loss of a learning scheme is made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from credibly.cli.columns import WHAT, calls
from credibly.cli.data import HOW, NO_COLUMNS, DataColumns
from credibly.cli.options import ConfidenceLevel
from credibly.cli.output import OUTPUT, TEXT, Output

if TYPE_CHECKING:
    from credibly.bias_variance import BiasVariance

SEED = 1


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
        str | None,
        Parameter(
            group=HOW,
            help="subsample (half of the rows), or a resampling such as 20x5; bootstrap when not given.",
        ),
    ] = None,
    replicates: Annotated[
        int | None, Parameter(group=HOW, help="How many training sets; 50 when not given.")
    ] = None,
    task: Annotated[
        Literal["classification", "numeric"] | None,
        Parameter(group=HOW, help="Where the target does not tell."),
    ] = None,
    rng: Annotated[
        int | None, Parameter(group=HOW, help="Seed of everything random; 1 when not given.")
    ] = None,
    jobs: Annotated[
        int | None,
        Parameter(group=HOW, help="Worker processes; -1 for all cores, 1 when not given."),
    ] = None,
    loss: Annotated[
        str | None,
        Parameter(
            group=WHAT,
            help="A name from `credibly list decompositions`; domingos for classes and squared for numbers when not given.",
        ),
    ] = None,
    positive: Annotated[str | None, Parameter(group=WHAT, help="The positive class.")] = None,
    confidence_level: ConfidenceLevel = 0.95,
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
    from credibly.cli.interruption import end_if_interrupted
    from credibly.cli.printing import print_result
    from credibly.io.save import save as save_to

    judged = {"loss": loss, "confidence_level": confidence_level}
    learning = {
        "over": over, "training": training, "replicates": replicates, "task": task, "rng": rng,
        "jobs": jobs,
    }  # fmt: skip
    given = {name: value for name, value in learning.items() if value is not None}
    if scheme:
        made = _learned(data, columns, calls(scheme), given, judged | {"positive": positive})
    else:
        _refuse(data, [*given, *_named(columns)])
        made = _read(data, positive, judged)
    if save is not None:
        save_to(made.predictions, save)
    if plot is not None:
        made.plot().save(plot)
    print_result(made.table, output, confusion=False)
    if scheme:
        end_if_interrupted(made.predictions.findings)


def _learned(
    data: str,
    columns: DataColumns,
    schemes: list[str],
    given: dict[str, Any],
    judged: dict[str, Any],
) -> BiasVariance:
    from dataclasses import replace

    from credibly.bias_variance import bias_variance

    ranges = _ranges(given.pop("over")) if "over" in given else None
    jobs = given.pop("jobs", 1)
    table = columns.read(data)
    made = bias_variance(
        schemes if len(schemes) > 1 else schemes[0],
        table.X,
        table.y,
        over=ranges,
        groups=table.group,
        sample_weight=table.weight,
        weight_kind=columns.weight_kind,
        n_jobs=jobs,
        **{"rng": SEED} | given | judged,
    )
    findings = table.and_more(made.table.findings)
    return replace(made, table=replace(made.table, findings=findings))


def _read(data: str, positive: str | None, judged: dict[str, Any]) -> BiasVariance:
    from credibly.bias_variance import bias_variance
    from credibly.io import read

    return bias_variance(read(Path(data), positive=positive), **judged)


def _named(columns: DataColumns) -> list[str]:
    """Return the options about columns that were given."""
    from dataclasses import asdict

    return [name for name, value in asdict(columns).items() if value is not None]


def _refuse(data: str, given: list[str]) -> None:
    """Refuse to learn without a scheme: a bundled set, or options that are about learning."""
    from credibly._core.errors import ParameterError
    from credibly.io.datasets import BUNDLED

    if data in BUNDLED and not Path(data).exists():
        raise ParameterError(
            f"{data} is a bundled set to learn from: name a scheme=... to learn with, such as tree or knn."
        )
    if given:
        raise ParameterError(
            f"{given[0]}= is about learning from data, and without scheme= {data} is read as "
            "predictions that are already made. Name a scheme, or leave it out."
        )


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
            raise ParameterError(
                f"over must name a parameter and its values, such as max_depth=1,2,4; got {text!r}."
            )
        found[name.strip()] = [_literal(v) for v in many(values) or ()]
    return found


def _literal(text: str) -> Any:  # noqa: ANN401
    from ast import literal_eval

    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text
