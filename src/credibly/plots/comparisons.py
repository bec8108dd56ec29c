"""Pictures of comparisons."""

from __future__ import annotations

import math

import numpy as np

from credibly._core.errors import ParameterError
from credibly.comparisons.compare import compare
from credibly.comparisons.result import Comparisons, TestResult, pvalue_text
from credibly.plots._declare import declare_plot
from credibly.plots.figure import Axis, Figure, Layer

PAIR = 2
AT = 0.05
FAR = 4.5  # of the statistic, beyond which a tail cannot be seen


def _in_standard_errors(result: TestResult) -> bool:
    """Whether the statistic has Student's or the normal distribution if there is no difference."""
    return (
        "standard_error" in result.parameters
        and result.margin is None
        and math.isfinite(result.statistic)
    )


@declare_plot(
    "Differences",
    of=(TestResult, Comparisons),
    suits=lambda r: isinstance(r, Comparisons) or not _in_standard_errors(r),
    prepare=compare,
)
def differences(result: TestResult | Comparisons) -> Figure:
    """Each difference with its interval, and the line of no difference.

    >>> import credibly
    >>> from credibly.comparisons import FoldValues
    >>> r = credibly.compare(FoldValues([.81, .84, .79, .9], [.8, .8, .77, .82], test_train_ratio=1 / 3))
    >>> credibly.plot(r, "differences").y.categories
    ('first - second',)
    """
    results = (result,) if isinstance(result, TestResult) else result.results
    signed = [r for r in results if not math.isnan(r.difference)]
    if not signed:
        raise ParameterError("These tests have no signed difference to show.")
    names = [" - ".join(r.names[:PAIR]) for r in signed]
    limits = [r.confidence_interval for r in signed]
    low = [i.low if i else math.nan for i in limits]
    high = [i.high if i else math.nan for i in limits]
    spoken = "; ".join(
        f"{n}: {r.difference:.3g}, p {pvalue_text(r.pvalue)}"
        for n, r in zip(names, signed, strict=True)
    )
    level = next((i.confidence_level for i in limits if i), None)
    return Figure(
        f"Differences of {signed[0].measure}",
        Axis(f"difference of {signed[0].measure}"),
        Axis("", categories=tuple(dict.fromkeys(names))),
        (
            Layer.of("rule", x=[0.0], emphasis="dashed"),
            Layer.of("points", x=[r.difference for r in signed], y=names, left=low, right=high),
        ),
        f"Differences with intervals. {spoken}.",
        subtitle="" if level is None else f"{100 * level:g} % intervals",
        findings=tuple(dict.fromkeys(f for r in signed for f in r.findings)),
    )


@declare_plot("Comparison matrix", of=Comparisons, suits=lambda _: False, prepare=compare)
def comparison_matrix(result: Comparisons) -> Figure:
    """Row less column for every pair, in stronger colour where the adjusted p-value is smaller.

    >>> import credibly
    >>> labels = {"a": [1] * 15 + [0] * 25, "b": [0] * 35 + [1] * 5, "c": [0] * 36 + [1] * 4}
    >>> models = {
    ...     name: credibly.Predictions.of([0] * 40, label=x, classes=[0, 1])
    ...     for name, x in labels.items()
    ... }
    >>> credibly.plot(credibly.compare(models), "comparison_matrix").x.categories
    ('a', 'b', 'c')
    """
    names = tuple(dict.fromkeys(n for r in result.results for n in r.names))
    cells = []
    for r, p in zip(result.results, result.adjusted, strict=True):
        a, b = r.names[:PAIR]
        shade = 1 - p if not math.isnan(p) else math.nan
        cells.append((b, a, shade, f"{r.difference:+.3g}"))
        cells.append((a, b, shade, f"{-r.difference:+.3g}"))
    x, y, value, text = (list(c) for c in zip(*cells, strict=True))
    firm = sum(p <= AT for p in result.adjusted)
    return Figure(
        "Comparison matrix",
        Axis("second", categories=names),
        Axis("first", categories=names),
        (Layer.of("heatmap", x=x, y=y, value=value, text=text),),
        f"Differences of every pair of {len(names)} models; {firm} of {len(result)} adjusted p-values are at most {AT}.",
        subtitle=f"first less second; stronger: smaller p ({result.correction})",
        square=True,
        findings=result.findings,
    )


@declare_plot("Two-sided test", of=TestResult)
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
            f"This picture is of a difference in standard errors, tested without a margin; {result.title} has none."
        )
    freedom = result.parameters.get("freedom", math.inf)
    seen = result.statistic
    reach = max(FAR, abs(seen) * 1.1)
    x = np.linspace(-reach, reach, 401)
    height = _density(x, float(freedom))
    tails = [np.where(side, height, np.nan) for side in _beyond(x, seen, result.alternative)]
    layers = [Layer.of("line", x=x, y=height)]
    layers += [Layer.of("band", x=x, low=np.where(np.isnan(t), np.nan, 0), high=t) for t in tails]
    layers.append(Layer.of("rule", x=[seen], emphasis="dashed"))
    shape = (
        "normal" if math.isinf(freedom) else f"Student's t with {freedom:.4g} degrees of freedom"
    )
    return Figure(
        result.title,
        Axis("statistic, in standard errors"),
        Axis("density if there is no difference"),
        tuple(layers),
        f"{shape} density; the statistic is {seen:.3g} and the shaded area is p = {pvalue_text(result.pvalue)}.",
        subtitle=f"shaded: p = {pvalue_text(result.pvalue)}, {result.alternative}; {shape}",
        findings=result.findings,
    )


def _beyond(x: np.ndarray, seen: float, alternative: str) -> list[np.ndarray]:
    if alternative == "greater":
        return [x >= seen]
    if alternative == "less":
        return [x <= seen]
    return [x >= abs(seen), x <= -abs(seen)]


def _density(x: np.ndarray, freedom: float) -> np.ndarray:
    if math.isinf(freedom):
        return np.asarray(np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi))
    top = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    scale = math.exp(top) / math.sqrt(freedom * math.pi)
    return np.asarray(scale * (1 + x**2 / freedom) ** (-(freedom + 1) / 2))
