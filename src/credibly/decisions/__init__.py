"""Decisions: where to operate, what that costs, and whether it pays.

A decision is a label for each case, and what it costs is a column with one number per case. Its total, its
saving against the best constant label, its gain over a random sample are means of such columns, so one
function gives them all their intervals (`decisions/problem.py`), for a cost matrix and for costs that
differ from row to row alike. At another prevalence the mean is that of the class means.

- **Rules** (`decisions/rules.py`) turn a problem into labels, most of them by one of the thresholds that
  the cases distinguish. A rule states how fast its threshold settles (`rate`): none where it follows from
  the costs alone.
- **A chosen threshold** gets limits from subsampling, since the bootstrap of an argmax is inconsistent, and
  its cost is estimated again by cross-fitting. Both need `rng`; without it a finding says that the cost is
  too optimistic. Parts and folds of rows that count many cases are drawn as counts (`decisions/draws.py`), so
  nothing grows with frequencies; `tests/every/test_frequencies.py` holds every door to that.
- **Cost-sensitive estimators** (`cost_sensitive`) import scikit-learn; their threshold chooser uses the
  rules.

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
        decision_rule as decision_rule,
        decision_rules as decision_rules,
        threshold_rule as threshold_rule,
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
    from credibly.decisions.expected_costs import (
        ExpectedCosts as ExpectedCosts,
        expected_costs as expected_costs,
    )
    from credibly.decisions.finances import FinancialPlan as FinancialPlan
    from credibly.decisions.operating_points import OperatingPoint as OperatingPoint

lazy(__name__)
