"""Reports: one file that holds the evidence, its uncertainty and what to doubt."""

from credibly.reports.building import Report, report
from credibly.reports.document import Document, Section

__all__ = ["Document", "Report", "Section", "report"]
