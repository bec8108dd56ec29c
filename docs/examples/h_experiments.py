"""
Experiments
===========

Many schemes on many datasets, resampled many times, take hours. An experiment stores every result
in a folder at once, runs exactly what is missing when it is started again, and loses nothing when
it is killed.
"""

# %%
# A plan in Python
# ----------------
#
# Schemes, datasets, a resampling, measures and a seed. A grid makes one scheme of each
# combination; ``tune`` makes one that chooses inside its training part.

import tempfile
from pathlib import Path

import credibly

experiment = credibly.Experiment(
    [
        "zero-r",
        {"scheme": "knn", "grid": {"k": [1, 9]}},
        {"scheme": "tree", "tune": {"max_depth": [1, 2, 4]}, "inner": "3"},
    ],
    ["iris", "wine"],
    resampling="2x5",
    measures=["error_rate", "auc"],
    rng=1,
)

# %%
# A forecast runs the first fold of each and says how many fits there are and how long they may
# take. It stores nothing.

forecast = experiment.forecast(n_jobs=1)
print(
    f"{forecast.fits} fits of {len(forecast.outlooks)} kinds, {forecast.left} to be done"
)

# %%
# Running it
# ----------
#
# ``n_jobs`` processes of joblib do the work, by default on all cores, each fit with one
# thread. A table has means over the splits.

folder = Path(tempfile.mkdtemp(), "first")
store = experiment.run(folder, n_jobs=1)
print(store.results())

# %%
# Nothing is done twice. Another scheme, dataset, repeat or seed runs only the new cells; another
# measure is computed from the stored predictions, without a fit.

experiment = credibly.Experiment(
    ["zero-r", "naive-bayes"],
    ["iris", "wine"],
    resampling="3x5",
    measures=["error_rate", "kappa"],
    rng=1,
)
store = experiment.run(folder, n_jobs=1)
print(store.results())

# %%
# Every prediction is stored with its origin, and every verb takes it.

predictions = store.predictions("iris")
print(predictions)
print(credibly.evaluate(predictions, "kappa", estimate="fold_mean"))

# %%
# Results can be reproduced: ``verify`` refits a sample of the cells and compares bit for bit.

print(experiment.verify(folder, cells=5, rng=2))

# %%
# Learning curves
# ---------------
#
# ``sizes`` are shares of the training part, or numbers of rows: each contains the one before, and
# the test parts stay the same.

growing = credibly.Experiment(
    ["naive-bayes", "tree"],
    ["breast-cancer"],
    resampling="5",
    measures=["error_rate"],
    sizes=[0.05, 0.1, 0.3, 1.0],
    rng=1,
)
results = growing.run(Path(tempfile.mkdtemp()), n_jobs=1).results()

import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
for scheme in results.schemes:
    curve = [results.where(scheme=scheme, size=s) for s in growing.plan.sizes]
    means = [part.values["error_rate"].mean() for part in curve]
    ax.plot([part.n_train.mean() for part in curve], means, marker="o", label=scheme)
ax.set(xlabel="rows trained on", ylabel="error rate", xscale="log")
ax.legend()
plt.show()

# %%
# A plan as a file
# ----------------
#
# The same as TOML. Paths are relative to the plan, a pattern names several files, and an error
# names its line::
#
#     rng = 1
#     resampling = "10x10"
#     measures = ["error_rate", "auc", "average_cost"]
#     sizes = [0.1, 0.3, 1.0]             # shares of the training part: learning curves
#
#     [limits]                            # of each fit
#     seconds = 600
#     memory = "4 GB"
#
#     [[schemes]]
#     scheme = "zero-r"
#
#     [[schemes]]
#     scheme = "knn"
#     grid = {k = [1, 5, 25]}
#
#     [[schemes]]
#     name = "my forest"
#     scheme = "sklearn.ensemble:RandomForestClassifier(n_estimators=500)"
#
#     [[datasets]]
#     data = "iris"
#
#     [[datasets]]
#     data = "loans.csv"
#     target = "default"
#     positive = "yes"
#     group = "customer"
#     costs = [[0, 1], [5, 0]]            # rows actual, classes in their order; or a file
#
#     [[datasets]]
#     data = "uci/*.arff"
#
# On the command line::
#
#     credibly experiment plan.toml --dry-run
#     credibly experiment plan.toml --folder results --jobs 8
#     credibly experiment status results
#     credibly experiment resume results --retry-failed
#     credibly experiment export results -o cells.csv
#     credibly experiment verify results --cells 50
#     credibly experiment gc results      # forget what the plan no longer asks for
#
# Ctrl-C stops it, and ``resume`` continues. A second process on the same folder is refused; the
# message gives the number of the first.

# %%
# What fails is a result
# ----------------------
#
# A scheme that raises an error, takes too long, needs too much memory or crashes its process loses
# only its own cell: ``status`` and the error are in the results, the traceback in the store. With
# ``limits`` each fit runs in a process of its own that can always be ended. A dataset that cannot
# be read is named, and the others continue.

broken = credibly.Experiment(
    ["naive-bayes"],
    ["iris", "diabetes"],
    resampling="3",
    measures=["error_rate"],
    rng=1,
)
results = broken.run(Path(tempfile.mkdtemp()), n_jobs=1).results()
print(results.where(dataset="diabetes").error[0])

# %%
# Clusters
# --------
#
# ``backend="dask"`` starts a cluster of processes here, or uses the one whose scheduler's
# address is given; ``"ray"`` and ``"spark"`` use the same interface of joblib, with the packages
# ``ray`` and ``joblibspark``. Workers read the data from the experiment's folder, so all of them
# must be able to read it::
#
#     credibly experiment plan.toml --backend dask --scheduler tcp://node1:8786
#
# With the same versions on the same kind of processor the results are the same bit for bit.
#
# What the folder holds
# ---------------------
#
# ``experiment.sqlite`` holds the plan, each run with versions and hardware, and the cells;
# ``predictions`` holds Parquet files, ``data`` the datasets as plain arrays. Nothing is pickled. A
# cell is identified by a hash of everything that its result depends on: the data, the scheme and
# its parameters, the rows of the split, the seed, and the versions of the packages. Results of
# other data, code or versions are other cells, and are never mixed in. Classes of your own that
# belong to no installed package are identified by their code.
