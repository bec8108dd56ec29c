"""What there is to know of runs."""

from credibly._core.findings import caution, note, problem

TASK_TAKEN = note(
    "task-taken",
    "The target holds {n} distinct whole numbers, which were treated as {taken}.",
    "Set <task={other}> otherwise.",
)
SCHEMES_TAKEN = note(
    "schemes-taken",
    "No scheme was named, so these were tried: {names}.",
    "Name others; `credibly list schemes` shows all.",
)
NO_POSITIVE = note(
    "no-positive-class",
    "It is not known which class is positive, {classes}, so measures of one class are averaged over both.",
    "Set <positive=...> to see recall, precision and the like of one class.",
)
MISSING_TARGETS = caution(
    "missing-targets",
    "The target of {rows} of {total:,} is missing: they were left out.",
    "If targets are missing for a reason, the remaining rows do not represent all rows.",
)
INTERRUPTED = problem(
    "interrupted",
    "The run was stopped after {n} of {total} fits: these predictions are incomplete.",
    "Run it to the end before drawing conclusions.",
)
OUTPUT_TAKEN = note("output-taken", "{names} without probabilities: {taken}.")
CHOSEN_INSIDE = note(
    "chosen-inside",
    "{model} chose its parameters again in each of {fits}: {told}.",
    "See the choice of each fold in predictions.provenance.chosen.",
)
LABELS_DIFFER = note(
    "labels-differ",
    "{name} gives {n:,} of {total:,} rows a label that is not its most probable class: measures of labels use these labels, measures of probabilities use the probabilities.",
)
FIT_WARNING = note("fit-warning", "{scheme} warned {often}: {text}")
