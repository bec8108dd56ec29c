"""The table of truth against label: for programs a dictionary, for people a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from credibly._core.text import name_text, number_text, plain_table


class ConfusionMatrix(dict[str, Any]):
    r"""Counts of cases by actual (row) and predicted (column) class, and of those without a label.

    >>> ConfusionMatrix({"counts": [[3.0, 1.0], [0.0, 4.0]], "unclassified": [0.0, 0.0]}, ["no", "yes"])
    actual \ predicted  no  yes
    no                  3   1
    yes                 0   4
    """

    def __init__(self, counted: Mapping[str, Any], classes: Sequence[Any]) -> None:
        super().__init__(counted)
        self.classes = tuple(classes)

    def __reduce__(self) -> tuple[Any, ...]:
        return ConfusionMatrix, (dict(self), self.classes)

    def __repr__(self) -> str:
        return plain_table(*self.cells())

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows, with a column of cases without a label where there are any."""
        undecided = any(self["unclassified"])
        names = [name_text(c) for c in self.classes]
        rows = zip(names, self["counts"], self["unclassified"], strict=True)
        header = ["actual \\ predicted", *names, *(["no label"] if undecided else [])]
        return header, [
            [name, *map(number_text, (*row, *([doubt] if undecided else [])))]
            for name, row, doubt in rows
        ]
