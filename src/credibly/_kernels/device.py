"""Sums of replicates on a graphics card (CUDA), from the same weights as on the processor.

Sums of weights and of pairs are whole numbers, so they are the same to the last bit; losses and
precision are added up in another order and agree to 1e-12. CuPy is imported when a card is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._kernels import Device, refuse_other_devices
from credibly._kernels.poisson_lanes import (
    LANES,
    LAST_OF_TIE,
    REST,
    STEP,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    T7,
    TIED_NEGATIVE as TIED,
)
from credibly.errors import ParameterError, says

MAX_SEGMENT_ROWS = 1024  # see the kernels
BLOCK_THREADS = 256  # sixteen times 64 replicates
LOSSES_PER_WALK = 4  # losses that a kernel adds up in one walk
REPLICATES_PER_THREAD = 4
MAX_BLOCKS = 16  # of 64 replicates
MAX_BYTES, BYTES_PER_REPLICATE = 1 << 30, 96  # bytes in all, and of a segment and a replicate


def at_once(n: int) -> int:
    """Return how many blocks of 64 replicates fit the card together: what is kept of each segment."""
    return max(
        1, min(MAX_BLOCKS, MAX_BYTES // (LANES * BYTES_PER_REPLICATE * -(-n // MAX_SEGMENT_ROWS)))
    )


def checked_device(device: Device) -> Device:
    """Return the device if there is one of that name, and a card where one is asked for."""
    refuse_other_devices(device)
    if device == "gpu":
        library()
    return device


@cache
def library() -> Any:  # noqa: ANN401
    """Import CuPy; say what to do where CuPy or a card is missing."""
    try:
        import cupy

        found = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        raise ParameterError(
            says(
                "<device='gpu'> needs CuPy and a card that it can use (pip install 'credibly[gpu]'); "
                "found: {kind}: {error}.",
                kind=type(error).__name__,
                error=error,
            ),
            remedy=says("<device='cpu'> gives the same replicates."),
        ) from None
    if not found:
        raise ParameterError(
            says("<device='gpu'> needs a CUDA card; found none."),
            remedy=says("<device='cpu'> gives the same replicates."),
        )
    return cupy


@cache
def _module() -> Any:  # noqa: ANN401
    """Compile the kernels for the card at hand, and give them the distribution of the weights."""
    from importlib.resources import files

    cupy = library()
    source = files("credibly._kernels").joinpath("replicates.cu").read_text()
    module = cupy.RawModule(code=source, options=("-std=c++17",))
    for name, table in (("ENDS", (T1, T2, T3, T4, T5, T6, T7)), ("REST_ENDS", REST)):
        values = np.array(table, np.uint64)
        room = cupy.ndarray(values.shape, values.dtype, module.get_global(name))
        room[:] = cupy.asarray(values)
    return module


def falling_order(score: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the rows by falling score, and which of them differ in score from the row before."""
    cupy = library()
    column = cupy.asarray(score)
    order = cupy.argsort(-column)
    ranked = column[order]
    new = cupy.ones(ranked.size, bool)
    new[1:] = ranked[1:] != ranked[:-1]
    return order.get().astype(np.int64), new.get()


def device_sums(rows: DevicePanel, keys: Sequence[int], *, reach: bool) -> tuple[Floats, ...]:
    """Return sums of ranking, of losses and of cells, a row for each of 64 replicates of each key.

    ``reach`` asks for precision and the largest gap as well, which take another walk.
    """
    cupy = library()
    found: tuple[list[Floats], ...] = ([], [], [])
    step = at_once(rows.steps.size)
    for start in range(0, len(keys), step):
        some = cupy.asarray(np.array(keys[start : start + step], np.uint64))
        parts = rows.order(some, reach=reach), rows.loss_sums(some), rows.cell_sums(some)
        for to, part in zip(found, parts, strict=True):
            to.append(part.get().T)
    return tuple(np.concatenate(each) for each in found)


