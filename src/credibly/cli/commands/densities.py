"""`credibly densities`: Student's t beside the normal distribution."""

from __future__ import annotations

from credibly.cli.command_groups import NUMBERS
from credibly.cli.options import Options
from credibly.cli.output import PICTURED, PicturedOutput

GROUP = NUMBERS


class DensityOptions(Options):
    """Which distributions, and how far."""

    verb = "credibly.intervals.densities:densities"
    words = "freedom"
    defaults = {"freedom": None}


def command(*, asked: DensityOptions, output: PicturedOutput = PICTURED) -> None:
    """Show Student's t distribution beside the normal, with critical values.

    For instance:
      credibly densities
      credibly densities 1,4,9,30 --confidence-level 0.9
      credibly densities 9 --reach 4 -o student.svg
      credibly densities 9 --csv > points.csv
    """
    from credibly.cli.terminal import print_result
    from credibly.intervals import densities

    curves = densities(**asked)
    print_result(curves, output)
