"""The first screen of a table: what it means, and each value beside the best rule that learned nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist

from credibly._core.findings import Finding
from credibly._core.grouping import grouped_by
from credibly._core.layout import Key
from credibly._core.text import interval_text, lower_first, name_text, number_text, p_is
from credibly.errors import listed
from credibly.results.estimate import SIGNS, Advantage, Estimate, TrivialRule
from credibly.results.estimates import (
    MAX_MODELS_BESIDE,
    MAX_SIDE_BY_SIDE,
    MEAN_OVER_DATASETS,
    Estimates,
    Tabled,
    best_ruled,
    rules_row,
    with_rules,
)
from credibly.results.formats import plain_scalar
from credibly.results.result import Cells

MAX_MODELS = 15  # rows of a first look
MAX_MEASURES = 5  # columns of a first look, which fit 80 letters
# Up to this many measures, all have their intervals beside classes and slices,.
MAX_WITH_INTERVALS = 3
MAX_BESIDE_MODELS = 2  # up to this many beside models, whose names are longer
POOLED_CODE = "pooled-folds"  # the finding about estimates of models alone
# Words for the better of two values, by whether that may be chance.
VERDICT_WORDS = {
    "better": "clearly better than",
    "not shown": "not clearly better than",
    "unknown": "better than",
}
# Keys that may distinguish the estimates if one of them is called the best.
BRIEF_KEYS = ({"model"}, set[str](), {"at"}, {"model", "at"})
# Keys that may distinguish them if one trivial rule stands beside all.
KEYS_WITH_RULES = {"model", "dataset", "at"}


class Brief(Tabled):
    """A table for a first look: one estimate of each measure, with the best trivial rule.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 1, 0, 0, 0, 0, 0], label=[1, 1, 0, 0, 0, 0, 0, 0])
    >>> brief = Brief(credibly.evaluate(p, "headline"))
    >>> brief.meaning()
    'Error rate is 0.125 [0.022, 0.471], not clearly better than the best trivial rule (majority, 0.375).'
    >>> print(brief)
    Error rate is 0.125 [0.022, 0.471], not clearly better than the best trivial rule (majority, 0.375).
    8 cases, 2 classes: 0 and 1 (positive)
    measure     value  95 % interval    n  best trivial rule
    Error rate  0.125  [0.022, 0.471]   8  0.375 (majority)
    Recall      0.667  [0.208, 0.939]   3  1 (all positive)
    Precision   1.000  [0.342, 1.000]   2  0.375 (random)
    Kappa       0.714  [-0.167, 0.896]  8  0 (majority)
    Intervals are about this model on new cases.
      caution: Fewer than 10 cases of class 0 (5) and 1 (3): intervals other than Wilson's may be too narrow.
    """

    def first(self) -> tuple[Estimate, ...]:
        """Return one estimate of each measure where there are several: the one that stands for it."""
        return tuple(replace(e, keys=_told_by(e), is_headline=None) for e in self._standing())

    def _standing(self) -> tuple[Estimate, ...]:
        kept: dict[tuple[object, ...], Estimate] = {}
        # What is about all classes is not shown of each as well.
        whole = {_identity(e) for e in self.table.estimates}
        for e in self.table.estimates:
            every_class = _identity(e, without="class")
            of_all = every_class != _identity(e) and every_class in whole
            if e.is_headline is not False and not of_all:
                kept.setdefault(_identity(e), e)
        return tuple(kept.values())

    def all_findings(self) -> tuple[Finding, ...]:
        """Return the findings about what is shown; those about pooled folds only where they are shown."""
        shown = self._standing()
        if self.ranked():
            names = {*_columns(shown)}
            shown = tuple(e for e in shown if e.name in names)
        found = replace(self.table, estimates=shown).all_findings()
        pooled = any(e.of_models_alone for e in shown)
        return tuple(f for f in found if pooled or f.code != POOLED_CODE)

    def cells(self) -> Cells:
        """Return header and body: each measure with the best trivial rule at the end."""
        every = self.first()
        if ranked := self.ranked():
            return _ranking(every, ranked[:MAX_MODELS])
        if compact := _row_per_key(every, _supports(self.table)):
            return compact
        shown = tuple(e.without_rules() for e in every)
        header, body = replace(self.table, estimates=shown).cells()
        if all(not e.keys and e.n == self.table.details.get("n") for e in every):
            header, body = _without_n(header, body)
        # A rule has other values in each part.
        split = any({*e.keys} - KEYS_WITH_RULES for e in every)
        return with_rules(header, body, () if split else every)

    def ranked(self) -> list[str]:
        """Return the models, the best first, where they are too many to stand side by side."""
        every = self.first()
        alike = [e for e in every if e.name == every[0].name]
        sign = SIGNS.get(every[0].direction) if every else None
        if sign is None or len(alike) <= MAX_MODELS_BESIDE or {*alike[0].keys} != {"model"}:
            return []
        # Those without a value come last.
        alike.sort(key=lambda e: math.inf if math.isnan(e.value) else -sign * e.value)
        return [str(e.keys["model"]) for e in alike]

    def about_intervals(self) -> str:
        """Say what the intervals of what is shown are about; how they were made, all of the table says."""
        return self._shown().about_what()

    def left_out(self) -> list[str]:
        """Return nothing: every first look says that there is more."""
        return []

    @property
    def leaves_out_intervals(self) -> bool:
        """Whether there is only room for the intervals of the first measure."""
        return len(self._with_intervals()) < len(self.first())

    def _shown(self) -> Estimates:
        return replace(self.table, estimates=self._with_intervals(), first_look=())

    def _with_intervals(self) -> tuple[Estimate, ...]:
        every = self.first()
        if {"model", "class"} <= {k for e in every for k in e.keys}:
            return ()
        if not self.ranked():
            return every
        names = _with_limits(_columns(every))
        return tuple(e for e in every if e.name in names)

    def remarks(self) -> list[str]:
        """Say how the intervals of what is shown were made, and why there are none; of many models which these are."""
        shown = self._with_intervals()
        said = self._shown().remarks_about(self.about_intervals())
        if not (ranked := self.ranked()):
            return said
        more = f"; {len(ranked) - MAX_MODELS} more are not shown" * (len(ranked) > MAX_MODELS)
        return [f"The model with the best {lower_first(shown[0].name)} comes first{more}.", *said]

    def meaning(self) -> str:
        """Say of the first measure how good the best model is, or whether some slice is clearly worse."""
        every = self.first()
        every = tuple(_of_datasets(e) for e in every if _is_mean(e)) or every
        classes = [e for e in every if "class" in e.keys]
        if below := [e for e in every if classes and not e.average and "class" not in e.keys]:
            if len(below) == 1:
                return _of_classes(below[0], classes)
            return Brief(replace(self.table, estimates=tuple(below))).meaning()
        alike = [e for e in every if e.name == every[0].name]
        known = [e for e in alike if not math.isnan(e.value)]
        sign = SIGNS.get(every[0].direction) if every else None
        split = self.table.slices
        if sign is not None and known and split and {*known[0].keys} == {*split}:
            return slices_text(known, sign)
        if sign is not None and len(known) > 1 and len(known[0].keys) == 1 and _is_numbered(known):
            return _range_text(known)
        if sign is None or not known or {*known[0].keys} not in BRIEF_KEYS:
            return ""
        best = max(known, key=lambda e: sign * e.value)
        name = best.name if best.average else best.title
        said = interval_text(best.value, best.interval)
        if "at" in best.keys:
            of = f" for {best.keys['model']}" if "model" in best.keys else ""
            most = "highest" if sign > 0 else "lowest"
            start = f"{name} is {most}{of} at {best.keys['at']}: {said}"
        elif len(alike) > 1:
            # Means of the same folds in another order differ by rounding.
            first = [str(e.keys["model"]) for e in known if math.isclose(e.value, best.value)]
            have = "has" if len(first) == 1 else "have"
            extreme = f"the {'highest' if sign > 0 else 'lowest'}"
            told = f"{extreme} {lower_first(name)} of {len(alike)} models"
            if len(first) == len(alike):
                told = f"the same {lower_first(name)}"
            start = f"{listed(first)} {have} {told}: {said}"
        else:
            start = f"{name} is {said}"
        by = (e for e in every if e.measure == self.table.margin and e.keys == best.keys)
        if (margin := next(by, None)) is not None:
            return f"{start}; {_beyond(margin, best.rule, sign)}."
        return f"{start}{_beside(best)}."


def _is_mean(e: Estimate) -> bool:
    return e.keys.get("dataset") == MEAN_OVER_DATASETS


def _of_datasets(mean: Estimate) -> Estimate:
    """Call the mean of a measure over datasets by what it is a mean of."""
    keys = {k: v for k, v in mean.keys.items() if k != "dataset"}
    return replace(mean, keys=keys, title=f"Mean {lower_first(mean.title)} over datasets")


def _without_n(header: Sequence[str], body: Sequence[Sequence[str]]) -> Cells:
    """Leave out how many cases each value is of, which the heading says."""
    at = [i for i, name in enumerate(header) if name != "n"]
    return [header[i] for i in at], [[row[i] for i in at] for row in body]


def _ranking(every: Sequence[Estimate], models: Sequence[str]) -> Cells:
    """Return one row per model: the first measure with its interval, of the others the values."""
    rows: dict[str, dict[str, str]] = {m: {} for m in models}
    names = _columns(every)
    for e in every:
        if (row := rows.get(str(e.keys["model"]))) is not None:
            limits = e.interval if e.name in _with_limits(names) else None
            row[e.name] = (
                interval_text(e.value, limits) if limits else number_text(e.value, e.interval)
            )
    body = [[m, *(row.get(n, "") for n in names)] for m, row in rows.items()]
    ruled = best_ruled(every)
    return [Key("model"), *names], [*body, *rules_row({n: ruled[n] for n in names})]


def _columns(every: Iterable[Estimate]) -> list[str]:
    """Name the measures that have a column where there is one row per model."""
    return list(dict.fromkeys(e.name for e in every))[:MAX_MEASURES]


def _with_limits(names: list[str]) -> list[str]:
    """Name those of them that stand with their intervals within 80 letters."""
    return names if len(names) <= MAX_BESIDE_MODELS else names[:1]


def _row_per_key(
    every: Sequence[Estimate], supports: Mapping[str, str], *, limits: bool = True
) -> Cells | None:
    """Return one row per class, with averages below, or per slice where there are many; none for other tables."""
    keys = list(dict.fromkeys(k for e in every for k in e.keys))
    if keys == ["model", "class"]:
        return _classes_by_model(every)
    titles = list(dict.fromkeys(e.title for e in every if e.keys))
    below = [e for e in every if not e.keys]  # about all classes
    if (
        len(keys) != 1
        or keys == ["model"]
        or (not below and len(every) <= MAX_SIDE_BY_SIDE * len(titles))
    ):
        return None
    shown = titles[:MAX_MEASURES]
    rows: dict[str, dict[str, str]] = {}
    for e in sorted(every, key=lambda e: not e.keys and 1 + bool(e.average)):
        alone = e.title not in titles  # accuracy, which stands below the last column as elsewhere
        name = name_text(plain_scalar(e.keys[keys[0]])) if e.keys else f"{e.average} average"
        row = rows.setdefault(lower_first(e.title) if alone else name, {})
        whole = limits and (len(shown) <= MAX_WITH_INTERVALS or e.title == shown[0])
        row[shown[-1] if alone else e.title] = (
            interval_text(e.value, e.interval) if whole else number_text(e.value, e.interval)
        )
    total = number_text(max((e.n for e in below), default=0))
    counted = below and supports
    ends = [[supports.get(name, total)] for name in rows] if counted else [[] for _ in rows]
    body = [
        [name, *(row.get(t, "") for t in shown), *end]
        for (name, row), end in zip(rows.items(), ends, strict=True)
    ]
    ruled = best_ruled(every) if keys == ["dataset"] else {}
    body += rules_row({t: ruled[t] for t in shown if t in ruled})
    return [Key(keys[0]), *shown, *(["support"] if counted else [])], body


def _classes_by_model(every: Sequence[Estimate]) -> Cells:
    """Return the rows of each model's classes, with averages below; there is no room for intervals."""
    models = grouped_by(lambda e: str(e.keys["model"]), every)
    header: list[str] = []
    body: list[list[str]] = []
    for model, mine in models.items():
        alone = [replace(e, keys={k: v for k, v in e.keys.items() if k != "model"}) for e in mine]
        if (made := _row_per_key(alone, {}, limits=False)) is not None:
            header = [Key("model"), *made[0]]
            body += [[model, *row] for row in made[1]]
    return header, body


