"""The chances of a fair coin: of the cases that count for one of two models alone, half would count for either."""

from __future__ import annotations

import math

FEW_DISCORDANT = 25  # below, the test is exact; from there on what was seen counts half
MOST_ADDED = 1000  # throws of which chances are added up one by one


def discordant_tails(
    first: float, second: float, *, half: bool | None = None
) -> tuple[float, float]:
    """Return the chances that as few, and as many, of the cases would count for the first.

    ``half`` counts what was seen half (mid-p); by default from 25 cases on.

    >>> discordant_tails(15, 5)
    (0.9940910339355469, 0.020694732666015625)
    >>> discordant_tails(900, 600)[1] < 1e-13
    True
    """
    n = int(first + second)
    taken = (n >= FEW_DISCORDANT if half is None else half) * _exactly(int(first), n) / 2
    return _at_most(int(first), n) - taken, _at_most(int(second), n) - taken


def _exactly(heads: int, n: int) -> float:
    chance = math.lgamma(n + 1) - math.lgamma(heads + 1) - math.lgamma(n - heads + 1)
    return math.exp(chance - n * math.log(2))


def _at_most(heads: int, n: int) -> float:
    """Return the chance of at most so many heads in n throws."""
    if n > MOST_ADDED:
        from scipy.special import bdtr

        return float(bdtr(heads, n, 0.5))
    ways = total = 1
    for k in range(heads):
        ways = ways * (n - k) // (k + 1)
        total += ways
    return total / 2**n
