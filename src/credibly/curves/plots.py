"""Pictures of curves, one or several, and of the convex hull of ROC curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from credibly._core.arrays import UNIT_RANGE, Floats
from credibly._core.text import interval_text, percent
from credibly.curves._declare import curves
from credibly.curves.curve import curve as curve_of
from credibly.curves.hulls import Hull, HullPoint, Tangent, hull as hull_of
from credibly.curves.result import ESTIMATE_TITLES, Curve, Curves
from credibly.curves.roc_surfaces import SURFACE_LEVELS, RocSurface, probability_surface
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.results.about import About, about_what
from credibly.results.estimates import several_models
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.plot import plot_kind

MAX_POINTS = 200  # of a curve: they are spent where it bends, so fewer than pixels serve
MAX_BAND_POINTS = 125  # of a band, which is smoother
MAX_NAMED = 20  # curves with a name of their own, by colours and dashes
MAX_BEST = 5  # that are named where there are more curves than names
MAX_FOLDS = 8  # of folds or repeats, which nobody asks for by name
MAX_RULES = 3  # lines of trivial rules; of more, the lowest and the highest
DEVIATES = (0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999)
MARGIN_SHARE = 0.04
BELOW_SHARE = 0.5  # of the height of a curve that falls without end: how much is shown below 0
TEXT_HEIGHT, TEXT_WIDTH = 0.07, 0.25  # of the square, that a line of text takes in height and width


def _of_kind(thing: object, kind: str) -> Callable[..., Curve | Curves] | None:
    """Predictions are shown by the name of any kind of curve."""
    named = isinstance(thing, Predictions) and kind.partition("(")[0] in curves
    return partial(curve_of, kind) if named else None


@plot_kind("Curves", of=(Curve, Curves), by_name=_of_kind, otherwise={Predictions: "roc"})
def curve(drawn: Curve | Curves) -> Figure:
    """Curves of one kind on shared axes, with their bands and what a trivial rule would draw.

    For predictions, ask for a kind of curve by its own name, such as ``"roc"``.
    The key has the area under each curve with its interval. With more than 20 models the best five
    are named and the others drawn faintly, as are many folds; on a page each says its name under
    the pointer.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1])
    >>> figure = credibly.plot(credibly.curve(p, "roc"))
    >>> figure.x.title, figure.layers[-1].columns["y"]
    ('false positive rate', [0.0, 0.5, 1.0, 1.0])
    """
    listed = (drawn,) if isinstance(drawn, Curve) else drawn.curves
    first = listed[0]
    beside = list(_beside(listed))
    layers = [*beside, *_bands(listed), *_lines(listed)]
    named = [
        f"{c.label}{_numbers(c)}" if c.label else _numbers(c).strip(" ()")
        for c in listed[:MAX_FOLDS]
    ]
    more = [] if len(listed) <= MAX_FOLDS else [f"{len(listed) - MAX_FOLDS} more"]
    text = ", ".join(filter(None, [*named, *more]))
    shared = () if isinstance(drawn, Curve) else drawn.findings
    findings = tuple(dict.fromkeys([*shared, *(f for c in listed for f in c.findings)]))
    mean = f", {ESTIMATE_TITLES[first.estimate]}" if first.parts and first.estimate else ""
    notes = {c.label: t for c in _in_key(listed) if (t := _area(c, short=True))}
    return Figure(
        f"{first.title}{mean}",
        _axis(first.x_title, [c.x for c in listed], first.scale),
        _axis(first.y_title, [c.y for c in listed], first.scale, falls=_falls(first)),
        tuple(layers),
        f"{first.title}: {first.y_title} against {first.x_title}{f'; {text}' if text else ''}.",
        subtitle=_subtitle(listed, [str(layer.columns["text"][0]) for layer in beside]),
        square=_within_unit([c.x for c in listed]) and _within_unit([c.y for c in listed]),
        findings=findings,
        notes=notes,
    )


def _crowded(listed: tuple[Curve, ...]) -> bool:
    of_folds = all({"fold", "repeat"} & set(c.keys) for c in listed)
    return len(listed) > (MAX_FOLDS if of_folds else MAX_NAMED)


def _in_key(listed: tuple[Curve, ...]) -> tuple[Curve, ...]:
    """Return the curves that are named: all, or the best few of too many models."""
    if not _crowded(listed):
        return listed
    name = next((n for n in listed[0].numbers if n in measures), None)
    if name is None or any({"fold", "repeat"} & set(c.keys) for c in listed):
        return ()
    sign = -1 if measures[name].direction == "higher" else 1
    known = [c for c in listed if np.isfinite(c.numbers.get(name, np.nan))]
    return tuple(sorted(known, key=lambda c: sign * c.numbers[name])[:MAX_BEST])


def _lines(listed: tuple[Curve, ...]) -> Iterator[Layer]:
    many, best = _crowded(listed), [id(c) for c in _in_key(listed)]
    # What is named lies above the rest.
    for i, c in sorted(enumerate(listed), key=lambda each: many and id(each[1]) in best):
        thin = c.thinned(MAX_POINTS)
        columns: Columns = {"x": _placed(thin.x, c.scale), "y": _placed(thin.y, c.scale)}
        if c.threshold is not None and thin.threshold is not None:
            columns["threshold"] = thin.threshold
        kind = "step" if c.drawn == "step" else "line"
        quiet = many and id(c) not in best
        if quiet and c.label:
            columns["curve"] = [c.label] * thin.x.size
        yield Layer.of(
            kind,  # type: ignore[arg-type]
            **columns,
            path=[i] * thin.x.size,
            series=None if quiet or not c.label else c.label,
            emphasis="quiet" if quiet else "plain",
        )


def _bands(listed: tuple[Curve, ...]) -> Iterator[Layer]:
    for c in () if _crowded(listed) else listed:
        if c.band is not None:
            b = c.band
            some = np.unique(np.linspace(0, b.x.size - 1, MAX_BAND_POINTS).round().astype(np.intp))
            limits = {"x": b.x, "low": b.low, "high": b.high}
            placed: Columns = {
                name: _placed(values[some], c.scale) for name, values in limits.items()
            }
            yield Layer.of("band", **placed, series=c.label or None)


def _beside(listed: tuple[Curve, ...]) -> Iterator[Layer]:
    """Draw what a trivial rule would give, each such line once."""
    lines = {
        (name, np.asarray(x).tobytes(), np.asarray(y).tobytes()): (
            name,
            np.asarray(x),
            np.asarray(y),
        )
        for c in listed
        for name, (x, y) in c.beside.items()
    }
    apart = sorted(lines.values(), key=lambda line: float(np.mean(line[2])))
    if len(apart) > MAX_RULES and len({name for name, _, _ in apart}) == 1:
        apart = [apart[0], apart[-1]]
    for name, x, y in apart:
        across, up = (_placed(side, listed[0].scale) for side in (x, y))
        yield Layer.of("line", x=across, y=up, text=[name] * len(x), emphasis="dashed")


def _placed(values: Floats, scale: str) -> Floats:
    """Turn rates into normal deviates where the axes are such."""
    if scale != "probit":
        return values
    from scipy.special import ndtri

    return np.asarray(ndtri(np.clip(values, DEVIATES[0] / 2, 1 - DEVIATES[0] / 2)))


def _falls(c: Curve) -> bool:
    kind = c.name.partition("(")[0]
    return kind in curves and curves[kind].falls


def _axis(title: str, columns: list[Floats], scale: str, *, falls: bool = False) -> Axis:
    if scale == "probit":
        places = _placed(np.array(DEVIATES), scale)
        ticks = tuple((float(x), f"{100 * p:g} %") for x, p in zip(places, DEVIATES, strict=True))
        return Axis(title, (float(places[0]), float(places[-1])), ticks=ticks)
    if _within_unit(columns):
        return Axis(title, UNIT_RANGE)
    # As far as the curves reach: a trivial rule may fall without end, and is cut off.
    reached = np.concatenate([c[np.isfinite(c)] for c in columns])
    if not reached.size:
        return Axis(title)
    low, high = float(reached.min()), float(reached.max())
    if falls and high > 0:
        low = max(low, -high * BELOW_SHARE)
    room = (high - low or 1.0) * MARGIN_SHARE
    return Axis(title, (low - room, high + room))


def _within_unit(columns: list[Floats]) -> bool:
    return all(np.nanmin(c, initial=0) >= 0 and np.nanmax(c, initial=1) <= 1 for c in columns)


def _numbers(c: Curve) -> str:
    over = f", {ESTIMATE_TITLES[c.estimate]}" if c.estimate else ""
    written = ((k.replace("_", " ").replace("auc", "AUC"), v) for k, v in c.numbers.items())
    return "".join(f" ({k} {v:.3g}{over})" for k, v in list(written)[:1])


def _area(c: Curve, *, short: bool = False) -> str:
    """Write the first of its numbers that is a measure, with its interval."""
    for name, value in c.numbers.items():
        if name in measures and np.isfinite(value):
            written = _initials(name) if short else name.replace("_", " ").replace("auc", "AUC")
            return f"{written} {interval_text(value, c.intervals.get(name))}"
    return ""


def _initials(name: str) -> str:
    words = name.split("_")
    return name.upper() if len(words) == 1 else "".join(word[0].upper() for word in words)


def _subtitle(listed: tuple[Curve, ...], beside: list[str]) -> str:
    """Say what the numbers are of, what bands are about, and what is dashed."""
    first = listed[0]
    sentences = [_area(first)] if len(listed) == 1 else []
    if not _crowded(listed) and len(listed) > 1:
        words = [name for name in first.numbers if name in measures and "_" in name]
        sentences += [f"{_initials(name)}: {name.replace('_', ' ')}" for name in words]
    best = f", the best {MAX_BEST} named" if _in_key(listed) else ""
    sentences += [f"{len(listed)} curves{best}"] if _crowded(listed) else []
    sentences += ["each class against the rest"] if "class" in first.keys else []
    sentences += [ESTIMATE_TITLES[first.estimate]] if first.estimate and not first.parts else []
    sentences += [] if _crowded(listed) else _limits(listed)
    sentences += [f"dashed: {' and '.join(dict.fromkeys(beside))}"] if beside else []
    return "; ".join(filter(None, sentences))


def _limits(listed: tuple[Curve, ...]) -> list[str]:
    """Say of which level intervals and bands are, and what they are about."""
    said: dict[tuple[float, About], list[str]] = {}
    several = several_models(c.keys for c in listed)
    for limits in [i for c in listed for i in c.intervals.values()][:1]:
        what = "interval" if len(listed) == 1 else "intervals"
        said.setdefault((limits.confidence_level, limits.about), []).append(what)
    for band in [c.band for c in listed if c.band is not None][:1]:
        kind = "simultaneous" if band.simultaneous else "pointwise"
        said.setdefault((band.confidence_level, band.about), []).append(f"{kind} band")
    return [
        f"{percent(level)} {' and '.join(what)} about {about_what(about, several=several)}"
        for (level, about), what in said.items()
    ]


@plot_kind("ROC convex hull", of=Hull, aliases=("roc_hull",), prepare={Predictions: hull_of})
def hull(
    found: Hull,
    *,
    prevalence: float | None = None,
    false_negative: float = 1,
    false_positive: float = 1,
) -> Figure:
    """The best corners of all models, each with its threshold, and the line of equal cost at the cheapest.

    Every point of that line (iso-performance line) costs the same at this ``prevalence`` (that of the
    cases, if not given) and these costs; the hull lies below it.

    >>> import credibly
    >>> y = [1, 0, 1, 0]
    >>> models = {"a": credibly.Predictions.of(y, score=[4, 3, 2, 1]),
    ...           "b": credibly.Predictions.of(y, score=[1, 3, 2, 4])}
    >>> figure = credibly.plot(credibly.hull(models), prevalence=0.6)
    >>> figure.series(), figure.subtitle
    (['a'], 'dashed: equal cost at 0.6 positives; cheapest: a from 2')
    """
    best = found.best(
        prevalence=prevalence, false_negative=false_negative, false_positive=false_positive
    )
    inner = [q for q in found.points if not q.trivial]
    reached: Columns = {
        "x": [q.false_positive_rate for q in inner],
        "y": [q.true_positive_rate for q in inner],
    }
    layers = [
        Layer.of("line", x=UNIT_RANGE, y=UNIT_RANGE, text=["chance"] * 2, emphasis="quiet"),
        _tangent(best),
        Layer.of("line", x=found.false_positive_rates, y=found.true_positive_rates),
    ]
    if inner:
        names = [q.model for q in inner]
        cuts = [q.threshold for q in inner]
        layers.append(Layer.of("points", **reached, series=names, threshold=cuts))
        layers.append(_thresholds(inner))
    share = found.prevalence if prevalence is None else prevalence
    idle = ", ".join(found.non_contributors)
    return Figure(
        "",
        Axis("false positive rate", UNIT_RANGE),
        Axis("true positive rate", UNIT_RANGE),
        tuple(layers),
        f"Convex hull of {len(found.models)} models with {len(inner)} corners by "
        f"{', '.join(found.contributors) or 'no model'}, area {found.area:.3g}. "
        + (f"Never best: {idle}. " if idle else "")
        + f"Cheapest corner: {best.point}.",
        subtitle=f"dashed: equal cost at {share:.3g} positives; cheapest: {best.point}",
        square=True,
    )


def _thresholds(inner: list[HullPoint]) -> Layer:
    """Write the threshold below its corner, where there is room for it."""
    written: list[HullPoint] = []
    for q in inner:
        if all(_apart(q, other) for other in written):
            written.append(q)
    return Layer.of(
        "text",
        x=[q.false_positive_rate for q in written],
        y=[q.true_positive_rate - TEXT_HEIGHT for q in written],
        text=[f"from {q.threshold:.4g}" for q in written],
    )


def _apart(q: HullPoint, other: HullPoint) -> bool:
    """Whether texts at two corners do not lie on each other."""
    across = abs(q.false_positive_rate - other.false_positive_rate)
    return across > TEXT_WIDTH or abs(q.true_positive_rate - other.true_positive_rate) > TEXT_HEIGHT


def _tangent(best: Tangent) -> Layer:
    """The part of the line of equal cost that lies within the square."""
    x0, y0 = best.point.false_positive_rate, best.point.true_positive_rate
    if np.isinf(best.slope):
        ends = [x0, x0], [0.0, 1.0]
    elif best.slope == 0:
        ends = [0.0, 1.0], [y0, y0]
    else:
        low, high = (float(np.clip((y - best.intercept) / best.slope, 0, 1)) for y in (0.0, 1.0))
        ends = [low, high], [best.intercept + best.slope * x for x in (low, high)]
    return Layer.of("line", x=ends[0], y=ends[1], text=["equal cost"] * 2, emphasis="dashed")


@plot_kind("ROC surface", of=RocSurface, prepare={Predictions: probability_surface})
def roc_surface(surface: RocSurface) -> Figure:
    """The ROC surface of three classes as a map: shares of the first and third, a line for each of the second.

    On a line at least that share of the second class is labelled correctly; dashed are the shares that
    guessing would give beside it.

    >>> import credibly
    >>> from credibly.curves import ordered_surface
    >>> figure = credibly.plot(ordered_surface(list("aabbcc"), [1, 3, 2, 4, 3, 5], order="abc"))
    >>> figure.series()[:2], figure.x.title
    (['b at least 0 %', 'b at least 25 %'], 'share of a labelled correctly')
    """
    a, b, c = map(str, surface.classes)
    layers: list[Layer] = []
    spoken = []
    for share in SURFACE_LEVELS:
        first, third = surface.level(share)
        if not first.size:
            continue
        name = f"{b} at least {100 * share:g} %"
        # From the left edge to the first corner, and from the last one down.
        x, y = [0.0, *first, first[-1]], [third[0], *third, 0.0]
        layers.append(Layer.of("step", x=x, y=y, series=name))
        layers.append(Layer.of("line", x=[0.0, 1 - share], y=[1 - share, 0.0], emphasis="dashed"))
        best = int((first + third).argmax())
        spoken.append(f"{name}: {a} {first[best]:.3g} with {c} {third[best]:.3g}")
    under = (
        ""
        if surface.volume is None
        else f"volume {interval_text(surface.volume.value, surface.volume.interval)}; "
    )
    return Figure(
        "",
        Axis(f"share of {a} labelled correctly", UNIT_RANGE),
        Axis(f"share of {c} labelled correctly", UNIT_RANGE),
        tuple(layers),
        f"{surface.heading}. {'; '.join(spoken)}.",
        subtitle=f"{under}dashed: guessing",
        square=True,
    )
