"""What tests assume about cases, in words, and whether it holds for given predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly.errors import DataError, ParameterError, listed, says
from credibly.intervals._declare import MIN_CLASS_CASES
from credibly.predictions import Predictions
from credibly.predictions.parts import cluster_count, has_training_rows

if TYPE_CHECKING:
    from credibly.comparisons.result import Stands
    from credibly.measures import Measure

SAME = "All models are evaluated on the same cases."
APART = "The two models are evaluated on different cases, drawn independently."
INDEPENDENT = "Cases are independent of each other."
UNSEEN = "No model has been trained on these cases."
LARGE = "There are enough cases for the normal approximation."
GROUPED = "Cases, or groups where there are any, are independent of each other."
EXCHANGEABLE = "If the models are equally good, their predictions of a case could be swapped."
LARGE_SAMPLES = {"grouped": GROUPED, "unseen": UNSEEN, "large": LARGE}
MIN_CASES = 30

Standing = dict[str, "tuple[Stands, str]"]


def standing(*models: Predictions, in_given_order: bool = False) -> Standing:
    """Judge what can be judged of any predictions; rows in the given order were not matched by identifiers."""
    p = models[0]
    found: Standing = {
        "same": _same(p) if in_given_order else ("holds", "The rows were matched."),
        "independent": ("unknown", "No column says otherwise."),
        "grouped": ("unknown", "No groups were given."),
        "unseen": ("unknown", "No column says which part of the data the rows belong to."),
        "large": _large(models),
    }
    if p.in_time:
        found["independent"] = ("violated", "Cases are in time order, which this test ignores.")
        found["grouped"] = ("unknown", "A long-run variance allows for neighbours in time order.")
    elif p.clusters is not None:
        groups = f"{cluster_count(p)} {p.cluster_name}"
        found["independent"] = ("violated", f"Cases come in {groups}, which this test ignores.")
        found["grouped"] = ("unknown", f"{groups} are treated as independent.")
    if p.row is None and p.repeats > 1 and not p.design.independent:
        found["independent"] = ("violated", "The same cases may be in several repeats.")
        found["grouped"] = found["independent"]
    if p.part is not None:
        found["unseen"] = (
            ("violated", "Some rows belong to the training part.")
            if has_training_rows(p)
            else ("holds", "No row belongs to a training part.")
        )
    return found


def _same(p: Predictions) -> tuple[Stands, str]:
    """Say what the given order shows: only truths can agree."""
    if p.task == "outcome":
        return "unknown", "Rows have no identifiers and were compared in the given order."
    return "holds", "The truths agree, row by row."


def _large(models: tuple[Predictions, ...]) -> tuple[Stands, str]:
    p = min(models, key=lambda each: each.cases)
    if p.task != "classification":
        units = p.cases if p.clusters is None or p.in_time else cluster_count(p)
        named = "" if units == p.cases else f" {p.cluster_name}"
        return ("holds" if units >= MIN_CASES else "doubtful", f"There are {units:,.0f}{named}.")
    size = p.class_counts
    least = int(size.argmin())
    enough = p.cases >= MIN_CASES and size[least] >= MIN_CLASS_CASES
    text = (
        f"There are {p.cases:,.0f}; {size[least]:,.0f} of them are of class {p.classes[least]!r}."
    )
    return ("holds" if enough else "doubtful", text)


def refuse_importance(p: Predictions, test: str) -> None:
    """Stop a test that counts cases from reading weights that do not."""
    if p.unshared is not None:
        raise DataError(
            f"{test} counts cases, but these were predicted several times.",
            remedy=says("Use <test='influence'>, or compare one repeat."),
        )
    if p.weight_kind == "importance":
        raise DataError(
            f"{test} counts cases, but these have importance weights.",
            remedy=says(
                "Use <test='influence'>, or set <weight_kind='frequency'> if weights count repeated cases."
            ),
        )


def require_measure(m: Measure, names: tuple[str, ...], test: str) -> None:
    """Refuse a measure that a test is not about."""
    if m.name not in names:
        raise ParameterError(
            f"{test} compares {listed(names, 'or')}, not {m.call}.",
            remedy=says("Set <measure={first}>, or use another test.", first=names[0]),
        )
