"""Pictures of curves, one or several."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from credibly.curves.result import ESTIMATES, Curve, Curves
from credibly.plots._declare import declare_plot
from credibly.plots.figure import Axis, Columns, Figure, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from credibly._core.arrays import Floats


MOST_POINTS = 200  # of a curve: they are spent where it bends, so fewer than pixels serve
MOST_LIMITS = 125  # of a band, which is smoother
MOST_NAMED = 8  # curves with a name of their own; of models, with dashes, twice as many
DEVIATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
UNIT = (0.0, 1.0)
ROOM = 0.04


@declare_plot("Curves", of=(Curve, Curves))
def curve(drawn: Curve | Curves) -> Figure:
    """Curves of one kind on shared axes, with their bands and what a trivial rule would draw.

    For predictions, ask for a kind of curve by its own name, such as ``"roc"``.
    Too many curves to name (such as one a fold) are drawn faintly, without a legend.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1])
    >>> figure = credibly.plot(credibly.curve("roc", p))
    >>> figure.x.title, figure.layers[-1].columns["y"]
    ('false positive rate', [0.0, 0.5, 1.0, 1.0])
    """
    listed = (drawn,) if isinstance(drawn, Curve) else drawn.curves
    first = listed[0]
    layers = [*_beside(listed), *_bands(listed), *_lines(listed)]
    named = ", ".join(f"{c.label or c.title}{_numbers(c)}" for c in listed[:MOST_NAMED])
    more = "" if len(listed) <= MOST_NAMED else f" and {len(listed) - MOST_NAMED} more"
    shared = () if isinstance(drawn, Curve) else drawn.findings
    findings = tuple(dict.fromkeys([*shared, *(f for c in listed for f in c.findings)]))
    return Figure(
        first.title,
        _axis(first.x_title, [c.x for c in listed], first.scale),
        _axis(first.y_title, [c.y for c in listed], first.scale),
        tuple(layers),
        f"{first.title}, {first.y_title} against {first.x_title}: {named}{more}.",
        subtitle=_subtitle(listed),
        square=_within_unit([c.x for c in listed]) and _within_unit([c.y for c in listed]),
        findings=findings,
    )


def _crowded(listed: tuple[Curve, ...]) -> bool:
    models_alone = all(set(c.keys) == {"model"} for c in listed)
    return len(listed) > MOST_NAMED * (2 if models_alone else 1)


def _lines(listed: tuple[Curve, ...]) -> Iterator[Layer]:
    many = _crowded(listed)
    for i, c in enumerate(listed):
        thin = c.thinned(MOST_POINTS)
        columns: Columns = {"x": _placed(thin.x, c.scale), "y": _placed(thin.y, c.scale)}
        if c.threshold is not None and thin.threshold is not None:
            columns["threshold"] = thin.threshold
        kind = "step" if c.drawn == "step" else "line"
        yield Layer.of(
            kind,  # type: ignore[arg-type]
            **columns,
            path=[i] * thin.x.size,
            series=None if many or not c.label else c.label,
            emphasis="quiet" if many else "plain",
        )


def _bands(listed: tuple[Curve, ...]) -> Iterator[Layer]:
    for c in () if _crowded(listed) else listed:
        if c.band is not None:
            b = c.band
            some = np.unique(np.linspace(0, b.x.size - 1, MOST_LIMITS).round().astype(np.intp))
            limits = {"x": b.x, "low": b.low, "high": b.high}
            placed: Columns = {
                name: _placed(values[some], c.scale) for name, values in limits.items()
            }
            yield Layer.of("band", **placed, series=c.label or None)


def _beside(listed: tuple[Curve, ...]) -> Iterator[Layer]:
    """Draw what a trivial rule would give, each such line once."""
    seen: list[tuple[bytes, bytes]] = []
    for c in listed:
        for name, (x, y) in c.beside.items():
            key = (np.asarray(x).tobytes(), np.asarray(y).tobytes())
            if key in seen:
                continue
            seen.append(key)
            across, up = (_placed(np.asarray(side), c.scale) for side in (x, y))
            yield Layer.of("line", x=across, y=up, text=[name] * len(x), emphasis="dashed")


def _placed(values: Floats, scale: str) -> Floats:
    """Turn rates into normal deviates where the axes are such."""
    if scale != "probit":
        return values
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(values, DEVIATES[0] / 2, 1 - DEVIATES[0] / 2)))


def _axis(title: str, columns: list[Floats], scale: str) -> Axis:
    if scale == "probit":
        places = _placed(np.array(DEVIATES), scale)
        ticks = tuple((float(x), f"{100 * p:g} %") for x, p in zip(places, DEVIATES, strict=True))
        return Axis(title, (float(places[0]), float(places[-1])), ticks=ticks)
    if _within_unit(columns):
        return Axis(title, UNIT)
    # As far as the curves reach: a trivial rule may fall without end, and is cut off.
    reached = np.concatenate([c[np.isfinite(c)] for c in columns])
    if not reached.size:
        return Axis(title)
    low, high = float(reached.min()), float(reached.max())
    room = (high - low or 1.0) * ROOM
    return Axis(title, (low - room, high + room))


def _within_unit(columns: list[Floats]) -> bool:
    return all(np.nanmin(c, initial=0) >= 0 and np.nanmax(c, initial=1) <= 1 for c in columns)


def _numbers(c: Curve) -> str:
    over = f", {ESTIMATES[c.estimate]}" if c.estimate else ""
    return "".join(f" ({k} {v:.3g}{over})" for k, v in list(c.numbers.items())[:1])


def _subtitle(listed: tuple[Curve, ...]) -> str:
    bands = [c.band for c in listed if c.band is not None]
    if bands:
        b = bands[0]
        kind = "simultaneous" if b.simultaneous else "pointwise"
        return f"{kind} {100 * b.confidence_level:g} % band"
    return f"{len(listed)} curves" if _crowded(listed) else ""
