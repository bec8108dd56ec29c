"""The options that say in which format a result is printed, the same for every command that prints one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import ArgumentCollection, Group, Parameter

from credibly.cli.options import OUTPUT, OUTPUT_OPTION
from credibly.errors import listed


def _one_of_them(formats: ArgumentCollection) -> None:
    """Refuse two formats; cyclopts has the same, whose import would cost what a small evaluation does."""
    asked = [f.name for f in formats.filter_by(value_set=True)]
    if len(asked) > 1:
        raise ValueError(f"Choose one of {listed(asked)}.")


PICTURE_HELP = "File to write: .svg, .png, .pdf, .html or .json; without it, only text is shown."
ONE_FORMAT = Group(validator=_one_of_them)


def _format(text: str) -> Parameter:
    return Parameter(group=(OUTPUT, ONE_FORMAT), negative=(), help=text)


ALL_OPTION = Parameter(
    group=OUTPUT,
    negative=(),
    help="Text with every table, row and finding; by default it is about one screen.",
)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Output:
    """Text for people when no format is asked for."""

    json: Annotated[bool, _format("JSON with full precision.")] = False
    csv: Annotated[bool, _format("CSV with full precision, one line per row.")] = False
    markdown: Annotated[bool, _format("Markdown.")] = False
    all: Annotated[bool, ALL_OPTION] = False


@dataclass(frozen=True, kw_only=True)
class _Picture:
    picture: Annotated[Path | None, OUTPUT_OPTION, Parameter(help=PICTURE_HELP)] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PicturedOutput(Output, _Picture):
    """The same of a result that can be drawn, in a file that is named first."""


TEXT, PICTURED = Output(), PicturedOutput()
