"""Figures about calibration: Table 7.2 of Ohrn (1999)."""

import numpy as np
import pytest

from credibly import Predictions, calibration
from credibly.calibration import Outcomes, grouped, murphy
from credibly.calibration.recalibration import recalibrations
from credibly.measures import measures
from golden.goldens import golden

THREE = 3


def predictions(case):
    return Predictions.of(case["d"], probability=case["phi"])


@golden("oh-table7.2-calibration")
def test_points_with_the_remainder_last(case):
    """Ambiguity C1: ten cases in three groups are 3, 3 and 4."""
    made = calibration(predictions(case), THREE).groups
    assert made.total.tolist() == case["group_sizes"]
    case.check(mean_d=made.observed, mean_phi=made.predicted)


@golden("oh-table7.2-array-split")
def test_points_with_the_remainder_first(case):
    """Ambiguity C1, the other way: 4, 3 and 3."""
    made = calibration(predictions(case), THREE, remainder="first").groups
    assert made.total.tolist() == case["group_sizes"]
    case.check(mean_d=made.observed, mean_phi=made.predicted)


@golden("oh-table7.2-murphy-groups")
def test_murphy_in_groups(case):
    """Erratum A29: calibration adds to the Brier score and discrimination takes off, not the reverse."""
    parts = calibration(predictions(case), THREE).decompositions[0]
    of = parts.parts
    case.check(
        uncertainty=of["uncertainty"],
        CI=of["calibration"],
        DI=of["discrimination"],
        brier_of_group_means=parts.details["brier_of_group_means"],
        correct_sum=of["uncertainty"] + of["calibration"] - of["discrimination"],
        within_bin_variance=of["variance within groups"],
        within_bin_covariance=of["covariance within groups"],
        raw_brier=parts.total,
    )
    case.differs("as_printed_sum", parts.details["brier_of_group_means"])
    assert parts.score == pytest.approx(parts.total, abs=1e-15)


@golden("oh-table7.2-murphy-singletons")
def test_murphy_with_every_probability_for_itself(case):
    """Erratum A29."""
    parts = murphy(Outcomes.of(predictions(case)))
    of = parts.parts
    case.check(
        uncertainty=of["uncertainty"],
        CI=of["calibration"],
        DI=of["discrimination"],
        correct_sum=parts.total,
    )
    case.differs("as_printed_sum", parts.total)


@golden("oh-hosmer-lemeshow")
def test_hosmer_and_lemeshow(case):
    """Ambiguity C2: g - 2 degrees of freedom on the cases of the fit, g on others."""
    p = predictions(case)
    others, own = (
        calibration(p, THREE, fitted_on_these=fitted).tests[0] for fitted in (False, True)
    )
    case.check(
        statistic=others.statistic,
        dof_g=others.parameters["freedom"],
        p_g=others.pvalue,
        dof_g_minus_2=own.parameters["freedom"],
        p_g_minus_2=own.pvalue,
    )


@golden("oh-calibration-line")
def test_linear_tilt(case):
    """Ambiguity C1: observed on predicted, groups unweighted. The line leaves [0, 1] and is cut there."""
    made = grouped(Outcomes.of(predictions(case)), THREE)
    assert made.observed == pytest.approx(case["mean_d"])
    assert made.predicted == pytest.approx(case["mean_phi"])
    phi = np.array(case["phi"])
    matrix, truth = np.column_stack([1 - phi, phi]), np.array(case["d"])
    line = recalibrations["linear_tilt"].given(groups=THREE).fitted(matrix, truth).maps[0]
    slope, intercept = line.parameters["slope"], line.parameters["intercept"]
    uncut = intercept + slope * phi
    case.check(
        slope=slope,
        intercept=intercept,
        gamma_of_0_5=line(np.array([0.5]))[0],
        gamma_of_0_04=intercept + slope * 0.04,
        c_index_after=measures["auc"](case["d"], uncut),
    )
    assert line(np.array([0.04]))[0] == 0
    cut = line(phi)
    assert len(set(cut)) < len(set(uncut)), "cutting makes ties"
