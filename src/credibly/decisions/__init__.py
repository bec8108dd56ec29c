"""Decisions: where to operate, what that costs, and whether it pays.

>>> from credibly.decisions import decision_rules
>>> decision_rules["roc_tangent"].name
'minimum_cost'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.decisions._declare import (
        Choice as Choice,
        DecisionRule as DecisionRule,
        decision_rules as decision_rules,
    )
    from credibly.decisions.cost_benefit import (
        CostBenefit as CostBenefit,
        cost_benefit as cost_benefit,
    )
    from credibly.decisions.decide import (
        Decision as Decision,
        ModelDecision as ModelDecision,
        decide as decide,
    )
    from credibly.decisions.finances import FinancialPlan as FinancialPlan
    from credibly.decisions.operating_points import OperatingPoint as OperatingPoint

lazy(
    __name__,
    {
        "_declare": "Choice DecisionRule decision_rules",
        "cost_benefit": "CostBenefit cost_benefit",
        "decide": "Decision ModelDecision decide",
        "finances": "FinancialPlan",
        "operating_points": "OperatingPoint",
    },
)
