"""Pictures of schemes ranked over datasets."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from credibly.comparisons.ranking import Ranking
from credibly.comparisons.wins import WinsTiesLosses
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


@declare_plot("Wins, ties and losses", of=WinsTiesLosses)
def wins_matrix(table: WinsTiesLosses) -> Figure:
    """On how many datasets the row is significantly better than the column, neither is, and it is worse.

    >>> import credibly
    >>> from credibly.comparisons import wins_ties_losses
    >>> results = {
    ...     "iris": {"tree": [.94, .92, .96, .94, .94], "bayes": [.95, .94, .96, .94, .97]},
    ...     "glass": {"tree": [.70, .66, .71, .68, .69], "bayes": [.48, .50, .47, .52, .46]},
    ... }
    >>> figure = credibly.plot(wins_ties_losses(results, test_train_ratio=1 / 4))
    >>> figure.layers[0].columns["text"]
    ['1/1/0', '0/1/1']
    """
    pairs = list(permutations(table.schemes, 2))
    counts = [table.counts(row, column) for row, column in pairs]
    most = max(table.schemes, key=lambda s: sum(table.counts(s, t)[0] for t in table.schemes))
    cells = Layer.of(
        "heatmap",
        x=[column for _, column in pairs],
        y=[row for row, _ in pairs],
        value=[float(wins) for wins, _, _ in counts],
        text=["/".join(map(str, each)) for each in counts],
    )
    return Figure(
        "Wins, ties and losses",
        Axis("second", categories=table.schemes),
        Axis("first", categories=table.schemes),
        (cells,),
        f"Wins, ties and losses of {len(table.schemes)} schemes on {len(table.datasets)} datasets by "
        f"{table.test}; {most} wins most often.",
        subtitle=f"of the first; {table.test}, {len(table.datasets)} datasets; stronger: more wins",
        square=True,
        findings=table.findings,
    )


def _spoken(ranking: Ranking) -> str:
    pairs = zip(ranking.schemes, ranking.average_ranks, strict=True)
    ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in pairs)
    alike = "; ".join(" and ".join(g) for g in ranking.groups)
    return f"Average ranks over {ranking.datasets} datasets: {ranks}." + (
        f" Not told apart: {alike}." if alike else ""
    )
