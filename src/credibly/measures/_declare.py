"""How a measure is declared: once, with everything that the rest of Credibly derives from it.

Forms of measures: of ranks, proportions, means and totals of losses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import field, replace
from functools import cached_property, lru_cache, reduce
from operator import add
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from credibly._core.arrays import ROUNDING, Floats
from credibly._core.averages import AVERAGES, Average
from credibly._core.declared import UNSTATED, Declarator, Reading, ReadingRegistry
from credibly._core.parameters import one_of, require
from credibly.errors import ParameterError, says
from credibly.measures._undefined import NO_CASES, ONE_CLASS, Reason, as_reasons
from credibly.predictions import CostMatrix, Predictions
from credibly.predictions.arguments import refuse_several_models
from credibly.predictions.lack import LACK_OF_TASK, POSITIVE, Lack, lack_of
from credibly.predictions.numbers import borrowed
from credibly.predictions.summaries import (
    BinaryCounts,
    ClassScores,
    Counts,
    LossMoments,
    ScoreTable,
    Summary,
)
from credibly.predictions.summaries.linear import class_sizes, one_vs_rest, ratio

if TYPE_CHECKING:
    Loss = Callable[..., Floats]
    Bounds = Callable[..., tuple[float, float]]
    Among = Callable[..., dict[str, Any]]
    Parts = Callable[..., tuple[Floats, Floats]]
    Quick = Callable[..., LossMoments | None]
    Slopes = Callable[..., tuple[Floats, Floats]]

Direction = Literal["higher", "lower", "neither"]
SECOND_COLUMNS = ("probability", "value", "outcome")  # what stands second, where it is needed


class Measure(Reading[..., Any]):
    """A number that summarises predictions, and what is known about it.

    Call it with :class:`~credibly.Predictions`, or with arrays in scikit-learn's order. Its function is
    a formula of the summary that it ``reads``, or what the kinds of measures below make one of.

    >>> from credibly.measures import fbeta
    >>> fbeta([1, 1, 0, 0], [1, 0, 0, 0], beta=2)
    0.5555555555555556
    """

    reads: type[Summary] = UNSTATED
    range: tuple[float, float]
    best: float | None
    cite: str
    bounds: Bounds | None = field(default=None, repr=False)  # the range that follows from arguments
    # What follows from the number of classes and the arguments: a range, or that it is an area.
    among: Among | None = field(default=None, repr=False)
    chance: float | None = None
    undefined: (
        str | Reason | Iterable[Reason]
    ) = ()  # reasons for being undefined; the first that holds counts
    infinite: Reason | Iterable[Reason] = ()  # why a case may cost infinitely much
    needs: tuple[str, ...] = ()
    smooth: bool = True
    linear: bool = False  # whether it is a mean over all cases, or a count, by another formula
    lifted: bool = False
    no_bootstrap: str = ""
    mean: str = ""  # the measure that it is once for each case
    mean_of: str = ""  # the measure of each class whose mean it is
    most: Callable[[Any], Floats] | None = None  # what it cannot exceed on a summary, if it counts
    by_request: bool = False
    headline: int = 0  # its place among the measures of a first look; of the others none
    reported: int = 0  # the same in a report, among the measures of what it takes
    stratified: bool = False  # whether the sizes of the classes are given, and not to be estimated
    slopes: Slopes | None = field(default=None, repr=False)  # by the weights at each score
    # Scale and shift that make it of the area under the curve.
    area: tuple[float, float] | None = None
    # Its summary of many cases, without losses.
    quick: Quick | None = field(default=None, repr=False)
    average: Average | None = None  # over the classes, where it was asked for with the measure
    of_order: ClassVar[bool] = False  # whether it reads the sums of the order alone

    def __post_init__(self) -> None:
        """Bring facts into one shape."""
        super().__post_init__()
        self._set(
            range=tuple(map(float, self.range)),
            undefined=as_reasons(self.undefined),
            infinite=as_reasons(self.infinite),
        )

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        return {
            "range": " to ".join(f"{end:g}" for end in self.range),
            "best": None if self.best is None else f"{self.best:g}",
            "by_chance": None if self.chance is None else f"{self.chance:g}",
            "better_when": self.direction,
            "undefined_when": self.undefined_when,
            "computed_from": self.reads.__name__,
            "needs": list(self.needs) or [self.takes],
        }

    def formula(self, summary: Any, **arguments: object) -> Floats:  # noqa: ANN401
        """Return the value on a summary, or the values on a batch of them."""
        values: Floats = self.function(summary, **arguments)
        return values

    @property
    def loss(self) -> Loss | None:
        """What it costs to predict each case as it was, where that is all it is made of."""
        return None

    @property
    def power(self) -> float | None:
        """The power of a mean of losses from 0 on that it is: 1 for the mean itself; nothing for other measures."""
        return None

    @property
    def share_below(self) -> float | None:
        """The share of the cases that lie below it, where it is a quantile."""
        return None

    @property
    def parts(self) -> Parts | None:
        """The part and the whole, where it is a share."""
        return None

    @cached_property
    def direction(self) -> Direction:
        """Which way is better, read off ``best`` and ``range``."""
        low, high = self.range
        return "higher" if self.best == high else "lower" if self.best == low else "neither"

    def given(self, **arguments: object) -> Self:
        """Return the same with some of its parameters set, and the range that follows from them.

        ``average`` is taken by every measure of classes.

        >>> from credibly.measures import fbeta
        >>> fbeta.given(beta=2, average="macro").call
        "fbeta(beta=2, average='macro')"
        """
        average: Any = arguments.pop("average", self.average)
        made = super().given(**arguments)
        if average != self.average:
            self.check_average(average)
            made._set(average=average)  # noqa: SLF001
        if made.bounds is None or made.unfilled:
            return made
        ends = made.bounds(**made.arguments)
        best = {"lower": ends[0], "higher": ends[1]}.get(self.direction, self.best)
        return replace(made, range=ends, best=best)

    @property
    def settings(self) -> dict[str, Any]:
        """All that was set: its arguments, and its average over the classes."""
        return {**self.arguments, "average": self.average} if self.average else {**self.arguments}

    @property
    def of_any_average(self) -> Measure:
        """The same measure, whatever average was asked for with it."""
        return self if self.average is None else replace(self, average=None)

    @property
    def per_case(self) -> Measure:
        """The measure that a total is once for each case, with the same arguments."""
        return measures[self.mean].given(**self.arguments)

    @property
    def of_one_class(self) -> Measure:
        """The measure of a class against the rest whose mean over the classes it is."""
        return measures[self.mean_of]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it may be undefined."""
        return as_reasons(self.undefined)

    @property
    def infinite_reasons(self) -> tuple[Reason, ...]:
        """Why a case may cost infinitely much."""
        return as_reasons(self.infinite)

    @property
    def undefined_when(self) -> str:
        """When it is undefined, in words."""
        return ", or ".join(reason.text for reason in self.reasons)

    def about(self, *parts: Predictions) -> Measure:
        """Return it as it is of such predictions: classes and outcomes say how far they reach.

        >>> from credibly.measures import class_error
        >>> class_error.about(Predictions.of([1, 2, 3], label=[1, 2, 1])).range
        (0.0, 2.0)
        """
        if self.among is None or not parts:
            return self
        return _among(self, max(len(p.classes) for p in parts))

    def offered(self, *parts: Predictions) -> bool:  # noqa: ARG002
        """Whether it is shown by default."""
        return not self.by_request

    def slopes_at(self, table: ScoreTable) -> tuple[Floats, Floats] | None:
        """Return how it moves with the weight of a positive and of a negative case at each score."""
        return self.slopes(table, **self.arguments) if self.slopes else None

    @property
    def ranked(self) -> bool:
        """Whether it compares the scores of one class with those of the other, and nothing else."""
        return self.reads is ScoreTable and "probability" not in self.needs

    @property
    def nonlinear(self) -> bool:
        """Whether it is a smooth function of means over cases, such as a ratio: on few cases it is off."""
        return self.smooth and not (self.linear or self.of_pairs or self.mean)

    @property
    def of_pairs(self) -> bool:
        """Whether it is a mean or number of pairs of cases, as an area is: right on small folds."""
        pairs = self.area is not None or self.most is not None or self.reads is ClassScores
        return self.compares_scores and pairs

    @property
    def open_to_one_side(self) -> bool:
        """Whether its range has one end, as that of squared errors has: what it is a mean of is skewed."""
        return sum(map(math.isfinite, self.range)) == 1

    @property
    def compares_scores(self) -> bool:
        """Whether it compares the score of one case with another's, which are to be of one model."""
        return self.reads in {ScoreTable, ClassScores}

    def lacks(self, p: Predictions, *, averaged: bool = False) -> Lack | None:
        """Say what these predictions lack for the measure; nothing when it applies.

        Where it may be ``averaged`` over the classes, none of them need be the positive one.
        """
        if self.task != p.task:
            return LACK_OF_TASK[self.task]
        if self.unfilled:  # first, since no view of these predictions would supply it
            return lack_of(self.unfilled)
        lack = next((lack_of(c) for c in self.needs if not p.has(c)), None) or self.reads.missing(p)
        return None if averaged and lack == POSITIVE else lack

    def summarise(self, p: Predictions) -> Summary:
        """Reduce predictions to the summary that the measure reads."""
        if self.loss is None:
            return self.reads.of(p, self.name)
        if lack := self.lacks(p):
            if lack.name in p.provides:  # of some models
                p.need(lack.name, self.name)
            lack.refuse(p, self.name)
        known = self.usable(p)
        moments = self.quick(known, **self.arguments) if self.quick else None
        if moments is not None:
            return moments
        # Block by block: what a block needs stays in the processor's cache, and summaries add.
        return reduce(add, (LossMoments.of_cases(self.losses(b), b.weight) for b in known.blocks()))

    def usable(self, p: Predictions) -> Predictions:
        """Return the rows that it can use: of known truth and, unless it reads labels, with a prediction."""
        known = p.known()
        return known if self.takes == "label" else known.scored()

    def losses(self, p: Predictions) -> Floats:
        """Return what each case (row) costs, in one column or several; none for other measures."""
        if self.loss is None:
            return np.empty((p.n, 0))
        with np.errstate(all="ignore"):  # too large is infinite, and a finding says so
            losses = self.loss(p, **self.arguments)
        return losses if losses.ndim > 1 else losses[:, None]

    def of_summary(self, summary: Summary) -> Floats:
        """Apply the formula; a batch of summaries gives an array."""
        if self.unfilled:
            raise ParameterError(
                f"{self.name} needs {self.unfilled}.", remedy=lack_of(self.unfilled).remedy
            )
        if type(summary) is not self.reads:
            summary = self.reads.taken(summary, self.name)
        with np.errstate(all="ignore"):
            values = np.asarray(self.formula(summary, **self.arguments))
            (low, high), real = self.range, values.real
            if not values.ndim and low <= real <= high:  # most are one number, within its range
                return np.asarray(values + 0.0)
            if not ((real < low) | (real > high)).any():
                return np.asarray(values + 0.0)  # zero has no sign
            # Rounding may carry a value past an end of its range by some last digits. It is moved, not
            # replaced: the imaginary part, by which formulas are differentiated, stays.
            past = np.clip(real, low, high) - real
            return np.where(np.abs(past) < ROUNDING, values + past, values)

    def value(self, p: Predictions) -> float:
        """Return the value on predictions; NaN where it is undefined."""
        return float(self.of_summary(self.summarise(p)))

    def by_class(self, p: Predictions) -> Floats:
        """Return the value of each class against the rest."""
        if issubclass(self.reads, BinaryCounts | Counts):  # one batch for all measures
            return self.of_summary(self.reads.each_class(p, self.name))
        return np.array([float(self.of_summary(s)) for s in self.class_summaries(p)])

    @cached_property
    def class_wise(self) -> bool:
        """Whether it is about one class against the rest."""
        return self.reads in {BinaryCounts, ScoreTable} or "positive" in self.needs

    @property
    def viewable(self) -> bool:
        """Whether it can be asked of one class against the rest: what costs of named classes read cannot."""
        named = any(isinstance(v, CostMatrix) for v in self.arguments.values())
        return self.task == "classification" and not named

    def scope(self, p: Predictions, average: Average | None = None) -> str:
        """Say that it is about all classes where one of several is positive; else nothing.

        A positive class plays a part in measures of one class alone; the others stay what they are.
        """
        among = p.task == "classification" and p.positive is not None and len(p.classes) > 2
        return "" if average or self.class_wise or not among else ", all classes"

    def view(self, p: Predictions, average: Average | None = None) -> Predictions:
        """Return the two classes that it is about where one of several is positive; else all of them."""
        if average or not self.class_wise or p.positive is None or len(p.classes) <= 2:
            return p
        return one_vs_rest(p, p.positive)

    def average_on(self, p: Predictions, asked: Average | None) -> Average | None:
        """Return the average over the classes that is asked for, or that one class of several calls for."""
        asked = self._one_average(asked)
        if self.class_wise:
            return asked or (None if p.has_positive else "macro")
        return asked if len(p.classes) > 2 else None

    def _one_average(self, asked: Average | None) -> Average | None:
        """Return the one average that was asked for, with the measure or beside it."""
        self.check_average(asked)
        if asked and self.average and asked != self.average:
            raise ParameterError(
                f"{self.call} is already averaged in one way, and another way is asked for.",
                remedy=says("Leave out <average={it}>.", it=asked),
            )
        return asked or self.average

    def check_average(self, average: Average | None) -> None:
        """Refuse an average over classes of numbers or of costs, and to pool what is about the whole table."""
        if average is None:
            return
        require("average", average, one_of(*AVERAGES))
        why = ""
        if self.task != "classification":
            why = "is about numbers, which have no classes"
        elif not self.viewable:
            why = "is about all classes together, whose costs it reads by name"
        elif average == "micro" and self.reads is Counts:
            why = "is about all classes together, so there is nothing to pool"
        if why:
            remedy = says("Leave out <average={it}>.", it=average)
            raise ParameterError(f"{self.name} {why}.", remedy=remedy)

    def averaged(self, p: Predictions, average: Average) -> float:
        """Return one value for all classes: by class and averaged, or of the pooled summary."""
        self.check_average(average)
        if not self.class_wise and len(p.classes) <= 2:
            return self.value(p)  # of two, either class against the rest is the whole
        if average == "micro":
            return float(self.of_summary(reduce(add, self.class_summaries(p))))
        values, sizes = self.by_class(p), class_sizes(p, average)
        return float(ratio((values * sizes)[sizes > 0].sum(), sizes.sum()))

    def on(self, p: Predictions, average: Average | None) -> float:
        """Return the value on predictions, averaged over the classes if that is asked for."""
        return self.averaged(p, average) if average else self.value(p)

    def class_summaries(self, p: Predictions) -> list[Any]:
        """Summarise each class against the rest."""
        if self.loss is None:
            return self.reads.per_class(p, self.name)
        return [self.summarise(one_vs_rest(p, i)) for i in range(len(p.classes))]

    def __call__(
        self,
        y_true: object,
        predicted: object = None,
        *,
        sample_weight: object = None,
        classes: Any = None,  # noqa: ANN401
        positive: object = None,
        baseline: object = None,
        average: Average | None = None,
        **arguments: object,
    ) -> float:
        """Compute the value from :class:`~credibly.Predictions` or from arrays."""
        bound = self.given(**arguments) if arguments else self
        average = bound._one_average(average)  # noqa: SLF001
        if isinstance(y_true, Predictions):
            models = f"these are predictions by {len(y_true.model_names)} models"
            refuse_several_models(y_true, f"{self.name} is a number for one model; {models}.")
            return bound.on(y_true, average)
        if predicted is None and self.task != "outcome":
            raise ParameterError(
                f"{self.name} takes Predictions, or the truth and what was predicted."
            )
        per_class = self.takes == "score" and np.ndim(predicted) == 2  # type: ignore[arg-type]
        given = {"y_true": y_true, "probability" if per_class else self.takes: predicted}
        if self.task == "outcome":  # outcomes come without a truth
            given = {"y_pred": predicted, "outcome": y_true}
        with borrowed():
            p = Predictions.of(
                **given,  # type: ignore[arg-type]
                sample_weight=sample_weight,
                classes=classes,
                positive=positive,
                baseline=baseline,
            )
        return bound.on(p, average)

    @cached_property
    def takes(self) -> str:
        """The kind of prediction that stands second when it is called with arrays."""
        return next((c for c in SECOND_COLUMNS if c in self.needs), self.reads.takes)

    @cached_property
    def task(self) -> str:
        """Whether it judges predicted classes, predicted numbers or outcomes."""
        return {"value": "numeric", "outcome": "outcome"}.get(self.takes, "classification")


