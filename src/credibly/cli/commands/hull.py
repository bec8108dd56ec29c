"""`credibly hull`: which model to use for which classes and costs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import DECIDE
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = DECIDE


class HullOptions(Options):
    """Where the model will be used."""

    verb = "credibly.curves.hulls:Hull.best"
    leave_out = ""


def command(
    file: Path, *others: Path, columns: Columns, used: HullOptions, output: Output = TEXT
) -> None:
    """Find the convex hull of the ROC curves of all models, and its cheapest point.

    For instance:
      credibly hull preds.csv --truth y --probability p --model model --positive yes
      credibly hull preds.csv --prevalence 0.02 --false-negative 50

    Parameters
    ----------
    file
        The file of predictions, one row per case.
    others
        Files of other models on the same cases, each named after its file.
    """
    from credibly._core.text import number_text
    from credibly.cli.terminal import print_result
    from credibly.curves import hull
    from credibly.results.formats import json_text

    found = hull(columns.read_models([file, *others]))
    best = found.best(**used)
    if output.json:
        print(json_text({**found.to_dict(), "best": asdict(best)}))
        return
    cheapest = (
        f"Cheapest at the probability cost {number_text(best.probability_cost)} "
        f"(slope {number_text(best.slope)}): {best.point}, expected cost "
        f"{number_text(best.expected_cost)} per case."
    )
    print_result(found, output, remarks=[cheapest])
