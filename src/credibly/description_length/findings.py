"""What there is to know of description lengths."""

from credibly._core.findings import caution, note, problem

NO_CLUSTERS = caution(
    "no-clusters",
    "No clustering makes the description shorter: these rows show no clusters.",
    "Do not read meaning into the labels.",
)
UNLABELLED_ROWS = note(
    "unlabelled-rows",
    "{name}: {rows} without a label, or taken for noise, stand for one more cluster.",
)
FEWER_CLUSTERS = note("fewer-clusters", "{names}: fewer were found, since too few rows differ.")
SAME_CLUSTERS = note(
    "same-clusters", "The same clusters as {first}, told again: {others}.", "Count them as one."
)
ORDER_OF_ROWS = note(
    "order-of-rows",
    "The prequential code took the rows as they come, which costs bits where they are sorted.",
    "Set <rng=...> for a random order.",
)
IMPOSSIBLE_TARGETS = problem(
    "impossible-targets",
    "{name} gives some of the targets no probability at all, so no code can tell them.",
    "Smooth its probabilities.",
)
TOLD_WITHOUT_THE_SCHEME = caution(
    "told-without-the-scheme",
    "{name} could not be fitted on the first rows, so {late:,} of {n:,} were told without it ({why}).",
    "Give it more rows.",
)
NULL_THEORY_WINS = caution(
    "null-theory-wins",
    "No theory makes the description shorter than none at all: nothing was compressed.",
    "Do not expect them to predict better than it.",
)
CLOSE_LENGTHS = note(
    "close-lengths",
    "{best} and {second} are within {bits:.1f} bits.",
    "Keep both: average(X) weighs them.",
)
LENGTH_AND_ERROR_DISAGREE = note(
    "length-and-error-disagree",
    "{best} has the shortest description and {least} the smallest cross-validated error ({error:.4g} against {of_best:.4g}).",
    "Lengths weigh probabilities and the size of the theory, errors neither.",
)
