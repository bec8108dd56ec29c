"""Forms of forecasts of a distribution, a named law, members, quantiles or vectors, and how they are made of arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.text import count, shown, some_rows
from credibly._kernels.networks import distances
from credibly._kernels.rows import Faults, faults, pinball_sums
from credibly.case_scores.distributions import Distribution, distributions
from credibly.errors import DataError, MissingColumnError, ParameterError, listed, says
from credibly.predictions.labels import as_array

LEVEL_ROUNDING = 1e-9  # how near a level must be to the one that is asked for
FORMS = ("distribution", "members", "quantiles")
DISTANCES_PER_BLOCK = 1 << 24  # distances between members that are held at a time


@dataclass(frozen=True, eq=False)
class NamedDistribution:
    """One distribution of a named family for each case."""

    family: Distribution
    shapes: tuple[Floats, ...]
    location: Floats
    scale: Floats
    has: ClassVar[frozenset[str]] = frozenset({"number", "density", "moments", "place"})

    @cached_property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return np.isnan(sum(self.shapes, self.location + self.scale))

    def _law(self, function: str, *at: Any) -> Floats:  # noqa: ANN401
        """Ask the standard law, which is much faster than one that is moved and scaled."""
        from scipy import stats

        law = getattr(stats, self.family.law)
        moved = {"loc": self.location} if self.family.discrete else {}
        return np.asarray(getattr(law, function)(*at, *self.shapes, **moved), np.float64)

    def _standard(self, y: Any) -> Any:  # noqa: ANN401
        """Return numbers as the standard law has them; counts have no scale."""
        return y if self.family.discrete else (y - self.location) / self.scale

    def _back(self, x: Floats) -> Floats:
        return x if self.family.discrete else self.location + self.scale * x

    def crps(self, y: Floats, *, fair: bool) -> Floats:  # noqa: ARG002
        """Return the continuous ranked probability score by its closed form."""
        return self.scale * self.family((y - self.location) / self.scale, *self.shapes)

    def log_density(self, y: Floats) -> Floats:
        """Return the logarithm of the density, or of the probability of a count, at the truth."""
        if self.family.discrete:
            return self._law("logpmf", y)
        return self._law("logpdf", self._standard(y)) - np.log(self.scale)

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and variance."""
        spread = 1.0 if self.family.discrete else self.scale**2
        return self._back(self._law("mean")), spread * self._law("var")

    def quantile(self, level: float) -> Floats:
        """Return a quantile."""
        return self._back(self._law("ppf", level))

    def place(self, y: Floats) -> tuple[Floats, Floats]:
        """Return the probability below the truth, and up to and including it."""
        upto = self.at_most(y)
        return (upto - self._law("pmf", y) if self.family.discrete else upto), upto

    def at_most(self, threshold: Any) -> Floats:  # noqa: ANN401
        """Return the probability of at most a threshold."""
        return self._law("cdf", self._standard(threshold))


