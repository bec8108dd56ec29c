"""`credibly interval`: limits around a proportion."""

from __future__ import annotations

from credibly.cli.command_groups import NUMBERS
from credibly.cli.options import Options, one_or_many
from credibly.cli.output import TEXT, Output

GROUP = NUMBERS


class IntervalOptions(Options):
    """By which methods, and how sure."""

    verb = "credibly.intervals.side_by_side:interval"
    leave_out = "successes n"
    reads = {"method": one_or_many}


def command(
    successes: float | None = None,
    n: float | None = None,
    *,
    asked: IntervalOptions,
    output: Output = TEXT,
) -> None:
    """Compute confidence intervals for a proportion, with all methods side by side.

    For instance:
      credibly interval 750 1000
      credibly interval 75 100 --confidence-level 0.8 --method wilson,exact
      credibly interval 9 10 --alternative greater
      credibly interval 75 100 --width 0.05
      credibly interval --rate 0.75 --n 10

    Parameters
    ----------
    successes
        Number of successes.
    n
        How many cases there were.
    """
    from credibly.cli.terminal import print_result
    from credibly.intervals import interval

    print_result(interval(successes, n, **asked), output)
