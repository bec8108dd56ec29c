"""Inputs in the folder of an experiment: arrays that workers map, and put together some rows at a time.

A worker holds the rows that it trains on and no others. Who gave a frame gets frames back, with the names
and types of its columns.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly.experiments.store.frames import MappedFrame, frame_apart
from credibly.schemes.columns import Nature, columns_of, is_frame
from credibly.schemes.light_frame import LightFrame, Text

if TYPE_CHECKING:
    Arrays = dict[str, NDArray[Any]]

COPY_BYTES = 2**21  # bytes that are copied before pages are given back
MIN_RELEASED_BYTES = 2**17  # bytes that are not worth giving back
MIN_MAPPED_BYTES = 2**25  # bytes for which room is made first


class Mapped:
    """An array in a file. Pages that were read are given back: the system keeps them, for all workers."""

    def __init__(self, source: NDArray[Any], nature: Nature | None = None) -> None:
        self.source = source
        self.nature = nature  # of inputs that are numbers alone
        self.shape = source.shape
        self.dtype = source.dtype

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: NDArray[np.intp]) -> NDArray[Any]:
        source = self.source
        if source.nbytes <= MIN_RELEASED_BYTES:
            return np.array(source[rows])
        if source.nbytes >= MIN_MAPPED_BYTES:
            _make_room()
        step = max(1, COPY_BYTES * len(source) // source.nbytes)
        out = np.empty((len(rows), *source.shape[1:]), source.dtype)
        for first in range(0, len(rows), step):
            some = slice(first, first + step)
            np.take(source, rows[some], axis=0, out=out[some], mode="clip")
            _give_back(source)
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001
        return np.array(self.source, dtype, copy=copy)

    def all_rows(self) -> NDArray[Any]:
        """Return the file itself."""
        return self.source


def taken_apart(X: Any, names: Sequence[str] = ()) -> tuple[Arrays, dict[str, Any]]:
    """Return inputs as plain arrays, and what else makes them up as JSON."""
    if hasattr(X, "tocsr"):
        parts = {f"X_{p}": np.asarray(getattr(X, p)) for p in ("data", "indices", "indptr")}
        return parts, {"kind": "sparse", "shape": list(X.shape)}
    if is_frame(X):
        columns, facts = frame_apart(X)
        return _coded(columns, {"kind": "frame", **facts})
    if X.dtype.kind in "biuf":
        return {"X": X}, {"kind": "numbers"}
    columns = list(columns_of(X).values())
    if all(c.dtype.kind == "f" for c in columns):
        return {"X": np.column_stack(columns)}, {"kind": "numbers"}
    return _coded(columns, {"kind": "mixed"} | ({"names": list(names)} if names else {}))


def put_together(arrays: Arrays, facts: Mapping[str, Any]) -> tuple[Any, LightFrame | None]:
    """Return inputs that can be cut by rows; where there is text, also for schemes by name."""
    kind = facts["kind"]
    if kind == "sparse":
        from scipy.sparse import csr_matrix

        parts = (arrays["X_data"], arrays["X_indices"], arrays["X_indptr"])
        return csr_matrix(parts, shape=tuple(facts["shape"])), None
    nature = Nature(facts["nature"]["plain"], tuple(facts["nature"]["text"]))
    if kind == "numbers":
        return Mapped(arrays["X"], nature), None
    columns = _decoded(arrays, facts)
    # A frame where the columns have names, else an array of objects, as it came.
    if kind == "mixed":
        names = facts.get("names") or [f"column {j}" for j in range(len(columns))]
        kinds = ["object" if isinstance(c, Text) else "float64" for c in columns]
        types = [{"name": n, "type": k, "nan": False} for n, k in zip(names, kinds, strict=True)]
        library = "pandas" if "names" in facts and find_spec("pandas") else "objects"
    else:
        types, library = facts["types"], facts["library"]
    light = LightFrame({str(t["name"]): c for t, c in zip(types, columns, strict=True)})
    return MappedFrame(columns, library, types, nature), light if facts["texts"] else None


def _coded(columns: Sequence[NDArray[Any]], facts: dict[str, Any]) -> tuple[Arrays, dict[str, Any]]:
    """Write texts as places among their values."""
    arrays: Arrays = {}
    texts: dict[str, list[str]] = {}
    for j, column in enumerate(columns):
        coded = Text.of(column) if column.dtype.kind == "O" else None
        arrays[f"X_{j}"] = column if coded is None else coded.codes
        if coded is not None:
            texts[str(j)] = coded.known[:-1].tolist()
    return arrays, {**facts, "texts": texts, "columns": len(columns)}


def _decoded(arrays: Arrays, facts: Mapping[str, Any]) -> list[NDArray[Any] | Text]:
    texts = {int(j): np.array([*known, None], object) for j, known in facts["texts"].items()}
    each: list[Any] = [Mapped(arrays[f"X_{j}"]) for j in range(facts["columns"])]
    return [Text(c, texts[j]) if j in texts else c for j, c in enumerate(each)]


def blocks(array: NDArray[Any]) -> Iterator[memoryview]:
    """Yield the bytes of an array in the order of its rows, a few at a time."""
    step = max(1, COPY_BYTES * len(array) // array.nbytes) if array.nbytes else 1
    for first in range(0, len(array), step):
        yield np.ascontiguousarray(array[first : first + step]).view(np.uint8).data
        _give_back(array)


def _give_back(mapped: Any) -> None:
    """Let go of the pages of a file that were read: the system keeps them, and they are found again."""
    pages = getattr(mapped, "_mmap", None)
    advice = getattr(mmap, "MADV_DONTNEED", None)
    if pages is not None and advice is not None:
        pages.madvise(advice)


def _make_room() -> None:
    """Have the C library return to the system what earlier fits have freed; not all have a way to ask."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
