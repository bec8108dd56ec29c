"""How results come by `.plot()` although pictures are made in a layer above them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Plotted:
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
