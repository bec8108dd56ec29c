"""Forecasts of a distribution for each case: a named law, the members of an ensemble, or quantiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Unpack

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count
from credibly.calibration.findings import CROSSING_QUANTILES
from credibly.calibration.numeric_prediction import (
    Pit,
    QuantileCalibration,
    pit_histogram,
    quantile_calibration,
)
from credibly.case_scores._declare import CaseScore, Details, Evidence
from credibly.case_scores.beside import GivenColumns, given_columns, other_order
from credibly.case_scores.findings import NO_FORECAST
from credibly.case_scores.forecast_forms import (
    Form,
    Members,
    NamedDistribution,
    Quantiles,
    form_of,
    numbers_of,
    refuse_empty,
)
from credibly.errors import DataError, ParameterError, UnknownNameError, listed, says

# Of forecast hubs.
HUB_LEVELS = (0.01, 0.025, *(round(0.05 * i, 2) for i in range(1, 20)), 0.975, 0.99)
HISTOGRAM_BARS = 10  # of a histogram, where there are as many cases
DEFAULT_LEVEL = 0.9  # level of the interval that is shown where none is named


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ModelForecasts:
    """The forecasts of one model beside what came true, and what else is known of its cases."""

    model: str
    truth: Floats
    form: Form
    beside: Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Forecasts(Evidence):
    """Forecasts of a distribution by one or several models.

    >>> from credibly import forecasts
    >>> found = forecasts([1.0, 3.0], distribution="normal", parameters={"mean": [1.5, 2.0], "sd": [1.0, 2.0]})
    >>> found
    Forecasts(2 cases, normal)
    >>> found.scored("crps").outcome.round(4).tolist()
    [0.3314, 0.6628]
    >>> found.pit(bins=2).counts.tolist()
    [1.0, 1.0]
    """

    parts: tuple[ModelForecasts, ...]
    findings: tuple[Finding, ...] = ()
    needed: ClassVar[Mapping[str, str]] = {
        "number": "forecast of a single number",
        "vector": "vectors as members",
        "density": "density (a named distribution has one)",
        "moments": "mean and variance (quantiles have none)",
        "place": "probability of each value (quantiles have none)",
    }

    @property
    def heading(self) -> str:
        """How many cases there are, and what the forecasts are."""
        cases = count(max(part.truth.shape[0] for part in self.parts), "case")
        if len(self.parts) > 1:
            return f"{cases}, {count(len(self.parts), 'model')}"
        form = self.parts[0].form
        if isinstance(form, Quantiles):
            return f"{cases}, {count(form.levels.size, 'level')}"
        return f"{cases}, {form.family.name if isinstance(form, NamedDistribution) else count(form.matrix.shape[1], 'member')}"

    def of_cases(self) -> dict[str, Any]:
        """Return the rows, models, times, groups and columns."""
        parts = self.parts
        made: dict[str, Any] = {
            name: np.concatenate([np.asarray(p.beside[name]) for p in parts])
            for name in parts[0].beside
            if name not in {"columns", "weight_kind"}
        }
        sizes = [len(p.truth) for p in parts]
        if len(parts) > 1:
            made["model"] = np.repeat(np.array([p.model for p in parts], object), sizes)
            made.setdefault("row", np.concatenate([np.arange(n) for n in sizes]))
        if columns := [p.beside.get("columns") or {} for p in parts]:
            made["columns"] = {c: np.concatenate([np.asarray(held[c]) for held in columns]) for c in columns[0]}  # fmt: skip
        return made | {k: v for k, v in parts[0].beside.items() if k == "weight_kind"}

    def each(self, score: Any) -> Floats:  # noqa: ANN401
        """Return the score of each case of each model, a function of its form and the truth."""
        return np.concatenate(
            [np.where(p.form.missing, np.nan, score(p.form, p.truth)) for p in self.parts]
        )

    def lacks(self, score: CaseScore) -> bool:
        """Whether one of the forecasts does not hold what a score needs."""
        return any(score.needs not in p.form.has for p in self.parts)

    def usual(self) -> list[CaseScore]:
        """Return the scores that are shown where none is named, of the central interval of 90 % or the widest that all have."""
        every = Evidence.usual(self)
        known = [set(p.form.levels.round(9)) for p in self.parts if isinstance(p.form, Quantiles)]
        both = [{round(1 - 2 * low, 9) for low in at if low < 0.5 and round(1 - low, 9) in at} for at in known]  # fmt: skip
        widths = set.intersection(*both) if both else {DEFAULT_LEVEL}
        level = DEFAULT_LEVEL if DEFAULT_LEVEL in widths else max(widths, default=None)
        plain = [s for s in every if "level" not in {p.name for p in s.parameters}]
        return plain + [s.given(level=level) for s in every if s not in plain and level is not None]

    def details(self, **options: Any) -> Details:  # noqa: ANN401
        """Yield whether the truth lies where it was forecast to lie."""
        for p in self.parts if "sample_weight" not in self.parts[0].beside else ():
            whose = f" of {p.model}" if len(self.parts) > 1 else ""
            if "place" in p.form.has:
                yield f"Place of the truth in the forecasts{whose} (PIT)", partial(self.pit, p.model, **options)  # fmt: skip
            elif "number" in p.form.has:
                yield f"How often the truth is below each quantile{whose}", partial(self.levels, p.model, **options)  # fmt: skip

    def part(self, model: str | None = None) -> ModelForecasts:
        """Return the forecasts of one model."""
        named = {p.model: p for p in self.parts}
        return named[model_named(named, model)]

    def _alike(self, model: str | None) -> ModelForecasts:
        """Return the forecasts of one model, whose cases must count the same."""
        part = self.part(model)
        if "sample_weight" in part.beside:
            raise DataError(
                "Places of the truth are about cases that count the same, and these have weights.",
                remedy="Leave out their weights.",
            )
        return part

    def pit(
        self,
        model: str | None = None,
        *,
        bins: int | None = None,
        rng: int | np.random.Generator = FIXED_SEED,
        confidence_level: float = 0.95,
    ) -> Pit:
        """Return where in its distribution each truth lies, with the test of equal heights (PIT histogram).

        The place is random within the probability of the truth itself, for counts and for ensembles: only so are places of
        right forecasts uniform.

        >>> from credibly import forecasts
        >>> forecasts([1, 0], distribution="poisson", parameters={"mean": [1.0, 2.0]}).pit(bins=1).counts.tolist()
        [2.0]
        """
        part = self._alike(model)
        if "place" not in part.form.has:
            raise DataError(
                "Quantiles and vectors do not say where in its distribution the truth lies.",
                remedy="Use levels(), which says how often the truth was at or below each quantile.",
            )
        low, high = part.form.place(part.truth)
        chance = np.random.default_rng(seed_of(rng)).random(low.size)
        place = np.clip(low + chance * (high - low), 0, 1)
        known = ~(part.form.missing | np.isnan(part.truth))
        bars = min(HISTOGRAM_BARS, int(known.sum())) if bins is None else bins
        return pit_histogram(place[known], bars, confidence_level=confidence_level)

    def levels(
        self,
        model: str | None = None,
        *,
        at: Sequence[float] | None = None,
        confidence_level: float = 0.95,
    ) -> QuantileCalibration:
        """Return how often the truth was at or below the quantile of each level.

        >>> from credibly import forecasts
        >>> forecasts([1.0, 2.0], members=[[0, 2], [0, 1]]).levels(at=[0.5]).observed.tolist()
        [0.5]
        """
        part = self._alike(model)
        if "number" not in part.form.has:
            raise DataError("Vectors have no quantiles.")
        own = part.form.levels if isinstance(part.form, Quantiles) else HUB_LEVELS
        wanted = list(own if at is None else at)
        known = ~(part.form.missing | np.isnan(part.truth))
        matrix = np.column_stack([part.form.quantile(level) for level in wanted])
        return quantile_calibration(
            part.truth[known], matrix[known], wanted, confidence_level=confidence_level
        )


def model_named(known: Mapping[str, Any], model: str | None) -> str:
    """Return the name of the model that is meant, the only one if none is named."""
    if model is None and len(known) == 1:
        return next(iter(known))
    if model is None or model not in known:
        text = f"There is no model {model!r}" if model else "There are several models"
        raise UnknownNameError(
            f"{text}; models: {listed(known)}.",
            asked=model or "",
            choices=known,
            remedy=says("Set <model=...>."),
        )
    return model


@door
def forecasts(
    y_true: object,
    models: Mapping[str, Any] | None = None,
    *,
    distribution: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    members: object = None,
    quantiles: object = None,
    levels: Sequence[float] | None = None,
    climatology: object = None,
    time: Sequence[Any] | None = None,
    **beside: Unpack[GivenColumns],
) -> Forecasts:
    """Take forecasts of a distribution for each case (probabilistic forecasts), to be scored case by case.

    Parameters
    ----------
    y_true
        What came true: a number for each case, or a row of numbers where members are vectors.
    models
        Forecasts of several models by name, each a dictionary of what one model is given by (``distribution``, ``parameters``,
        ``members``, ``quantiles``, ``levels``) or a matrix of members.
    distribution
        The family: a name from ``credibly list distributions``, such as normal, gamma or poisson.
    parameters
        The parameters of the family by name: a number for each case, or one for all.
    members
        Members of an ensemble: a matrix with a row per case and a column per member; cases by members by dimensions for vectors.
    quantiles
        Quantiles: a matrix with a column per level, or a dictionary of columns by level.
    levels
        The levels of the columns of ``quantiles``.
    climatology
        Numbers that were observed before: an ensemble that all cases share, which becomes the model ``climatology``.
    time
        When each case was observed: intervals and tests then allow for neighbours that are alike.
    **beside
        ``row``, ``group`` and ``columns``: identifiers of the cases, groups of cases that belong together, and other columns
        to slice by; ``sample_weight`` (and ``weight_kind``): how much each case counts.

    >>> found = forecasts([1.0, 3.0, 2.0], {"ensemble": [[1, 2], [2, 4], [1, 2]], "normal": {"distribution": "normal",
    ...     "parameters": {"mean": [1, 2, 2], "sd": 1.0}}})
    >>> [(e.keys["model"], round(e.value, 3)) for e in found.table("crps")]
    [('ensemble', 0.333), ('normal', 0.357)]
    """
    truth = numbers_of(y_true, "y_true")
    one = {"distribution": distribution, "parameters": parameters, "members": members,
           "quantiles": quantiles, "levels": levels}  # fmt: skip
    one = {k: v for k, v in one.items() if v is not None}
    if (models is None) == (not one):
        raise ParameterError(
            "The forecasts of one model or of several by name are needed.",
            remedy=says("Set <distribution=...> with <parameters=...>, <members=...> or <quantiles=...>."),
        )  # fmt: skip
    given = {"forecast": one} if models is None else dict(models)
    forms = {str(name): form_of(held, truth, str(name)) for name, held in given.items()}
    if climatology is not None:
        if "climatology" in forms:
            raise ParameterError(says("One of the models is called climatology already: rename it, or leave out <climatology=...>."))  # fmt: skip
        history = numbers_of(climatology, "climatology").ravel()
        forms["climatology"] = Members(refuse_empty(history[None, :], "climatology"), len(truth))
    known = given_columns(**beside, time=time)
    forecasts = from_parts(
        [ModelForecasts(name, truth, form, known) for name, form in forms.items()]
    )
    frames = {"members": members, "quantiles": quantiles, **dict(parameters or {})}
    return replace(forecasts, findings=(*forecasts.findings, *other_order(y_true, frames)))


def from_parts(parts: Sequence[ModelForecasts]) -> Forecasts:
    """Put the forecasts of models together, and say what is to be doubted."""
    if not parts:
        raise DataError("There are no forecasts.")
    findings: list[Finding] = []
    for p in parts:
        if not len(p.truth):
            raise DataError("There are no cases.")
        empty = int(
            (p.form.missing | np.isnan(p.truth.reshape(len(p.truth), -1)).any(axis=1)).sum()
        )
        if empty == len(p.truth):
            raise DataError(f"No case of {p.model} has both a truth and a forecast.")
        if empty:
            findings.append(NO_FORECAST(cases=count(empty, "case"), model=p.model))
        if isinstance(p.form, Quantiles):
            crossed = p.form.faults.falling
            findings += [CROSSING_QUANTILES(crossed=crossed, n=len(p.truth))] if crossed else []
    return Forecasts(tuple(parts), tuple(dict.fromkeys(findings)))
