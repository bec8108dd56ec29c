"""What there is to know of combined models."""

from credibly._core.findings import finding

TIED_VOTES = finding(
    "tied-votes",
    "caution",
    "{cases} of {n:,} with equally many votes for two classes {then}.",
    "Combine an odd number of models, or their probabilities.",
)
STACKING_WEIGHTS = finding(
    "stacking-weights", "note", "Weights of the models, on average over {folds}: {weights}."
)
