"""What there is to know of curves."""

from credibly._core.findings import caution

BELOW_DIAGONAL = caution(
    "below-diagonal",
    "The curve lies below the diagonal on the whole (AUC {auc}): larger scores go with the negative class.",
    "If the sign of the score was mistaken, give -score; a model that was fitted the wrong way round is mended by inverted(predictions), and then judged on other cases.",
)
DIFFERENT_CASES = caution(
    "different-cases",
    "The models were not judged on the same cases.",
    "Compare them on common ones: part of a difference may be one of cases.",
)
