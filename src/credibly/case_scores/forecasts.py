"""Forecasts of a distribution for each case: a named law, the members of an ensemble, or quantiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, TypeAlias

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.words import count, shown, some_rows
from credibly.calibration.findings import CROSSING_QUANTILES
from credibly.calibration.numeric_prediction import (
    Pit,
    QuantileCalibration,
    pit_histogram,
    quantile_calibration,
)
from credibly.case_scores._declare import CaseScore, Details, Evidence
from credibly.case_scores.distributions import Distribution, distributions
from credibly.case_scores.findings import NO_FORECAST
from credibly.errors import (  # fmt: skip
    DataError,
    MissingColumnError,
    ParameterError,
    UnknownNameError,
    listed,
    says,
)
from credibly.predictions.labels import as_array

SAME_LEVEL = 1e-9  # how near a level must be to the one that is asked for
HUB = (0.01, 0.025, *(round(0.05 * i, 2) for i in range(1, 20)), 0.975, 0.99)  # of forecast hubs
BARS = 10  # of a histogram, where there are as many cases
USUAL = 0.9  # level of the interval that is shown where none is named
FORMS = ("distribution", "members", "quantiles")
BLOCK = 1 << 24  # distances between members that are held at a time


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """One distribution of a named family for each case."""

    family: Distribution
    shapes: tuple[Floats, ...]
    location: Floats
    scale: Floats
    has: ClassVar[frozenset[str]] = frozenset({"number", "density", "moments", "place"})

    @property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return np.isnan(sum(self.shapes, self.location + self.scale))

    def _law(self, function: str, *at: Any) -> Floats:  # noqa: ANN401
        from scipy import stats

        law = getattr(stats, self.family.law)
        moved = {"loc": self.location} | ({} if self.family.discrete else {"scale": self.scale})
        return np.asarray(getattr(law, function)(*at, *self.shapes, **moved), np.float64)

    def crps(self, y: Floats, *, fair: bool) -> Floats:  # noqa: ARG002
        """Return the continuous ranked probability score by its closed form."""
        return self.scale * self.family((y - self.location) / self.scale, *self.shapes)

    def log_density(self, y: Floats) -> Floats:
        """Return the logarithm of the density, or of the probability of a count, at the truth."""
        return self._law("logpmf" if self.family.discrete else "logpdf", y)

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and variance."""
        return self._law("mean"), self._law("var")

    def quantile(self, level: float) -> Floats:
        """Return a quantile."""
        return self._law("ppf", level)

    def place(self, y: Floats) -> tuple[Floats, Floats]:
        """Return the probability below the truth, and up to and including it."""
        upto = self.at_most(y)
        return (upto - self._law("pmf", y) if self.family.discrete else upto), upto

    def at_most(self, threshold: Any) -> Floats:  # noqa: ANN401
        """Return the probability of at most a threshold."""
        return self._law("cdf", threshold)


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """An ensemble for each case, a row of members; a single row is shared by all cases (a climatology)."""

    matrix: Floats
    cases: int
    has: ClassVar[frozenset[str]] = frozenset({"number", "moments", "place"})

    @property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return np.broadcast_to(np.isnan(self.matrix).any(axis=1), self.cases)

    def crps(self, y: Floats, *, fair: bool) -> Floats:
        """Return the score of the members' own distribution, or what it would be with very many members (fair)."""
        m = self.matrix.shape[1]
        ordered = np.sort(self.matrix, axis=1)
        pairs = ordered @ (2.0 * np.arange(1, m + 1) - m - 1)  # sum of distances, each pair once
        spread = pairs / (m * (m - 1 if fair else m))
        if len(ordered) == 1 and self.cases > 1:
            row = ordered[0]
            total = np.concatenate([[0.0], np.cumsum(row)])
            below = np.searchsorted(row, y)
            away = (y * (2 * below - m) + total[-1] - 2 * total[below]) / m
        else:
            away = np.abs(self.matrix - y[:, None]).mean(axis=1)
        return np.where(m > 1 or not fair, away - spread, np.nan)

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and variance of the members, the latter as of a sample (divided by one less than their number)."""
        m = self.matrix.shape[1]
        spread = self.matrix.var(axis=1, ddof=1) if m > 1 else np.full(len(self.matrix), np.nan)
        made = self.matrix.mean(axis=1), spread
        return np.broadcast_to(made[0], self.cases), np.broadcast_to(made[1], self.cases)

    def quantile(self, level: float) -> Floats:
        """Return a quantile by straight lines between the members."""
        return np.broadcast_to(np.quantile(self.matrix, level, axis=1), self.cases)

    def place(self, y: Floats) -> tuple[Floats, Floats]:
        """Return the bounds of the place of the truth: all that would be as likely if it were another member."""
        m = self.matrix.shape[1]
        if len(self.matrix) == 1 and self.cases > 1:
            row = np.sort(self.matrix[0])
            below, upto = (np.searchsorted(row, y, side) for side in ("left", "right"))
        else:
            below = (self.matrix < y[:, None]).sum(axis=1)
            upto = (self.matrix <= y[:, None]).sum(axis=1)
        return below / (m + 1), (upto + 1) / (m + 1)

    def at_most(self, threshold: float) -> Floats:
        """Return the share of the members that are at most a threshold."""
        return np.broadcast_to((self.matrix <= threshold).mean(axis=1), self.cases)


@dataclass(frozen=True, slots=True, eq=False)
class Quantiles:
    """Quantiles at some levels, a column per level."""

    levels: Floats
    matrix: Floats
    has: ClassVar[frozenset[str]] = frozenset({"number"})

    @property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return np.isnan(self.matrix).any(axis=1)

    def crps(self, y: Floats, *, fair: bool) -> Floats:  # noqa: ARG002
        """Return twice the mean pinball loss over the levels, which approaches the score with many levels."""
        away = y[:, None] - self.matrix
        return 2 * np.maximum(self.levels * away, (self.levels - 1) * away).mean(axis=1)

    def quantile(self, level: float) -> Floats:
        """Return the quantile at a level that was forecast."""
        at = int(np.argmin(np.abs(self.levels - level)))
        if abs(self.levels[at] - level) > SAME_LEVEL:
            raise ParameterError(
                f"No quantile was forecast at the level {level:.12g}.",
                remedy=f"Levels: {', '.join(f'{each:g}' for each in self.levels)}.",
            )
        return self.matrix[:, at]


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """An ensemble of vectors for each case: cases by members by dimensions."""

    matrix: Floats
    has: ClassVar[frozenset[str]] = frozenset({"vector"})

    @property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return np.isnan(self.matrix).any(axis=(1, 2))

    def energy(self, y: Floats, *, fair: bool) -> Floats:
        """Return the energy score: the score of numbers with distances between vectors."""
        n, m, d = self.matrix.shape
        away = np.linalg.norm(self.matrix - y[:, None, :], axis=2).mean(axis=1)
        pairs = np.empty(n)
        step = max(1, BLOCK // (m * m * d))
        for i in range(0, n, step):
            x = self.matrix[i : i + step]
            pairs[i : i + step] = np.linalg.norm(x[:, :, None] - x[:, None], axis=3).sum(
                axis=(1, 2)
            )
        with np.errstate(all="ignore"):
            return np.asarray(away - pairs / (2 * m * (m - 1 if fair else m)))


Form: TypeAlias = Any  # one of these; a score says what it must have


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Part:
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

    parts: tuple[Part, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def heading(self) -> str:
        """How many cases there are, and what the forecasts are."""
        cases = count(max(part.truth.shape[0] for part in self.parts), "case")
        if len(self.parts) > 1:
            return f"{cases}, {count(len(self.parts), 'model')}"
        form = self.parts[0].form
        if isinstance(form, Quantiles):
            return f"{cases}, {count(form.levels.size, 'level')}"
        return f"{cases}, {form.family.name if isinstance(form, Named) else count(form.matrix.shape[1], 'member')}"

    def of_cases(self) -> dict[str, Any]:
        """Return the rows, models, times, groups and columns."""
        parts = self.parts
        made: dict[str, Any] = {
            name: np.concatenate([np.asarray(p.beside[name]) for p in parts])
            for name in ("row", "group", "time")
            if name in parts[0].beside
        }
        sizes = [len(p.truth) for p in parts]
        if len(parts) > 1:
            made["model"] = np.repeat(np.array([p.model for p in parts], object), sizes)
            made.setdefault("row", np.concatenate([np.arange(n) for n in sizes]))
        if columns := [p.beside.get("columns") or {} for p in parts]:
            made["columns"] = {c: np.concatenate([np.asarray(held[c]) for held in columns]) for c in columns[0]}  # fmt: skip
        return made

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
        widths = set.intersection(*both) if both else {USUAL}
        level = USUAL if USUAL in widths else max(widths, default=None)
        plain = [s for s in every if "level" not in {p.name for p in s.parameters}]
        return plain + [s.given(level=level) for s in every if s not in plain and level is not None]

    def details(self, **options: Any) -> Details:  # noqa: ANN401
        """Yield whether the truth lies where it was forecast to lie."""
        for p in self.parts:
            whose = f" of {p.model}" if len(self.parts) > 1 else ""
            if "place" in p.form.has:
                yield f"Place of the truth in the forecasts{whose} (PIT)", partial(self.pit, p.model, **options)  # fmt: skip
            elif "number" in p.form.has:
                yield f"How often the truth is below each quantile{whose}", partial(self.levels, p.model, **options)  # fmt: skip

    def part(self, model: str | None = None) -> Part:
        """Return the forecasts of one model."""
        named = {p.model: p for p in self.parts}
        return named[model_named(named, model)]

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
        part = self.part(model)
        if "place" not in part.form.has:
            raise DataError(
                "Quantiles and vectors do not say where in its distribution the truth lies.",
                remedy="Use levels(), which says how often the truth was at or below each quantile.",
            )
        low, high = part.form.place(part.truth)
        chance = np.random.default_rng(seed_of(rng)).random(low.size)
        place = np.clip(low + chance * (high - low), 0, 1)
        known = ~(part.form.missing | np.isnan(part.truth))
        bars = min(BARS, int(known.sum())) if bins is None else bins
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
        part = self.part(model)
        if "number" not in part.form.has:
            raise DataError("Vectors have no quantiles.")
        own = part.form.levels if isinstance(part.form, Quantiles) else HUB
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
        said = f"There is no model {model!r}" if model else "Which of several models is not said"
        raise UnknownNameError(
            f"{said}; models: {listed(known)}.",
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
    row: Sequence[Any] | None = None,
    group: Sequence[Any] | None = None,
    time: Sequence[Any] | None = None,
    columns: Mapping[str, Any] | None = None,
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
    row
        Identifiers of the cases.
    group
        Groups of cases that belong together.
    time
        When each case was observed: intervals and tests then allow for neighbours that are alike.
    columns
        Other columns of the cases, to slice by, such as the horizon.

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
        history = numbers_of(climatology, "climatology").ravel()
        forms["climatology"] = Members(_refuse_empty(history[None, :], "climatology"), len(truth))
    beside = {"row": row, "group": group, "time": time, "columns": columns}
    beside = {k: v for k, v in beside.items() if v is not None}
    return from_parts([Part(name, truth, form, beside) for name, form in forms.items()])


def from_parts(parts: Sequence[Part]) -> Forecasts:
    """Put the forecasts of models together, and say what is to be doubted."""
    if not parts:
        raise DataError("There are no forecasts.")
    said: list[Finding] = []
    for p in parts:
        if not len(p.truth):
            raise DataError("There are no cases.")
        empty = int(
            (p.form.missing | np.isnan(p.truth.reshape(len(p.truth), -1)).any(axis=1)).sum()
        )
        if empty == len(p.truth):
            raise DataError(f"No case of {p.model} has both a truth and a forecast.")
        if empty:
            said.append(NO_FORECAST(cases=count(empty, "case"), model=p.model))
        if isinstance(p.form, Quantiles):
            crossed = int((np.diff(p.form.matrix, axis=1) < 0).any(axis=1).sum())
            said += [CROSSING_QUANTILES(crossed=crossed, n=len(p.truth))] if crossed else []
    return Forecasts(tuple(parts), tuple(dict.fromkeys(said)))


def form_of(given: Any, truth: Floats, model: str) -> Named | Members | Quantiles | Vectors:  # noqa: ANN401
    """Return the forecasts of one model, checked."""
    held = dict(given) if isinstance(given, Mapping) else {"members": given}
    strange = sorted(set(held) - {*FORMS, "parameters", "levels"})
    named = [form for form in FORMS if held.get(form) is not None]
    if strange or len(named) != 1:
        found = f"got {listed(strange)}" if strange else f"{listed(named) or 'none of them'} is set"
        raise ParameterError(
            f"The forecast of {model} is a distribution with parameters, members, or quantiles; {found}.",
            choices=(*FORMS, "parameters", "levels"),
        )
    if named == ["distribution"]:
        return _named(held["distribution"], held.get("parameters") or {}, len(truth))
    if named == ["quantiles"]:
        return _quantiles(held["quantiles"], held.get("levels"), len(truth))
    matrix = _refuse_empty(numbers_of(held["members"], "members"), "members")
    wanted = truth.ndim + 1
    if matrix.ndim != wanted or len(matrix) != len(truth) or (wanted == 3 and matrix.shape[2] != truth.shape[1]):  # fmt: skip
        shape = " by ".join(f"{size:,}" for size in truth.shape[:1]) + " by members"
        raise DataError(
            f"members must have a row per case and a column per member ({shape}{' by dimensions' if wanted == 3 else ''}); "
            f"got {' by '.join(f'{size:,}' for size in matrix.shape)}."
        )
    gaps = np.isnan(matrix).reshape(len(matrix), -1)
    refuse_some(gaps.any(axis=1) & ~gaps.all(axis=1), "members are missing")
    return Vectors(matrix) if wanted == 3 else Members(matrix, len(truth))


def _named(name: str, given: Mapping[str, Any], n: int) -> Named:
    family = distributions[name]
    wrong = {*given} ^ {*family.parameter_names}
    if wrong:
        raise ParameterError(
            f"The parameters of {family.name} are {listed(family.parameter_names)}; got {listed(given) or 'none'}.",
            choices=family.parameter_names,
        )
    held = {p: _column(given[p], p, n) for p in family.parameter_names}
    for p, low in family.above.items():
        refuse_some(held[p] <= low, f"{p} is not above {low:g}")
    standard = family.standard(**held)
    spread = [np.broadcast_to(np.asarray(x, np.float64), n) for x in standard[1:]]
    return Named(family, standard.shapes, spread[0], spread[1])


def _quantiles(given: Any, levels: Sequence[float] | None, n: int) -> Quantiles:  # noqa: ANN401
    if isinstance(given, Mapping):
        levels = [float(level) for level in given]
        given = np.column_stack([_column(c, "quantiles", n) for c in given.values()])
    if levels is None:
        raise MissingColumnError("The levels of the quantiles are not known.", remedy=says("Set <levels=...>."))  # fmt: skip
    at, matrix = np.asarray(levels, np.float64), numbers_of(given, "quantiles")
    if matrix.shape != (n, at.size) or not at.size:
        raise DataError(f"quantiles must be {n:,} by {at.size:,}, a row per case and a column per level; got {' by '.join(map(str, matrix.shape))}.")  # fmt: skip
    order = np.argsort(at)
    at, matrix = at[order], matrix[:, order]
    if not ((at > 0) & (at < 1)).all() or (np.diff(at) <= SAME_LEVEL).any():
        raise ParameterError(
            f"Levels are numbers between 0 and 1, each once; got {shown(at.tolist())}."
        )
    gaps = np.isnan(matrix)
    refuse_some(gaps.any(axis=1) & ~gaps.all(axis=1), "some quantiles are missing")
    return Quantiles(at, matrix)


def _column(given: object, name: str, n: int) -> Floats:
    column = numbers_of(given, name)
    if column.ndim and column.shape != (n,):
        raise DataError(
            f"{name} must be one number, or one for each of {count(n, 'case')}; got {' by '.join(map(str, column.shape))}."
        )
    return np.broadcast_to(column, n)


def numbers_of(given: object, name: str) -> Floats:
    """Return finite numbers, NaN where one is missing, as an array of our own."""
    array = given.to_numpy() if hasattr(given, "to_numpy") else given
    try:
        made = np.array(as_array(array, name), np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name} must be numbers; got {shown(given)}.") from None
    if np.isinf(made).any():
        raise DataError(f"{name} holds infinite numbers.")
    made.setflags(write=False)
    return made


def _refuse_empty(matrix: Floats, name: str) -> Floats:
    if not matrix.size:
        raise DataError(f"{name} holds no numbers.")
    return matrix


def refuse_some(wrong: Any, what: str) -> None:  # noqa: ANN401
    """Refuse rows, naming the first of them."""
    with np.errstate(invalid="ignore"):
        rows = np.flatnonzero(wrong)
    if rows.size:
        raise DataError(
            f"{what[0].upper()}{what[1:]} in {some_rows(rows.tolist())}.",
            remedy="Mend these rows, or leave them out.",
        )
