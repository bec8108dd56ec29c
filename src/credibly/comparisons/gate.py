"""The verb `gate`: may the candidate replace the baseline, may it not, or is that not known yet."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from credibly._core.averages import Average
from credibly._core.doors import door
from credibly._core.entry_names import MeasureName
from credibly._core.findings import Finding
from credibly._core.parameters import between, require
from credibly._core.search_names import search_names
from credibly._core.text import count
from credibly.comparisons.alignment import SHARED_ONLY
from credibly.comparisons.cases import Cases
from credibly.comparisons.compare import compare
from credibly.comparisons.findings import NO_STANDARD_ERROR
from credibly.comparisons.flips import flips_of
from credibly.comparisons.gate_limits import GateLook
from credibly.comparisons.gate_result import Gate, Verdict
from credibly.comparisons.given_models import (
    against_last,
    having_output,
    measure_of,
    models_by_name,
    same_cases,
)
from credibly.comparisons.losses import has_case_losses
from credibly.comparisons.result import DETECTION_POWER, TestResult, error_of_difference
from credibly.comparisons.sequences import mixture_quantile
from credibly.errors import ParameterError, says
from credibly.intervals.quantiles import normal_quantile
from credibly.intervals.sample_size import MAX_SAMPLE_SIZE, smallest
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.parts import cluster_count
from credibly.results.estimate import SIGNS
from credibly.results.interval import Interval


@door
@search_names(
    {"non_inferiority, regression_test, quality_gate": "gate(candidate, baseline, margin=0.01)"}
)
def gate(
    candidate: Predictions | Mapping[str, Predictions],
    baseline: Predictions | None = None,
    measure: MeasureName | Measure | None = None,
    *,
    margin: float = 0.0,
    against: float | str | None = None,
    sequential: bool = False,
    average: Average | None = None,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
) -> Gate:
    """Decide whether a candidate may replace a baseline: pass, fail, or undecided.

    It passes where the candidate is shown to be worse by no more than the margin, fails where it is shown
    to be worse by more, and is undecided where the cases show neither. Each verdict is
    wrong with a probability of at most one minus the confidence level.

    Parameters
    ----------
    candidate
        Predictions, or outcomes, of the candidate; or of both models, the candidate first: a dictionary by
        name, or predictions with a ``model`` column.
    baseline
        Those of the model that it is to replace, for the same cases.
    measure
        Measure to judge by, such as ``"pass_rate"`` or ``"auc"``; by default the one that
        :func:`credibly.compare` takes.
    margin
        By how much the candidate may be worse, in units of the measure.
    against
        A value that the candidate alone has to reach, instead of a baseline; or, where two models are given
        together, the name of the baseline.
    sequential
        Use limits that hold at every look, for those who look again whenever cases were added. Rows must stand in
        the order in which they came.
    average
        How measures of one class are averaged over all classes.
    confidence_level
        One minus the probability of a wrong verdict.
    rng
        Seed, if the test is random.

    >>> from credibly import Predictions, gate
    >>> new, old = [1] * 90 + [0] * 10, [1] * 85 + [0] * 15
    >>> print(gate(Predictions.of(outcome={"new": new, "old": old}), margin=0.02).sentence)
    Pass: new is not worse than old in pass rate by 0.02 or more: difference 0.050, at least 0.005 (95 % bound, 100 cases, Tango, continuity corrected).
    """
    allowed = float(require("margin", margin, between(0, MAX_SAMPLE_SIZE, ends=True)))
    value, other = (None, against) if isinstance(against, str) else (against, None)
    models = against_last(_models(candidate, baseline, value, sequential=sequential), other)
    m, over = measure_of(measure, average, models)
    models, lacking = having_output(models, m, over)
    cases = same_cases(models, m, over, elsewhere=SHARED_ONLY)[0] if len(models) == 2 else None
    sign = _sign(m)
    asked: dict[str, Any] = {"measure": m, "average": over, "confidence_level": confidence_level}
    asked |= {"rng": rng, "margin": allowed or None, "against": value}
    asked["alternative"] = "greater" if sign > 0 else "less"
    found = compare(models, **asked)
    if not isinstance(found, TestResult):
        raise ParameterError(f"A gate takes two models; got {', '.join(models)}.")
    seen = _Seen.of(
        found, cases, next(iter(models.values())), m, over, confidence_level, sequential=sequential
    )
    low, high = seen.oriented(sign)
    verdict: Verdict = "pass" if low > -allowed else "fail" if high < -allowed else "undecided"
    return Gate(
        verdict=verdict,
        names=found.names,
        measure=found.measure,
        title=m.title,
        direction=m.direction,
        values=found.values,
        difference=found.difference,
        limits=seen.limits,
        why_no_limits=seen.why,
        margin=allowed,
        confidence_level=confidence_level,
        sequential=sequential,
        n=found.n,
        unit=seen.unit,
        units=seen.units,
        needed=seen.needed(found.difference, allowed, sign) if verdict == "undecided" else None,
        test=found.test,
        flips=seen.flips,
        findings=_findings([*lacking, *found.findings, *seen.findings]),
    )


def _findings(said: Sequence[Finding]) -> tuple[Finding, ...]:
    """Leave out what advises another test: a gate has one, and limits or a reason of its own."""
    return tuple(f for f in dict.fromkeys(said) if f.code != NO_STANDARD_ERROR.code)


def _models(
    candidate: Any,  # noqa: ANN401
    baseline: Predictions | None,
    against: float | None,
    *,
    sequential: bool,
) -> dict[str, Predictions]:
    if sequential and against is not None:
        raise ParameterError(
            says("<sequential=True> compares a candidate with a baseline, not with a value.")
        )
    if baseline is not None and against is not None:
        raise ParameterError(
            says("A candidate is compared with a baseline or with <against=...>: set one of them.")
        )
    if baseline is None:
        models = models_by_name(candidate, "gate")
        if against is not None and len(models) == 1:
            return {"candidate": next(iter(models.values()))}
    else:
        pair = {"candidate": candidate, "baseline": baseline}
        models = models_by_name(pair, "gate")
    if len(models) != 2:
        raise ParameterError(
            f"A gate takes a candidate and a baseline; got {count(len(models), 'model')}.",
            remedy=says("Give both, or set <against=...> to a value."),
        )
    return models


def _sign(m: Measure) -> float:
    if m.direction not in SIGNS:
        raise ParameterError(
            f"It is not known whether a higher or a lower {m.title.lower()} is better, so there is nothing to decide.",
            remedy=says("Set <better='higher'> or <better='lower'>, or choose another measure."),
        )
    return SIGNS[m.direction]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the cases show of a difference: its limits, and how these shrink with more cases."""

    limits: Interval | None
    why: str
    error: float  # standard error of the difference
    units: float
    unit: Literal["case", "group"]
    flips: Any
    alpha: float
    sequential: bool
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls,
        found: TestResult,
        cases: Cases | None,
        candidate: Predictions,
        m: Measure,
        average: Average | None,
        confidence_level: float,
        *,
        sequential: bool,
    ) -> _Seen:
        p = candidate if cases is None else cases.models[0]
        by_case = cases is not None and has_case_losses(m) and not average
        units = float(cluster_count(p) or found.n)
        alpha = 1 - confidence_level
        limits, why = found.confidence_interval, found.why_no_interval
        findings: tuple[Finding, ...] = ()
        if cases is not None:
            look = GateLook(found, cases, alpha, units, _unit(p))
            limits, why, findings = look.every_time(by_case=by_case) if sequential else look.once()
        flips = flips_of(cases) if by_case and cases is not None else None
        unvaried = found.confidence_interval is None
        error = error_of_difference(found) or (0.0 if unvaried else math.nan)
        return cls(limits, why, error, units, _unit(p), flips, alpha, sequential, findings)

    def oriented(self, sign: float) -> tuple[float, float]:
        """Return the limits as if higher were better; nothing is known without any."""
        if self.limits is None:
            return -math.inf, math.inf
        ends = sign * self.limits.low, sign * self.limits.high
        return min(ends), max(ends)

    def needed(self, difference: float, margin: float, sign: float) -> float | None:
        """Return with how many units it would be settled four times in five, if the difference stays what it is."""
        gap, (low, high) = sign * difference + margin, self.oriented(sign)
        reach = sign * difference - low if gap > 0 else high - sign * difference
        if not gap:
            return None
        if (
            not self.error
        ):  # all cases differ alike: others must be so rare that their share does not matter
            return math.ceil(self.units * reach / abs(gap)) if math.isfinite(reach) else None
        more = normal_quantile(1 - DETECTION_POWER)

        def times(n: float) -> float:
            return (
                mixture_quantile(n, self.alpha) if self.sequential else normal_quantile(self.alpha)
            )

        # Limits that lean reach further than so many errors on one side.
        error = max(self.error, reach / times(self.units)) if math.isfinite(reach) else self.error
        spread = error * math.sqrt(self.units)

        def enough(n: int) -> bool:
            return (times(n) + more) * spread / math.sqrt(n) <= abs(gap)

        return smallest(int, enough, "a verdict") if enough(MAX_SAMPLE_SIZE) else None


def _unit(p: Predictions) -> Literal["case", "group"]:
    return "group" if p.clusters is not None and p.grouping is not None else "case"
