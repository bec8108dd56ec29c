"""How results come by `.plot()` although pictures are made in a layer above them."""

from __future__ import annotations

from functools import wraps
from importlib import import_module
from typing import Any

from credibly._core.text import visible


class Printed:
    """A result that prints itself; whatever names it holds, none disturbs what stands beside it."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        written = cls.__dict__.get("__str__")
        if written is not None:

            @wraps(written)
            def shown(self: Any) -> str:  # noqa: ANN401
                return visible(written(self))

            cls.__str__ = shown  # type: ignore[method-assign]


class Plotted(Printed):
    """A result that can be shown.

    Plots know the results that they show; a result knows no more than the name of their package, which
    is imported when a picture is asked for.
    """

    __slots__ = ()

    def plot(self, kind: str | None = None, **options: Any) -> Any:  # noqa: ANN401
        """Show it: a :class:`~credibly.plots.Figure`, as by :func:`credibly.plot`.

        ``kind`` is a name from ``credibly list plots``, the first that suits when not given.
        """
        return import_module("credibly.plots").plot(self, kind, **options)
