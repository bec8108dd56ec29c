"""How a picture is declared: one function from a result to a figure."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from credibly._core.errors import ParameterError
from credibly._core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from credibly.plots.figure import Figure


@dataclass(frozen=True, slots=True)
class Plot:
    """A way to show a result."""

    name: str
    title: str
    of: tuple[type, ...]
    make: Callable[..., Figure]
    doc: str
    aliases: tuple[str, ...] = ()
    suits: Callable[[Any], bool] = lambda _: True

    def __call__(self, thing: Any, **options: Any) -> Figure:  # noqa: ANN401
        """Make the figure."""
        if not isinstance(thing, self.of):
            wanted = " or ".join(t.__name__ for t in self.of)
            msg = f"{self.name} shows {wanted}; got {type(thing).__name__}."
            raise ParameterError(msg)
        known = [p.name for p in list(inspect.signature(self.make).parameters.values())[1:]]
        for name in options:
            if name not in known:
                msg = f"{self.name} has no option {name!r} (it has: {', '.join(known) or 'none'})."
                raise ParameterError(msg)
        return replace(self.make(thing, **options), name=self.name)


plots: Registry[Plot] = Registry("plot", "credibly.plots")


def declare_plot(
    title: str,
    *,
    of: type | tuple[type, ...],
    aliases: tuple[str, ...] = (),
    suits: Callable[[Any], bool] = lambda _: True,
) -> Callable[[Callable[..., Figure]], Plot]:
    """Declare the decorated function as the way to show results of the type ``of``.

    ``suits`` says of which of them it is the first choice.
    """

    def declare(make: Callable[..., Figure]) -> Plot:
        types = of if isinstance(of, tuple) else (of,)
        name = make.__name__
        doc = inspect.getdoc(make) or ""
        return plots.add(Plot(name, title, types, make, doc, aliases, suits))

    return declare


def plot(thing: Any, kind: str | None = None, **options: Any) -> Figure:  # noqa: ANN401
    """Show a result: predictions, a table, a curve, a comparison.

    Parameters
    ----------
    thing
        What to show.
    kind
        A name from ``credibly list plots``; the first that suits when not given.
    **options
        What that plot takes.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 0])
    >>> credibly.plot(p, "confusion_matrix")
    Figure('Confusion matrix', 1 layer)
    """
    if kind is not None:
        return plots[kind](thing, **options)
    for entry in plots:
        if isinstance(thing, entry.of) and entry.suits(thing):
            return entry(thing, **options)
    names = ", ".join(sorted({t.__name__ for entry in plots for t in entry.of}))
    msg = f"There is no plot of {type(thing).__name__}; there are plots of {names}."
    raise ParameterError(msg)
