"""The options that say how data to learn from are read, the same for every command that learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from credibly.cli.columns import many

if TYPE_CHECKING:
    from credibly.io.datasets import Dataset

DATA = Group.create_ordered("Columns of the data; all others are inputs")
HOW = Group.create_ordered("How to learn and to resample")


def data_column(text: str) -> Parameter:
    """Describe an option that names a column of the data."""
    return Parameter(group=DATA, help=text)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DataColumns:
    """Which column is to be predicted, which are no inputs, and what is missing."""

    target: Annotated[str | None, data_column("What is to be predicted.")] = None
    group: Annotated[str | None, data_column("Group that rows belong to.")] = None
    weight: Annotated[str | None, data_column("Case weight, for fitting and judging.")] = None
    weight_kind: Annotated[
        Literal["frequency", "importance"] | None,
        data_column("Whether weights count repeated cases or say how much a case matters."),
    ] = None
    ignore: Annotated[
        str | None, data_column("Columns to leave out, such as identifiers; several with commas.")
    ] = None
    missing: Annotated[
        str | None,
        data_column(
            "Texts for a missing value, with commas; NA, N/A, NaN, null and ? when not given."
        ),
    ] = None

    def read(self, data: str, **more: str | None) -> Dataset:
        """Read a file or a bundled set, with further columns that are no inputs."""
        from credibly.io.datasets import read_data

        return read_data(
            data,
            self.target,
            ignore=many(self.ignore) or (),
            missing=many(self.missing),
            group=self.group,
            weight=self.weight,
            **more,
        )


NO_COLUMNS = DataColumns()
