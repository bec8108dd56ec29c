"""What there is to know of combined models."""

from credibly._core.findings import caution, note

TIED_VOTES = caution(
    "tied-votes",
    "{cases} of {n:,} with equally many votes for two classes {then}.",
    "Combine an odd number of models, or their probabilities.",
)
STACKING_WEIGHTS = note("stacking-weights", "Mean weights of the models over {folds}: {weights}.")
