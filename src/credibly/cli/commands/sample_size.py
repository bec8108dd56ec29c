"""`credibly sample-size`: how many cases a study needs."""

from __future__ import annotations

from collections.abc import Callable

from credibly.cli.command_groups import NUMBERS
from credibly.cli.plans import plans, refuse_kind

GROUP = NUMBERS


def subcommands() -> dict[str, Callable[..., None]]:
    """Return a command for each thing that samples are planned for."""
    return plans("credibly.intervals.sample_size", "sample_size_for_", command.__doc__)


def command(kind: str | None = None, *numbers: str) -> None:  # noqa: ARG001
    """Compute how many cases a study needs to estimate a number precisely, or to find a difference.

    For instance:
      credibly sample-size proportion 0.03 --rate 0.95
      credibly sample-size auc 0.8 --half-width 0.05 --ratio 2
      credibly sample-size auc 0.8 --null 0.7 --power 0.9
      credibly sample-size two-aucs 0.9 0.8 0.5
      credibly sample-size mcnemar 0.2 0.1
      credibly sample-size two-means 0.02 0.05 --json

    Parameters
    ----------
    kind
        What to plan for.
    numbers
        Expected values; see `credibly sample-size KIND --help`.
    """
    refuse_kind(kind, subcommands())