@lru_cache(maxsize=256)
def _among(m: Measure, classes: int) -> Measure:
    """Return a measure with what follows from the number of classes; the same one whenever it is asked for."""
    known = {} if m.among is None else m.among(classes, **m.arguments)
    return replace(m, **known) if known else m


measures: ReadingRegistry[Measure] = ReadingRegistry(
    "measure",
    "credibly.measures",
    use="evaluate(p, {name!r})",
    typed="evaluate FILE --measure {name}",
    first="counts costs dependence diagnostic probability",
)
measure = Declarator(Measure, measures)


class RankingMeasure(Measure):
    """A measure whose function reads :class:`OrderSums` and nothing else, so that replicates need no table."""

    reads: type[Summary] = ScoreTable
    range: tuple[float, float] = (0, 1)
    best: float | None = 1
    undefined: str | Reason | Iterable[Reason] = ONE_CLASS
    of_order: ClassVar[bool] = True

    def formula(self, summary: ScoreTable, **arguments: object) -> Floats:
        """Read the sums of the order."""
        return super().formula(summary.order_sums(), **arguments)


class Proportion(Measure):
    """A measure whose function returns a part and its whole, and which thereby has a proportion's interval."""

    range: tuple[float, float] = (0, 1)

    @property
    def parts(self) -> Parts:
        """The part and the whole."""
        return self.function

    @property
    def nonlinear(self) -> bool:
        """Whether its whole are the cases of a class, and not all."""
        return super().nonlinear and self.reads is not Counts

    def formula(self, summary: Summary, **_: object) -> Floats:
        """Divide the part by the whole."""
        return ratio(*self.function(summary))


