"""
Numeric prediction
==================

When the thing to predict is a number, an error has a size and a unit. This page goes through the
measures by the question that each answers.
"""

# %%
# The truth is a number, and so is the prediction, which is passed as ``value``. The ten cases stand for
# houses, in thousands. The houses on which the model was trained cost 200 on average. That mean is the
# ``baseline``.

import matplotlib.pyplot as plt
import numpy as np

import credibly

truth = np.array([150, 180, 210, 240, 260, 120, 190, 230, 305, 500.0])
value = np.array([160, 170, 215, 230, 270, 150, 185, 240, 290, 380.0])
predictions = credibly.Predictions.of(truth, value=value, baseline=200.0)

fig, ax = plt.subplots(figsize=(4.6, 3.6), layout="constrained")
ax.plot([100, 520], [100, 520], color="grey", linestyle=":")
ax.axhline(200, color="tab:orange", label="training mean")
ax.plot(truth, value, "o", label="model")
ax.set(xlabel="truth", ylabel="predicted")
ax.legend()
plt.show()

# %%
# How far off, in the unit of the truth?
# --------------------------------------
#
# The mean absolute error counts an error by its size. The root mean squared error counts large
# errors more: most of it comes from one badly undervalued house. The median ignores that house. The
# column ``mean`` shows the same measures for the rule that always predicts the training mean.

print(
    credibly.evaluate(
        predictions, ["mae", "rmse", "median_absolute_error", "max_error", "bias"]
    )
)

# %%
# Better than the mean?
# ---------------------
#
# Relative errors divide by the error of always predicting the training mean. Below 1 the model is
# better than that rule.

print(credibly.evaluate(predictions, ["rae", "rse", "rrse", "r2_training_mean"]))

# %%
# The mean must be that of the *training* part, because only that rule could have been used. Without
# it these measures are refused; they are never computed from the test cases.

from credibly.measures import rrse

try:
    rrse(credibly.Predictions.of(truth, value=value))
except credibly.DataError as error:
    print(error)

# %%
# The familiar R squared compares with the mean of the *test* cases, which nobody knew. It has its
# own name here. The two differ when the test cases differ from the training cases.

print(credibly.evaluate(predictions, ["r2_training_mean", "r2_test_mean"]))

# %%
# The right order?
# ----------------
#
# Correlation ignores scale and shift: predictions that are ten times too large correlate perfectly.
# Rank correlations look only at the order.

tenfold = credibly.Predictions.of(truth, value=10 * truth)
print(credibly.evaluate(tenfold, ["correlation", "spearman", "kendall", "mae"]))

# %%
# As a share of the truth?
# ------------------------
#
# Percentage errors are shares: 0.1 is 10 %. They are infinite where the truth is zero and was missed,
# and a finding says so.

print(credibly.evaluate(predictions, ["mape", "smape", "rmsle"]))
print(credibly.evaluate(credibly.Predictions.of([0.0, 2.0], value=[1.0, 2.0]), "mape"))

# %%
# A quantile?
# -----------
#
# A model may predict a quantile instead of the mean. The pinball loss is least, on average, for the
# true quantile, and about that share of the cases should lie at or below the prediction.

high = credibly.Predictions.of(truth, value=1.25 * value)
print(credibly.evaluate(high, ["pinball(quantile=0.9)", "quantile_coverage"]))