@dataclass(frozen=True, eq=False)
class Members:
    """An ensemble for each case, a row of members; a single row is shared by all cases (a climatology)."""

    matrix: Floats
    cases: int
    has: ClassVar[frozenset[str]] = frozenset({"number", "moments", "place"})

    @cached_property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return np.broadcast_to(_gaps(self.matrix), self.cases)

    @cached_property
    def ordered(self) -> Floats:
        """The members of each case, the lowest first."""
        return np.sort(self.matrix, axis=1)

    def crps(self, y: Floats, *, fair: bool) -> Floats:
        """Return the score of the members' own distribution, or what it would be with very many members (fair)."""
        m = self.matrix.shape[1]
        if len(self.matrix) == 1 and self.cases > 1:
            row = self.ordered[0]
            total = np.concatenate([[0.0], np.cumsum(row)])
            below = np.searchsorted(row, y)
            away = y * (2 * below - m) + total[-1] - 2 * total[below]
            apart = row @ (2.0 * np.arange(m) + 1 - m)
        else:
            away, apart = distances(self.matrix, y)
        if fair and m == 1:
            return np.full(self.cases, np.nan)
        return np.asarray(away / m - apart / (m * (m - 1 if fair else m)))

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and variance of the members, the latter as of a sample (divided by one less than their number)."""
        m = self.matrix.shape[1]
        spread = self.matrix.var(axis=1, ddof=1) if m > 1 else np.full(len(self.matrix), np.nan)
        made = self.matrix.mean(axis=1), spread
        return np.broadcast_to(made[0], self.cases), np.broadcast_to(made[1], self.cases)

    def quantile(self, level: float) -> Floats:
        """Return a quantile by straight lines between the members."""
        place = level * (self.matrix.shape[1] - 1)
        below = min(int(place), self.matrix.shape[1] - 2)
        if below < 0:
            return np.broadcast_to(self.matrix[:, 0], self.cases)
        low, high = self.ordered[:, below], self.ordered[:, below + 1]
        return np.broadcast_to(low + (place - below) * (high - low), self.cases)

    def place(self, y: Floats) -> tuple[Floats, Floats]:
        """Return the bounds of the place of the truth: all that would be as likely if it were another member."""
        m = self.matrix.shape[1]
        if len(self.matrix) == 1 and self.cases > 1:
            row = self.ordered[0]
            below, upto = (np.searchsorted(row, y, side) for side in ("left", "right"))
        else:
            below = (self.matrix < y[:, None]).sum(axis=1)
            upto = (self.matrix <= y[:, None]).sum(axis=1)
        return below / (m + 1), (upto + 1) / (m + 1)

    def at_most(self, threshold: float) -> Floats:
        """Return the share of the members that are at most a threshold."""
        return np.broadcast_to((self.matrix <= threshold).mean(axis=1), self.cases)


@dataclass(frozen=True, eq=False)
class Quantiles:
    """Quantiles at some levels, a column per level."""

    levels: Floats
    matrix: Floats
    has: ClassVar[frozenset[str]] = frozenset({"number"})

    @cached_property
    def faults(self) -> Faults:
        """How many cases have no forecast, and in how many quantiles cross."""
        return faults(self.matrix)

    @cached_property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return _gaps(self.matrix) if self.faults.not_finite else np.zeros(len(self.matrix), bool)

    def crps(self, y: Floats, *, fair: bool) -> Floats:  # noqa: ARG002
        """Return twice the mean pinball loss over the levels, which approaches the score with many levels."""
        return 2 / self.levels.size * pinball_sums(self.matrix, y, self.levels)

    def quantile(self, level: float) -> Floats:
        """Return the quantile at a level that was forecast."""
        at = int(np.argmin(np.abs(self.levels - level)))
        if abs(self.levels[at] - level) > LEVEL_ROUNDING:
            raise ParameterError(
                f"No quantile was forecast at the level {level:.12g}.",
                remedy=f"Levels: {', '.join(f'{each:g}' for each in self.levels)}.",
            )
        return self.matrix[:, at]


@dataclass(frozen=True, eq=False)
class Vectors:
    """An ensemble of vectors for each case: cases by members by dimensions."""

    matrix: Floats
    has: ClassVar[frozenset[str]] = frozenset({"vector"})

    @cached_property
    def missing(self) -> Any:  # noqa: ANN401
        """Which cases have no forecast."""
        return _gaps(self.matrix.reshape(len(self.matrix), -1))

    def energy(self, y: Floats, *, fair: bool) -> Floats:
        """Return the energy score: the score of numbers with distances between vectors."""
        n, m, d = self.matrix.shape
        away = np.linalg.norm(self.matrix - y[:, None, :], axis=2).mean(axis=1)
        pairs = np.empty(n)
        step = max(1, DISTANCES_PER_BLOCK // (m * m * d))
        for i in range(0, n, step):
            x = self.matrix[i : i + step]
            pairs[i : i + step] = np.linalg.norm(x[:, :, None] - x[:, None], axis=3).sum(
                axis=(1, 2)
            )
        with np.errstate(all="ignore"):
            return np.asarray(away - pairs / (2 * m * (m - 1 if fair else m)))


def _gaps(matrix: Floats) -> Any:  # noqa: ANN401
    """Return which rows of finite numbers hold one that is missing: a sum of others is none, even if it is too large."""
    with np.errstate(over="ignore"):
        known = np.isfinite(matrix.sum())
        return np.zeros(len(matrix), bool) if known else np.isnan(matrix.sum(axis=1))


Form: TypeAlias = Any  # one of these; a score says what it must have


def form_of(
    given: Any,  # noqa: ANN401
    truth: Floats,
    model: str,
) -> NamedDistribution | Members | Quantiles | Vectors:
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
    matrix = refuse_empty(numbers_of(held["members"], "members"), "members")
    wanted = truth.ndim + 1
    if matrix.ndim != wanted or len(matrix) != len(truth) or (wanted == 3 and matrix.shape[2] != truth.shape[1]):  # fmt: skip
        shape = " by ".join(f"{size:,}" for size in truth.shape[:1]) + " by members"
        raise DataError(
            f"members must have a row per case and a column per member ({shape}{' by dimensions' if wanted == 3 else ''}); "
            f"got {' by '.join(f'{size:,}' for size in matrix.shape)}."
        )
    form = Vectors(matrix) if wanted == 3 else Members(matrix, len(truth))
    if form.missing.any():
        refuse_some(form.missing & ~np.isnan(matrix.reshape(len(matrix), -1)).all(axis=1), "members are missing")  # fmt: skip
    return form


def _named(name: str, given: Mapping[str, Any], n: int) -> NamedDistribution:
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
    return NamedDistribution(family, standard.shapes, spread[0], spread[1])


def _quantiles(given: Any, levels: Sequence[float] | None, n: int) -> Quantiles:  # noqa: ANN401
    if isinstance(given, Mapping):
        levels = [float(level) for level in given]
        given = np.column_stack([_column(c, "quantiles", n) for c in given.values()])
    if levels is None:
        raise MissingColumnError("The levels of the quantiles are not known.", remedy=says("Set <levels=...>."))  # fmt: skip
    at, matrix = np.asarray(levels, np.float64), numbers_of(given, "quantiles")
    if at.size and at.min() >= 1 and at.max() < 100:  # q10, q50 and q90
        at = at / 100
    if matrix.shape != (n, at.size) or not at.size:
        raise DataError(f"quantiles must be {n:,} by {at.size:,}, a row per case and a column per level; got {' by '.join(map(str, matrix.shape))}.")  # fmt: skip
    if (np.diff(at) < 0).any():
        order = np.argsort(at)
        at, matrix = at[order], matrix[:, order]
    if not ((at > 0) & (at < 1)).all() or (np.diff(at) <= LEVEL_ROUNDING).any():
        raise ParameterError(
            f"Levels are numbers between 0 and 1, each once; got {shown(at.tolist())}."
        )
    quantiles = Quantiles(at, matrix)
    refuse_some(quantiles.missing & ~np.isnan(matrix).all(axis=1) if quantiles.faults.not_finite else False, "some quantiles are missing")  # fmt: skip
    return quantiles


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
        values = np.array(as_array(array, name), np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name} must be numbers; got {shown(given)}.") from None
    with np.errstate(all="ignore"):
        doubtful = not np.isfinite(values.sum())  # a sum may be too large as well
    if doubtful and np.isinf(values).any():
        raise DataError(f"{name} holds infinite numbers.")
    values.setflags(write=False)
    return values


def refuse_empty(matrix: Floats, name: str) -> Floats:
    """Return numbers; there must be at least one."""
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
            remedy="Correct these rows, or leave them out.",
        )
