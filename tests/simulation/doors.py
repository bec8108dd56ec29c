"""Default intervals and comparisons as a user gets them: `run`, `evaluate` and `compare` on designs that chose no rule.

Schemes learn from one of two blocks of columns, which are equal by symmetry or of which the second carries less. What stands first for
each measure is held to the model of all rows (of a holdout: to its own model) on fresh cases, and to its mean over training sets. Run from the repository:

    python -m tests.simulation.doors --samples 200 --seed 31337 --output docs/validity/doors.csv
"""

import argparse
import math
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.stats import rankdata
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from credibly import compare, evaluate, run
from credibly.errors import CrediblyError

from .coverage import write

FRESH = 5000  # cases on which a model is judged
GROUPED, BLOCKS, ALONE, TEN = "grouped_folds(k=5)", "time_ordered(k=5)", "leave_one_out", "folds(k=10)"  # fmt: skip
HELD, REPEATED, DRAWN = "holdout", "repeated_holdout", "bootstrap(replicates=50)"
OWN = (HELD, REPEATED, DRAWN)  # which are about models of fewer rows
NUMBERS = ("mse", "mae", "r2")
CLASSES = ("error_rate", "auc", "brier", "log_loss", "f1", "balanced_accuracy")
SCHEMES = {
    "ols": LinearRegression,
    "ridge5": lambda: Ridge(alpha=5.0),
    "logit": LogisticRegression,
    "logit_free": lambda: LogisticRegression(C=1e4, max_iter=300),
    "lda": LinearDiscriminantAnalysis,
    "nb": GaussianNB,
    **{f"knn{k}": lambda k=k: KNeighborsClassifier(k) for k in (1, 5, 15)},
    **{f"knn{k}r": lambda k=k: KNeighborsRegressor(k) for k in (1, 5, 15)},
    "tree": lambda: DecisionTreeClassifier(min_samples_leaf=3, random_state=0),
    "tree3": lambda: DecisionTreeClassifier(max_depth=3, min_samples_leaf=5, random_state=0),
    "treer": lambda: DecisionTreeRegressor(min_samples_leaf=4, random_state=0),
    "stump": lambda: DecisionTreeClassifier(max_depth=1, random_state=0),
    "stumpr": lambda: DecisionTreeRegressor(max_depth=1, random_state=0),
    "forest": lambda: RandomForestClassifier(25, min_samples_leaf=2, random_state=0),
    "forestr": lambda: RandomForestRegressor(25, min_samples_leaf=2, random_state=0),
    "boost": lambda: GradientBoostingClassifier(n_estimators=30, max_depth=2, random_state=0),
    "boostr": lambda: GradientBoostingRegressor(n_estimators=30, max_depth=2, random_state=0),
}
SLOW, FITTED = ("forest", "boost"), ("logit", "tree", "stump")  # which are drawn less often
COLUMNS = {
    "n": lambda rng, n, p: rng.standard_normal((n, p)),
    "f": lambda rng, n, p: (
        math.sqrt(0.3) * rng.standard_normal((n, 1)) + math.sqrt(0.7) * rng.standard_normal((n, p))
    ),
    "e": lambda rng, n, p: rng.exponential(1, (n, p)) - 1,
    "d": lambda rng, n, p: rng.integers(0, 3, (n, p)) - 1.0,
    "u": lambda rng, n, p: rng.uniform(-1.7, 1.7, (n, p)),
}


def line(X):
    """Return a sum of all columns, the first of which count most."""
    places = np.arange(1, X.shape[1] + 1)
    return X @ (1 / np.sqrt(places)) / math.sqrt((1 / places).sum())


FORMS = {  # what a block of columns says of the target
    "lin": line,
    "sparse": lambda X: (X[:, 0] + X[:, 1]) / math.sqrt(2),
    "wave": lambda X: np.sin(1.5 * X[:, 0]) + 0.5 * (X[:, 1] ** 2 - 1),
    "step": lambda X: 1.2 * ((X[:, 0] > 0.3) * (X[:, 1] > -0.5) - 0.25) + 0.3 * X[:, -1],
}
NOISE = {
    "n": lambda rng, n, _: rng.standard_normal(n),
    "t5": lambda rng, n, _: rng.standard_t(5, n) * math.sqrt(0.6),
    "t3": lambda rng, n, _: rng.standard_t(3, n) / math.sqrt(3),
    "logn": lambda rng, n, _: (np.exp(rng.standard_normal(n)) - math.exp(0.5)) / 2.161,
    "het": lambda rng, n, height: rng.standard_normal(n) * np.exp(0.6 * height) / 1.2,
}


