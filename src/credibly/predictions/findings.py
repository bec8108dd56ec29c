"""What there is to know of predictions before a number made from them is believed."""

from credibly._core.findings import caution, note, problem, reading

MISSING_TRUTH = caution(
    "missing-truth",
    "The truth is missing in {rows} of {cases:,.10g}, which every measure leaves out.",
    "If the truth is missing for a reason, the remaining cases do not represent all cases.",
)
NO_PREDICTION = caution(
    "no-prediction",
    "{rows} no prediction: {so}.",
    "Leaving them out (<complete=True>) is fair only if they are missing by chance.",
)
MARKED_MISSING = caution(
    "marked-missing",
    "{column} holds {mark!r} in {rows}, which was taken as a missing value.",
    "If it is a class, set <classes=...> to all classes.",
)
STRANGE_LABELS = problem(
    "strange-labels",
    "No predicted label occurs in the truth: the truth has {truth}, the labels are {labels}.",
    "Write the classes in the same way in both columns.",
)
LABELS_RESPELLED = caution(
    "labels-respelled",
    "The labels {labels} were taken as the classes {classes}, as the truth writes them.",
    "Write the classes in the same way in both columns to be sure.",
)
NUMBERS_AS_CLASSES = caution(
    "numbers-as-classes",
    "{n} different whole numbers in {cases} were taken as classes, but wrong predictions lie near the truth, as those of counts do.",
    "If they are counts or other numbers, set <value=...>; if they are classes, set <classes=...>.",
)
SPELLED_ALIKE = caution(
    "spelled-alike",
    "The classes {names} differ only in case or spaces.",
    "If they are one class, write it in one way.",
)
NO_OUTCOME = caution(
    "no-outcome",
    "{rows} no outcome. Every measure leaves such rows out.",
    "If outcomes are missing for a reason, such as runs that failed, the remaining cases do not represent all cases.",
)
ERRORS_AS_FAILED = caution(
    "errors-as-failed",
    "{outcomes} called 'error', beside failures, count as failed.",
    "If something else than the model went wrong there, leave these outcomes empty.",
)
TAKEN_AS_PASSED = reading(
    "taken-as-passed",
    "Every outcome is 0 or 1: 1 was taken as a pass, which is better.",
    "Set <better='higher'> to be sure, or <better='lower'> if 1 is the worse: then their mean is shown.",
)
OUTCOME_DIRECTION = caution(
    "outcome-direction",
    "It is not known whether a higher or a lower outcome is better, so no model is called the better one.",
    "Set <better='higher'> or <better='lower'>.",
)
MISSING_OUTPUT = note("missing-output", "{model} lacks {lack}: {so}.")
POSITIVE_CLASS = reading(
    "positive-class",
    "{name!r} was taken as the positive class.",
    "Set <positive=...> to be sure.",
)
COLUMNS_BY_POSITION = caution(
    "columns-by-position",
    "Probabilities have {columns} whose names match no class: they were read in the order of the "
    "classes, {first} first.",
    "Call each column like its class to be sure.",
)
CLASS_ORDER_TAKEN = reading(
    "class-order-taken",
    "The columns of probabilities were taken as those of {classes}, in this order.",
    "Set <classes=...> to the order of the columns to be sure.",
)
PREDICTIONS_TAKEN = reading(
    "predictions-taken",
    "{it} taken as {what} ({why}).",
    "{remedy}",
)
SWAPPED_ARRAYS = caution(
    "swapped-arrays",
    "The truth holds fractions from 0 to 1 and the predictions {n} values alone: they look the wrong way round.",
    "What was observed comes first: Predictions.of(y_true, y_pred).",
)
NOTHING_PREDICTED = caution(
    "nothing-predicted",
    "There is a truth and no prediction, so nothing can be evaluated.",
    "Give the predictions beside it: <label=...>, <score=...>, <probability=...> or <value=...>.",
)
ALIGNED_BY_POSITION = note(
    "aligned-by-position",
    "The rows have no identifiers. Their truths agree, so the models were compared row by row in the given order.",
    "Set <row=...> to be sure.",
)
UNSEEDED = note(
    "unseeded",
    "No <rng> was given: {what} used the seed {seed!s}, so the same call gives the same result.",
    "Set <rng=...> to see how much the result depends on it.",
)
WEIGHT_KIND = note(
    "weight-kind",
    "The weights were taken as importance weights, so intervals use the effective size.",
    "Set <weight_kind='frequency'> if a weight counts repeated cases.",
)
LOOSE_TOLERANCE = caution(
    "loose-tolerance",
    "The probabilities of {rows} are more than {limit:g} away from summing to 1, the worst by {worst:.3g}: losses of probabilities mean little.",
    "Give normalised probabilities, and leave <tolerance=> as it is.",
)
TIME_ORDERED_CASES = note(
    "time-ordered-cases",
    "Cases are in time order: intervals allow for neighbours that are alike, by long-run variances.",
)
GROUPED_CASES = note(
    "grouped-cases",
    "Cases come in groups: intervals treat the groups, not the cases, as independent.",
    "Compare them with <by='group'>.",
)
POOLED_FOLDS = note(
    "pooled-folds",
    "Pooled values join cases of {folds} {parts}, each predicted by its own fitted model: their intervals are about these models on new cases, not about learning again.",
    "See each with <by={by}>.",
)
LEFT_OUT = note(
    "left-out",
    "{rows} of training and validation parts are not evaluated.",
    "Evaluate them with <by='part'>.",
)
MIXED_PARTS = caution(
    "mixed-parts",
    "Rows of {n} parts are evaluated together: {parts}.",
    "If the model has seen some of them, name those parts {train!r} or {validation!r}; see each part with <by='part'>.",
)
RESUBSTITUTION = problem(
    "resubstitution",
    "{what}: the model has seen them, so these estimates are too optimistic.",
    "{instead}",
)
VALIDATION_PART = problem(
    "validation-part",
    "{rows} of {all:,} belong to a validation part: if they were used to choose anything, these estimates are too optimistic.",
    "Evaluate the test part.",
)
BINNED = note(
    "binned",
    "{what} computed from bins of scores: {how}.",
    "Ask for a smaller <tolerance=...>, more <bins=...>, or exact counts.",
)
FAILED_FITS = problem("failed-fits", "{scheme} failed in {where}: {error}.", "{so}")
UNUSED_COLUMNS = reading(
    "unused-columns",
    "Not used: {columns}.",
    "Evaluate by one with <by={first}>, or name it to give it a role.",
)
REORDERED_INDEX = caution(
    "reordered-index",
    "The index of {it} holds the labels of that of y_true in another order; rows were matched by position.",
    "If they belong together by the index, sort both first: y_pred.loc[y_true.index].",
)
TAKEN_AS_MODELS = note(
    "taken-as-models",
    "{names} hold the same cases, so they were taken as models, not as datasets.",
    "If they are datasets, number their rows differently with <row=...>.",
)
