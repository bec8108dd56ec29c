"""
Weights and groups
==================

Rows are not always worth one case each, and not always independent. This page shows how to tell
Credibly about both.
"""

# %%
# Two kinds of weights
# --------------------
#
# A weight may *count*: three equal cases written as one row. Or it may say how much a case *matters*:
# how many people of a population a person in a survey stands for. The value of a measure is the
# same for both, but its interval is not.

import numpy as np

import credibly

truth = [1] * 6 + [0] * 6
label = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
weight = [1, 1, 1, 5, 1, 5, 1, 1, 1, 1, 5, 1]

for kind in ("frequency", "importance"):
    p = credibly.Predictions.of(
        truth, label=label, sample_weight=weight, weight_kind=kind
    )
    e = credibly.evaluate(p, "accuracy")["accuracy"]
    print(
        f"{kind:11} {e.value:.4f} [{e.interval.low:.3f}, {e.interval.high:.3f}]  {e.interval.method}"
    )

# %%
# These frequency weights count 24 cases, and the interval is that of 24 cases. As importance
# weights they describe twelve people, three of whom represent five each. That is information from
# twelve people, and because the weights are unequal from even fewer. The interval uses the
# effective size, and its method says so.

w = np.array(weight)
w.sum(), w.sum() ** 2 / (w**2).sum()

# %%
# If you do not state the kind, weights are read as importance weights, which is the cautious
# choice, and a finding says so.

print(
    credibly.evaluate(
        credibly.Predictions.of(truth, label=label, sample_weight=weight), "recall"
    )
)

# %%
# A rate for another population
# -----------------------------
#
# Importance weights translate a result to a population with other class shares. Of these tumours 37
# % are malignant. In a population with 5 % recall and specificity stay the same, and precision
# falls.

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
clinic = predictions.take(predictions.model == "logistic")
malignant = clinic.truth == clinic.positive
share = malignant.mean()
screening = credibly.Predictions.of(
    np.where(malignant, "malignant", "benign"),
    probability=clinic.probability,
    positive="malignant",
    sample_weight=np.where(malignant, 0.05 / share, 0.95 / (1 - share)),
    weight_kind="importance",
)
wanted = ["prevalence", "recall", "specificity", "precision"]
print(credibly.evaluate(clinic, wanted, estimate="pooled"), "\n")
print(credibly.evaluate(screening, wanted))

# %%
# Groups
# ------
#
# ``group`` says which rows belong together: the visits of a patient, the pixels of an image, the
# customers of a branch. Rows of one group resemble each other, so they carry less information than
# their number suggests.
#
# Forty patients come five times each. Some are easy to diagnose and some are hard, and a hard one stays
# hard at every visit.

rng = np.random.default_rng(1)
patient = np.repeat(np.arange(40), 5)
hard = rng.random(40) < 0.3
ill = rng.random(200) < 0.5
right = rng.random(200) < np.where(hard[patient], 0.4, 0.98)
diagnosis = np.where(right, ill, ~ill)

alone = credibly.Predictions.of(ill, label=diagnosis)
grouped = credibly.Predictions.of(ill, label=diagnosis, group=patient)
print(credibly.evaluate(alone, "accuracy"), "\n")
print(credibly.evaluate(grouped, "accuracy"))

# %%
# The accuracy is the same. The first interval takes the 200 visits as independent and is too narrow.
# The second takes the 40 patients as independent.

import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 1.8), layout="constrained")
for place, p in enumerate((alone, grouped)):
    e = credibly.evaluate(p, "accuracy")["accuracy"]
    ax.plot([e.interval.low, e.interval.high], [place, place], color="tab:blue")
    ax.plot(e.value, place, "o", color="tab:blue")
ax.set_yticks([0, 1], ["200 visits", "40 patients"])
ax.set(xlabel="accuracy, with 95 % interval", ylim=(1.5, -0.5))
plt.show()

# %%
# One group at a time
# -------------------
#
# ``by="group"`` shows each group by itself, if groups are few and large. Here they are three
# hospitals, assigned by the number of the row, since the data name none.

hospital = np.array(["east", "north", "west"])[clinic.row % 3]
by_hospital = credibly.Predictions.of(
    np.where(malignant, "malignant", "benign"),
    probability=clinic.probability,
    positive="malignant",
    group=hospital,
)
print(credibly.evaluate(by_hospital, ["recall", "specificity", "auc"], by="group"))
