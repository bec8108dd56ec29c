"""How often tests of two schemes after resampling raise a false alarm, and how often they see a difference.

One learner on one block of columns and the same learner on another are equal by symmetry; they are unequal
where the second block carries less. Each sample is resampled by 10 repeats of k folds, of whole groups where cases
come in groups, and by 30 holdouts, and reduced to what tests read. *After run* it is known how closely schemes follow their rows. Drawing needs no package but numpy, so
that it runs anywhere. Run from the repository:

    python -m tests.simulation.differences --samples 500 --facts facts.npz --output docs/validity/differences.csv

Cells that the file of facts holds already are not drawn again. A second table, differences-5.csv beside it, sets the
rates of all cells of a scheme side by side.
"""

import argparse
import csv
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from zlib import crc32

import numpy as np

from credibly.intervals.quantiles import two_sided

from . import learners

SEED = 20261117
SIZES = (50, 100, 200)
REPEATS, HOLDOUTS, SHARE = 10, 30, 0.3
SHARED = 0.5  # correlation of the blocks
# As in credibly.comparisons.over_cases, which a machine without scipy cannot import.
ONCE, REPEATED, JUMPS, CLOSER, AS_LINEAR = 1.3, 1.25, 0.3, 4.0, 1.5
RATIO, RATIOS = 1.08, ["fbeta"]
FACTS = (
    "value", "error", "freedom", "fold mean", "fold variance",
    "values", "errors", "moved", "ties", "freedoms", "fold means", "fold variances",
    "holdout mean", "holdout variance", "overfitting",
)  # fmt: skip


# --- losses of each case ------------------------------------------------------------------------


def squared(score, y):
    """Squared error of a number, or of a share of the positive class."""
    return (score - y) ** 2


def absolute(score, y):
    """Absolute error."""
    return np.abs(score - y)


def wrong(share, y):
    """Whether the label is wrong."""
    return ((share >= 0.5) != (y > 0.5)).astype(float)


def surprise(share, y):
    """Logarithmic loss."""
    return -np.log(np.where(y > 0.5, share, 1 - share).clip(1e-15))


def logit(learner):
    """Return shares for a learner that returns log odds."""

    def fit(X, y, W):
        predict = learner(X, y, W)
        return lambda new: 1 / (1 + np.exp(-np.clip(predict(new), -30, 30)))

    return fit


def harmony(share, y):
    """F-measure, and how each case moves it: its mean is the measure, its spread that of influence values."""
    label = share >= 0.5
    size = (label + y).sum(axis=-1, keepdims=True) / y.size
    value = 2 * (label * y).mean(axis=-1, keepdims=True) / size
    return value + (2 * label * y - value * (label + y)) / size


OF_CLASSES = {"error_rate": wrong, "brier": squared, "log_loss": surprise, "fbeta": harmony}
OF_NUMBERS = {"mse": squared, "mae": absolute}
SCHEMES = {
    "LDA": (logit(learners.lda), ("error_rate",)),
    "naive Bayes": (logit(learners.naive_bayes), ("error_rate", "brier")),
    "logistic": (logit(learners.logistic), ("error_rate", "brier", "log_loss", "auc")),
    "tree": (learners.tree(6, 3), ("error_rate", "brier")),
    "1-NN": (learners.neighbours(1), ("error_rate",)),
    "5-NN": (learners.neighbours(5), ("error_rate", "brier")),
    "smoother": (learners.smoother(0.4), ("error_rate", "brier")),
    "smoother, numeric": (learners.smoother(0.4), ("mse",)),
    "OLS": (learners.ols, ("mse", "mae")),
    "regression tree": (learners.tree(4, 5), ("mse",)),
    "5-NN, numeric": (learners.neighbours(5), ("mse",)),
    "1-NN, numeric": (learners.neighbours(1), ("mse", "mae")),
    "OLS on 2 chosen columns": (learners.chosen(learners.ols, 2), ("mse", "mae")),
}
NUMERIC = {name for name, (_, measures) in SCHEMES.items() if "mse" in measures}


