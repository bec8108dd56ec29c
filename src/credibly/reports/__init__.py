"""Reports: one file that holds the evidence, its uncertainty and what to doubt.

- **The context** (`reports/context.py`) computes what sections share, each thing once. What cannot be made (a
  comparison, a picture) becomes a finding, not the end of the report.
- **Sections** (`reports/sections.py`) are declared generators of blocks: paragraphs, findings, grids,
  pictures, code, definitions. A document is data; HTML, notebooks, Word, Markdown, model cards, LaTeX and
  JSON render the same blocks. Key figures (`reports/key_figures.py`) stand at its top.
- **The page** holds its pictures as JSON by columns, thinned to what a screen shows. Only the page's own
  scripts may run (their hashes are in its Content-Security-Policy), every text is escaped, and the bundle
  of Vega that `vl-convert` brings is kept in the user's cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.reports.document import Document as Document, Section as Section
    from credibly.reports.mlflow_logger import log_to_mlflow as log_to_mlflow
    from credibly.reports.report import Report as Report, report as report

lazy(__name__)
