"""
Costs
=====

Two kinds of mistake are seldom equally bad. A cost matrix says what each costs, and the best
threshold is then no longer one half.
"""

# %%
# A labelled matrix
# -----------------
#
# Rows are the actual class, columns the predicted one, and the classes are named, so a transposed
# or reordered table is noticed. Suppose that a missed cancer costs as much as ten false alarms.

from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np

import credibly
from credibly import CostMatrix

costs = CostMatrix.of([[0, 1], [10, 0]], classes=["benign", "malignant"])
costs.cost("malignant", "benign"), costs.cost("benign", "malignant")

# %%
# A matrix with the predicted class in the rows is turned by ``orientation``, and the order of the
# classes does not matter.

same = CostMatrix.of(
    [[0, 1], [10, 0]], classes=["malignant", "benign"], orientation="predicted"
)
same.cost("malignant", "benign")

# %%
# The cost of a model
# -------------------
#
# With ``costs=`` the measures include the total and the average cost.

path = files("credibly") / "demo_data" / "breast-cancer.csv"
columns = {
    "truth": "truth",
    "probability": "probability",
    "row": "row",
    "model": "model",
    "fold": "fold",
    "baseline": ["baseline_benign", "baseline_malignant"],
    "n_train": "n_train",
}
predictions = credibly.read(path, **columns, positive="malignant")
wanted = ["error_rate", "average_cost", "total_cost"]
print(credibly.evaluate(predictions, wanted, costs=costs, estimate="pooled"))

# %%
# The threshold
# -------------
#
# If the probabilities can be believed, a case should be called malignant when its probability is at
# least 1 / (1 + 10): the cost of a false alarm over the sum of both costs. The plot of the average
# cost at every threshold tests that rule.

from credibly.predictions.summaries import ScoreTable

fig, ax = plt.subplots(figsize=(5.8, 3.4), layout="constrained")
for name in ("logistic", "naive-bayes"):
    table = ScoreTable.of(predictions.take(predictions.model == name))
    decisions = table.decisions()
    cost = (1 * decisions.fp + 10 * decisions.fn) / decisions.total
    ax.plot(table.score, cost, label=name)
    best = np.argmin(cost)
    print(
        f"{name}: least average cost {cost[best]:.4f}, positive from {table.score[best]:.3g} on"
    )
ax.axvline(1 / 11, color="grey", linestyle=":", label="1 / 11")
ax.set(xlabel="positive from this probability on", ylabel="average cost", ylim=(0, 0.8))
ax.legend()
plt.show()

# %%
# The least cost on these cases is too optimistic: the threshold was chosen by looking at them. The
# threshold 1 / 11 was not. Labels at that threshold come from the same file.

advised = credibly.read(path, **columns, positive="malignant", threshold=1 / 11)
wanted = ["error_rate", "recall", "average_cost"]
print(credibly.evaluate(advised, wanted, costs=costs, estimate="pooled"))

# %%
# There are more errors, at a lower cost.
#
# Compare with the baselines here too: what does a rule cost that ignores the case? Calling every
# tumour malignant costs less than calling every one benign.

logistic = advised.take(advised.model == "logistic")
print(credibly.evaluate(logistic, "average_cost", costs=costs, estimate="pooled"))

# %%
# More than two classes
# ---------------------
#
# Costs may have any number of classes, and benefits are negative costs. A case without a label costs
# what its worst label would.

three = credibly.Predictions.of(list("abcab"), label=["a", "b", "a", "c", None])
money = CostMatrix.of([[-5, 1, 2], [3, -5, 1], [8, 4, -5]], classes=list("abc"))
print(credibly.evaluate(three, ["total_cost", "average_cost"], costs=money))
