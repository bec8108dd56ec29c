"""
Curves
======

No single number says which threshold to use. A curve shows every threshold at once; the hull of
several curves shows which model to use for which class shares and costs.
"""

# %%
# Drawing one
# -----------
#
# ``curve`` takes predictions and a name from ``credibly list curves``. Several models give several
# curves, which you select by name.

from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np

import credibly
from credibly.curves import (
    best_stretches,
    binormal,
    dominates,
    ordered_volume,
    threshold_table,
)

path = files("credibly") / "demo_data" / "breast-cancer.csv"
predictions = credibly.read(path, positive="malignant")
roc = credibly.curve(predictions, "roc")
print(roc["tree"])

# %%
# The points carry their thresholds, and ``at`` gives the value between them. Cases of equal score move
# together: the straight line through them is what a random order would give on average.

roc["tree"].at(0.05), roc["tree"].numbers

# %%
# A band
# ------
#
# A pointwise band is right for one false positive rate chosen beforehand, a simultaneous one for the
# whole curve. Both use bootstrap replicates, so they need a seed.

tree = predictions.take(predictions.model == "tree")
fig, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for ax, band in zip(axes, ("pointwise", "simultaneous"), strict=True):
    c = credibly.curve(tree, "roc", band=band, rng=1)
    thin = c.thinned()
    ax.fill_between(c.band.x, c.band.low, c.band.high, alpha=0.3)
    ax.plot(thin.x, thin.y)
    ax.plot(*c.beside["chance"], linestyle="dotted", color="grey")
    ax.set(title=band, xlabel=c.x_title, ylabel=c.y_title)
fig.tight_layout()

# %%
# Folds
# -----
#
# The predictions of all folds are pooled unless an average is asked for: at equal false positive
# rates ("vertical") or at equal thresholds. The curves of the folds stay in ``parts``.

mean = credibly.curve(predictions, "roc", average="vertical")["tree"]
fig, ax = plt.subplots(figsize=(5, 4))
for part in mean.parts:
    ax.plot(part.x, part.y, color="lightgrey")
ax.plot(mean.x, mean.y)
ax.set(xlabel=mean.x_title, ylabel=mean.y_title)
mean.band.about, mean.band.method

# %%
# The same cases, three pictures
# ------------------------------
#
# Lift chart, ROC curve and precision-recall curve are columns of one table.

print(threshold_table(tree, points=6))

# %%
# Where the model will be used, positives may be rarer than here. ``prevalence`` reweights the
# classes.

here = credibly.curve(tree, "precision_recall")
there = credibly.curve(tree, "precision_recall", prevalence=0.05)
here.at(0.9), there.at(0.9)

# %%
# Cost curves
# -----------
#
# A point of the ROC curve is a line here: its expected cost for every mix of classes and costs. The
# lower envelope is the cost with the best threshold everywhere; the dotted lines are the two rules
# that ignore the case.

costs = credibly.curve(predictions, "cost")
fig, ax = plt.subplots(figsize=(6, 4))
for model, c in costs.items():
    ax.plot(c.x, c.y, label=model)
for x, y in costs["tree"].beside.values():
    ax.plot(x, y, linestyle="dotted", color="grey")
ax.set(ylim=(0, 0.15), xlabel=costs["tree"].x_title, ylabel=costs["tree"].y_title)
ax.legend()

# %%
# The hull says which model is best where:

for stretch in best_stretches(costs, better="below"):
    print(stretch)

# %%
# The hull
# --------
#
# The ROC hull answers the same question. Every corner has its model, its threshold and the range of
# class shares and costs for which nothing is cheaper; models that are never best are named.

hull = credibly.hull(predictions)
print(hull)

# %%
# Given a prevalence and costs, a line of equal cost touches the hull in one corner.

best = hull.best(prevalence=0.01, false_negative=20)
str(best.point), best.slope, best.expected_cost

# %%
# A classifier that chooses one of two corners at random for each case lies between them.

mixture = hull.mixture(false_positive_rate=0.2)
scores = {
    str(keys["model"]): part.probabilities_of(part.positive)
    for keys, part in predictions.groups(["model"])
}
called = mixture.predict(scores, rng=1)
mixture.true_positive_rate, called.mean()

# %%
# One model dominates another if its curve is nowhere lower.

dominates(roc["logistic"], roc["tree"]), dominates(roc["logistic"], roc["naive-bayes"])

# %%
# Smooth curves and three classes
# -------------------------------
#
# The binormal curve comes from two numbers, fitted by maximum likelihood on grouped ranks.

fit = binormal(tree)
fit.a, fit.b, fit.area, fit.standard_error

# %%
# With three classes a curve becomes a surface, and chance a sixth of its volume.

rng = np.random.default_rng(1)
stage = rng.choice(["early", "middle", "late"], 200)
marker = rng.normal(size=200) + 1.5 * (stage == "middle") + 3 * (stage == "late")
print(ordered_volume(stage, marker, order=["early", "middle", "late"]))
