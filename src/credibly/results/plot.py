"""How a picture is declared: one function from a result to a figure, whose axes are cut down to small marks."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from credibly._core.declared import Declarator, Declared, Registry
from credibly._core.doors import door, in_order
from credibly._core.entry_names import PlotName
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.text import number_text
from credibly.errors import Argument, ParameterError, listed, says
from credibly.results.figure import Axis, Figure, Layer

if TYPE_CHECKING:
    Make = Callable[..., Any]  # a function from data to a result


class Plot(Declared[..., Figure]):
    """A way to show a result, or data from which ``prepare`` makes one, by their type.

    ``of`` is the type of the results, or several; ``suits`` says of which of them it is the first choice;
    ``by_name`` returns what makes one of data when another name is asked for, and ``otherwise`` is that
    name for data that nothing else suits.
    """

    of: type | tuple[type, ...]
    suits: Callable[[Any], bool] = lambda _: True
    prepare: Mapping[type, Make] = field(default_factory=dict)
    by_name: Callable[[Any, str], Make | None] = lambda _, __: None
    otherwise: Mapping[type, str] = field(default_factory=dict)

    @property
    def types(self) -> tuple[type, ...]:
        """The types of results that it shows."""
        return self.of if isinstance(self.of, tuple) else (self.of,)

    def __call__(self, thing: Any, *, full_range: bool = False, **options: Any) -> Figure:  # noqa: ANN401
        """Make the figure, its axes cut down to small marks unless the full range is asked for."""
        first = self.preparation(thing)
        early, late = (_options(f) if f else () for f in (first, self.function))
        for name in options:
            if name not in (*early, *late):
                known = ", ".join(dict.fromkeys((*early, *late))) or "none"
                raise ParameterError(f"{self.name} has no option {name!r} (it has: {known}).")
        if first is not None:
            given = {k: v for k, v in options.items() if k in early}
            thing = self._prepared(first, thing, given)
        figure = self.function(thing, **{k: v for k, v in options.items() if k in late})
        figure = figure if full_range else zoomed(figure)
        return replace(
            figure,
            name=self.name,
            title=figure.title or self.title,
            findings=figure.findings or _findings(thing),
        )

    def preparation(self, thing: object) -> Make | None:
        """Return what makes a result of data; none where a result is given."""
        if isinstance(thing, self.types):
            return None
        for kind, make in self.prepare.items():
            if isinstance(thing, kind):
                return make
        takes = listed(self.shows, "or")
        raise ParameterError(f"{self.name} shows {takes}; got {type(thing).__name__}.")

    def _prepared(self, prepare: Make, data: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
        """Make the result that a plot shows, or say what is missing for it."""
        what = type(data).__name__.lower()
        needed = list(inspect.signature(prepare).parameters.values())[1:]
        for q in needed:
            if q.default is q.empty and q.kind is not q.VAR_KEYWORD and q.name not in options:
                raise ParameterError(
                    says(
                        "{plot} of {what} needs {argument}.",
                        plot=self.name,
                        what=what,
                        argument=Argument(q.name, ...),
                    )
                )
        made = prepare(data, **options)
        if not isinstance(made, self.types):
            kinds = listed((t.__name__ for t in self.types), "or")
            raise ParameterError(
                f"{self.name} shows {kinds}, and of these {what} there is {type(made).__name__} alone."
            )
        return made

    @property
    def shows(self) -> tuple[str, ...]:
        """The results it shows, by name."""
        return tuple(t.__name__ for t in (*self.types, *self.prepare))

    @property
    def options(self) -> tuple[str, ...]:
        """What it takes beside the result."""
        return _options(self.function)


def _findings(thing: Any) -> tuple[Finding, ...]:  # noqa: ANN401
    """Return the findings about a result, which hold for its picture too."""
    told = getattr(type(thing), "all_findings", None)
    return told(thing) if told else getattr(thing, "findings", ())


def _options(function: Callable[..., Any]) -> tuple[str, ...]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return tuple(p.name for p in parameters if p.kind is not p.VAR_KEYWORD)


def shows(thing: object) -> bool:
    """Whether there is a picture of a result."""
    return any(isinstance(thing, each.types) and each.suits(thing) for each in plots)


plots: Registry[Plot] = Registry(
    "plot", "credibly", "plots", use="plot(result, {name!r})", typed="plot {name} FILE"
)
plot_kind = Declarator(Plot, plots)


@door
@search_names(
    {"plot_roc, roc_plot": "plot(p, 'roc')", "plot_calibration": "plot(p, 'calibration')"}
)
def plot(
    thing: Any,  # noqa: ANN401
    kind: PlotName | None = None,
    *,
    full_range: bool = False,
    **options: Any,  # noqa: ANN401
) -> Figure:
    """Show a result: predictions, a table, a curve, a comparison.

    Parameters
    ----------
    thing
        What to show; predictions of several models for the same cases also by name.
    kind
        A name from ``credibly list plots`` or, for predictions, from ``credibly list curves``; the
        first that suits by default.
    full_range
        Whether axes show all that is possible, such as rates from 0 to 1, where the marks take a tenth
        of it; they are otherwise cut, and the subtitle says where.
    **options
        What that plot takes and, for predictions, what :func:`credibly.curve` or whatever else makes
        the result from them takes.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1])
    >>> credibly.plot(p, "roc")
    Figure('ROC curve', 2 layers)
    >>> credibly.plot(p, "roc").save("roc.svg")  # doctest: +SKIP
    """
    thing, kind = (thing, kind) if kind is None else in_order(thing, kind)
    thing = _joined(thing) if isinstance(thing, Mapping) else thing
    kind = kind or _first_choice(thing)
    if kind not in plots:
        for entry in plots:
            made_by = entry.by_name(thing, kind)
            if made_by is not None:
                return entry(made_by(thing, **options), full_range=full_range)
    return plots[kind](thing, full_range=full_range, **options)


def _joined(things: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return things by name as one, where they are of a type that can join them."""
    kinds = {type(each) for each in things.values()}
    join = getattr(kinds.pop(), "joined", None) if len(kinds) == 1 else None
    return things if join is None else join(things)


