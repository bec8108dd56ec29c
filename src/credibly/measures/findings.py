"""What there is to know of values that are not finite."""

from credibly._core.findings import finding

UNDEFINED = finding("undefined", "caution", "{what}: {why}.", "{action}")
TOO_LARGE = finding(
    "too-large", "problem", "{what}: {why}.", "Divide truth, prediction and baseline by a constant."
)
TOO_SMALL = finding(
    "too-small",
    "problem",
    "{what}: {why}.",
    "Multiply truth, prediction and baseline by a constant.",
)
INFINITE_LOSS = finding(
    "infinite-loss",
    "problem",
    "{measure} is infinite{where}: {cases} cost infinitely much{named}.",
    "{why}",
)
