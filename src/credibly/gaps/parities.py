"""Named gaps: definitions of what must be equal for all groups of people."""

from __future__ import annotations

from credibly.gaps._declare import gap_kind

HARDT = "Hardt, M., Price, E. & Srebro, N. (2016) Equality of opportunity in supervised learning. NIPS 29, 3315-3323."
DWORK = "Dwork, C., Hardt, M., Pitassi, T., Reingold, O. & Zemel, R. (2012) Fairness through awareness. ITCS, 214-226."
CHOULDECHOVA = "Chouldechova, A. (2017) Fair prediction with disparate impact. Big Data 5, 153-163."
KLEINBERG = "Kleinberg, J., Mullainathan, S. & Raghavan, M. (2017) Inherent trade-offs in the fair determination of risk scores. ITCS 43, 1-23."


@gap_kind(
    "Demographic parity",
    cite=DWORK,
    aliases=("statistical_parity", "demographic_parity_difference", "demographic_parity_ratio"),
)
def demographic_parity() -> tuple[str, ...]:
    """As large a share of the cases is labelled positive in every slice.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 20, label=[1, 1, 1, 0] * 10, columns={"sex": list("ffmm") * 10})
    >>> credibly.slices(p, "demographic_parity", by="sex")["demographic_parity"].difference
    0.5
    """
    return ("selection_rate",)


@gap_kind(
    "Equalised odds",
    cite=HARDT,
    aliases=("equalised_odds", "equalized_odds_difference", "equalized_odds_ratio"),
)
def equalized_odds() -> tuple[str, ...]:
    """Recall and the false positive rate are each the same in every slice; the larger gap of both counts.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 20, label=[1, 1, 1, 0] * 10, columns={"sex": list("ffmm") * 10})
    >>> found = credibly.slices(p, "equalized_odds", by="sex")["equalized_odds"]
    >>> found.difference, found.measure
    (1.0, 'false_positive_rate')
    """
    return "recall", "false_positive_rate"


@gap_kind(
    "Equal opportunity",
    cite=HARDT,
    aliases=("equal_opportunity_difference", "equal_opportunity_ratio"),
)
def equal_opportunity() -> tuple[str, ...]:
    """Recall is the same in every slice.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 20, label=[1, 1, 1, 0] * 10, columns={"sex": list("ffmm") * 10})
    >>> credibly.slices(p, "equal_opportunity", by="sex")["equal_opportunity"].difference
    0.0
    """
    return ("recall",)


@gap_kind("Predictive parity", cite=CHOULDECHOVA)
def predictive_parity() -> tuple[str, ...]:
    """Precision is the same in every slice.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 20, label=[1, 1, 1, 0] * 10, columns={"sex": list("ffmm") * 10})
    >>> credibly.slices(p, "predictive_parity", by="sex")["predictive_parity"].difference
    0.5
    """
    return ("precision",)


@gap_kind("Calibration within groups", cite=KLEINBERG)
def calibration_within_groups() -> tuple[str, ...]:
    """In every slice, as many cases are positive as their probabilities say.

    Probabilities that are right on average in each slice have a bias of 0 there; how they do from low to high within
    a slice is what ``credibly.calibration(p.where(sex="f"))`` shows.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0] * 20, probability=[0.9, 0.3] * 20, columns={"sex": list("ffmm") * 10})
    >>> credibly.slices(p, "calibration_within_groups", by="sex")["calibration_within_groups"].difference
    0.0
    """
    return ("probability_bias",)
