"""What there is to know of calibration and recalibration."""

from credibly._core.findings import finding

SMALL_GROUPS = finding(
    "small-groups",
    "caution",
    "{small} of {all} {groups} hold or expect fewer than {few} cases.",
    "Ask for fewer {groups}.",
)
CROSSING_QUANTILES = finding(
    "crossing-quantiles",
    "caution",
    "Quantiles cross in {crossed} of {n} cases: a higher level has a lower value.",
    "Sort them.",
)
COVERAGE = finding(
    "coverage",
    "note",
    "{coverage:.3g} of the truth lies within, about the {nominal:g} that were promised.",
)
COVERAGE_NOT_AS_PROMISED = finding(
    "coverage-not-as-promised",
    "caution",
    "{coverage:.3g} of the truth lies within, not the {nominal:g} that were promised: the intervals are too {too}.",
    "Widen or narrow them on cases kept apart.",
)
NO_BAND = finding(
    "no-band", "note", "A locally weighted curve comes without a band.", "See the smooth one."
)
NO_SMOOTH_CURVE = finding("no-smooth-curve", "note", "{error}")
NO_CALIBRATION_TEST = finding("no-calibration-test", "note", "{test}: {error}")
GROUPS_AS_INDEPENDENT = finding(
    "groups-as-independent",
    "caution",
    "Cases come in {groups}, but intervals of points, bands and tests take them for independent.",
    "Statistics allow for {groups}.",
)
EFFECTIVE_SIZE = finding(
    "effective-size", "note", "Importance weights make {cases} worth {worth:.4g} of equal weight."
)
EXTREME_OUTPUTS = finding(
    "extreme-outputs",
    "note",
    "{outside:g} of {n:g} probabilities are below {low} or above {high}, where the chi-square approximation of grouped counts is poor.",
    "See also Spiegelhalter's test.",
)
CERTAIN_OUTPUTS = finding(
    "certain-outputs",
    "caution",
    "{certain:g} of {n:g} probabilities are exactly 0 or 1.",
    "They have no logit and are left out of recalibration lines; nothing is that certain.",
)
ROWS_UNKNOWN = finding(
    "rows-unknown",
    "caution",
    "Rows are not identified, so it cannot be seen whether both parts share any.",
    "Set <row=...> for both.",
)
SAME_ROC = finding(
    "same-roc", "note", "The map rises strictly, so the ROC curve is the same to the last digit."
)
RANKING_CHANGED = finding("ranking-changed", "caution", "{what}", "Compare the AUCs.")
NO_TEST_OF_THE_MAP = finding("no-test-of-the-map", "note", "{measure}: {error}")
