"""Default intervals and comparisons on populations of other kinds than those of `doors`, through the same doors.

Curves in ten columns, half moons, sparse columns, counts, noise that grows, categories, rare classes, groups of uneven
sizes, seasons. Both blocks of columns are drawn alike given the target, or add alike to it. Out of bag, and after
repeated holdouts, what is held is the mean over models of as many rows. Run from the repository:

    python -m tests.simulation.fresh --samples 130 --seed 7001 --output docs/validity/fresh.csv
"""

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from . import doors
from .coverage import write
from .doors import BLOCKS, DRAWN, GROUPED, HELD, REPEATED, SCHEMES, TEN, Design

FIVE, HUNDRED = "folds(k=5)", "folds(k=10, repeats=10)"
SCHEMES |= {
    "rf": lambda: RandomForestClassifier(20, random_state=0),
    "rfr": lambda: RandomForestRegressor(20, random_state=0),
    "tree4": lambda: DecisionTreeClassifier(max_depth=4, random_state=0),
    "tree4r": lambda: DecisionTreeRegressor(max_depth=4, random_state=0),
}
ONCE, BOTH = ((TEN, 1.0),), ((TEN, 1.0), (FIVE, 1.0))
MANY = (*BOTH, (HUNDRED, 0.5), (HELD, 1.0), (REPEATED, 1.0), (DRAWN, 0.5))


def friedman(rng, n):
    """Friedman's first function of five of ten columns, in both blocks."""
    A, B = rng.uniform(size=(2, n, 10))
    each = [10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4] for X in (A, B)]  # fmt: skip
    return A, B, sum(each) + 2 * rng.standard_normal(n), None


def counts(rng, n):
    """Counts whose logarithm is a line."""
    A, B = rng.standard_normal((2, n, 4))
    return A, B, rng.poisson(np.exp(0.7 + 0.35 * (A + B) @ [1, 0.7, 0, 0])).astype(float), None


def growing(rng, n):
    """Noise that grows with how far the first columns are from their middle."""
    A, B = rng.uniform(-2, 2, (2, n, 3))
    spread = 0.3 + np.abs(A[:, 0]) + np.abs(B[:, 0])
    return A, B, (A + B) @ [1, 0.5, 0] + spread * rng.standard_normal(n), None


def moons(rng, n):
    """Two half moons in noise."""
    y, turn = rng.integers(0, 2, n), rng.uniform(0, np.pi, (2, n))
    x = np.where(y, 1 - np.cos(turn), np.cos(turn)), np.where(y, 0.5 - np.sin(turn), np.sin(turn))
    A, B = np.stack(x, axis=2) + 0.45 * rng.standard_normal((2, n, 2))
    return A, B, y, None


def sparse(rng, n, columns=15):
    """Two of many columns count."""
    A, B = rng.standard_normal((2, n, columns))
    height = 1.2 * ((A + B)[:, :2] @ [1, -1])
    return A, B, (rng.uniform(size=n) < 1 / (1 + np.exp(-height))).astype(int), None


def categories(rng, n):
    """Six columns of categories, whose shares differ between the classes."""
    y = (rng.uniform(size=n) < 0.4).astype(int)
    A, B = (rng.binomial(3, np.where(y, 0.55, 0.4)[:, None], (n, 6)).astype(float) for _ in "AB")
    return A, B, y, None


def rare(rng, n, share=0.05):
    """A rare class; its cases lie apart in two of four columns."""
    while True:
        y = (rng.uniform(size=n) < share).astype(int)
        if y.sum() >= 4:
            break
    A, B = rng.standard_normal((2, n, 4)) + y[:, None] * np.array([1.3, 0.8, 0, 0])
    return A, B, y, None


def three(rng, n):
    """Three classes on a line, the last with one case in eight."""
    y = rng.choice(3, n, p=[0.5, 0.375, 0.125])
    A, B = rng.standard_normal((2, n, 3)) + y[:, None] * np.array([1.0, 0.5, 0])
    return A, B, y, None


def grouped(rng, n, groups, classes=False):
    """Groups whose sizes fall by a constant factor, and which share a part of columns and noise."""
    many = groups if n < doors.FRESH else n // 5
    size = 0.88 ** (np.arange(many) % groups)
    group = np.sort(np.concatenate([np.arange(many), rng.choice(many, n - many, p=size / size.sum())]))  # fmt: skip
    A, B, noise = (
        np.sqrt(0.6) * rng.standard_normal((n, p)) + np.sqrt(0.4) * rng.standard_normal((many, p))[group]
        for p in (3, 3, 1)
    )  # fmt: skip
    whole = (A + B) @ [1, 0.5, 0.2] + noise[:, 0]
    return A, B, (whole > 0.3).astype(int) if classes else whole, group


def seasons(rng, n, ar, classes=False):
    """A season of twelve steps that no column says, and noise and columns that remember."""
    own = rng.standard_normal((n, 7))
    for t in range(1, n):
        own[t] = ar * own[t - 1] + np.sqrt(1 - ar**2) * own[t]
    season = 0.7 * np.sin(2 * np.pi * np.arange(n) / 12)
    whole = (own[:, :3] + own[:, 3:6]) @ [1, 0.5, 0] + season + own[:, 6]
    return own[:, :3], own[:, 3:6], (whole > 0).astype(int) if classes else whole, None


