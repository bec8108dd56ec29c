"""Numbers that break sorting and summing: ties, neighbours, the smallest, the largest, two zeros."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

SPECIAL = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    0.1,
    1.0,
    float(np.nextafter(1.0, 2.0)),
    float(np.nextafter(1.0, 0.0)),
    -1.0,
    float(np.nextafter(-1.0, -2.0)),
    float(np.nextafter(-1.0, 0.0)),
    1e308,
    -1e308,
    float(np.nextafter(1e308, 0.0)),
    1.7976931348623157e308,
]
scores = st.sampled_from(SPECIAL) | st.floats(allow_nan=False, allow_infinity=False)
few_scores = st.sampled_from([0.0, -0.0, 1.0, float(np.nextafter(1.0, 2.0))])
weights = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(13, 4)])
# Numbers whose squares and sums stay in a double, with neighbours and ties.
moderate = st.sampled_from([0.0, -0.0, 0.1, 1.0, float(np.nextafter(1.0, 2.0)), -2.5, 7.0]) | (
    st.floats(-1e6, 1e6, allow_subnormal=False)
)


@st.composite
def scored_rows(draw, min_size=1, max_size=14, score=scores | few_scores):
    """Rows of (score, positive, weight): weights all one, or with zeros but not all of them."""
    row = st.tuples(score, st.booleans())
    rows = draw(st.lists(row, min_size=min_size, max_size=max_size))
    if draw(st.booleans()):
        return [(s, y, Fraction(1)) for s, y in rows], False
    given = [draw(weights) for _ in rows]
    if not any(given):
        given[0] = Fraction(1)
    return [(s, y, w) for (s, y), w in zip(rows, given, strict=True)], True


@st.composite
def points(draw, number=moderate, min_size=1, max_size=12):
    """Rows of (truth, value, weight)."""
    rows = draw(st.lists(st.tuples(number, number), min_size=min_size, max_size=max_size))
    given = [draw(weights) for _ in rows] if draw(st.booleans()) else [Fraction(1)] * len(rows)
    if not any(given):
        given[0] = Fraction(1)
    return [(a, v, w) for (a, v), w in zip(rows, given, strict=True)]


@st.composite
def distributions(draw, k=3, parts=16, max_size=8):
    """Truths, probabilities in sixteenths (so that sums are exact) and weights."""
    n = draw(st.integers(1, max_size))
    truth = [draw(st.integers(0, k - 1)) for _ in range(n)]
    rows = []
    for _ in range(n):
        cuts = sorted(draw(st.integers(0, parts)) for _ in range(k - 1))
        ends = [0, *cuts, parts]
        rows.append([Fraction(ends[i + 1] - ends[i], parts) for i in range(k)])
    given = [draw(weights) for _ in rows] if draw(st.booleans()) else [Fraction(1)] * n
    if not any(given):
        given[0] = Fraction(1)
    return truth, rows, given
