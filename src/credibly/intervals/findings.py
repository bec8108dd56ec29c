"""What there is to know of intervals."""

from credibly._core.findings import caution, note

DEPENDENT_FOLDS = caution(
    "dependent-folds",
    "{what} taken as independent, but folds and repeats share their training cases, so {so}.",
    "{instead}",
)
NO_SPREAD = caution(
    "no-spread",
    "All values are the same, so the interval has no width.",
    "Look whether one result was repeated; if not, use an interval over the cases.",
)
ESTIMATED_VARIANCE = note(
    "estimated-variance",
    "The normal interval takes the variance as known; from {k} values Student's is {factor:.3g} times as wide.",
    "Use <method='t'>.",
)
UNDEFINED_REPLICATES = caution(
    "undefined-replicates",
    "{measure} is undefined in {undefined} of {all} replicates, which are left out{why}.",
    "{remedy}",
)
ROWS_WITHOUT_NUMBERS = caution(
    "rows-without-numbers",
    "Left out for want of a number in each column: {rows} of {n:,}.",
    "Ask why it is missing: what is left may differ from the rest.",
)
ROUGH_PLAN = caution(
    "rough-plan",
    "The plan counts on {n:.3g} {what}, and with so few the normal distribution behind it is rough.",
    "Plan for more, or simulate the test that will be made.",
)
