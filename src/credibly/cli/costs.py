"""The options that say what mistakes cost, the same for every command that asks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.cli.options import COSTS, Options
from credibly.errors import MissingColumnError, ParameterError

if TYPE_CHECKING:
    from credibly.cli.columns import Columns


class CostOptions(Options):
    """What each outcome costs or brings."""

    verb = "credibly.cli.costs:read_costs"
    leave_out = "file format_name classes"
    group = COSTS

    def of(self, file: Path, columns: Columns) -> Any:  # noqa: ANN401
        """Return the costs, with columns of the file where they name some; nothing if none are given."""
        return read_costs(file, columns.get("format"), columns.get("classes"), **self)


def read_costs(
    file: Path,
    format_name: str | None,
    classes: list[str] | None,
    *,
    cost: list[str] | None = None,
    benefit: list[str] | None = None,
    cost_matrix: Path | None = None,
) -> Any:  # noqa: ANN401
    """Read what each outcome costs or brings.

    Parameters
    ----------
    cost
        Cost of an outcome (tp, fp, fn, tn): fn=5 or fn=5,fp=1, or of columns: fp='0.8 + 0.1 * distance'.
    benefit
        Benefit of an outcome: tp=15. If it has a cost too, the difference is used.
    cost_matrix
        CSV file of costs: rows are actual classes, columns predicted ones; plain numbers are in the
        order of ``classes``.
    """
    from credibly.io import read_cost_matrix
    from credibly.predictions.cost_matrix import outcome_called

    cells: dict[str, Any] = {}
    given = set()
    for sign, text in [(1.0, t) for t in _each(cost)] + [(-1.0, t) for t in _each(benefit)]:
        name, equals, amount = text.partition("=")
        if not equals or not amount.strip():
            raise ParameterError(f"Write a cost as outcome=amount, such as fn=5; got {text!r}.")
        name = outcome_called(name)
        if (name, sign) in given:
            what = "cost" if sign > 0 else "benefit"
            raise ParameterError(f"The {what} of the outcome {name!r} is given twice.")
        given.add((name, sign))
        cells[name] = cells.get(name, 0.0) + sign * _amount(amount, file, format_name)
    if cost_matrix is None:
        return cells or None
    if cells:
        raise ParameterError("Give a cost matrix or the costs of outcomes, not both.")
    return read_cost_matrix(cost_matrix, classes=classes)


def _each(given: list[str] | None) -> list[str]:
    """Return what was given again and again, or with commas before the next outcome.

    >>> _each(["fn=5, fp=1", "tn=max(a, b)"])
    ['fn=5', 'fp=1', 'tn=max(a, b)']
    """
    return [part for text in given or () for part in re.split(r",\s*(?=\w+\s*=[^=])", text)]


def _amount(text: str, file: Path, format_name: str | None) -> Any:  # noqa: ANN401
    """Return a number, or one for each row of the file where columns are named."""
    from credibly.io import read_numbers
    from credibly.predictions.arithmetic import arithmetic, column_names

    names = column_names(text)
    try:
        columns = read_numbers(file, names, format=format_name) if names else {}
    except MissingColumnError as error:
        raise MissingColumnError(
            f"A cost is a number, or computed from columns; got {text!r}, and there is no column "
            f"{error.asked!r} in {file.name}.",
            asked=error.asked,
            choices=error.choices,
            remedy=error.remedy,
        ) from None
    values = arithmetic(text, columns)
    return values if names else float(values[0])


def file_or_bundled(file: Path) -> Path:
    """Return the file, or the bundled one of that name where there is no such file."""
    from credibly.io import bundled, bundled_names

    return bundled(str(file)) if not file.exists() and str(file) in bundled_names() else file


def shares(text: str) -> Any:  # noqa: ANN401
    """Read a prevalence: one number, or the share of each class such as a=0.2,b=0.8.

    >>> shares("0.02"), shares("a=0.2, b=0.8")
    (0.02, {'a': 0.2, 'b': 0.8})
    """
    parts = [part.strip() for part in text.split(",")]
    try:
        if len(parts) == 1 and "=" not in text:
            return float(text)
        named = (part.rpartition("=") for part in parts)
        return {name.strip(): float(share) for name, _, share in named}
    except ValueError:
        raise ParameterError(
            f"A prevalence is one number, or a share for each class such as a=0.2,b=0.8; got {text!r}."
        ) from None