@dataclass(frozen=True)
class Cell:
    """A scheme, equal or unequal blocks of columns, rows, folds, and how many rows a group has on average.

    Groups differ in size and share half of the variance; ``even`` ones have the same size and share 0.9 of it.
    """

    scheme: str
    n: int
    k: int
    equal: bool
    columns: int = 3
    group: int = 0
    even: bool = False
    kind: str = ""  # heavy tails, growing noise, or rare: a fifth of the cases are positive

    @property
    def name(self):
        """Its fields in a row."""
        shown = [str(v) for v in vars(self).values()]
        return "|".join(shown).removesuffix("|").removesuffix("|False")

    @property
    def numeric(self):
        return self.scheme in NUMERIC

    @property
    def measures(self):
        known = SCHEMES[self.scheme][1]
        return ("error_rate", "fbeta") if self.kind == "rare" else known

    @property
    def signals(self):
        """How much of the target each block carries."""
        strong = (1.0, 0.55) if self.numeric else (0.75, 0.4)
        wide = (3 / self.columns) ** 0.5
        return (0.5 * wide, 0.5 * wide) if self.equal else tuple(s * wide for s in strong)


NEW = {  # schemes and kinds of data that no factor was chosen on
    ("OLS", "heavy tails"): 3,
    ("OLS", "growing noise"): 3,
    ("OLS on 2 chosen columns", "chosen"): 12,
    ("1-NN, numeric", "heavy tails"): 3,
    ("LDA", "rare"): 3,
    ("naive Bayes", "rare"): 3,
    ("5-NN", "rare"): 3,
}


def cells():
    """Every scheme with every number of rows and folds; unequal ones, and trees, which are slow, with ten."""
    for (name, kind), equal in product(NEW, (True, False)):
        yield Cell(name, 100, 10, equal, columns=NEW[name, kind], kind=kind)
    later = {name for name, _ in NEW} - {"OLS", "LDA", "naive Bayes", "5-NN"}
    for name, n, k, equal in product(SCHEMES, SIZES, (10, 5, 20), (True, False)):
        if name in later:
            continue
        if (n < max(SIZES) and k == 10) if "tree" in name else (equal or k == 10):
            yield Cell(name, n, k, equal)
    for name, equal in product(("LDA", "OLS", "logistic", "5-NN"), (True, False)):
        yield Cell(name, 100, 10, equal, columns=15)
    for name, group, equal in product(("LDA", "1-NN", "5-NN", "OLS"), (5, 10), (True, False)):
        yield Cell(name, 20 * group, 5, equal, group=group)
    for name, equal in product(("LDA", "OLS"), (True, False)):
        yield Cell(name, 100, 5, equal, group=10)
    for name, group, equal in product(("LDA", "1-NN", "5-NN", "OLS"), (5, 10), (True, False)):
        yield Cell(name, 20 * group, 5, equal, group=group, even=True)


# --- samples ------------------------------------------------------------------------------------


