"""What there is to know of bias and variance."""

from credibly._core.findings import caution, note

NOISE_IN_BIAS = note(
    "noise-in-bias",
    "The truth of a case is known from one observation, so noise cannot be told from bias: the bias holds both.",
    "Set <truth=...> where the probabilities or means behind the data are known.",
)
LABELS_MAPPED = note(
    "labels-mapped",
    "The labels {first!r} and {last!r} are taken as -1 and +1: the squared loss is four times the error rate.",
)
VARIANCE_IN_BIAS = caution(
    "variance-in-bias",
    "The squared bias{where}, {bias:.3g}, holds {variance:.2g} of variance, since a case has {often:g} predictions.",
    "Draw more training sets, or correct for it with <loss={corrected}>.",
)
FEW_TRAINING_SETS = caution(
    "few-training-sets",
    "A case has {often:g} predictions: how they divide is much a matter of chance, and so is what counts as bias.",
    "Draw more training sets.",
)
NEVER_HELD_OUT = caution(
    "never-held-out",
    "Left out for being in every training set: {rows} ({which}).",
    "Draw more training sets.",
)
SELDOM_PREDICTED = caution(
    "seldom-predicted",
    "Left out for being predicted by one training set alone: {rows} of {n} ({which}).",
    "Draw more training sets.",
)
ONE_DATA_SET = note(
    "one-data-set",
    "The training sets are samples of one data set: they hold fewer distinct rows than it, and overlap. The variance is that of such samples, and intervals are about cases and training sets drawn from these data: they do not cover how another data set would turn out.",
)
