"""How sentences name arguments on the page: as fields."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from credibly.errors import Argument, Sentence, VerbName, listed
from credibly.predictions.column_names import NAMES

T = TypeVar("T")

# What the page calls a role, where the library has a shorter word.
ROLE_NAMES = {
    "row": "case",
    "model": "model name",
    "value": "number",
    "outcome": "scored elsewhere",
}
FIELD_NAMES = {
    "costs": "Threshold and costs (of labels alone: on the command line)",
    "confidence_level": "the confidence",
    "prevalence": "the share of positives (Checks)",
    "positive": "the positive class",
    "classes": "the classes",
    "threshold": "a threshold",
    "tolerance": "the tolerance",
    "ignore": "what has no role",
    "complete": "the box Leave out cases without a score",
    "percent": "the box Percent",
    "only_model": "a model at the top",
    "better": "which outcome is better (What the columns are)",
    **{role: f"the role {ROLE_NAMES.get(role, role)}" for role in NAMES},
}


# Where the page shows what a verb says.
SCREEN_NAMES = {
    "benchmarks": "Over many tasks",
    "calibration": "Calibration",
    "check": "Checks",
    "compare": "Compare models",
    "decide": "Threshold and costs",
    "evaluate": "Measures and slices",
    "few_labels": "Few labels",
    "gate": "Release gate",
    "recalibrate": "Calibration",
    "report": "Report",
    "run": "Try schemes",
    "slices": "Measures and slices",
}


def on_page(argument: Argument) -> str:
    """Write an argument as what is chosen on the page, else as an option of the command.

    >>> from credibly.errors import Argument
    >>> on_page(Argument("positive", ...)), on_page(Argument("weight_kind", "frequency"))
    ('the positive class', 'frequency weights (on the command line)')
    >>> on_page(Argument("by", ["repeat", "fold"])), on_page(Argument("row", ...))
    ('Measures and slices, by repeat and fold', 'the role case')
    """
    if isinstance(argument, VerbName):
        return SCREEN_NAMES.get(argument.name, f"{as_option(argument)} on the command line")
    if not argument.name.isidentifier():  # of something that is named: its level, say
        return argument.name
    if argument.name == "by":
        columns = argument.value if isinstance(argument.value, list | tuple) else [argument.value]
        named = [str(c) for c in columns if c not in (None, ...)]
        return SCREEN_NAMES["slices"] + (f", by {listed(named)}" if named else "")
    if argument.name == "weight_kind" and isinstance(argument.value, str):
        return f"{argument.value} weights (on the command line)"
    if argument.name in FIELD_NAMES:
        text = "" if argument.value in (None, ..., True) else f" ({argument.value})"
        return f"{FIELD_NAMES[argument.name]}{text}"
    return f"{as_option(argument)} (on the command line)"


def as_option(argument: Argument) -> str:
    """Write an argument or a verb as commands have it, for what is read elsewhere.

    >>> as_option(Argument("groups", 5)), as_option(VerbName("gate"))
    ('--groups 5', 'credibly gate')
    """
    if isinstance(argument, VerbName):
        return f"credibly {argument.name.replace('_', '-')}"
    if isinstance(argument.value, bool):
        return f"--{argument.name.replace('_', '-')}={str(argument.value).lower()}"
    option = f"--{argument.name.replace('_', '-')}"
    return option if argument.value in (None, ...) else f"{option} {argument.value}"


def without_folders(said: T, folders: Iterable[Path]) -> T:
    """Return a message without the folders of this machine; the names of files stay.

    >>> without_folders({"error": "/srv/x/p.csv is empty"}, [Path("/srv/x"), Path("/srv")])
    {'error': 'p.csv is empty'}
    """
    if isinstance(said, dict):
        return {key: without_folders(value, folders) for key, value in said.items()}  # type: ignore[return-value]
    if isinstance(said, list | tuple):
        return type(said)(without_folders(value, folders) for value in said)
    if not isinstance(said, str):
        return said
    text: str = said
    for folder in sorted(map(str, folders), key=len, reverse=True):
        text = text.replace(f"{folder}{os.sep}", "").replace(folder, "the folder")
    return text  # type: ignore[return-value]


def said_here(told: object) -> object:
    """Write the sentences in plain data as this surface has them.

    >>> from credibly.errors import says, surface
    >>> with surface(on_page):
    ...     said_here({"action": says("Set <positive=...>."), "n": [1]})
    {'action': 'Set the positive class.', 'n': [1]}
    """
    if isinstance(told, Mapping):
        return {name: said_here(value) for name, value in told.items()}
    if isinstance(told, list | tuple):
        return [said_here(value) for value in told]
    return str(told) if isinstance(told, Sentence) else told
