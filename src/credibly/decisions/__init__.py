"""Decisions: where to operate, what that costs, and whether it pays.

>>> from credibly.decisions import decision_rules
>>> decision_rules["roc_tangent"].name
'minimum_cost'
"""

from credibly.decisions._declare import Choice, DecisionRule, decision_rules
from credibly.decisions.cost_benefit import CostBenefit, cost_benefit
from credibly.decisions.decide import Decision, ModelDecision, decide
from credibly.decisions.finances import FinancialPlan
from credibly.decisions.operating import OperatingPoint

__all__ = [
    "Choice",
    "CostBenefit",
    "Decision",
    "DecisionRule",
    "FinancialPlan",
    "ModelDecision",
    "OperatingPoint",
    "cost_benefit",
    "decide",
    "decision_rules",
]
