"""Text that prints itself without disturbing the text around it."""

from __future__ import annotations

from functools import wraps
from typing import Any

from credibly._core.search_names import Hinting
from credibly._core.text import visible


class Printed(Hinting):
    """A result that prints itself; the names in it cannot disturb the text around them."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        written = cls.__dict__.get("__str__")
        # A dataclass with slots is made twice, from a class that has been here before.
        if written is not None and not hasattr(written, "__wrapped__"):

            @wraps(written)
            def shown(self: Any) -> str:  # noqa: ANN401
                return visible(written(self))

            cls.__str__ = shown  # type: ignore[method-assign]
