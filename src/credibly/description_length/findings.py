"""What there is to know of description lengths."""

from credibly._core.findings import finding

NO_CLUSTERS = finding(
    "no-clusters",
    "caution",
    "No clustering makes the description shorter: these rows show no clusters.",
    "Do not read meaning into the labels.",
)
UNLABELLED_ROWS = finding(
    "unlabelled-rows",
    "note",
    "{name}: {rows} without a label, or taken for noise, stand for one more cluster.",
)
FEWER_CLUSTERS = finding(
    "fewer-clusters", "note", "{names}: fewer were found, since too few rows differ."
)
SAME_CLUSTERS = finding(
    "same-clusters",
    "note",
    "The same clusters as {first}, told again: {others}.",
    "Count them as one.",
)
ORDER_OF_ROWS = finding(
    "order-of-rows",
    "note",
    "The prequential code took the rows as they come, which costs bits where they are sorted.",
    "Set <rng=...> for a random order.",
)
IMPOSSIBLE_TARGETS = finding(
    "impossible-targets",
    "problem",
    "{name} gives some of the targets no probability at all, so no code can tell them.",
    "Smooth its probabilities.",
)
TOLD_WITHOUT_THE_SCHEME = finding(
    "told-without-the-scheme",
    "caution",
    "{name} could not be fitted on the first rows, so {late:,} of {n:,} were told without it ({why}).",
    "Give it more rows.",
)
NULL_THEORY_WINS = finding(
    "null-theory-wins",
    "caution",
    "No theory makes the description shorter than none at all: nothing was compressed.",
    "Do not expect them to predict better than it.",
)
CLOSE_LENGTHS = finding(
    "close-lengths",
    "note",
    "{best} and {second} are within {bits:.1f} bits.",
    "Keep both: average(X) weighs them.",
)
LENGTH_AND_ERROR_DISAGREE = finding(
    "length-and-error-disagree",
    "note",
    "{best} has the shortest description and {least} the smallest cross-validated error ({error:.4g} against {of_best:.4g}).",
    "Lengths weigh probabilities and the size of the theory, errors neither.",
)
