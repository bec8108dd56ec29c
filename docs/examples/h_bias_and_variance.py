"""
What is the loss made of? Bias and variance
===========================================

A model errs for three reasons: the data are noisy, its way of learning gets some cases wrong
whatever it learns from (bias), and another training set would have given another model (variance).
More data reduce variance, a richer model reduces bias, so it helps to know which one is large.
"""

# %%
# One case, four training sets
# ----------------------------
#
# Any table with one row per case and one column per training set is enough to decompose a loss.
# Here the truth is +1 with probability 0.8, and one training set of four predicts -1.

from credibly.bias_variance import Votes, decompositions

votes = Votes.of([[1, 1, -1, 1]], truth=[[0.2, 0.8]], classes=[-1, 1])
parts = decompositions["squared"](votes)
print({name: round(float(value[0]), 4) for name, value in parts.values.items()})
print("squared loss", round(float(parts.loss[0]), 4))

# %%
# There are several decompositions of the zero-one loss. Each adds up, and each defines bias
# differently; ``credibly show decomposition domingos`` explains the parts.

for entry in decompositions:
    if entry.takes == "label":
        print(entry.identity)
        print(
            "  ",
            {k: round(float(v[0]), 3) for k, v in entry(votes).values.items()},
        )

# %%
# Support vector machines from rigid to flexible
# ----------------------------------------------
#
# Zaki and Meira's experiment: two principal components of Iris, versicolor against the rest, a quadratic
# kernel, and training sets by bootstrap. Each case is predicted only from training sets without it,
# so memorising does not help.

import numpy as np
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.svm import SVC

import credibly

X, y = load_iris(return_X_y=True)
X = PCA(2).fit_transform(X)
y = np.where(y == 1, 1, -1)
svm = SVC(kernel="poly", degree=2, gamma=1.0)
made = credibly.bias_variance(
    svm, X, y, loss="squared", over={"C": [0.01, 0.1, 1, 10, 100]}, replicates=20, rng=1
)
made.plot().draw()

# %%
# The bias falls as C grows; from C = 0.1 on the variance grows, and the loss is least at C = 1, as
# in the book. The findings say what else to consider:

for finding in made.findings[:2]:
    print(finding)

# %%
# Any other decomposition uses the same predictions, without a further fit.

print(
    credibly.bias_variance(
        made.predictions, loss="kohavi_wolpert(corrected=True)"
    ).table
)

# %%
# Stability is the chance that two training sets give a case the same label.
#
# Where the truth is known
# ------------------------
#
# One observation per case cannot separate noise from bias, so the bias includes both. With a
# function that draws training sets, and the mean and variance of the truth, the noise is known;
# intervals are then about new training sets and new cases.

rng = np.random.default_rng(0)
x = rng.random(200)


def draw(generator, n=40):
    inputs = generator.random(n)
    return inputs[:, None], np.sin(6 * inputs) + generator.normal(0, 0.3, n)


known = credibly.bias_variance(
    "knn",
    x[:, None],
    np.sin(6 * x),
    training=draw,
    truth=np.sin(6 * x),
    noise=0.3**2,
    over={"k": [1, 2, 4, 8, 16, 32]},
    replicates=60,
    task="numeric",
    rng=1,
)
known.plot().draw()

# %%
# One neighbour has almost no bias and the largest variance; thirty-two neighbours are the opposite.
# No model gets below the noise.
#
# Case by case
# ------------
#
# The result keeps the parts of each case, which show where the loss is large: at the ends, where
# neighbours lie on one side only.

smooth = known.settings[4]
for low, high in ((0, 0.1), (0.1, 0.9), (0.9, 1)):
    here = (x >= low) & (x < high)
    print(
        f"x from {low} to {high}: squared bias {smooth.parts['bias_squared'][here].mean():.3f}"
    )
