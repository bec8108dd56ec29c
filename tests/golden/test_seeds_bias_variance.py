"""Figures about bias and variance."""

import pytest

from credibly.bias_variance import Values, Votes, decompositions
from golden.goldens import golden


@golden("zm-bias-variance")
def test_squared_loss_of_labels_taken_apart(case):
    """Erratum A11: what eq. 22.15 calls bias is its square, and eq. 22.16 lacks a term.

    Variance divides by the number of training sets, since they are all there are.
    """
    p = case["P_y_plus1"]
    votes = Votes.of([case["predictions_over_training_sets"]], truth=[[1 - p, p]], classes=[-1, 1])
    parts = decompositions["squared"](votes)
    case.check(
        noise=parts["noise"][0],
        variance=parts["variance"][0],
        bias_squared=parts["bias_squared"][0],
        expected_squared_loss=parts.loss[0],
        expected_zero_one=votes.loss[0],
    )
    numbers = Values.of([case["predictions_over_training_sets"]], [2 * p - 1], 4 * p * (1 - p))
    assert decompositions["squared"](numbers).loss[0] == pytest.approx(parts.loss[0], abs=1e-15)
