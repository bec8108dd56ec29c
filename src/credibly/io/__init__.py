"""Predictions from files and frames of any origin.

What a small evaluation does not need is imported when first used.

>>> from credibly.io import readers
>>> [r.name for r in readers if ".csv" in r.suffixes]
['csv']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.io._declare import (
        LogReader as LogReader,
        Reader as Reader,
        log_reader as log_reader,
        reader as reader,
        readers as readers,
    )
    from credibly.io._logs import LogRow as LogRow, ScoredLog as ScoredLog
    from credibly.io._source import Source as Source
    from credibly.io.bundled import (
        bundled as bundled,
        bundled_costs as bundled_costs,
        bundled_names as bundled_names,
        bundled_options as bundled_options,
        bundled_story as bundled_story,
    )
    from credibly.io.cost_matrices import read_cost_matrix as read_cost_matrix
    from credibly.io.frames import open_frame as open_frame
    from credibly.io.numbers import column_names as column_names, read_numbers as read_numbers
    from credibly.io.read import read as read
    from credibly.io.save import save as save

lazy(__name__)
