"""Pictures of comparisons."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from credibly._core.text import lower_first, number_text, p_is, percent, pvalue_text
from credibly.comparisons.benchmark_results import Benchmarks
from credibly.comparisons.best_of import BestOf, best_of
from credibly.comparisons.compare import compare
from credibly.comparisons.evidence import PairedValues
from credibly.comparisons.pair_plan import PairPlan
from credibly.comparisons.ranking import Ranking
from credibly.comparisons.result import Comparisons, TestResult
from credibly.comparisons.wins import WinsTiesLosses
from credibly.errors import ParameterError, listed
from credibly.intervals.densities import beyond, density_of
from credibly.intervals.plots import shaded
from credibly.predictions import Predictions
from credibly.render.names import shortened
from credibly.results.figure import Axis, Columns, Figure, Layer
from credibly.results.forest import forest
from credibly.results.interval import level_text
from credibly.results.plot import plot_kind

ALPHA = 0.05
MAX_WRITTEN = 8  # models, beyond which there is no room for p-values in cells
MAX_CANDIDATES = 20  # candidates that are drawn: as many as can be distinguished
MAX_NAME_LETTERS = 30  # letters of the name of a model beside nothing else
CORRECTED_LABEL = "allowing for the choice"
MAX_PAIRED_LETTERS = 19  # of each name of a pair, which has 42 beside a picture
MAX_STATISTIC = 4.5  # of the statistic, beyond which a tail cannot be seen


def _in_standard_errors(result: TestResult) -> bool:
    """Whether the statistic has Student's or the normal distribution if there is no difference."""
    return (
        "standard_error" in result.parameters
        and result.margin is None
        and math.isfinite(result.statistic)
    )


@plot_kind(
    "Differences",
    of=(TestResult, Comparisons),
    prepare={Predictions: compare},
)
def differences(result: TestResult | Comparisons) -> Figure:
    """Each difference with its interval, and the line of no difference.

    >>> import credibly
    >>> from credibly.comparisons import FoldValues
    >>> r = credibly.compare(FoldValues([.81, .84, .79, .9], [.8, .8, .77, .82], test_train_ratio=1 / 3))
    >>> credibly.plot(r, "differences").y.categories
    ('first - second',)
    """
    signed = [r for r in result.results if not math.isnan(r.difference)]
    if not signed:
        raise ParameterError("These tests have no signed difference to show.")
    short = shortened((n for r in signed for n in r.names[:2]), MAX_PAIRED_LETTERS)
    names = [" - ".join(short[n] for n in r.names[:2]) for r in signed]
    limits = [r.confidence_interval for r in signed]
    spoken = "; ".join(
        f"{' - '.join(r.names[:2])}: {r.difference:.3g}, p {pvalue_text(r.pvalue)}" for r in signed
    )
    sentences = [told] if (told := level_text(limits, several=True)) else []
    side = {"higher": "above", "lower": "below"}.get(signed[0].direction)
    sentences += [f"{side} 0 the first is better"] if side else []
    title = signed[0].measured
    return forest(
        zip(names, [r.difference for r in signed], limits, strict=True),
        f"difference of {title}",
        "Differences with intervals.",
        title=f"Differences of {title}",
        subtitle="; ".join([*sentences, "dashed: no difference"]),
        spoken=spoken,
        dashed=[0.0],
    )


