"""`credibly power`: what a number of cases can show."""

from __future__ import annotations

from collections.abc import Callable

from credibly.cli.command_groups import NUMBERS
from credibly.cli.plans import plans, refuse_kind

GROUP = NUMBERS


def subcommands() -> dict[str, Callable[..., None]]:
    """Return a command for each test that is planned."""
    return plans("credibly.intervals.power", "power_of_", command.__doc__)


def command(kind: str | None = None, *numbers: str) -> None:  # noqa: ARG001
    """Compute the power of a test: how likely it is to find a difference with this many cases.

    For instance:
      credibly power auc 0.7 --n-positive 30 --n-negative 60
      credibly power two-aucs 0.9 0.8 0.5 --n-positive 51 --n-negative 58
      credibly power mcnemar 0.2 0.1 --n 234
      credibly power two-means 0.02 0.05 --n 30

    Parameters
    ----------
    kind
        The test to plan for.
    numbers
        Expected values; see `credibly power KIND --help`.
    """
    refuse_kind(kind, subcommands())