def _supports(table: Estimates) -> dict[str, str]:
    """Return how many cases each class has."""
    found = table.details.get("confusion_matrix")
    if not found:
        return {}
    rows = zip(table.details["classes"], found["counts"], found["unclassified"], strict=True)
    return {name_text(plain_scalar(c)): number_text(sum(row) + doubt) for c, row, doubt in rows}


def _of_classes(overall: Estimate, classes: Sequence[Estimate]) -> str:
    """Say how good it is on all classes, and which class is the worst by the last measure of each."""
    said = f"{overall.title} is {interval_text(overall.value, overall.interval)}"
    told = f"{said}{_beside(overall)}."
    last = [e for e in classes if e.name == classes[-1].name and not math.isnan(e.value)]
    if len({e.value for e in last}) < 2:
        return told
    worst = min(last, key=lambda e: SIGNS[e.direction] * e.value)
    value = interval_text(worst.value, worst.interval)
    return f"{told} {worst.title} is lowest for class {name_text(plain_scalar(worst.keys['class']))}: {value}."


def _is_numbered(each: Sequence[Estimate]) -> bool:
    """Whether values are those of folds, repeats or parts, among which no best one is sought."""
    return {*each[0].keys} <= {"fold", "repeat", "part"}


def _range_text(each: Sequence[Estimate]) -> str:
    """Say between which values the folds lie."""
    (key,) = each[0].keys
    low, high = (way(each, key=lambda e: e.value) for way in (min, max))
    ends = (
        f"{number_text(e.value, e.interval)} ({key} {plain_scalar(e.keys[key])})"
        for e in (low, high)
    )
    return f"{low.title} lies between {' and '.join(ends)}."


