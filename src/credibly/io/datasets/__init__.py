"""Data to learn from: bundled sets by name, files and frames, taken apart into inputs and target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.io.datasets.bundled import (
        Bundled as Bundled,
        dataset as dataset,
        datasets as datasets,
    )
    from credibly.io.datasets.read import (
        Dataset as Dataset,
        read_data as read_data,
        read_inputs as read_inputs,
        take_frame as take_frame,
    )

lazy(__name__)
