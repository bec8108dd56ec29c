"""Whether a model pays for itself: what it costs beside its mistakes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from credibly._core.findings import Finding
from credibly._core.parameters import above
from credibly._core.text import number_text
from credibly.decisions.findings import NEVER_PAYS
from credibly.errors import ParameterError
from credibly.predictions.summaries.linear import ratio
from credibly.results.estimate import Estimate
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly.decisions.cost_benefit import CostBenefit


@dataclass(frozen=True, slots=True, kw_only=True)
class FinancialPlan:
    """What a model costs: once to get it, and for each case each time it is used.

    ``data_gathering`` and ``model_building`` are paid once, ``attribute_acquisition`` and ``use`` for
    every case that is scored, and ``uses`` says how often the whole population is.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 1, 0, 0, 0, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])
    >>> result = credibly.cost_benefit(p, {"tp": -15, "fp": 4}, population=800)
    >>> plan = FinancialPlan(data_gathering=3000, model_building=2000, use=0.5, uses=10)
    >>> plan.judge(result)["net_profit"].value
    32000.0
    """

    data_gathering: float = 0.0
    model_building: float = 0.0
    attribute_acquisition: float = 0.0
    use: float = 0.0
    uses: float = 1.0

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if not (above(0).accepts(value) or (value == 0 and f.name != "uses")):
                raise ParameterError(
                    f"{f.name} must be a number from 0 up (uses above 0); got {value!r}."
                )

    @property
    def once(self) -> float:
        """What is paid before the first use."""
        return self.data_gathering + self.model_building

    def judge(self, result: CostBenefit) -> Table:
        """Return the profit that is left, and how it compares with deciding without a model.

        The better of selecting all and selecting none needs neither data nor model.
        ``break_even_uses`` is after how many uses the model has paid for itself; NaN if never.
        """
        rows: list[Estimate] = []
        never: list[Finding] = []
        for point in result.points:
            estimates = result.table.estimates
            found = {e.measure: e for e in estimates if e.keys.get("model") == point.model}
            each_use = (self.attribute_acquisition + self.use) * point.population
            net = _moved(found["profit"], self.uses, self.uses * each_use + self.once)
            advantage = _moved(found["advantage"], self.uses, self.uses * each_use + self.once)
            yearly = found["advantage"].value - each_use
            until = float(ratio(self.once, yearly)) if yearly > 0 else float("nan")
            if yearly <= 0:
                name = "The model" if point.model is None else str(point.model)
                never.append(NEVER_PAYS(name=name))
            rows += [
                replace(net, measure="net_profit", title="Net profit"),
                replace(advantage, measure="net_advantage", title="Net gain over no model"),
                replace(
                    advantage,
                    measure="break_even_uses",
                    title="Uses until it pays for itself",
                    value=until,
                    interval=None,
                    why_no_interval="it is a ratio of sums",
                    direction="lower",
                ),
            ]
        heading = (
            f"{number_text(self.once)} once and "
            f"{number_text(self.attribute_acquisition + self.use)} per case, used {self.uses:g} times"
        )
        return Table(heading, tuple(rows), tuple(never))


def _moved(e: Estimate, times: float, less: float) -> Estimate:
    limits = e.interval
    if limits is not None:
        limits = replace(limits, low=limits.low * times - less, high=limits.high * times - less)
    return replace(e.without_rules(), value=e.value * times - less, interval=limits)