class DevicePanel:
    """Rows on the card: those of ranking in falling order of score, cut into segments."""

    def __init__(
        self,
        case: NDArray[np.uint64],
        kind: NDArray[np.uint8],
        losses: Floats,
        cell: NDArray[np.int64],
        n_cells: int,
    ) -> None:
        cupy = library()
        edges = _edges(case.size)
        self.steps, self.edges, self.kind, self.ends_head = map(
            cupy.asarray, (case * STEP, edges, kind, _ends_head(kind, edges))
        )
        some = (
            losses[:, c : c + LOSSES_PER_WALK] for c in range(0, losses.shape[1], LOSSES_PER_WALK)
        )
        self.losses = [cupy.asarray(np.ascontiguousarray(columns)) for columns in some]
        self.cell, self.n_cells = cell, n_cells

    def order(self, keys: Any, *, reach: bool) -> Any:  # noqa: ANN401
        """Return the sums of ranking, a row for each; precision and gap only if asked for."""
        cupy = library()
        n, width = len(self.edges) - 1, len(keys) * LANES
        parts = cupy.empty((n, width, 8), np.uint32)
        _walk("segments", (self.steps, self.kind, self.edges, keys), parts)
        before = cupy.empty((n, width, 4)) if reach else None
        out = cupy.zeros((6, width))
        shape = np.int32(n), np.int32(width), before if reach else np.intp(0)
        join = _module().get_function("ranked")
        join((-(-width // 32),), (32,), (parts, self.ends_head, *shape, out))
        if reach:
            each = cupy.empty((2, n, width))
            _walk("reached", (self.steps, self.kind, self.edges, keys), before, out, *each)
            out[4], out[5] = each[0].sum(axis=0), each[1].max(axis=0)
        return out

    def loss_sums(self, keys: Any) -> Any:  # noqa: ANN401
        """Return the sum of each loss, a row for each."""
        cupy = library()
        n, width = len(self.edges) - 1, len(keys) * LANES
        found = [cupy.empty((0, width))]
        for some in self.losses:
            columns = some.shape[1]
            parts = cupy.empty((n, columns, width))
            rows = (self.steps, some, self.edges, keys)
            _walk("loss_sums", rows, np.int32(columns), parts)
            found.append(parts.sum(axis=0))
        return cupy.concatenate(found)

    def cell_sums(self, keys: Any) -> Any:  # noqa: ANN401
        """Return the weight of each cell, a row for each."""
        cupy = library()
        out = cupy.zeros((self.n_cells, len(keys) * LANES), np.uint64)
        if self.n_cells:
            order = np.argsort(self.cell, kind="stable")
            cell = self.cell[order].astype(np.int32)
            cuts = np.union1d(_edges(cell.size), np.flatnonzero(np.diff(cell)) + 1)
            columns = self.steps[cupy.asarray(order)], cell, cuts.astype(np.int32)
            _walk("cell_sums", (*map(cupy.asarray, columns), keys), out)
        return out.astype(np.float64)


def _walk(name: str, rows: Sequence[Any], *more: Any) -> None:  # noqa: ANN401
    """Run a kernel over all segments of the rows, for the replicates of all keys."""
    *_, edges, keys = rows
    threads = len(keys) * LANES // REPLICATES_PER_THREAD
    grid = (len(edges) - 1, -(-threads // BLOCK_THREADS))
    size = np.int32(len(keys)), np.int32(len(keys) * LANES)
    _module().get_function(name)(grid, (min(threads, BLOCK_THREADS),), (*rows, *size, *more))


def _edges(n: int) -> NDArray[np.int32]:
    return np.append(np.arange(0, n, MAX_SEGMENT_ROWS), n).astype(np.int32)


def _ends_head(kind: NDArray[np.uint8], edges: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Say of each segment whether a score that began before it ends in it."""
    last = np.flatnonzero(kind & LAST_OF_TIE)
    starts, stops = edges[:-1], edges[1:]
    before = kind[np.maximum(starts - 1, 0)]
    open_before = (starts > 0) & ((before & TIED) > 0) & ((before & LAST_OF_TIE) == 0)
    has_end = np.searchsorted(last, stops) > np.searchsorted(last, starts)
    return (open_before & has_end).astype(np.uint8)
