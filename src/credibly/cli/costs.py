"""The options that say what mistakes cost, the same for every command that asks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from credibly._core.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

COSTS = Group.create_ordered("What the mistakes cost")


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class CostOptions:
    """What each outcome costs or brings."""

    cost: Annotated[
        tuple[str, ...],
        Parameter(
            group=COSTS,
            negative=(),
            help="Cost of an outcome (tp, fp, fn, tn): fn=5, or of columns: fp='0.8 + 0.1 * distance'.",
        ),
    ] = ()
    benefit: Annotated[
        tuple[str, ...], Parameter(group=COSTS, negative=(), help="Benefit of an outcome: tp=15.")
    ] = ()
    cost_matrix: Annotated[
        Path | None,
        Parameter(group=COSTS, help="Labelled CSV of costs: rows actual, columns predicted."),
    ] = None

    def of(self, file: Path, format_name: str | None) -> Any:  # noqa: ANN401
        """Return the costs, with columns of the file where they name some; nothing if none are given."""
        from credibly.io import read_cost_matrix

        cells = self._cells(file, format_name)
        if self.cost_matrix is not None:
            if cells:
                raise ParameterError("Give a cost matrix or the costs of outcomes, not both.")
            return read_cost_matrix(self.cost_matrix)
        return cells or None

    def _cells(self, file: Path, format_name: str | None) -> dict[str, Any]:
        cells: dict[str, Any] = {}
        for sign, given in ((1.0, self.cost), (-1.0, self.benefit)):
            for text in given:
                name, equals, amount = text.partition("=")
                if not equals or not amount.strip():
                    raise ParameterError(
                        f"A cost is written outcome=amount, such as fn=5; got {text!r}."
                    )
                if name.strip() in cells:
                    raise ParameterError(f"The outcome {name.strip()!r} is given twice.")
                cells[name.strip()] = sign * _amount(amount, file, format_name)
        return cells


NO_COSTS = CostOptions()


def _amount(text: str, file: Path, format_name: str | None) -> Any:  # noqa: ANN401
    """Return a number, or one for each row of the file where columns are named."""
    from credibly.io import read_numbers
    from credibly.predictions.arithmetic import arithmetic, column_names

    names = column_names(text)
    columns = read_numbers(file, names, format=format_name) if names else {}
    values = arithmetic(text, columns)
    return values if names else float(values[0])


def file_or_bundled(file: Path) -> Path:
    """Return the file, or the bundled one of that name where there is no such file."""
    from credibly.io import bundled, bundled_names

    return bundled(str(file)) if not file.exists() and str(file) in bundled_names() else file


def shares(text: str | None) -> Any:  # noqa: ANN401
    """Read a prevalence: one number, or the share of each class such as a=0.2,b=0.8.

    >>> shares("0.02"), shares("a=0.2, b=0.8")
    (0.02, {'a': 0.2, 'b': 0.8})
    """
    if text is None:
        return None
    parts: Sequence[str] = [part.strip() for part in text.split(",")]
    try:
        if len(parts) == 1 and "=" not in text:
            return float(text)
        named = (part.rpartition("=") for part in parts)
        return {name.strip(): float(share) for name, _, share in named}
    except ValueError:
        raise ParameterError(
            f"A prevalence is a number or a share for each class, such as a=0.2,b=0.8; got {text!r}."
        ) from None
