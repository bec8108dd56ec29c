"""The default interval and the default comparison after resampling, on designs of scikit-learn's learners that no grid had before.

Two blocks of columns are equal by symmetry, or the second carries less. One scheme learns from the first block and the same scheme
from the second. Each sample is resampled once; the first scheme's interval is held to the model of all rows, on fresh cases, and to its mean over
training sets, and both schemes are compared. Designs come in three sets: on *choice* a rule may be chosen, *test* is looked at while it is
written down, and *verification* is drawn once, when it stands. Run from the repository:

    python -m tests.simulation.unseen --samples 240 --output docs/validity/unseen.csv
"""

import argparse
import math
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.feature_selection import SelectKBest, f_classif, f_regression
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from credibly import Predictions, compare, evaluate
from credibly.errors import CrediblyError
from credibly.evaluation.fold_estimators import headline_estimate
from credibly.predictions.provenance import Provenance
from credibly.resampling import as_resampling

from .coverage import write

SEED = 8675309
FRESH = 3000  # cases on which the model of all rows is judged
GROUPED, BLOCKS = "grouped_folds(k=5)", "time_ordered(k=5)"
MEASURES = {True: ("mse", "mae", "r2"), False: ("error_rate", "brier", "log_loss", "auc")}
SETS = {"C": "choice", "T": "test", "V": "verification"}
NOISE = {  # with variance 1, but for the logistic one
    "normal": lambda rng, size: rng.standard_normal(size),
    "laplace": lambda rng, size: rng.laplace(0, 0.7071, size),
    "uniform": lambda rng, size: rng.uniform(-1.732, 1.732, size),
    "t4": lambda rng, size: rng.standard_t(4, size) / 1.414,
    "t3": lambda rng, size: rng.standard_t(3, size) / 1.732,
    "t2.5": lambda rng, size: rng.standard_t(2.5, size) / 2.236,
    "gamma": lambda rng, size: (rng.gamma(2, 1, size) - 2) / 1.414,
    "lognormal": lambda rng, size: (np.exp(rng.standard_normal(size)) - 1.6487) / 2.161,
    "logistic": lambda rng, size: rng.logistic(0, 1, size),
}
COLUMNS = {"uniform": NOISE["uniform"], "t": lambda rng, size: rng.standard_t(6, size) / 1.2247}
FORMS = {  # what a block of columns says of the target
    "line": lambda X: X.sum(1) / np.sqrt(X.shape[1]),
    "bent": lambda X: (np.abs(X[:, 0]) + X[:, -1]) / 1.1,
    "fried": lambda X: (
        np.sin(np.pi * X[:, 0] * X[:, 1] / 2) + (X[:, 2 % X.shape[1]] > 0) - 0.5 + 0.5 * X[:, -1]
    ),
    "few": lambda X: X[:, 0] * 0.8 + X[:, 1] * 0.4,
}


@dataclass(frozen=True)
class Cell:
    """A set, a scheme, rows, columns of each block, and a population."""

    set: str
    name: str
    make: Callable
    n: int
    p: int
    numeric: bool
    noise: str = "normal"
    columns: str = "normal"
    form: str = "line"
    share: float = 0.5
    groups: int = 0
    uneven: float = 0.0
    tied: float = 0.5
    ar: float = 0.0
    way: str = "folds(k=10)"
    signal: float = 1.0

    @property
    def key(self):
        told = (self.set, self.name, self.n, self.p, self.noise, self.way)
        return "|".join(map(str, (*told, self.groups, self.ar, self.share)))

    @property
    def slow(self):
        """Whether it is drawn half as often, and for equal blocks alone."""
        return self.name.startswith(("boosting", "forest"))

    def signals(self, equal):
        """How much of the target each block carries."""
        return (self.signal,) * 2 if equal else (self.signal * 1.25, self.signal * 0.45)


def neighbours(k, *, numeric=True):
    """Nearest neighbours, so many."""
    return lambda: (KNeighborsRegressor if numeric else KNeighborsClassifier)(k)


def tree(depth, leaf, *, numeric=True):
    """A tree of so many levels."""
    made = DecisionTreeRegressor if numeric else DecisionTreeClassifier
    return lambda: made(max_depth=depth, min_samples_leaf=leaf, random_state=0)


