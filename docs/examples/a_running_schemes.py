"""
Running schemes
===============

:func:`credibly.run` fits learning schemes (learners) on training parts and keeps every prediction
for the held-out rows. This page shows what is recorded, how the predictions of many fits become one
number, and what each number is about.
"""

# %%
# Schemes on the same splits
# --------------------------
#
# A scheme is a name, an estimator of scikit-learn or a pipeline. All get the same splits.
# Preprocessing, such as filling gaps or encoding text, is learned inside the training part.

from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import credibly

X, y = load_breast_cancer(return_X_y=True)
schemes = {
    "naive Bayes": "naive-bayes",
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
}
p = credibly.run(schemes, X, y, resampling="5x5", rng=1)
p

# %%
# The result is :class:`~credibly.Predictions`, as if read from a file. They also hold the repeat
# and the fold of every row, the size of its training part and the class shares there, which a
# trivial rule would have known.

print(p.provenance.resampling, p.provenance.splits, p.provenance.versions)
print({m: f"{s:.2f} s" for m, s in p.provenance.seconds.items()})

# %%
# Two numbers, two questions
# --------------------------
#
# The *mean over folds* asks how well this way of learning does with new training sets. Its interval
# allows for the overlap of training parts. The *pooled* value asks how well these fitted models do
# on new cases; repeats of a case do not count as new cases.

print(credibly.evaluate(p, ["error_rate", "auc", "brier"]))

# %%
# The values of the folds stay with the estimate.

import matplotlib.pyplot as plt

means = credibly.evaluate(p, "auc", estimate="fold_mean")
fig, ax = plt.subplots(figsize=(6, 2.2), layout="constrained")
names = [str(e.keys["model"]) for e in means.estimates]
ax.boxplot([e.values for e in means.estimates], orientation="horizontal")
ax.set_yticks(range(1, len(names) + 1), names)
ax.set_xlabel("AUC in each of 25 folds")
plt.show()

# %%
# Twenty-five folds of 569 cases are not twenty-five experiments. The plain interval treats them as
# such; it is far too narrow, and a finding says so.

print(credibly.evaluate(p, "auc", estimate="fold_mean", interval="t"))

# %%
# On several cores and machines
# -----------------------------
#
# ``n_jobs=4`` uses four processes, and no digit changes. joblib can send the work to a cluster::
#
#     with joblib.parallel_config("dask"):       # a client of dask.distributed is connected
#         credibly.run(schemes, X, y, resampling="10x10", rng=1)
#
# Ray and Spark register themselves first (``ray.util.joblib.register_ray()`` and
# ``joblibspark.register_spark()``) and are then named in its place. A scheme that fails is recorded
# with its fold and its error; the fits of a worker that died are repeated.
#
# The bootstrap
# -------------
#
# A bootstrap trains on rows drawn with replacement. A nearest neighbour memorises its training
# cases, so on pure noise its apparent error is 0 and its true error one half. The .632 bootstrap
# counts part of the apparent error; .632+ corrects for this.

import numpy as np

rng = np.random.default_rng(1)
noise = rng.normal(size=(60, 5)), np.arange(60) % 2
drawn = credibly.run("knn(k=1)", *noise, resampling="bootstrap(replicates=50)", rng=1)
print(
    credibly.evaluate(drawn, "error_rate", estimate=["apparent", "632", "632+", "oob"])
)

# %%
# What goes wrong is said
# -----------------------
#
# Leave-one-out misjudges a majority rule: the class of the left-out case becomes rarer in the
# training part.

balanced = np.zeros((100, 1)), np.repeat([0, 1], 50)
print(
    credibly.evaluate(credibly.run("zero-r", *balanced, resampling="loo"), "error_rate")
)

# %%
# Tuning
# ------
#
# Parameters must be chosen inside the training part. A search object of scikit-learn does so if you
# run it as a scheme; ``nested`` makes one from any scheme and any measure.

from credibly.running import nested

tuned = nested("knn", {"k": [1, 5, 25]}, inner="3", measure="auc")
print(
    credibly.evaluate(
        credibly.run({"tuned knn": tuned}, X, y, resampling="5", rng=1), "auc"
    )
)

# %%
# Learning curves
# ---------------
#
# Test parts stay the same while training parts grow.

from credibly.running import learning_curve

curve = learning_curve(
    ["naive-bayes", "tree"], *load_iris(return_X_y=True), resampling="10x5", rng=1
)
table = curve.table("error_rate")
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
for model in ("naive-bayes", "tree"):
    found = table.where(model=model)
    sizes = [e.keys["trained on"] for e in found]
    ax.plot(sizes, [e.value for e in found], marker="o", label=model)
    limits = [[getattr(e.interval, end) for e in found] for end in ("low", "high")]
    ax.fill_between(sizes, *limits, alpha=0.2)
ax.set(xlabel="rows trained on", ylabel="error rate, with 95 % interval")
ax.legend()
plt.show()

# %%
# To keep, and to use
# -------------------
#
# Saved predictions give the same numbers later. The model to use is fitted on all data; no estimate
# is about exactly that model, which is expected to do about as well or slightly better.

import tempfile
from pathlib import Path

from credibly.running import final_model

path = credibly.save(p, Path(tempfile.mkdtemp()) / "cancer.parquet")
again = credibly.read(path)
print(again.fingerprint == p.fingerprint)
print(final_model(schemes["logistic"], X, y))