@plot_kind(
    "Comparison matrix", of=Comparisons, suits=lambda _: False, prepare={Predictions: compare}
)
def comparison_matrix(result: Comparisons) -> Figure:
    """Row less column for every pair in colours from negative to positive, with the adjusted p-value.

    Where there are many models a star stands for a p-value of at most 0.05. The diagonal has the value
    of each model.

    >>> import credibly
    >>> labels = {"a": [1] * 15 + [0] * 25, "b": [0] * 35 + [1] * 5, "c": [0] * 36 + [1] * 4}
    >>> models = {
    ...     name: credibly.Predictions.of([0] * 40, label=x, classes=[0, 1])
    ...     for name, x in labels.items()
    ... }
    >>> figure = credibly.plot(credibly.compare(models), "comparison_matrix")
    >>> figure.x.categories, [cell.split() for cell in figure.layers[0].columns["text"][:1]]
    (('a', 'b', 'c'), [['+0.250', 'p', '0.0828']])
    """
    names = tuple(dict.fromkeys(n for r in result.results for n in r.names))
    cells: list[tuple[str, str, float, str]] = []
    values: dict[str, float] = {}
    for r, p in zip(result.results, result.adjusted, strict=True):
        a, b = r.names[:2]
        values |= dict(zip((a, b), r.values, strict=False))
        for column, row, difference in ((b, a, r.difference), (a, b, -r.difference or 0.0)):
            cells.append((column, row, difference, _cell(r, difference, p, len(names))))
    cells += [(name, name, math.nan, number_text(v)) for name, v in values.items()]
    x, y, value, text = (list(c) for c in zip(*cells, strict=True))
    firm = sum(p <= ALPHA for p in result.adjusted)
    title, direction = result.results[0].measured, result.results[0].direction
    side = {"higher": "above", "lower": "below"}.get(direction)
    better = f"; {side} 0 the first is better" if side else ""
    stars = f"; *: p at most {ALPHA}" if len(names) > MAX_WRITTEN else "; p"
    return Figure(
        "",
        Axis("second", categories=names),
        Axis("first", categories=names),
        (Layer.of("heatmap", x=x, y=y, value=value, text=text, shade="first less second"),),
        f"Differences of every pair of {len(names)} models; {firm} of {len(result)} adjusted p-values are at most {ALPHA}.",
        subtitle=f"{title}, first less second{better}{stars} adjusted by {result.correction}",
        square=True,
    )


def _cell(r: TestResult, difference: float, p: float, models: int) -> str:
    """Write a difference with its sign, and how firm it is."""
    if math.isnan(difference):
        return f"p {pvalue_text(p)}"
    sign = "+" if difference > 0 else ""
    written = f"{sign}{number_text(difference, r.confidence_interval)}"
    if models > MAX_WRITTEN:
        return written + ("*" if p <= ALPHA else "")
    return f"{written}\np {pvalue_text(p)}"


TAIL_SIDES = {"two-sided": "both", "greater": "above", "less": "below"}


@plot_kind("Two-sided test", of=TestResult)
def two_sided_test(result: TestResult) -> Figure:
    """The distribution of the statistic if there were no difference, what was seen, and the area beyond it.

    >>> import credibly
    >>> from credibly.comparisons import FoldValues
    >>> r = credibly.compare(FoldValues([.81, .84, .79, .9], [.8, .8, .77, .82], test_train_ratio=1 / 3))
    >>> credibly.plot(r, "two_sided_test").x.title
    'statistic, in standard errors'
    """
    if not _in_standard_errors(result):
        raise ParameterError(
            f"This plot shows a difference in standard errors, tested without a margin; {result.title} does not have one."
        )
    freedom = result.parameters.get("freedom", math.inf)
    seen = result.statistic
    reach = max(MAX_STATISTIC, abs(seen) * 1.1)
    x = np.linspace(-reach, reach, 401)
    height = density_of(x, float(freedom))
    layers = [
        Layer.of("line", x=x, y=height),
        *shaded(x, beyond(x, height, seen, TAIL_SIDES[result.alternative])),
    ]
    layers.append(Layer.of("rule", x=[seen], emphasis="dashed"))
    shape = (
        "normal" if math.isinf(freedom) else f"Student's t with {freedom:.4g} degrees of freedom"
    )
    return Figure(
        result.title,
        Axis("statistic, in standard errors"),
        Axis("density if there is no difference"),
        tuple(layers),
        f"{shape} density; the statistic is {seen:.3g} and the shaded area is {p_is(result.pvalue)}.",
        subtitle=f"shaded: {p_is(result.pvalue)}, {result.alternative}; {shape}",
    )


