"""What the commands share that learn from more and more: rows, or models that vote."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from credibly.cli.options import HOW, Options, calls

if TYPE_CHECKING:
    from credibly.cli.data import DataColumns
    from credibly.cli.output import PicturedOutput
    from credibly.running.learning_curves import LearningCurve


class GrowthOptions(Options):
    """How schemes learn, and from how many rows."""

    verb = "credibly.running.learning_curves:learning_curve"
    takes = "sizes resampling task rng n_jobs"
    group = HOW
    defaults = {"sizes": None, "rng": 1, "n_jobs": 1}


class GrowthMeasures(Options):
    """What is estimated at every size."""

    verb = "credibly.evaluation.evaluate:evaluate"
    takes = "measures average confidence_level"
    says = {
        "measures": "Measures such as error_rate,brier; by default the error rate, or the root "
        "mean squared error for numbers. The first one is drawn."
    }


def print_growth(
    verb: Callable[..., LearningCurve],
    data: str,
    columns: DataColumns,
    schemes: list[str],
    asked: dict[str, Any],
    measured: GrowthMeasures,
    output: PicturedOutput,
) -> None:
    """Learn, draw the curve where a file is named for it, and print the estimates."""
    from dataclasses import replace

    from credibly.cli.interruption import end_if_interrupted
    from credibly.cli.terminal import print_result

    table = columns.read(data)
    rows = {"groups": table.group, "sample_weight": table.weight}
    curve = verb(calls(schemes), table.X, table.y, **rows, **asked)
    measures = measured.pop("measures", None) or [curve.usual]
    found = curve.table(measures, **measured)
    level = {k: v for k, v in measured.items() if k == "confidence_level"}
    told = replace(found, findings=table.and_more(found.findings))
    print_result(told, output, draw=lambda: curve.plot(measure=measures[0], **level))
    end_if_interrupted([f for p in curve.predictions.values() for f in p.findings])
