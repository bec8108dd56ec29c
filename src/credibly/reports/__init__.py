"""Reports: one file that holds the evidence, its uncertainty and what to doubt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.reports.document import Document as Document, Section as Section
    from credibly.reports.report import Report as Report, report as report

lazy(
    __name__,
    {
        "document": "Document Section",
        "report": "Report report",
    },
)
