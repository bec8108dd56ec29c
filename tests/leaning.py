"""A slow twin of limits that lean as losses do: Hall's cubic, solved by bisection."""

import math

from scipy import stats
from scipy.optimize import brentq


def spread(losses):
    """Return the standard error of a mean of losses, and Satterthwaite's degrees of freedom."""
    squares, n = (losses - losses.mean()) ** 2, losses.size
    freedom = 2 * squares.sum() ** 2 / ((squares**2).sum() - squares.sum() ** 2 / n)
    return losses.std(ddof=1) / math.sqrt(n), min(freedom, n - 1)


def leaning(losses, value, error, freedom, level=0.95):
    """Return limits of a mean with the skewness of some losses, and errors of its own."""
    off = losses - losses.mean()
    a = (off**3).mean() / (off**2).mean() ** 1.5 / math.sqrt(losses.size)
    t = stats.t.ppf((1 + level) / 2, freedom)

    def hall(x):
        return x + a * x**2 / 3 + a**2 * x**3 / 27 + a / 6

    down, up = (brentq(lambda x, z=z: hall(x) - z, -1e4, 1e4, xtol=1e-13) for z in (t, -t))
    low = max(value - down * error, value * math.exp(-t * error / value))
    return low, value + max(-up, t) * error
