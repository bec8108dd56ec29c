"""
Comparisons: is one model really better?
========================================

Two models never score exactly the same. The question is whether the difference would occur again,
on new cases or with new training sets. The right test depends on how the predictions were made, and
:func:`credibly.compare` reads that from the predictions.
"""

# %%
# Four schemes, ten folds
# -----------------------
#
# The predictions that come with Credibly are of four schemes by ten-fold cross-validation. Each fold was
# predicted by a model of its own, and any two of these models share most of their training cases.
# So the ten differences are not independent, and a plain t-test would raise far too many false
# alarms. The default test allows for the overlap.

from importlib.resources import files

import credibly

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
schemes = credibly.compare(predictions, measure="error_rate")
print(schemes)

# %%
# The same as a picture: differences with their intervals. An interval that crosses the line is
# compatible with no difference.

import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(7.2, 2.8), layout="constrained")
for place, result in enumerate(schemes.results):
    limits = result.confidence_interval
    ax.plot([limits.low, limits.high], [place, place], color="tab:blue")
    ax.plot(result.difference, place, "o", color="tab:blue")
ax.axvline(0, color="grey", linestyle=":")
ax.set_yticks(
    range(len(schemes)), [" - ".join(r.names) for r in schemes.results], fontsize=8
)
ax.set(xlabel="difference of error rates, 95 % interval")
ax.invert_yaxis()
plt.show()

# %%
# Six pairs give six chances of a false alarm, so the last column adjusts the p-values for their
# number. The full output of one pair says which test was made, why, what it assumes and whether
# that holds here. The difference and its interval come before the p-value.

print(schemes["logistic", "tree"])

# %%
# These models on new cases
# -------------------------
#
# Another question is whether exactly these fitted models differ on new cases. That is a comparison
# over cases: name such a test, or leave out the folds. For error rates it is McNemar's, which looks
# at the cases on which only one of the two errs.

logistic, tree = (
    predictions.take(predictions.model == name) for name in ("logistic", "tree")
)
mcnemar = credibly.compare(logistic, tree, "error_rate", test="mcnemar")
print(mcnemar)

# %%
# For AUCs it is DeLong's test, for mean losses such as the Brier score the paired t-test on what each case
# costs, and for any other smooth measure influence values: how much each case moves the difference.

for measure, test in (
    ("auc", "delong"),
    ("brier", "paired_losses"),
    ("mcc", "influence"),
):
    result = credibly.compare(logistic, tree, measure, test=test)
    limits = result.confidence_interval
    print(
        f"{measure:6} {result.difference:+.4f} [{limits.low:+.4f}, {limits.high:+.4f}] "
        f"p = {result.pvalue:.2g}"
    )

# %%
# Alike, or not shown to differ?
# ----------------------------------
#
# A null hypothesis that is not rejected is not shown to be true. To show that two schemes are alike, say
# which difference would not matter, and test whether the true one lies within that margin.

bayes = predictions.take(predictions.model == "naive-bayes")
alike = credibly.compare(logistic, bayes, "auc", test="delong", margin=0.02)
print(alike.null, "->", "rejected" if alike.rejected else "not rejected")
print(
    f"p = {alike.pvalue:.3g}, 90 % interval {alike.confidence_interval.low:+.4f} "
    f"to {alike.confidence_interval.high:+.4f}"
)

# %%
# Against a requirement
# ---------------------
#
# One model can be compared with a value: an AUC with 0.5, or a recall with what was promised.

promised = credibly.compare(
    logistic, measure="recall", against=0.9, alternative="greater"
)
print(promised)

# %%
# Any measure
# -----------
#
# Measures that jump, such as the sensitivity at a fixed specificity, need the bootstrap, and that
# needs a seed. A permutation test asks what equally good models would give: it swaps the
# predictions of the two models, case by case.

sensitivity = "sensitivity_at_specificity(specificity=0.95)"
for test in ("bootstrap", "permutation"):
    result = credibly.compare(logistic, tree, sensitivity, test=test, rng=1)
    print(f"{result.title:12} {result.difference:+.3f}  p = {result.pvalue:.3g}")

# %%
# What is refused
# ---------------
#
# Models that were judged on different cases cannot be compared case by case. Say ``independent=True`` if
# they are separate samples; say ``partial=True`` if some rows are shared.

try:
    credibly.compare(logistic, tree.take(slice(0, 500)), "auc")
except credibly.DataError as refusal:
    print(refusal)
