"""What there is to know of bias and variance."""

from credibly._core.findings import caution, note

NOISE_IN_BIAS = note(
    "noise-in-bias",
    "The truth of each case was observed only once, so noise cannot be separated from bias: the bias includes both.",
    "Set <truth=...> if the probabilities or means behind the data are known.",
)
LABELS_MAPPED = note(
    "labels-mapped",
    "The labels {first!r} and {last!r} are treated as -1 and +1, so the squared loss is four times the error rate.",
)
VARIANCE_IN_BIAS = caution(
    "variance-in-bias",
    "The squared bias{where}, {bias:.3g}, includes {variance:.2g} of variance, because each case has only {often:g} predictions.",
    "Draw more training sets, or correct for it with <loss={corrected}>.",
)
FEW_TRAINING_SETS = caution(
    "few-training-sets",
    "Each case has only {often:g} predictions, so chance largely decides how they divide and what counts as bias.",
    "Draw more training sets.",
)
NEVER_HELD_OUT = caution(
    "never-held-out",
    "Left out because they are in every training set: {rows} ({which}).",
    "Draw more training sets.",
)
SELDOM_PREDICTED = caution(
    "seldom-predicted",
    "Left out because only one training set predicts them: {rows} of {n} ({which}).",
    "Draw more training sets.",
)
ONE_DATA_SET = note(
    "one-data-set",
    "The training sets are samples of one dataset: they overlap and hold fewer distinct rows than it does. The variance is that of such samples, and intervals are about cases and training sets drawn from these data; they do not cover how the results would differ on another dataset.",
)
