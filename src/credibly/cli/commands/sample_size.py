"""`credibly sample-size`: how many cases a study needs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import NUMBERS
from credibly.cli.options import Options
from credibly.cli.output import PICTURED, PicturedOutput
from credibly.cli.plans import plans, refuse_kind

GROUP = NUMBERS


class SampleSizeOptions(Options):
    """What a pilot is to be planned for."""

    verb = "credibly.evaluation.pilot:sample_size"


def pilot(
    file: Path, *, columns: Columns, asked: SampleSizeOptions, output: PicturedOutput = PICTURED
) -> None:
    """Compute how many cases narrow an interval to a width, by predictions already made.

    After a resampling it also says what more repeats and more folds of the same cases cannot bring.

    For instance:
      credibly sample-size pilot preds.csv --measure auc --width 0.05
      credibly sample-size pilot visits.csv --group patient --measure brier --width 0.05 -o width.svg

    Parameters
    ----------
    file
        A file of predictions of one model, or of one scheme in a resampling.
    """
    from credibly.cli.terminal import print_result
    from credibly.evaluation.pilot import sample_size

    p = columns.read(file)
    plan = sample_size(p, **asked)
    print_result(plan, output)


class PairOptions(Options):
    """What a pilot of two models is to be planned for."""

    verb = "credibly.comparisons.pair_plan:detectable_difference"
    leave_out = "a b"


def pair(
    files: list[Path], /, *, columns: Columns, asked: PairOptions, output: PicturedOutput = PICTURED
) -> None:
    """Compute how many cases show a difference between two models, by a pilot of both on the same cases.

    For instance:
      credibly sample-size pair new.jsonl old.jsonl --difference 0.02
      credibly sample-size pair both.csv --group passage --measure auc --power 0.9 -o detectable.svg

    Parameters
    ----------
    files
        Files of predictions or outcomes of two models; or one file of both, with a column that names them.
    """
    from credibly.cli.terminal import print_result
    from credibly.comparisons.pair_plan import detectable_difference

    plan = detectable_difference(columns.read_models(files), **asked)
    print_result(plan, output)


def subcommands() -> dict[str, Callable[..., None]]:
    """Return a command for each thing that samples are planned for."""
    made = plans("credibly.intervals.sample_size", "sample_size_for_", command.__doc__)
    return {**made, "pilot": pilot, "pair": pair}


def command(kind: str | None = None, *numbers: str) -> None:  # noqa: ARG001
    """Compute how many cases a study needs to estimate a number precisely, or to find a difference.

    For instance:
      credibly sample-size proportion 0.03 --rate 0.95
      credibly sample-size auc 0.8 --half-width 0.05 --ratio 2
      credibly sample-size auc 0.8 --null 0.7 --power 0.9
      credibly sample-size two-aucs 0.9 0.8 0.5
      credibly sample-size mcnemar 0.2 0.1
      credibly sample-size two-means 0.02 0.05 --json
      credibly sample-size pilot preds.csv --measure auc --width 0.05
      credibly sample-size pair new.jsonl old.jsonl --difference 0.02

    Parameters
    ----------
    kind
        What to plan for.
    numbers
        Expected values; see `credibly sample-size KIND --help`.
    """
    refuse_kind(kind, subcommands())
