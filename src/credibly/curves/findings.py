"""What there is to know of curves."""

from credibly._core.findings import caution

BELOW_DIAGONAL = caution(
    "below-diagonal",
    "Most of the curve lies below the diagonal (AUC {auc}): larger scores go with the negative class.",
    "If the sign of the score is wrong, give -score. If the model was fitted the wrong way round, invert it with inverted(predictions) and evaluate it on other cases.",
)
DIFFERENT_CASES = caution(
    "different-cases",
    "The models were not evaluated on the same cases.",
    "Compare them on the cases they share: part of a difference may come from the cases.",
)
