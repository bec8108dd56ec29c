"""
Resampling
==========

A model must not be judged on the rows it was trained on. A resampling is a rule that splits the
rows into training and test parts. This page shows the rules, what they guarantee and what can go
wrong.
"""

# %%
# Rules and splits
# ----------------
#
# A resampling is a rule without rows. Calling it sets its arguments.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

from credibly.resampling import as_resampling, folds, resamplings

X, y = load_iris(return_X_y=True)
rule = folds(k=10, repeats=10)
rule, sorted(rule.promises)

# %%
# ``realise`` applies it to given rows. Nothing is random without a seed; the same seed gives the
# same splits, and their fingerprint shows it. Splits are made when they are needed, so leaving one
# out of a hundred thousand rows takes no more memory than a single split.

splits = rule.realise(X, y, rng=1)
print(splits, splits.fingerprint)
print(splits[0].train.size, splits[0].test.size, np.bincount(y[splits[0].test]))

# %%
# The same names work on the command line and in Python: ``"10x10"`` means ten repeats of ten folds.
# A number of folds keeps groups whole if rows come in groups.

for name in ("10x10", "5x2", "5", "loo", "holdout(test=0.25)", "leave-one-group-out"):
    print(f"{name:20} {as_resampling(name)}")

# %%
# What each makes of the rows
# ---------------------------
#
# ``credibly list resampling --n 150`` prints this table. *Overlap* is the share of one training part
# that is also in another: the higher it is, the more alike the models are, and the less the spread
# of their scores shows the uncertainty. *Inclusion* is the probability that a row is trained on.

print(f"{'':20} {'splits':>7} {'overlap':>8} {'inclusion':>9}")
for each in resamplings:
    told = each.columns(150)
    overlap = "" if told["overlap"] is None else f"{told['overlap']:.3f}"
    print(f"{each.name:20} {told['splits']:7,} {overlap:>8} {told['inclusion']:9.3f}")

# %%
# Twenty rows under six rules, one line per split: test rows are dark, training rows light, and
# unused rows white. The first half of the rows is one class.

classes = np.repeat([0, 1], 10)
shown = (
    "folds(k=5)",
    "holdout(swapped=True)",
    "bootstrap(replicates=5)",
    "grouped_folds(k=4)",
    "time_ordered(k=4, gap=1)",
    "subsets(parts=2, k=3)",
)
figure, axes = plt.subplots(3, 2, figsize=(8, 5), layout="constrained")
for ax, name in zip(axes.flat, shown, strict=True):
    cut = as_resampling(name).realise(20, classes, groups=np.arange(20) // 3, rng=1)
    grid = np.zeros((len(cut), 20))
    for line, split in zip(grid, cut, strict=True):
        line[split.train] = 1
        line[split.test] = 3
    ax.pcolormesh(grid, cmap="Blues", vmax=3.5, edgecolors="white", linewidth=1)
    ax.set(title=name, yticks=[], xticks=[])
    ax.invert_yaxis()

# %%
# Groups
# ------
#
# Rows of the same patient, town or day resemble each other. If some are used for training and some
# for testing, the model is judged on what it has partly seen. A finding reports this as a problem.

from credibly.resampling import doubts, grouped_folds, leave_one_group_out

town = np.arange(150) % 12
for rule in (folds(k=4), grouped_folds(k=4), leave_one_group_out):
    splits = rule.realise(X, y, groups=town, rng=1)
    found = doubts(splits, strata=y, group=town)
    print(f"{rule!s:20} {[f.code for f in found]}")

# %%
# ``doubts`` also finds classes that are absent from a part, test parts that are too small, rows in
# both parts, and rows with the same features in both. One flower occurs twice in the iris data.

for finding in doubts(folds(k=10).realise(X, y, rng=1), strata=y, X=X):
    print(finding)

# %%
# scikit-learn, both ways
# -----------------------
#
# With a seed, a resampling is a splitter for ``cv=``. And any splitter, or a list of training and test
# rows, is taken as a resampling.

from sklearn.model_selection import ShuffleSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB

scores = cross_val_score(GaussianNB(), X, y, cv=folds(k=5).seeded(1))
scores.round(3), as_resampling(ShuffleSplit(3, random_state=1)).realise(X)

# %%
# Weka's folds
# ------------
#
# ``weka_folds`` makes the folds of Weka's cross-validation, so that results can be compared fold by
# fold: Java's random numbers, Weka's shuffle and stratification, and its default seed.

from credibly.resampling import weka_folds

weka_folds.realise(X, y)[0].test
