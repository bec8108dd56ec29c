"""The verb `best_of`: what the best of several models is worth when it was chosen by the cases that judge it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from credibly._core.averages import Average
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.layout import Key
from credibly._core.parameters import SWITCH, require, whole
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count, interval_text, lower_first, number_text, percent
from credibly.comparisons.cases import Cases, fold_table
from credibly.comparisons.evidence import FoldTable
from credibly.comparisons.findings import NO_CHOICE, NO_CORRECTION, UNSETTLED_CHOICE
from credibly.comparisons.given_models import (
    having_output,
    measure_of,
    models_by_name,
    same_cases,
)
from credibly.comparisons.repeated_choices import (
    Choices,
    best_of_rows,
    choices_in_folds,
    choices_in_replicates,
    joint_bounds,
    optimism_by_folds,
)
from credibly.errors import CrediblyError, DataError, ParameterError, says
from credibly.evaluation.caveats import replicate_findings
from credibly.intervals._declare import FEW_VARY, EstimateRequest
from credibly.intervals.bootstrap import quantiles_of, too_many_undefined
from credibly.intervals.findings import UNDEFINED_REPLICATES
from credibly.intervals.methods import interval_for
from credibly.measures import Measure, measures as all_measures
from credibly.measures.by_threshold import best_threshold, refuse_unlabelled
from credibly.measures.selection import name_findings
from credibly.predictions import Predictions
from credibly.predictions.caveats import left_out
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.summaries import ScoreTable
from credibly.results.about import About
from credibly.results.estimate import SIGNS, Estimate
from credibly.results.formats import Column, table_of
from credibly.results.interval import Interval, flat
from credibly.results.result import Cells, Collected, Result

Method = Literal["bbc", "tibshirani"]
METHOD_TITLES = {
    "bbc": "bootstrap bias correction, BBC-CV",
    "tibshirani": "Tibshirani and Tibshirani",
}
# Of the samples: a model that is the best in fewer of them is said to be an open choice.
MAJORITY = 0.5
TIE_TOLERANCE = 1e-6  # above rounding: shares add up to 1 where no models tie
MAX_SHOWN_MODELS = 20  # models in a table for people
REPLICATES = 2000
MIN_QUICK_REPLICATES = 50  # for a value that a report merely mentions
MAX_QUICK_WEIGHTS = 40_000_000  # weights that may be drawn for it


class Candidate(Result):
    """One of the models that were chosen from.

    ``share`` says in which part of the samples (replicates, or folds) no other is better. All models
    together are at least as good as their ``bound``, with the confidence of the intervals.
    """

    model: str
    value: float
    share: float
    bound: float
    why_no_bound: str = ""
    threshold: float | None = None

    json_keys = "model value share bound why_no_bound [threshold]"
    row_keys = "model value share bound [threshold]"


class BestOf(Collected[Candidate]):
    """The best of several models: its value as it stands, and the value that allows for the choice.

    >>> import credibly
    >>> from credibly.comparisons import FoldTable
    >>> folds = FoldTable([[0.9, 0.7, 0.8], [0.7, 0.8, 0.8]], ("a", "b", "c"), "accuracy")
    >>> best = credibly.best_of(folds)
    >>> best.chosen, best["c"].share, round(best.optimism, 3)
    ('a', 0.5, 0.05)
    """

    chosen: str
    naive: Estimate
    corrected: Estimate
    candidates: tuple[Candidate, ...]
    method: Method
    samples: str
    confidence_level: float
    findings: tuple[Finding, ...] = ()

    members = "candidates model"
    json_keys = "chosen measure method optimism naive corrected candidates samples confidence_level findings"

    @property
    def measure(self) -> str:
        """The measure that the choice was made by."""
        return self.naive.measure

    @property
    def optimism(self) -> float:
        """By how much the value as it stands is better than the one that allows for the choice."""
        return SIGNS[self.naive.direction] * (self.naive.value - self.corrected.value)

    def summary(self) -> dict[str, Any]:
        """Return the value as it stands beside the one that allows for the choice, for a finding."""
        told = {"chosen": self.chosen, "models": len(self), "measure": self.measure}
        both = {"naive": self.naive.value, "corrected": self.corrected.value}
        return {**told, **both, **flat(self.corrected.interval)}

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary per model, that of the chosen one with the value that allows for the choice."""
        corrected = {"corrected": self.corrected.value, **flat(self.corrected.interval)}
        empty = {"corrected": np.nan, **flat(None)}
        return [
            {**c.rows()[0], "chosen": c.model == self.chosen}
            | (corrected if c.model == self.chosen else empty)
            for c in self.candidates
        ]

    def heading(self) -> str:
        """Say what was chosen from what, and by what."""
        models = count(len(self), "model")
        return f"Best of {models} by {lower_first(self.naive.name)}: {self.chosen}"

    def meaning(self) -> str:
        """Say what the best is worth when the choice is allowed for."""
        text = interval_text(self.corrected.value, self.corrected.interval)
        seen = number_text(self.naive.value, self.naive.interval)
        if self.corrected.value == self.naive.value:
            return f"{self.naive.name} of {self.chosen} is {text}. Its interval allows for the choice among the models; its value needs no correction."
        return f"{self.naive.name} of {self.chosen} is {seen} on the cases that chose it; allowing for the choice it is {text}."

    def cells(self) -> Cells:
        """Return header and body: the best models, how often each is the best, and how bad it may be."""
        columns: dict[str, Column] = {
            Key("model"): "model",
            lower_first(self.naive.name): "value",
            "is the best in": lambda c: f"{100 * c.share:.1f} %",
        }
        if any(not np.isnan(c.bound) for c in self.candidates):
            columns[self._side] = lambda c: "" if np.isnan(c.bound) else number_text(c.bound)
        if any(c.threshold is not None for c in self.candidates):
            columns["threshold"] = "threshold"
        return table_of(self.candidates[:MAX_SHOWN_MODELS], columns)

    @property
    def _side(self) -> str:
        """How values stand to their bounds, in words."""
        return "at least" if self.naive.direction == "higher" else "at most"

    def remarks(self) -> Iterator[str]:
        """Yield both values, how the second one was made, and what the bounds are."""
        if len(self) > MAX_SHOWN_MODELS:
            yield f"{len(self) - MAX_SHOWN_MODELS} other models are not shown; rows() has all."
        for text, e in (("As it stands", self.naive), ("Allowing for the choice", self.corrected)):
            yield f"{text}: {interval_text(e.value, e.interval)}"
        yield f"{METHOD_TITLES[self.method]}, {self.samples}."
        if sum(c.share for c in self.candidates) > 1 + TIE_TOLERANCE:
            yield "Models that tie are all counted as the best, so that these shares add up to more than 100 %."
        if self.corrected.interval is None:
            yield f"No interval: {self.corrected.why_no_interval}."
        if any(not np.isnan(c.bound) for c in self.candidates):
            yield f"{self._side.capitalize()}: bounds that hold for all models together with {percent(self.confidence_level)} confidence (max-T)."


