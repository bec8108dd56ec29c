"""How an engine is declared."""

from __future__ import annotations

from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly.engines._tables import EngineLimits, Lazy
from credibly.engines.files import Files


class Engine(DeclaredFunction[[Files, EngineLimits], Lazy]):
    """What counts the rows of files, or of tables elsewhere; ``extra`` names what has to be installed.

    >>> engines["duckdb"].title
    'DuckDB'
    """

    extra: str = ""


engines: Registry[Engine] = Registry("engine", "credibly.engines")
engine = Declarator(Engine, engines)
