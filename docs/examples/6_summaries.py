"""
Summaries add, subtract and batch
=================================

Credibly is built on one rule: *a summary is linear in the case weights, and a measure is a function of
a summary*. This page shows what the rule gives.
"""

# %%
# A summary is what a measure needs to know about the predictions. For measures of labels it is the
# confusion matrix, for measures of ranking the table of scores.

from importlib.resources import files

import numpy as np

import credibly
from credibly.measures import accuracy, auc, precision, recall, youden
from credibly.predictions.summaries import BinaryCounts, Counts, ScoreTable

predictions = credibly.read(
    files("credibly") / "demo_data" / "breast-cancer.csv",
    truth="truth",
    probability="probability",
    positive="malignant",
    row="row",
    model="model",
    fold="fold",
    baseline=["baseline_benign", "baseline_malignant"],
    n_train="n_train",
)
logistic = predictions.take(predictions.model == "logistic")
Counts.of(logistic).matrix

# %%
# Adding
# ------
#
# The predictions come from ten folds. Each fold has a summary of its own; their sum is the summary of
# all cases. The folds may be in ten files or on ten machines: only the summaries must be brought
# together.

parts = [part for _, part in logistic.groups(["fold"])]
counts = sum((Counts.of(part) for part in parts[1:]), Counts.of(parts[0]))
scores = sum((ScoreTable.of(part) for part in parts[1:]), ScoreTable.of(parts[0]))
print("accuracy", accuracy.of_summary(counts), "=", accuracy(logistic))
print("AUC     ", auc.of_summary(scores), "=", auc(logistic))

# %%
# This *pools* the cases. The mean over the folds is another estimate. For a measure that is a mean over
# cases the two are close; for AUC they need not be, because pooling also compares cases of different
# folds, which were scored by different models.

print("mean of the folds' AUC", np.mean([auc(part) for part in parts]))

# %%
# Subtracting
# -----------
#
# Leaving a fold out is a subtraction, and nothing has to be counted again. That is a jackknife over
# folds.

without = [auc.of_summary(scores - ScoreTable.of(part)) for part in parts]
print("AUC without each fold:", np.round(without, 4))

# %%
# Batches
# -------
#
# The fields of a summary are arrays, so one object can hold many tables, and a measure of it is an
# array. The running sums of a score table are the two-by-two tables of *all* thresholds. Any measure of
# labels, applied to them, becomes a curve.

table = ScoreTable.of(logistic)
every = table.decisions()
print(type(every).__name__, "of", every.tp.size, "thresholds")

import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 3.2), layout="constrained")
for measure in (recall, precision, youden):
    ax.plot(table.score, measure.of_summary(every), label=measure.title)
ax.set(xlabel="positive from this probability on", ylim=(0, 1.02))
ax.legend()
plt.show()

# %%
# The same with four numbers from elsewhere: a batch of three tables, and one call.

batch = BinaryCounts.of_outcomes(
    tp=[7, 9, 10], fp=[1, 5, 20], fn=[3, 1, 0], tn=[19, 15, 0]
)
youden.of_summary(batch)

# %%
# A division by zero gives NaN in that one table and does not affect the others: the third rule
# calls everything positive, so no case is labelled negative.

from credibly.measures import negative_predictive_value

negative_predictive_value.of_summary(batch)

# %%
# Weights
# -------
#
# Linear in the weights also means that a case of weight three is three equal cases, in every measure.

once = credibly.Predictions.of(
    [1, 1, 0, 0],
    score=[0.9, 0.4, 0.6, 0.1],
    sample_weight=[3, 1, 2, 1],
    weight_kind="frequency",
)
thrice = credibly.Predictions.of(
    [1, 1, 1, 1, 0, 0, 0], score=[0.9, 0.9, 0.9, 0.4, 0.6, 0.6, 0.1]
)
auc(once), auc(thrice)
