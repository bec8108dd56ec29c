"""
From predictions to numbers
===========================

Credibly does not train models. It starts from what a model said and what turned out to be true: a
table with one row for each predicted case. This page reads such a table, computes measures from it
and writes the result as JSON.
"""

# %%
# Predictions
# -----------
#
# The predictions may be arrays. The truth comes first; what was predicted is named. Here the model
# gave the probability of ``"yes"`` for six cases.

import credibly

few = credibly.Predictions.of(
    ["yes", "no", "yes", "no", "no", "yes"],
    probability=[0.9, 0.2, 0.4, 0.1, 0.6, 0.7],
    positive="yes",
)
few

# %%
# Labels were made from the probabilities: ``yes`` where the probability is at least one half. A column
# is checked once, copied, and then never changes.
#
# The same object comes from a file. The columns of the file are named by their role. ``baseline`` holds
# the shares of the classes in the part of the data on which each model was trained; some measures
# need it.

from importlib.resources import files

path = files("credibly") / "demo_data" / "breast-cancer.csv"
predictions = credibly.read(
    path,
    truth="truth",
    probability="probability",
    positive="malignant",
    row="row",
    model="model",
    fold="fold",
    baseline=["baseline_benign", "baseline_malignant"],
    n_train="n_train",
)
predictions

# %%
# Measures
# --------
#
# :func:`credibly.evaluate` computes every measure that the predictions allow. Name the measures
# that you need to get fewer. The file holds four models; models are never mixed, so each has its
# own column.
#
# The predictions come from ten folds. ``estimate="pooled"`` takes the cases of all folds together. Without
# it the mean over folds is shown as well; :doc:`a_running_schemes` says how the two differ.

wanted = ["error_rate", "recall", "specificity", "auc", "brier"]
table = credibly.evaluate(predictions, wanted, estimate="pooled")
print(table)

# %%
# The numbers in brackets are a 95 % confidence interval. It is about *cases*: it says how far the rate
# of these fitted models may be from what is seen here, because 569 cases are not all cases. It does
# not say what another training set would change. The method of an interval depends on the measure,
# and the estimate names it.

for e in table.where(model="logistic"):
    print(f"{e.title}: {e.interval.method}, about {e.interval.about}")

# %%
# For one model the table also shows the baselines, which are rules that ignore the case.

logistic = predictions.take(predictions.model == "logistic")
wanted = ["error_rate", "recall", "precision", "brier"]
print(credibly.evaluate(logistic, wanted, estimate="pooled"))

# %%
# Calling every tumour benign would be wrong for 37 % of the cases. Compare an error rate of 2 %
# with that.
#
# Look up one estimate by the name of its measure.

pooled = credibly.evaluate(logistic, "error_rate", estimate="pooled")
estimate = pooled["error_rate"]
estimate.value, estimate.interval.low, estimate.interval.high, estimate.baselines

# %%
# A picture
# ---------
#
# ``rows()`` gives plain dictionaries and ``frame()`` a data frame, so any plotting library will do.

import matplotlib.pyplot as plt

errors = credibly.evaluate(predictions, "error_rate", estimate="pooled").rows()
fig, ax = plt.subplots(figsize=(6, 2.4), layout="constrained")
for place, e in enumerate(errors):
    ax.plot([e["low"], e["high"]], [place, place], color="tab:blue")
    ax.plot(e["value"], place, "o", color="tab:blue")
ax.set_yticks(range(len(errors)), [e["model"] for e in errors])
ax.set_xlim(left=0)
ax.set_xlabel("error rate, with 95 % interval")
ax.invert_yaxis()
plt.show()

# %%
# The intervals of the logistic model and of the nearest neighbours overlap. That does not show that
# the two are equally good. They were judged on the same cases, and a comparison that uses this
# shows more than two separate intervals.
#
# JSON
# ----
#
# JSON holds the whole result with full precision, for other programs. The page
# :doc:`/json` describes its fields.

print(pooled.to_json())