def chosen(k, *, numeric=True):
    """A linear scheme on the columns that say most in each training set."""
    best, scheme = (
        (f_regression, LinearRegression) if numeric else (f_classif, LinearDiscriminantAnalysis)
    )
    return lambda: make_pipeline(SelectKBest(best, k=k), scheme())


def ridge(penalty):
    """Ridge regression."""
    return lambda: Ridge(alpha=penalty)


def logistic(c=1.0):
    """Logistic regression."""
    return lambda: LogisticRegression(C=c)


def kernel(name, alpha, gamma):
    """Kernel ridge regression."""
    return lambda: KernelRidge(alpha=alpha, kernel=name, gamma=gamma)


OLS, LDA, CLASSES = (
    LinearRegression,
    LinearDiscriminantAnalysis,
    {"numeric": False, "noise": "logistic"},
)
CELLS = (
    Cell("C", "OLS", OLS, 45, 4, True, columns="t"),
    Cell("C", "OLS", OLS, 120, 15, True, columns="corr"),
    Cell("C", "OLS", OLS, 75, 3, True, noise="laplace"),
    Cell("C", "ridge 10", ridge(10.0), 70, 12, True, columns="uniform"),
    Cell("C", "3-NN num", neighbours(3), 90, 2, True, form="bent"),
    Cell("C", "1-NN num", neighbours(1), 60, 2, True),
    Cell("C", "tree3 num", tree(3, 3), 110, 4, True, form="fried"),
    Cell("C", "chosen2of10 num", chosen(2), 90, 10, True, form="few"),
    Cell("C", "LDA", LDA, 55, 6, **CLASSES),
    Cell("C", "logistic", logistic(), 90, 8, **CLASSES, columns="corr"),
    Cell("C", "logistic 5%", logistic(), 250, 4, **CLASSES, share=0.05, signal=1.6),
    Cell("C", "3-NN", neighbours(3, numeric=False), 70, 3, **CLASSES, signal=1.5),
    Cell("C", "1-NN", neighbours(1, numeric=False), 100, 3, **CLASSES, signal=1.5),
    Cell("C", "tree", tree(5, 2, numeric=False), 130, 4, **CLASSES, form="fried", signal=2.0),
    Cell("C", "stump", tree(1, 1, numeric=False), 100, 3, **CLASSES, signal=1.5),
    Cell("C", "naive Bayes", GaussianNB, 48, 5, **CLASSES, signal=1.5),
    Cell("C", "OLS 14 groups", OLS, 90, 3, True, groups=14, uneven=0.7, way=GROUPED),
    Cell("C", "LDA 25 groups", LDA, 150, 4, **CLASSES, groups=25, uneven=0.5, way=GROUPED, signal=1.5),
    Cell("C", "OLS AR.4", OLS, 150, 3, True, ar=0.4, way=BLOCKS),
    Cell("C", "OLS lognormal", OLS, 90, 3, True, noise="lognormal"),
    Cell("T", "OLS", OLS, 60, 6, True, noise="uniform"),
    Cell("T", "OLS", OLS, 250, 30, True, columns="t"),
    Cell("T", "OLS", OLS, 160, 5, True, noise="t4"),
    Cell("T", "OLS", OLS, 40, 3, True, noise="gamma", columns="uniform"),
    Cell("T", "ridge 1", ridge(1.0), 110, 18, True, columns="corr"),
    Cell("T", "lasso .1", lambda: Lasso(alpha=0.1), 85, 14, True, form="few"),
    Cell("T", "kernel ridge", kernel("rbf", 0.5, 0.3), 80, 3, True, form="bent"),
    Cell("T", "7-NN num", neighbours(7), 140, 3, True, form="bent"),
    Cell("T", "1-NN num", neighbours(1), 130, 2, True, noise="laplace"),
    Cell("T", "tree5 num", tree(5, 5), 180, 5, True, form="fried"),
    Cell("T", "boosting num", lambda: GradientBoostingRegressor(n_estimators=40, max_depth=2, random_state=0), 120, 4, True, form="fried"),
    Cell("T", "LDA", LDA, 150, 15, **CLASSES, columns="uniform", signal=1.5),
    Cell("T", "LDA", LDA, 44, 3, **CLASSES, signal=1.5),
    Cell("T", "logistic C100", logistic(100.0), 65, 4, **CLASSES, columns="t"),
    Cell("T", "logistic", logistic(), 320, 10, **CLASSES, share=0.3),
    Cell("T", "LDA 5%", LDA, 380, 5, **CLASSES, share=0.05, signal=1.6),
    Cell("T", "15-NN", neighbours(15, numeric=False), 110, 3, **CLASSES, signal=1.5),
    Cell("T", "1-NN", neighbours(1, numeric=False), 140, 2, **CLASSES, signal=1.5),
    Cell("T", "5-NN 15%", neighbours(5, numeric=False), 160, 3, **CLASSES, share=0.15, signal=1.6),
    Cell("T", "QDA", QuadraticDiscriminantAnalysis, 120, 4, **CLASSES, form="bent", signal=1.5),
    Cell("T", "tree", tree(4, 3, numeric=False), 75, 3, **CLASSES, signal=1.5),
    Cell("T", "stump", tree(1, 1, numeric=False), 180, 5, **CLASSES, signal=1.5),
    Cell("T", "boosting", lambda: GradientBoostingClassifier(n_estimators=40, max_depth=2, random_state=0), 160, 4, **CLASSES, form="fried", signal=2.0),
    Cell("T", "forest", lambda: RandomForestClassifier(20, min_samples_leaf=2, random_state=0), 90, 4, **CLASSES, form="fried", signal=2.0),
    Cell("T", "chosen3of12", chosen(3, numeric=False), 110, 12, **CLASSES, form="few", signal=1.6),
    Cell("T", "ridge 18 groups", ridge(3.0), 160, 4, True, groups=18, uneven=1.0, way=GROUPED),
    Cell("T", "logistic 12 groups", logistic(), 100, 3, **CLASSES, groups=12, uneven=0.5, way=GROUPED, signal=1.5),
    Cell("T", "5-NN 30 groups", neighbours(5), 120, 3, True, groups=30, tied=0.7, way=GROUPED),
    Cell("T", "OLS 40 groups", OLS, 200, 3, True, groups=40, uneven=1.0, tied=0.3, way=GROUPED),
    Cell("T", "OLS AR.5", OLS, 200, 3, True, ar=0.5, way=BLOCKS),
    Cell("T", "OLS AR.7", OLS, 300, 3, True, ar=0.7, way="time_ordered(k=8)"),
    Cell("T", "ridge AR.3", ridge(3.0), 100, 4, True, ar=0.3, way=BLOCKS),
    Cell("T", "OLS lognormal", OLS, 150, 4, True, noise="lognormal"),
    Cell("T", "OLS t3", OLS, 110, 4, True, noise="t3"),
    Cell("T", "ridge t2.5", ridge(3.0), 220, 6, True, noise="t2.5"),
    Cell("V", "OLS", OLS, 100, 10, True, noise="logistic"),
    Cell("V", "OLS", OLS, 55, 8, True, columns="uniform"),
    Cell("V", "OLS", OLS, 350, 12, True, columns="corr", noise="gamma"),
    Cell("V", "ridge 30", ridge(30.0), 150, 35, True),
    Cell("V", "elastic net", lambda: ElasticNet(alpha=0.1), 70, 8, True),
    Cell("V", "4-NN num", neighbours(4), 200, 4, True, form="bent"),
    Cell("V", "10-NN num", neighbours(10), 80, 2, True, form="bent"),
    Cell("V", "tree2 num", tree(2, 5), 60, 3, True, form="fried"),
    Cell("V", "laplacian kernel", kernel("laplacian", 1.0, 0.4), 120, 3, True, form="bent"),
    Cell("V", "chosen4of20 num", chosen(4), 150, 20, True, form="few"),
    Cell("V", "LDA", LDA, 80, 10, **CLASSES, signal=1.5),
    Cell("V", "logistic", logistic(), 130, 6, **CLASSES, columns="uniform"),
    Cell("V", "naive Bayes", GaussianNB, 100, 8, **CLASSES, signal=1.5),
    Cell("V", "9-NN", neighbours(9, numeric=False), 90, 2, **CLASSES, signal=1.5),
    Cell("V", "OLS 20 even groups", OLS, 100, 3, True, groups=20, tied=0.9, way=GROUPED),
    Cell("V", "ridge 24 groups", ridge(2.0), 240, 4, True, groups=24, uneven=1.5, way=GROUPED),
    Cell("V", "LDA 16 groups", LDA, 120, 3, **CLASSES, groups=16, uneven=1.0, way=GROUPED, signal=1.5),
    Cell("V", "logistic 30 groups", logistic(), 150, 5, **CLASSES, groups=30, tied=0.8, way=GROUPED, signal=1.5),
    Cell("V", "3-NN 20 groups", neighbours(3), 100, 2, True, groups=20, uneven=0.5, way=GROUPED),
    Cell("V", "OLS AR.6", OLS, 250, 3, True, ar=0.6, way=BLOCKS),
)  # fmt: skip