@door
def best_of(
    predictions: Predictions | Mapping[str, Predictions] | FoldTable,
    measure: str | Measure | None = None,
    *,
    method: Method | None = None,
    thresholds: bool = False,
    average: Average | None = None,
    confidence_level: float = 0.95,
    replicates: int = REPLICATES,
    rng: int | np.random.Generator | None = None,
) -> BestOf:
    """Estimate how good the best of several models really is, allowing for the choice.

    The best of many looks better than it is on the cases that chose it, since chance took part. The
    choice is made again on parts of the cases and judged on others; nothing is fitted again. Give all
    models, settings and thresholds that were tried, not only the good ones.

    Parameters
    ----------
    predictions
        Predictions of all models that were tried, for the same cases: a dictionary by name, or one
        with a ``model`` column; or their values by fold
        (:class:`~credibly.comparisons.FoldTable`), such as those of a search.
    measure
        Measure to choose by; the default is that of :func:`credibly.compare`.
    method
        ``"bbc"`` chooses in bootstrap samples of the cases and judges on the cases left out (BBC-CV,
        Tsamardinos et al. 2018); ``"tibshirani"`` compares the chosen model with the best of each
        fold (Tibshirani and Tibshirani 2009), all that can be done with values by fold.
    thresholds
        Tune the threshold of each model by the measure too, again in each sample.
    average
        How measures of one class are averaged over all classes.
    confidence_level
        Confidence level of the interval, and of all bounds together.
    replicates
        Number of bootstrap samples.
    rng
        Seed of the bootstrap; 1 by default, which a finding reports.

    >>> import numpy as np
    >>> from credibly import Predictions, best_of
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.integers(0, 2, 100)
    >>> guesses = {f"coin {i}": Predictions.of(truth, label=rng.integers(0, 2, 100)) for i in range(20)}
    >>> best = best_of(guesses, "accuracy", rng=1)
    >>> best.chosen, best.naive.value, round(best.corrected.value, 2)
    ('coin 8', 0.61, 0.51)
    >>> 0.5 in best.naive.interval, 0.5 in best.corrected.interval
    (False, True)
    """
    require("replicates", replicates, whole(2))
    require("thresholds", thresholds, SWITCH)
    if isinstance(predictions, FoldTable):
        return _of_folds(predictions, method, confidence_level)
    seed = FIXED_SEED if rng is None else seed_of(rng)
    request = _BestOfRequest(method or "bbc", thresholds, confidence_level, replicates, seed)
    models = models_by_name(predictions, "best_of")
    cases, cuts, findings = _gathered(models, measure, average, thresholds=thresholds)
    unseeded = [UNSEEDED(what="the bootstrap", seed=FIXED_SEED)] if rng is None else []
    best = _of_cases(cases, cuts, request)
    return replace(best, findings=tuple(dict.fromkeys([*findings, *best.findings, *unseeded])))


