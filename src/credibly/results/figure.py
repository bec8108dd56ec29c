"""A picture as data: two axes and a few layers, drawn later by any renderer."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly._core.files import write_whole
from credibly._core.findings import Finding
from credibly._core.search_names import Hinting, search_names
from credibly.errors import DataError, ParameterError

Kind = Literal["line", "step", "band", "points", "bars", "rule", "text", "heatmap"]
Emphasis = Literal["plain", "quiet", "dashed", "strong"]
Align = Literal["left", "right"]
Theme = Literal["light", "dark"]
Columns = dict[str, Any]


class Look(TypedDict, total=False):
    """How a picture is drawn: its ground, whether that shows through, and how many pixels wide it is."""

    theme: Theme
    transparent: bool
    width: int


MIN_COUNTS = 2  # apart, from which on numbers can only be whole
MAX_COUNTS = 1e9  # between the ends of a side: more are not told apart
MAX_NOTEBOOK_BYTES = 50_000  # that a picture may take in a notebook


class Renderer(DeclaredFunction[..., Any]):
    """A function that draws a figure; ``file`` says whether what it returns is the content of a file."""

    file: bool = True


renderers: Registry[Renderer] = Registry("renderer", "credibly.render")
renderer = Declarator(Renderer, renderers)


@dataclass(frozen=True, slots=True)
class Axis:
    """What is shown along one side: its title with units, its ends, and numbers or categories."""

    title: str
    ends: tuple[float, float] | None = None
    categories: tuple[str, ...] = ()
    ticks: tuple[tuple[float, str], ...] = ()
    logarithmic: bool = False
    hidden: bool = False

    def __post_init__(self) -> None:
        if self.ends is not None and not math.isfinite(self.ends[1] - self.ends[0]):
            raise DataError(
                f"The numbers along {self.title!r} lie farther apart than can be drawn. Divide them by a constant."
            )


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Marks of one kind. Columns have equal length; ``series`` tells models or classes apart."""

    kind: Kind
    columns: Mapping[str, list[Any]]
    emphasis: Emphasis = "plain"
    align: Align = "left"  # of text
    shade: str = ""  # what the colour of cells stands for, where a key is to say so

    @classmethod
    def of(
        cls,
        kind: Kind,
        *,
        emphasis: Emphasis = "plain",
        align: Align = "left",
        shade: str = "",
        series: str | Sequence[str] | None = None,
        **columns: object,
    ) -> Layer:
        """Check and copy columns; one series name may stand for all marks.

        >>> Layer.of("line", x=[0, 1], y=[0, 0.5], series="tree").columns["series"]
        ['tree', 'tree']
        """
        plain = {name: _plain(values) for name, values in columns.items() if values is not None}
        sizes = {len(values) for values in plain.values()}
        if len(sizes) != 1:
            raise ParameterError(
                f"The columns of a layer must be of one length; a {kind} got {sorted(sizes)}."
            )
        if series is not None:
            plain["series"] = [series] * sizes.pop() if isinstance(series, str) else list(series)
        return cls(kind, plain, emphasis, align, shade)

    def by_series(self) -> Iterator[tuple[str | None, dict[str, list[Any]]]]:
        """Yield the marks of each series, and of each path of a series.

        >>> two = Layer.of("points", x=[0, 1], y=[0, 0], series=["tree", "forest"])
        >>> [(name, marks["x"]) for name, marks in two.by_series()]
        [('tree', [0]), ('forest', [1])]
        """
        columns = dict(self.columns)
        size = len(next(iter(columns.values())))
        keys = list(zip(*(columns.get(k, [None] * size) for k in ("series", "path")), strict=True))
        for key in dict.fromkeys(keys):
            rows = [i for i, k in enumerate(keys) if k == key]
            yield key[0], {name: [values[i] for i in rows] for name, values in columns.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Figure(Hinting):
    """A picture with a text alternative.

    It shows itself in a notebook, saves itself by the suffix of a file name, and draws itself on
    matplotlib's axes; all without a network.

    >>> from credibly.plots import Axis, Figure, Layer
    >>> figure = Figure(
    ...     "Errors", Axis("model", categories=("tree", "forest")), Axis("error rate", (0, 1)),
    ...     (Layer.of("points", x=["tree", "forest"], y=[0.2, 0.1]),), alt="Two error rates.")
    >>> figure
    Figure('Errors', 1 layer)
    """

    title: str  # if empty, that of the plot which makes it
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    alt: str
    subtitle: str = ""
    square: bool = False
    rows: int = 0  # lines of text it must hold, where they settle its height
    findings: tuple[Finding, ...] = ()
    name: str = ""
    notes: Mapping[str, str] = field(default_factory=dict)  # what the key says of a series
    panels: tuple[Figure, ...] = ()  # below this one, where measures of other scales are shown

    def series(self) -> list[str]:
        """Return the names that colours stand for, in order of appearance."""
        return list(
            dict.fromkeys(s for layer in self.layers for s in layer.columns.get("series", ()))
        )

    def holds(self, layer: Layer) -> bool:
        """Whether all marks of a layer lie within the ends of the axes."""
        for side, axis in (("x", self.x), ("y", self.y)):
            if axis.ends is None or axis.categories:
                continue
            low, high = axis.ends
            known = [v for v in layer.columns.get(side, ()) if v is not None]
            if any(not low <= v <= high for v in known):
                return False
        return True

    def counted(self, side: str) -> range:
        """Return the whole numbers along a side where all that lies there are such, else none.

        >>> from credibly.plots import Axis, Figure, Layer
        >>> line = Layer.of("line", x=[1, 2, 5], y=[0.5, 0.25, 0])
        >>> figure = Figure("Any", Axis("fold"), Axis("error"), (line,), alt="Any picture.")
        >>> figure.counted("x"), figure.counted("y")
        (range(1, 6), range(0, 0))
        """
        columns = {"x": ("x", "left", "right"), "y": ("y", "low", "high")}[side]
        found = [v for la in self.layers for c in columns for v in la.columns.get(c, ())]
        known = [v for v in found if isinstance(v, int | float)]
        low, high = min(known, default=0), max(known, default=0)
        few = MIN_COUNTS <= high - low < MAX_COUNTS
        whole = few and all(float(v).is_integer() for v in known)
        return range(int(low), int(high) + 1) if whole else range(0)

    def turn(self, layer: Layer) -> tuple[int, int]:
        """Return which it is of the layers with intervals at the same places, and how many these are.

        A line stands where the points of its series do.
        """
        barred = [each for each in self.layers if each.kind == "points" and "low" in each.columns]
        mine = [e for e in barred if e is layer or (layer.kind == "line" and _alike(e, layer))]
        if not mine:
            return 0, 1
        places = set(layer.columns["x"])
        among = [each for each in barred if places & set(each.columns["x"])]
        return next(i for i, each in enumerate(among) if each is mine[0]), len(among)

    def spec(self, *, interactive: bool = False, **look: Unpack[Look]) -> dict[str, Any]:
        """Return the picture in Vega-Lite's language."""
        made: dict[str, Any] = renderers["spec"](self, interactive=interactive, **look)
        return made

    def svg(self, **look: Unpack[Look]) -> str:
        """Return the picture as SVG; ``look`` as for :meth:`save`."""
        return str(renderers["svg"](self, **look))

    def png(self, *, scale: float = 2, **look: Unpack[Look]) -> bytes:
        """Return the picture as PNG, at ``scale`` points a pixel; ``look`` as for :meth:`save`."""
        return bytes(renderers["png"](self, scale=scale, **look))

    def pdf(self, **look: Unpack[Look]) -> bytes:
        """Return the picture as PDF; ``look`` as for :meth:`save`."""
        return bytes(renderers["pdf"](self, **look))

    def html(self, **look: Unpack[Look]) -> str:
        """Return a page that shows the picture, with hover and legend, without a network."""
        return str(renderers["html"](self, **look))

    def altair(self) -> Any:  # noqa: ANN401
        """Return the picture as an Altair chart, to be changed further."""
        return renderers["altair"](self)

    @search_names({"show, plot, display": ".draw() for matplotlib; a notebook shows it by itself"})
    def draw(self, ax: Any = None) -> Any:  # noqa: ANN401
        """Draw the picture on matplotlib's axes, or on new ones, and return them."""
        return renderers["matplotlib"](self, ax=ax)

    @search_names(
        {
            "savefig, write_image, to_file, export": ".save('picture.png')",
            "to_html, write_html": ".save('picture.html')",
        }
    )
    def save(self, path: str | Path, **look: Unpack[Look]) -> Path:
        """Write the picture in the format that the file name asks for.

        ``theme`` is ``"light"`` or ``"dark"``, for grounds of that kind; ``transparent=True`` leaves
        the ground to what lies below; ``width`` is that of the whole picture in pixels.
        """
        return write_whole(Path(path), renderers[format_of(path)](self, **look))

    def with_layers(self, *more: Layer) -> Figure:
        """Return the picture with further layers on top."""
        return replace(self, layers=(*self.layers, *more))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:  # noqa: ARG002
        """Show itself in a notebook, as points rather than lines where these would be many."""
        words = {"text/plain": f"{self!r}\n{self.alt}"}
        drawn = self.svg()
        if len(drawn) <= MAX_NOTEBOOK_BYTES:
            return {"image/svg+xml": drawn} | words
        return {"image/png": self.png(scale=1)} | words

    def __repr__(self) -> str:
        n = len(self.layers)
        return f"Figure({self.title!r}, {n} layer{'' if n == 1 else 's'})"


def _alike(points: Layer, line: Layer) -> bool:
    """Whether points are those of a line."""
    return all(points.columns.get(k) == line.columns.get(k) for k in ("x", "y", "series"))


def format_of(path: str | Path) -> str:
    """Return the format that a file name asks for.

    >>> format_of("roc.SVG")
    'svg'
    """
    kind = Path(path).suffix.lower().lstrip(".")
    formats = [r.name for r in renderers if r.file]
    if kind not in formats:
        raise ParameterError(
            f"A picture can be saved as {', '.join(formats)}; {Path(path).name!r} is not one of them."
        )
    return kind


def _plain(values: Any) -> list[Any]:  # noqa: ANN401
    """Return a list that JSON can hold: a number that is not finite is a gap."""
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    return [None if isinstance(v, float) and not math.isfinite(v) else v for v in listed]
