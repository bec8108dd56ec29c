"""Messages: what both sides agree on is free, anything else costs minus log2 of its probability."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln, log_ndtr

from credibly._core.arrays import Floats
from credibly.errors import DataError

LN2 = math.log(2)
RIGHT_ANGLE = math.pi / 2
THIN_CELL = 1e-6  # width of a cell in spreads below which its density at the middle is exact enough
# Of the spread of a column: the smallest precision that is taken by itself.
MIN_PRECISION_SHARE = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """One choice that a message makes: the part it belongs to, what was chosen, and its bits."""

    part: str
    value: Any
    bits: float


class Message:
    """Symbols in the order in which they are sent; each has a probability that both sides know.

    ``parameters`` counts the numbers that were fitted and sent. With ``labels_only``, what is
    predicted is sent as a class instead of a distribution.

    >>> message = Message()
    >>> message.choice("attribute", 2, among=8)
    >>> message.real("slope", 0.74, unit=0.1)
    0.7000000000000001
    >>> message.parts()
    {'attribute': 3.0, 'slope': 8.321928094887362}
    """

    def __init__(self, *, labels_only: bool = False) -> None:
        self.symbols: list[Symbol] = []
        self.parameters: float = 0
        self.labels_only = labels_only

    def add(self, part: str, value: Any, bits: float) -> None:
        """Send a symbol of a known code length."""
        self.symbols.append(Symbol(part, value, bits))

    def parts(self) -> dict[str, float]:
        """Return the bits of each part, in the order of appearance."""
        bits: dict[str, float] = {}
        for symbol in self.symbols:
            bits[symbol.part] = bits.get(symbol.part, 0.0) + symbol.bits
        return bits

    def flag(self, part: str, value: bool) -> None:  # noqa: FBT001
        """Send yes or no, in one bit."""
        self.add(part, int(value), 1.0)

    def choice(self, part: str, value: int, among: int) -> None:
        """Send one of the numbers below ``among``, all alike."""
        self.add(part, int(value), math.log2(among))

    def whole(self, part: str, value: int) -> None:
        """Send a whole number from 0 up, small ones in fewer bits."""
        self.add(part, value, whole_bits(value))

    def signed(self, part: str, value: int) -> None:
        """Send a whole number of either sign."""
        self.add(part, value, whole_bits(abs(value)) + (value != 0))

    def cut_points(self, places: tuple[int, ...], among: int) -> None:
        """Send how many places out of ``among`` are cut points, and which."""
        self.whole("cut points", len(places))
        self.add("cut points", places, _log2_choose(among, len(places)))

    def real(self, part: str, value: float, unit: float) -> float:
        """Send a number as a multiple of a unit; return it as received."""
        self.parameters += 1
        multiple = _rounded(value / unit, part)
        self.signed(part, multiple)
        return multiple * unit

    def scale(self, part: str, value: float, unit: float, n: float) -> float:
        r"""Send a spread that rests on ``n`` cases, to within its standard error of $1/\sqrt{2n}$."""
        self.parameters += 1
        fineness = math.sqrt(2 * max(n, 1))
        steps = _rounded(math.log(value / unit) * fineness, part)
        self.signed(part, steps)
        return unit * math.exp(steps / fineness)

    def distribution(self, part: str, shares: Floats, n: float) -> Floats:
        """Send what to predict for ``n`` cases: the shares of classes, or the most common one alone."""
        if not self.labels_only:
            return self.shares(part, shares, n)
        best = int(np.argmax(shares))
        self.choice(part, best, among=len(shares))
        return np.eye(len(shares))[best]

    def shares(self, part: str, shares: Floats, n: float) -> Floats:
        r"""Send the shares of classes among ``n`` cases; return them as received, none of them 0.

        Each share of what is left is one of about $\pi/2 \sqrt{n}$ angles whose squared sine it is,
        which is the precision that ``n`` cases give it ($\tfrac12 \log_2 n$ bits), finer towards 0 and 1.
        """
        k = len(shares)
        self.parameters += k - 1
        received, left, rest = np.empty(k), 1.0, float(np.sum(shares))
        for c, share in enumerate(shares[:-1]):
            cells = angles(n * left)
            angle = math.asin(math.sqrt(min(share / rest, 1.0))) if rest > 0 else 0.0
            cell = min(int(angle / RIGHT_ANGLE * cells), cells - 1)
            self.choice(part, cell, among=cells)
            received[c] = left * share_at(cell, cells)
            left -= received[c]
            rest -= share
        received[-1] = left
        return received


def angles(n: float) -> int:
    """Return how many shares ``n`` cases can distinguish."""
    return max(1, math.ceil(RIGHT_ANGLE * math.sqrt(n)))


def share_at(cell: int, cells: int) -> float:
    """Return the share that the middle of a cell of angles stands for."""
    return math.sin((cell + 0.5) / cells * RIGHT_ANGLE) ** 2


def whole_bits(value: int) -> float:
    """Return the bits of a whole number from 0 up.

    The number of its binary digits b has the probability 1 / (b (b + 1)), which sums to 1; all numbers
    of as many digits are alike.

    >>> whole_bits(0), whole_bits(1)
    (1.0, 3.584962500721156)
    """
    digits = (value + 1).bit_length()
    return digits - 1 + math.log2(digits * (digits + 1))


def adaptive_bits(counts: Any, pseudo_count: float) -> Floats:
    """Return the bits of labels whose distribution is learnt as they come, of counts along the last axis.

    The probability of the next label is its count so far plus ``pseudo_count``, over the sum of these.
    The order in which labels come does not matter. With a pseudo-count of 1 it is the same as sending
    the counts, all alike, and then which of the orders with these counts it is.

    >>> float(adaptive_bits([2, 1], 1.0))  # 1/2 times 2/3 times 1/4
    3.5849625007211565
    """
    c = np.asarray(counts, np.float64)
    total, k = c.sum(axis=-1), c.shape[-1]
    whole = gammaln(total + k * pseudo_count) - gammaln(k * pseudo_count)
    each = gammaln(c + pseudo_count) - gammaln(pseudo_count)
    return (whole - each.sum(axis=-1)) / LN2


def gaussian_bits(residual: Any, spread: Any, precision: float) -> Floats:
    """Return the bits of each number in cells of a width, under a Gaussian about what was expected.

    >>> gaussian_bits([0.0, 3.0], 1.0, 0.01).round(3)
    array([ 7.97 , 14.462])
    """
    z, width = np.abs(np.asarray(residual, np.float64) / spread), precision / np.asarray(spread)
    near, far = log_ndtr(width / 2 - z), log_ndtr(-width / 2 - z)
    with np.errstate(divide="ignore", invalid="ignore"):
        cell = near + np.log1p(-np.exp(far - near))
    middle = np.log(width) - z**2 / 2 - math.log(2 * math.pi) / 2
    return -np.where(width < THIN_CELL, middle, cell) / LN2


def order_saving(items: Iterable[Any]) -> float:
    r"""Return the bits that tell the order of some items, $\log_2 (n! / \prod_j n_j!)$.

    They are saved where any order will do. They are the same for every theory, so they choose none.

    >>> round(order_saving(range(10)), 6)  # log2 of 10!
    21.791061
    >>> order_saving("aaab")  # four places for the b
    2.0
    """
    counts = np.array(list(Counter(items).values()))
    return max(0.0, round(float((gammaln(counts.sum() + 1) - gammaln(counts + 1).sum()) / LN2), 12))


def resolution(values: Floats) -> float:
    """Return the precision to which numbers seem to be known: the smallest gap between two of them.

    It is at least a millionth of their standard deviation, and 1 where all are equal.

    >>> resolution(np.array([3.0, 3.5, 7.0, 3.0])), resolution(np.array([2.0, 2.0]))
    (0.5, 1.0)
    """
    distinct = np.unique(values)
    if distinct.size < 2:
        return 1.0
    return float(max(np.diff(distinct).min(), MIN_PRECISION_SHARE * values.std()))


def _log2_choose(n: int, k: int) -> float:
    return float(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / LN2 if k else 0.0


def _rounded(value: float, part: str) -> int:
    if not math.isfinite(value):
        raise DataError(
            f"The theory has a number that is not finite among its {part}, which cannot be encoded."
        )
    return round(value)
