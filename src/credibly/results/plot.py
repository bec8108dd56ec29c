"""How a picture is declared: one function from a result to a figure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from credibly._core.declared import Declarator, Declared
from credibly._core.doors import door, in_order
from credibly._core.entry_names import PlotName
from credibly._core.findings import Finding
from credibly._core.registry import Registry
from credibly.errors import Argument, ParameterError, listed, says
from credibly.results.figure import Figure
from credibly.results.zoom import zoomed

if TYPE_CHECKING:
    Make = Callable[..., Any]  # a function from data to a result


@dataclass(frozen=True, eq=False, kw_only=True)
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
        first = None
        if not isinstance(thing, self.types):
            first = next((f for kind, f in self.prepare.items() if isinstance(thing, kind)), None)
            if first is None:
                takes = listed(self.shows, "or")
                raise ParameterError(f"{self.name} shows {takes}; got {type(thing).__name__}.")
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

    def _prepared(self, prepare: Make, data: Any, options: dict[str, Any]) -> Any:  # noqa: ANN401
        """Make what is shown of data, or say what is missing for it."""
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
    """Return what is to be doubted about what is shown, and so about its picture."""
    told = getattr(thing, "all_findings", None)
    return told() if told else getattr(thing, "findings", ())


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
