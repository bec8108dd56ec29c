"""Data to learn from: bundled sets by name, files and frames, taken apart into inputs and target."""

from credibly.datasets.reading import BUNDLED, Dataset, read_data, read_inputs

__all__ = ["BUNDLED", "Dataset", "read_data", "read_inputs"]
