"""
Ranking: AUC, ties, average precision and lift
==============================================

A score puts the cases in an order. Measures of ranking ask how good that order is, before anybody
decides where to cut it. All of them come from one table: the distinct scores, with the number of
positive and of negative cases at each.
"""

# %%
# Pairs and ties
# --------------
#
# The area under the ROC curve is a share of pairs. Take every pair of a positive and a negative case.
# The pair is right when the positive case has the larger score. A tied pair counts half.

import credibly
from credibly.measures import auc, concordant_pairs, discordant_pairs, tied_pairs

small = credibly.Predictions.of([1, 1, 1, 0, 0], score=[0.9, 0.6, 0.3, 0.6, 0.1])
right, wrong, tied = concordant_pairs(small), discordant_pairs(small), tied_pairs(small)
right, wrong, tied, (right + tied / 2) / (right + wrong + tied), auc(small)

# %%
# Equal scores are always one group. The order of tied rows in a file changes no number.
#
# The table of scores
# -------------------
#
# :class:`~credibly.predictions.summaries.ScoreTable` holds the distinct scores from the largest down. Its running
# sums are the outcomes of every threshold at once: a case is labelled positive when its score is *at
# least* the threshold.

from credibly.predictions.summaries import ScoreTable

scores = ScoreTable.of(small)
for score, tp, fp in zip(scores.score, scores.tp, scores.fp, strict=True):
    print(
        f"positive from {score} on: {tp:.0f} true positives, {fp:.0f} false positives"
    )

# %%
# Curves are columns of that table
# --------------------------------
#
# The ROC curve sets the true positive rate against the false positive rate. The precision-recall
# curve sets precision against recall. Both are drawn here for two of the models that predicted the
# tumours, straight from the table.

from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np

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

fig, (roc, pr) = plt.subplots(1, 2, figsize=(7.2, 3.4), layout="constrained")
for name in ("logistic", "tree"):
    t = ScoreTable.of(predictions.take(predictions.model == name))
    tpr = np.append(0, t.tp / t.positives)
    fpr = np.append(0, t.fp / t.negatives)
    roc.plot(fpr, tpr, marker=".", label=name)
    pr.step(tpr[1:], t.tp / (t.tp + t.fp), where="pre", marker=".", label=name)
roc.plot([0, 1], [0, 1], color="grey", linestyle=":")
roc.set(xlabel="false positive rate", ylabel="true positive rate", title="ROC")
pr.set(xlabel="recall", ylabel="precision", ylim=(0, 1.02), title="precision-recall")
pr.legend()
plt.show()

# %%
# The decision tree gives few distinct probabilities, so its curve has few corners. Between two corners
# of the ROC curve lies a straight line: that is the half of each tied pair.
#
# Between two points of a precision-recall curve there is no straight line. Average precision therefore
# adds steps, the precision at each new positive case, and joins nothing. Trapezoids under that
# curve would claim a precision that no threshold reaches.

ranking = [
    "auc",
    "gini",
    "ks",
    "average_precision",
    "eleven_point_average_precision",
    "h_measure",
]
print(credibly.evaluate(predictions, ranking, estimate="pooled"))

# %%
# Lift
# ----
#
# When only ``k`` cases can be looked at, what matters is how many positives are among the ``k`` best.
# Lift compares that with as many cases drawn at random. If the cut falls into a group of equal
# scores, the group counts with its expected share.

best = ["precision_at(k=50)", "recall_at(k=50)", "lift_at(k=50)"]
print(credibly.evaluate(predictions, best, estimate="pooled"))

# %%
# With 212 malignant tumours among 569, no lift can be larger than 569 / 212.

569 / 212
