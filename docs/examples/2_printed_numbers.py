"""
Printed numbers
===============

Papers and text books print what is left of an evaluation: a confusion matrix, "750 of 1,000", two
discordant counts, means with standard deviations. These are evidence, and stand for the cases that
they count.
"""

# %%
# A confusion matrix
# ------------------
#
# The table of the page before, as it is printed: with its totals, which are checked and left out. Lists,
# arrays, frames and mappings will do, and ``orientation="predicted"`` turns a table whose rows are the
# predicted classes.

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
# Every verb takes it that needs no more than labels: intervals, tests, checks, reports, costs. What needs
# scores says that counts have none. The counts may be as large as they like, since nothing is written out.

costs = credibly.CostMatrix([[0, 1, 4], [2, 0, 1], [9, 3, 0]], classes=["a", "b", "c"])
print(credibly.decide(predictions, costs))

# %%
# Two tables are two samples. Whether one classifier is better on the *same* cases they cannot tell,
# however much alike the tables look, so that has to be said.

other = Predictions.from_counts(
    [[80, 12, 8], [16, 36, 8], [14, 8, 18]], classes=["a", "b", "c"]
)
print(credibly.compare(predictions, other, "accuracy", independent=True))

# %%
# On the command line ``--matrix`` reads such a table from a CSV file, a list of cells (actual, predicted,
# count) or what Weka prints: ``credibly evaluate table.csv --matrix``. A file that looks like a table of
# counts is never taken for a handful of cases.
#
# So many of so many
# ------------------
#
# A success rate of 75 % is one thing in 1,000 cases and another in 100. Here are the limits at 80 % by
# every method; ``credibly interval 75 100 --confidence-level 0.8`` prints the same.

print(credibly.interval(75, 100, confidence_level=0.8))

# %%
# How many cases would put the rate into an interval five hundredths wide?

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
# Of two models that are judged on the same cases, those cases decide on which only one of them errs. Two
# numbers are enough for McNemar's test, in each of its variants; the number of all cases adds the
# difference of the error rates. ``credibly compare --discordant 12 5 --cases 100`` prints the same.

print(credibly.compare(Discordant(12, 5, cases=100)))

# %%
# Means, and values of folds
# --------------------------
#
# Means and variances over independent runs are compared by Student's t for two samples,

print(credibly.compare(Moments((0.81, 0.78), (0.02**2, 0.03**2), (10, 10))))

# %%
# values over folds by tests that know how far the training sets overlap. Several tests are made side by
# side if they are named, and the one to believe is the one that was chosen before.

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