def plot_of_model(thing: object, kind: str | None, model: str | None) -> tuple[str, dict[str, Any]]:
    """Return the name of a plot, or of the first that suits, and the model as its option if it shows one model."""
    name = kind or _first_choice(thing)
    if not model or name not in plots:
        return name, {}
    first = plots[name].preparation(thing)
    known = (*plots[name].options, *(_options(first) if first else ()))
    return name, {"model": model} if "model" in known else {}


def picture(thing: object) -> Figure | None:
    """Return the plot that stands beside a result in a notebook: the first that its own package declares."""
    for kind in type(thing).__mro__:
        for entry in plots.beside(kind):
            if kind in entry.types and entry.suits(thing):
                return entry(thing)
    return None


def _first_choice(thing: object) -> str:
    """Return the plot of the nearest of its types that suits, the first declared of these."""
    kinds = type(thing).__mro__
    for nearest in (plots.beside, lambda _: plots):  # most are found without loading all there are
        for kind in kinds:
            for entry in nearest(kind):
                if kind in entry.types and entry.suits(thing):
                    return entry.name
    for entry in plots:
        for kind, name in entry.otherwise.items():
            if isinstance(thing, kind):
                return name
    names = ", ".join(sorted({t.__name__ for entry in plots for t in entry.types}))
    raise ParameterError(f"There is no plot of {type(thing).__name__}; there are plots of {names}.")


SMALL_SHARE = 0.1  # of the range, below which marks are looked at more closely
EDGE_SHARE = 0.01  # of the range, that a line may lie from an edge to run along it
MARGIN_SHARE = 0.05  # of what is shown, left beside it
Ends = Mapping[str, tuple[float, float]]


