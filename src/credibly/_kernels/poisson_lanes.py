"""Compiled kernels of the bootstrap: sixty-four replicates side by side in the lanes of vector registers.

They are compiled when the first large input comes.
"""

# ruff: noqa: ANN401, FBT001  (the compiler finds out what the arguments are)

from __future__ import annotations

from itertools import accumulate
from math import factorial
from typing import Any

import numpy as np

from credibly._kernels import kernel

LANES = 64
WORDS = LANES // 4  # four 16-bit lanes a word
# and eight of 8 bits, in which weights are held: of lanes that are 32 apart, by turns
HALF = WORDS // 2
SUMMED = 1024  # rows whose weights are sure to add up to 16 bits
TILE = 16  # rows whose pairs are sure to fit 16 bits: see `_tables`
U64 = np.uint64
GOLDEN, MIX1, MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
POISSON, MULTINOMIAL, RESOLVE, ADJUSTING = 1, 2, 0xD1B54A32D192ED03, 0x8CB92BA72F3D8DD7
ALL64 = (1 << 64) - 1
EACH = 0x0001_0001_0001_0001


def _tables() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return where the weights 0 to 6 end among 32768 cells and the distribution within the rest.

    A weight w gets all the cells that fit into its probability. What is left over of each weight up
    to 6, and all larger ones, share the last 6 cells, in which 64 more bits decide. So the weights
    have their probabilities to within 2^-76 and cannot exceed 23; in 16 rows positives times
    negatives cannot exceed (8 * 23)^2, which fits 16 bits.
    """
    one = 1 << 200
    inverse_e = sum((-1) ** k * (one // factorial(k)) for k in range(60))
    cells = [(inverse_e << 15) // factorial(k) for k in range(24)]
    whole = [c // one if k < UNSURE else 0 for k, c in enumerate(cells)]
    ends = tuple(accumulate(whole[:UNSURE]))
    rest = accumulate(c - w * one for c, w in zip(cells, whole, strict=True))
    left = (1 << 15) - ends[-1]
    return ends, tuple((r << 64) // (left * one) for r in rest)[:-1]


UNSURE = 7
ENDS, REST = _tables()
REST_ENDS = np.array(REST, np.uint64)
T1, T2, T3, T4, T5, T6, T7 = (U64(end * EACH) for end in ENDS)
HIGH, BIT0, BIT1, BIT2 = (U64(bit * EACH) for bit in (0x8000, 1, 2, 4))
LOW_BYTES = U64(0xFF * EACH)
STEP = U64(WORDS * GOLDEN & ALL64)
GOLD, M1, M2, SALT, ADJUST = U64(GOLDEN), U64(MIX1), U64(MIX2), U64(RESOLVE), U64(ADJUSTING)
S13, S14, S15, S27, S30, S31, S32 = (U64(s) for s in (13, 14, 15, 27, 30, 31, 32))
LOW32, TWO32 = U64(0xFFFFFFFF), U64(1 << 32)
OFFSETS = np.array([j * GOLDEN & ALL64 for j in range(WORDS)], np.uint64)


@kernel()
def mix(z: Any) -> Any:
    """Hash 64 bits; on arrays, ``mix.plain`` does it for all at once."""
    z = (z ^ (z >> S30)) * M1
    z = (z ^ (z >> S27)) * M2
    return z ^ (z >> S31)


@kernel()
def _draw(case: Any, start: int, m: int, key: Any, offsets: Any, words: Any, weights: Any) -> None:
    """Write the weights of ``m`` rows in 64 lanes; ``weights`` are the 16-bit parts of ``words``.

    With the top bit of a lane set, taking off a threshold leaves it set if the other 15 bits reach
    the threshold, and never borrows from the next lane. As the thresholds rise, exclusive ors of
    these bits are the binary digits of the number of thresholds reached.
    """
    for i in range(m):
        base = key + case[start + i] * STEP
        unsure = U64(0)
        row = i * offsets.size
        for j in range(offsets.size):  # not a constant, or the wrong loop is vectorised
            z = mix(base + offsets[j]) | HIGH
            four, seven = z - T4, z - T7
            two = (z - T2) ^ four ^ (z - T6)
            odd = (z - T1) ^ (z - T3) ^ (z - T5) ^ two ^ seven
            words[row + j] = ((odd >> S15) & BIT0) | ((two >> S14) & BIT1) | ((four >> S13) & BIT2)
            unsure |= seven
        if unsure & HIGH:
            for lane in range(LANES):
                if weights[i, lane] == UNSURE:
                    more = mix(mix(base ^ SALT) + U64(lane) * GOLD)
                    w = 0
                    while w < REST_ENDS.size and more >= REST_ENDS[w]:
                        w += 1
                    weights[i, lane] = w


@kernel()
def _weights_of(case: Any, start: int, m: int, drawing: Any) -> None:
    """Write the weights of ``m`` rows in 64 lanes: those that are held for their cases, or drawn now."""
    key, offsets, words, weights, held = drawing
    if not held.size:
        _draw(case, start, m, key, offsets, words, weights)
        return
    for i in range(m):  # of each row first a word, so that its cache misses overlap
        words[i * WORDS] = held[np.int64(case[start + i]) * HALF]
    for i in range(m):
        row = np.int64(case[start + i]) * HALF
        for j in range(HALF):
            pair = held[row + j]
            words[i * WORDS + j] = pair & LOW_BYTES
            words[i * WORDS + HALF + j] = (pair >> U64(8)) & LOW_BYTES


@kernel()
def hold(members: Any, drawing: Any, held: Any) -> None:
    """Write the weights of some cases in 64 lanes, adjusted so that each lane draws as many as there are."""
    key, by_lane = drawing[0], held.view(np.uint8)
    size = U64(members.size)
    unfair = TWO32 % size
    total, any_bit = np.zeros(LANES, np.int64), np.zeros(HALF, np.uint64)
    _hold_drawn(members, drawing, total, any_bit, held)
    for lane in range(LANES):
        base = mix(mix(mix(key ^ ADJUST) + U64(lane) * GOLD) + members[0])
        off = members.size - total[lane]
        step = 1 if off > 0 else -1
        place = 2 * (lane % (LANES // 2)) + lane // (LANES // 2)
        mask, tries = U64(_filled(any_bit.view(np.uint8)[place])), U64(0)
        while off != 0:
            bits = mix(base + tries * GOLD)
            tries += U64(1)
            product = (bits >> S32) * size
            if (product & LOW32) < unfair:
                continue
            at = np.int64(members[product >> S32]) * LANES + place
            if step < 0 and bits & mask >= U64(by_lane[at]):
                continue
            by_lane[at] += np.uint8(step)  # of -1, all bits are set
            off -= step


@kernel()
def _hold_drawn(members: Any, drawing: Any, total: Any, any_bit: Any, held: Any) -> None:
    """Write Poisson weights, add up those of each lane, and find the bits that some of them has."""
    key, offsets, words, weights = drawing
    part = np.zeros(WORDS, np.uint64)  # four lanes in each
    by_lane = part.view(np.uint16)
    for start in range(0, members.size, TILE):
        m = min(TILE, members.size - start)
        _draw(members, start, m, key, offsets, words, weights)
        _add_words(words, m, part)
        for i in range(m):
            row = np.int64(members[start + i]) * HALF
            for j in range(HALF):
                pair = words[i * WORDS + j] | words[i * WORDS + HALF + j] << U64(8)
                held[row + j] = pair
                any_bit[j] |= pair
        if start % SUMMED == 0 or start + m == members.size:
            for lane in range(LANES):
                total[lane] += np.int64(by_lane[lane])
            for j in range(WORDS):
                part[j] = U64(0)


@kernel()
def _add_words(words: Any, m: int, part: Any) -> None:
    for i in range(m):
        for j in range(WORDS):
            part[j] += words[i * WORDS + j]


@kernel()
def _filled(bits: int) -> int:
    """Set all bits below the highest that is set."""
    filled = 0
    while filled < bits:
        filled = 2 * filled + 1
    return filled


@kernel()
def fill(case: Any, key: Any, offsets: Any, words: Any, weights: Any, lane: int, out: Any) -> None:
    """Write the weights in lanes from ``lane`` on, a row for each."""
    for start in range(0, case.size, TILE):
        m = min(TILE, case.size - start)
        _draw(case, start, m, key, offsets, words, weights)
        for r in range(out.shape[0]):
            for i in range(m):
                out[r, start + i] = weights[i, lane + r]


@kernel()
def fill_lanes(case: Any, key: Any, offsets: Any, words: Any, weights: Any, out: Any) -> None:
    """Write the weights in all lanes, a column for each."""
    for start in range(0, case.size, TILE):
        m = min(TILE, case.size - start)
        _draw(case, start, m, key, offsets, words, weights)
        out[start : start + m] = weights[:m]


@kernel()
def tally(key: Any, start: int, out: Any) -> None:
    size = U64(out.size)
    for i in range(start, start + out.size):
        bits = mix(key + U64(i) * GOLD)
        product = (bits >> S32) * size
        while (product & LOW32) < TWO32 % size:
            bits = mix(bits + GOLD)
            product = (bits >> S32) * size
        out[product >> S32] += 1


# Places in the running sums: 64 lanes of each in one array, so that the compiler sees by itself that
# they do not overlap. Those of a tile have 16 bits, those of all rows before it 64.
ALONE_NEGATIVE, ALONE_POSITIVE, TIED_NEGATIVE, LAST_OF_TIE = 0, 1, 2, 4
TP, FP, CONCORDANT, TIED, GP, GN, END = (LANES * i for i in range(7))


@kernel()
def add_block(rows: Any, edges: Any, drawing: Any, room: Any, sums: Any) -> None:
    """Run 64 replicates through the rows. ``passed``: sums of the classes at each edge, if asked for."""
    case, kind, losses, cell = rows
    weights = drawing[3]
    small, reach, as_float, part = room
    wide, precision, total, cells, passed = sums
    ranking = (small, wide, reach, precision)
    split = np.int64(0)  # not a literal, for which the callee would be compiled once more
    for s in range(edges.size - 1):
        for start in range(edges[s], edges[s + 1], TILE):
            m = min(TILE, edges[s + 1] - start)
            _weights_of(case, start, m, drawing)
            split = _order(kind, start, m, weights, ranking, split)
            if total.size:
                _add_losses(losses, start, m, weights, as_float, part)
            if cells.size:
                _add_cells(cell, start, m, weights, cells)
        for c in range(total.shape[0]):  # in two steps, to keep the last digits
            for lane in range(LANES):
                total[c, lane] += part[c, lane]
                part[c, lane] = 0.0
        if passed.size:
            for lane in range(2 * LANES):
                passed[s + 1, lane] = wide[lane]


@kernel()
def _order(kind: Any, start: int, m: int, weights: Any, sums: Any, split: int) -> int:
    """Add a tile to the sums of ranking. ``split``: a tie has begun in a tile before."""
    small, wide, reach, precision = sums
    within = split
    for i in range(m):
        k, row = kind[start + i], weights[i]
        if k == ALONE_NEGATIVE:
            for lane in range(LANES):
                small[CONCORDANT + lane] += row[lane] * small[TP + lane]
            for lane in range(LANES):
                small[FP + lane] += row[lane]
            continue
        place = TP if k == ALONE_POSITIVE else GP if k & 1 else GN
        for lane in range(LANES):
            small[place + lane] += row[lane]
        if k == ALONE_POSITIVE:
            _add_precision(row, 0, small, reach, precision)
            continue
        within = 1
        if k >= LAST_OF_TIE:
            if split:
                _flush(small, wide, reach)
                _close_wide(small, wide, reach, precision)
            else:
                _close_small(small, reach, precision)
            within = split = 0
    _flush(small, wide, reach)
    return within


@kernel()
def _add_precision(of: Any, place: int, small: Any, reach: Any, precision: Any) -> None:
    """Add precision at a score for each of its positives; whole numbers, so a total below 1 is 0."""
    for lane in range(precision.size):
        tp, fp = np.int32(small[TP + lane]), np.int32(small[FP + lane])
        labelled = reach[LANES + lane] + np.float64(tp + fp)
        share = (reach[lane] + np.float64(tp)) / max(labelled, 1.0)
        precision[lane] += np.float64(np.int32(of[place + lane])) * share


@kernel()
def _close_small(small: Any, reach: Any, precision: Any) -> None:
    """End a tie that lies within the tile."""
    for lane in range(LANES):
        small[CONCORDANT + lane] += small[GN + lane] * small[TP + lane]
    for lane in range(LANES):
        small[TIED + lane] += small[GN + lane] * small[GP + lane]
    for lane in range(LANES):
        small[TP + lane] += small[GP + lane]
    for lane in range(LANES):
        small[FP + lane] += small[GN + lane]
    _add_precision(small, GP, small, reach, precision)
    for lane in range(GP, END):
        small[lane] = 0


@kernel()
def _close_wide(small: Any, wide: Any, reach: Any, precision: Any) -> None:
    """End a tie that began in a tile before; the tile so far has been flushed."""
    for lane in range(LANES):
        wide[CONCORDANT + lane] += wide[GN + lane] * wide[TP + lane]
    for lane in range(LANES):
        wide[TIED + lane] += wide[GN + lane] * wide[GP + lane]
    for lane in range(LANES):
        wide[TP + lane] += wide[GP + lane]
    for lane in range(LANES):
        wide[FP + lane] += wide[GN + lane]
    for lane in range(precision.size):
        p, tp, fp = wide[GP + lane], wide[TP + lane], wide[FP + lane]
        precision[lane] += p * (tp / max(np.float64(tp + fp), 1.0))
    for lane in range(GP, END):
        wide[lane] = 0
    _flush(small, wide, reach)  # nothing but how far the rows reach


@kernel()
def _flush(small: Any, wide: Any, reach: Any) -> None:
    """Move the sums of a tile, and a tie it leaves open, to those of all rows."""
    for lane in range(LANES):
        wide[CONCORDANT + lane] += np.int64(small[FP + lane]) * wide[TP + lane]
    for lane in range(END):
        wide[lane] += np.int64(small[lane])
    for lane in range(END):
        small[lane] = 0
    for lane in range(LANES):
        reach[lane] = wide[TP + lane]
    for lane in range(LANES):
        reach[LANES + lane] = wide[TP + lane] + wide[FP + lane]


@kernel()
def _add_losses(losses: Any, start: int, m: int, weights: Any, as_float: Any, part: Any) -> None:
    for i in range(m):
        for lane in range(LANES):
            as_float[i, lane] = np.float64(np.int32(weights[i, lane]))
    whole = m - m % 4
    for c in range(losses.shape[1]):
        to = part[c]
        for i in range(0, whole, 4):
            w, x, y, z = (
                losses[start + i, c],
                losses[start + i + 1, c],
                losses[start + i + 2, c],
                losses[start + i + 3, c],
            )
            a, b, d, e = as_float[i], as_float[i + 1], as_float[i + 2], as_float[i + 3]
            for lane in range(LANES):
                to[lane] += (a[lane] * w + b[lane] * x) + (d[lane] * y + e[lane] * z)
        for i in range(whole, m):
            w, a = losses[start + i, c], as_float[i]
            for lane in range(LANES):
                to[lane] += a[lane] * w


@kernel()
def _add_cells(cell: Any, start: int, m: int, weights: Any, cells: Any) -> None:
    for i in range(m):
        to, row = cells[cell[start + i]], weights[i]
        for lane in range(LANES):
            to[lane] += np.uint32(row[lane])


@kernel()
def largest_gap(
    case: Any,
    kind: Any,
    edges: Any,
    drawing: Any,
    passed: Any,
    positives: Any,
    negatives: Any,
    gap: Any,
) -> None:
    """Find the largest gap, in pairs, now that the totals are known.

    Between two edges the gap cannot leave what all positives first or all negatives first would make
    of it. Weights are drawn again only where that exceeds the largest gap at any edge.
    """
    weights = drawing[3]
    at = np.empty(LANES)
    for s in range(1, edges.size):
        for lane in range(LANES):
            gap[lane] = max(
                gap[lane],
                abs(passed[s, lane] * negatives[lane] - passed[s, LANES + lane] * positives[lane]),
            )
    for s in range(edges.size - 1):
        excess = -1.0
        for lane in range(LANES):
            up = passed[s + 1, lane] * negatives[lane] - passed[s, LANES + lane] * positives[lane]
            down = passed[s + 1, LANES + lane] * positives[lane] - passed[s, lane] * negatives[lane]
            excess = max(excess, max(up, down) - gap[lane])
        if excess <= 0.0:
            continue
        for lane in range(LANES):
            at[lane] = passed[s, lane] * negatives[lane] - passed[s, LANES + lane] * positives[lane]
        for start in range(edges[s], edges[s + 1], TILE):
            m = min(TILE, edges[s + 1] - start)
            _weights_of(case, start, m, drawing)
            for i in range(m):
                _step(kind[start + i], weights[i], positives, negatives, at, gap)


@kernel()
def _step(k: int, row: Any, positives: Any, negatives: Any, at: Any, gap: Any) -> None:
    if k & 1:
        for lane in range(LANES):
            at[lane] += np.float64(np.int32(row[lane])) * negatives[lane]
    else:
        for lane in range(LANES):
            at[lane] -= np.float64(np.int32(row[lane])) * positives[lane]
    if k < TIED_NEGATIVE or k >= LAST_OF_TIE:
        for lane in range(LANES):
            gap[lane] = max(gap[lane], abs(at[lane]))


@kernel()
def weigh(
    weights: Any,
    rows: Any,
    with_precision: bool,
    with_gap: bool,
    zero: Any,
    order: Any,
    totals: Any,
    cells: Any,
) -> None:
    """Add up under given weights, one replicate (row) after the other."""
    case, positive, last, losses, cell = rows
    n = case.size
    for b in range(weights.shape[0]):
        weight = weights[b]
        tp, fp, concordant, tied, p, q, gap = zero, zero, zero, zero, zero, zero, zero
        precision = 0.0
        for i in range(n):
            w = weight[case[i]] + zero
            mine = w if positive[i] else zero
            p += mine
            q += w - mine
            if last[i]:
                concordant += tp * q
                tied += p * q
                tp += p
                fp += q
                if with_precision and tp > zero:
                    precision += p * (tp / (tp + fp))
                p, q = zero, zero
        if with_gap:
            gap = _gap_of_one(weight, case, positive, last, tp, fp, zero)
        order[b, 0], order[b, 1], order[b, 2] = tp, fp, concordant
        order[b, 3], order[b, 4], order[b, 5] = tied, precision, gap
        for i in range(n if cells.size else 0):
            cells[b, cell[i]] += weight[case[i]]
        for i in range(n):
            for c in range(losses.shape[1]):
                totals[b, c] += weight[case[i]] * losses[i, c]


@kernel()
def _gap_of_one(
    weight: Any, case: Any, positive: Any, last: Any, positives: Any, negatives: Any, zero: Any
) -> Any:
    tp, fp, gap = zero, zero, zero
    for i in range(case.size):
        w = weight[case[i]] + zero
        mine = w if positive[i] else zero
        tp += mine
        fp += w - mine
        if last[i]:
            gap = max(gap, abs(tp * negatives - fp * positives))
    return gap
