"""Times to an event with censoring, with predicted risks or chances of survival."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import require, whole
from credibly._core.text import count, one_or_several
from credibly.case_scores._declare import (
    CaseScore,
    Details,
    Evidence,
    UndefinedScoreError,
    case_scores,
)
from credibly.case_scores.beside import (
    GivenColumns,
    each_column,
    for_each_model,
    given_columns,
    other_order,
)
from credibly.case_scores.censoring import Censoring, in_order
from credibly.case_scores.findings import CENSORING_ELSEWHERE, NOT_SHOWN, SURVIVAL_RISES
from credibly.case_scores.forecast_forms import numbers_of, refuse_some
from credibly.case_scores.forecasts import model_named
from credibly.case_scores.survival_results import (
    TREAT_ALL,
    ByTime,
    HorizonCalibration,
    HorizonDecision,
    RiskGroup,
)
from credibly.errors import DataError, MissingColumnError, ParameterError, listed, says
from credibly.gaps.result import slice_name
from credibly.predictions.numbers import weights
from credibly.results.estimate import Estimate, with_decimals
from credibly.results.table import Table

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """What one model predicts: a risk, higher where the event comes sooner, or chances of survival at some times."""

    risk: Floats | None
    survival: Floats | None
    times: Floats | None

    def surviving(self, at: float) -> Floats:
        """Return the chance of no event up to a time: that of the last time before it, 1 before all."""
        assert self.survival is not None  # noqa: S101  (scores that ask need it)
        assert self.times is not None  # noqa: S101
        place = int(np.searchsorted(self.times, at, "right"))
        return self.survival[:, place - 1] if place else np.ones(len(self.survival))

    def risk_at(self, at: float | None) -> Floats:
        """Return the risk, by the chance of survival at a time where no other is given."""
        if self.risk is not None:
            return self.risk
        assert self.times is not None  # noqa: S101
        return 1 - self.surviving(float(self.times[-1]) if at is None else at)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Survival(Evidence):
    """Times to an event, some of them censored, and what models predict of them.

    >>> from credibly import survival
    >>> found = survival([1, 2, 3, 4], [True, True, False, True], risk=[0.9, 0.4, 0.6, 0.1])
    >>> found
    Survival(4 cases, 3 events)
    >>> round(found.table("harrell_c")["harrell_c"].value, 4)
    0.8
    """

    time: Floats
    event: Flags
    models: Mapping[str, Predicted]
    censoring: Censoring
    beside: Mapping[str, Any]
    findings: tuple[Finding, ...] = ()
    needed: ClassVar[Mapping[str, str]] = {
        "chances": "chances of survival",
        "several_times": "chances of survival at several times",
        "ranked": "risk, and chances of survival at more than one time",
    }

    @property
    def weight(self) -> Floats:
        """How much each case counts."""
        given = self.beside.get("sample_weight")
        return np.ones(self.time.size) if given is None else np.asarray(given, np.float64)

    @property
    def heading(self) -> str:
        """How many cases and events there are."""
        models = f"{count(len(self.models), 'model')}, " if len(self.models) > 1 else ""
        return f"{models}{count(self.time.size, 'case')}, {count(int(self.event.sum()), 'event')}"

    def of_cases(self) -> dict[str, Any]:
        """Return the rows, models, groups and columns."""
        return for_each_model(self.beside, [*self.models], self.time.size)

    @property
    def chances(self) -> bool | None:
        """Whether all models have chances of survival; None where not."""
        return True if all(m.survival is not None for m in self.models.values()) else None

    @property
    def ranked(self) -> bool | None:
        """Whether all models have one risk, given or by the chance at a single time; None where not."""
        return True if all(m.risk is not None or (m.times is not None and m.times.size == 1) for m in self.models.values()) else None  # fmt: skip

    @property
    def several_times(self) -> bool | None:
        """Whether all models have chances at several times, the same; None where not."""
        return True if self.chances and self.shared_times.size > 1 else None

    @property
    def shared_times(self) -> Floats:
        """The times at which all models have chances of survival."""
        held = [set(m.times.tolist()) for m in self.models.values() if m.times is not None]
        return np.array(sorted(set.intersection(*held)) if held else [])

    @property
    def horizon(self) -> float:
        """The time that is looked at where none is named: the middle one of those predicted, or the median time of events."""
        times = [m.times for m in self.models.values() if m.times is not None]
        if times:
            known = np.unique(np.concatenate(times))
            return float(known[known.size // 2])
        own, place = in_order(self.time)
        events = np.cumsum(np.bincount(place, self.event * self.weight))
        return float(own[np.searchsorted(events, events[-1] / 2, "right")])

    def usual(self) -> list[CaseScore]:
        """Return the scores that are shown where none is named, at the horizon."""
        every = Evidence.usual(self)
        timed = {s.name for s in every if "at" in {p.name for p in s.parameters}}
        return [s.given(at=self.horizon) if s.name in timed else s for s in every]

    def details(self, **options: Any) -> Details:  # noqa: ANN401
        """Yield calibration at the horizon, and scores by time."""
        for name in self.models if self.chances else ():
            whose = f" of {name}" if len(self.models) > 1 else ""
            yield (
                f"Calibration{whose} at {self.horizon:g}",
                partial(self.calibration, name, **options),
            )
        if self.chances:
            yield f"Net benefit by {self.horizon:g} (decision curve)", partial(self.decision_curve, **options)  # fmt: skip
        if self.several_times:
            for score in ("survival_auc", "survival_brier"):
                title = f"{case_scores[score].title.removesuffix(' at a time')} by time"
                yield title, partial(self.by_time, score, self.shared_times.tolist(), **options)

    def each(self, score: Any) -> Floats:  # noqa: ANN401
        """Return the score of each case of each model."""
        return np.concatenate([score(m) for m in self.models.values()])

    @property
    def left_at(self) -> NDArray[np.intp]:
        """The place of the weight of each case just before its time."""
        own = self.censoring.place
        return self.censoring.before(self.time) if own is None else own

    def states(self, at: float | None) -> tuple[float, Flags, Flags]:
        """Return a time, who had the event by then, and who was seen to outlast it."""
        when = self.horizon if at is None else at
        had, outlasted = self.event & (self.time <= when), self.time > when
        counted = self.weight > 0
        longest = self.time[counted].max()
        last = counted & (self.time == longest)
        if when >= longest and not self.event[last].all():
            raise UndefinedScoreError(
                f"Nobody was followed beyond {when:g}: the longest time is {longest:g}.",
                remedy="Choose an earlier time.",
            )
        places = np.append(self.left_at[had & counted], self.censoring.through(when)[()] if when < longest else 0)  # fmt: skip
        if (self.censoring.watched[places] <= 0).any():
            raise UndefinedScoreError(f"All cases from which censoring was estimated are "
                                      f"censored before {when:g}.")  # fmt: skip
        return when, had, outlasted

    def weights(self, at: float | None) -> tuple[float, Floats, NDArray[np.intp]]:
        """Return a time, the weight of each case in a mean of those whose state at it is known, and the place of its weight."""
        when, had, outlasted = self.states(at)
        place = np.where(had, self.left_at, self.censoring.through(when))
        watched = self.censoring.watched[place]
        known = (had | outlasted) & (watched > 0)
        return when, np.divide(1.0, watched, out=np.zeros(watched.size), where=known), place

    def take(self, rows: Any) -> Survival:  # noqa: ANN401
        """Return some of the cases, with censoring estimated from these alone.

        >>> from credibly import survival
        >>> survival([1, 2, 3], [1, 0, 1], risk=[3, 2, 1]).take([0, 2])
        Survival(2 cases, 2 events)
        """
        chosen = np.arange(self.time.size)[rows]
        own = self.censoring.place is not None
        time, event = self.time[chosen], self.event[chosen]
        models = {
            name: Predicted(
                None if m.risk is None else m.risk[chosen],
                None if m.survival is None else m.survival[chosen],
                m.times,
            )
            for name, m in self.models.items()
        }
        beside = each_column(self.beside, lambda column: column[chosen])
        censoring = _estimated(time, event, beside) if own else self.censoring
        return replace(
            self, time=time, event=event, models=models, censoring=censoring, beside=beside
        )

    def table(
        self,
        scores: str | CaseScore | Iterable[str | CaseScore] | None = None,
        *,
        by: str | Sequence[str] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> Table:
        """Estimate several scores; in slices with the weights of each slice (``by``), since no score is a mean over cases.

        >>> from credibly import survival
        >>> found = survival([1, 2, 3, 4], [1, 1, 0, 1], risk=[4, 3, 1, 2], columns={"sex": ["f", "m", "f", "m"]})
        >>> [(e.keys["sex"], e.value) for e in found.table("harrell_c", by="sex")]
        [('f', 1.0), ('m', 1.0)]
        """
        named = [c for c in one_or_several(by, "by", "columns") if c != "model"]
        if not named:
            return Evidence.table(self, scores, **options)
        beside = {**self.beside, **(self.beside.get("columns") or {})}
        if strange := [c for c in named if c not in beside]:
            raise ParameterError(f"There is no column {listed(strange)}.", choices=[*beside], remedy=says("Give it with <columns=...>."))  # fmt: skip
        asked = self.defined() if scores is None else scores
        held = list(zip(*(np.asarray(beside[c]).tolist() for c in named), strict=True))
        estimates: list[Estimate] = []
        findings = [*self.findings]
        for key in sorted(dict.fromkeys(held), key=str):
            keys = dict(zip(named, key, strict=True))
            try:
                part = Evidence.table(self.take([each == key for each in held]), asked, **options)
            except UndefinedScoreError as error:
                findings.append(NOT_SHOWN(title=slice_name(keys), why=str(error)))
                continue
            estimates += [replace(e, keys={**keys, **e.keys}) for e in part]
            findings += part.findings
        if not estimates:
            raise DataError("No score is defined in any of the slices.", remedy=str(findings[-1]))
        return Table(self.heading, with_decimals(estimates), tuple(dict.fromkeys(findings)))

    def by_time(
        self,
        score: str,
        times: Sequence[float] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> ByTime:
        """Estimate a score at several times, those that were predicted by default.

        >>> from credibly import survival
        >>> found = survival([1, 2, 3, 4], [1, 1, 0, 1], survival=[[0.5, 0.2], [0.6, 0.4], [0.8, 0.6], [0.9, 0.7]], times=[1, 3])
        >>> [(e.keys["time"], round(e.value, 4)) for e in found.by_time("survival_brier").estimates]
        [(1.0, 0.115), (3.0, 0.095)]
        """
        predicted = [m.times for m in self.models.values() if m.times is not None]
        if times is None and not predicted:
            raise ParameterError("No times to look at are given.", remedy=says("Set <times=...>."))  # fmt: skip
        wanted = np.unique(np.concatenate(predicted)) if times is None else np.asarray(times, float)
        tables = [(t, self.table(f"{score}(at={t!r})", **options)) for t in wanted.tolist()]
        return ByTime(self.heading, *_along("time", score, tables))

    def decision_curve(
        self,
        *,
        at: float | None = None,
        thresholds: Sequence[float] | None = None,
        **options: Any,  # noqa: ANN401
    ) -> HorizonDecision:
        """Estimate the net benefit of treating those whose risk of an event by a time reaches a threshold, by threshold.

        >>> from credibly import survival
        >>> found = survival([1, 2, 3, 4], [1, 1, 0, 1], survival=[0.2, 0.4, 0.8, 0.9], times=2)
        >>> [round(e.value, 3) for e in found.decision_curve(thresholds=[0.5]).estimates]
        [0.5, 0.0]
        """
        if not self.chances:
            raise MissingColumnError("No chances of survival were predicted.", remedy=says("Set <survival=...> with <times=...>."))  # fmt: skip
        when, _, _ = self.states(at)
        if TREAT_ALL in self.models:
            raise ParameterError(f"A model is called {TREAT_ALL!r}, as is the rule that it is compared with.", remedy="Rename it.")  # fmt: skip
        wanted = np.arange(5, 100, 5) / 100 if thresholds is None else np.asarray(thresholds, float)
        all_ill = Predicted(None, np.zeros((self.time.size, 1)), np.array([when]))
        both = replace(self, models={**self.models, TREAT_ALL: all_ill})
        tables = [(x, both.table(f"survival_net_benefit(threshold={x!r}, at={when!r})", **options)) for x in wanted.tolist()]  # fmt: skip
        return HorizonDecision(f"by time {when:g}, {self.heading}", *_along("threshold", "survival_net_benefit", tables))  # fmt: skip

    def calibration(
        self,
        model: str | None = None,
        *,
        at: float | None = None,
        groups: int = 10,
        **options: Any,  # noqa: ANN401
    ) -> HorizonCalibration:
        """Compare predicted risks of an event by a time with what was observed (Kaplan-Meier) in groups of similar risk."""
        require("groups", groups, whole(1))
        m = self.models[model_named(self.models, model)]
        if m.survival is None:
            raise MissingColumnError("No chances of survival were predicted.", remedy=says("Set <survival=...> with <times=...>."))  # fmt: skip
        when, _, _ = self.states(at)
        risk, weight = 1 - m.surviving(when), self.weight
        cuts = np.quantile(risk, np.arange(1, groups) / groups, method="inverted_cdf", weights=weight)  # fmt: skip
        of = np.searchsorted(cuts, risk, "left")
        made = []
        for rows in (of == g for g in np.unique(of[weight > 0])):
            e = _observed(self.take(rows), when, options)
            if e is not None:
                chance = float(np.average(risk[rows], weights=weight[rows]))
                made.append(RiskGroup(round(e.n), chance, e.value, e.interval))
        return HorizonCalibration(
            model or next(iter(self.models)), when, tuple(made), self.findings
        )


def _along(
    key: str, score: str, tables: Sequence[tuple[float, Table]]
) -> tuple[tuple[Estimate, ...], tuple[Finding, ...]]:
    """Put tables of one score at several places together; the place is a key."""
    named = {"measure": score, "title": case_scores.parse(score).title}
    estimates = [replace(e, **named, keys={key: x, **e.keys}) for x, table in tables for e in table]  # type: ignore[arg-type]
    return tuple(estimates), tuple(dict.fromkeys(f for _, table in tables for f in table.findings))


def _observed(part: Survival, when: float, options: Mapping[str, Any]) -> Estimate | None:
    """Estimate the share of events by a time in a group; None where no case was observed so long."""
    try:
        table = replace(part, models={"": next(iter(part.models.values()))}).table(f"event_share(at={when!r})", **options)  # fmt: skip
    except UndefinedScoreError:
        return None
    return table.estimates[0]


@door
def survival(
    time: object,
    event: object,
    models: Mapping[str, Any] | None = None,
    *,
    risk: object = None,
    survival: object = None,
    times: Sequence[float] | float | None = None,
    censoring: tuple[object, object] | None = None,
    **beside: Unpack[GivenColumns],
) -> Survival:
    """Take times to an event, some of them censored, and what was predicted of them (survival analysis).

    Parameters
    ----------
    time
        How long each case was observed: until its event, or until it was no longer observed
        (censored).
    event
        Whether the event came at that time (1 or True), or the case was censored (0 or False).
    models
        Predictions of several models by name, each a dictionary of ``risk``, ``survival`` and ``times``, or a column of risks.
    risk
        A number that is higher where the event is expected sooner.
    survival
        The chance of no event up to each of ``times``: a matrix with a column per time.
    times
        The times of the columns of ``survival``.
    censoring
        Time and event of other cases (training cases) by which the chance of being censored is estimated, instead of these.
    **beside
        ``row``, ``group`` and ``columns``: identifiers of the cases, groups of cases that belong together, and other columns
        to slice by; ``sample_weight`` (and ``weight_kind``): how much each case counts.

    >>> found = survival([1, 2, 3, 4], [1, 1, 0, 1], survival=[[0.2], [0.4], [0.6], [0.7]], times=[2.5])
    >>> round(found.table("survival_brier")["survival_brier"].value, 4)
    0.1125
    """
    when, happened = _truth(time, event)
    known = given_columns(**beside)
    if "sample_weight" in known:
        known["sample_weight"] = weights(known["sample_weight"], when.size)
    if not (happened & (np.asarray(known.get("sample_weight", 1.0)) > 0)).any():
        raise DataError("No case has an event: there is nothing to judge predictions by.")
    one = {"risk": risk, "survival": survival, "times": times}
    one = {k: v for k, v in one.items() if v is not None}
    if (models is None) == (not one):
        raise ParameterError(
            "The predictions of one model or of several by name are needed.",
            remedy=says("Set <risk=...>, or <survival=...> with <times=...>."),
        )
    given = {"model": one} if models is None else dict(models)
    made = {str(name): _predicted(held, when.size, str(name)) for name, held in given.items()}
    findings = list(other_order(time, {"event": event, "risk": risk, "survival": survival}))
    for name, m in made.items():
        rises = 0 if m.survival is None else int((np.diff(m.survival, axis=1) > 0).any(axis=1).sum())  # fmt: skip
        findings += [SURVIVAL_RISES(cases=count(rises, "case"), model=name)] if rises else []
    if censoring is None:
        watched = _estimated(when, happened, known)
    elif not isinstance(censoring, Sequence) or len(censoring) != 2:
        raise ParameterError(says("<censoring> is the times and the events of other cases."))
    else:
        watched = Censoring.of(*_truth(*censoring), own=False)
        findings.append(CENSORING_ELSEWHERE())
    return Survival(when, happened, made, watched, known, tuple(findings))


def _estimated(time: Floats, event: Flags, beside: Mapping[str, Any]) -> Censoring:
    """Estimate from the cases themselves how likely it was to be still observed."""
    weight = beside.get("sample_weight")
    if weight is None or beside.get("weight_kind") == "frequency":
        return Censoring.of(time, event, weight)
    # Leaving out a case takes away the weight of a typical one.
    return Censoring.of(time, event, weight, float(dot(weight, weight) / weight.sum()))


def _truth(time: object, event: object) -> tuple[Floats, Flags]:
    """Return times and events, checked."""
    when, flags = numbers_of(time, "time"), numbers_of(event, "event")
    if when.ndim != 1 or when.shape != flags.shape or not when.size:
        raise DataError(
            f"time and event are a number and a truth value for each case; got {when.size:,} and {flags.size:,}."
        )
    refuse_some(np.isnan(when) | np.isnan(flags), "time or event is missing")
    refuse_some(when < 0, "time is negative")
    refuse_some(~np.isin(flags, (0, 1)), "event is neither 1 (event) nor 0 (censored)")
    return when, flags == 1


def _predicted(given: Any, n: int, model: str) -> Predicted:  # noqa: ANN401
    held = dict(given) if isinstance(given, Mapping) else {"risk": given}
    strange = sorted(set(held) - {"risk", "survival", "times"})
    if strange or held.get("risk") is held.get("survival") is None:
        raise ParameterError(
            f"The prediction of {model} is a risk, or survival at times; got {listed(strange or held) or 'neither'}.",
            choices=("risk", "survival", "times"),
        )
    risk = None if held.get("risk") is None else numbers_of(held["risk"], "risk")
    if risk is not None:
        if risk.shape != (n,):
            raise DataError(f"risk must be one number for each of {count(n, 'case')}; got {' by '.join(map(str, risk.shape))}.")  # fmt: skip
        refuse_some(np.isnan(risk), "risk is missing")
    if held.get("survival") is None:
        return Predicted(risk, None, None)
    if held.get("times") is None:
        raise MissingColumnError("The times of the chances of survival are not known.", remedy=says("Set <times=...>."))  # fmt: skip
    times = np.atleast_1d(numbers_of(held["times"], "times"))
    chance = numbers_of(held["survival"], "survival")
    chance = chance[:, None] if chance.ndim == 1 else chance
    if chance.shape != (n, times.size):
        raise DataError(f"survival must be {n:,} by {times.size:,}, a row per case and a column per time; got {' by '.join(map(str, chance.shape))}.")  # fmt: skip
    refuse_some(np.isnan(chance).any(axis=1), "survival is missing")
    refuse_some(((chance < 0) | (chance > 1)).any(axis=1), "survival is not between 0 and 1")
    order = np.argsort(times)
    if (np.diff(times[order]) <= 0).any() or times.min() < 0:
        raise ParameterError("Times are numbers of at least 0, each once.")
    return Predicted(risk, chance[:, order], times[order])