@plot_kind("Paired differences", of=PairedValues)
def paired_differences(pairs: PairedValues) -> Figure:
    """First minus second in each fold or dataset, their mean, and the dashed line of no difference.

    >>> import credibly
    >>> from credibly.comparisons import FoldValues
    >>> figure = credibly.plot(FoldValues([.9, .75, .8], [.8, .75, .6], names=("tree", "rule")))
    >>> [round(d, 3) for d in figure.layers[1].columns["y"]]
    [0.1, 0.0, 0.2]
    """
    differences, mean = pairs.differences, pairs.difference
    what = "fold" if pairs.about == "training" else "pair"
    first, second = pairs.names[:2]
    better = int((differences > 0).sum()), int((differences < 0).sum())
    return Figure(
        f"{first} minus {second}, {what} by {what}",
        Axis(what, (0.5, differences.size + 0.5)),
        Axis(f"difference of {pairs.measure_name}"),
        (
            Layer.of("rule", y=[0.0], emphasis="dashed"),
            Layer.of(
                "points", x=np.arange(1.0, differences.size + 1), y=differences,
                first=pairs.a, second=pairs.b,
            ),
            Layer.of("rule", y=[mean]),
        ),
        f"Differences of {pairs.measure_name} between {first} and {second} in {differences.size} "
        f"{what}s: mean {mean:.3g}, above 0 in {better[0]} and below in {better[1]}.",
        subtitle=f"line: mean {mean:.3g}; dashed: no difference",
    )  # fmt: skip


@plot_kind("The price of choosing", of=BestOf, prepare={Predictions: best_of})
def price_of_choosing(result: BestOf) -> Figure:
    """The best models with their bounds, and above them what the best is worth allowing for the choice.

    >>> import credibly
    >>> labels = {"a": [1, 1, 0, 0] * 9, "b": [1, 0, 0, 0] * 9, "c": [1, 0, 1, 0] * 9}
    >>> models = {n: credibly.Predictions.of([1, 1, 1, 0] * 9, label=x) for n, x in labels.items()}
    >>> credibly.plot(credibly.best_of(models, "accuracy", rng=1)).y.categories
    ('allowing for the choice', 'a', 'c', 'b')
    """
    shown = [c for c in result.candidates if math.isfinite(c.value)][:MAX_CANDIDATES]
    higher, after = result.naive.direction == "higher", result.corrected
    short = shortened([CORRECTED_LABEL, *(c.model for c in shown)], MAX_NAME_LETTERS)
    values = [c.value for c in shown]
    ends = [v if math.isnan(c.bound) else c.bound for c, v in zip(shown, values, strict=True)]
    low, high = (ends, values) if higher else (values, ends)
    limits = (after.interval.low, after.interval.high) if after.interval else (after.value,) * 2
    layers = [Layer.of("points", x=values, y=[short[c.model] for c in shown], left=low, right=high)]
    if math.isfinite(after.value):
        top = Layer.of(
            "points", x=[after.value], y=[CORRECTED_LABEL], left=limits[:1], right=limits[1:]
        )
        layers.insert(0, top)
    level = f"{percent(result.confidence_level)}"
    sentences = [f"first: {level} interval on cases that did not choose"] if after.interval else []
    if any(not math.isnan(c.bound) for c in shown):
        sentences.append(f"models: bounds that hold together with {level} confidence")
    return Figure(
        "",
        Axis(lower_first(result.naive.name)),
        Axis("", categories=(CORRECTED_LABEL, *(short[c.model] for c in shown))),
        tuple(layers),
        f"{result.meaning()} It is the best of {len(result)} models.",
        subtitle="; ".join(sentences),
    )


BAR_HEIGHT, LINE_HEIGHT = 0.45, 1.0  # heights of a bar of schemes that are alike, and of a name
RANK_AXIS = "average rank (1 is best)"