def made(name, n, draw, told=ONCE, classes=0, **more):
    """Return a design; the scheme is the first word of its name."""
    return Design(name, n, 0, classes=classes, made=draw, told=told, **more)


def held(name, n, p, columns="n", form="lin", **more):
    """Return a design of `doors` after ten holdouts."""
    return Design(f"{name}-held", n, p, columns, form, told=((REPEATED, 1.0),), **more)


def classes(name, n, p, columns="n", form="lin", signal=2.0, **more):
    """Return the same of two classes."""
    return held(name, n, p, columns, form, signal=signal, classes=2, **more)


IN_GROUPS, IN_TIME = ((GROUPED, 1.0),), ((BLOCKS, 1.0),)
DESIGNS = (
    made("ols-friedman-60", 60, friedman), made("ols-friedman-150", 150, friedman, MANY), made("ridge5-friedman-80", 80, friedman, BOTH),
    made("knn5r-friedman-120", 120, friedman), made("tree4r-friedman-150", 150, friedman, BOTH), made("rfr-friedman-100", 100, friedman),
    made("boostr-friedman-120", 120, friedman), made("ols-counts-60", 60, counts), made("ols-counts-200", 200, counts, MANY),
    made("rfr-counts-120", 120, counts), made("ols-growing-40", 40, growing), made("ols-growing-150", 150, growing, BOTH), made("knn15r-growing-150", 150, growing),
    made("logit-moons-60", 60, moons, classes=2), made("knn5-moons-100", 100, moons, BOTH, classes=2), made("knn1-moons-150", 150, moons, classes=2),
    made("tree4-moons-150", 150, moons, BOTH, classes=2), made("boost-moons-120", 120, moons, classes=2), made("rf-moons-100", 100, moons, classes=2),
    made("logit-sparse-100", 100, sparse, MANY, classes=2), made("lda-sparse-100", 100, sparse, BOTH, classes=2), made("logit-sparse-300", 300, sparse, classes=2),
    made("lda-sparse-40", 40, sparse, classes=2), made("nb-categories-80", 80, categories, MANY, classes=2), made("nb-categories-300", 300, categories, classes=2),
    made("logit-rare-200", 200, rare, BOTH, classes=2), made("lda-rare-400", 400, rare, classes=2), made("tree4-rare-300", 300, rare, classes=2),
    made("nb-three-120", 120, three, classes=3), made("logit-three-90", 90, three, BOTH, classes=3), made("stump-moons-120", 120, moons, classes=2),
    made("ols-groups-16", 96, partial(grouped, groups=16), IN_GROUPS, groups=16), made("knn5r-groups-25", 125, partial(grouped, groups=25), IN_GROUPS, groups=25),
    made("logit-groups-30", 180, partial(grouped, groups=30, classes=True), IN_GROUPS, 2, groups=30),
    made("ols-seasons.5-180", 180, partial(seasons, ar=0.5), IN_TIME, ar=0.5), made("ridge5-seasons.8-300", 300, partial(seasons, ar=0.8), IN_TIME, ar=0.8),
    classes("lda-75-3", 75, 3, signal=1.5), classes("lda-75-10", 75, 10, "f"), classes("logit-100-15", 100, 15, "n", "sparse"), classes("nb-60-5", 60, 5, "u"),
    classes("knn1-80-2", 80, 2), classes("knn5-100-4", 100, 4, "u"), classes("tree4-100-4", 100, 4), classes("lda-150-4-15%", 150, 4, share=0.15),
    held("ols-60-6", 60, 6), held("ols-120-20", 120, 20, "u"), held("knn5r-80-3", 80, 3), held("tree4r-90-4", 90, 4),
    made("logit-seasons.5-240", 240, partial(seasons, ar=0.5, classes=True), IN_TIME, 2, ar=0.5), made("nb-seasons.8-300", 300, partial(seasons, ar=0.8, classes=True), IN_TIME, 2, ar=0.8),
)  # fmt: skip


def main():
    """Draw one sample of every design after the other, and write the tables of all whole rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7001)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="after which no round begins"
    )
    parser.add_argument("--only", nargs="*", default=[""], help="parts of names of designs")
    parser.add_argument("--output", type=Path, default=Path("fresh.csv"))
    asked = parser.parse_args()
    designs = [d for d in DESIGNS if any(part in d.name for part in asked.only)]
    begin, rows = time.monotonic(), []
    with ProcessPoolExecutor(asked.jobs) as workers:
        for i in range(asked.samples):
            jobs = [(d, i, asked.samples, asked.seed) for d in designs]
            rows += [r for found in workers.map(doors.sample, jobs) for r in found]
            if i % 10 == 9 or i + 1 == asked.samples:
                table = doors.table(rows, asked.seed)
                write(table, asked.output)
                write(
                    doors.side_by_side(table), asked.output.with_name(f"{asked.output.stem}-95.csv")
                )
            if time.monotonic() - begin > asked.seconds:
                break


if __name__ == "__main__":
    main()
