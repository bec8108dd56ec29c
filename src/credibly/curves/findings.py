"""What there is to know of curves."""

from credibly._core.findings import finding

BELOW_DIAGONAL = finding(
    "below-diagonal",
    "caution",
    "The curve lies below the diagonal on the whole (AUC {auc}): larger scores go with the negative class.",
    "If the sign of the score was mistaken, give -score; a model that was fitted the wrong way round is mended by inverted(predictions), and then judged on other cases.",
)
DIFFERENT_CASES = finding(
    "different-cases",
    "caution",
    "The models were not judged on the same cases.",
    "Compare them on common ones: part of a difference may be one of cases.",
)
