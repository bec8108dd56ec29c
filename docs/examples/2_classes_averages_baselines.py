"""
Classes, averages and baselines
===============================

With more than two classes there is no single recall or precision. There is one for each class, and
there are several ways to average them. This page shows these ways, and what a rule without any
knowledge would reach.
"""

# %%
# A confusion matrix
# ------------------
#
# The numbers are from a text book on data mining (Witten, Frank and Hall, 2011, table 5.4): 200 cases
# of the classes *a*, *b* and *c*. Rows are the actual class, columns the predicted one. That is the
# convention everywhere in Credibly; ``orientation="predicted"`` turns a table that was written the
# other way round.

import numpy as np

import credibly
from credibly.measures import measures
from credibly.predictions.summaries import Counts

matrix = np.array([[88, 10, 2], [14, 40, 6], [18, 10, 12]])
counts = Counts.from_matrix(matrix, classes=("a", "b", "c"))
counts.actual, counts.predicted, counts.correct

# %%
# 140 of 200 cases are right. A rule that gives each label as often but at random would be right in
# 82 of them: the diagonal of the expected matrix.

counts.expected(), counts.expected().trace()

# %%
# Kappa measures what the classifier gains beyond that, as a share of what could be gained:
# (140 - 82) / (200 - 82).

measures["kappa"].of_summary(counts), (140 - 82) / (200 - 82)

# %%
# One class at a time
# -------------------
#
# :meth:`credibly.Predictions.from_counts` reads the table as the cases that it counts: every result
# is the one that these cases would give, with the intervals of 200 cases.

predictions = credibly.Predictions.from_counts(matrix, classes=["a", "b", "c"])
print(credibly.evaluate(predictions, ["recall", "precision", "f1"], by="class"))

# %%
# Averages
# --------
#
# ``macro`` is the plain mean over the classes: each class counts the same, however rare it is.
# ``weighted`` weighs a class by its number of actual cases, ``weighted_predicted`` by its number of
# predicted ones. ``micro`` adds the tables of the classes first and then computes the measure once;
# where every case has one label, micro recall and micro precision are both the accuracy.

for average in ("macro", "weighted", "weighted_predicted", "micro"):
    made = credibly.evaluate(
        predictions, ["recall", "precision", "f1"], average=average
    )
    print(
        f"{average:20}", "  ".join(f"{e.title} {e.value:.4f}" for e in made.estimates)
    )
print(f"{'accuracy':20}", measures["accuracy"].of_summary(counts))

# %%
# The average is over all classes that are declared. A class that is never predicted has no precision,
# and then neither has the average: it is *undefined*, and a finding names the class. If such a
# class were left out silently, averages of slices that lack different classes could not be
# compared.

rare = credibly.Predictions.of(list("aabbc"), label=list("aabba"))
print(credibly.evaluate(rare, "precision", average="macro"))

# %%
# Baselines
# ---------
#
# The columns to the right of a measure say what it is for rules that ignore the case. ``majority``
# gives every case the most frequent class. ``random`` gives each label as often as the classifier
# does, but at random: its accuracy is the 82 of 200 from above.

print(credibly.evaluate(predictions, ["accuracy", "kappa", "balanced_accuracy"]))

# %%
# Cases without a label
# ---------------------
#
# A classifier may refuse to decide. By default such a case counts as an error:
# ``"exclude"`` leaves it out of the measures of labels, and the name of a class gives it that class. A
# finding says what was done.

doubtful = credibly.Predictions.of(list("aabb"), label=["a", None, "b", "b"])
for choice in ("error", "exclude", "b"):
    print(
        credibly.evaluate(
            doubtful, ["accuracy", "unclassified_rate"], unclassified=choice
        ),
        "\n",
    )

# %%
# The matrix as a picture
# -----------------------

import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(6.4, 3), layout="constrained")
for ax, shown, title in (
    (axes[0], counts.matrix, "observed"),
    (axes[1], counts.expected(), "expected by chance"),
):
    ax.imshow(shown, cmap="Blues", vmin=0, vmax=100)
    for (i, j), n in np.ndenumerate(shown):
        ax.text(
            j,
            i,
            f"{n:.0f}",
            ha="center",
            va="center",
            color="white" if n > 50 else "black",
        )
    ax.set_xticks(range(3), predictions.classes)
    ax.set_yticks(range(3), predictions.classes)
    ax.set(xlabel="predicted", ylabel="actual", title=title)
plt.show()
