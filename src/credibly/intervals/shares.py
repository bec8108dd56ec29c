"""Methods of proportions as intervals of the measures that are a proportion of cases."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from credibly._core.arrays import Floats
from credibly.errors import ParameterError
from credibly.intervals._declare import EstimateRequest, IntervalMethod, RefusalError
from credibly.intervals.standard_errors import refuse_repeats
from credibly.predictions.numbers import effective_size
from credibly.predictions.parts import cluster_count
from credibly.results.interval import Interval

if TYPE_CHECKING:
    from credibly.intervals.proportions import ProportionMethod

SHARE_ROUNDING = 1e-14  # how far sums of weights may miss 0 or 1


class ShareMethod(IntervalMethod):
    """A method of proportions that answers for a measure which is the share of a part of the cases.

    With importance weights the effective size is used: Kish's, or less where the weights go with the
    outcome, so that the cases themselves show a larger error (Korn & Graubard 1998). With groups, at the edge where no variation
    can be seen, each group counts as one case.

    >>> from credibly import Predictions, evaluate
    >>> p = Predictions.of([1] * 10, label=[1] * 9 + [0], classes=[0, 1])
    >>> limits = evaluate(p, "accuracy", interval="clopper_pearson")["accuracy"].interval
    >>> round(limits.low, 4), round(limits.high, 4), limits.method
    (0.555, 0.9975, 'Clopper-Pearson')
    """

    proportion: ProportionMethod

    def __call__(self, q: EstimateRequest) -> Interval:
        """Return the interval of a share, or refuse."""
        part, whole, size, text = _counted(q)
        share = min(part / whole, 1.0)  # sums of weights round
        share = float(round(share)) if abs(share - round(share)) < SHARE_ROUNDING else share
        try:
            limits = self.proportion.of(
                part if size == whole else size * share,
                size,
                q.confidence_level,
                effective_size=bool(text) or not part.is_integer(),
            )
        except ParameterError as refused:  # its remedy is about another door
            raise RefusalError(refused.found.rstrip(".")) from None
        if limits.low == limits.high:
            raise RefusalError(f"{self.title}'s interval has no width where all cases are alike")
        error = math.sqrt(share * (1 - share) / size) or None
        method = f"{self.title}{text}"
        return replace(limits, method=method, standard_error=error, share_of=size)


def _counted(q: EstimateRequest) -> tuple[float, float, float, str]:
    """Return the part, the whole, the number of cases that it is worth, and a finding about that."""
    m, p = q.measure, q.predictions
    if m.parts is None or q.average:
        raise RefusalError(
            f"a {q.average} average is not a proportion of cases"
            if q.average
            else "it is not a proportion of cases"
        )
    refuse_repeats(p)
    part, whole = (float(x) for x in m.parts(m.summarise(p)))
    effective, text = whole, ""
    if p.weight_kind == "importance":
        largest = p.weights.max()  # divided out, so that no square leaves what a double can hold
        squared = replace(p, weight=np.square(p.weights / largest), cache={})
        effective = _worth(part / largest, whole / largest, *m.parts(m.summarise(squared)))
        text = f", effective size {effective:.4g}"
    if p.clusters is not None and cluster_count(p) < effective:
        effective = float(cluster_count(p))
        text = f", {effective:.0f} {p.cluster_name} as cases"
    return part, whole, effective, text


def _worth(part: float, whole: float, *squares: Floats) -> float:
    """Return of how many equal cases a weighted share is worth, by the sums of weights and of their squares.

    >>> _worth(3, 4, np.array(3.0), np.array(4.0))
    4.0
    >>> round(_worth(4, 6, np.array(4.0), np.array(8.0)), 6)  # a fifth case, the only wrong one, weighs 2: Kish has 4.5
    3.6
    """
    of_part, of_whole = (float(x) for x in squares)
    equal = float(effective_size(np.asarray(whole), np.asarray(of_whole)))
    share = part / whole
    seen = of_part * (1 - share) ** 2 + (of_whole - of_part) * share**2
    return min(equal, part * (whole - part) / seen) if seen > SHARE_ROUNDING * of_whole else equal