@plot_kind(
    "Critical-difference diagram",
    of=Ranking,
    aliases=("cd_diagram",),
    suits=lambda r: r.against is None,
)
def critical_difference(ranking: Ranking) -> Figure:
    """Schemes at their average ranks, and a thick bar over those that cannot be distinguished (Demsar 2006).

    >>> import credibly
    >>> from credibly.comparisons import DatasetTable
    >>> values = [[.9, .8, .7], [.8, .7, .6], [.9, .6, .5], [.7, .8, .6], [.9, .7, .8]]
    >>> figure = credibly.plot(credibly.compare(DatasetTable(values, ("a", "b", "c"))))
    >>> figure.layers[0].columns["x"], figure.layers[2].columns["right"]
    ([1.2, 2.0, 2.8], [2.0, 2.8])
    """
    schemes, ranks = ranking.schemes, np.array(ranking.average_ranks)
    first_half = np.arange(len(schemes)) < (len(schemes) + 1) // 2
    # The outermost scheme of either side is the lowest, so that no two lines cross.
    turn = np.where(first_half, np.arange(len(schemes)), np.arange(len(schemes))[::-1])
    foot = BAR_HEIGHT * (len(ranking.groups) + 1)
    height = foot + LINE_HEIGHT * turn
    room = 0.4 * (len(schemes) - 1)
    ends = (1 - room, len(schemes) + room)
    edge = np.where(first_half, ends[0], ends[1])
    layers = [
        Layer.of("rule", x=ranks, y=np.zeros(len(schemes)), high=height),
        Layer.of("rule", x=ranks, y=height, right=edge),
    ]
    if ranking.groups:
        left, right = (ranks[[schemes.index(g[end]) for g in ranking.groups]] for end in (0, -1))
        level = BAR_HEIGHT * (np.arange(left.size) + 1)
        layers.append(Layer.of("rule", x=left, y=level, right=right, emphasis="strong"))
    for side, align in ((first_half, "left"), (~first_half, "right")):
        names = [f"{schemes[i]} ({ranks[i]:.2f})" for i in np.flatnonzero(side)]
        places = {"x": edge[side], "y": height[side]}
        layers.append(Layer.of("text", **places, text=names, align=align))  # type: ignore[arg-type]
    top = float(height.max()) + LINE_HEIGHT
    if ranking.critical_difference is not None:
        layers += _scale(ranking.critical_difference, top + LINE_HEIGHT / 2)
        top += LINE_HEIGHT
    ticks = tuple((float(r), str(r)) for r in range(1, len(schemes) + 1))
    return Figure(
        "",
        Axis(RANK_AXIS, ends, ticks=ticks),
        Axis("", (0.0, top + LINE_HEIGHT / 2), hidden=True),
        tuple(layers),
        _spoken(ranking),
        subtitle=f"{ranking.measure}, {ranking.datasets} datasets; bars join schemes that do not differ significantly ({ranking.correction})",
        rows=int(np.ceil(top)) + 1,
    )


def _scale(length: float, height: float) -> list[Layer]:
    """Draw how long the critical difference is."""
    words = [f"critical difference {length:.3g}"]
    return [
        Layer.of("rule", x=[1.0], y=[height], right=[1 + length]),
        Layer.of("text", x=[1.0], y=[height], text=words),
    ]


@plot_kind("Average ranks", of=Ranking)
def average_ranks(ranking: Ranking) -> Figure:
    """Average rank of each scheme, with half a critical difference on either side where there is one.

    Schemes whose lines do not overlap differ. With one that the others are compared with, dashed lines stand a critical difference
    from it.

    >>> import credibly
    >>> from credibly.comparisons import DatasetTable
    >>> values = [[.9, .8, .7], [.8, .7, .6], [.9, .6, .5], [.7, .8, .6], [.9, .7, .8]]
    >>> ranking = credibly.compare(DatasetTable(values, ("a", "b", "c")))
    >>> credibly.plot(ranking, "average_ranks").y.categories
    ('a', 'b', 'c')
    """
    ranks, length = np.array(ranking.average_ranks), ranking.critical_difference
    layers = []
    limits: Columns = {}
    if length is not None and ranking.against is None:
        limits = {"left": ranks - length / 2, "right": ranks + length / 2}
    elif length is not None:
        middle = ranks[ranking.schemes.index(str(ranking.against))]
        layers.append(Layer.of("rule", x=[middle - length, middle + length], emphasis="dashed"))
    layers.append(Layer.of("points", x=ranks, y=ranking.schemes, **limits))
    return Figure(
        "",
        Axis(RANK_AXIS),
        Axis("", categories=ranking.schemes),
        tuple(layers),
        _spoken(ranking),
        subtitle=f"{ranking.measure}, {ranking.datasets} datasets"
        + ("" if length is None else f"; critical difference {length:.3g}"),
    )