def slices_text(slices: Sequence[Estimate], sign: int) -> str:
    """Say which slice is the worst by a measure, where it clearly differs from the best one.

    >>> from credibly.results import Interval
    >>> def rate(sex, value):
    ...     limits = Interval(value - 0.05, value + 0.05, 0.95, "Wilson")
    ...     return Estimate("error_rate", "Error rate", value, limits, "", 100, "lower", {"sex": sex})
    >>> slices_text([rate("f", 0.1), rate("m", 0.3)], -1)
    'Error rate is clearly worse for sex m, 0.300 [0.250, 0.350], than for sex f, 0.100 [0.050, 0.150].'
    >>> slices_text([rate("f", 0.1), rate("m", 0.16)], -1)
    'Slices do not clearly differ by error rate: worst for sex m, 0.160 [0.110, 0.210]; best for sex f, 0.100 [0.050, 0.150].'
    """
    if len(slices) == 1:
        return ""
    best, worst = (way(slices, key=lambda e: sign * e.value) for way in (max, min))
    good, bad = (
        f"for {', '.join(f'{k} {plain_scalar(v)}' for k, v in e.keys.items())}, "
        f"{interval_text(e.value, e.interval)}"
        for e in (best, worst)
    )
    if _clearly_apart(best, worst, sign, len(slices)):
        return f"{best.title} is clearly worse {bad}, than {good}."
    title = lower_first(best.title)
    return f"Slices do not clearly differ by {title}: worst {bad}; best {good}."


