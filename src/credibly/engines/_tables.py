"""The lazy table that an engine opens, and what the engine may take for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import is_masked_array
from credibly._core.parameters import require, whole
from credibly.engines.columns import ArrayColumns
from credibly.errors import CrediblyError, DataError, ParameterError, says

MEMORY_SIZE = re.compile(r"\s*\d+(\.\d+)?\s*([KMGT]i?)?B(ytes?)?\s*", re.IGNORECASE | re.ASCII)
Explain = Callable[[Exception], CrediblyError]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineLimits:
    """What an embedded engine may take: memory before it spills, and where to."""

    memory: str | None = None
    spill: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        """Refuse limits that no engine could keep, even if none is needed."""
        if self.memory is not None and not MEMORY_SIZE.fullmatch(str(self.memory)):
            raise ParameterError(says("<memory={it}> is not a size such as '2GB'.", it=self.memory))
        if self.spill is not None and not Path(self.spill).is_dir():
            raise ParameterError(
                says("<spill={it}> is not a folder.", it=str(self.spill)),
                remedy="Name a folder with enough space for what does not fit into memory.",
            )
        if self.threads is not None:
            require("threads", self.threads, whole(1))


@dataclass(frozen=True, slots=True, eq=False)
class Lazy:
    """A table that an engine holds, and its name in messages."""

    frame: Any
    """A lazy frame of narwhals."""
    engine: str
    where: str
    explain: Explain | None = None
    close: Callable[[], None] = field(default=lambda: None)
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Columns that go by another name here, since the engine would misread their own."""
    kept: Mapping[str, Any] = field(default_factory=dict)
    """What files of ours say of themselves beside the columns."""
    orders: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The values of columns of ordered categories, where the files tell more than the engine."""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        with self.explained():
            return tuple(self.frame.collect_schema().names())

    def source(self, columns: Mapping[str, NDArray[Any]]) -> ArrayColumns:
        """Return columns that were collected as a reader returns those of a file."""
        import narwhals.stable.v2 as nw

        with self.explained():
            schema = self.frame.collect_schema()
        orders = {
            name: tuple(of.categories) for name, of in schema.items() if isinstance(of, nw.Enum)
        }
        orders |= {self.renamed.get(name, name): order for name, order in self.orders.items()}
        return ArrayColumns(self.where, columns, kept=self.kept, orders=orders)

    def collect(self, query: Any) -> dict[str, NDArray[Any]]:  # noqa: ANN401
        """Run a query and return plain columns; None or NaN stands where a value is missing."""
        with self.explained():
            native = query.to_native()
            if hasattr(native, "fetchnumpy"):  # DuckDB needs no other library to hand over columns
                return {name: _plain(column) for name, column in native.fetchnumpy().items()}
            frame = query.collect()
            return {name: frame.get_column(name).to_numpy() for name in frame.columns}

    @property
    def streams(self) -> bool:
        """Whether rows come in blocks, so that a pass over all of them needs no memory."""
        return hasattr(self.frame.to_native(), "to_arrow_reader") and _has_pyarrow()

    def blocks(self, query: Any, size: int = 1 << 20) -> Iterator[dict[str, NDArray[Any]]]:  # noqa: ANN401
        """Run a query and yield its rows in blocks, where the engine can stream them."""
        if not self.streams:
            yield self.collect(query)
            return
        with self.explained():
            for batch in query.to_native().to_arrow_reader(size):
                yield {
                    name: batch.column(name).to_numpy(zero_copy_only=False)
                    for name in batch.schema.names
                }

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Translate any error of an engine into ours."""
        try:
            yield
        except CrediblyError:
            raise
        except Exception as error:
            if self.explain is not None:
                raise self.explain(error) from error
            raise said_by(self.engine, self.where, error) from error


def said_by(name: str, where: str, error: Exception) -> DataError:
    """Return an error with the first line of the engine's message."""
    text = next(iter(str(error).strip().splitlines()), "") or type(error).__name__
    lost = any(word in text.lower() for word in ("connection", "server closed", "terminat"))
    what = "the connection was lost" if lost else "the query failed"
    msg = f"{where}: {what}; {name} says: {text[:300]}. Nothing was counted: run it again once that is fixed."
    return DataError(msg)


def _has_pyarrow() -> bool:
    from importlib.util import find_spec

    return find_spec("pyarrow") is not None


def _plain(column: NDArray[Any]) -> NDArray[Any]:
    """Write masked values as NaN among numbers, as None elsewhere."""
    if not is_masked_array(column):
        return np.asarray(column)
    missing = np.ma.getmaskarray(column)
    if not missing.any():
        return np.asarray(column.data)
    if column.dtype.kind == "f":
        return np.asarray(column.filled(np.nan))
    plain = np.asarray(column.data).astype(object)
    plain[missing] = None
    return plain
