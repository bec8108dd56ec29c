r"""Conformal prediction: sets of classes and intervals of numbers that contain the truth as often as promised.

A *conformal score* says how strange a case would be if a class, or a number, were its truth. On cases that no model was
fitted on, the $\lceil (n + 1) (1 - \alpha) \rceil$-th smallest of their own scores is the threshold: what is not stranger
is predicted. If a new case and these cases could have come in any order (they are exchangeable), the prediction holds its truth
with a probability of at least $1 - \alpha$, however bad the model is; without ties of at most $1/(n+1)$ more. The rank is
computed in whole numbers: in floating point 100 times 0.9 may be 91 after rounding up, and 9 cases may be too few for 0.9.

Where each case was predicted by a model of the other folds, and each new case by the models of all folds, nothing need be kept
apart (cross conformal prediction, CV+; with folds of one case the jackknife+). What is then certain is $1 - 2 \alpha$ less
what few folds cost; what is seen is about $1 - \alpha$.

Where new cases are of another population (covariate shift), each case has a weight: how many times as likely such a case is
among new cases as among those of the threshold. The threshold of a new case is then the weighted quantile of the scores, in which its own
weight stands at infinity: with the right weights the same guarantee holds.

Barber, R. F., Candes, E. J., Ramdas, A. & Tibshirani, R. J. (2021)
Predictive inference with the jackknife+. Annals of Statistics 49, 486-507.
Tibshirani, R. J., Barber, R. F., Candes, E. J. & Ramdas, A. (2019)
Conformal prediction under covariate shift. NeurIPS 32, 2526-2536.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats, dot
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.parameters import between, require
from credibly._core.search_names import search_names
from credibly._core.seeds import FIXED_SEED
from credibly._core.text import count
from credibly.calibration.recalibration.recalibrate import other_folds
from credibly.case_scores.beside import given_columns
from credibly.case_scores.conformal_result import Conformal
from credibly.case_scores.conformal_scores import ConformalScore, Reach, conformal_scores
from credibly.case_scores.conformal_thresholds import exact, rank_of, threshold, weighted_thresholds
from credibly.case_scores.findings import (
    CASES_TOGETHER,
    TOO_FEW_FOR_LEVEL,
    WEIGHS_TOO_MUCH,
    WEIGHTS_COST,
)
from credibly.case_scores.forecasts import forecasts
from credibly.case_scores.label_sets import Flags
from credibly.case_scores.prediction_sets import UNKNOWN_TRUTH, PredictionSets, with_doubts
from credibly.errors import MAX_LISTED, DataError, ParameterError, listed, says
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.labels import Labels, distinct
from credibly.predictions.numbers import frozen

NUMBERS_PER_BLOCK = 1 << 22  # numbers that are ranked at a time
SET_SCORES = ("set_coverage", "set_size", "single_sets", "empty_sets")
INTERVAL_SCORES = ("interval_holds", "interval_width", "interval_score")


@dataclass(frozen=True, slots=True, eq=False)
class _Scored:
    """Predictions with the conformal scores of each truth they could have."""

    p: Predictions
    scores: Floats | Reach  # of each class, or how to come by those of numbers

    @classmethod
    def of(cls, entry: ConformalScore, p: Predictions) -> _Scored:
        if p.task != entry.task:
            fitting = [s.name for s in conformal_scores if s.task == p.task]
            raise ParameterError(
                f"{entry.call} is for {'classes' if entry.task == 'classification' else 'numbers'}.",
                asked=entry.name, choices=fitting, remedy=f"Scores: {', '.join(fitting) or 'none'}.",
            )  # fmt: skip
        return cls(p, entry.function(p, **entry.arguments))

    @property
    def own(self) -> Floats:
        """The score of the truth of each case."""
        if isinstance(self.scores, Reach):
            r, y = self.scores, self.p.truth
            with np.errstate(over="ignore"):
                errors = np.maximum(r.low - y, y - r.high) / r.unit
            if not np.isfinite(errors).all():
                raise DataError(
                    "Some errors are too large for a double.",
                    remedy="Divide the numbers by a constant.",
                )
            return errors
        return self.scores[np.arange(self.p.n), self.p.truth]

    def upto(self, q: Floats) -> tuple[Flags | Floats, Floats | None]:
        """Return what is predicted up to a threshold: flags by class (``q`` too), or both ends."""
        if isinstance(self.scores, Reach):
            r = self.scores
            return r.low - q * r.unit, r.high + q * r.unit
        return self.scores <= q, None


@door
@search_names(
    {
        "mapie, SplitConformalClassifier, SplitConformalRegressor, conformal_prediction": "conformal(p, to)"
    }
)
def conformal(
    fitted_on: Predictions,
    to: Predictions | None = None,
    method: str | ConformalScore | None = None,
    *,
    level: float = 0.9,
    by: str | None = None,
    weights: str | None = None,
    folds: int = 10,
    rng: int | np.random.Generator | None = None,
    confidence_level: float = 0.95,
) -> Conformal:
    """Predict sets of classes, or intervals of numbers, that contain the truth as often as promised (conformal prediction).

    Parameters
    ----------
    fitted_on
        Predictions of cases that the model was not fitted on, with their truth: they set the thresholds.
    to
        Predictions of the same model for new cases. If both have folds, and each new case was predicted by the model of each
        fold, it is cross conformal prediction (CV+, jackknife+). Without it, each fold of ``fitted_on`` gets the thresholds of the
        other folds.
    method
        How unusual a true value is, from ``credibly list conformal-scores``; ``"least_ambiguous"`` for classes and
        ``"absolute_error"`` for numbers by default.
    level
        How often predictions should contain the truth.
    by
        Separate thresholds for each true class (``"class"``) or each value of a column: the guarantee then holds in each.
    weights
        A column of both that says how many times as likely such a case is among new cases as among those of the thresholds, if
        the populations differ (covariate shift); only ratios of weights matter.
    folds
        Number of folds, if there is no ``to`` and the predictions have none.
    rng
        Seed of these folds; a fixed one by default.
    confidence_level
        Confidence level of the intervals of coverage and size.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> x = rng.normal(size=200)
    >>> y = x + rng.normal(size=200)
    >>> p = Predictions.of(y, value=x, row=range(200))
    >>> found = conformal(p[:99], p[99:], level=0.9)
    >>> bool(found.thresholds["all"] == np.sort(abs(y - x)[:99])[89]), found.guarantee
    (True, 0.9)
    """
    require("level", level, between(0, 1))
    known = as_predictions(fitted_on, "conformal").known()
    new = None if to is None else as_predictions(to, "conformal")
    for p, name in ((known, "fitted_on"), (new, "to")):
        if p is not None:
            _refuse_unfit(p, name)
    if new is not None and [*map(str, known.classes)] != [*map(str, new.classes)]:
        raise DataError(
            f"The classes of both are not the same: {listed(map(str, known.classes))}, and {listed(map(str, new.classes))}.",
            remedy=says("Name all of them in both with <classes=...>."),
        )
    default = "absolute_error" if known.task == "numeric" else "least_ambiguous"
    entry = conformal_scores.parse(method or default)
    request = _ConformalRequest(entry, exact(level), by, weights)
    if weights is not None:
        _refuse_weights(request, known, new)
    if new is None:
        made = _cross_fitted(request, known, folds, rng)
    elif known.fold is not None and new.fold is not None and new.repeated:
        made = _cross(request, known, new)
    else:
        made = _split(request, known, new)
    return _told(made, request, known, confidence_level)


def _refuse_unfit(p: Predictions, name: str) -> None:
    if p.task == "outcome" or len(p.model_names) > 1:
        raise DataError(f"{name} must be predictions of classes or numbers by one model.")
    if p.weight is not None and p.unshared is None:
        raise DataError(
            f"{name} has case weights, for which ranks of scores have no guarantee.",
            remedy="Repeat or sample the cases by their weights first.",
        )


def _refuse_weights(asked: _ConformalRequest, known: Predictions, new: Predictions | None) -> None:
    """Refuse weights where no theory has them."""
    folds = new is not None and known.fold is not None and new.fold is not None and new.repeated
    if new is None or folds or asked.by is not None:
        raise ParameterError(
            says("<weights=...> is for new cases of one model, with one threshold for all parts: set <to=...>, and neither folds nor <by=...>.")
        )  # fmt: skip
    for p, name in ((known, "fitted_on"), (new, "to")):
        held = asked.weight_of(p)
        if not (np.isfinite(held).all() and (held >= 0).all() and held.any()):
            raise DataError(f"The weights of {name} must be numbers of at least 0, not all 0.")


@dataclass(frozen=True, slots=True)
class _ConformalRequest:
    entry: ConformalScore
    level: Fraction
    by: str | None
    weights: str | None = None

    def weight_of(self, p: Predictions) -> Floats:
        """Return the weight of each case."""
        assert self.weights is not None  # noqa: S101  (who asks has them)
        name = says("<weights={it}>", it=self.weights)
        return np.asarray(p.values_of(self.weights, name), np.float64)

    def parts(self, p: Predictions) -> Labels:
        """Return to which part of the cases each belongs."""
        if self.by is None:
            return Labels(np.zeros(p.n, np.intp), ("all",))
        if self.by == "class":
            if p.task != "classification":
                raise ParameterError(says("<by='class'> is for predictions of classes."))
            return Labels(p.truth, tuple(map(str, p.classes)))
        values = p.values_of(self.by, says("<by={it}>", it=self.by))
        return distinct(np.array([*map(str, values.tolist())], object))


@dataclass(slots=True)
class _Made:
    """What was predicted of which cases."""

    p: Predictions
    first: Any  # flags by class, or lower ends
    second: Any  # or upper ends
    guarantee: Fraction | None
    how: str
    thresholds: dict[str, float] = field(default_factory=dict)
    calibrated: dict[str, int] = field(default_factory=dict)  # cases of each threshold
    findings: list[Finding] = field(default_factory=list)


def _limits(
    asked: _ConformalRequest, cal: _Scored, new: Predictions
) -> tuple[Floats, dict[str, float], list[Finding]]:
    """Return the threshold of each new case (and class), those of all parts, and where there are too few."""
    if asked.weights is not None:
        return _weighted(asked, cal, new)
    own, where, mine = cal.own, asked.parts(cal.p), asked.parts(new)
    place = {name: i for i, name in enumerate(where.values)}
    parts = {name: own[where.codes == place.get(name, UNKNOWN_TRUTH - 1)] for name in mine.values}
    held = {name: threshold(scores, asked.level) for name, scores in parts.items()}
    fewest = math.ceil(asked.level / (1 - asked.level))
    few = [name for name, q in held.items() if math.isinf(q)]
    if few and new.task == "numeric":
        raise DataError(
            f"{count(parts[few[0]].size, 'case')} ({few[0]}) are too few for a level of {float(asked.level):.6g}: "
            f"intervals would have no ends. The fewest are {fewest:,}.",
            remedy=says("Use more cases, or a lower <level=...>."),
        )
    findings = [
        TOO_FEW_FOR_LEVEL(n=parts[name].size, where=name, level=float(asked.level), fewest=fewest)
        for name in few
    ]
    limits = np.array([*held.values()])
    if asked.by == "class":
        return limits, held, findings
    each = limits[mine.codes]
    return (each if new.task == "numeric" else each[:, None]), held, findings


def _weighted(
    asked: _ConformalRequest, cal: _Scored, new: Predictions
) -> tuple[Floats, dict[str, float], list[Finding]]:
    """Return the threshold of each new case by its weight, how far they reach, and what the weights cost."""
    held, level = asked.weight_of(cal.p), float(asked.level)
    limits = weighted_thresholds(cal.own, held, asked.weight_of(new), asked.level)
    endless = int(np.isinf(limits).sum())
    if endless and new.task == "numeric":
        raise DataError(
            f"{count(endless, 'new case')} weigh so much beside the cases of the threshold that intervals would have no ends.",
            remedy=says("Use more cases like these for the threshold, or a lower <level=...>."),
        )
    worth = float(held.sum() ** 2 / dot(held, held))
    findings = [WEIGHTS_COST(n=held.size, worth=worth)]
    findings += [WEIGHS_TOO_MUCH(cases=count(endless, "new case"), level=level)] if endless else []
    told = dict(zip(("lowest", "median", "highest"), np.quantile(limits, [0, 0.5, 1], method="lower").tolist(), strict=True))  # fmt: skip
    return (limits if new.task == "numeric" else limits[:, None]), told, findings


def _split(asked: _ConformalRequest, known: Predictions, new: Predictions) -> _Made:
    """Take the threshold of some cases for others."""
    if (
        known.row is not None
        and new.row is not None
        and (set(known.row.tolist()) & set(new.row.tolist()))
    ):
        raise DataError(
            "Some cases are among both those that set the threshold and those to be predicted.",
            remedy="Leave them out of one of both.",
        )
    cal = _Scored.of(asked.entry, known)
    q, held, findings = _limits(asked, cal, new)
    first, second = _Scored.of(asked.entry, new).upto(q)
    where = asked.parts(known)
    counts = np.bincount(where.codes, minlength=len(where.values)).tolist()
    sizes = {name: n for name, n in zip(where.values, counts, strict=True) if n}
    if asked.weights is not None:  # of how many cases that weigh the same they are worth
        w = asked.weight_of(known)
        sizes = {"all": int(w.sum() ** 2 / dot(w, w))}
    return _Made(new, first, second, asked.level, "split conformal", held, sizes, findings)


def _cross_fitted(
    asked: _ConformalRequest, known: Predictions, folds: int, rng: int | np.random.Generator | None
) -> _Made:
    """Give each fold the threshold of the other folds."""
    drawn = rng is None and known.fold is None
    splits = list(other_folds(known, folds, FIXED_SEED if drawn else rng))
    if known.repeated or sum(test.size for _, test in splits) != known.n:
        raise DataError("Each case is predicted several times.", remedy="Take one repeat.")
    parts = [_split(asked, known.take(train), known.take(test)) for train, test in splits]
    back = np.argsort(np.concatenate([test for _, test in splits]), kind="stable")
    first = np.concatenate([m.first for m in parts])[back]
    intervals = parts[0].second is not None
    second = np.concatenate([m.second for m in parts])[back] if intervals else None
    # Folds of predictions were made by different models.
    certain = asked.level if known.fold is None else None
    held = _limits(asked, _Scored.of(asked.entry, known), known)[1]
    findings = list(dict.fromkeys(f for m in parts for f in m.findings))
    findings += [UNSEEDED(what="the folds", seed=FIXED_SEED)] if drawn else []
    how = f"thresholds of the other folds, {count(len(parts), 'fold')}"
    return _Made(known, first, second, certain, how, held, parts[0].calibrated, findings)


def _cross(asked: _ConformalRequest, known: Predictions, new: Predictions) -> _Made:
    """Compare each new case with each known one by the model that was fitted on neither (CV+, jackknife+)."""
    if asked.by is not None:
        raise ParameterError(
            says("<by=...> is for thresholds of one model, not for cross conformal prediction.")
        )
    if new.row is None:
        raise DataError(
            "New cases that several models predict need identifiers.", remedy=says("Set <row=...>.")
        )
    cal = _Scored.of(asked.entry, known)
    fold, case = distinct(known.need("fold", "CV+")), distinct(new.row)
    theirs = {str(name): k for k, name in enumerate(fold.values)}
    at = np.array([theirs.get(str(name), -1) for name in new.fold.tolist()])  # type: ignore[union-attr]
    places = np.full((len(fold.values), len(case.values)), -1)
    places[at[at >= 0], case.codes[at >= 0]] = np.flatnonzero(at >= 0)
    if (places < 0).any() or (at < 0).any():
        lacking = [str(fold.values[k]) for k in np.flatnonzero((places < 0).any(axis=1))]
        raise DataError(
            f"Each new case must be predicted by the model of each fold, and by no other; missing: {listed(lacking, most=MAX_LISTED) or 'none'}."
        )
    fresh = _Scored.of(asked.entry, new)
    n, k = known.n, len(fold.values)
    kept = new.take(np.sort(places[0]))
    places = places[:, np.argsort(places[0])]
    first, second = _held_by_all(asked, cal.own, fold.codes, fresh, places)
    alpha = 1 - asked.level
    # Barber et al. (2021), theorem 4; of single cases theorem 1, which is the same.
    size = Fraction(n, k)
    cost = min(2 * (1 - Fraction(1, k)) / (size + 1), (1 - Fraction(k, n)) / (k + 1))
    certain = max(1 - 2 * alpha - cost, Fraction(0))
    how = "jackknife+" if k == n else f"cross conformal (CV+), {count(k, 'fold')}"
    return _Made(kept, first, second, certain, how)


def _held_by_all(
    asked: _ConformalRequest,
    own: Floats,
    fold: NDArray[np.intp],
    fresh: _Scored,
    places: NDArray[np.intp],
) -> tuple[Any, Any]:
    """Return what is predicted of each new case, ranked among all known ones."""
    n, cases = own.size, places.shape[1]
    if not isinstance(fresh.scores, Reach):
        counts = np.zeros((cases, fresh.scores.shape[1]))
        for k in range(places.shape[0]):
            mine = np.sort(own[fold == k])
            counts += np.searchsorted(mine, fresh.scores[places[k]], side="left")
        # As many known cases as would be stranger: fewer than (1 - alpha)(n + 1), in whole numbers.
        return counts * asked.level.denominator < asked.level.numerator * (n + 1), None
    r, upper = fresh.scores, rank_of(n, asked.level)
    ends = np.empty((2, cases))
    if upper > n:
        raise DataError(
            f"{n:,} cases are too few for a level of {float(asked.level):.6g}.",
            remedy=says("Use more cases, or a lower <level=...>."),
        )
    step = max(1, NUMBERS_PER_BLOCK // max(n, 1))
    for start in range(0, cases, step):
        some = slice(start, start + step)
        at = places[:, some][fold]  # for each known case the model that was not fitted on it
        reach, last = own[:, None] * r.unit[at], n - upper
        ends[0, some] = np.partition(r.low[at] - reach, last, axis=0)[last]
        ends[1, some] = np.partition(r.high[at] + reach, upper - 1, axis=0)[upper - 1]
    return ends[0], ends[1]


def _told(
    made: _Made, asked: _ConformalRequest, known: Predictions, confidence_level: float
) -> Conformal:
    """Judge what was predicted where the truth is known."""
    p, level = made.p, float(asked.level)
    given = given_columns(row=p.row, group=p.group)
    given["columns"] = {c: p.columns[c] for c in p.columns}
    heading = f"{asked.entry.title}, {made.how}, {count(known.n, 'case')}, level {level:.6g}"
    findings = (*p.findings, *made.findings) + (
        (CASES_TOGETHER(),) if known.group is not None else ()
    )
    told: dict[str, Any] = {
        "heading": heading, "method": asked.entry.call, "level": level, "guarantee": math.nan if made.guarantee is None else float(made.guarantee),
        "n": known.n, "thresholds": made.thresholds, "weights": asked.weights or "", "findings": findings,
    }  # fmt: skip
    options = {"confidence_level": confidence_level}
    if made.second is None:
        bare = PredictionSets(
            tuple(map(str, p.classes)), frozen(p.truth.astype(np.intp)), ("",), frozen(made.first[None]), level, given
        )  # fmt: skip
        fewest = min(made.calibrated.values(), default=known.n)
        rank = rank_of(fewest, asked.level)
        sets = with_doubts(bare, (rank, fewest + 1 - rank) if rank <= fewest else None)
        return Conformal(**told, sets=sets, table=sets.table(SET_SCORES, **options))
    tails = float((1 - asked.level) / 2), float((1 + asked.level) / 2)
    ends = np.column_stack([made.first, made.second])
    intervals = forecasts(p.truth, quantiles=ends, levels=tails, **given)
    named = [f"{s}(level={level!r})" for s in INTERVAL_SCORES]
    table = intervals.table(named, **options)
    return Conformal(
        **told, intervals=intervals, low=frozen(ends[:, 0]), high=frozen(ends[:, 1]), table=table
    )
