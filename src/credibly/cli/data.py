"""The options that say how data to learn from are read, the same for every command that learns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from credibly.cli.options import DATA, HOW, Options

if TYPE_CHECKING:
    from credibly.io.datasets import Dataset


class DataColumns(Options):
    """Which column is to be predicted, which are no inputs, and what is missing."""

    verb = "credibly.io.datasets.read:read_data"
    leave_out = "source time fold format"
    group = DATA
    elsewhere = {"missing": HOW}
    first = "target ignore group weight"

    def read(self, data: str, **more: Any) -> Dataset:  # noqa: ANN401
        """Read a file or a bundled set, with further columns that are no inputs."""
        from credibly.io.datasets import read_data

        return read_data(data, **self, **more)
