"""The verb `slices`: measures in slices of the cases, the gaps between them, and a search for the worst ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from credibly._core.averages import Average
from credibly._core.doors import door
from credibly._core.findings import Finding, of_models
from credibly._core.parameters import SWITCH, require, whole
from credibly._core.search_names import search_names
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count, several
from credibly.comparisons.given_models import (
    counted_rows,
    having_output,
    measure_of,
    models_by_name,
)
from credibly.errors import CrediblyError, DataError, ParameterError, listed, says
from credibly.evaluation.caveats import few_labelled_positive
from credibly.gaps._declare import gaps
from credibly.gaps.cuts import Cut, candidates, cuts_by, in_ranges, searchable
from credibly.gaps.findings import NOT_SEARCHED, SEARCHED
from credibly.gaps.result import GapEstimate, SliceEstimate, Slices
from credibly.gaps.sides import SharedReplicates
from credibly.gaps.sliced import doubts, estimates, gap_between, sliced
from credibly.measures import Measure
from credibly.predictions import Predictions
from credibly.predictions.case_columns import CLASS_SLICES, NO_COLUMNS, asked_slices
from credibly.predictions.columns import unused_but
from credibly.predictions.findings import UNSEEDED

MAX_COMPARED = 200  # slices of which all pairs are compared
DEFAULT_RANGES = 4  # of numbers
MAX_ROWS = 20_000_000  # of all slices together, that are looked at in passing
MAX_COLUMNS = 40  # that are, each of which may have to be read from its file


@door
@search_names(
    {
        "fairness, MetricFrame, metric_frame, demographic_parity_difference, equalized_odds_difference": (
            "slices(p, 'equalized_odds', by='sex')"
        ),
        "slice_finder, subgroups, worst_slices": "slices(p, search=True)",
    }
)
def slices(
    predictions: Predictions | Mapping[str, Predictions],
    measures: str | Measure | Iterable[str | Measure] | None = None,
    by: str | Sequence[str] | None = None,
    *,
    search: bool = False,
    ways: int = 2,
    ranges: int = DEFAULT_RANGES,
    at_least: int = 10,
    average: Average | None = None,
    confidence_level: float = 0.95,
    replicates: int = 5000,
    rng: int | np.random.Generator | None = None,
) -> Slices:
    """Compare slices of the cases: each with the rest and with the best, and the largest gaps between them.

    A slice is judged by the same formula, interval and influence values as all cases are. Intervals hold for all
    slices together, and groups of cases are kept whole.

    Parameters
    ----------
    predictions
        Predictions with columns to slice by, of one model or of several, which are never mixed.
    measures
        Measures, or gaps from ``credibly list gaps`` such as ``"equalized_odds"``; the
        default is that of :func:`credibly.compare`.
    by
        A column, or several that are crossed; for a search the columns to search in, by default all but identifiers.
    search
        Search for the slices that are worst against the rest, and allow for having searched.
    ways
        Largest number of columns that define a slice of a search.
    ranges
        Number of ranges, of equal numbers of cases, that a column with more than 8 different numbers is cut into.
    at_least
        How many cases or groups of cases a slice needs to be judged.
    average
        How measures of one class are averaged over all classes.
    confidence_level
        How often all intervals of a kind should hold together.
    replicates
        Number of replicates for what chance does to all slices.
    rng
        Seed of the replicates; a fixed one by default.

    >>> sex, label = ["f", "m"] * 100, [1, 1, 0, 1, 1, 0, 0, 0] * 25
    >>> p = Predictions.of([1, 0, 0, 1] * 50, label=label, columns={"sex": sex})
    >>> found = slices(p, ["error_rate", "equalized_odds"], by="sex")
    >>> [(e.name, e.value) for e in found.estimates[:2]]
    [('sex=f', 0.0), ('sex=m', 0.5)]
    >>> found["equalized_odds"].difference
    0.5
    """
    for name, value, least in (("ways", ways, 1), ("ranges", ranges, 2), ("at_least", at_least, 2)):
        require(name, value, whole(least))
    require("replicates", replicates, whole(20))
    require("search", search, SWITCH)
    models = models_by_name(predictions, "slices")
    first = next(iter(models.values()))
    columns = _columns(first, by, search=search)
    cut_by = searchable(first, None if by is None else columns) if search else columns
    seed = FIXED_SEED if rng is None else seed_of(rng)
    request = _SliceMeasures.of(measures, average, models)
    made = [
        request.of_model(
            _cut(counted_rows(p), cut_by, ways if search else None, ranges),
            name if len(models) > 1 else None,
            at_least,
            confidence_level,
            (seed, replicates),
        )
        for name, p in models.items()
    ]
    findings: list[Finding] = (
        [] if rng is not None else [UNSEEDED(what="the replicates", seed=seed)]
    )
    findings += of_models(dict(zip(models, (each.findings for each in made), strict=True)))
    tried = max(each.tried for each in made) if search else None
    if tried is not None:
        findings += _searched(columns, cut_by, tried)
    read = unused_but([f for p in models.values() for f in p.findings], columns)
    return Slices(
        tuple(columns),
        float(confidence_level),
        float(first.known().cases),
        tuple(e for each in made for e in each.estimates),
        tuple(g for each in made for g in each.gaps),
        tried,
        tuple(dict.fromkeys((*read, *findings))),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Cuts:
    """The cases of one model, and the slices that they are cut into."""

    predictions: Predictions
    cuts: list[Cut]
    search: bool


def _cut(p: Predictions, columns: Sequence[str], ways: int | None, ranges: int) -> _Cuts:
    """Cut the cases by columns, or into all slices of a search by so many columns; numbers into ranges."""
    cuts = cuts_by(p, columns, ranges) if ways is None else candidates(p, columns, ways, ranges)
    if len(cuts) < 2 or (len(cuts) > MAX_COMPARED and ways is None):
        raise DataError(
            f"The cases are cut into {count(len(cuts), 'slice')} by {listed(columns)}; 2 to {MAX_COMPARED} can be compared.",
            remedy=says(
                "Choose other columns with <by=...>, or set <search=True> to find the worst slices."
            ),
        )
    # Within a slice of one group, cases no longer come in groups.
    group = None if "group" in columns else p.group
    return _Cuts(replace(p, columns=NO_COLUMNS, group=group, cache={}), cuts, ways is not None)


class _OfModel(NamedTuple):
    """The estimates, gaps and findings of one model."""

    estimates: list[SliceEstimate]
    gaps: list[GapEstimate]
    findings: list[Finding]
    tried: int


@dataclass(frozen=True, slots=True)
class _SliceMeasures:
    """The measures, and the gaps with the measures that each is made of."""

    measures: tuple[tuple[Measure, Average | None], ...]
    gaps: tuple[tuple[str, str, tuple[str, ...]], ...]

    @classmethod
    def of(
        cls,
        given: str | Measure | Iterable[str | Measure] | None,
        average: Average | None,
        models: dict[str, Predictions],
    ) -> _SliceMeasures:
        """Read names of measures and of gaps."""
        names: list[str | Measure | None] = [given]  # type: ignore[list-item]
        if given is not None and not isinstance(given, str | Measure):
            names = several(given, "measures", "names of measures and gaps")
        if not names:
            raise ParameterError(says("<measures=...> names no measure and no gap."))
        chosen: dict[str, tuple[Measure, Average | None]] = {}
        of_gaps = []
        for name in names:
            kind = gaps[name] if isinstance(name, str) and name in gaps else None
            own = [
                measure_of(each, average, models) for each in ((name,) if kind is None else kind())
            ]
            for m, a in own:
                having_output(models, m, a)
                chosen.setdefault(m.call, (m, a))
            m = own[0][0]
            told = (m.call, m.title) if kind is None else (kind.name, kind.title)
            of_gaps.append((*told, tuple(each.call for each, _ in own)))
        return cls(tuple(chosen.values()), tuple(of_gaps))

    def of_model(
        self, given: _Cuts, model: str | None, at_least: int, level: float, draws: tuple[int, int]
    ) -> _OfModel:
        """Compare the slices of one model, in as many replicates of a seed."""
        p, search = given.predictions, given.search
        shared = SharedReplicates(p, *draws)
        tables = {
            m.call: sliced(m, a, p, model, given.cuts, shared, at_least) for m, a in self.measures
        }
        found = []
        for name, title, calls in () if search else self.gaps:
            pairs = [q for call in calls for q in tables[call].pairs]
            if pairs:
                found.append(gap_between(name, title, model, pairs, shared, level))
        return _OfModel(
            [e for t in tables.values() for e in estimates(t, shared, level, search=search)],
            found,
            [
                *few_labelled_positive(p, [m for m, _ in self.measures]),
                *(f for t in tables.values() for f in doubts(t, search=search)),
            ],
            max(len(t.judged) for t in tables.values()),
        )


def _columns(p: Predictions, by: str | Sequence[str] | None, *, search: bool) -> list[str]:
    """Return the columns to slice by."""
    if by is None and not search:
        raise ParameterError(
            "No column to slice by is named.",
            remedy=says(
                "Set <by=...> to one or several, or <search=True> to search in all of them."
            ),
        )
    if search:
        columns = list(p.columns.free) if by is None else [by] if isinstance(by, str) else list(by)
        unknown = [c for c in columns if c not in p.columns]
        if unknown or not columns:
            raise ParameterError(
                f"There is no column {listed(unknown)} beside the predictions." if unknown
                else "There is no column beside the predictions to search in.",
                asked=unknown[0] if unknown else "",
                choices=tuple(p.columns),
                remedy="Keep other columns of the cases, such as the site, beside the predictions.",
            )  # fmt: skip
        return columns
    columns = asked_slices(p.columns, by)
    if refused := [c for c in columns if c in CLASS_SLICES or c == "model"]:
        raise ParameterError(
            says("<by={it}> does not cut the cases into slices.", it=refused[0]),
            remedy="Models are sliced one by one; evaluate shows classes.",
        )
    return columns


def _searched(columns: Sequence[str], searched: Sequence[str], tried: int) -> Iterator[Finding]:
    """Return findings about how many slices were searched, and which columns were not."""
    if left := [c for c in columns if c not in searched]:
        yield NOT_SEARCHED(columns=listed(left))
    yield SEARCHED(candidates=tried, columns=listed(searched))


def affordable_slices(
    p: Predictions, measure: str | Measure | None, confidence_level: float = 0.95
) -> Slices | None:
    """Search the slices of each single column, for reports; None where that is impossible or too expensive.

    >>> affordable_slices(Predictions.of([1, 0], [1, 1]), "error_rate") is None
    True
    """
    if len(p.columns.free) > MAX_COLUMNS:
        return None
    columns = searchable(p)
    found = [in_ranges(p.columns[c], DEFAULT_RANGES) for c in columns]
    values = sum(len(f.values) for f in found if f is not None)
    if not values or values * p.n > MAX_ROWS:
        return None
    try:
        result = slices(p, measure, columns, search=True, ways=1, confidence_level=confidence_level)
    except CrediblyError:  # too few cases, no better end: nobody asked for it
        return None
    return result if result.searched else None
