"""What there is to know of description lengths."""

from credibly._core.findings import caution, note, problem

NO_CLUSTERS = caution(
    "no-clusters",
    "No clustering makes the description shorter: these rows show no clusters.",
    "Do not interpret the labels.",
)
UNLABELLED_ROWS = note(
    "unlabelled-rows",
    "{name}: {rows} without a label, or labelled as noise, count as one more cluster.",
)
FEWER_CLUSTERS = note(
    "fewer-clusters", "{names}: fewer clusters were found, because too few rows differ."
)
SAME_CLUSTERS = note(
    "same-clusters", "These give the same clusters as {first}: {others}.", "Count them as one."
)
ORDER_OF_ROWS = note(
    "order-of-rows",
    "The prequential code used the rows in the given order, which costs bits if they are sorted.",
    "Set <rng=...> for a random order.",
)
IMPOSSIBLE_TARGETS = problem(
    "impossible-targets",
    "{name} gives some of the targets a probability of 0, so no code can send them.",
    "Smooth its probabilities.",
)
TOLD_WITHOUT_THE_SCHEME = caution(
    "told-without-the-scheme",
    "{name} could not be fitted on the first rows, so {late:,} of {n:,} rows were sent without it ({why}).",
    "Give it more rows.",
)
NULL_THEORY_WINS = caution(
    "null-theory-wins",
    "No theory makes the description shorter than having no theory: nothing was compressed.",
    "Do not expect any of them to predict better than the null theory.",
)
CLOSE_LENGTHS = note(
    "close-lengths",
    "{best} and {second} are within {bits:.1f} bits.",
    "Keep both: average(X) gives their weighted average.",
)
LENGTH_AND_ERROR_DISAGREE = note(
    "length-and-error-disagree",
    "{best} has the shortest description and {least} the smallest cross-validated error ({error:.4g} against {of_best:.4g}).",
    "Lengths depend on the probabilities and on the size of the theory; errors depend on neither.",
)
