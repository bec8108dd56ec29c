"""What there is to know of intervals."""

from credibly._core.findings import finding

DEPENDENT_FOLDS = finding(
    "dependent-folds",
    "caution",
    "{what} taken as independent, but folds and repeats share their training cases, so {so}.",
    "{instead}",
)
NO_SPREAD = finding(
    "no-spread",
    "caution",
    "All values are the same, so the interval has no width.",
    "Look whether one result was repeated; if not, use an interval over the cases.",
)
ESTIMATED_VARIANCE = finding(
    "estimated-variance",
    "note",
    "The normal interval takes the variance as known; from {k} values Student's is {factor:.3g} times as wide.",
    "Use <method='t'>.",
)
UNDEFINED_REPLICATES = finding(
    "undefined-replicates",
    "caution",
    "{measure} is undefined in {undefined} of {all} replicates, which are left out{why}.",
    "{remedy}",
)
