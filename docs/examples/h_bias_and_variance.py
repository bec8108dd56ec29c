"""
What is the loss made of? Bias and variance
===========================================

A model errs because the world is noisy, because its way of learning cannot get some cases right (bias),
and because another training set would have given another model (variance). More data helps against
variance, a richer model against bias; so it matters which of them one has.
"""

# %%
# One case, four training sets
# ----------------------------
#
# The parts of a loss can be had from any table with one row per case and one column per training set. Here
# the truth is +1 with probability 0.8, and one training set of four says -1.

from credibly.bias_variance import Votes, decompositions

votes = Votes.of([[1, 1, -1, 1]], truth=[[0.2, 0.8]], classes=[-1, 1])
parts = decompositions["squared"](votes)
print({name: round(float(value[0]), 4) for name, value in parts.values.items()})
print("squared loss", round(float(parts.loss[0]), 4))

# %%
# For the zero-one loss there is no one decomposition. Each of these adds up, and each calls something
# else bias; what the parts mean is told by ``credibly show decomposition domingos``.

for entry in decompositions:
    if entry.takes == "label":
        print(entry.identity)
        print(
            "  ",
            {k: round(float(v[0]), 3) for k, v in entry(votes).values.items()},
        )

# %%
# Support vectors from stiff to supple
# ------------------------------------
#
# Zaki and Meira's experiment: two principal components of Iris, versicolor against the rest, a quadratic
# kernel, and training sets by bootstrap. Each case is predicted by the training sets that do not hold
# it, so that memorising does not pass for learning.

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
# The bias falls as C grows; from C = 0.1 on the variance grows, and the loss is least at C = 1, as in the
# book. What else to know is said by the findings:

for finding in made.findings[:2]:
    print(finding)

# %%
# The same predictions serve any other decomposition; none is fitted anew.

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
# From one observation per case nobody can tell noise from bias, so the bias holds both. A function that
# draws training sets, and the mean and variance of the truth, make the noise known; intervals are then
# about new training sets and new cases alike.

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
# One neighbour has no bias to speak of and all of the variance; thirty-two have it the other way round.
# The noise is the floor that no model gets below.
#
# Where a case stands
# -------------------
#
# The parts of each case are kept, and tell where the trouble is: at the ends, where neighbours lie on one
# side only.

smooth = known.settings[4]
for low, high in ((0, 0.1), (0.1, 0.9), (0.9, 1)):
    here = (x >= low) & (x < high)
    print(
        f"x from {low} to {high}: squared bias {smooth.parts['bias_squared'][here].mean():.3f}"
    )
