"""What there is to know of comparisons."""

from credibly._core.findings import caution, note, problem

NO_VARIATION = caution(
    "no-variation",
    "The two models {same}: there is no variation to test.",
    "Check that two models were compared.",
)
SAME_DIFFERENCE = caution(
    "same-difference",
    "The difference is {difference:.6g} in every one of {n:g} pairs of values. Without variation there is no standard error; the p-value is that of the sign test over {what}.",
)
CANNOT_BE_TESTED = caution(
    "untestable",
    "{first} and {second} differ by {difference:.4g} in every fold: without variation there is nothing to test it by, and the folds are too few to go by their signs.",
    "Use more folds, or compare the cases.",
)
NOT_ADJUSTED = note(
    "not-adjusted",
    "Each dataset is tested by itself, without adjusting for the number of tests: of those on which two schemes are alike, some will be called won or lost.",
    "Use compare(DatasetTable.of(...)) for a conclusion about all datasets.",
)
NO_TEST = problem("no-test", "{models}: {error}")
IMPROPER = caution(
    "improper-comparison",
    "It rewards probabilities that are pushed outwards, whether they are right or not: a model that is badly calibrated may seem to be the better one.",
    "Compare brier or log_loss as well, and look at the calibration of both.",
)
FEW_DATASETS = note(
    "few-datasets",
    "With {n} datasets and {k} schemes the chi-square is a rough approximation, on the side of caution.",
    "Use <test='iman_davenport'>.",
)
