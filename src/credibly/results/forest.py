"""Values with their intervals below each other, each in a row of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from credibly._core.text import interval_text
from credibly.results.figure import Axis, Figure, Layer
from credibly.results.interval import Interval, ends_of, level_text

Row = tuple[str, float, Interval | None]


def forest(
    rows: Iterable[Row],
    x_title: str,
    alt: str,
    *,
    title: str = "",
    subtitle: str | None = None,
    spoken: str | None = None,
    dashed: Sequence[float] = (),
) -> Figure:
    """Return a forest plot: a row for each name, and dashed lines at some places.

    ``alt`` says in a sentence what is shown, and ``spoken`` what each row says: its value and interval by
    default, as the subtitle says their level.

    >>> figure = forest([("tree", 0.2, None), ("forest", 0.1, None)], "error rate", "Error rates.")
    >>> figure.y.categories, figure.alt
    (('tree', 'forest'), 'Error rates. tree: 0.2; forest: 0.1.')
    """
    names, values, intervals = (list(column) for column in zip(*rows, strict=True))
    told = zip(names, map(interval_text, values, intervals), strict=True)
    low, high = ends_of(intervals)
    lines = [Layer.of("rule", x=list(dashed), emphasis="dashed")] if len(dashed) else []
    return Figure(
        title,
        Axis(x_title),
        Axis("", categories=tuple(dict.fromkeys(names))),
        (*lines, Layer.of("points", x=values, y=names, left=low, right=high)),
        f"{alt} {'; '.join(map(': '.join, told)) if spoken is None else spoken}.",
        subtitle=level_text(intervals) if subtitle is None else subtitle,
    )