def zoomed(figure: Figure) -> Figure:
    """Cut axes down to what is drawn, where that takes a tenth of them or less, and say so.

    What runs along an edge of the frame is not looked at, nor what a trivial rule would draw.

    >>> from credibly.plots import Axis, Figure, Layer
    >>> line = Layer.of("line", x=[0, 0.3, 1], y=[0, 0.04, 0])
    >>> figure = zoomed(Figure("Costs", Axis("share", (0, 1)), Axis("cost", (0, 1)), (line,), "Low."))
    >>> figure.x.ends, figure.y.ends, figure.subtitle
    ((0, 1), (0, 0.042), 'cost shown from 0 to 0.042')
    """
    # Texts would be left outside, and panels have no subtitle to say so.
    if figure.panels or any(layer.kind == "text" for layer in figure.layers):
        return figure
    ends = {s: a.ends for s, a in (("x", figure.x), ("y", figure.y)) if _whole(a) and a.ends}
    for near in (EDGE_SHARE, 0.0):  # if all lies along an edge, look at that
        drawn = [place for layer in figure.layers for place in _places(layer, ends, near)]
        if drawn:
            break
    cut: dict[str, Axis] = {}
    for side, (low, high) in ends.items():
        known = [place[side] for place in drawn if place.get(side) is not None]
        if not known or not 0 < max(known) - min(known) <= SMALL_SHARE * (high - low):
            continue
        size, shown = max(known) - min(known), _rounded(min(known), max(known))
        # What runs along an edge that is as near as this stays in the picture.
        first = low if min(known) - low <= size else shown[0]
        last = high if high - max(known) <= size else shown[1]
        cut[side] = replace(getattr(figure, side), ends=(max(low, first), min(high, last)))
    sentences = [
        f"{a.title} shown from {' to '.join(map(number_text, a.ends or ()))}" for a in cut.values()
    ]
    subtitle = "; ".join(filter(None, [figure.subtitle, *sentences]))
    return replace(figure, **cut, subtitle=subtitle)  # type: ignore[arg-type]


def _rounded(low: float, high: float) -> tuple[float, float]:
    """Return ends with some room beside what lies between them, written with few digits."""
    room = MARGIN_SHARE * (high - low)
    digits = 2 - math.ceil(math.log10(high - low))
    step = 10.0**-digits * 2
    ends = math.floor((low - room) / step) * step, math.ceil((high + room) / step) * step
    return round(ends[0], digits), round(ends[1], digits)


def _whole(axis: Axis) -> bool:
    return not (axis.categories or axis.ticks or axis.logarithmic or axis.hidden)


def _places(layer: Layer, ends: Ends, near: float) -> Iterator[dict[str, Any]]:
    """Yield where marks lie, as far as that says something."""
    if layer.emphasis == "dashed" and layer.kind != "points":
        return
    rows = [
        dict(zip(layer.columns, values, strict=True))
        for values in zip(*layer.columns.values(), strict=True)
    ]
    if layer.kind in {"line", "step", "band"}:
        for _, path in groupby(rows, lambda row: (row.get("series"), row.get("path"))):
            yield from _along(list(path), layer, ends, near)
        return
    for row in rows:
        if layer.kind == "bars" and row.get("low", 0) == row["y"]:
            continue
        for x, y in (("x", "y"), ("right", "high"), ("left", "low"), ("right", "low")):
            yield {"x": row.get(x), "y": row.get(y)}


def _along(
    rows: list[dict[str, Any]], layer: Layer, ends: Ends, near: float
) -> Iterator[dict[str, Any]]:
    """Yield the ends of all parts of a line that do not run along an edge."""
    for height in ("low", "high") if layer.kind == "band" else ("y",):
        points = [(row["x"], row[height]) for row in rows]
        known = [(x, y) for x, y in points if x is not None and y is not None]
        if layer.kind == "step":
            known = [q for a, b in pairwise(known) for q in (a, (a[0], b[1]), b)] or known
        for part in pairwise(known):
            sides = zip(zip(*part, strict=True), (ends.get("x"), ends.get("y")), strict=True)
            if not any(_on_edge(values, between, near) for values, between in sides):
                yield from ({"x": x, "y": y} for x, y in part)


def _on_edge(values: Iterable[float], ends: tuple[float, float] | None, near: float) -> bool:
    """Whether all values lie at one end, or near it."""
    if ends is None:
        return False
    listed, room = list(values), near * (ends[1] - ends[0])
    return any(all(abs(v - end) <= room for v in listed) for end in ends)
