"""How a picture is declared: one function from a result to a figure."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from credibly._core.doors import door
from credibly._core.errors import ParameterError
from credibly._core.registry import Registry
from credibly.curves import curve, curves
from credibly.plots.figure import Figure
from credibly.predictions import Predictions

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Plot:
    """A way to show a result, or predictions from which ``prepare`` makes one."""

    name: str
    title: str
    of: tuple[type, ...]
    make: Callable[..., Figure]
    doc: str
    aliases: tuple[str, ...] = ()
    suits: Callable[[Any], bool] = lambda _: True
    prepare: Callable[..., Any] | None = None

    def __call__(self, thing: Any, **options: Any) -> Figure:  # noqa: ANN401
        """Make the figure."""
        first = self.prepare if not isinstance(thing, self.of) else None
        if not isinstance(thing, self.of if first is None else Predictions):
            raise ParameterError(
                f"{self.name} shows {' or '.join(self.shows)}; got {type(thing).__name__}."
            )
        early, late = (_options(f) if f else () for f in (first, self.make))
        for name in options:
            if name not in (*early, *late):
                known = ", ".join(dict.fromkeys((*early, *late))) or "none"
                raise ParameterError(f"{self.name} has no option {name!r} (it has: {known}).")
        if first is not None:
            thing = self._prepared(thing, {k: v for k, v in options.items() if k in early})
        figure = self.make(thing, **{k: v for k, v in options.items() if k in late})
        return replace(figure, name=self.name)

    def _prepared(self, p: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
        """Make what is shown of predictions, or say what is missing for it."""
        prepare = self.prepare
        assert prepare is not None  # noqa: S101
        needed = list(inspect.signature(prepare).parameters.values())[1:]
        for q in needed:
            if q.default is q.empty and q.kind is not q.VAR_KEYWORD and q.name not in options:
                raise ParameterError(f"{self.name} of predictions needs {q.name}=... .")
        made = prepare(p, **options)
        if not isinstance(made, self.of):
            kinds = " or ".join(t.__name__ for t in self.of)
            raise ParameterError(
                f"{self.name} shows {kinds}, and of these predictions there is {type(made).__name__} alone."
            )
        return made

    @property
    def shows(self) -> tuple[str, ...]:
        """The results it shows, by name."""
        return (*(t.__name__ for t in self.of), *(["Predictions"] if self.prepare else []))

    @property
    def options(self) -> tuple[str, ...]:
        """What it takes beside the result."""
        return _options(self.make)


def _options(function: Callable[..., Any]) -> tuple[str, ...]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return tuple(p.name for p in parameters if p.kind is not p.VAR_KEYWORD)


plots: Registry[Plot] = Registry("plot", "credibly.plots")


def declare_plot(
    title: str,
    *,
    of: type | tuple[type, ...],
    aliases: tuple[str, ...] = (),
    suits: Callable[[Any], bool] = lambda _: True,
    prepare: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Figure]], Plot]:
    """Declare the decorated function as the way to show results of the type ``of``.

    ``suits`` says of which of them it is the first choice; ``prepare`` makes such a result of
    predictions, so that they can be shown directly.
    """

    def declare(make: Callable[..., Figure]) -> Plot:
        types = of if isinstance(of, tuple) else (of,)
        doc = inspect.getdoc(make) or ""
        return plots.add(Plot(make.__name__, title, types, make, doc, aliases, suits, prepare))

    return declare


@door
def plot(thing: Any, kind: str | None = None, **options: Any) -> Figure:  # noqa: ANN401
    """Show a result: predictions, a table, a curve, a comparison.

    Parameters
    ----------
    thing
        What to show.
    kind
        A name from ``credibly list plots`` or, for predictions, from ``credibly list curves``; the
        first that suits when not given.
    **options
        What that plot takes and, for predictions, what :func:`credibly.curve` or whatever else makes
        the result from them takes.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], score=[0.9, 0.4, 0.4, 0.1])
    >>> credibly.plot(p, "roc")
    Figure('ROC curve', 2 layers)
    >>> credibly.plot(p, "roc").save("roc.svg")  # doctest: +SKIP
    """
    kind = kind or _first_choice(thing)
    if isinstance(thing, Predictions) and kind not in plots and kind.partition("(")[0] in curves:
        return plots["curve"](curve(kind, thing, **options))
    return plots[kind](thing, **options)


def _first_choice(thing: object) -> str:
    for entry in plots:
        if isinstance(thing, entry.of) and entry.suits(thing):
            return entry.name
    if isinstance(thing, Predictions):
        return "roc"
    names = ", ".join(sorted({t.__name__ for entry in plots for t in entry.of}))
    raise ParameterError(f"There is no plot of {type(thing).__name__}; there are plots of {names}.")
