"""The verb `analyse`: everything that the results of an experiment say, from the results alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from credibly._core.doors import check_confidence
from credibly._core.findings import Finding
from credibly._core.parameters import one_of, require
from credibly._core.text import count
from credibly.comparisons import FoldValues, TestResult, comparisons
from credibly.comparisons.best_of import affordable_best_of, best_of
from credibly.comparisons.compare import compare
from credibly.comparisons.findings import NOT_ADJUSTED
from credibly.comparisons.multiplicity import adjustments
from credibly.comparisons.over_datasets import ranks_of
from credibly.comparisons.ranking import Ranking
from credibly.comparisons.wins import judged_by_folds, tally
from credibly.errors import CrediblyError, DataError, ParameterError
from credibly.experiments.analysis.agreement import agreement
from credibly.experiments.analysis.grids import TIME_MEASURES, MeasureGrid
from credibly.experiments.analysis.result import Analysis, BestOnDataset, Chance, Overview
from credibly.experiments.analysis.results import Results, known_measure
from credibly.experiments.findings import NOT_ANALYSED, UNKNOWN_DIRECTION
from credibly.experiments.importers.outcomes import from_outcomes, outcomes_by_task
from credibly.intervals.folds import interval_over_folds
from credibly.intervals.means import mean_interval
from credibly.predictions import Predictions
from credibly.results.estimate import Estimate
from credibly.results.interval import Interval
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly.comparisons import FoldTable, PairedValues, WinsTiesLosses
    from credibly.experiments.analysis.grids import LeaveOut
    from credibly.experiments.store.store import Store

RANK_CORRECTION = "nemenyi"  # for all pairs of ranks; the other corrections are for any p-values
TIME_TITLES = {"fit_seconds": "Seconds to fit", "predict_seconds": "Seconds to predict"}
CONCLUSION_REMEDY = "For a conclusion about all datasets, see the comparison over datasets."
TIMES_CAVEAT = "times depend on the machine and its load"


def analyse(
    results: Results | Store | Predictions,
    measure: str | None = None,
    *,
    base: str | None = None,
    test: str = "auto",
    correction: str | None = None,
    leave_out: LeaveOut = "datasets",
    rope: float = 0.0,
    test_train_ratio: float | None = None,
    predictions: Mapping[str, Predictions] | None = None,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
) -> Analysis:
    r"""Compare schemes on each dataset and over all of them.

    Parameters
    ----------
    results
        Values of schemes on the splits of datasets, imported or of an experiment; or its store; or outcomes of
        several models with a column ``task``, which stands for the dataset.
    measure
        Measure to compare by; the first by default. ``"fit_seconds"`` and ``"predict_seconds"``
        compare times.
    base
        The scheme that all others are compared with on each dataset; the first by default.
    test
        The test on each dataset: ``"auto"`` is that of :func:`credibly.compare`, over cases where there
        are predictions (those of a store are read), else over splits; or a name of a test over splits
        from ``credibly list comparisons``, such as ``"paired_t"``, which treats splits as independent
        and so finds too many differences.
    correction
        How ranks over datasets are compared: ``"nemenyi"`` by default, ``"holm"``, ``"shaffer"`` ...
    leave_out
        Whether ranks leave out the ``"datasets"`` or the ``"schemes"`` that are incomplete.
    rope
        The largest negligible difference, for the Bayesian tests.
    test_train_ratio
        Size of a test part divided by that of its training part, if the results do not say it:
        1/9 for ten folds.
    predictions
        The predictions of each dataset, for estimates of pooled cases and tests over cases.
    confidence_level
        Confidence level of the intervals; differences are significant at one minus this.
    rng
        Seed of the Bayesian signed-rank test over datasets, which is left out without it.

    >>> from credibly.experiments import analyse
    >>> from credibly.experiments import Results
    >>> folds = {"tree": [.93, .95, .94, .93, .95], "bayes": [.95, .94, .96, .94, .97],
    ...          "rule": [.70, .66, .71, .68, .69]}
    >>> r = Results.of(
    ...     ["iris"] * 15 + ["wine"] * 15, [s for s in folds for _ in range(5)] * 2,
    ...     {"accuracy": [v for of in folds.values() for v in of] * 2},
    ...     fold=list(range(5)) * 6, n_train=120, n_test=30)
    >>> analysis = analyse(r, "accuracy", base="tree")
    >>> analysis.verdict("iris", "rule"), analysis.wins.counts("rule", "tree")
    ('worse', (0, 0, 2))
    >>> print(*str(analysis).splitlines()[:4], sep="\n")
    3 schemes on 2 datasets, accuracy (higher is better), base tree
    dataset             tree    bayes   rule
    iris                0.9400  0.9520  0.6880 -
    wine                0.9400  0.9520  0.6880 -
    """
    check_confidence(confidence_level)
    _check(leave_out, test, correction)
    results, predictions, kept = _opened(results, predictions or {}, measure)
    if not results.measures:
        raise ParameterError("These results contain no measure to analyse.")
    options: dict[str, Any] = {"base": base, "test_train_ratio": test_train_ratio}
    grid = MeasureGrid.of(results, measure or results.measures[0], **options)
    valued = [m for m, v in results.values.items() if np.isfinite(v).any() and m != grid.measure]
    known = [m for m in valued if m in results.directions]
    grids = {grid.measure: grid, **{m: MeasureGrid.of(results, m, **options) for m in known}}
    findings = [*results.findings, *grid.findings(leave_out)]
    if len(known) < len(valued):
        unknown = ", ".join(m for m in valued if m not in known)
        findings.append(UNKNOWN_DIRECTION(measures=unknown))
    analyst = _Analyst(
        results, grids, grid, test, correction, confidence_level, leave_out, rope, rng, findings
    )
    wins = analyst.tried("Wins and losses", lambda: analyst.wins(kept))
    whole = analyst.tried("Over datasets", analyst.over_datasets)
    return Analysis(
        heading=analyst.heading(),
        measure=grid.measure,
        direction=grid.direction,
        base=grid.schemes[0],
        confidence_level=confidence_level,
        leave_out=leave_out,
        grid=grid,
        estimates=analyst.estimates(predictions),
        wins=wins,
        over_datasets=whole,
        overviews=() if whole is None else analyst.overviews(wins),
        chances=analyst.tried("Bayesian tests", lambda: tuple(analyst.chances())) or (),
        agreement=analyst.agreement() if len(grids) >= 2 else None,
        times=analyst.times(),
        growth=analyst.growth(test_train_ratio),
        choices=tuple(analyst.choices(predictions)),
        # The last, since what could not be made is known by now.
        findings=tuple(dict.fromkeys([*findings, *_said_by_tests(wins, whole)])),
    )


def _check(leave_out: str, test: str, correction: str | None) -> None:
    """Refuse unknown names at once; that does not depend on the results."""
    require("leave_out", leave_out, one_of("datasets", "schemes"))
    entry = comparisons.parse("corrected_resampled_t" if test == "auto" else test)
    if not issubclass(FoldValues, entry.reads) or entry.bayesian or not entry.signed:
        raise ParameterError(
            f"{entry.name} is not a test of a difference over splits; use 'corrected_resampled_t'."
        )
    if correction is not None:
        require("correction", correction, one_of(RANK_CORRECTION, *adjustments.names()))


def _opened(
    given: Results | Store | Predictions,
    predictions: Mapping[str, Predictions],
    measure: str | None,
) -> tuple[Results, Mapping[str, Predictions], Callable[[str], Predictions | None]]:
    """Return results, predictions, and what finds those of a dataset: given, or those that a store keeps."""
    if isinstance(given, Predictions):
        by_task = outcomes_by_task(given)
        return from_outcomes(given, measure), by_task, by_task.get
    if isinstance(given, Results):
        return given, predictions, predictions.get

    def kept(dataset: str) -> Predictions | None:
        try:
            return predictions[dataset] if dataset in predictions else given.predictions(dataset)
        except CrediblyError:
            return None

    return given.results(), predictions, kept


def _said_by_tests(wins: WinsTiesLosses | None, whole: Any) -> Iterator[Finding]:  # noqa: ANN401
    for f in wins.findings if wins is not None else ():
        yield replace(f, action=CONCLUSION_REMEDY) if f.code == NOT_ADJUSTED.code else f
    test = whole.whole if isinstance(whole, Ranking) else whole
    yield from test.findings if test else ()


@dataclass(frozen=True, slots=True)
class _Analyst:
    """What was asked for of some results, and what follows from them."""

    results: Results
    grids: dict[str, MeasureGrid]
    grid: MeasureGrid
    test: str
    correction: str | None
    confidence_level: float
    leave_out: LeaveOut
    rope: float
    rng: int | np.random.Generator | None
    findings: list[Finding]

    def tried(self, what: str, make: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Return the result of a call; a failure becomes a finding and does not end the analysis."""
        try:
            return make()
        except CrediblyError as error:
            self.findings.append(NOT_ANALYSED(what=what, error=error))
            return None

    def heading(self) -> str:
        """Say what is analysed."""
        grid = self.grid
        better = {"higher": " (higher is better)", "lower": " (lower is better)"}
        return (
            f"{count(len(grid.schemes), 'scheme')} on {count(len(grid.datasets), 'dataset')}, "
            f"{grid.measure}{better.get(grid.direction, '')}, base {grid.schemes[0]}"
        )

    # --- on each dataset

    def wins(self, kept: Callable[[str], Predictions | None]) -> WinsTiesLosses:
        """Test every two schemes on each dataset, over the cases of kept predictions or over splits."""
        require("direction", self.grid.direction, one_of("higher", "lower"))
        over_cases = {d: self._over_cases(kept, d) for d in self.grid.tables}
        tested = {d: t for d, t in self.grid.tables.items() if len(t.table) >= 2 or over_cases[d]}
        if not tested:
            raise DataError("No dataset has values from two splits, which a test on it needs.")

        def judge(pair: PairedValues) -> TestResult | None:
            return judged_by_folds(pair, self.test, self.confidence_level)

        direction = cast("Any", self.grid.direction)
        return tally(tested, direction, self.confidence_level, judge, over_cases)

    def _over_cases(
        self, kept: Callable[[str], Predictions | None], dataset: str
    ) -> dict[tuple[str, ...], TestResult]:
        """Compare all schemes on a dataset by predictions, where the test is left to the program and there are any."""
        measure = known_measure(self.grid.measure)
        p = kept(dataset) if self.test == "auto" and measure else None
        if p is None or p.model is None:
            return {}
        models = {str(k["model"]): q for k, q in p.groups(["model"])}
        ordered = {s: models[s] for s in self.grid.schemes if s in models}
        try:
            made: Any = compare(ordered, measure=measure, confidence_level=self.confidence_level)
        except CrediblyError:
            return {}
        about = "cases" if p.task == "outcome" else "training"
        return {r.names: r for r in made.results if r.about == about}

    def chances(self) -> Iterator[Chance]:
        """Yield what the Bayesian tests say of each scheme against the base: by dataset, then over all."""
        by_folds, by_datasets = (
            comparisons[n] for n in ("bayesian_correlated_t", "bayesian_signed_rank")
        )
        options: dict[str, Any] = {"rope": self.rope, "confidence_level": self.confidence_level}
        for dataset, table in self.grid.tables.items():
            for j in _with_values(table):
                pair = table.pair(j, 0)
                if isinstance(pair, FoldValues):
                    yield self._chance(dataset, by_folds(pair, **options))
        if self.rng is None:
            return
        over = self.grid.over_datasets(self.leave_out)
        if self.grid.schemes[0] in over.names:  # unless the base itself was left out
            for j in range(1, len(over.names)):
                yield self._chance("", by_datasets(over.pair(j, 0), **options, rng=self.rng))

    def _chance(self, dataset: str, result: TestResult) -> Chance:
        better, worse = "first higher", "first lower"
        if self.grid.direction == "lower":
            better, worse = worse, better
        p = result.probabilities
        scheme, base = result.names
        return Chance(dataset, scheme, base, p[better], p["no difference"], p[worse], result.title)

    # --- over datasets

    def over_datasets(self) -> Any:  # noqa: ANN401
        """Rank the schemes, or test the difference of two."""
        table, level = self.grid.over_datasets(self.leave_out), self.confidence_level
        return compare(table, correction=self.correction, confidence_level=level)

    def overviews(self, wins: WinsTiesLosses | None) -> tuple[Overview, ...]:
        """Sum up each scheme over datasets, the best by its average rank first."""
        table = self.grid.over_datasets(self.leave_out)
        ends = [t.within for t in self.grid.tables.values()]
        within = min(low for low, _ in ends), max(high for _, high in ends)
        ranks = ranks_of(table).mean(axis=0)
        made = [
            Overview(
                name,
                len(table.table),
                float(table.table[:, i].mean()),
                _over_all(table.table[:, i].tolist(), within, self.confidence_level),
                float(ranks[i]),
                *(wins.standing(name) if wins else (0, 0)),
            )
            for i, name in enumerate(table.names)
        ]
        return tuple(sorted(made, key=lambda o: o.average_rank))

    def choices(self, predictions: Mapping[str, Predictions]) -> Iterator[BestOnDataset]:
        """Yield the best scheme on each dataset, judged by other cases than chose it where there are predictions.

        Values by split say by how much the best of each looks better (Tibshirani & Tibshirani 2009).
        """
        grid = self.grid
        if grid.direction == "neither" or grid.measure in TIME_MEASURES:
            return
        for dataset, table in grid.tables.items():
            known = predictions.get(dataset) if known_measure(grid.measure) else None
            asked = grid.measure, self.confidence_level
            best = None if known is None else affordable_best_of(known, *asked)
            complete = len(table.table) >= 2 and np.isfinite(table.table).all()
            if best is None and complete and not table.independent:
                best = best_of(table, confidence_level=self.confidence_level)
            if best is not None and len(best) >= 2:
                yield BestOnDataset(dataset, best)

    def agreement(self) -> Any:  # noqa: ANN401
        """Say how far the rankings by several measures agree."""
        return self.tried("Agreement of measures", lambda: agreement(self.grids, self.leave_out))

    # --- estimates

    def estimates(self, predictions: Mapping[str, Predictions]) -> Table:
        """Estimate every measure of every scheme on every dataset, as mean over splits and pooled."""
        means = {"estimate": "fold_mean"}
        estimates = [e for g in self.grids.values() for e in self._fold_means(g, means)]
        found = {(e.measure, *e.keys.values()): e for e in estimates}
        for dataset, p in predictions.items():
            of_cases = partial(self._of_predictions, dataset, p)
            for e in self.tried(f"Estimates of {dataset}", of_cases) or ():
                place = e.measure, *e.keys.values()
                # Of values the same, but cases say more of the interval.
                known = found.get(place, e)
                found[place] = replace(
                    known, interval=e.interval, why_no_interval=e.why_no_interval
                )
        return Table(
            "Estimates by dataset and scheme; n counts splits of a mean", tuple(found.values())
        )

    def _fold_means(self, grid: MeasureGrid, more: Mapping[str, object]) -> Iterator[Estimate]:
        known = known_measure(grid.measure)
        for dataset, table in grid.tables.items():
            for scheme, column in zip(grid.schemes, table.table.T, strict=True):
                value = float(column.mean()) if column.size else float("nan")
                limits, why = interval_over_folds(
                    column.tolist(),
                    table.test_train_ratio,
                    method="t" if table.independent else "corrected",
                    confidence_level=self.confidence_level,
                    within=table.within,
                )
                if limits is not None and table.independent:
                    limits = replace(limits, about="datasets")
                yield Estimate(
                    measure=grid.measure,
                    title=known.title if known else grid.measure,
                    value=value,
                    interval=limits,
                    why_no_interval="the scheme is missing there" if np.isnan(value) else why,
                    n=float(np.isfinite(column).sum()),
                    direction=grid.direction,
                    keys={"dataset": dataset, "scheme": scheme, **more},
                    values=tuple(column.tolist()),
                )

    def _of_predictions(self, dataset: str, p: Predictions) -> list[Estimate]:
        from credibly.evaluation import evaluate

        known = list(filter(known_measure, self.grids))
        # Outcomes have no splits.
        ways: Any = {} if p.task == "outcome" else {"estimate": ("fold_mean", "pooled")}
        table = evaluate(p, known, confidence_level=self.confidence_level, **ways)
        schemes = [str(e.keys.get("model", self.grid.schemes[0])) for e in table.estimates]
        return [
            replace(
                e,
                keys={
                    "dataset": dataset,
                    "scheme": s,
                    "estimate": e.keys.get("estimate", "fold_mean"),
                },
            )
            for e, s in zip(table.estimates, schemes, strict=True)
        ]

    def times(self) -> Table | None:
        """Show the mean time of a fit and of its predictions, where they are known."""
        estimates = [
            replace(e, interval=None, why_no_interval=TIMES_CAVEAT, title=TIME_TITLES[t])
            for t in TIME_MEASURES
            if np.isfinite(getattr(self.results, t)).any()
            for e in self._fold_means(
                MeasureGrid.of(self.results, t, base=self.grid.schemes[0]), {}
            )
        ]
        return Table("Mean seconds per split", tuple(estimates)) if estimates else None

    def growth(self, ratio: float | None) -> Table | None:
        """Show the learning curves: the same estimates at every size of the training part."""
        sizes = sorted(set(self.results.size.tolist()))
        if len(sizes) < 2:
            return None
        estimates: list[Estimate] = []
        for dataset, size in product(self.results.datasets, sizes):
            part = self.results.where(dataset=dataset, size=size)
            if part.n:
                rows = part.n_train[np.isfinite(part.n_train)]
                trained = {"trained on": int(rows.mean()) if rows.size else size}
                grid = MeasureGrid.of(part, self.grid.measure, test_train_ratio=ratio)
                estimates += self._fold_means(grid, trained)
        return Table("Learning curves, means over splits", tuple(estimates))


def _with_values(table: FoldTable) -> list[int]:
    """Return the schemes that can be set against the base."""
    if len(table.table) < 2:
        return []
    others = range(1, len(table.names))
    return [j for j in others if np.isfinite(table.table[:, [0, j]]).all()]


def _over_all(values: list[float], within: tuple[float, float], level: float) -> Interval | None:
    """Return Student's interval of a mean over datasets, which are independent of one another."""
    interval = mean_interval(values, confidence_level=level, method="t", independent=True).interval
    inside = replace(interval.within(*within), about="datasets")
    return inside if inside.low < inside.high else None
