"""
Several models as one: bagging, boosting, combinations
======================================================

Models that err on different cases are better together. This page lets weak models vote, shows how
the error falls with their number, and combines models that were trained elsewhere.
"""

# %%
# Boosted lines
# -------------
#
# One species of iris lies between the two others, so no straight line separates it. AdaBoost draws
# the cases for each line with weights that grow with the errors of earlier lines, and lets the
# lines vote.

import numpy as np
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.svm import SVC

import credibly
from credibly.ensembles import AdaBoost, combine, diversity, ensemble_curve

X, y = load_iris(return_X_y=True)
X, y = PCA(2).fit_transform(X), np.where(y == 1, "versicolor", "other")
lines = AdaBoost(SVC(kernel="linear", C=1), n_estimators=25, random_state=0).fit(X, y)

print("weighted errors", lines.errors_[:4].round(3))
print("weights of votes", lines.alphas_[:4].round(3))
errors = [float((label != y).mean()) for label in lines.staged_predict(X)]
print(
    "training error with 1, 5, 10 and 25 lines",
    [round(errors[k - 1], 3) for k in (1, 5, 10, 25)],
)
print(lines.findings_[0])

# %%
# A line that is no better than chance on the weighted cases is discarded and another sample drawn;
# a line without any error would have an infinite weight, so it is used alone. ``findings_`` reports
# either.
#
# Training and test error
# -----------------------
#
# The training error says little about new cases. Cross-validation with ensembles of growing size shows
# both; each point is a mean over folds with its interval.

curve = ensemble_curve(
    {
        "boosted": AdaBoost(SVC(kernel="linear", C=1)),
        "bagged": "bagging(base='svm(kernel=\"linear\")')",
    },
    X,
    y,
    sizes=[1, 3, 7, 15, 25],
    resampling="5",
    rng=1,
    progress=False,
)
curve.plot().draw()

# %%
# Bagging averages over samples, so it reduces variance. Straight lines hardly vary, so it gains
# nothing here: their error is bias, which only boosting lowers.
#
# An even number of votes on two classes can end in a tie. Then the first of the sorted classes
# wins, and a finding says so:

p = credibly.run("bagging(base='naive-bayes', k=4)", X, y, resampling="5", rng=1)
print(next(f for f in p.findings if f.code == "even-votes"))

# %%
# Margins
# -------
#
# The share of votes for the actual class less that for the other is the margin of a case. More rounds
# raise it even where no error is left.

schemes = {f"{k} rounds": AdaBoost(SVC(kernel="linear", C=1), k) for k in (5, 25)}
boosted = credibly.run(schemes, X, y, resampling="5", rng=1)
credibly.plot(boosted, "margin").draw()

# %%
# Combining given predictions
# ---------------------------
#
# Models that have predicted the same cases can be combined without training. How much do they
# differ?

from sklearn.datasets import load_breast_cancer

runs = credibly.run(
    ["tree", "naive-bayes", "knn"],
    *load_breast_cancer(return_X_y=True),
    resampling="5",
    rng=1,
)
print(diversity(runs))

# %%
# A Q statistic of 1 would mean that two models err on the same cases. The combined models are
# judged beside their members like any other model. The weights of ``stacked`` were learned on the
# other folds.

both = combine(runs, ["vote", "average", "stacked"])
print(credibly.evaluate(both, ["error_rate", "brier"], estimate="pooled"))

# %%
print(
    credibly.compare(
        both.take(np.isin(both.model, ["tree", "stacked"])), measure="brier"
    )
)