# --- samples ------------------------------------------------------------------------------------


def columns(cell, n, rng, group=None, many=0):
    """Both blocks of columns, side by side."""
    kind = COLUMNS.get(cell.columns, NOISE["normal"])
    X = kind(rng, (n, 2 * cell.p))
    if cell.columns == "corr":
        for j in range(1, cell.p):
            for here in (j, cell.p + j):
                X[:, here] = 0.6 * X[:, here - 1] + 0.8 * X[:, here]
    return tied(cell, X, group, lambda: kind(rng, (many, 2 * cell.p)))


def tied(cell, own, group, common):
    """Let cases of a group share a part, and neighbours in time be alike."""
    if group is not None:
        own = np.sqrt(1 - cell.tied) * own + np.sqrt(cell.tied) * common()[group]
    for i in range(1, len(own) if cell.ar else 0):
        own[i] = cell.ar * own[i - 1] + np.sqrt(1 - cell.ar**2) * own[i]
    return own


def height(cell, X, equal):
    """What both blocks say of the target."""
    a, b = cell.signals(equal)
    form = FORMS[cell.form]
    return a * form(X[:, : cell.p]) + b * form(X[:, cell.p :])


@cache
def cut(cell, equal):
    """Return above what a case is positive."""
    if cell.share == 0.5 and cell.form == "line":
        return 0.0
    rng, alone = np.random.default_rng(5), replace(cell, groups=0)
    X = columns(alone, 40000, rng)
    whole = height(cell, X, equal) + NOISE[cell.noise](rng, 40000)
    return float(np.quantile(whole, 1 - cell.share))


