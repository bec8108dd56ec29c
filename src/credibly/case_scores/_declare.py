"""How a score of a case is declared, and how scores become outcomes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from credibly._core.arrays import Floats, dot
from credibly._core.declared import Declarator, Reading, ReadingRegistry
from credibly._core.findings import Finding
from credibly._core.text import count, several, shown, some_rows
from credibly.case_scores.findings import NOT_SHOWN, UNDEFINED_CASES
from credibly.comparisons.alignment import SHARED_ONLY, aligned
from credibly.errors import DataError, ParameterError, says
from credibly.evaluation import evaluate
from credibly.measures import measures
from credibly.predictions import Predictions
from credibly.predictions.findings import NO_OUTCOME
from credibly.predictions.numbers import frozen
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.interval import Interval
from credibly.results.result import Blocks, Plotted, Result
from credibly.results.table import Table


class CaseScore(Reading[..., Floats]):
    """A number for each case, whose mean over cases is a measure: a function of the evidence that it ``reads``."""

    range: tuple[float, float]
    best: float
    cite: str
    undefined: str = ""  # cases in which it is undefined
    needs: str = ""  # what the evidence must hold for it
    upto: str = ""  # what of the evidence says how high it can be, where that is not its range
    first_order: bool = False  # whether it is the value and the influence of the case on it
    least: str = ""  # the score that no case can be below, if that is not the end of the range
    shown: bool = True  # among those that are shown where none is named

    @property
    def better(self) -> str:
        """Which way is better."""
        return "higher" if self.best == self.range[1] else "lower"

    @property
    def numbers(self) -> dict[str, float]:
        """The numbers it was made with, those that it has by default too.

        >>> case_scores.parse("hit(k=3)").numbers
        {'k': 3}
        """
        told = {**{p.name: p.default for p in self.parameters}, **self.arguments}
        return {name: x for name, x in told.items() if type(x) in (int, float)}

    @property
    def full_title(self) -> str:
        """Its title with the numbers it was made with, those that it has by default too.

        >>> case_scores.parse("hit(k=3)").full_title, case_scores["ndcg"].full_title
        ('Hit among the first k, k 3', 'Normalised discounted cumulative gain')
        """
        told = {**self.numbers, **self.arguments}.items()
        return self.title + "".join(f", {n} {x:g}" if isinstance(x, float) else f", {n} {x}" for n, x in told)  # fmt: skip

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        low, high = self.range
        return {
            "range": f"{low:g} to {high:g}",
            "better_when": self.better,
            "undefined_when": self.undefined,
            "computed_from": self.reads.__name__,
        }


Details = Iterator[tuple[str, Callable[[], Result]]]  # what makes a result, by its title


class InDetail(Result):
    """What else there is to see of a kind of prediction, each under its title.

    >>> from credibly import label_sets
    >>> found = label_sets([[1, 0], [1, 1]], [[1, 0], [0, 1]]).in_detail()
    >>> found.titles
    ('Over all labels', 'By label')
    """

    titles: tuple[str, ...]
    parts: tuple[Result, ...]

    json_keys = "titles details=parts"
    finding_parts = "parts"

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of all parts, each with its title and the columns of all."""
        each = zip(self.titles, self.parts, strict=True)
        found = [{"title": title, **row} for title, part in each for row in part.rows()]
        columns = dict.fromkeys(name for row in found for name in row)
        return [{**columns, **row} for row in found]

    def blocks(self) -> Blocks:
        """Yield the tables of each part below its title."""
        for title, part in zip(self.titles, self.parts, strict=True):
            for name, header, body in part.blocks():
                yield f"{title}: {name}" if name else title, header, body

    def remarks(self) -> Iterator[str]:
        """Say what each part means, or that there is none."""
        if not self.parts:
            yield "There is nothing more to see of these cases than their scores."
        yield from (said for part in self.parts if (said := part.meaning()))


case_scores: ReadingRegistry[CaseScore] = ReadingRegistry("case score", "credibly.case_scores")
case_score = Declarator(CaseScore, case_scores)


class UndefinedScoreError(DataError):
    """A score that is undefined for these cases, or infinite for some of them, so that it has no mean."""


