"""The weights of cases in replicates, as functions of seed, replicate and case alone.

So it does not matter in which order the cases stand, how replicates are cut into blocks or how many
threads share them, and models that are evaluated on the same cases get the same replicates. Numba is
imported when the first large input comes; small ones take the numpy twin of each kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count

import numpy as np
from numpy.typing import ArrayLike, NDArray

from credibly._kernels import poisson_lanes, worth_compiling
from credibly._kernels.poisson_lanes import (
    ADJUST,
    ALL64,
    ENDS,
    GOLD,
    GOLDEN,
    HALF,
    LANES,
    LOW32,
    MIX1,
    MIX2,
    MULTINOMIAL,
    OFFSETS,
    POISSON,
    REST_ENDS,
    S32,
    SALT,
    STEP,
    TILE,
    TWO32,
    U64,
    UNSURE,
    WORDS,
    mix,
)

Strata = tuple[list[slice], NDArray[np.intp] | None]
MIN_ADJUSTED_CASES = 1000  # from which it is cheaper to adjust Poisson weights than to count draws
CANDIDATES_PER_LOOK = 1 << 8  # cases among which the twin looks at a time for draws to take away
DRAWS_PER_TALLY = 1 << 14  # draws counted at a time: these fit the cache
# Draws for a row of COMPILE_FROM, so 2 million in all: fewer take the twin 50 ms at most, where loading
# numba would take ten times as long; from there on each later call gains ten times.
DRAWS_PER_ROW = 20


def rows_by_weight(weight: NDArray[np.float64], uniform: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the row that each number from 0 up to 1 falls on, rows being as wide as they weigh.

    >>> rows_by_weight(np.array([1.0, 0.0, 3.0]), np.array([0.0, 0.24, 0.25, 0.99])).tolist()
    [0, 0, 2, 2]
    """
    ends = weight.cumsum()
    return np.searchsorted(ends, uniform * ends[-1], side="right")


# --- Poisson(1) weights ------------------------------------------------------------------------


def poisson_weights(
    case: ArrayLike, *, seed: int, first: int = 0, count: int, of: int = 0
) -> NDArray[np.uint8]:
    """Return the weights of cases (columns) in replicates ``first`` to ``first + count`` (rows).

    They are Poisson with mean 1; ``of`` says how many replicates there will be in all. Rows that have the same ``case``, such as the number of their
    group, have the same weight.

    >>> poisson_weights([0, 1, 2, 1], seed=1, first=5, count=2).tolist()
    [[0, 2, 1, 2], [1, 0, 1, 0]]
    """
    numbers = numbers_of(case, np.size(case))
    compiled = worth_kernels(numbers.size, of or count)
    return poisson(numbers, seed, first, first + count, compiled=compiled)


