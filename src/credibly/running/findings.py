"""What there is to know of runs."""

from credibly._core.findings import note, problem

TASK_TAKEN = note(
    "task-taken",
    "The target holds {n} distinct whole numbers, which were treated as {taken}.",
    "Set <task={other}> otherwise.",
)
INTERRUPTED = problem(
    "interrupted",
    "The run was stopped after {n} of {total} fits: these predictions are incomplete.",
    "Run it to the end before drawing conclusions.",
)
OUTPUT_TAKEN = note("output-taken", "{names} without probabilities: {taken}.")
LABELS_DIFFER = note(
    "labels-differ",
    "{name} gives {n:,} of {total:,} rows a label that is not its most probable class: measures of labels use these labels, measures of probabilities use the probabilities.",
)
FIT_WARNING = note("fit-warning", "{scheme} warned {often}: {text}")
