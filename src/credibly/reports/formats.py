"""The formats that a report is written in, by name and by the endings of files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from credibly._core.parameters import one_of, require
from credibly.errors import ParameterError

Format = Literal["html", "markdown", "latex", "json", "word", "model-card"]
SUFFIXES: dict[Format, str] = {
    "html": ".html",
    "markdown": ".md",
    "latex": ".tex",
    "json": ".json",
    "word": ".docx",
    "model-card": ".md",
}
# Names of files that say what they are.
CARD_NAMES = {"card", "modelcard", "model_card", "model-card"}


def check_format(path: Path, asked: Format | None = None) -> str:
    """Return the method of a report that writes the format asked for, or that of the name of a file.

    >>> check_format(Path("report.docx")), check_format(Path("README.md"), "model-card")
    ('word', 'model_card')
    >>> check_format(Path("card.md")), check_format(Path("card.md"), "markdown")
    ('model_card', 'markdown')
    """
    if asked is not None:
        require("format", asked, one_of(*SUFFIXES))
    fit = [name for name, suffix in SUFFIXES.items() if suffix == path.suffix.lower()]
    if not fit or asked not in {None, *fit}:
        known = ", ".join(dict.fromkeys(s[1:] for s in SUFFIXES.values()))
        if asked is not None:
            known = f"{asked} in a file whose name ends in {SUFFIXES[asked]}"
        raise ParameterError(
            f"A report can be saved as {known}; {path.name!r} is not one of them.",
            remedy="Save it as html and print that to PDF."
            if path.suffix.lower() == ".pdf"
            else "",
        )
    named: Format = (
        "model-card" if path.stem.lower() in CARD_NAMES and "model-card" in fit else fit[0]
    )
    return (asked or named).replace("-", "_")
