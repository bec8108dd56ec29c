"""Calls about the report of a set: its numbers, its sections, a look at it, a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.app.declared_calls import BINARY_TYPE, Answer
from credibly.app.spelling import preparing, spelled
from credibly.app.study_calls import Study, study_call
from credibly.app.surface import as_option
from credibly.errors import surface
from credibly.reports.formats import SUFFIXES, Format, check_format

if TYPE_CHECKING:
    from credibly.reports import Report

REPORT_PARAMETERS = "costs measures measure by prevalence title note leave_out order confidence_level difference planned_measure tuned_on"


def _reported(study: Study, given: dict[str, Any], left: Sequence[str] = ()) -> Report:
    """Report on a study, with the command that does the same; what is ``left`` nobody sees."""
    from credibly.reports import report

    kept = study.kept
    of, asked, made = study.session.last_report
    if made is None or of is not kept or asked != (study.view, given, left):
        last = spelled(kept, "report", {**given, "positive": study.positive, "score": study.score})[
            0
        ]
        command = "\n".join([*preparing(kept), last])
        named = {"title": f"Evaluation of {kept.name}", "command": command, **given}
        if study.evidence is not None:
            named["measure"] = study.score or named.get("measure")
        if left:
            named["leave_out"] = [*named.get("leave_out", ()), *left]
        with surface(as_option):  # a report is read where nobody has this page
            made = report(study.evidence or study.predictions, **named)
        study.session.last_report = kept, (study.view, given, left), made
    return made


@study_call("report-sections", REPORT_PARAMETERS, verb="report")
def report_sections(study: Study, **options: Any) -> Any:
    """List the sections that a report has."""
    return {"sections": [s.title for s in _reported(study, options).document.sections]}


@study_call("report-preview", REPORT_PARAMETERS, verb="report")
def report_preview(study: Study, **options: Any) -> Any:
    """Make the page of a report, to look at before it is saved: it is under /preview, by its id."""
    report = _reported(study, options)
    with surface(as_option):
        return {"id": study.session.show(report.html())}


@study_call("report", REPORT_PARAMETERS)
def report(study: Study, *, format: Format | None = None, **options: Any) -> Any:
    """Report on the predictions of a set, as `credibly.report`: its numbers and findings, or a file.

    Parameters
    ----------
    format
        The report as a file of this format; without it, its numbers and findings.
    """
    if format is None:
        from credibly.reports.sections import OPERATES

        return _reported(study, options, [OPERATES])  # whose pictures hold no number of these
    report = _reported(study, options)
    name = f"report{SUFFIXES[format]}"
    with surface(as_option):
        body = getattr(report, check_format(Path(name), format))()
    return Answer(body, BINARY_TYPE, name)