@plot_kind("Wins, ties and losses", of=WinsTiesLosses)
def wins_matrix(table: WinsTiesLosses) -> Figure:
    """On how many datasets the row is significantly better than the column, neither is, and it is worse.

    >>> import credibly
    >>> from credibly.comparisons import wins_ties_losses
    >>> results = {
    ...     "iris": {"tree": [.94, .92, .96, .94, .94], "bayes": [.95, .94, .96, .94, .97]},
    ...     "glass": {"tree": [.70, .66, .71, .68, .69], "bayes": [.48, .50, .47, .52, .46]},
    ... }
    >>> figure = credibly.plot(wins_ties_losses(results, test_train_ratio=1 / 4))
    >>> figure.layers[0].columns["text"]
    ['1/1/0', '0/1/1']
    """
    pairs = list(permutations(table.schemes, 2))
    counts = [table.counts(row, column) for row, column in pairs]
    most = max(table.schemes, key=lambda s: sum(table.counts(s, t)[0] for t in table.schemes))
    cells = Layer.of(
        "heatmap",
        x=[column for _, column in pairs],
        y=[row for row, _ in pairs],
        value=[float(wins) for wins, _, _ in counts],
        text=["/".join(map(str, each)) for each in counts],
    )
    return Figure(
        "",
        Axis("second", categories=table.schemes),
        Axis("first", categories=table.schemes),
        (cells,),
        f"Wins, ties and losses of {len(table.schemes)} schemes on {len(table.datasets)} datasets by "
        f"{table.test}; {most} wins most often.",
        subtitle=f"of the first; {table.test}, {len(table.datasets)} datasets; darker: more wins",
        square=True,
    )


def _spoken(ranking: Ranking) -> str:
    pairs = zip(ranking.schemes, ranking.average_ranks, strict=True)
    ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in pairs)
    alike = "; ".join(listed(g) for g in ranking.groups)
    return f"Average ranks over {ranking.datasets} datasets: {ranks}." + (
        f" No significant difference: {alike}." if alike else ""
    )


@plot_kind("Differences on tasks", of=Benchmarks)
def differences_on_tasks(found: Benchmarks) -> Figure:
    """By how much a model differs from the one it is compared with on each task and over all, with simultaneous intervals.

    >>> import credibly
    >>> outcome = {"new": [1, 1, 0, 1, 1, 1] * 5, "old": [1, 0, 0, 1, 0, 1] * 5}
    >>> p = credibly.Predictions.of(outcome=outcome, columns={"task": ["a", "b", "c"] * 10})
    >>> credibly.plot(credibly.benchmarks(p)).y.categories
    ('all tasks', 'b', 'a', 'c')
    """
    shown = [*found.overall, *sorted(found.tasks, key=found.gained, reverse=True)]
    several = len(found.overall) > 1
    names = [(d.task or "all tasks") + (f", {d.model}" if several else "") for d in shown]
    other = found.overall[0].against
    first = f"{found.title}, difference from {other} ({found.better} is better)"
    return forest(
        [(name, d.difference, d.interval) for name, d in zip(names, shown, strict=True)],
        first,
        f"{first}, with simultaneous intervals.",
        subtitle=f"{percent(found.confidence_level)} intervals that hold together; dashed: no difference",
        dashed=[0.0],
    )


@plot_kind("Detectable difference by the number of cases", of=PairPlan)
def detectable_by_size(plan: PairPlan) -> Figure:
    """The difference between two models that so many cases would show; dashed the one that was asked for.

    >>> import credibly
    >>> both = {"new": [1] * 80 + [0] * 20, "old": [1] * 70 + [0] * 25 + [1] * 5}
    >>> plan = credibly.detectable_difference(credibly.Predictions.of(outcome=both))
    >>> credibly.plot(plan).x.title
    'number of cases'
    """
    known = np.isfinite(plan.differences)
    layers = (
        Layer.of("line", x=plan.sizes[known], y=plan.differences[known]),
        Layer.of("rule", y=[plan.difference], emphasis="dashed"),
        Layer.of("points", x=[plan.pilot_n, plan.n], y=[plan.detectable, plan.difference]),
    )
    top = float(max(plan.differences[known].max(initial=0.0), plan.difference))
    return Figure(
        f"Difference in {lower_first(plan.title)} that is shown",
        Axis(f"number of {plan.unit}s", logarithmic=True),
        Axis(f"difference shown with a power of {plan.power:g}", (0.0, top)),
        layers,
        f"{plan.heading()}; the pilot of {plan.pilot_n:,} shows {plan.detectable:.3g}.",
        subtitle=f"points: the pilot and the plan; dashed: {plan.difference:.4g}",
    )
