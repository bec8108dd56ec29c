"""
Schemes: over folds and over datasets
=====================================

Often only values are known, not predictions: one per fold, one per dataset, or the means of a
paper. This page compares schemes (learners) by such values.
"""

# %%
# Values over folds
# -----------------
#
# Ten accuracies of each scheme, from the ten folds of one cross-validation. The folds share
# training cases; the size of a test part divided by that of its training part says how many.

from credibly import compare
from credibly.comparisons import DatasetTable, FoldValues, Moments, rank_schemes

first = [0.84, 0.78, 0.67, 0.87, 0.80, 0.78, 0.78, 0.79, 0.82, 0.81]
second = [0.88, 0.97, 0.74, 0.80, 0.87, 0.90, 0.90, 0.86, 0.84, 0.78]
folds = FoldValues(first, second, measure_name="accuracy", test_train_ratio=1 / 9)
print(compare(folds))

# %%
# The plain paired t-test treats the differences as independent. It rejects, and a finding says what
# is wrong with it.

print(compare(folds, test="paired_t"))

# %%
# A Bayesian answer
# -----------------
#
# How probable is it that the first is lower, that it is higher, or that the two differ by less than
# one per cent, which does not matter?

compare(folds, test="bayesian_correlated_t(rope=0.01)").probabilities

# %%
# Means of a paper
# ----------------
#
# If only means and variances of separate runs are known, use Welch's t.

paper = Moments(means=(0.794, 0.854), variances=(0.0029, 0.0045), sizes=(10, 10))
print(compare(paper))

# %%
# Several schemes on several datasets
# -----------------------------------
#
# AUCs of four variants of C4.5 on fourteen datasets (Demsar 2006, table 6). Values of different datasets
# can hardly be averaged, so the schemes are ranked on each of them; rank 1 is the best. Friedman's test, in
# the form of Iman and Davenport, asks whether the average ranks differ at all.

aucs = {
    "C4.5": [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957],
    "C4.5+m": [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978],
    "C4.5+cf": [.771, .590, .968, .654, .886, .916, .609, .563, .866, 1, .965, .614, .975, .946],
    "C4.5+m+cf": [.798, .569, .967, .657, .898, .931, .685, .625, .875, 1, .962, .669, .975, .970],
}  # fmt: skip
table = DatasetTable.of(aucs, measure="auc")
print(compare(table))

# %%
# Average ranks that lie closer than the critical difference cannot be distinguished. Groups of such schemes
# are the bars of a critical-difference diagram.

ranking = compare(table)
print(dict(zip(ranking.schemes, ranking.average_ranks, strict=True)), ranking.groups)
ranking.plot().draw()

# %%
# Nemenyi's test compares all pairs. If all schemes are compared with one that was named beforehand,
# there are fewer comparisons, and the critical difference is smaller. Holm's and other adjustments
# go step by step and have none.

against = rank_schemes(table, correction="bonferroni_dunn", against="C4.5")
for pair in against.pairs:
    print(f"{pair.first} against {pair.second}: p = {pair.adjusted:.3f}")

# %%
# Two schemes over datasets are compared by Wilcoxon's signed-rank test, which is exact here even
# with ties and zeros.

print(compare(table.pair(0, 3)))
