"""
Printed numbers
===============

Papers and textbooks print summaries of an evaluation: a confusion matrix, "750 of 1,000", two
discordant counts, means with standard deviations. Credibly evaluates them as the cases that they
count.
"""

# %%
# A confusion matrix
# ------------------
#
# The table of the previous page as it is printed: its totals are checked and left out. Lists,
# arrays, frames and mappings work as well, and ``orientation="predicted"`` turns a table whose rows
# are the predicted classes.

import credibly
from credibly import Predictions
from credibly.comparisons import Discordant, FoldValues, Moments

printed = [
    ["actual", "a", "b", "c", "total"],
    ["a", 88, 10, 2, 100],
    ["b", 14, 40, 6, 60],
    ["c", 18, 10, 12, 40],
    ["total", 120, 60, 20, 200],
]
predictions = Predictions.from_counts(printed)
print(credibly.evaluate(predictions, ["accuracy", "kappa", "balanced_accuracy"]))

# %%
# Every verb that needs only labels takes it: intervals, tests, checks, reports, costs. Measures
# that need scores say that counts have none. Counts may be of any size, since rows are never
# written out.

costs = credibly.CostMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]], classes=["a", "b", "c"])
print(credibly.decide(predictions, costs))

# %%
# Two tables are treated as two samples: they cannot show which errors fall on the *same* cases. So
# you have to say ``independent=True``.

other = Predictions.from_counts(
    [[80, 12, 8], [16, 36, 8], [14, 8, 18]], classes=["a", "b", "c"]
)
print(credibly.compare(predictions, other, "accuracy", independent=True))

# %%
# On the command line ``--matrix`` reads such a table from a CSV file, a list of cells (actual, predicted,
# count) or what Weka prints: ``credibly evaluate table.csv --matrix``. A file that looks like a
# table of counts is never read as a handful of cases.
#
# So many of so many
# ------------------
#
# A success rate of 75 % is less certain with 100 cases than with 1,000. Here are the limits at a
# level of 80 % by every method; ``credibly interval 75 100 --confidence-level 0.8`` prints the
# same.

print(credibly.interval(75, 100, confidence_level=0.8))

# %%
# How many cases would give an interval of width 0.05?

found = credibly.interval(75, 100, method=["wilson", "exact", "wald"], width=0.05)
print(found)

# %%

import matplotlib.pyplot as plt

credibly.interval(75, 100, confidence_level=0.8).plot().draw()
plt.show()

# %%
# Two discordant counts
# ---------------------
#
# If two models are judged on the same cases, only the cases that exactly one of them gets wrong
# distinguish them. Their two counts are enough for McNemar's test, in each of its variants; the
# number of all cases adds the difference of the error rates. ``credibly compare --discordant 12 5
# --cases 100`` prints the same.

print(credibly.compare(Discordant(12, 5, cases=100)))

# %%
# Means, and values of folds
# --------------------------
#
# Means and variances over independent runs are compared by Student's t for two samples,

print(credibly.compare(Moments((0.81, 0.78), (0.02**2, 0.03**2), (10, 10))))

# %%
# values over folds by tests that allow for the overlap of training sets. Name several tests to see
# them side by side; believe the one that you chose beforehand.

values = FoldValues(
    [0.81, 0.79, 0.84, 0.80, 0.83],
    [0.78, 0.80, 0.80, 0.77, 0.81],
    test_train_ratio=1 / 4,
)
print(
    credibly.compare(
        values, test=["paired_t", "corrected_resampled_t", "wilcoxon", "sign_test"]
    )
)
