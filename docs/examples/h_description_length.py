"""
Description length
==================

A theory (a fitted model) is useful if it is shorter than the data that it explains. The minimum
description length principle counts both in bits: those of the theory, L[T], and those of the data
given the theory, L[E|T]. The sum needs only the training data, since a theory that overfits pays
for its size.
"""

# %%
# Trees of several sizes
# ----------------------
#
# Sender and receiver know the measurements of the irises; the message must tell their species. Each
# tree is sent node by node, as numbers from which a decoder could rebuild it. The null theory sends
# only the shares of the species.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

import credibly

X, y = load_iris(return_X_y=True)
schemes = ["tree(max_depth=1)", "tree(max_depth=2)", "tree", "naive-bayes", "knn"]
found = credibly.mdl(schemes, X, y, resampling="10", rng=1)
print(found)

# %%
# Nearest neighbours store every species, so as a theory they are as long as the data. The last
# column has the cross-validated error, which need not choose the same scheme. A code is a prior,
# and this one considers theories with many numbers improbable.

found.plot().draw()
plt.show()

# %%
# Bits and probabilities
# ----------------------
#
# A theory of L bits has the prior probability 2 to the minus L, so the shortest description is the most
# probable theory. Lengths computed elsewhere can be compared in the same way:

made = credibly.DescriptionLengths.of({"simple": (10, 30), "rich": (25, 12)})
print(made)

# %%
# Instead of choosing one theory, you can keep all, each with its weight. This is the average of
# their predictions:

print(found.average(X[[0, 60, 140]]).round(3))

# %%
# Any scheme: the prequential code
# --------------------------------
#
# Most learners have no code for their theories. The prequential code needs none: each species is
# coded with what was learned from the flowers before it, so a slow learner pays at the beginning.

print(credibly.mdl(["tree", "lda", "svm"], X, y, code="prequential", rng=1))

# %%
# Clusters
# --------
#
# A clustering sends its centres and spreads, then the cluster of each row, and then how far the row is
# from its centre. It pays if the rows lie close to their centres. Here are three clouds:

rng = np.random.default_rng(1)
clouds = np.vstack(
    [rng.normal(centre, 1, (50, 2)) for centre in ([0, 0], [8, 0], [4, 7])]
).round(1)
clusters = credibly.clustering_mdl(clouds, k=range(1, 7), rng=1)
print(clusters)

# %%

clusters.plot().draw()
plt.show()

# %%
# In a single cloud, one cluster is the shortest description:

one = credibly.clustering_mdl(rng.normal(size=(150, 2)).round(1), rng=1)
print(one.best.name, one.findings[0])

# %%
# A coder of your own
# -------------------
#
# A coder is one function. It writes what the receiver cannot know, and returns what the theory, as
# sent, predicts for each row. This one describes a classifier that uses the sign of one column.

from sklearn.base import BaseEstimator, ClassifierMixin

from credibly.description_length import Sent, coder, coders


class Sign(ClassifierMixin, BaseEstimator):
    def fit(self, rows, y):
        self.classes_ = np.unique(y)
        self.shares_ = [
            np.array([np.mean(y[side] == c) for c in self.classes_])
            for side in self.sides(rows)
        ]
        return self

    def sides(self, rows):
        return rows[:, 0] < 0, rows[:, 0] >= 0

    def predict_proba(self, rows):
        return np.where(rows[:, :1] < 0, *self.shares_)

    def predict(self, rows):
        return self.classes_[self.predict_proba(rows).argmax(axis=1)]


@coder(
    "Sign",
    describes=(Sign,),
    cite="Rissanen, J. (1978) Modeling by shortest data description.",
)
def sign(model, problem, message):
    """Send the class shares on either side of 0."""
    said = np.empty((problem.n, problem.k))
    for side, shares in zip(model.sides(problem.matrix), model.shares_, strict=True):
        said[side] = message.distribution("distributions", shares, side.sum())
    return Sent(probability=said)


Z = rng.normal(size=(200, 3))
labels = np.where(rng.random(200) < 0.1, Z[:, 0] < 0, Z[:, 0] >= 0)
print(credibly.mdl({"sign": Sign(), "tree": "tree(max_depth=1)"}, Z, labels, rng=1))

# %%
# Remove what you declared in a session:

coders.remove("sign")