def draw(cell, n, rng, equal):
    """Return columns, target and groups."""
    group, many = None, 0
    if cell.groups:
        many = cell.groups if n < FRESH else n // 8
        size = (1 + np.arange(many) % 12) ** cell.uneven
        group = np.sort(rng.choice(many, n, p=size / size.sum()))
        group[rng.permutation(n)[:many]] = np.arange(many)  # none is empty
        group = np.sort(group)
    X = columns(cell, n, rng, group, many)
    noise = NOISE[cell.noise]
    y = height(cell, X, equal) + tied(cell, noise(rng, n), group, lambda: noise(rng, many))
    return X, y if cell.numeric else (y > cut(cell, equal)).astype(float), group


def scored(cell, model, X):
    """Return numbers, or the share of the positive class."""
    return model.predict(X) if cell.numeric else model.predict_proba(X)[:, 1]


def resampled(cell, A, y, group, seed):
    """Resample one block as a run would, and keep what it finds."""
    splits = as_resampling(cell.way).realise(
        cell.n, None if cell.numeric else y.astype(int), groups=group, rng=seed
    )
    parts = list(splits)
    watched = (
        int(np.argmax([len(s.train) for s in parts])) if cell.way.startswith("time_ordered") else 0
    )
    held = np.full(cell.n, np.nan)
    for place, s in enumerate(parts):
        model = cell.make().fit(A[s.train], y[s.train])
        held[s.test] = scored(cell, model, A[s.test])
        if place == watched:
            own = np.square(scored(cell, model, A[s.train]) - y[s.train])
    others = np.square(held - y)[parts[watched].train]
    known = ~np.isnan(others)
    rows = np.concatenate([s.test for s in parts])
    where = np.repeat(np.arange(len(parts)), [len(s.test) for s in parts])
    made = Predictions.of(
        (y if cell.numeric else y.astype(int))[rows], row=rows,
        fold=np.array([s.fold for s in parts])[where],
        n_train=np.array([float(len(s.train)) for s in parts])[where],
        group=None if group is None else group[rows], **read(cell, held[rows]),
    )  # fmt: skip
    found = {"": float(1 - own[known].sum() / others[known].sum())}
    provenance = Provenance("", attributes=cell.p, overfitting=found)
    return replace(made, design=splits.design, provenance=provenance, cache={})


def read(cell, scores):
    """Return what predictions hold."""
    if cell.numeric:
        return {"value": scores}
    return {"probability": scores, "positive": 1, "classes": [0, 1]}