def draw(cell, rng):
    """Return two blocks of columns, the target, and the group of each case (none: each is one)."""
    n, group = cell.n, np.arange(cell.n)
    if cell.even:
        group //= cell.group
    elif cell.group:
        ends = np.sort(rng.choice(np.arange(1, n), n // cell.group - 1, replace=False))
        group = np.searchsorted(ends, np.arange(n), side="right")
    tied = 0.95 if cell.even else 0.7 if cell.group else 0.0

    def noise(*shape):
        own, common = rng.standard_normal((n, *shape)), rng.standard_normal((n, *shape))[group]
        return np.sqrt(1 - tied**2) * own + tied * common

    common = noise(cell.columns)
    blocks = [
        np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * noise(cell.columns) for _ in range(2)
    ]
    if cell.numeric:
        pairs = zip(cell.signals, blocks, strict=True)
        told = sum(s * x.sum(1) for s, x in pairs) * 0.7 / cell.columns**0.5
        errors = noise()
        if cell.kind == "heavy tails":
            errors = rng.standard_t(3, n)
        elif cell.kind == "growing noise":
            errors = errors * np.exp(0.5 * common[:, 0])
        return blocks, told + errors, group
    y = (noise() > (0.8416 if cell.kind == "rare" else 0)).astype(float)
    return [x + s * y[:, None] for s, x in zip(cell.signals, blocks, strict=True)], y, group


def folds_of(cell, y, group, rng):
    """Deal out the cases of each class in turn, or whole groups, the largest first."""
    n = cell.n
    if cell.group:
        sizes, fold = np.bincount(group), np.empty(group.max() + 1, int)
        held = np.zeros(cell.k)
        for g in np.lexsort((rng.random(sizes.size), -sizes)):
            fold[g] = np.flatnonzero(held == held.min())[0]
            held[fold[g]] += sizes[g]
        return fold[group]
    sets = [np.arange(n)] if cell.numeric else [np.flatnonzero(y == c) for c in (0, 1)]
    order = np.concatenate([rng.permutation(rows) for rows in sets])
    fold = np.empty(n, int)
    fold[order] = (np.arange(n) + rng.integers(cell.k)) % cell.k
    return fold


def held_out(cell, X, y, fold):
    """Return what each case is predicted to be by the models of other folds, for each repeat."""
    learner = SCHEMES[cell.scheme][0]
    if "NN" in cell.scheme:
        near = cell.n if cell.group else 64  # of a group all are held out
        return nearest(int(cell.scheme[0]), X, y, fold[:, :, None] != fold[:, None, :], near)
    W = (fold[:, None, :] != np.arange(cell.k)[:, None]).reshape(-1, cell.n).astype(float)
    every = learner(X, y, W)(X).reshape(len(fold), cell.k, cell.n)
    return every[np.arange(len(fold))[:, None], fold, np.arange(cell.n)]


def on_its_own_rows(cell, X, y, fold):
    """Return what the model that lacks the first fold makes of the rows that it was fitted to."""
    known = fold != 0
    if "NN" in cell.scheme:
        rows = np.broadcast_to(known, (1, cell.n, cell.n))
        return nearest(int(cell.scheme[0]), X, y, rows)[0]
    return SCHEMES[cell.scheme][0](X, y, known[None].astype(float))(X)[0]


def overfitting(scores, own, y, fold):
    """Return by which share the model that overfits more errs less on rows that it was fitted to, as `run` finds."""
    rows = fold[0] != 0
    pairs = zip(own, scores, strict=True)
    return max(1 - squared(o, y)[rows].sum() / squared(s[0], y)[rows].sum() for o, s in pairs)


def nearest(k, X, y, known, near=64):
    """The mean target of the k nearest cases that each case (second axis) knows in each repeat (first).

    They are looked for among the ``near`` nearest, of which less than half are held out.
    """
    far = ((X[:, None] - X[None]) ** 2).sum(-1)
    order = np.argsort(far, axis=1, kind="stable")[:, :near]
    there = known[:, np.arange(len(X))[:, None], order]
    used = there & (np.cumsum(there, axis=2) <= k)
    return (used * y[order]).sum(2) / k


def holdout_values(cell, blocks, y, rng, losses):
    """Return the difference of each mean loss in each of several holdouts."""
    n, test = cell.n, round(SHARE * cell.n)
    out = np.zeros((HOLDOUTS, n), bool)
    for row in out:
        row[rng.permutation(n)[:test]] = True
    if "NN" in cell.scheme:
        known = np.broadcast_to(~out[:, None, :], (HOLDOUTS, n, n))
        found = [nearest(int(cell.scheme[0]), X, y, known) for X in blocks]
    else:
        found = [SCHEMES[cell.scheme][0](X, y, (~out).astype(float))(X) for X in blocks]
    return [((f(found[0], y) - f(found[1], y)) * out).sum(1) / test for f in losses]


# --- what tests read ----------------------------------------------------------------------------


def sums_by(codes, values):
    """Add up each row of values by code."""
    return np.stack([np.bincount(codes, row) for row in values])


def facts_of_losses(cell, d, fold, group, held, fitted):
    """Reduce differences of losses (repeat, case) to what tests read."""
    n, repeats = cell.n, len(d)
    by_fold = sums_by_fold(d, fold, cell.k)
    moves = (d - d.mean(1, keepdims=True)) / n
    units = n
    ties = (np.abs(np.diff(d, axis=0)) <= 1e-9).mean()
    sizes = np.bincount(group).astype(float)
    if cell.group:
        moves, units = sums_by(group, moves) / (1 - sizes / n), sizes.size
    squares = np.square(moves)
    total = squares.sum(1)
    spread = np.maximum((squares**2).sum(1) - total**2 / units, 1e-300)
    freedom = np.full(repeats, (sizes**2).sum() ** 2 / (sizes**4).sum() - 1)
    if not cell.group:
        freedom = np.minimum(2 * total**2 / spread, n - 1)
    error = total * ((units - 1) / units if cell.group else units / (units - 1))
    return (
        d[0].mean(), error[0], freedom[0], by_fold[0].mean(), by_fold[0].var(ddof=1),
        d.mean(), error.mean(), moves.var(axis=0, ddof=1).sum(), ties, freedom.mean(),
        by_fold.mean(), by_fold.var(ddof=1), held.mean(), held.var(ddof=1), fitted,
    )  # fmt: skip


def sums_by_fold(d, fold, k):
    """Return the mean of each fold (repeat, fold)."""
    return np.stack(
        [
            np.bincount(f, row, k) / np.bincount(f, minlength=k)
            for f, row in zip(fold, d, strict=True)
        ]
    )


def facts_of_areas(cell, scores, y, fold, fitted):
    """Reduce the scores of two models (model, repeat, case) to what tests of a mean AUC over folds read."""
    repeats, n, k = len(fold), cell.n, cell.k
    values, moves = np.full((repeats, k), np.nan), np.zeros((repeats, n))
    error, freedom = np.full(repeats, np.nan), np.full(repeats, np.nan)
    for r in range(repeats):
        parts = []
        for f in range(k):
            rows = np.flatnonzero(fold[r] == f)
            if min((y[rows] > 0.5).sum(), (y[rows] < 0.5).sum()) < 2:
                return np.full(len(FACTS), np.nan)
            won = [placements(s[r, rows], y[rows]) for s in scores]
            gap = won[0] - won[1]
            for side in (y[rows] > 0.5, y[rows] < 0.5):
                m, own = side.sum(), gap[side]
                moves[r, rows[side]] = (own - own.mean()) / (m * k)
                parts.append((own.var(ddof=1) / m / k**2, m - 1))
            values[r, f] = gap[y[rows] > 0.5].mean()
        v, left = np.array(parts).T
        error[r] = v.sum()
        freedom[r] = v.sum() ** 2 / max((v**2 / left).sum(), 1e-300)
    ties = (np.abs(np.diff(moves, axis=0)) <= 1e-9).mean()
    return (
        values[0].mean(), error[0], freedom[0], values[0].mean(), values[0].var(ddof=1),
        values.mean(), error.mean(), moves.var(axis=0, ddof=1).sum(), ties, freedom.mean(),
        values.mean(), values.var(ddof=1), np.nan, np.nan, fitted,
    )  # fmt: skip


def placements(score, y):
    """Return the share of the other class that each case is on the right side of."""
    beats = (score[:, None] > score[None]) + 0.5 * (score[:, None] == score[None])
    positive = y > 0.5
    return np.where(positive, beats[:, ~positive].mean(1), beats[positive].mean(0))


def resampled(cell, i, seed=SEED):
    """Return the blocks of columns of a sample, target, group, folds by repeat, and the scores of both models."""
    name = f"{cell.scheme} {cell.n} {cell.columns} {cell.group} {cell.equal}{' even' * cell.even}{cell.kind}"
    rng = np.random.default_rng([seed, crc32(name.encode()), i])
    blocks, y, group = draw(cell, rng)
    while not cell.numeric and min(y.sum(), cell.n - y.sum()) < 8:
        blocks, y, group = draw(cell, rng)
    repeats = 2 if cell.group else REPEATS
    fold = np.stack([folds_of(cell, y, group, rng) for _ in range(repeats)])
    scores = [held_out(cell, X, y, fold) for X in blocks]
    own = [on_its_own_rows(cell, X, y, fold[0]) for X in blocks]
    return blocks, y, group, fold, scores, own, rng


def sample(cell, i, seed=SEED):
    """Return the facts of each measure in one sample."""
    blocks, y, group, fold, scores, own, rng = resampled(cell, i, seed)
    fitted = overfitting(scores, own, y, fold)
    losses = [(OF_NUMBERS if cell.numeric else OF_CLASSES).get(m) for m in cell.measures]
    means = [f for f in losses if f is not None]
    held = iter(
        holdout_values(cell, blocks, y, rng, means)
        if cell.k == 10 and not cell.group
        else [np.full(2, np.nan)] * len(means)
    )
    return [
        facts_of_areas(cell, scores, y, fold, fitted)
        if f is None
        else facts_of_losses(
            cell, f(scores[0], y) - f(scores[1], y), fold, group, next(held), fitted
        )
        for f in losses
    ]


def drawn(path, samples, jobs, only=(), seconds=np.inf, seed=SEED):
    """Draw the cells that a file of facts lacks, and write it anew: samples, measures and facts for each."""
    found = dict(np.load(path)) if path.exists() else {}
    begin = time.monotonic()
    with ProcessPoolExecutor(jobs) as workers:
        for cell in cells():
            late = time.monotonic() - begin > seconds
            if late or cell.name in found or (only and cell.scheme not in only):
                continue
            count = samples // 4 if "tree" in cell.scheme else samples
            made = workers.map(partial(sample, cell, seed=seed), range(count), chunksize=4)
            found[cell.name] = np.array(list(made))
            print(cell.name, file=sys.stderr, flush=True)  # noqa: T201
    np.savez_compressed(path, **found)
    return found


# --- tests --------------------------------------------------------------------------------------


def statistics(cell, facts):
    """Return the statistic of each test with its degrees of freedom, from the facts of all samples."""
    at = dict(zip(FACTS, np.moveaxis(facts, -1, 0), strict=True))
    k, repeats = cell.k, 2 if cell.group else REPEATS
    overlap, apart = 1 / (k - 1), SHARE / (1 - SHARE)
    once = np.sqrt(at["fold variance"] * (1 / k + overlap))
    often = np.sqrt(at["fold variances"] * (1 / k / repeats + overlap))
    held = np.sqrt(at["holdout variance"] * (1 / HOLDOUTS + apart))
    moved = k * (JUMPS * at["ties"] + 1 - at["ties"]) * at["moved"] / at["errors"]
    ratio = np.where(np.isin(cell.measures, RATIOS), RATIO, 1.0)
    widened = np.minimum(REPEATED, np.sqrt(1 + moved)) * ratio
    linear = 2 * (cell.columns + 1) / (cell.n // (cell.group or 1))
    by_fit = by_closeness(cell, at["overfitting"], linear)
    seen = at["value"] / np.sqrt(at["error"]), at["values"] / np.sqrt(at["errors"])
    return {
        "one: after run": (seen[0] / np.minimum(ONCE * ratio, by_fit), at["freedom"]),
        "repeated: after run": (seen[1] / np.minimum(widened, by_fit), at["freedoms"]),
        "one: cases": (seen[0] / (ONCE * ratio), at["freedom"]),
        "one: corrected t": (at["fold mean"] / once, k - 1.0),
        "repeated: cases": (seen[1] / widened, at["freedoms"]),
        "repeated: corrected t": (at["fold means"] / often, 9.0),
        "repeated: as published": (at["fold means"] / often, k * repeats - 1.0),
        "holdouts: corrected t": (at["holdout mean"] / held, 9.0),
        "holdouts: as published": (at["holdout mean"] / held, HOLDOUTS - 1.0),
    }


def by_closeness(cell, own, linear):
    """Return what `run` lets the error be multiplied by at most, for each sample and measure."""
    found = 1 + linear + CLOSER * np.maximum(own - linear, 0)
    jumps, areas = (np.isin(cell.measures, [name]) for name in ("error_rate", "auc"))
    share = np.where(jumps | (not cell.group), np.maximum(own, linear), own).clip(0, 1)
    derived = np.where(own > AS_LINEAR * linear, np.inf, np.sqrt(1 + share - share**2 / 4))
    found = np.where(areas | (jumps & (not cell.group)), found, np.minimum(found, derived))
    return np.where(np.isin(cell.measures, RATIOS), np.inf, found)  # of means alone


def rates(cell, facts, level=0.95):
    """Return how often each test rejects, in per cent, for each measure; nothing where it does not apply."""
    beyond = np.vectorize(lambda freedom: two_sided(level, float(freedom)))
    found = {}
    with np.errstate(all="ignore"):
        for name, (t, freedom) in statistics(cell, facts).items():
            known = ~np.isnan(t)
            limits = np.broadcast_to(beyond(np.where(np.isnan(freedom), 1, freedom)), t.shape)
            share = 100 * ((np.abs(t) > limits) & known).mean(axis=0)
            found[name] = np.where(known.mean(axis=0) > 0.5, share, np.nan)
    return found


def rows_of(found, seed=SEED):
    """Return one row per cell and measure."""
    made = []
    for cell in cells():
        if cell.name not in found:
            continue
        facts = found[cell.name]
        each = rates(cell, facts)
        for j, measure in enumerate(cell.measures):
            known = {n: "" if np.isnan(r[j]) else round(float(r[j]), 1) for n, r in each.items()}
            made.append({
                "scheme": cell.scheme, "measure": measure, "schemes": "equal" if cell.equal else "unequal",
                "n": cell.n, "folds": cell.k, "columns": cell.columns, "group": f"{cell.group}, even" if cell.even else cell.group or "",
                "kind": cell.kind, "samples": len(facts), **known, "seed": seed,
            })  # fmt: skip
    return made


def side_by_side(rows):
    """Return a row for each scheme and measure: false alarms over all sizes and folds, power with ten folds."""
    tests = [name for name in rows[0] if ":" in name]
    table = {}
    for r in rows:
        kind = (
            "in even groups"
            if "even" in str(r["group"])
            else "in groups"
            if r["group"]
            else "15 columns"
            if str(r["columns"]) == "15"
            else r["kind"]
        )
        cells_of = table.setdefault((r["scheme"], r["measure"], kind), {})
        for test in (t for t in tests if r[t] != "" and (r["group"] == "" or t.startswith("one"))):
            cells_of.setdefault((test, r["schemes"]), []).append(float(r[test]))
    made = []
    for (scheme, measure, kind), found in table.items():
        told = {"scheme": ", ".join(filter(None, (scheme, kind))), "measure": measure}
        for test in tests:
            told[test] = " / ".join(span(found.get((test, s))) for s in ("equal", "unequal"))
        made.append({k: "" if v == " / " else v for k, v in told.items()})
    return made


def span(rates_found):
    """Write the least and the most of some rates."""
    if not rates_found:
        return ""
    low, high = f"{min(rates_found):.0f}", f"{max(rates_found):.0f}"
    return low if low == high else f"{low} to {high}"


def main():
    """Draw what is not there yet, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--facts", type=Path, default=Path("facts.npz"))
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--seconds", type=float, default=np.inf, help="when to stop drawing")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    found = drawn(asked.facts, asked.samples, asked.jobs, asked.only, asked.seconds, asked.seed)
    if asked.output:
        rows = rows_of(found, asked.seed)
        write(rows, asked.output)
        write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-5.csv"))


def write(rows, path):
    """Write rows as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
