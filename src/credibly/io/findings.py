"""What there is to know of files and of how they were read."""

from credibly._core.findings import caution, note, problem, reading

GUESSED_COLUMNS = reading("guessed-columns", "{taken}", "{remedy}")
SCORES_FROM_0_TO_1 = reading(
    "scores-from-0-to-1",
    "Every score lies between 0 and 1: if they are probabilities, <probability={column}> adds what they allow.",
)
REPEATED_IDENTIFIERS = caution(
    "repeated-identifiers",
    "Column {column!r} holds {values:,} values in {cases:,} cases: if cases of one value belong together, intervals are too narrow.",
    "Then set <group={column}>.",
)
FORMAT_TAKEN = reading(
    "format-taken",
    "The format of {file} was taken from its content: {title}.",
    "Set <format=...> if it is another.",
)
ENCODING_TAKEN = caution(
    "encoding-taken",
    "{file} is not UTF-8, so it was read as Windows-1252 (Latin-1).",
    "If letters are wrong, save it as UTF-8.",
)
NUMBERS_AS_WRITTEN = reading(
    "numbers-as-written",
    "In column {column!r} {example!r} was read as {number:g}.",
    "If this is wrong, write numbers with a decimal point and without signs.",
)
SHEET_TAKEN = reading(
    "sheet-taken",
    "The sheet {sheet!r} was read, the first of {sheets} that holds a table.",
    "Save another sheet as a file of its own to read it.",
)
CASES_LEFT_OUT = note(
    "cases-left-out",
    "{cases} {were} left out because a model has no prediction for {them}.",
    "Find out why: predictions may not be missing by chance.",
)
MISSING_AS_TEXT = caution(
    "missing-as-text", "{column} holds {what}{marks} in {rows}, {so}.", "{remedy}"
)
TARGET_TAKEN = note(
    "target-taken",
    "The last column, {column!r}, was taken as the target.",
    "Name it with <target=...>.",
)
EMPTY_COLUMNS = caution("empty-columns", "{columns} without any value left out: {named}.")
CLASS_WITHOUT_NAME = reading(
    "class-without-name",
    "Class {index} occurs in no row, so Weka did not write its name; it is called 'class {index}' here.",
)
ROUNDED_PROBABILITIES = reading(
    "rounded-probabilities",
    "Weka wrote the probabilities with {decimals} decimals, so a row may differ from a sum of 1 by {by:.4g}; ties and log losses are computed from the rounded numbers.",
    "Let Weka print more with -decimals.",
)
PROBABILITIES_LEFT_OUT = caution(
    "probabilities-left-out",
    "Weka only wrote the probability of the predicted class, and the others do not follow from it ({why}): labels were kept, probabilities were not.",
    "Print the distribution with -distribution.",
)
PROBABILITIES_COMPLETED = reading(
    "probabilities-completed",
    "Weka only wrote the probability of the predicted class; with two classes, the other one is 1 minus it. It has {decimals} decimals.",
    "Print the distribution with -distribution if there are more than two classes.",
)
FOLDS_FROM_NUMBERING = reading(
    "folds-from-numbering",
    "inst# restarts {times} times, so it was read as {folds} folds; it numbers the cases within a fold and was not used as the row identifier.",
    "Print an attribute that identifies the case with -p to pair models by row.",
)
LOG_READ = reading(
    "log-read",
    "{format}: {tasks}, {models}, {cases}, {epochs}. Unless you name another one, the outcome is {metric}.",
)
LOG_METRICS = reading(
    "other-metrics",
    "The log also holds {metrics}.",
    "Take one of them with <outcome={one}>.",
)
MIXED_METRICS = caution(
    "mixed-metrics",
    "Tasks are scored by different metrics: {metrics}. Their mean over tasks mixes them.",
    "Look at each task by itself, as benchmarks lists them.",
)
CLUSTERS_UNKNOWN = caution(
    "clusters-unknown",
    "The run of {task} says that cases of the same {cluster} belong together, but the log does not have that column: intervals treat all cases as independent and are too narrow.",
    "Name the groups with <group=...>.",
)
METRIC_DIRECTION = caution(
    "metric-direction",
    "The log does not say whether higher or lower is better for {metrics}.",
    "Set <better='higher'> or <better='lower'>.",
)
NOT_BY_CASE = reading(
    "not-by-case",
    "{metrics} of {task} is not a number of each case: it is computed from all of them together.",
)
EPOCHS_REDUCED = note(
    "epochs-reduced",
    "The run of {task} reduced the epochs of a case by {reducer}; here their mean counts.",
    "Use attempts, or at_k, for pass@k and the majority of k.",
)
LOG_UNFINISHED = problem(
    "log-unfinished",
    "The log of {task} ({model}) did not end well: {why}. Cases may be missing that would have failed.",
    "Run it to the end before you compare.",
)
LOG_WITHOUT_SCORES = caution(
    "log-without-scores",
    "Of {task}, {rows} no score: they failed or were not graded. They have no outcome, and do not count as wrong.",
    "Find out why: if the model made them fail, they are wrong answers.",
)
OTHER_SCORES = caution(
    "other-scores",
    "Of {task}, {rows} no {metric}, which is the outcome, but {others}: lines of another task may stand among them.",
    "Read each task from a file of its own.",
)
LOG_RESPONSES = note(
    "several-responses",
    "{task} asked for {responses} of each case, and the log holds one score of them all.",
)
TESTS_WITH_ERRORS = note(
    "tests-with-errors",
    "{tests} ended in an error before or after the test itself: they count as failed.",
)
