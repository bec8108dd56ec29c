"""Pictures of description lengths."""

from __future__ import annotations

import math

from credibly.description_length.result import DescriptionLengths, bits_text
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.plot import plot_kind


@plot_kind("Description length", of=DescriptionLengths, aliases=("mdl",))
def description_length(result: DescriptionLengths) -> Figure:
    """Bits of each part as stacked bars, first the theory, then the data; the null theory dashed.

    >>> import credibly
    >>> X, y = [[1], [2], [3], [4], [5], [6]], list("aaabbb")
    >>> figure = credibly.plot(credibly.mdl(["tree", "zero-r"], X, y, rng=1))
    >>> figure.y.categories, figure.series()
    (('tree', 'zero-r'), ['structure', 'cut points', 'distributions', 'labels'])
    """
    names = tuple(d.name for d in result.descriptions)
    stacked = _stacked(result).items()
    layers = [Layer.of("bars", series=part, **columns) for part, columns in stacked]
    null = result[result.null].total
    if math.isfinite(null):
        layers.append(Layer.of("rule", x=[null], emphasis="dashed"))
    spoken = "; ".join(
        f"{d.name} {bits_text(d.theory)} for the {result.kind} and {bits_text(d.data)} for the data"
        for d in result.descriptions
    )
    return Figure(
        "",
        Axis("bits"),
        Axis("", categories=names),
        tuple(layers),
        f"Bits: {spoken}. Shortest: {result.best.name}.",
        subtitle=f"dashed: {result.null}",
    )


def _stacked(result: DescriptionLengths) -> dict[str, Columns]:
    """Return the bars of each part, those of theories before those of data."""
    known = [(p.of, p.name) for d in result.descriptions for p in d.parts]
    order = dict.fromkeys(name for of in ("theory", "data") for o, name in known if o == of)
    bars: dict[str, Columns] = {name: {"x": [], "right": [], "y": [], "bits": []} for name in order}
    for d in result.descriptions:
        foot = 0.0
        for name in order:
            bits = math.fsum(p.bits for p in d.parts if p.name == name)
            if 0 < bits < math.inf:
                bar = {"x": foot, "right": foot + bits, "y": d.name, "bits": bits}
                for column, value in bar.items():
                    bars[name][column].append(value)
                foot += bits
    return {name: columns for name, columns in bars.items() if columns["x"]}
