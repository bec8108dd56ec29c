"""Curves: each declared once, as a function from a summary to points, and drawn by `curve`.

>>> from credibly import Predictions
>>> from credibly.curves import curve
>>> curve("gains", Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1])).at(0.5)
0.5
"""

from credibly.curves._declare import CurveKind, Points, curve_kind, curves
from credibly.curves.averages import average_curves
from credibly.curves.bands import band_method, band_methods
from credibly.curves.binormal import Binormal, binormal
from credibly.curves.costs import cost_line, normalised_cost, operating_range, probability_cost
from credibly.curves.crossings import Stretch, best_stretches, crossings, dominates
from credibly.curves.drawing import curve, draw
from credibly.curves.hulls import Hull, HullPoint, Mixture, Tangent, hull
from credibly.curves.result import Band, Curve, Curves
from credibly.curves.surfaces import Volume, ordered_volume, probability_volume
from credibly.curves.tables import ThresholdTable, threshold_table
from credibly.curves.thresholds import inverted

__all__ = [
    "Band",
    "Binormal",
    "Curve",
    "CurveKind",
    "Curves",
    "Hull",
    "HullPoint",
    "Mixture",
    "Points",
    "Stretch",
    "Tangent",
    "ThresholdTable",
    "Volume",
    "average_curves",
    "band_method",
    "band_methods",
    "best_stretches",
    "binormal",
    "cost_line",
    "crossings",
    "curve",
    "curve_kind",
    "curves",
    "dominates",
    "draw",
    "hull",
    "inverted",
    "normalised_cost",
    "operating_range",
    "ordered_volume",
    "probability_cost",
    "probability_volume",
    "threshold_table",
]
