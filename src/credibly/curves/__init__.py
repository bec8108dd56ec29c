"""Curves: each declared once, as a function from a summary to points, and drawn by `curve`.

>>> from credibly import Predictions
>>> from credibly.curves import curve
>>> curve("gains", Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])).at(0.5)
0.5
"""

from credibly.curves._declare import CurveKind, Points, curve_kind, curves
from credibly.curves.drawing import curve, draw
from credibly.curves.result import Band, Curve, Curves

__all__ = [
    "Band",
    "Curve",
    "CurveKind",
    "Curves",
    "Points",
    "curve",
    "curve_kind",
    "curves",
    "draw",
]
