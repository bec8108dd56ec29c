"""How a measure is declared: once, with everything that the rest of Credibly derives from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict, Unpack

import numpy as np

from credibly._core import averages
from credibly._core.declared import ReadingRegistry
from credibly._core.described import Declared, described_by
from credibly._core.errors import ParameterError
from credibly.measures._undefined import (
    NO_CASES,
    NO_LABEL,
    UNTOLD,
    Cause,
    Reason,
    as_reasons,
    no_cases,
    out_of_scale,
)
from credibly.predictions import CostMatrix, Predictions
from credibly.predictions.lack import CLASSES, NUMBERS, POSITIVE, lack_of
from credibly.predictions.summaries import BinaryCounts, Counts, LossMoments, ScoreTable, Summary
from credibly.predictions.summaries.counts import ratio
from credibly.predictions.summaries.linear import class_sizes, one_vs_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from credibly._core.arrays import Floats
    from credibly._core.parameters import Parameter, Rule
    from credibly.predictions.lack import Lack

    Formula = Callable[..., Floats]
    Loss = Callable[..., Floats]
    Bounds = Callable[..., tuple[float, float]]
    Parts = Callable[..., tuple[Floats, Floats]]
    Quick = Callable[..., LossMoments | None]
    Slopes = Callable[..., tuple[Floats, Floats]]


class Facts(TypedDict, total=False):
    """What may be declared of a measure beside its name, its formula and what it reads."""

    range: tuple[float, float]
    bounds: Bounds  # the range that follows from arguments
    best: float | None
    cite: Required[str]
    chance: float
    undefined: str | Reason | Iterable[Reason]
    infinite: Reason | Iterable[Reason]
    aliases: tuple[str, ...]
    needs: tuple[str, ...]
    smooth: bool
    lifted: bool
    no_bootstrap: str
    mean: str  # the measure that it is once for each case
    where: Mapping[str, Rule]
    by_request: bool


ROUNDING = 1e-12
PAIR = 2  # classes

Direction = Literal["higher", "lower", "neither"]
Average = averages.Average


@dataclass(frozen=True, slots=True, eq=False)
class Measure(Declared):
    """A number that summarises predictions, and what is known about it.

    Call it with :class:`~credibly.Predictions`, or with arrays in scikit-learn's order.

    >>> from credibly.measures import fbeta
    >>> fbeta([1, 1, 0, 0], [1, 0, 0, 0], beta=2)
    0.5555555555555556
    """

    name: str
    title: str
    reads: type[Summary]
    formula: Formula
    range: tuple[float, float]
    best: float | None
    cite: str
    bounds: Bounds | None = field(default=None, repr=False)
    chance: float | None = None
    reasons: tuple[Reason, ...] = ()  # why it may be undefined, the first that holds is given
    endless: tuple[Reason, ...] = ()  # why a case may cost infinitely much
    aliases: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    smooth: bool = True
    lifted: bool = False
    no_bootstrap: str = ""
    mean: str = ""
    by_request: bool = False
    loss: Loss | None = field(default=None, repr=False)
    quick: Quick | None = field(default=None, repr=False)
    of_order: bool = False
    stratified: bool = False  # whether the sizes of the classes are given, and not to be estimated
    area: tuple[float, float] | None = None
    slopes: Slopes | None = field(default=None, repr=False)
    parts: Parts | None = field(default=None, repr=False)
    parameters: tuple[Parameter, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    doc: str = field(default="", repr=False)
    family: str = ""

    @property
    def direction(self) -> Direction:
        """Which way is better, read off ``best`` and ``range``."""
        if self.best is None:
            return "neither"
        low, high = self.range
        return "higher" if self.best == high else "lower" if self.best == low else "neither"

    def given(self, **arguments: object) -> Measure:
        """Return the same with some of its parameters set, and the range that follows from them."""
        made = Declared.given(self, **arguments)
        if made.bounds is None or made.unfilled:
            return made
        ends = made.bounds(**made.arguments)
        best = {"lower": ends[0], "higher": ends[1]}.get(self.direction, self.best)
        return replace(made, range=ends, best=best)

    @property
    def undefined(self) -> str:
        """When it has no value, in words."""
        return ", or ".join(reason.text for reason in self.reasons)

    @property
    def ranked(self) -> bool:
        """Whether it compares the scores of one class with those of the other, and nothing else."""
        return self.reads is ScoreTable and "probability" not in self.needs

    def lacks(self, p: Predictions, *, averaged: bool = False) -> Lack | None:
        """Say what these predictions lack for the measure; nothing when it applies.

        Where it may be ``averaged`` over the classes, none of them need be the positive one.
        """
        if self.task != p.task:
            return NUMBERS if self.task == "numeric" else CLASSES
        if self.unfilled:  # first, since no view of these predictions would supply it
            return lack_of(self.unfilled)
        column = next((c for c in self.needs if not p.has(c)), None)
        lack = lack_of(column) if column else self.reads.missing(p)
        return None if averaged and lack == POSITIVE else lack

    def summarise(self, p: Predictions) -> Summary:
        """Reduce predictions to the summary that the measure reads."""
        if self.loss is None:
            return self.reads.of(p, self.name)
        lack = self.lacks(p)
        if lack:
            if lack.name in p.provides:  # of some models
                p.need(lack.name, self.name)
            lack.refuse(p.provides, self.name)
        known = self.judged(p)
        made = self.quick(known, **self.arguments) if self.quick else None
        if made is not None:
            return made
        # Block by block: what a block needs stays in the processor's cache, and summaries add.
        return reduce(add, (LossMoments.of_cases(self.losses(b), b.weight) for b in known.blocks()))

    def judged(self, p: Predictions) -> Predictions:
        """Return the rows that it judges: of known truth and, unless it reads labels, with a prediction."""
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
        arguments = {} if self.loss else self.arguments  # those of a loss went into the summary
        summary = self.reads.taken(summary, self.name)
        with np.errstate(all="ignore"):
            values = np.asarray(self.formula(summary, **arguments))
            # Rounding may carry a value past an end of its range by some last digits. It is moved, not
            # replaced: the imaginary part, by which formulas are differentiated, stays.
            past = np.clip(values.real, *self.range) - values.real
            return np.where(np.abs(past) < ROUNDING, values + past, values)

    @property
    def unfilled(self) -> str:
        """The first parameter that has no default and was not given."""
        return next(
            (q.name for q in self.parameters if q.required and q.name not in self.arguments), ""
        )

    def value(self, p: Predictions) -> float:
        """Return the value on predictions; NaN where it is undefined."""
        return float(self.of_summary(self.summarise(p)))

    def by_class(self, p: Predictions) -> Floats:
        """Return the value of each class against the rest."""
        return np.array([float(self.of_summary(s)) for s in self._class_summaries(p)])

    @property
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
        among = p.task == "classification" and p.positive is not None and len(p.classes) > PAIR
        return "" if average or self.class_wise or not among else ", all classes"

    def view(self, p: Predictions, average: Average | None = None) -> Predictions:
        """Return the two classes that it is about where one of several is positive; else all of them."""
        if average or not self.class_wise or p.positive is None or len(p.classes) <= PAIR:
            return p
        return one_vs_rest(p, p.positive)

    def average_on(self, p: Predictions, asked: Average | None) -> Average | None:
        """Return the average over the classes that is asked for, or that one class of several calls for."""
        self.check_average(asked)
        if self.class_wise:
            return asked or (None if p.has_positive else "macro")
        return asked if len(p.classes) > PAIR else None

    def check_average(self, average: Average | None) -> None:
        """Refuse an average over classes of numbers or of costs, and to pool what is about the whole table."""
        if average is not None:
            averages.refuse_other_averages(average)
        if average and self.task != "classification":
            raise ParameterError(
                f"{self.name} is about numbers, which have no classes: leave out average={average!r}."
            )
        if average and not self.viewable:
            raise ParameterError(
                f"{self.name} is about all classes together, whose costs it reads by name: leave out average={average!r}."
            )
        if average == "micro" and self.reads is Counts:
            raise ParameterError(
                f"{self.name} is about all classes together, so there is nothing to pool: leave out average='micro'."
            )

    def averaged(self, p: Predictions, average: Average) -> float:
        """Return one value for all classes: by class and averaged, or of the pooled summary."""
        self.check_average(average)
        if not self.class_wise and len(p.classes) <= PAIR:
            return self.value(p)  # of two, either class against the rest is the whole
        if average == "micro":
            return float(self.of_summary(reduce(add, self._class_summaries(p))))
        values = self.by_class(p)
        sizes = class_sizes(p, average)
        counted = sizes > 0
        return float(ratio((values * sizes)[counted].sum(), sizes.sum()))

    def on(self, p: Predictions, average: Average | None) -> float:
        """Return the value on predictions, averaged over the classes if that is asked for."""
        return self.averaged(p, average) if average else self.value(p)

    def why_not_finite(
        self, p: Predictions, average: Average | None = None
    ) -> dict[Cause, list[object]]:
        """Say why a value on these predictions is not finite, with the classes of which it holds.

        >>> from credibly.measures import precision
        >>> p = Predictions.of(list("aab"), label=list("aaa"))
        >>> [(cause.text, of) for cause, of in precision.why_not_finite(p, "macro").items()]
        [('no case is labelled positive', ['b'])]
        """
        known = p.known()
        if no_cases(known):
            return {Cause(NO_CASES.text): []}
        if not average or (not self.class_wise and len(p.classes) <= PAIR):
            return {self._cause(self.summarise(known), known): []}
        each = self._class_summaries(known)
        if average == "micro":
            return {self._cause(reduce(add, each), known): []}
        found: dict[Cause, list[object]] = {}
        counted = class_sizes(known, average) > 0
        for i in np.flatnonzero(counted).tolist():
            if not np.isfinite(self.of_summary(each[i])):
                cause = self._cause(each[i], one_vs_rest(known, i))
                found.setdefault(cause, []).append(p.classes[i])
        return found or {Cause(NO_LABEL): []}

    def why_undefined(self, parts: Iterable[Predictions], average: Average | None = None) -> str:
        """Say why it has no value on some of these parts of the cases, each reason once."""
        causes = [
            cause.text
            for p in parts
            if np.isnan(self.on(p, average))
            for cause in self.why_not_finite(p, average)
        ]
        return "; ".join(dict.fromkeys(causes))

    def _cause(self, summary: Summary, known: Predictions) -> Cause:
        """The first declared reason that holds; of numbers, what is left is their size."""
        told = next((r.text for r in self.reasons if r.holds(summary, known)), None)
        if told is None and self.task == "numeric":
            return out_of_scale(known)
        return Cause(told or UNTOLD)

    def _class_summaries(self, p: Predictions) -> list[Any]:
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
        self.check_average(average)
        if isinstance(y_true, Predictions):
            _refuse_several_models(y_true, self.name)
            return bound.on(y_true, average)
        if predicted is None:
            raise ParameterError(
                f"{self.name} takes Predictions, or the truth and what was predicted."
            )
        p = Predictions.of(
            y_true,
            **{self.takes: predicted},  # type: ignore[arg-type]
            sample_weight=sample_weight,
            classes=classes,
            positive=positive,
            baseline=baseline,
        )
        return bound.on(p, average)

    @property
    def takes(self) -> str:
        """The kind of prediction that stands second when it is called with arrays."""
        given = [c for c in ("probability", "value") if c in self.needs]
        return given[0] if given else self.reads.takes

    @property
    def task(self) -> str:
        """Whether it judges predicted classes or numbers."""
        return "numeric" if self.takes == "value" else "classification"


def _refuse_several_models(p: Predictions, name: str) -> None:
    """One number of several models would be of none of them."""
    names = [] if p.model is None else list(dict.fromkeys(p.model.tolist()))
    if len(names) > 1:
        raise ParameterError(
            f"{name} is a number of one model; these are predictions by {len(names)} models. Take one, "
            f"such as p.where(model={names[0]!r}), or see each with credibly.evaluate(p, {name!r})."
        )


measures: ReadingRegistry[Measure] = ReadingRegistry("measure", "credibly.measures")


def measure(
    title: str,
    *,
    reads: type[Summary],
    slopes: Slopes | None = None,
    **facts: Unpack[Facts],
) -> Callable[[Formula], Measure]:
    """Declare the decorated formula, a function of a summary, as a measure.

    ``slopes`` says how a function of a whole score table moves with the weight of a positive and of
    a negative case at each score.
    """

    def declare(formula: Formula) -> Measure:
        return _add(formula, title, facts, reads=reads, formula=formula, slopes=slopes)

    return declare


def ranking(
    title: str, *, area: tuple[float, float] | None = None, **facts: Unpack[Facts]
) -> Callable[[Formula], Measure]:
    """Declare the decorated function of :class:`OrderSums` as a measure.

    These sums are all it reads, so that replicates need no table of scores. ``area`` is the scale
    and shift that make it of the area under the ROC curve, where it is nothing else.
    """

    def declare(of_sums: Formula) -> Measure:
        def formula(table: ScoreTable, **arguments: object) -> Floats:
            return of_sums(table.order(), **arguments)

        return _add(
            of_sums, title, facts, reads=ScoreTable, formula=formula, of_order=True, area=area
        )

    return declare


def proportion(
    title: str, *, reads: type[Summary], **facts: Unpack[Facts]
) -> Callable[[Parts], Measure]:
    """Declare the decorated function, which returns a part and its whole, as the share of the part.

    Knowing both, :func:`credibly.evaluate` gives it an interval for a proportion.
    """

    def declare(parts: Parts) -> Measure:
        def share(summary: Summary) -> Floats:
            return ratio(*parts(summary))

        return _add(
            parts, title, {"range": (0, 1), **facts}, reads=reads, formula=share, parts=parts
        )

    return declare


def mean_loss(
    title: str,
    *,
    link: Callable[[Floats], Floats] = lambda mean: mean,
    quick: Quick | None = None,
    share: bool = False,
    **facts: Unpack[Facts],
) -> Callable[[Loss], Measure]:
    """Declare the decorated loss of each case as a measure: its mean, passed through ``link``.

    It is a ``share`` where the loss of a case is 0 or 1, and then has the interval of a proportion.

    ``quick`` makes the same summary of many cases without an array of losses, or nothing where it
    does not serve.
    """

    def declare(loss: Loss) -> Measure:
        def of_mean(moments: LossMoments) -> Floats:
            return link(moments.mean[..., 0])

        def parts(moments: LossMoments) -> tuple[Floats, Floats]:
            return moments.sum[..., 0], moments.weight

        known: Facts = {**LOSS, **facts}
        return _add(
            loss, title, known, reads=LossMoments, formula=of_mean, loss=loss, quick=quick,
            parts=parts if share else None,
        )  # fmt: skip

    return declare


def total_loss(
    title: str,
    *,
    combine: Callable[[Floats], Floats] = lambda sums: sums[..., 0],
    **facts: Unpack[Facts],
) -> Callable[[Loss], Measure]:
    """Declare the decorated losses of each case (one column or several) as a measure: a function of their sums."""

    def declare(loss: Loss) -> Measure:
        def of_sums(moments: LossMoments) -> Floats:
            return combine(moments.sum)

        return _add(loss, title, {**LOSS, **facts}, reads=LossMoments, formula=of_sums, loss=loss)

    return declare


LOSS: Any = {"range": (0, np.inf), "best": 0, "undefined": NO_CASES}


def _add(
    function: Callable[..., Any],
    title: str,
    facts: Facts,
    *,
    reads: type[Summary],
    formula: Formula,
    loss: Loss | None = None,
    parts: Parts | None = None,
    **made: Any,  # noqa: ANN401
) -> Measure:
    """Name, parameters and description come from the decorated function, the rest from its facts."""
    low, high = facts["range"]
    return measures.add(
        Measure(
            title=title,
            reads=reads,
            formula=formula,
            range=(float(low), float(high)),
            best=facts["best"],
            cite=facts["cite"],
            bounds=facts.get("bounds"),
            chance=facts.get("chance"),
            reasons=as_reasons(facts.get("undefined", ())),
            endless=as_reasons(facts.get("infinite", ())),
            aliases=facts.get("aliases", ()),
            needs=facts.get("needs", ()),
            smooth=facts.get("smooth", True),
            lifted=facts.get("lifted", False),
            no_bootstrap=facts.get("no_bootstrap", ""),
            mean=facts.get("mean", ""),
            by_request=facts.get("by_request", False),
            loss=loss,
            parts=parts,
            **made,
            family=function.__module__.rpartition(".")[2],
            **described_by(function, facts.get("where", {})),
        )
    )
