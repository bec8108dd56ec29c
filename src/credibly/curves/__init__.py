"""Curves: each declared once, as a function from a summary to points, and drawn by `curve`.

>>> from credibly import Predictions
>>> from credibly.curves import curve
>>> curve("gains", Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])).at(0.5)
0.5
"""

from credibly.curves._declare import CurveKind, Points, curve_kind, curves
from credibly.curves.costs import cost_line, normalised_cost, operating_range, probability_cost
from credibly.curves.crossings import best_stretches, crossings, dominates
from credibly.curves.drawing import curve, draw
from credibly.curves.hulls import Hull, HullPoint, Mixture, Tangent, hull
from credibly.curves.result import Band, Curve, Curves

__all__ = [
    "Band",
    "Curve",
    "CurveKind",
    "Curves",
    "Hull",
    "HullPoint",
    "Mixture",
    "Points",
    "Tangent",
    "best_stretches",
    "cost_line",
    "crossings",
    "curve",
    "curve_kind",
    "curves",
    "dominates",
    "draw",
    "hull",
    "normalised_cost",
    "operating_range",
    "probability_cost",
]
