"""What commands about scored cases share: the table of means, and outcomes that other commands take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from credibly._core.parameters import split_calls
from credibly.errors import ParameterError, says

if TYPE_CHECKING:
    from credibly.case_scores._declare import Evidence
    from credibly.cli.output import Output


def show_scores(
    found: Evidence, score: str | None, confidence_level: float, save: Path | None, output: Output
) -> None:
    """Print the mean of each score, and write the score of each case if that is asked for."""
    from credibly.cli.terminal import print_result
    from credibly.io.save import save as save_to

    named = None if score is None else split_calls(score)
    if save is not None:
        if not named:
            raise ParameterError(
                "Which score of each case to write is not said.", remedy=says("Set <score=...>.")
            )
        save_to(found.scored(named[0]), save)
    print_result(found.table(named, confidence_level=confidence_level), output)
