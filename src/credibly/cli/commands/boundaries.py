"""`credibly boundaries`: the decision boundaries of learning schemes on two attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import LEARN
from credibly.cli.data import DataColumns
from credibly.cli.options import HOW, Options, calls, many
from credibly.cli.output import PICTURED, PicturedOutput

if TYPE_CHECKING:
    from credibly.io.datasets import Dataset
    from credibly.schemes.light_frame import LightFrame

GROUP = LEARN


class BoundaryOptions(Options):
    """What is learnt from, and how often."""

    verb = "credibly.running.boundaries:decision_boundaries"
    leave_out = "schemes X y"
    group = HOW
    reads = {"attributes": many}
    says = {"attributes": "The two columns, separated by a comma."}
    defaults = {"rng": 1}


def command(
    data: str,
    *,
    columns: DataColumns,
    scheme: Annotated[list[str], Parameter(group=HOW)],
    asked: BoundaryOptions,
    output: PicturedOutput = PICTURED,
) -> None:
    """Draw the decision boundaries of schemes (learners) on two attributes, and how they vary with the sample.

    For instance:
      credibly boundaries iris --attributes "petal length (cm),petal width (cm)" --scheme tree -o tree.svg
      credibly boundaries two.csv --target y --scheme knn,naive-bayes --replicates 10 --rng 1 -o both.png
      credibly boundaries two.csv --target y --scheme "adaboost(k=4)" --members -o members.svg

    Parameters
    ----------
    data
        A file, or the name of a bundled dataset.
    scheme
        Learning schemes (learners) such as tree,'knn(k=3)'; may be repeated.
    """
    from dataclasses import replace

    from credibly.cli.terminal import print_result
    from credibly.running import decision_boundaries

    table = columns.read(data)
    found = decision_boundaries(calls(scheme), _named(table), table.y, **asked)
    boundaries = replace(found, findings=table.and_more(found.findings))
    print_result(boundaries, output)


def _named(table: Dataset) -> LightFrame:
    """Give the columns of an array the names that the file has for them."""
    from credibly.schemes.columns import light_frame
    from credibly.schemes.light_frame import LightFrame

    return LightFrame(dict(zip(table.names, light_frame(table.X).columns.values(), strict=True)))
