"""Pictures of schemes ranked over datasets."""

from __future__ import annotations

import numpy as np

from credibly.comparisons.ranking import Ranking
from credibly.plots._declare import declare_plot
from credibly.plots.figure import Axis, Columns, Figure, Layer

BAR, LINE = 0.45, 1.0  # heights of a bar of schemes that are alike, and of a name
AXIS = "average rank (1 is best)"


@declare_plot(
    "Critical-difference diagram",
    of=Ranking,
    aliases=("cd_diagram",),
    suits=lambda r: r.control is None,
)
def critical_difference(ranking: Ranking) -> Figure:
    """Schemes at their average ranks, and a thick bar over those that cannot be told apart (Demsar 2006).

    >>> import credibly
    >>> from credibly.comparisons import DatasetTable
    >>> values = [[.9, .8, .7], [.8, .7, .6], [.9, .6, .5], [.7, .8, .6], [.9, .7, .8]]
    >>> figure = credibly.plot(credibly.compare(DatasetTable(values, ("a", "b", "c"))))
    >>> figure.layers[0].columns["x"], figure.layers[2].columns["right"]
    ([1.2, 2.0, 2.8], [2.0, 2.8])
    """
    schemes, ranks = ranking.schemes, np.array(ranking.average_ranks)
    first_half = np.arange(len(schemes)) < (len(schemes) + 1) // 2
    # The outermost scheme of either side is the lowest, so that no two lines cross.
    turn = np.where(first_half, np.arange(len(schemes)), np.arange(len(schemes))[::-1])
    foot = BAR * (len(ranking.groups) + 1)
    height = foot + LINE * turn
    room = 0.4 * (len(schemes) - 1)
    ends = (1 - room, len(schemes) + room)
    edge = np.where(first_half, ends[0], ends[1])
    layers = [
        Layer.of("rule", x=ranks, y=np.zeros(len(schemes)), high=height),
        Layer.of("rule", x=ranks, y=height, right=edge),
    ]
    if ranking.groups:
        left, right = (ranks[[schemes.index(g[end]) for g in ranking.groups]] for end in (0, -1))
        level = BAR * (np.arange(left.size) + 1)
        layers.append(Layer.of("rule", x=left, y=level, right=right, emphasis="strong"))
    for side, align in ((first_half, "left"), (~first_half, "right")):
        names = [f"{schemes[i]} ({ranks[i]:.2f})" for i in np.flatnonzero(side)]
        places = {"x": edge[side], "y": height[side]}
        layers.append(Layer.of("text", **places, text=names, align=align))  # type: ignore[arg-type]
    top = float(height.max()) + LINE
    if ranking.critical_difference is not None:
        layers += _scale(ranking.critical_difference, top + LINE / 2)
        top += LINE
    ticks = tuple((float(r), str(r)) for r in range(1, len(schemes) + 1))
    return Figure(
        "Critical-difference diagram",
        Axis(AXIS, ends, ticks=ticks),
        Axis("", (0.0, top + LINE / 2), hidden=True),
        tuple(layers),
        _spoken(ranking),
        subtitle=f"{ranking.measure}, {ranking.datasets} datasets; bars join what {ranking.correction} does not tell apart",
        rows=int(np.ceil(top)) + 1,
        findings=ranking.whole.findings,
    )


def _scale(length: float, height: float) -> list[Layer]:
    """Draw how long the critical difference is."""
    words = [f"critical difference {length:.3g}"]
    return [
        Layer.of("rule", x=[1.0], y=[height], right=[1 + length]),
        Layer.of("text", x=[1.0], y=[height], text=words),
    ]


@declare_plot("Average ranks", of=Ranking)
def average_ranks(ranking: Ranking) -> Figure:
    """Average rank of each scheme, with half a critical difference on either side where there is one.

    Schemes whose lines do not overlap differ. With a control, dashed lines stand a critical difference
    from it.

    >>> import credibly
    >>> from credibly.comparisons import DatasetTable
    >>> values = [[.9, .8, .7], [.8, .7, .6], [.9, .6, .5], [.7, .8, .6], [.9, .7, .8]]
    >>> ranking = credibly.compare(DatasetTable(values, ("a", "b", "c")))
    >>> credibly.plot(ranking, "average_ranks").y.categories
    ('a', 'b', 'c')
    """
    ranks, length = np.array(ranking.average_ranks), ranking.critical_difference
    layers = []
    limits: Columns = {}
    if length is not None and ranking.control is None:
        limits = {"left": ranks - length / 2, "right": ranks + length / 2}
    elif length is not None:
        middle = ranks[ranking.schemes.index(str(ranking.control))]
        layers.append(Layer.of("rule", x=[middle - length, middle + length], emphasis="dashed"))
    layers.append(Layer.of("points", x=ranks, y=ranking.schemes, **limits))
    return Figure(
        "Average ranks",
        Axis(AXIS),
        Axis("", categories=ranking.schemes),
        tuple(layers),
        _spoken(ranking),
        subtitle=f"{ranking.measure}, {ranking.datasets} datasets"
        + ("" if length is None else f"; critical difference {length:.3g}"),
        findings=ranking.whole.findings,
    )


def _spoken(ranking: Ranking) -> str:
    pairs = zip(ranking.schemes, ranking.average_ranks, strict=True)
    ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in pairs)
    alike = "; ".join(" and ".join(g) for g in ranking.groups)
    return f"Average ranks over {ranking.datasets} datasets: {ranks}." + (
        f" Not told apart: {alike}." if alike else ""
    )