@dataclass(frozen=True)
class Design:
    """A scheme, rows, columns of a block, and a population."""

    name: str
    n: int
    p: int
    columns: str = "n"
    form: str = "lin"
    noise: str = "n"
    signal: float = 1.0
    share: float = 0.5
    classes: int = 0
    groups: int = 0
    tied: float = 0.5
    ar: float = 0.0
    uneven: bool = False
    made: Callable | None = None  # draws both blocks, the target and groups in another way
    told: tuple = ()  # other resamplings than the usual ones, and their shares

    @property
    def make(self):
        """The scheme, whose name is the first word."""
        return SCHEMES[self.name.split("-")[0]]

    @property
    def measures(self):
        """What is asked of it; of several classes what is theirs."""
        if not self.classes:
            return NUMBERS
        return CLASSES if self.classes == 2 else ("error_rate", "brier", "log_loss", "balanced_accuracy")  # fmt: skip

    @property
    def ways(self):
        """Resamplings, and the share of the samples in which they are drawn."""
        if self.told:
            return dict(self.told)
        if self.groups or self.ar:
            return {GROUPED if self.groups else BLOCKS: 1.0}
        if self.name.startswith(SLOW):
            return {TEN: 0.6}
        return {TEN: 1.0, ALONE: 0.1 if self.name.startswith(FITTED) else 0.25}


D = Design
DESIGNS = (
    D("ols-75-7-uni", 75, 7, "u"), D("ols-50-4-disc", 50, 4, "d"), D("ols-220-40", 220, 40, "f"),
    D("ridge5-90-20", 90, 20, "e", "sparse"), D("ols-160-3-het", 160, 3, "u", "lin", "het"), D("ols-70-3-t5", 70, 3, "e", "lin", "t5"),
    D("ols-100-8-step", 100, 8, "n", "step"), D("knn5r-80-2", 80, 2, "n", "wave"), D("knn15r-120-3", 120, 3, "u", "wave"),
    D("knn1r-160-3", 160, 3, "n", "wave"), D("treer-200-4", 200, 4, "u", "wave"), D("stumpr-160-3", 160, 3, "u", "step"),
    D("forestr-140-4", 140, 4, "u", "step"), D("boostr-90-4", 90, 4, "n", "wave"), D("ols-200-3-logn", 200, 3, "u", "lin", "logn"),
    D("ols-90-3-t3", 90, 3, "n", "lin", "t3"), D("logit-70-4", 70, 4, "e", signal=1.5, classes=2),
    D("logit-250-4-6%", 250, 4, "u", signal=2.0, share=0.06, classes=2), D("logit_free-120-6", 120, 6, signal=1.2, classes=2),
    D("lda-90-15", 90, 15, "f", signal=2.0, classes=2), D("lda-80-3-3cl", 80, 3, signal=2.0, classes=3),
    D("nb-140-8", 140, 8, "u", signal=2.0, classes=2), D("nb-300-3-7%", 300, 3, "e", signal=2.0, share=0.07, classes=2),
    D("knn1-80-2", 80, 2, "u", signal=2.0, classes=2), D("knn5-90-3", 90, 3, signal=2.0, classes=2),
    D("knn15-110-2", 110, 2, "u", "wave", signal=2.0, classes=2), D("knn5-160-4-3cl", 160, 4, "u", signal=2.5, classes=3),
    D("tree-100-3", 100, 3, "u", "wave", signal=3.0, classes=2), D("tree3-160-5", 160, 5, "n", "step", signal=3.0, classes=2),
    D("stump-90-3", 90, 3, "u", "step", signal=2.0, classes=2), D("forest-80-4", 80, 4, "f", signal=2.0, classes=2),
    D("boost-110-4", 110, 4, "n", "step", signal=3.0, classes=2), D("logit-150-4-12%", 150, 4, "f", signal=2.0, share=0.12, classes=2),
    D("ols-g18", 126, 4, "u", groups=18, tied=0.6, uneven=True), D("ridge5-g24", 144, 5, groups=24, tied=0.4),
    D("ols-g14-.9", 84, 2, "u", groups=14, tied=0.9), D("logit-g24", 168, 4, signal=2.0, classes=2, groups=24),
    D("knn5r-g20", 100, 2, "n", "wave", groups=20), D("ols-ar.7", 240, 4, ar=0.7), D("ridge5-ar.4", 160, 3, ar=0.4),
    D("lda-ar.6", 300, 3, signal=2.0, classes=2, ar=0.6),
)  # fmt: skip


