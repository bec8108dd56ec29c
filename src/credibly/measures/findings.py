"""What there is to know of values that are not finite, and of names that mean another number elsewhere."""

from credibly._core.findings import caution, note, problem

NAMED_ELSEWHERE = note("named-elsewhere", "{name} is {measure} here: {differs}.")

UNDEFINED = caution("undefined", "{what}: {why}.", "{action}")
TOO_LARGE = problem(
    "too-large", "{what}: {why}.", "Divide truth, prediction and baseline by a constant."
)
TOO_SMALL = problem(
    "too-small", "{what}: {why}.", "Multiply truth, prediction and baseline by a constant."
)
INFINITE_LOSS = problem(
    "infinite-loss", "{measure} is infinite{where}: {cases} infinitely much{named}.", "{why}"
)
