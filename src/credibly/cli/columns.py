"""The options that say how a file of predictions is read, the same for every command that reads one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from credibly.cli.options import COLUMNS, WHAT, Options
from credibly.predictions import Predictions


def kind_and_file(kind: str, file: Path, is_kind: Callable[[str], bool]) -> tuple[str, Path]:
    """Return the name of what is drawn and the file, whichever was typed first.

    >>> kind_and_file("p.csv", Path("roc"), {"roc"}.__contains__)
    ('roc', ...Path('p.csv'))
    """
    plain = str(file).partition("(")[0].replace("-", "_")
    swapped = is_kind(plain) and not is_kind(kind.partition("(")[0].replace("-", "_"))
    return (str(file), Path(kind)) if swapped else (kind, file)


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