class Evidence(Plotted):
    """The evidence that cases are scored by; each kind of prediction defines its cases."""

    __slots__ = ()
    findings: tuple[Finding, ...]
    needed: ClassVar[Mapping[str, str]] = {}  # what scores need of it, in words

    @property
    def heading(self) -> str:
        """What the cases are."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.heading})"

    def of_cases(self) -> dict[str, Any]:
        """Return the columns that predictions of outcomes take over: rows, models, groups and others."""
        raise NotImplementedError

    def lacks(self, score: CaseScore) -> bool:
        """Whether it does not hold what a score needs."""
        return bool(score.needs) and getattr(self, score.needs) is None

    def usual(self) -> list[CaseScore]:
        """Return the scores that are shown where none is named."""
        return [s for s in case_scores if s.reads is type(self) and s.shown]

    def defined(self) -> list[CaseScore]:
        """Return those of them that these cases have."""
        return [s for s in self.usual() if not self.lacks(s)]

    def range_of(self, score: CaseScore) -> tuple[float, float]:
        """Return the lowest and the highest score that such a case can have."""
        low, high = score.range
        return low, float(getattr(self, score.upto)) if score.upto else high

    def details(self, **options: Any) -> Details:  # noqa: ANN401, ARG002
        """Yield what else is to be seen of such a kind, by its title: reports and the page show it."""
        yield from ()

    def in_detail(self, **options: Any) -> InDetail:  # noqa: ANN401
        """Return everything else that there is to see of such a kind: calibration at a time, measures by label ..."""
        told = dict(self.details(**options))
        return InDetail(tuple(told), tuple(make() for make in told.values()))

    def scored(self, score: str | CaseScore) -> Predictions:
        """Return the score of each case as outcomes, which every verb takes."""
        return self._scored(score, self.of_cases())

    def _scored(self, score: str | CaseScore, cases: dict[str, Any]) -> Predictions:
        s = case_scores.parse(score)
        if s.reads is not type(self) or self.lacks(s):
            fitting = [each.name for each in case_scores if each.reads is type(self)]
            raise ParameterError(
                f"{s.call} is not a score of these cases" + (f", which have no {self.needed.get(s.needs, s.needs)}." if s.reads is type(self) else "."),
                asked=s.name,
                choices=fitting,
                remedy=f"Scores: {', '.join(fitting)}.",
            )  # fmt: skip
        with np.errstate(all="ignore"):
            values = np.asarray(s.function(self, **s.arguments), np.float64)
        _refuse_undefined(s, values)
        if s.first_order:  # the value and the influence of a case have no mean over a slice
            cases = {k: v for k, v in cases.items() if k != "columns"}
        predictions = Predictions.of(outcome=values, better=s.better, **cases)  # type: ignore[arg-type]
        predictions = replace(predictions, outcome_name=s.full_title, bounds=self._bounds(s, values), cache={})  # fmt: skip
        empty = int(np.isnan(values).sum())
        if not empty:
            return replace(predictions, findings=(*self.findings, *predictions.findings))
        finding = UNDEFINED_CASES(title=s.title, cases=count(empty, "case"), why=s.undefined)
        others = [
            f for f in predictions.findings if f.code != NO_OUTCOME.code
        ]  # which does not know why
        return replace(predictions, findings=(*self.findings, *others, finding))

    @staticmethod
    def mean_of(p: Predictions) -> str:
        """Return the measure that is the mean of scores: of passes and failures it has an exact theory."""
        return "pass_rate" if measures["pass_rate"].offered(p) else "mean_outcome"

    def table(
        self,
        scores: str | CaseScore | Iterable[str | CaseScore] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Table:
        """Estimate the mean over cases of several scores, all that apply by default, as :func:`credibly.evaluate` does."""
        named: list[Any]
        if scores is None:
            named = self.defined()
        else:
            named = (
                [scores]
                if isinstance(scores, str | CaseScore)
                else several(scores, "scores", "names of scores")
            )
        if not named:
            raise ParameterError("No score is named that these cases have.")
        cases = self.of_cases()
        if options.get("by") is None:  # columns are there to slice by
            cases.pop("columns", None)
        parts: list[tuple[CaseScore, Table]] = []
        findings: list[Finding] = []
        for s in map(case_scores.parse, named):
            try:
                p = self._scored(s, cases)
                parts.append((s, evaluate(p, self.mean_of(p), **options)))
            except UndefinedScoreError as error:
                if scores is not None:
                    raise
                findings.append(NOT_SHOWN(title=s.title, why=str(error)))
        if not parts:
            raise DataError("None of the usual scores is defined for these cases.", remedy=str(findings[0]))  # fmt: skip
        estimates = [e for s, t in parts for e in _renamed(s, self.range_of(s), t)]
        findings += [f for _, t in parts for f in t.findings]
        return replace(
            parts[0][1],
            heading=self.heading,
            estimates=with_decimals(estimates),
            findings=tuple(dict.fromkeys(findings)),
        )

    def _bounds(self, s: CaseScore, values: Floats) -> tuple[float, float] | None:
        """Return where the mean of these scores can lie: a score and an influence added up reach further, but their mean does not."""
        low, high = self.range_of(s)
        if s.least:
            low = float(np.nanmin(case_scores[s.least].function(self, **s.arguments)))
        inside = s.first_order or (low <= np.nanmin(values) and np.nanmax(values) <= high)
        return (low, high) if inside and any(map(math.isfinite, (low, high))) else None

    def skill(
        self,
        score: str | CaseScore,
        baseline: str,
        **options: Any,  # noqa: ANN401
    ) -> Table:
        """Estimate by which share each model lowers the mean of a loss against a baseline among the models.

        Skill is 1 - mean / mean of the baseline. On the logarithmic scale the ratio is, to first order, a mean over
        cases of their influence values, so that its interval comes as those of means do: with groups, and in time order.

        >>> from credibly import forecasts
        >>> found = forecasts([1.0, 3.0, 2.0, 4.0], members=[[1, 2], [2, 4], [1, 2], [4, 4]], climatology=[0, 1, 2, 3, 4])
        >>> round(found.skill("crps", "climatology")["crps"].value, 3)
        0.643
        """
        s = case_scores.parse(score)
        if (s.range[0], s.best) != (0, 0):
            raise ParameterError(
                f"{s.title} has no skill: its best value is not 0.",
                remedy="Choose a loss whose best value is 0, such as crps.",
            )
        p = self.scored(s)
        names = [] if p.model is None else [str(m) for m in dict.fromkeys(p.model.tolist())]
        if baseline not in names or len(names) < 2:
            raise ParameterError(
                says("<baseline=> is one of several models; got {name}.", name=shown(baseline)),
                asked=baseline,
                choices=names,
            )
        models = {name: p.where(model=name) for name in names}
        made = [_skill(models, name, baseline, s, options) for name in names if name != baseline]
        findings = tuple(dict.fromkeys(f for _, t in made for f in t.findings))
        heading = f"Skill against {baseline}, {self.heading}"
        return replace(
            made[0][1], heading=heading, estimates=tuple(e for e, _ in made), findings=findings
        )


def _refuse_undefined(s: CaseScore, values: Floats) -> None:
    """Refuse scores whose mean is undefined."""
    endless = np.flatnonzero(np.isinf(values)).tolist()
    if endless and s.needs == "density":
        raise UndefinedScoreError(
            f"{s.title} is infinite in {some_rows(endless)}: the truth was said to be impossible.",
            remedy="Correct the forecasts of these rows, or choose a score that is always finite.",
        )
    with np.errstate(over="ignore"):
        total = np.nansum(np.abs(values))
    if not np.isfinite(total):
        raise UndefinedScoreError(
            f"{s.title} is too large for doubles to be added up.",
            remedy="Divide the numbers by a constant.",
        )
    if np.isnan(values).all():
        why = f", because {s.undefined}" if s.undefined else ""
        raise UndefinedScoreError(f"{s.title} is undefined in every case{why}.")


def _skill(
    models: dict[str, Predictions], name: str, baseline: str, s: CaseScore, options: dict[str, Any]
) -> tuple[Estimate, Table]:
    """Estimate the skill of one model from the influence values of the logarithm of the ratio."""
    (mine, base), _ = aligned({name: models[name], baseline: models[baseline]}, SHARED_ONLY)
    known = ~(np.isnan(mine.outcome) | np.isnan(base.outcome))  # type: ignore[arg-type]
    mine, base = mine.take(known), base.take(known)
    loss, other = (m.need("outcome", "skill") for m in (mine, base))
    means = [float(dot(m.weights, o) / m.weights.sum()) for m, o in ((mine, loss), (base, other))]
    ratio = means[0] / means[1] if means[1] > 0 else np.nan
    with np.errstate(all="ignore"):
        moved = np.log(ratio) + loss / means[0] - other / means[1]
    title = f"{s.title}: skill"
    if not np.isfinite(moved).all():  # a loss of 0 on either side has no logarithm
        why = f"the mean loss of {name if ratio == 0 else baseline} is 0"
        table = evaluate(mine, "mean_outcome", **options)
        (estimate,) = table.estimates
        made = replace(estimate, value=1 - ratio, interval=None, why_no_interval=why)
    else:
        moves = replace(mine, outcome=frozen(moved), better=None, bounds=None, cache={})
        table = evaluate(moves, "mean_outcome", **options)
        (estimate,) = table.estimates
        made = replace(estimate, value=1 - ratio, interval=_of_ratio(estimate.interval, ratio))
    named = {"measure": s.call, "title": title, "also": s.also, "direction": "higher"}
    return replace(made, **named, keys={"model": name, **estimate.keys}), table  # type: ignore[arg-type]


def _of_ratio(found: Interval | None, ratio: float) -> Interval | None:
    """Return the interval of 1 - ratio from that of its logarithm."""
    if found is None:
        return None
    error = None if found.standard_error is None else ratio * found.standard_error
    low, high = (1 - math.exp(end) for end in (found.high, found.low))
    method = f"{found.method} of the logarithm of the ratio"
    return replace(found, low=low, high=high, standard_error=error, method=method)


def _renamed(s: CaseScore, ends: tuple[float, float], table: Table) -> list[Estimate]:
    """Call the mean outcome what it is; it lies where the score of a case can lie, unless crossing quantiles put it elsewhere."""
    # arguments stand beside the title of an estimate
    title = s.title if s.arguments else s.full_title
    told = {"measure": s.call, "title": title, "also": s.also}
    estimates = []
    for e in table.estimates:
        within = e.interval and e.interval.within(min(ends[0], e.value), max(ends[1], e.value))
        estimates.append(replace(e, interval=within, **told))  # type: ignore[arg-type]
    return estimates
