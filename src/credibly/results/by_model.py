"""Results of several models side by side, each found by the name of its model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol, TypeVar

from credibly._core.findings import Finding, of_models
from credibly.errors import did_you_mean, listed
from credibly.results.estimate import with_decimals
from credibly.results.result import Collected, Result, Whole
from credibly.results.table import Table


class HoldsTable(Protocol):
    """A result that holds a table of estimates."""

    @property
    def subject(self) -> str:
        """What was done, without the model it was done with and without numbers of cases."""

    @property
    def table(self) -> Table:
        """Its estimates."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name."""

    def all_findings(self) -> tuple[Finding, ...]:
        """Return what is to be doubted."""

    def meaning(self) -> str:
        """Say what it means."""


T = TypeVar("T", bound=HoldsTable)


class ByModel(Collected[T]):
    """The same result of each of several models, by its name: ``result["tree"]``."""

    names: tuple[str, ...]
    models: tuple[T, ...]

    versioned = True
    json_keys = "heading models=by_name findings=all.all_findings"
    row_parts = "table"
    members = "models heading"

    @property
    def heading(self) -> str:
        """Which models these are."""
        return f"{self.models[0].subject} by {listed(self.names)}"

    @property
    def table(self) -> Table:
        """The estimates of all models."""
        named = zip(self.names, self.models, strict=True)
        rows = [
            replace(e, keys={"model": n, **e.keys}) for n, m in named for e in m.table.estimates
        ]
        order = {name: i for i, name in enumerate(dict.fromkeys(e.measure for e in rows))}
        rows.sort(key=lambda e: order[e.measure])
        return Table(self.heading, with_decimals(rows), first_look=self.models[0].table.first_look)

    @property
    def all(self) -> Result:
        """The same results, whose text shows every number."""
        shown = (replace(m, table=m.table.all) for m in self.models)  # type: ignore[type-var]
        return Whole(replace(self, models=tuple(shown)))

    def by_name(self) -> dict[str, dict[str, Any]]:
        """Return everything of each model."""
        return {n: m.to_dict() for n, m in zip(self.names, self.models, strict=True)}

    def __getitem__(self, name: Any) -> T:  # noqa: ANN401
        if name not in self.names:
            known = ", ".join(self.names)
            raise KeyError(
                f"{name!r} is not among these; there are: {known}.{did_you_mean(str(name), self.names)}"
            )
        return self.models[self.names.index(name)]

    def all_findings(self) -> tuple[Finding, ...]:
        """Return what is to be doubted; what is not so of all models says of which it is."""
        each = (m.all_findings() for m in self.models)
        return of_models(dict(zip(self.names, each, strict=True)))

    def meaning(self) -> str:
        """Say of each model what it means, a line for each."""
        told = {n: m.meaning() for n, m in zip(self.names, self.models, strict=True)}
        return "\n".join(f"{name}: {said}" for name, said in told.items() if said)
