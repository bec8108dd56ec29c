"""`credibly bias-variance`: what the loss of a learning scheme is made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credibly.cli.command_groups import LEARN
from credibly.cli.data import DataColumns
from credibly.cli.options import DATA, HOW, OUTPUT, WHAT, Options, calls, many
from credibly.cli.output import TEXT, Output
from credibly.errors import Argument, ParameterError, Sentence, says

if TYPE_CHECKING:
    from credibly.bias_variance import BiasVariance

GROUP = LEARN

SEED = 1
LEARNING_OPTION, OUTPUT_OPTION = Parameter(group=HOW), Parameter(group=OUTPUT)
SHARED_PARAMETERS = ("loss", "positive", "confidence_level")  # of made predictions too


class BiasVarianceOptions(Options):
    """How schemes learn, and which loss is taken apart."""

    verb = "credibly.bias_variance.bias_variance:bias_variance"
    takes = "weight_kind training replicates task rng n_jobs loss positive confidence_level"
    group = HOW
    elsewhere = {"weight_kind": DATA} | dict.fromkeys(SHARED_PARAMETERS, WHAT)
    says = {"rng": "Seed of everything random; 1 by default."}


def command(
    data: str,
    /,
    *,
    columns: DataColumns,
    scheme: Annotated[list[str] | None, LEARNING_OPTION] = None,
    over: Annotated[list[str] | None, LEARNING_OPTION] = None,
    asked: BiasVarianceOptions,
    save: Path | None = None,
    plot: Path | None = None,
    output: Output = TEXT,
) -> None:
    """Decompose the loss into noise, bias and variance over training sets.

    Schemes learn from many training sets drawn from the data, and each row is predicted by the models
    that have not seen it. A file of predictions must hold several predictions per row, as `credibly
    run` saves them.

    For instance:
      credibly bias-variance iris --scheme tree --over max_depth=1,2,4,8
      credibly bias-variance loans.csv --target default --scheme knn --over k=1,5,25 --plot knn.svg
      credibly run iris --scheme tree --resampling 10x10 --save preds.parquet
      credibly bias-variance preds.parquet --loss kohavi_wolpert

    Parameters
    ----------
    data
        A file, or the name of a bundled dataset.
    scheme
        Learning schemes (learners) such as tree,'knn(k=3)'; may be repeated. Without any, DATA is
        a file of predictions.
    over
        Values of a parameter to try, such as max_depth=1,2,4,8.
    save
        Save the predictions to a .parquet, .csv or .jsonl file.
    plot
        Draw the result to a .svg, .png, .pdf or .html file.
    """
    from credibly.cli.interruption import end_if_interrupted
    from credibly.cli.terminal import print_result
    from credibly.io.save import save as save_to

    if over:
        asked["over"] = _ranges(over)
    if scheme:
        decomposition = _learned(data, columns, calls(scheme) or [], asked)
    else:
        learning = (asked.names.get(name, name) for name in asked if name not in SHARED_PARAMETERS)
        _refuse(data, [*learning, *columns])
        decomposition = _read(data, **asked)
    if save is not None:
        save_to(decomposition.predictions, save)
    if plot is not None:
        decomposition.plot().save(plot)
    print_result(decomposition.table, output)
    if scheme:
        end_if_interrupted(decomposition.predictions.findings)


def _learned(
    data: str, columns: DataColumns, schemes: list[str], asked: BiasVarianceOptions
) -> BiasVariance:
    from dataclasses import replace

    from credibly.bias_variance import bias_variance

    table = columns.read(data)
    decomposition = bias_variance(
        schemes if len(schemes) > 1 else schemes[0],
        table.X,
        table.y,
        groups=table.group,
        sample_weight=table.weight,
        **{"rng": SEED, "n_jobs": 1, **asked},
    )
    findings = table.and_more(decomposition.table.findings)
    return replace(decomposition, table=replace(decomposition.table, findings=findings))


def _read(data: str, *, positive: str | None = None, **judged: Any) -> BiasVariance:  # noqa: ANN401
    from credibly.bias_variance import bias_variance
    from credibly.io import read

    return bias_variance(read(Path(data), positive=positive), **judged)


def _refuse(data: str, given: list[str]) -> None:
    """Refuse to learn without a scheme: a bundled set, or options that are about learning."""
    from credibly.io.datasets import datasets

    if data in datasets and not Path(data).exists():
        raise ParameterError(
            f"{data} is a bundled dataset to learn from.",
            remedy=says("Name a scheme with <scheme=...>, such as tree or knn."),
        )
    if given:
        raise ParameterError(
            Sentence(
                Argument(given[0]),
                says(" is about learning from data, and without <scheme=> "),
                f"{data} is read as predictions that are already made.",
            ),
            remedy="Name a scheme, or leave it out.",
        )


def _ranges(asked: list[str]) -> dict[str, list[Any]]:
    """Read ``name=value,value``.

    >>> _ranges(["k=1,5", "weights=uniform,distance"])
    {'k': [1, 5], 'weights': ['uniform', 'distance']}
    """
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