def latent(d, rng, n, equal):
    """Return both blocks, what they say together, noise, and groups."""
    group, many = None, 0
    if d.groups:
        many = d.groups if n == d.n else max(n // 6, 2)
        size = np.linspace(1, 4, many) if d.uneven else np.ones(many)
        drawn = rng.choice(many, n - many, p=size / size.sum())
        group = np.sort(np.concatenate([np.arange(many), drawn]))

    def tied(make):
        own = make(n)
        if group is not None:
            own = math.sqrt(1 - d.tied) * own + math.sqrt(d.tied) * make(many)[group]
        for t in range(1, n if d.ar else 0):
            own[t] = d.ar * own[t - 1] + math.sqrt(1 - d.ar**2) * own[t]
        return own

    first, second = (tied(lambda k: COLUMNS[d.columns](rng, k, d.p)) for _ in range(2))
    height = FORMS[d.form](first)
    whole = (1 if equal else 1.3) * height + (1 if equal else 0.4) * FORMS[d.form](second)
    noise = tied(lambda k: NOISE[d.noise](rng, k, height[:k] if k == n else np.zeros(k)))
    return first, second, d.signal * whole, noise, group


@cache
def cuts(d, equal):
    """Return where classes end."""
    *_, whole, noise, _ = latent(replace(d, groups=0, ar=0.0), np.random.default_rng(3), 60000, equal)  # fmt: skip
    return np.quantile(whole + 1.5 * noise, [1 - d.share] if d.classes == 2 else [0.4, 0.75])


def draw(d, rng, n, equal):
    """Return both blocks, the target and groups; of a class there are four cases at least."""
    if d.made:
        return d.made(rng, n)
    while True:
        first, second, whole, noise, group = latent(d, rng, n, equal)
        if not d.classes:
            return first, second, whole + noise, group
        y = np.searchsorted(cuts(d, equal), whole + 1.5 * noise).astype(int)
        if np.bincount(y, minlength=d.classes).min() >= 4:
            return first, second, y, group


def truth(d, model, Z, z):
    """Return each measure on fresh cases, by formulas of this file."""
    if not d.classes:
        off = model.predict(Z) - z
        return {"mse": (off**2).mean(), "mae": np.abs(off).mean(), "r2": 1 - (off**2).mean() / z.var()}  # fmt: skip
    share, label, every = model.predict_proba(Z), model.predict(Z), range(d.classes)
    happened = z[:, None] == np.arange(d.classes)
    with np.errstate(divide="ignore"):
        loss = -np.log(share[happened]).mean()
    found = {
        "error_rate": (label != z).mean(),
        "log_loss": loss,
        "brier": np.square(share - happened).mean(),
        "balanced_accuracy": np.mean([(label[z == c] == c).mean() for c in every]),
    }
    if d.classes == 2:
        rank, m = rankdata(share[:, 1]), z.sum()
        found["auc"] = (rank[z == 1].sum() - m * (m + 1) / 2) / (m * (len(z) - m))
        found["f1"] = 2 * (label * z).sum() / max(label.sum() + m, 1)
    return found


def resampled(d, X, y, group, way, seed):
    """Resample through the public door."""
    time = np.arange(d.n) if d.ar else None
    task = "classification" if d.classes else "numeric"
    return run(d.make(), X, y, task=task, resampling=way, groups=group, time=time, rng=seed, progress=False)  # fmt: skip


def own_model(d, p, way, X, y, rng):
    """Return the model of a holdout, or one of as many rows as repeated ones or samples of a bootstrap learn from."""
    rows = {
        HELD: np.setdiff1d(np.arange(d.n), p.row),
        REPEATED: rng.permutation(d.n)[: round(d.n * 2 / 3)],
        DRAWN: rng.integers(0, d.n, d.n),
    }[way]
    return d.make().fit(X[rows], y[rows])


def verdicts(d, blocks, y, group, way, seed, first=None):
    """Return the p-value of each measure by the default test; 1 where it is refused."""
    a = resampled(d, blocks[0], y, group, way, seed) if first is None else first
    b = resampled(d, blocks[1], y, group, way, seed)
    found = {}
    for m in d.measures:
        try:
            found[m] = compare(a, b, m).pvalue
        except CrediblyError:
            found[m] = 1.0
    return found


def sample(job):
    """Return for each resampling and measure: truth, limits, p-values of equal and of unequal blocks."""
    d, i, samples, seed = job
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _sample(d, i, samples, seed)


def _sample(d, i, samples, seed):
    key, made = crc32(d.name.encode()), []
    rng = np.random.default_rng([seed, key, i])
    A, B, y, group = draw(d, rng, d.n, True)
    Z, _, z, _ = draw(replace(d, ar=0.0), rng, FRESH, True)
    whole = truth(d, d.make().fit(A, y), Z, z)
    for way, share in d.ways.items():
        if i >= share * samples:
            continue
        p = resampled(d, A, y, group, way, i)
        true = whole if way not in OWN else truth(d, own_model(d, p, way, A, y, rng), Z, z)
        shown, nothing = evaluate(p, list(d.measures)), dict.fromkeys(d.measures, math.nan)
        equal = nothing if way == ALONE else verdicts(d, (A, B), y, group, way, i, p)
        unequal = nothing
        if way != ALONE and not d.made and i < share * samples / 2 and not d.name.startswith(SLOW):
            other = draw(d, np.random.default_rng([seed, 7, key, i]), d.n, False)
            unequal = verdicts(d, other[:2], *other[2:], way, i)
        for m in d.measures:
            limits = tuple(shown[m].interval) if shown[m].interval else (math.nan,) * 2
            made.append((d.name, way, m, true[m], *limits, equal[m], unequal[m]))
    return made


def share_below(values):
    """Return the share of p-values below 0.05."""
    return round(float(np.mean(np.asarray(values) < 0.05)), 4) if len(values) else ""


def row_of(key, found, unequal, seed):
    """Count how often limits hold, and how often schemes are called different."""
    true, low, high, equal = np.array(found).T
    given = ~np.isnan(low)

    def holds(t):
        return round(float(((low <= t) & (t <= high))[given].mean()), 4) if given.any() else ""

    return {
        **dict(zip(("design", "resampling", "measure"), key, strict=True)),
        "samples": len(found), "given": int(given.sum()), "covers_model": holds(true), "covers_training": holds(true.mean()),
        "width": round(float(np.median((high - low)[given])), 4) if given.any() else "",
        "false_alarms": "" if key[1] == ALONE else share_below(equal), "power": share_below(unequal), "seed": seed,
    }  # fmt: skip


def table(rows, seed):
    """Return a row for each design, resampling and measure of samples that were drawn."""
    made = []
    for key, found in groupby(sorted(rows, key=lambda r: r[:3]), key=lambda r: r[:3]):
        each = [r[3:] for r in found]
        unequal = [r[-1] for r in each if not math.isnan(r[-1])]
        made.append(row_of(key, [r[:4] for r in each], unequal, seed))
    return made


def side_by_side(rows):
    """Return a row for each design and resampling, with what each measure shows, in per cent."""
    made = []
    for (design, way), found in groupby(rows, key=lambda r: (r["design"], r["resampling"])):
        shown = {"design": design, "resampling": way}
        for r in found:
            alarms = "" if r["false_alarms"] == "" else f"; {100 * r['false_alarms']:.0f}"
            power = "" if r["power"] == "" else f" / {100 * r['power']:.0f}"
            held = "none" if not r["given"] else f"{100 * r['covers_model']:.0f}/{100 * r['covers_training']:.0f}"  # fmt: skip
            lacking = f", {r['samples'] - r['given']} withheld" if 0 < r["given"] < r["samples"] else ""  # fmt: skip
            shown |= {"samples": r["samples"], r["measure"]: f"{held}{lacking}{alarms}{power}"}
        made.append(shown)
    return [{m: r.get(m, "") for m in ("design", "resampling", "samples", *NUMBERS, *CLASSES)} for r in made]  # fmt: skip


def main():
    """Draw all designs, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=31337)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("doors.csv"))
    asked = parser.parse_args()
    jobs = [(d, i, asked.samples, asked.seed) for d in DESIGNS for i in range(asked.samples)]
    with ProcessPoolExecutor(asked.jobs) as workers:
        rows = [r for found in workers.map(sample, jobs, chunksize=4) for r in found]
    made = table(rows, asked.seed)
    write(made, asked.output)
    write(side_by_side(made), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
