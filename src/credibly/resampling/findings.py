"""What there is to know of splits."""

from credibly._core.findings import caution, note, problem

SMALL_FOLDS = note(
    "small-folds",
    "The smallest of {parts} has {rows}: measures of single parts vary a lot or are undefined.",
    "Pool the predictions of all parts, or use fewer folds.",
)
TESTED_ON_TRAINING_ROWS = problem(
    "tested-on-training-rows",
    "In {shared} of {splits}, some test rows are also training rows: the numbers say how well a model fits, not how well it predicts.",
    "Use cross-validation, a holdout or the bootstrap.",
)
ONE_CLASS = problem(
    "one-class",
    "Every row has the same class, so there is nothing to learn.",
    "Check the target column.",
)
CLASS_ABSENT_FROM_TRAINING = problem(
    "class-absent-from-training",
    "{absent} from the training part in up to {most} of {splits}: a model cannot predict what it has not seen.",
    "Use stratified splits or fewer folds, or leave out classes with only one or two rows.",
)
CLASS_ABSENT_FROM_TEST = caution(
    "class-absent-from-test",
    "{absent} from the test part in up to {most} of {splits}: measures by class are undefined there.",
    "Pool the predictions of all parts, use stratified splits or fewer folds.",
)
GROUPS_SPLIT = problem(
    "groups-split",
    "In {shared} of {splits}, the training and the test part share a group, so the model is tested on something it has partly seen.",
    "Use grouped_folds or leave_one_group_out.",
)
EQUAL_ROWS = note(
    "equal-rows",
    "Rows that equal an earlier row: {copies}. In {shared} of {splits}, a test row equals a training row.",
    "They need not be copies: coarse values are often equal. Only remove a row if it is the same case twice.",
)
DUPLICATES_ACROSS_PARTS = caution(
    "duplicates-across-parts",
    "Duplicate rows: {copies}. In {shared} of {splits}, a test row equals a training row.",
    "Remove the copies, or give the copies of a case the same group.",
)
NOT_STRATIFIED = note(
    "not-stratified",
    "Leave-one-out cannot be stratified: each class is rarer in exactly those training parts whose test row belongs to it.",
    "Use stratified folds for schemes that depend on class frequencies.",
)
CLASS_SMALLER_THAN_FOLDS = caution(
    "class-smaller-than-folds",
    "{classes} fewer rows than there are folds ({k}); the smallest has {rows}. Some folds test no row of such a class.",
    "Use at most {most} folds, or judge by measures that pool the folds.",
)
BOOTSTRAP_REDRAWN = note(
    "bootstrap-redrawn",
    "With {n} rows a bootstrap draw leaves no row to test with probability {chance:.2g}; such draws are repeated.",
)
INNER_FITS = note(
    "inner-fits",
    "Each scheme is fitted {fits} times: {judged} fits are judged, the others say how far these may be off.",
)
