"""Figures about ROC curves, their hull and cost curves."""

import numpy as np
import pytest

from credibly import Predictions, curve, hull
from credibly.curves import (
    best_stretches,
    cost_line,
    crossings,
    normalised_cost,
    operating_range,
    probability_cost,
)
from credibly.measures import accuracy
from golden.goldens import golden


def scored(given, truth, score):
    return Predictions.of(given[truth], score=given[score], classes=[0, 1], positive=1)


def nearest_to_corner(p):
    roc = curve("roc", p)
    distance = np.hypot(roc.x, 1 - roc.y)
    i = int(distance.argmin())
    found = {"tau": roc.threshold[i], "fpr": roc.x[i], "tpr": roc.y[i], "distance": distance[i]}
    gap = roc.y - roc.x
    best = int(gap.argmax())
    return found, {"youden_tau": roc.threshold[best], "youden": gap[best]}


@golden("oh-northwest-point")
def test_the_point_nearest_to_the_corner(case):
    """C3: it is not the cheapest point in general, which the hull gives."""
    small, _ = nearest_to_corner(scored(case["table7_2"], "d", "phi"))
    large, youden = nearest_to_corner(scored(case["table22_5"], "positive", "score"))
    case.check(table7_2=small, table22_5=large | youden)


@golden("oh-roc-convex-hull")
def test_convex_hull(case):
    p = scored(case, "positive", "score")
    h = hull(p)
    corners = [[q.false_positive_rate, q.true_positive_rate] for q in h.points]
    best = h.best(prevalence=1 / 3)
    rows = h.rows()
    optimal = {
        f"slope>{rows[0]['slope_from']:g}": corners[0],
        f"{rows[1]['slope_from']:g}<slope<{rows[1]['slope_to']:g}": corners[1],
        f"{rows[2]['slope_from']:g}<slope<{rows[2]['slope_to']:g}": corners[2],
    }
    at = best.point.threshold
    case.check(
        vertices=corners,
        slopes=h.slopes.tolist(),
        hull_area=h.area,
        optimal=optimal,
        iso_slope_equal_costs_prevalence_one_third=best.slope,
        best_point_for_it=[best.point.false_positive_rate, best.point.true_positive_rate],
        accuracy_there=accuracy(case["positive"], (np.array(case["score"]) >= at).astype(int)),
    )


def costs(case):
    return {
        "false_negative": case["C_minus_given_plus"],
        "false_positive": case["C_plus_given_minus"],
    }


@golden("wf-cost-curve-formula")
def test_normalised_expected_cost(case):
    """A37: with the two costs exchanged, as the slides have them, both numbers are others."""
    given = {"false_positive_rate": case["fp_rate"], "false_negative_rate": case["fn_rate"]}
    p, c = case["p_plus"], costs(case)
    pc = float(probability_cost(p, **c))
    expected = (
        case["fn_rate"] * p * c["false_negative"] + case["fp_rate"] * (1 - p) * c["false_positive"]
    )
    largest = p * c["false_negative"] + (1 - p) * c["false_positive"]
    case.check(
        pcf=pc,
        nec=normalised_cost(pc, **given),
        expected_cost=expected,
        expected_cost_over_max=expected / largest,
    )
    case.differs("pcf_as_003_prints_it", pc)
    case.differs("nec_with_003_pcf", float(normalised_cost(pc, **given)))


@golden("wf-cost-curve-ends")
def test_ends_of_a_cost_line(case):
    line = cost_line(false_positive_rate=case["fp_rate"], false_negative_rate=case["fn_rate"])
    case.check(
        at_0=line.at(0),
        at_1=line.at(1),
        pcf_at_p0=probability_cost(0),
        pcf_at_p1=probability_cost(1),
        always_plus=line.beside["always positive"][1].tolist(),
        always_minus=line.beside["always negative"][1].tolist(),
    )


@golden("wf-cost-curve-classifier-B")
def test_operating_range(case):
    given = {"false_positive_rate": case["fp_rate"], "false_negative_rate": case["fn_rate"]}
    low, high = operating_range(**given)
    case.check(lower=low, upper=high)


@golden("wf-error-curve-classifier-A")
def test_where_two_error_curves_cross(case):
    """A21: read off a figure; 0.45 contradicts the other readings."""
    low, high, level = case["cross_always_minus"], case["cross_always_plus"], case["B_level"]
    # A's line meets that of always saying - at (low, low) and that of always saying + at (high, 1 - high).
    slope = (1 - high - low) / (high - low)
    fp = low - slope * low
    fn = fp + slope
    a = cost_line(false_positive_rate=fp, false_negative_rate=fn, model="A")
    b = cost_line(false_positive_rate=level, false_negative_rate=level, model="B")
    assert operating_range(false_positive_rate=fp, false_negative_rate=fn) == pytest.approx(
        (low, high)
    )
    stretches = best_stretches([a, b], better="below")
    assert [s.model for s in stretches] == ["A", "B"]
    case.check(fp=fp, fn=fn, crosses_B_at=crossings(a, b)[0])
    assert stretches[1].low == pytest.approx(crossings(a, b)[0])


@golden("wf-pcf-estrus")
def test_probability_cost_of_a_rare_class(case):
    case.check(pcf=probability_cost(case["p_plus"], **costs(case)))


@golden("dw-cost-curve-swapped")
def test_the_slides_exchange_the_costs(case):
    pc = float(probability_cost(case["p_plus"], **costs(case)))
    case.check(correct=pc)
    case.differs("as_003_prints_it", pc)
