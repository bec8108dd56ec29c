"""What commands about scored cases share: the table of means, and outcomes that other commands take."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from credibly._core.parameters import split_calls
from credibly.cli.options import OUTPUT, WHAT, many
from credibly.errors import ParameterError, says

if TYPE_CHECKING:
    from credibly.case_scores._declare import Evidence
    from credibly.cli.output import Output

SCORES_HELP = (
    "Scores from `credibly list case-scores`, separated by commas; all that apply by default."
)
BY_HELP = "Columns to slice the cases by, separated by commas."
SAVED_HELP = "File to write the first named score of each case to; other commands can read it."
REPORT_HELP = "File to write a report to (.html, .md, .docx ...), about the first named score."
DETAILS_HELP = "Show what else there is to see instead: calibration, measures by label, by time or by class ..."
SECTIONS_HELP = "Sections of the report {} by their titles, separated by commas."


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class AskedScores:
    """Which scores are shown, and where the score of each case goes."""

    score: Annotated[str | None, Parameter(group=WHAT, help=SCORES_HELP)] = None
    by: Annotated[str | None, Parameter(group=WHAT, help=BY_HELP)] = None
    confidence_level: Annotated[
        float, Parameter(group=WHAT, help="Confidence level of the intervals.")
    ] = 0.95
    details: Annotated[bool, Parameter(group=WHAT, help=DETAILS_HELP, negative=())] = False
    save: Annotated[Path | None, Parameter(group=OUTPUT, help=SAVED_HELP)] = None
    report: Annotated[Path | None, Parameter(group=OUTPUT, help=REPORT_HELP)] = None
    title: Annotated[str | None, Parameter(group=OUTPUT, help="Title of the report.")] = None
    note: Annotated[str | None, Parameter(group=OUTPUT, help="Text at the top of the report.")] = (
        None
    )
    leave_out: Annotated[str | None, Parameter(group=OUTPUT, help=SECTIONS_HELP.format("to leave out"))] = None  # fmt: skip
    order: Annotated[str | None, Parameter(group=OUTPUT, help=SECTIONS_HELP.format("to put first"))] = None  # fmt: skip

    @property
    def named(self) -> list[str] | None:
        """The scores that are asked for, if any are."""
        return None if self.score is None else split_calls(self.score)

    def show(self, found: Evidence, output: Output) -> None:
        """Print the mean of each score, or write a report; write the score of each case if that is asked for."""
        from credibly.cli.terminal import print_result, print_saved
        from credibly.io.save import save as save_to

        if self.save is not None:
            if not self.named:
                raise ParameterError(
                    "It is not clear which score of each case to write.",
                    remedy=says("Set <score=...>."),
                )
            save_to(found.scored(self.named[0]), self.save)
        level = self.confidence_level
        if self.details:
            print_result(found.in_detail(confidence_level=level), output)
            return
        if self.report is None:
            by = None if self.by is None else many(self.by)
            print_result(found.table(self.named, by=by, confidence_level=level), output)
            return
        from credibly.cli import typed
        from credibly.reports import report

        first = self.named[0] if self.named else None
        told: dict[str, Any] = {
            "by": many(self.by),
            "title": self.title,
            "note": self.note,
            "leave_out": many(self.leave_out),
            "order": many(self.order),
        }
        known = {name: value for name, value in told.items() if value is not None}
        made = report(found, measure=first, confidence_level=level, command=typed(), **known)
        print_saved(made, self.report)


EVERY_SCORE = AskedScores()
