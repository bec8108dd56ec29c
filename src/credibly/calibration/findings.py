"""What there is to know of calibration and recalibration."""

from credibly._core.findings import caution, note

SMALL_GROUPS = caution(
    "small-groups",
    "{small} of {all} {groups} hold or expect fewer than {few} cases.",
    "Ask for fewer {groups}.",
)
FEW_CASES = caution(
    "few-cases-to-group",
    "With {cases}, calibration can hardly be judged: {made} instead of {usual}.",
    "Add cases, or read the statistics of all cases together.",
)
ABOUT_TOP_LABEL = note(
    "about-top-label",
    "There are {classes} classes, so this is about the top label: whether the most probable class is right as often as its probability says.",
    "Set <of=...> to a class to judge that class against the rest.",
)
CROSSING_QUANTILES = caution(
    "crossing-quantiles",
    "Quantiles cross in {crossed} of {n} cases: a higher level has a lower value.",
    "Sort them.",
)
COVERAGE = note(
    "coverage",
    "{coverage:.3g} of the true values lie within the intervals, close to the nominal {nominal:g}.",
)
COVERAGE_NOT_AS_PROMISED = caution(
    "coverage-not-as-promised",
    "{coverage:.3g} of the true values lie within the intervals, not the nominal {nominal:g}: the intervals are too {too}.",
    "Widen or narrow them, using cases kept apart for this.",
)
NO_BAND = note("no-band", "The locally weighted curve has no band.", "See the smooth curve.")
NO_SMOOTH_CURVE = note("no-smooth-curve", "{error}")
NO_CALIBRATION_TEST = note("no-calibration-test", "{test}: {error}")
GROUPS_AS_INDEPENDENT = caution(
    "groups-as-independent",
    "Cases come in {groups}, but intervals of points, bands and tests treat cases as independent.",
    "The intervals of the statistics do allow for {groups}.",
)
EFFECTIVE_SIZE = note(
    "effective-size",
    "With these importance weights, {cases} count as much as {worth:.4g} of equal weight.",
)
EXTREME_OUTPUTS = note(
    "extreme-outputs",
    "{outside:,.10g} of {n:,.10g} probabilities are below {low} or above {high}, where the chi-square approximation of grouped counts is poor.",
    "See also Spiegelhalter's test.",
)
CERTAIN_OUTPUTS = caution(
    "certain-outputs",
    "{certain:,.10g} of {n:,.10g} probabilities are exactly 0 or 1.",
    "They have no logit and are left out of recalibration lines; no prediction is that certain.",
)
ROWS_UNKNOWN = caution(
    "rows-unknown",
    "Rows have no identifiers, so there is no way to see whether the two parts share any.",
    "Set <row=...> for both.",
)
MAP_OF_ALL_CASES = note(
    "map-of-all-cases",
    "The numbers come from maps that were fitted without the cases they are applied to; the map that is kept was fitted on all cases.",
)
SAME_ROC = note(
    "same-roc", "The map is strictly increasing, so the ROC curve does not change at all."
)
RANKING_CHANGED = caution("ranking-changed", "{what}", "Compare the AUCs.")
NO_TEST_OF_THE_MAP = note("no-test-of-the-map", "{measure}: {error}")
HELPFUL_MAP = caution(
    "helpful-map",
    "Another map helps where this one does not: {title}, fitted on the other folds alike, lowers the {measure} from {before} to {after}.",
    "Set <method=...> to {method}.",
)
