"""How sentences speak of arguments on the page: there are fields to choose in."""

from __future__ import annotations

from credibly.errors import Argument
from credibly.predictions.column_names import NAMES

FIELDS = {
    "positive": "the positive class",
    "classes": "the classes",
    "threshold": "a threshold",
    "tolerance": "the tolerance",
    **{role: f"the role {role}" for role in NAMES},
}


def on_page(argument: Argument) -> str:
    """Write an argument as what is chosen on the page, else as an option of the command.

    >>> from credibly.errors import Argument
    >>> on_page(Argument("positive", ...)), on_page(Argument("weight_kind", "frequency"))
    ('the positive class', 'frequency weights (on the command line)')
    """
    if argument.name == "weight_kind" and isinstance(argument.value, str):
        return f"{argument.value} weights (on the command line)"
    if argument.name == "matrix":
        return f"--matrix={str(argument.value).lower()} (on the command line)"
    if argument.name in FIELDS:
        return FIELDS[argument.name]
    option = f"--{argument.name.replace('_', '-')}"
    return option if argument.value in (None, ...) else f"{option} {argument.value}"