def poisson(
    case: NDArray[np.uint64],
    seed: int,
    first: int,
    stop: int,
    *,
    compiled: bool,
) -> NDArray[np.uint8]:
    out = np.empty((stop - first, case.size), np.uint8)
    for block in range(first // LANES, -(-stop // LANES)):
        low, high = max(first, block * LANES), min(stop, (block + 1) * LANES)
        key, lane = key_of(seed, POISSON, block), low % LANES
        rows = out[low - first : high - first]
        if compiled:
            poisson_lanes.fill(case, U64(key), OFFSETS, *tile(), lane, rows)
        else:
            rows[:] = _lanes(case, key, lane, lane + high - low)
    return out


def tile() -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """Return room for the weights of a tile, as words and by row and lane."""
    words = np.empty(TILE * WORDS, np.uint64)
    return words, words.view(np.uint16).reshape(TILE, LANES)


def worth_kernels(rows: int, replicates: int) -> bool:
    """Whether to use the kernels: by all the work that there is, never by what happens to be loaded."""
    return worth_compiling(rows * replicates // DRAWS_PER_ROW)


def numbers_of(case: ArrayLike, n: int) -> NDArray[np.uint64]:
    numbers = np.ascontiguousarray(case, np.int64)
    if numbers.shape != (n,) or (n and numbers.min() < 0):
        raise ValueError(f"case must hold {n} numbers from 0 on, one for each row.")
    return numbers.view(np.uint64)


def key_of(*parts: int) -> int:
    """Hash seed, purpose and number into 64 bits."""
    z = 0
    for part in parts:
        z = (z + part + GOLDEN) & ALL64
        z = ((z ^ (z >> 30)) * MIX1) & ALL64
        z = ((z ^ (z >> 27)) * MIX2) & ALL64
        z ^= z >> 31
    return z


def _lanes(case: NDArray[np.uint64], key: int, low: int, high: int) -> NDArray[np.uint8]:
    """Return the weights in lanes ``low`` to ``high`` of a block: the twin of `_draw`."""
    base = U64(key) + case * STEP
    words = range(low // 4, -(-high // 4))
    bits = mix.plain(base[:, None] + OFFSETS[words.start : words.stop])
    cell = bits.view(np.uint16)[:, low - 4 * words.start :][:, : high - low] & np.uint16(0x7FFF)
    weight = _weight_of_cell()[cell]
    row, lane = np.nonzero(weight == UNSURE)
    more = mix.plain(mix.plain(base[row] ^ SALT) + (lane + low).astype(np.uint64) * GOLD)
    weight[row, lane] = np.searchsorted(REST_ENDS, more, side="right")
    return weight.T


@cache
def _weight_of_cell() -> NDArray[np.uint8]:
    """Return the weight for each of the 15 bits that decide on it: looked up, not searched for."""
    cells = np.arange(1 << 15, dtype=np.uint16)
    return np.searchsorted(np.array(ENDS, np.uint16), cells, side="right").astype(np.uint8)


# --- multinomial weights -----------------------------------------------------------------------


def multinomial_weights(
    n: int, *, seed: int, first: int = 0, count: int, of: int = 0, strata: ArrayLike | None = None
) -> NDArray[np.int32]:
    """Return how often each of ``n`` cases (columns) is drawn in each replicate (rows).

    A replicate draws ``n`` cases with replacement; with ``strata`` (a code from 0 for each case) as
    many from each stratum as it has. Bounded integers are unbiased: what would make some more
    likely is drawn again. Of many cases, Poisson weights are adjusted: draws are added to those that
    add up to too few, and taken away by chance from those that add up to too many. Memory is ``n * count``: ask for a few replicates at a time, ``of`` so many.

    >>> multinomial_weights(4, seed=1, count=2).tolist()
    [[1, 2, 1, 0], [2, 1, 1, 0]]
    """
    compiled = worth_kernels(n, of or count)
    return multinomial(spans_of(n, strata), seed, first, first + count, compiled=compiled)


def spans_of(n: int, strata: ArrayLike | None) -> Strata:
    """Return where the strata lie in the cases sorted by stratum, and that order."""
    if strata is None:
        return [slice(0, n)], None
    codes = np.asarray(strata, np.int64)
    if codes.size != n:
        raise ValueError(f"strata must have a code for each of the {n} cases, not {codes.size}.")
    stops = np.cumsum(np.bincount(codes)).tolist()
    return list(map(slice, [0, *stops], stops)), np.argsort(codes, kind="stable")


def multinomial(
    strata: Strata,
    seed: int,
    first: int,
    stop: int,
    *,
    compiled: bool,
) -> NDArray[np.int32]:
    spans, members = strata
    if spans and spans[-1].stop >= MIN_ADJUSTED_CASES:
        return _adjusted(strata, seed, first, stop, compiled=compiled)
    out = np.zeros((stop - first, spans[-1].stop if spans else 0), np.int32)
    keys = np.array([key_of(seed, MULTINOMIAL, r) for r in range(first, stop)], np.uint64)
    for span in spans:
        if compiled:
            for key, row in zip(keys, out, strict=True):
                poisson_lanes.tally(key, span.start, row[span])
        elif span.stop > span.start:
            _tally(keys, span.start, out[:, span])
    if members is not None:
        out[:, members] = out.copy()
    return out


Held = NDArray[np.uint64]  # weights of 64 replicates, 64 bytes for each case
NOT_HELD: Held = np.empty(0, np.uint64)


def room_for(n: int) -> Held:
    """Return room for the weights of ``n`` cases, each of which lies in one line of the cache."""
    room = np.empty((n + 1) * HALF, np.uint64)
    return room[-room.ctypes.data % LANES // room.itemsize :][: n * HALF]


def hold(strata: Strata, seed: int, block: int, held: Held) -> Held:
    """Write multinomial weights of all cases in a block of 64 replicates.

    Poisson weights are a multinomial of as many draws as they add up to. One more is any of the cases;
    one fewer is any of the draws: a case by chance, kept with the chance that a draw is its own.
    """
    key = U64(key_of(seed, MULTINOMIAL, block))
    for members in _by_stratum(strata):
        poisson_lanes.hold(members, (key, OFFSETS, *tile()), held)
    return held


def _by_stratum(strata: Strata) -> Iterator[NDArray[np.uint64]]:
    """Yield the numbers of the cases of each stratum that has any."""
    spans, members = strata
    numbers = np.arange(spans[-1].stop) if members is None else members.astype(np.int64)
    yield from (numbers[span].view(np.uint64) for span in spans if span.stop > span.start)


def _hold(members: NDArray[np.uint64], key: np.uint64) -> NDArray[np.int64]:
    """The twin of `poisson_lanes.hold`, a row for each lane."""
    drawn = _lanes(members, int(key), 0, LANES).astype(np.int64)
    lanes = np.arange(LANES, dtype=np.uint64) * GOLD
    bases = mix.plain(mix.plain(mix.plain(np.full(LANES, key ^ ADJUST)) + lanes) + members[0])
    for weight, base in zip(drawn, bases, strict=True):
        off = members.size - int(weight.sum())
        step, mask = 1 if off > 0 else -1, (1 << int(np.bitwise_or.reduce(weight)).bit_length()) - 1
        for place, which in _candidates(base, members.size, mask):
            if not off:
                break
            if step > 0 or which < weight[place]:
                weight[place] += step
                off -= step
    return drawn


def _candidates(base: np.uint64, size: int, mask: int) -> Iterator[tuple[int, int]]:
    """Yield places below ``size`` by chance, and numbers up to ``mask``; what would bias them is left out."""
    for start in count(0, CANDIDATES_PER_LOOK):
        bits = mix.plain(
            base + np.arange(start, start + CANDIDATES_PER_LOOK, dtype=np.uint64) * GOLD
        )
        product = (bits >> S32) * U64(size)
        fair = (product & LOW32) >= TWO32 % U64(size)
        which = bits[fair] & U64(mask)
        yield from zip((product[fair] >> S32).tolist(), which.tolist(), strict=True)


def _adjusted(
    strata: Strata, seed: int, first: int, stop: int, *, compiled: bool
) -> NDArray[np.int32]:
    """Return multinomial weights made of Poisson weights, a block of replicates at a time."""
    n = strata[0][-1].stop
    out = np.empty((stop - first, n), np.int32)
    for block in range(first // LANES, -(-stop // LANES)):
        low, high = max(first, block * LANES), min(stop, (block + 1) * LANES)
        lanes = slice(low - block * LANES, high - block * LANES)
        drawn = np.empty((LANES, n), np.uint8)
        if compiled:
            held = hold(strata, seed, block, room_for(n))
            drawn[:] = held.view(np.uint8).reshape(n, -1, 2).T.reshape(drawn.shape)
        else:
            for members in _by_stratum(strata):
                drawn[:, members] = _hold(members, U64(key_of(seed, MULTINOMIAL, block)))
        out[low - first : high - first] = drawn[lanes]
    return out


def _tally(keys: NDArray[np.uint64], start: int, out: NDArray[np.int32]) -> None:
    """Count as many draws as there are cases, for each key: the twin of `poisson_lanes.tally`."""
    n = out.shape[1]
    few = max(1, DRAWS_PER_TALLY // n)  # replicates at a time
    numbers = np.arange(start, start + n, dtype=np.uint64) * GOLD
    for low in range(0, len(keys), few):
        part = keys[low : low + few]
        drawn = _bounded((part[:, None] + numbers).ravel(), U64(n)).reshape(len(part), n)
        drawn += np.arange(len(part))[:, None] * n
        counted = np.bincount(drawn.ravel(), minlength=drawn.size)
        out[low : low + few] = counted.reshape(drawn.shape)


def _bounded(z: NDArray[np.uint64], size: np.uint64) -> NDArray[np.int64]:
    """Return unbiased integers below ``size`` (Lemire 2019)."""
    bits = mix.plain(z)
    product = (bits >> S32) * size
    out = (product >> S32).astype(np.int64)
    again = np.flatnonzero((product & LOW32) < TWO32 % size)
    if again.size:
        out[again] = _bounded(bits[again] + GOLD, size)
    return out
