"""Calls about the report of a set: its numbers, its sections, a look at it, a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.app.declared_calls import FILE, Answer, call
from credibly.app.session import Session  # noqa: TC001
from credibly.app.spelling import preparing, spelled
from credibly.reports.formats import SUFFIXES, Format, check_format

if TYPE_CHECKING:
    from credibly.reports import Report

REPORT = "credibly.reports.report:report"
REPORTED = "measures measure prevalence title note leave_out order confidence_level difference planned_measure tuned_on"


def _reported(session: Session, key: str, positive: str | None, given: dict[str, Any]) -> Report:
    """Report on a set, with the command that does the same."""
    from credibly.reports import report

    kept = session.store[key]
    of, asked, made = session.last_report
    if made is None or of is not kept or asked != (positive, given):
        last = spelled(kept, "report", {**given, "positive": positive})[0]
        command = "\n".join([*preparing(kept), last])
        named = {"title": f"Evaluation of {kept.name}", "command": command}
        made = report(session.subject(key, positive), **{**named, **given})
        session.last_report = kept, (positive, given), made
    return made


def report_call(path: str) -> Callable[..., Any]:
    """Declare a call that does something with the report of a set."""

    def declare(act: Callable[[Session, Report], Any]) -> Callable[[Session, Report], Any]:
        def reported(
            session: Session,
            *,
            id: str,  # noqa: A002
            positive: str | None = None,
            costs: dict[str, float] | None = None,
            **options: Any,  # noqa: ANN401
        ) -> Any:  # noqa: ANN401
            return act(session, _reported(session, id, positive, {**options, "costs": costs}))

        reported.__name__, reported.__doc__ = act.__name__, act.__doc__
        call("POST", path, verb=REPORT, takes=REPORTED)(reported)
        return act

    return declare


@report_call("/api/report-sections")
def report_sections(_: Session, made: Report) -> Any:  # noqa: ANN401
    """List the sections that a report has."""
    return {"sections": [s.title for s in made.document.sections]}


@report_call("/api/report-preview")
def report_preview(session: Session, made: Report) -> Any:  # noqa: ANN401
    """Make the page of a report, to look at before it is saved: it is under /preview, by its id."""
    return {"id": session.show(made.html())}


@call("POST", "/api/report", verb=REPORT, takes=REPORTED)
def report(
    session: Session,
    *,
    id: str,  # noqa: A002
    positive: str | None = None,
    costs: dict[str, float] | None = None,
    format: Format | None = None,  # noqa: A002
    **options: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """Report on the predictions of a set, as `credibly.report`: its numbers and findings, or a file.

    Parameters
    ----------
    format
        The report as a file of this format; without it, its numbers and findings.
    """
    made = _reported(session, id, positive, {**options, "costs": costs})
    if format is None:
        return made
    name = f"report{SUFFIXES[format]}"
    body = getattr(made, check_format(Path(name), format))()
    return Answer(body, 200, FILE, name)
