"""Checks of the cases: how many, how they came about, whom they stand for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.errors import count
from credibly.checks._declare import Verdict, check_of, fired, not_applicable, passed
from credibly.intervals.planning import sample_size_for_proportion
from credibly.intervals.proportions import wilson
from credibly.intervals.quantiles import chi_square_tail, normal_quantile, normal_tail
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from credibly.checks.dossier import Dossier

FEW = 10
SURE = 0.001  # a check asks many questions, so that it must be surer than a test of one
HALF = 2


@check_of(
    "Too few cases",
    severity="caution",
    action="Trust Wilson's intervals and exact tests; gather more cases of the rare kind.",
)
def few_cases(d: Dossier) -> Verdict:
    """Normal approximations need about ten cases of every kind."""
    if d.known.task != "classification":
        few = d.known.n < FEW
        return (
            fired(f"There are {d.known.n} cases.")
            if few
            else passed(f"There are {d.known.n:,} cases.")
        )
    first = next(iter(d.models.values()))
    sizes = np.bincount(first.truth, minlength=len(first.classes))
    poor = [f"{c!r} ({n})" for c, n in zip(first.classes, sizes.tolist(), strict=True) if n < FEW]
    wrong = d.wrong(first)
    if poor:
        return fired(f"Fewer than {FEW} cases of class {', '.join(poor)}.")
    if wrong is not None and 0 < wrong.sum() < FEW:
        return fired(f"There are only {int(wrong.sum())} errors: an error rate rests on these.")
    return passed(f"Every class has at least {FEW} cases.")


@check_of(
    "Class proportions differ from training",
    severity="caution",
    action="Find out why; correct probabilities for the new proportions before using them.",
)
def class_proportions_differ(d: Dossier) -> Verdict:
    """The classes are not as common in the test rows as they were in training."""
    first = next(iter(d.models.values()))
    if first.task != "classification" or first.baseline is None:
        return not_applicable("The proportions of the training part (baseline=) are not given.")
    expected = first.baseline.sum(axis=0)
    seen = np.bincount(first.truth, minlength=expected.size)
    if (seen[expected == 0] > 0).any():
        return fired("A class occurs in the test rows that the training part did not have.")
    used = expected > 0
    if used.sum() < HALF:
        return not_applicable("The training part holds a single class.")
    statistic = float(((seen - expected)[used] ** 2 / expected[used]).sum())
    if chi_square_tail(statistic, int(used.sum()) - 1) < SURE:
        worst = int(np.abs(seen / seen.sum() - expected / expected.sum()).argmax())
        return fired(
            f"{first.classes[worst]!r} makes up {seen[worst] / seen.sum():.1%} of the test rows and "
            f"{expected[worst] / expected.sum():.1%} of the training rows."
        )
    return passed("The classes are as common in the test rows as in training.")


@check_of(
    "Prevalence far from deployment",
    severity="caution",
    action="Pass prevalence= to decide and to curves, which then weigh the classes as they will be.",
)
def prevalence_differs(d: Dossier) -> Verdict:
    """The positive class is much rarer or commoner in the test rows than where the model will be used."""
    if d.prevalence is None or not d.binary:
        return not_applicable("The prevalence of the deployment (prevalence=) is not given.")
    first = next(iter(d.models.values()))
    positives = int((first.truth == first.positive).sum())
    limits = wilson(positives, first.n, 1 - SURE)
    said = f"{positives / first.n:.2%} of the test rows are positive; {d.prevalence:.2%} will be."
    return passed(said) if limits.low <= d.prevalence <= limits.high else fired(said)


@check_of(
    "Drift among the test rows",
    severity="caution",
    action="Judge by time (by='group' with periods), and learn from the past only.",
)
def drift(d: Dossier) -> Verdict:
    """The first and the second half of the rows, in their order, differ in outcome or in error."""
    first = next(iter(d.models.values()))
    if d.folds or first.n < 4 * FEW:
        return not_applicable("Rows of folds have no order, or there are too few of them.")
    loss = (
        d.wrong(first)
        if first.task == "classification"
        else np.abs(first.truth - first.need("value", "drift"))
    )
    columns = {"errors": loss}
    if d.binary:
        columns["positive cases"] = first.truth == first.positive
    for name, column in columns.items():
        if column is not None and _halves_differ(np.asarray(column, float)):
            a, b = (half.mean() for half in np.array_split(np.asarray(column, float), HALF))
            return fired(
                f"From the first half of the rows to the second, {name} go from {a:.3g} to {b:.3g}."
            )
    return passed("Both halves of the rows are alike.")


def _halves_differ(column: np.ndarray) -> bool:
    a, b = np.array_split(column, HALF)
    error = math.sqrt(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size)
    return error > 0 and 2 * normal_tail(abs(a.mean() - b.mean()) / error) < SURE


@check_of(
    "Test set too small for the difference",
    severity="caution",
    action="Gather as many cases as it takes, or claim less.",
)
def too_small_for_difference(d: Dossier) -> Verdict:
    """A difference as small as the one claimed would drown in the chance of so few cases."""
    if d.difference is None or d.known.task != "classification":
        return not_applicable("No difference is claimed (difference=).")
    first = next(iter(d.models.values()))
    wrong = d.wrong(first)
    if wrong is None:
        return not_applicable("There are no labels.")
    rate = min(max(float(wrong.mean()), 1 / first.n), 1 - 1 / first.n)
    half = normal_quantile(0.025) * math.sqrt(2 * rate * (1 - rate) / first.n)
    needed = HALF * sample_size_for_proportion(rate, abs(d.difference))
    said = f"{first.n:,} cases tell error rates apart that differ by about {half:.3g}; {d.difference:.3g} is claimed"
    if half > abs(d.difference):
        return fired(f"{said}, which takes about {needed:,} cases.")
    return passed(f"{said}.")


@check_of(
    "Weights of unknown kind",
    severity="note",
    action="Pass weight_kind='frequency' or 'importance'.",
)
def weights_of_unknown_kind(d: Dossier) -> Verdict:
    """Weights that count repeated cases and weights that say how much a case matters need other intervals."""
    p = d.predictions
    if p.weight is None:
        return not_applicable("There are no weights.")
    if any(f.code == "weight-kind" for f in p.findings):
        return fired("It was not said whether weights count cases or say how much a case matters.")
    return passed(f"The weights are said to be of the kind {p.weight_kind!r}.")


@check_of(
    "Rows wrong every time",
    severity="note",
    action="Look at these rows: they may be mislabelled, or of a kind that the attributes do not tell.",
)
def rows_wrong_every_time(d: Dossier) -> Verdict:
    """Some rows are misclassified by every model in every repeat."""
    p = d.known
    wrong = d.wrong(p)
    if wrong is None or p.row is None:
        return not_applicable("There are no labels or no row identifiers (row=).")
    rows = distinct(p.row)
    times = np.bincount(rows.codes)
    if times.min(initial=0) < 3:
        return not_applicable("Rows are predicted fewer than three times.")
    always = np.flatnonzero(np.bincount(rows.codes, wrong) == times)
    if always.size:
        shown = ", ".join(str(rows.values[i]) for i in always[:FEW])
        return fired(
            f"{count(always.size, 'row')} of {times.size:,} are wrong in every prediction: {shown}."
        )
    return passed("Every row is right at least once.")
