"""How a gap is declared: the measures that are to be the same in all slices."""

from __future__ import annotations

from credibly._core.declared import Declarator, DeclaredFunction, Registry


class Gap(DeclaredFunction[[], tuple[str, ...]]):
    """A gap between slices that has a name: the largest of those of the measures that its function returns."""

    cite: str


gaps: Registry[Gap] = Registry(
    "gap",
    "credibly.gaps",
    use="slices(p, {name!r}, by=...)",
    typed="slices FILE --measure {name} --by COLUMN",
)
gap_kind = Declarator(Gap, gaps)
