"""What there is to know of predictions before a number made from them is believed."""

from credibly._core.findings import caution, note, problem

MISSING_TRUTH = caution(
    "missing-truth",
    "The truth of {rows} of {cases:,.10g} is unknown: left out.",
    "If truth is missing for a reason, the rest does not represent the whole.",
)
NO_PREDICTION = caution(
    "no-prediction",
    "{rows} of {all:,} without a prediction ({what}): {so}.",
    "If predictions are missing for a reason, the rest does not represent the whole.",
)
MISSING_OUTPUT = note("missing-output", "{model} lacks {lack}: {so}.")
POSITIVE_CLASS = note(
    "positive-class",
    "The positive class was taken to be {name!r}.",
    "Name it with <positive=...> to be sure.",
)
PREDICTIONS_TAKEN = note(
    "predictions-taken",
    "y_pred was taken as {what}: {why}.",
    "If it is not, say what it is: <label=...>, <probability=...>, <score=...> or <value=...>.",
)
ALIGNED_BY_POSITION = note(
    "aligned-by-position",
    "Rows have no identifier and the same truth, so the models were compared row by row as they stand.",
    "Set <row=...> to be sure.",
)
UNSEEDED = note(
    "unseeded",
    "No <rng> was given: {what} used the seed {seed}, so that the same call gives the same.",
    "Set <rng=...> to see how much depends on it.",
)
WEIGHT_KIND = note(
    "weight-kind",
    "The weights were taken as importance weights, so intervals use the effective size.",
    "Set <weight_kind='frequency'> if a weight counts repeated cases.",
)
LOOSE_TOLERANCE = caution(
    "loose-tolerance",
    "The probabilities of {rows} are further than {limit:g} from summing to 1, the worst by {worst:.3g}: losses of probabilities mean little.",
    "Give normalised probabilities, and leave <tolerance=> as it is.",
)
TIME_ORDERED_CASES = note(
    "time-ordered-cases",
    "Cases follow one another in time: intervals take blocks of neighbouring cases, not the cases, as independent.",
)
GROUPED_CASES = note(
    "grouped-cases",
    "Cases come in groups: intervals take the groups, not the cases, as independent.",
    "Compare them with <by='group'>.",
)
POOLED_FOLDS = note(
    "pooled-folds",
    "Cases of {folds} {parts}, predicted by as many fitted models, are pooled: intervals are about these models on new cases, not about learning anew.",
    "See each with <by={by}>.",
)
LEFT_OUT = note(
    "left-out",
    "{rows} of training and validation parts are not judged.",
    "Evaluate them with <by='part'>.",
)
MIXED_PARTS = caution(
    "mixed-parts",
    "Rows of {n} parts are judged together: {parts}.",
    "If models have seen some of them, call these {train!r} or {validation!r}; see each with <by='part'>.",
)
RESUBSTITUTION = problem(
    "resubstitution",
    "{what}: the model has seen them, so these estimates are too good.",
    "{instead}",
)
VALIDATION_PART = problem(
    "validation-part",
    "{rows} of {all:,} belong to a validation part: if anything was chosen by them, these estimates are too good.",
    "Judge on the test part.",
)
BINNED = note(
    "binned",
    "{what} made from bins of scores: {how}.",
    "Ask for a smaller <tolerance=...>, more <bins=...>, or exact counts.",
)
FAILED_FITS = problem("failed-fits", "{scheme} failed in {where}: {error}.", "{so}")
