"""The verb `cost_benefit`: how many of the best-scored cases to select, and what that brings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import seed_of
from credibly._core.text import number_text
from credibly.decisions.decide import scored_models
from credibly.decisions.findings import CHOSEN_AND_JUDGED, TIED_SCORES
from credibly.decisions.operating_points import OperatingPoint, Place, RankedCases
from credibly.decisions.problem import DecisionProblem
from credibly.decisions.uncertainty import margin_of
from credibly.errors import DataError, ParameterError, says
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.cost_matrix import CELL_PLACES
from credibly.predictions.labels import shorten
from credibly.predictions.summaries.counts import Counts
from credibly.predictions.summaries.linear import against_rest, ratio
from credibly.results.estimate import with_decimals
from credibly.results.estimates import Tabled
from credibly.results.table import Table

SMALLEST_POPULATION = 1e-9  # below it, shares of it vanish


class CostBenefit(Tabled):
    """What selecting the cases of the highest scores brings, for one model or several.

    ``points`` hold the outcome of each model at the place asked for, ``table`` the sums with intervals
    and the prices at which nothing would be left: what a selected positive case must bring
    (``break_even_benefit``), a selected negative one may cost (``break_even_cost``), and what selecting
    any case may cost more (``spare``).

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> result = credibly.cost_benefit(p, {"tp": -15, "fp": 4})
    >>> result.point.selected, result.point.profit, result.point.random
    (4.0, 41.0, 12.5)
    >>> [round(result.table[name].value, 2) for name in ("break_even_benefit", "break_even_cost", "spare")]
    [1.33, 45.0, 10.25]
    >>> result.at("25%").point.profit, result.selected_rows().tolist()
    (30.0, [0, 1, 2, 3])
    """

    points: tuple[OperatingPoint, ...]
    places: tuple[Place, ...]
    confidence_level: float
    seed: int | None
    rankings: tuple[RankedCases, ...]

    @property
    def point(self) -> OperatingPoint:
        """The outcome, where there is one model and one place."""
        if len(self.rankings) > 1:
            names = ", ".join(str(q.model) for q in self.rankings)
            raise ParameterError(f"There are several models ({names}): use .points.")
        self.place  # noqa: B018 - refuses several
        return self.points[0]

    @property
    def place(self) -> Place:
        """The place, where there is one."""
        if len(self.places) > 1:
            names = ", ".join(map(str, self.places))
            raise ParameterError(
                f"There are several places ({names}).", remedy=says("Choose one with <at=...>.")
            )
        return self.places[0]

    def at(self, at: str | Place | Sequence[str | Place] | None) -> CostBenefit:
        """Return the same analysis at another place, or at several."""
        return _analyse(self.rankings, _places(at), self.confidence_level, self.seed)

    def sizes(self, places: Iterable[str | Place]) -> list[dict[str, Any]]:
        """Return the outcomes at several places, smallest first, with what widening needs to pay.

        ``marginal_break_even`` is how many selections each response beyond the row above costs.
        """
        rows = []
        for ranking in self.rankings:
            points = sorted((ranking.point(Place.of(a)) for a in places), key=lambda q: q.selected)
            before = None
            for q in points:
                more = (q.selected, q.tp) if before is None else _beyond(q, before)
                rows.append({**q.to_dict(), "marginal_break_even": float(ratio(*more))})
                before = q
        return rows

    def break_even_cost(self, outcome: str = "fp", model: object = None) -> float:
        """Return what each case of an outcome may cost before the profit at this place is gone.

        >>> import credibly
        >>> p = credibly.Predictions.of([1, 1, 0, 1, 0], score=[5, 4, 3, 2, 1])
        >>> credibly.cost_benefit(p, {"tp": -15, "fp": 4}, at="number=4").break_even_cost()
        45.0
        """
        ranking = self._ranking(model)
        if outcome not in CELL_PLACES or ranking.problem.costs.ndim != 2:
            raise ParameterError(
                f"An outcome must be one of {', '.join(CELL_PLACES)}, with the same cost in every row; got {outcome!r}."
            )
        point = ranking.point(self.place)
        return ranking.price(outcome) + float(ratio(point.profit, getattr(point, outcome)))

    def curve(self, model: object = None) -> dict[str, Floats]:
        """Return profit and positive cases at every number of selected cases that the scores distinguish."""
        ranking = self._ranking(model)
        t = ranking.problem.thresholds()
        return {
            "threshold": t.threshold,
            "selected": t.counts.labelled_positive * ranking.scale,
            "profit": -t.cost * ranking.population,
            "tp": t.counts.tp * ranking.scale,
        }

    def selected_rows(
        self, model: object = None, *, rng: int | np.random.Generator | None = None
    ) -> NDArray[Any]:
        """Return the rows that are selected, by their ids, or by their place where they have none.

        Where only a part of the cases of one score is to be taken, they are drawn, which needs ``rng``.
        """
        ranking = self._ranking(model)
        return ranking.names()[ranking.selected(self.place, rng)]

    def selected(
        self, model: object = None, *, rng: int | np.random.Generator | None = None
    ) -> Predictions:
        """Return the predictions of the selected rows, the highest score first.

        >>> import credibly
        >>> p = credibly.Predictions.of([1, 0, 1, 0], score=[1, 4, 3, 2])
        >>> credibly.cost_benefit(p, {"tp": -5, "fp": 1}, at="50%").selected().row.tolist()
        [1, 2]
        """
        ranking = self._ranking(model)
        rows = ranking.selected(self.place, rng)
        rows = rows[np.argsort(-ranking.problem.scores()[rows], kind="stable")]
        return replace(ranking.problem.cases, row=ranking.names()).take(rows)

    def _ranking(self, model: object) -> RankedCases:
        found = [r for r in self.rankings if model is None or r.model == model]
        if len(found) != 1:
            names = ", ".join(str(r.model) for r in self.rankings)
            raise ParameterError(f"Name one of the models {names}; got {model!r}.")
        return found[0]


@door
def cost_benefit(
    predictions: Predictions | Mapping[str, Predictions],
    costs: object = None,
    *,
    at: str | Place | Sequence[str | Place] | None = None,
    population: float | None = None,
    prevalence: float | Mapping[Any, float] | None = None,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
) -> CostBenefit:
    """Compute the profit of selecting the cases with the highest scores, and how many to select.

    Use it for a mailing, a campaign or a queue of claims to inspect. Profit is minus
    cost. A random sample of the same size, selecting all and selecting none stand
    beside it.

    Parameters
    ----------
    predictions
        Scores or probabilities of two classes, or of the positive class against the rest. Several
        models are evaluated separately.
    costs
        A :class:`CostMatrix`, :class:`RowCosts`, or outcomes such as ``{"tp": -15, "fp": 0.8}``, where
        benefits are negative.
    at
        How many to select: ``"20%"`` of the population, ``"number=500"``, ``"recall=0.8"``,
        ``"threshold=0.3"``, ``"best"`` (the default) or ``"worst"``. A threshold takes cases of
        one score together; a share, number or recall takes a part of them, as expected values.
        Several stand side by side.
    population
        Number of cases in the population; sums are scaled to it, rates are not.
    prevalence
        Share of the positive class in that population, if it differs from that of these cases.
    confidence_level
        Confidence level of the intervals, which treat the selected scores as given.
    rng
        Seed; with it, the result includes the profit of choosing the number on some cases and
        selecting others, which is what to expect of new cases.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> credibly.cost_benefit(p, {"tp": -15, "fp": 4}, population=8000).point.profit
    41000.0
    """
    predictions = as_predictions(predictions, "cost_benefit")
    if population is not None and not SMALLEST_POPULATION <= population < np.inf:
        raise ParameterError(f"population must be a number above 0; got {population!r}.")
    two = against_rest(predictions)
    if len(two.classes) > 2:
        raise DataError(
            f"The classes are {shorten(two.classes)}.",
            remedy=says("Name the class to select, against the rest, with <positive=...>."),
        )
    whole = DecisionProblem.of(two, costs, prevalence)
    parts, aside = scored_models(whole)
    rankings = tuple(
        RankedCases.of(problem, keys.get("model"), population) for keys, problem in parts
    )
    seed = None if rng is None else seed_of(rng)
    analysis = _analyse(rankings, _places(at), confidence_level, seed)
    findings = (*predictions.findings, *whole.findings, *aside, *analysis.table.findings)
    return replace(analysis, table=replace(analysis.table, findings=findings))


def _analyse(
    rankings: tuple[RankedCases, ...], places: tuple[Place, ...], level: float, seed: int | None
) -> CostBenefit:
    several = len(places) > 1
    each = [(replace(r, at=str(a) if several else ""), a) for r in rankings for a in places]
    points = tuple(r.point(place) for r, place in each)
    estimates = [e for r, place in each for e in r.estimates(place, level, seed)]
    p = rankings[0].problem.cases
    details: dict[str, Any] = {
        "classes": list(p.classes),
        "positive": p.classes[int(p.positive or 0)],
        "points": [q.to_dict() for q in points],
    }
    if len(points) == 1:
        q = points[0]
        cells = np.array([[q.tn, q.fp], [q.fn, q.tp]])
        order = [0, 1] if p.positive == 1 else [1, 0]
        counted = Counts(cells[np.ix_(order, order)], np.zeros(2), p.classes)
        details["confusion_matrix"] = counted.to_dict()
    heading = "\n".join(map(str, points))
    findings = _said(points, places, seed)
    margin = margin_of(estimates, "advantage")
    table = Table(heading, with_decimals(estimates), findings, details, margin=margin)
    return CostBenefit(table, points, places, level, seed, rankings)


def _places(at: str | Place | Sequence[str | Place] | None) -> tuple[Place, ...]:
    listed = [at] if at is None or isinstance(at, str | Place) else at
    return tuple(dict.fromkeys(map(Place.of, listed))) or (Place.of(None),)


def _said(
    points: tuple[OperatingPoint, ...], places: tuple[Place, ...], seed: int | None
) -> tuple[Finding, ...]:
    hopeful = any(place.by == "best" for place in places) and seed is None
    findings = [CHOSEN_AND_JUDGED(choice="number of cases", value="profit")] if hopeful else []
    for q in points:
        if q.taken < 1:
            name = "" if q.model is None else f"{q.model}: "
            score = number_text(q.threshold)
            findings.append(TIED_SCORES(name=name, score=score, percent=100 * q.taken))
    return tuple(findings)


def _beyond(q: OperatingPoint, before: OperatingPoint) -> tuple[float, float]:
    return q.selected - before.selected, q.tp - before.tp
