"""The options that say how a file of predictions is read, the same for every command that reads one."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.options import COLUMNS, WHAT, Options
from credibly.predictions import Predictions


class Columns(Options):
    """Which column is what, and what the file does not say itself."""

    verb = "credibly.io.read:read"
    leave_out = "source ignore columns"
    group = COLUMNS
    elsewhere = dict.fromkeys(
        ("only_model", "positive", "classes", "threshold", "tolerance", "format"), WHAT
    )
    says = {
        "truth": "Column of what was observed (y_true).",
        "probability": "Probability of the positive class, or one column per class with commas.",
        "baseline": "Training prior of each class, with commas, or training mean.",
        "tolerance": "How far probabilities may be from summing to 1, and how far bins may move a measure.",
        "format": "Format of the file, if it cannot be told from its name.",
    }

    def read(self, file: Path) -> Predictions:
        """Read a file with these options."""
        from credibly.io import bundled_options, read

        return read(file, **{**bundled_options(file), **self})