def affordable_best_of(
    models: Predictions | Mapping[str, Predictions],
    measure: str | Measure | None = None,
    confidence_level: float = 0.95,
) -> BestOf | None:
    """Return the same, from fewer replicates of many cases, for reports that mention the best of many.

    Nothing where it would take long, as with so many cases that the choice hardly matters, or where
    the models cannot be matched or chosen by the measure.
    """
    rows = models.n if isinstance(models, Predictions) else sum(p.n for p in models.values())
    replicates = min(REPLICATES, MAX_QUICK_WEIGHTS // max(rows, 1))
    if replicates < MIN_QUICK_REPLICATES:
        return None
    try:
        return best_of(
            models,
            measure,
            confidence_level=confidence_level,
            replicates=replicates,
            rng=FIXED_SEED,
        )
    except CrediblyError:
        return None


@dataclass(frozen=True, slots=True)
class _BestOfRequest:
    """What was asked for beside models and measure."""

    method: Method
    thresholds: bool
    confidence_level: float
    replicates: int
    seed: int


def _gathered(
    models: dict[str, Predictions],
    measure: str | Measure | None,
    average: Average | None,
    *,
    thresholds: bool,
) -> tuple[Cases, dict[str, float], list[Finding]]:
    """Return the models in line, labelled from their best thresholds on if these are tuned, and what to know."""
    m, over = measure_of(measure, average, models)
    _refuse_unfit(m)
    models = {name: m.view(p, over) for name, p in models.items()}
    cuts: dict[str, float] = {}
    if thresholds:
        refuse_unlabelled(m)
        cuts = {name: _best_threshold(m, p) for name, p in models.items()}
        models = {name: _labelled(p, cuts[name]) for name, p in models.items()}
    models, lacking = having_output(models, m, over)
    cases, findings = same_cases(models, m, over, scored=thresholds)
    noted = [f for p in models.values() for f in (*p.findings, *left_out(p))]
    return cases, cuts, [*lacking, *name_findings([measure or m]), *noted, *findings]


def _refuse_unfit(m: Measure) -> None:
    """Refuse measures by which nothing can be chosen, and those of parts that say nothing of the whole."""
    if m.direction == "neither":
        raise ParameterError(f"{m.name} has no better direction, so it cannot be used to choose.")
    if m.mean:
        raise ParameterError(
            f"{m.name} grows with the number of cases, and samples leave some out.",
            remedy=says("Use <measure={mean}>.", mean=m.mean),
        )


def _best_threshold(m: Measure, p: Predictions) -> float:
    table = ScoreTable.of(p, "a threshold")
    return best_threshold(m, table, p)


def _labelled(p: Predictions, threshold: float) -> Predictions:
    """Label cases as positive from a threshold on."""
    positive = int(p.positive or 0)
    label = np.where(p.scores_of(positive, "a threshold") >= threshold, positive, 1 - positive)
    return replace(p, label=label.astype(p.truth.dtype), cache={})


def _of_cases(cases: Cases, cuts: Mapping[str, float], asked: _BestOfRequest) -> BestOf:
    m, values = cases.measure, np.array(cases.values)
    chosen = int(best_of_rows(values[None], m.direction)[0])
    if chosen < 0:
        raise DataError(f"{m.call} is undefined for every model, so none can be chosen.")
    drawn = choices_in_replicates(cases, asked.seed, asked.replicates, thresholds=asked.thresholds)
    naive = _as_it_stands(cases, chosen, asked)
    findings: list[Finding] = []
    if asked.method == "bbc":
        choices, samples, corrected = drawn, f"{asked.replicates:,} replicates", naive
        if len(cases.models) >= 2 or asked.thresholds:
            corrected, findings = _out_of_bag(naive, choices, cases, asked)
    else:
        _refuse_tuned(asked)
        table = fold_table(cases).table
        choices, samples = choices_in_folds(table, m.direction), count(len(table), "fold")
        corrected = _by_folds(naive, table, chosen)
    bounds = joint_bounds(cases, drawn.inside, asked.confidence_level)
    if asked.thresholds:
        why = "the threshold was tuned on the same cases"
        bounds = [(np.nan, why)] * len(bounds)
    parts = zip(cases.names, values.tolist(), choices.shares.tolist(), bounds, strict=True)
    made = [Candidate(n, v, share, *bound, cuts.get(n)) for n, v, share, bound in parts]
    facts = asked.method, samples, asked.confidence_level
    return _ranked(
        BestOf(made[chosen].model, naive, corrected, tuple(made), *facts, tuple(findings))
    )


def _refuse_tuned(asked: _BestOfRequest) -> None:
    if asked.thresholds:
        raise ParameterError(
            says("Thresholds are tuned again in replicates, not in folds. Use <method='bbc'>.")
        )


def _as_it_stands(cases: Cases, chosen: int, asked: _BestOfRequest) -> Estimate:
    """Return the value of the chosen model with the interval that it would have without a choice."""
    m, value, p = cases.measure, cases.values[chosen], cases.models[chosen]
    level = asked.confidence_level
    request = EstimateRequest(m, p, cases.average, confidence_level=level, value=value)
    limits, why = interval_for(request)
    if limits is not None:
        limits = replace(limits, about=_about(p, limits.about))
    title, keys = m.title + m.scope(p, cases.average), {"model": cases.names[chosen]}
    about = value, limits, why, cases.n, m.direction, keys, cases.average
    return Estimate(m.call, title, *about)


def _about(p: Predictions, about: About) -> About:
    several = p.fold is not None or p.repeat is not None
    return "models" if several and about == "cases" else about


def _out_of_bag(
    naive: Estimate, choices: Choices, cases: Cases, asked: _BestOfRequest
) -> tuple[Estimate, list[Finding]]:
    """Return mean and quantiles of the chosen models' values on the cases that did not choose them."""
    m, p, level = cases.measure, cases.models[0], asked.confidence_level
    outside = choices.outside[~np.isnan(choices.outside)]
    if outside.size < 2:
        raise DataError(
            f"{m.title} is undefined in nearly all replicates, so they give no interval."
        )
    lost = choices.outside.size - outside.size
    facts = {"measure": m.title, "undefined": lost, "all": choices.outside.size, "why": ""}
    findings = [UNDEFINED_REPLICATES(**facts, remedy="")] if lost else []
    tails = [(1 - level) / 2, (1 + level) / 2]
    method = f"BBC-CV, percentiles of {count(outside.size, 'replicate')} out of bag"
    limits = Interval(*quantiles_of(outside, tails), level, method, _about(p, "cases"))
    with np.errstate(invalid="ignore"):
        value = float(outside.mean())
    # By chance: if anything, a choice flatters.
    if SIGNS[naive.direction] * (value - naive.value) >= 0:
        value = naive.value
        limits = replace(limits, low=min(limits.low, value), high=max(limits.high, value))
        findings.append(NO_CORRECTION())
    findings += replicate_findings(asked.replicates, level)
    why = too_many_undefined(choices.outside, level)
    why = why or ("" if limits.low < limits.high else FEW_VARY)
    limits = _no_narrower(limits, naive, value, m)
    told = (None, why) if why else (limits, "")
    return replace(naive, value=value, interval=told[0], why_no_interval=told[1]), findings


def _no_narrower(limits: Interval, naive: Estimate, value: float, m: Measure) -> Interval:
    """Return limits that reach as far as those of the chosen model by itself, moved by what the choice flatters.

    To allow for the choice cannot make it better known; percentiles of replicates see less of a skewed loss than its own limits do.
    """
    if naive.interval is None:
        return limits
    moved = value - naive.value
    low, high = (min(max(end + moved, m.range[0]), m.range[1]) for end in naive.interval)
    if limits.low <= low and high <= limits.high:
        return limits
    method = f"{limits.method}, no narrower than without a choice"
    return replace(limits, low=min(limits.low, low), high=max(limits.high, high), method=method)


def _by_folds(naive: Estimate, table: Any, chosen: int) -> Estimate:  # noqa: ANN401
    apart = optimism_by_folds(table, chosen, naive.direction)
    value = naive.value - SIGNS[naive.direction] * apart
    why = says(
        "Tibshirani and Tibshirani correct the value alone; use <method='bbc'> on predictions"
    )
    return replace(naive, value=value, interval=None, why_no_interval=why)


def _of_folds(given: FoldTable, method: Method | None, level: float) -> BestOf:
    """Choose by the means of values by fold."""
    if method == "bbc":
        raise ParameterError(
            says("<method='bbc'> draws cases, and there are only values by fold."),
            remedy=says("Give the predictions, or use <method='tibshirani'>."),
        )
    known = all_measures.of_values(given.measure_name)
    direction = known.direction if known and given.direction == "neither" else given.direction
    if direction == "neither":
        raise ParameterError(
            f"Which way {given.measure_name} is better is not known.",
            remedy="Set direction='higher' or direction='lower' of the table.",
        )
    table = np.asarray(given.table, np.float64)
    values = table.mean(axis=0)
    if len(table) < 2 or np.isnan(table).any():
        raise DataError("The correction by folds needs a value of each model in two or more folds.")
    chosen = int(best_of_rows(values[None], direction)[0])
    title = known.title if known else given.measure_name
    why = "values by fold have no cases to take one from"
    about = None, why, float(len(table)), direction, {"model": given.names[chosen]}
    naive = Estimate(given.measure_name, title, float(values[chosen]), *about)
    shares = choices_in_folds(table, direction).shares.tolist()
    parts = zip(given.names, values.tolist(), shares, strict=True)
    made = [Candidate(n, v, share, np.nan, why) for n, v, share in parts]
    corrected, samples = _by_folds(naive, table, chosen), count(len(table), "fold")
    names = given.names[chosen], naive, corrected
    return _ranked(BestOf(*names, tuple(made), "tibshirani", samples, level))


def _ranked(made: BestOf) -> BestOf:
    """Put the best models first, and say where the choice depends on the cases."""
    best, findings = made[made.chosen], list[Finding]()
    if len(made) < 2:
        findings = [NO_CHOICE()] if best.threshold is None else []
    elif best.share < MAJORITY:
        told = {"model": best.model, "percent": 100 * best.share, "samples": made.samples}
        findings = [UNSETTLED_CHOICE(**told)]
    sign = SIGNS[made.naive.direction]

    def badness(c: Candidate) -> float:
        return np.inf if np.isnan(c.value) else -sign * c.value

    ranked = tuple(sorted(made.candidates, key=badness))
    return replace(made, candidates=ranked, findings=(*findings, *made.findings))
