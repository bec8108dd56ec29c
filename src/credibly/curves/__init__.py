"""Curves: each declared once, as a function from a summary to points, and drawn by `curve`.

A kind of curve is a function from a summary to points (`curves/_declare.py`), so prevalence shift, weights,
classes against the rest and the bootstrap need no code of its own: a batch of tables gives a batch of
curves. Running sums, rates and thresholds are kept with the sorted table, so ten curves of a model cost
little more than its sort. x never falls; a `line` goes straight between points, a `step` holds back to the
point before.

- **Bands** draw replicates as tables of a few hundred pieces of neighbouring scores, exact at the end of
  each piece: cells of the bootstrap kernel, at the price of an AUC's replicates. The simultaneous one takes
  the largest studentised distance of each replicate; bands by quantiles of whole replicates held the truth
  far too seldom.
- **The hull** of several models is made of the corners of their own hulls. It and the lower envelope of
  cost curves are each other's duals; tests use this.

>>> from credibly import Predictions
>>> from credibly.curves import curve
>>> curve(Predictions.of([1, 0, 1, 0], score=[4, 3, 2, 1]), "gains").at(0.5)
0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.curves._declare import (
        CurveKind as CurveKind,
        Points as Points,
        curve_kind as curve_kind,
        curves as curves,
    )
    from credibly.curves.averages import average_curves as average_curves
    from credibly.curves.bands import band_method as band_method, band_methods as band_methods
    from credibly.curves.binormal import Binormal as Binormal, binormal as binormal
    from credibly.curves.costs import (
        cost_line as cost_line,
        normalised_cost as normalised_cost,
        operating_range as operating_range,
        probability_cost as probability_cost,
    )
    from credibly.curves.crossings import (
        Stretch as Stretch,
        best_stretches as best_stretches,
        crossings as crossings,
        dominates as dominates,
    )
    from credibly.curves.curve import curve as curve, draw as draw
    from credibly.curves.hulls import (
        Hull as Hull,
        HullPoint as HullPoint,
        Mixture as Mixture,
        Tangent as Tangent,
        hull as hull,
    )
    from credibly.curves.result import Band as Band, Curve as Curve, Curves as Curves
    from credibly.curves.roc_surfaces import (
        RocSurface as RocSurface,
        ordered_surface as ordered_surface,
        probability_surface as probability_surface,
    )
    from credibly.curves.surfaces import (
        Volume as Volume,
        ordered_volume as ordered_volume,
        probability_volume as probability_volume,
    )
    from credibly.curves.tables import (
        ThresholdTable as ThresholdTable,
        threshold_table as threshold_table,
    )
    from credibly.curves.thresholds import inverted as inverted

lazy(__name__)
