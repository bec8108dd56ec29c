"""
Costs and decisions
===================

A model gives scores, and somebody has to act on them. The costs of mistakes decide what to do, and
whether the model is worth having.
"""

# %%
# A mail-out
# ----------
#
# The bundled campaign has 47,706 people with a score each, of whom 2,402 would respond. Writing to one
# who does not respond costs $0.80, and a response brings $15 net. Benefits are negative costs.

import matplotlib.pyplot as plt
import numpy as np

import credibly
from credibly.io import bundled

people = credibly.read(bundled("campaign"), positive="yes")
costs = {"tp": -15, "fp": 0.8}
best = credibly.cost_benefit(people, costs, rng=1)
print(best)

# %%
# The best number was chosen on these people, so its profit is too optimistic. For the cross-fitted
# profit the number is chosen on some people and applied to others.
#
# The profit at every number, and the same letter at $0.50, when it pays to write to everybody:

fig, ax = plt.subplots(figsize=(5.8, 3.4), layout="constrained")
for price in (0.8, 0.5):
    result = credibly.cost_benefit(people, {"tp": -15, "fp": price})
    curve = result.curve()
    ax.plot(curve["selected"], curve["profit"], label=f"${price:.2f} a letter")
    ax.plot(result.point.selected, result.point.profit, "o", color="black")
ax.axhline(0, color="grey", linewidth=0.8)
ax.set(xlabel="people written to", ylabel="profit ($)")
ax.legend()
plt.show()

# %%
# ``at`` takes any other cut: a share of the people, a number, a recall or a threshold. Sums can be
# scaled to a population and converted to another prevalence.

for place in ("10%", "recall=0.8", "threshold=0.06"):
    point = best.at(place).point
    print(
        f"{place:>14}: {point.selected:8,.0f} people, profit {point.profit:8,.2f}, lift {point.lift:.2f}"
    )

million = credibly.cost_benefit(
    people, costs, at="10%", population=1e6, prevalence=0.03
)
print(million.point)

# %%
# Does it pay?
# ------------
#
# A model has costs of its own: to gather data, to buy attributes, to build and to use it.

plan = credibly.FinancialPlan(
    data_gathering=8000, model_building=4000, use=0.01, uses=12
)
print(plan.judge(best))

# %%
# Where to put the threshold
# --------------------------
#
# If the probabilities are calibrated, the threshold follows from the costs alone. For the tumours
# of the demo, suppose that a missed cancer costs as much as ten false alarms.

tumours = credibly.read(bundled("breast-cancer"), positive="malignant")
logistic = tumours.take(tumours.model == "logistic")
print(credibly.decide(logistic, {"fn": 10, "fp": 1}))

# %%
# For scores that are not probabilities the threshold is chosen on cases, and the choice is
# uncertain. The error of an optimum falls only with the cube root of the number of cases, and the
# plain bootstrap is wrong for it, so the interval comes from subsampling.

chosen = credibly.decide(logistic, {"fn": 10, "fp": 1}, rule="minimum_cost", rng=1)
print(chosen.threshold, chosen.threshold_interval)

# %%
# ``credibly list decision-rules`` lists the other rules.

for rule in ("youden", "best_f", "fixed_recall(recall=0.98)", "top_share(share=0.3)"):
    made = credibly.decide(logistic, {"fn": 10, "fp": 1}, rule=rule)
    cost = made.table["average_cost"].value
    print(f"{rule:<26} from {made.threshold:.3f} on, cost {cost:.3f} a case")

# %%
# Where the classes are as common as elsewhere
# --------------------------------------------
#
# In screening, malignant tumours are rare. ``prevalence=`` states the share there: Bayes' rule
# adjusts the probabilities, and the costs are reweighted.

print(credibly.decide(logistic, {"fn": 10, "fp": 1}, prevalence=0.02))

# %%
# Doubt
# -----
#
# If a second opinion costs 0.2, some cases are better left undecided.

doubtful = credibly.decide(logistic, {"fn": 10, "fp": 1}, doubt=0.2)
print(doubtful)
print((doubtful.labels == -1).sum(), "cases go to a second opinion")

# %%
# Costs that differ from case to case
# -----------------------------------
#
# A cost may be a column, with one value per case. On the command line it may be an expression of
# columns, such as ``--cost "fp=0.8 + 0.1 * distance"``.

stake = np.random.default_rng(0).gamma(2.0, 5.0, logistic.n)
print(credibly.decide(logistic, {"fn": stake, "fp": 1.0}).table["average_cost"])

# %%
# Learning by costs
# -----------------
#
# The learner can use costs too: by weights, by resampling, by relabelling (MetaCost), by deciding
# on expected costs, or by a threshold tuned inside the training part. ``run`` keeps the labels that
# each model gives, and says where they are not its most probable class.

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from credibly.decisions.cost_sensitive import (
    CostWeightedClassifier,
    ExpectedCostClassifier,
    MetaCostClassifier,
    ThresholdClassifier,
)

X, y = load_breast_cancer(return_X_y=True)
y = 1 - y  # malignant is positive
tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
money = {"fn": 10, "fp": 1}
schemes = {
    "tree": tree,
    "weighted": CostWeightedClassifier(tree, money),
    "expected cost": ExpectedCostClassifier(tree, money),
    "MetaCost": MetaCostClassifier(tree, money, random_state=0),
    "threshold": ThresholdClassifier(tree, money, random_state=0),
}
learnt = credibly.run(schemes, X, y, resampling=5, rng=1)
decided = credibly.decide(learnt, money, rule="given_labels")
for estimate in decided.table.where(measure="average_cost"):
    print(f"{estimate.keys['model']:<14}", estimate)