def truths(cell, A, y, Z, z):
    """Return each measure of the model of all rows on fresh cases."""
    found = scored(cell, cell.make().fit(A, y), Z)
    fresh = Predictions.of(z if cell.numeric else z.astype(int), **read(cell, found))
    table = evaluate(fresh, list(MEASURES[cell.numeric]), interval="none")
    return [e.value for e in table.estimates]


def limits(p, measure):
    """Return the limits of the headline's default interval; NaN where there is none."""
    (e,) = evaluate(p, measure, estimate=headline_estimate(p, measure)).estimates
    return tuple(e.interval) if e.interval else (math.nan,) * 2


def different(a, b, measure):
    """Whether the default comparison calls two schemes different; refused is no."""
    try:
        return float(compare(a, b, measure).pvalue < 0.05)
    except CrediblyError:
        return 0.0


def sample(job):
    """Return truth, limits and verdict for each measure in one sample."""
    place, equal, i = job
    cell = CELLS[place]
    rng = np.random.default_rng([SEED, crc32(cell.key.encode()), int(equal), i])
    X, y, group = draw(cell, cell.n, rng, equal)
    while not cell.numeric and min(y.sum(), cell.n - y.sum()) < 4:
        X, y, group = draw(cell, cell.n, rng, equal)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a, b = (resampled(cell, A, y, group, i) for A in np.split(X, [cell.p], axis=1))
        names = MEASURES[cell.numeric]
        if not equal:
            return [(math.nan,) * 3 + (different(a, b, m),) for m in names]
        Z, z, _ = draw(cell, FRESH, rng, equal)
        true = truths(cell, X[:, : cell.p], y, Z[:, : cell.p], z)
        return [(t, *limits(a, m), different(a, b, m)) for t, m in zip(true, names, strict=True)]


def row_of(cell, measure, equal, unequal):
    """Count how often limits hold, and how often schemes are called different."""
    true, low, high, alarms = equal.T
    given = ~np.isnan(low)

    def holds(t):
        return round(float(((low <= t) & (t <= high))[given].mean()), 4) if given.any() else ""

    return {
        "set": SETS[cell.set], "design": cell.name, "n": cell.n, "columns": cell.p, "noise": cell.noise,
        "measure": measure, "resampling": cell.way, "samples": len(equal), "given": int(given.sum()),
        "covers_model": holds(true), "covers_training": holds(np.nanmean(true)),
        "width": round(float(np.nanmedian(high - low)), 4) if given.any() else "",
        "false_alarms": round(float(alarms.mean()), 4),
        "power": round(float(unequal[:, 3].mean()), 4) if len(unequal) else "", "seed": SEED,
    }  # fmt: skip


def side_by_side(rows):
    """Return a row for each design and measure, in per cent."""
    made = []
    for r in rows:
        percent = {k: "" if r[k] == "" else f"{100 * r[k]:.0f}" for k in r if k.startswith(("cov", "fal", "pow"))}  # fmt: skip
        lacking = r["samples"] - r["given"]
        held = f"{percent['covers_model']}/{percent['covers_training']}" if r["given"] else "none"
        told = f", {lacking} withheld" if lacking and r["given"] else ""
        alarms = f"{100 * r['false_alarms']:.1f} / {percent['power']}".removesuffix(" / ")
        made.append({
            "set": r["set"], "design": r["design"], "n": r["n"], "columns": r["columns"], "measure": r["measure"],
            "held: model / mean": held + told, "false alarms / power": alarms,
        })  # fmt: skip
    return made


def main():
    """Draw all cells, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=240)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sets", default="CTV")
    parser.add_argument("--output", type=Path, default=Path("unseen.csv"))
    asked = parser.parse_args()
    made = []
    with ProcessPoolExecutor(asked.jobs) as workers:
        for place, cell in enumerate(CELLS):
            if cell.set not in asked.sets:
                continue
            count = asked.samples // 2 if cell.slow else asked.samples
            jobs = [(place, equal, i) for equal in (True, False) for i in range(count)]
            jobs = jobs[:count] if cell.slow else jobs
            found = np.array(list(workers.map(sample, jobs, chunksize=5)))
            for m, name in enumerate(MEASURES[cell.numeric]):
                made.append(row_of(cell, name, found[:count, m], found[count:, m]))
            write(made, asked.output)
            write(side_by_side(made), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
