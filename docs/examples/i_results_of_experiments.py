"""
Results of experiments: who is better where
===========================================

An experiment compares many schemes on many datasets, each split several times. Its result is a
table with one row per fit. :func:`credibly.experiments.analyse` reads such a table from any
program, and says which schemes are better, on each dataset and over all of them.
"""

# %%
# A table of results
# ------------------
#
# Results come from :class:`credibly.Experiment`, from Weka's Experimenter, from scikit-learn, or from a
# table of your own. Here four schemes of scikit-learn are cross-validated on three of its datasets, with
# the same splits for all schemes.

from itertools import product

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from credibly.experiments import analyse, from_cross_validate, from_table

schemes = {
    "majority": DummyClassifier(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=1),
    "neighbours": KNeighborsClassifier(),
}
splits = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)
scoring = ["accuracy", "neg_log_loss"]

data = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}
scores = {
    dataset: {
        name: cross_validate(
            scheme,
            *load(return_X_y=True),
            cv=splits,
            scoring=scoring,
            return_indices=True,
        )
        for name, scheme in schemes.items()
    }
    for dataset, load in data.items()
}
results = from_cross_validate(scores, repeats=2)
print(results)

# %%
# ``neg_log_loss`` has become the log loss, for which lower is better. The indices of the splits
# give the sizes of training and test parts, which the tests need.

# %%
# Better and worse
# ----------------
#
# On each dataset every scheme is compared with a base by the corrected resampled t-test, which
# allows for training cases that folds share. A plus means better and a minus worse, so a lower
# error rate gets a plus. (Weka marks larger values, whichever way is better.)

analysis = analyse(results, "log_loss", base="bayes")
print(analysis)

# %%
# What is missing
# ---------------
#
# Fits can fail or take too long. Suppose that the tree had failed on the wines. The result names
# the cell and how it was treated: ranks leave out incomplete datasets or, on request, incomplete
# schemes.

failed = (results.dataset == "wine") & (results.scheme == "tree")
partial = analyse(results.take(~failed), "accuracy", leave_out="schemes")
print(partial.findings[0])

# %%
# Over datasets
# -------------
#
# Datasets differ in how hard they are, so schemes are ranked within each. Three datasets are few: with
# them hardly any difference can be shown. The next table has eight datasets, made up here, with a
# value of each scheme in each of ten folds.

rng = np.random.default_rng(7)
lead = {"majority": -0.25, "bayes": 0.0, "tree": 0.02, "forest": 0.05}
cells = list(product([f"data {i}" for i in range(1, 9)], lead, range(10)))
level = {dataset: rng.uniform(0.75, 0.9) for dataset, _, _ in cells}
together = {
    (dataset, fold): rng.normal(0, 0.02) for dataset, _, fold in cells
}  # hard folds
eight = from_table(
    {
        "dataset": [dataset for dataset, _, _ in cells],
        "scheme": [scheme for _, scheme, _ in cells],
        "fold": [fold for _, _, fold in cells],
        "accuracy": [
            level[d] + lead[s] + together[d, f] + rng.normal(0, 0.02)
            for d, s, f in cells
        ],
        "n_train": 180 * np.ones(len(cells)),
        "n_test": 20 * np.ones(len(cells)),
    }
)
analysis = analyse(eight, base="bayes", rope=0.01, rng=1)
print(analysis)

# %%
# The critical-difference diagram puts schemes at their average ranks; a bar joins those that eight
# datasets do not distinguish.

import matplotlib.pyplot as plt

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
analysis.ranking.plot().draw(left)
analysis.plot().draw(right)
plt.show()

# %%
# Chances
# -------
#
# A p-value does not say how probable it is that a scheme is better. The Bayesian tests do, with a
# difference that does not matter: here one per cent.

for chance in analysis.chances:
    if chance.scheme == "tree" and chance.dataset in {"data 1", "data 2", ""}:
        where = chance.dataset or "over datasets"
        print(
            f"{where:14} better {chance.better:.2f}  alike {chance.alike:.2f}  "
            f"worse {chance.worse:.2f}  ({chance.test})"
        )

# %%
# Everything in one file
# ----------------------
#
# :func:`credibly.report` takes the analysis and writes a page that needs no network, Markdown, LaTeX
# tables or JSON. On the command line it is ``credibly experiment report``, which reads the folder of an
# experiment, Weka's CSV and ARFF files, and tables.

import credibly

report = credibly.report(analysis, title="Four schemes on eight datasets")
print(report.document.headline)
print(report.latex()[:330])
