"""
Pictures
========

Every result of Credibly can be plotted. A plot turns a result into a
:class:`~credibly.plots.Figure`: two axes, a few layers of marks, and a text alternative. Vega-Lite
draws it in notebooks, pages and files, or matplotlib on its axes, as here.
"""

# %%
# ``plot(p)`` chooses a plot that fits the predictions; name a plot or a curve to get another.

import matplotlib.pyplot as plt
import numpy as np

import credibly

rng = np.random.default_rng(1)
truth = np.arange(300) % 2
models = {
    name: credibly.Predictions.of(
        truth,
        probability=1 / (1 + np.exp(-strength * (truth - 0.5) - rng.normal(size=300))),
    )
    for name, strength in {"forest": 2, "tree": 1.3, "rule": 0.7}.items()
}
forest = models["forest"]

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
forest.plot("roc", band="pointwise", rng=1).draw(left)
forest.plot("scores_by_class", threshold=0.5).draw(right)
plt.show()

# %%
# Every figure has a text alternative for screen readers, which the command line prints.

print(forest.plot("confusion_matrix").alt)

# %%
# Results have ``.plot()``. Several models share the axes; many models are distinguished by dashes
# as well as colours.

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
credibly.curve(models, "lift").plot().draw(left)
credibly.hull(models).plot(prevalence=0.2, false_negative=2).draw(right)
plt.show()

# %%
# The dashed line is one of equal cost: of all corners, the one that it touches is the cheapest at this
# prevalence and these costs.
#
# Estimates and differences
# -------------------------
#
# An estimate is drawn with its interval; a hollow mark shows the score of the best trivial rule.

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
forest.plot("estimates", measures=["accuracy", "recall", "precision", "auc"]).draw(left)
credibly.compare(models, measure="auc").plot().draw(right)
plt.show()

# %%
# All pairs of models make a matrix: its colours go from negative to positive, and each cell has the
# difference and its adjusted p-value. The diagonal has the value of each model.

credibly.compare(models, measure="auc").plot("comparison_matrix").draw()
plt.show()

# %%
# Without a list of measures, all that apply are shown, in panels by their scale and by which way is
# better.

forest.plot("estimates").draw()
plt.show()

# %%
# Schemes over datasets make a critical-difference diagram: a bar joins schemes that do not differ
# significantly.

from credibly.comparisons import DatasetTable

values = rng.random((14, 6)) + 0.12 * np.arange(6)
table = DatasetTable(
    values, ("one rule", "bayes", "tree", "neighbours", "boosting", "forest")
)
credibly.compare(table).plot().draw()
plt.show()

# %%
# Many classes
# ------------
#
# Up to 20 curves have names, with colours that people of any colour vision distinguish and, beyond
# eight, dashes. The key has the area under each with its interval. Long names are shortened so that
# they stay distinct.

classes = [f"digit {d}" for d in range(10)]
digit = rng.integers(0, 10, 800)
weight = rng.random((800, 10)) + np.eye(10)[digit] * (0.2 + np.arange(10) / 8)
digits = credibly.Predictions.of(
    np.array(classes)[digit],
    probability=weight / weight.sum(axis=1, keepdims=True),
    classes=classes,
)
digits.plot("roc", by="class").draw()
plt.show()

# %%
# If curves use only a tenth of an axis, the axis is cut and the subtitle says so;
# ``full_range=True`` shows all of it.

good = credibly.Predictions.of(truth, score=5 * truth + rng.normal(size=300))
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
good.plot("cost").draw(left)
good.plot("cost", full_range=True).draw(right)
plt.show()

# %%
# What is learned on two attributes
# ---------------------------------
#
# Classes are drawn with their normal distributions, and schemes by their decision boundaries. A
# scheme whose boundary changes with every bootstrap sample is not stable.

from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from credibly.running import class_scatter, decision_boundaries

X, y = load_iris(return_X_y=True)
plane = PCA(2).fit_transform(X)
species = np.array(["setosa", "versicolor", "virginica"])[y]

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
class_scatter(plane, species, test=range(0, 150, 5)).plot().draw(left)
decision_boundaries("tree", plane, species, replicates=8, rng=1).plot().draw(right)
plt.show()

# %%
# Which rows are tested, and how often an interval covers
# -------------------------------------------------------
#
# A plot of splits shows which rows each trains and tests on, here in the order in which they are
# tested. How often an interval for a proportion covers can be computed exactly: Wald's coverage
# goes up and down with the number of cases, and stays below its level.

from credibly.intervals import proportion_coverage
from credibly.resampling import folds

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
folds(k=5).realise(30, rng=1).plot(sort=True).draw(left)
proportion_coverage(["wald", "wilson"], n=range(10, 101), rate=0.2).plot().draw(right)
plt.show()

# %%
# Before the truth is known
# -------------------------
#
# The expected cost of each label needs only probabilities and costs. The lift chart, which counts
# the positives among the selected cases, needs no costs.

from credibly.decisions import expected_costs

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
expected_costs(forest, {"fn": 5, "fp": 1}).plot().draw(left)
forest.plot("lift_chart", mark="10%, 40%", population=100_000).draw(right)
plt.show()

# %%
# Files
# -----
#
# ``figure.save("roc.svg")`` writes SVG, PNG, PDF, a page that works without a network, or Vega-Lite's
# JSON, by the end of the name; ``theme="dark"`` for a dark ground, ``transparent=True`` to leave the
# ground to what lies below, and ``width=400`` for so many pixels. ``figure.altair()`` gives an Altair
# chart to change further. The command line does the same for a file of predictions:
#
# .. code-block:: sh
#
#    credibly plot roc preds.csv --band pointwise --rng 1 -o roc.svg
#    credibly plot confusion-matrix preds.csv --option show=rows -o matrix.png
#    credibly plot cost preds.csv --full-range --width 400 --theme dark --transparent
#    credibly list plots

print(forest.plot("roc").spec()["description"])

# %%
# As in scikit-learn
# ------------------
#
# Displays are made from predictions, from a fitted estimator or from cross-validation.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from credibly.plots import GainsDisplay

X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression())
results = cross_validate(model, X, y, return_estimator=True, return_indices=True)
GainsDisplay.from_cv_results(results, X, y)
plt.show()