class LossMeasure(Measure):
    """A measure whose function says what each case costs; its arguments go into the summary."""

    reads: type[Summary] = LossMoments
    range: tuple[float, float] = (0, np.inf)
    best: float | None = 0
    undefined: str | Reason | Iterable[Reason] = NO_CASES

    @property
    def loss(self) -> Loss:
        """What each case costs."""
        return self.function


class MeanLoss(LossMeasure):
    """The mean of a loss, passed through ``link``.

    It is a ``share`` where the loss of a case is 0 or 1, and then has the interval of a proportion.
    """

    link: Callable[[Floats], Floats] | None = None
    share: bool = False

    @property
    def nonlinear(self) -> bool:
        """Whether the mean is not shown as it is."""
        return super().nonlinear and self.link is not None

    @property
    def power(self) -> float | None:
        """The power of the mean that it is, where that has no upper end."""
        if self.range != (0.0, math.inf):
            return None
        return 1.0 if self.link is None else 0.5 if self.link is np.sqrt else None

    @property
    def parts(self) -> Parts | None:
        """The sum of a loss of 0 or 1, and all cases."""
        return (lambda moments: (moments.sum[..., 0], moments.weight)) if self.share else None

    def formula(self, summary: LossMoments, **_: object) -> Floats:
        """Link the mean."""
        mean = summary.mean[..., 0]
        return mean if self.link is None else self.link(mean)


class TotalLoss(LossMeasure):
    """A function of the sums of losses, one column or several: of the first by itself."""

    combine: Callable[[Floats], Floats] = lambda sums: sums[..., 0]

    def formula(self, summary: LossMoments, **_: object) -> Floats:
        """Combine the sums."""
        return self.combine(summary.sum)


ranking_measure = Declarator(RankingMeasure, measures)
proportion = Declarator(Proportion, measures)
mean_loss = Declarator(MeanLoss, measures)
total_loss = Declarator(TotalLoss, measures)
