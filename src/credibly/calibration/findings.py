"""What there is to know of calibration and recalibration."""

from credibly._core.findings import caution, note

SMALL_GROUPS = caution(
    "small-groups",
    "{small} of {all} {groups} hold or expect fewer than {few} cases.",
    "Ask for fewer {groups}.",
)
CROSSING_QUANTILES = caution(
    "crossing-quantiles",
    "Quantiles cross in {crossed} of {n} cases: a higher level has a lower value.",
    "Sort them.",
)
COVERAGE = note(
    "coverage", "{coverage:.3g} of the truth lies within, about the {nominal:g} that were promised."
)
COVERAGE_NOT_AS_PROMISED = caution(
    "coverage-not-as-promised",
    "{coverage:.3g} of the truth lies within, not the {nominal:g} that were promised: the intervals are too {too}.",
    "Widen or narrow them on cases kept apart.",
)
NO_BAND = note("no-band", "A locally weighted curve comes without a band.", "See the smooth one.")
NO_SMOOTH_CURVE = note("no-smooth-curve", "{error}")
NO_CALIBRATION_TEST = note("no-calibration-test", "{test}: {error}")
GROUPS_AS_INDEPENDENT = caution(
    "groups-as-independent",
    "Cases come in {groups}, but intervals of points, bands and tests take them for independent.",
    "Statistics allow for {groups}.",
)
EFFECTIVE_SIZE = note(
    "effective-size", "Importance weights make {cases} worth {worth:.4g} of equal weight."
)
EXTREME_OUTPUTS = note(
    "extreme-outputs",
    "{outside:g} of {n:g} probabilities are below {low} or above {high}, where the chi-square approximation of grouped counts is poor.",
    "See also Spiegelhalter's test.",
)
CERTAIN_OUTPUTS = caution(
    "certain-outputs",
    "{certain:g} of {n:g} probabilities are exactly 0 or 1.",
    "They have no logit and are left out of recalibration lines; nothing is that certain.",
)
ROWS_UNKNOWN = caution(
    "rows-unknown",
    "Rows are not identified, so it cannot be seen whether both parts share any.",
    "Set <row=...> for both.",
)
MAP_OF_ALL_CASES = note(
    "map-of-all-cases",
    "The numbers are of maps that were fitted without the cases they are applied to; the one that is kept was fitted on all cases.",
)
SAME_ROC = note(
    "same-roc", "The map rises strictly, so the ROC curve is the same to the last digit."
)
RANKING_CHANGED = caution("ranking-changed", "{what}", "Compare the AUCs.")
NO_TEST_OF_THE_MAP = note("no-test-of-the-map", "{measure}: {error}")