def _clearly_apart(best: Estimate, worst: Estimate, sign: int, slices: int) -> bool:
    """Whether the best and the worst of some slices differ by more than chance.

    The limits of a difference follow from those of its two values (Zou & Donner 2008, MOVER), here
    widened by as much as normal ones must be to hold for all pairs of slices at once (Bonferroni).
    """
    if best.interval is None or worst.interval is None:
        return False
    level = best.interval.confidence_level
    pairs = slices * (slices - 1) / 2
    tails = NormalDist().inv_cdf((1 - level) / 2 / pairs) / NormalDist().inv_cdf((1 - level) / 2)
    near = best.interval.low if sign > 0 else best.interval.high
    other = worst.interval.high if sign > 0 else worst.interval.low
    far = tails * math.hypot(best.value - near, worst.value - other)
    return abs(best.value - worst.value) > far


def _identity(e: Estimate, without: str = "") -> tuple[object, ...]:
    """Return what tells an estimate from others of its table, except for how it was made."""
    return (e.name, *((k, v) for k, v in _told_by(e).items() if k != without))


def _told_by(e: Estimate) -> dict[str, object]:
    """Return what tells an estimate from others of its measure, except for how it was made."""
    return {k: v for k, v in e.keys.items() if k != "estimate"}


def _beyond(margin: Estimate, rule: TrivialRule | None, sign: int) -> str:
    """Write a gain with its interval, and whether it is one beyond chance; of a loss, which rule is better."""
    limits = margin.interval
    told = f"{lower_first(margin.title)} is {interval_text(margin.value, limits)}"
    if rule is not None and margin.value < 0:
        better = "cheaper" if sign < 0 else "better"
        clearly = "clearly " if limits is not None and limits.high < 0 else ""
        return f"{rule.words} is {clearly}{better} ({margin.beside_text(rule.value)}): {told}"
    if limits is None or math.isnan(margin.value):
        return told
    return f"{told}, {'clearly' if limits.low > 0 else 'not clearly'} above 0"


def _beside(best: Estimate) -> str:
    """Write whether an estimate is better than the best trivial rule, and why if its interval does not show it."""
    found = best.advantage
    if found is None:
        return ""
    how = "no better than" if found.difference <= 0 else VERDICT_WORDS[found.standing]
    said = (
        f", {how} the best trivial rule ({found.rule.words}, {best.beside_text(found.rule.value)})"
    )
    if _told_by_limits(best, found):
        return said
    # The interval lies beside the value of the rule, which other cases would change as well.
    also = ", whose value is uncertain too," if found.standing == "not shown" else ""
    return f"{said}{also} on the same cases{_chance(found)}"


def _told_by_limits(e: Estimate, found: Advantage) -> bool:
    """Whether a reader who looks at the interval alone comes to the same verdict."""
    by_limits = replace(found, interval=e.interval, pvalue=None)
    return found.difference <= 0 or by_limits.standing == found.standing


def _chance(found: Advantage) -> str:
    return "" if found.pvalue is None else f" ({p_is(found.pvalue)})"
