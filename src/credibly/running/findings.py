"""What there is to know of runs."""

from credibly._core.findings import finding

TASK_TAKEN = finding(
    "task-taken",
    "note",
    "The target holds {n} distinct whole numbers, taken as {taken}.",
    "Set <task={other}> otherwise.",
)
UNSEEDED = finding(
    "unseeded",
    "caution",
    "{names} may be random and no seed was given, so another run may differ.",
    "Set <rng=...>.",
)
INTERRUPTED = finding(
    "interrupted",
    "problem",
    "The run was stopped after {n} of {total} fits: these predictions are incomplete.",
    "Run it again to the end before judging.",
)
OUTPUT_TAKEN = finding("output-taken", "note", "{names} without probabilities: {taken}.")
LABELS_DIFFER = finding(
    "labels-differ",
    "note",
    "{name} gives {n:,} of {total:,} rows a label that is not its most probable class: measures of labels judge these labels, measures of probabilities the probabilities.",
)
FIT_WARNING = finding("fit-warning", "note", "{scheme} warned {often}: {text}")
