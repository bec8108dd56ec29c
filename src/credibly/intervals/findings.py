"""What there is to know of intervals."""

from credibly._core.findings import caution, note

DEPENDENT_FOLDS = caution(
    "dependent-folds",
    "{what} treated as independent, but folds and repeats share training cases, so {so}.",
    "{instead}",
)
LONG_MEMORY = caution(
    "long-memory",
    "{measure}: neighbours in time are alike for so long that {moments} show little of how it varies. They tell as much as about {effective:.2g} independent cases, and the interval may still be too narrow.",
    "Observe for longer, or judge separate periods by themselves.",
)
NO_SPREAD = caution(
    "no-spread",
    "All values are the same, so the interval has no width.",
    "Check whether one result was repeated; if not, use an interval over the cases.",
)
ESTIMATED_VARIANCE = note(
    "estimated-variance",
    "The normal interval treats the variance as known; with {k} values, Student's t interval is {factor:.3g} times as wide.",
    "Use <method='t'>.",
)
UNDEFINED_REPLICATES = caution(
    "undefined-replicates",
    "{measure} is undefined in {undefined} of {all} replicates, which are left out{why}.",
    "{remedy}",
)
ROWS_WITHOUT_NUMBERS = caution(
    "rows-without-numbers",
    "{rows} of {n:,} left out: some column holds no number there.",
    "Find out why it is missing: the remaining rows may not represent all rows.",
)
ROUGH_PLAN = caution(
    "rough-plan",
    "The plan expects only {n:.3g} {what}, and with so few the normal approximation behind it is rough.",
    "Plan for more, or simulate the test that you will use.",
)
