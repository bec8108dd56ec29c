"""Data to learn from: bundled sets by name, files and frames, taken apart into inputs and target."""

from credibly.datasets.bundled import BUNDLED, datasets
from credibly.datasets.reading import Dataset, read_data, read_inputs, take_frame

__all__ = ["BUNDLED", "Dataset", "datasets", "read_data", "read_inputs", "take_frame"]
