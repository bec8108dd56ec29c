"""The options that say in which format a result is printed, the same for every command that prints one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Group, Parameter
from cyclopts.validators import mutually_exclusive

OUTPUT = Group.create_ordered("Output")
ONE_OF_THEM = Group(validator=mutually_exclusive)


def _format(text: str) -> Parameter:
    return Parameter(group=(OUTPUT, ONE_OF_THEM), negative=(), help=text)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Text for people when no format is asked for."""

    json: Annotated[bool, _format("JSON with full precision.")] = False
    csv: Annotated[bool, _format("CSV with full precision, one row each.")] = False
    markdown: Annotated[bool, _format("Markdown.")] = False


TEXT = Output()
