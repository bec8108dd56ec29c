"""What there is to know of runs."""

from credibly._core.findings import note, problem

TASK_TAKEN = note(
    "task-taken",
    "The target holds {n} distinct whole numbers, taken as {taken}.",
    "Set <task={other}> otherwise.",
)
INTERRUPTED = problem(
    "interrupted",
    "The run was stopped after {n} of {total} fits: these predictions are incomplete.",
    "Run it again to the end before judging.",
)
OUTPUT_TAKEN = note("output-taken", "{names} without probabilities: {taken}.")
LABELS_DIFFER = note(
    "labels-differ",
    "{name} gives {n:,} of {total:,} rows a label that is not its most probable class: measures of labels judge these labels, measures of probabilities the probabilities.",
)
FIT_WARNING = note("fit-warning", "{scheme} warned {often}: {text}")
