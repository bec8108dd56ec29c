"""The default interval and the default test beside other methods, on designs that no other grid has: is another as safe, and narrower or stronger?

Schemes learn from one of two blocks of columns, as in `doors`. Each sample is resampled in ten folds, in ten times ten and by nested cross-validation.
*Needed* is the share of the default's width with which it would have held 95 of 100 values. Run from the repository:

    python -m tests.simulation.rivals --samples 40 --seed 90210 --output docs/validity/rivals.csv

A second table, rivals-95.csv beside it, names for each design and measure the narrowest method that holds and the strongest test that keeps its level.
"""

import argparse
import math
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path
from zlib import crc32

import numpy as np

from credibly import compare, evaluate
from credibly.errors import CrediblyError

from . import doors, fresh
from .coverage import write
from .doors import TEN, Design as D

HUNDRED, NESTED = fresh.HUNDRED, "nested_cv"
DEFAULT = (TEN, "auto")
ROUND = 10  # samples of each design, after which the tables are written
INTERVALS = (DEFAULT, (TEN, "corrected"), (TEN, "t"), (TEN, "within_fold"), (TEN, "all_pairs"), (HUNDRED, "auto"), (HUNDRED, "corrected"), (NESTED, "auto"))  # fmt: skip
TESTS = (DEFAULT, (TEN, "corrected_resampled_t"), (TEN, "paired_t"), (HUNDRED, "auto"), (HUNDRED, "corrected_resampled_t(freedom='nine')"), (NESTED, "auto"))  # fmt: skip
DESIGNS = (
    D("ols-48-3-u", 48, 3, "u"), D("ols-110-22-f", 110, 22, "f"), D("ols-250-6-e", 250, 6, "e"), D("ols-85-4-t5", 85, 4, "d", noise="t5"),
    D("ridge5-64-16", 64, 16, "n", "sparse"), D("ridge5-180-9-het", 180, 9, "f", "lin", "het"), D("knn5r-95-3", 95, 3, "u", "wave"), D("knn15r-210-2", 210, 2, "e", "wave"),
    D("tree4r-120-3", 120, 3, "n", "step"), D("logit-64-3", 64, 3, "u", signal=2.0, classes=2), D("logit-130-12", 130, 12, "f", "sparse", signal=1.5, classes=2),
    D("logit-260-5-8%", 260, 5, "n", signal=2.0, share=0.08, classes=2), D("lda-56-5", 56, 5, "e", signal=2.0, classes=2), D("lda-140-24", 140, 24, "n", signal=2.0, classes=2),
    D("lda-200-4-3cl", 200, 4, "d", signal=2.0, classes=3), D("nb-84-6", 84, 6, "f", signal=1.5, classes=2), D("nb-240-3-10%", 240, 3, "u", signal=2.0, share=0.1, classes=2),
    D("knn5-130-3", 130, 3, "e", "wave", signal=2.5, classes=2), D("knn1-110-3", 110, 3, "n", signal=2.0, classes=2), D("tree4-150-3", 150, 3, "u", "step", signal=3.0, classes=2),
)  # fmt: skip


def ways(d):
    """Return the resamplings of a design; nested ones of what refits exactly without fitting again."""
    fitted = d.name.startswith(("logit", "tree"))
    return (TEN, HUNDRED) if fitted else (TEN, HUNDRED, NESTED)


def pvalue(a, b, m, test):
    """Return the p-value; nothing where the test is refused."""
    try:
        return compare(a, b, m, test=test).pvalue
    except CrediblyError:
        return math.nan


def sample(job):
    """Return rows of a sample: limits of every method, and p-values of every test on equal and unequal blocks."""
    d, i, _, seed = job
    key, found = crc32(d.name.encode()), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rng = np.random.default_rng([seed, key, i])
        A, B, y, _ = doors.draw(d, rng, d.n, True)
        Z, _, z, _ = doors.draw(d, rng, doors.FRESH, True)
        true = doors.truth(d, d.make().fit(A, y), Z, z)
        other = doors.draw(d, np.random.default_rng([seed, 7, key, i]), d.n, False) if i % 2 else None  # fmt: skip
        for way in ways(d):
            again = partial(doors.resampled, d, group=None, way=way, seed=i)
            a, b = again(A, y), again(B, y)
            for _, how in (each for each in INTERVALS if each[0] == way):
                shown = evaluate(a, list(d.measures), interval=how)
                for m in d.measures:
                    e = shown[m]
                    limits = tuple(e.interval) if e.interval else (math.nan,) * 2
                    found.append((d.name, m, "interval", way, how, true[m], e.value, *limits))
            unlike = [again(X, other[2]) for X in other[:2]] if other else None
            for _, test in (each for each in TESTS if each[0] == way):
                for m in d.measures:
                    p = pvalue(a, b, m, test)
                    seen = pvalue(*unlike, m, test) if unlike else math.nan
                    found.append((d.name, m, "test", way, test, p, seen, math.nan, math.nan))
    return found


def of_intervals(numbers):
    """Return how often limits hold, how wide they are, and which share of the width is needed."""
    true, value, low, high = numbers[~np.isnan(numbers[:, 2])].T
    if not true.size:
        return {"given": 0}
    held, reach = [], []
    for t in (true, np.full(true.size, true.mean())):
        held.append(round(float(((low <= t) & (t <= high)).mean()), 4))
        side = np.where(t < value, value - low, high - value)
        reach.append(np.quantile(np.abs(t - value) / side, 0.95))
    return {
        "given": true.size, "covers_model": held[0], "covers_training": held[1],
        "width": round(float(np.median(high - low)), 5), "needed": round(float(max(reach)), 3),
    }  # fmt: skip


def table(rows, seed):
    """Return a row for each design, measure and method."""
    names = ("design", "measure", "kind", "resampling", "method")
    made = []
    for key, each in groupby(sorted(rows, key=lambda r: r[:5]), key=lambda r: r[:5]):
        numbers = np.array([r[5:] for r in each])
        told = dict.fromkeys(("given", "covers_model", "covers_training", "width", "needed", "false_alarms", "power"), "")  # fmt: skip
        if key[2] == "interval":
            told |= of_intervals(numbers)
        else:
            rates = (x[~np.isnan(x)] for x in numbers.T[:2])
            told |= dict(zip(("false_alarms", "power"), map(doors.share_below, rates), strict=True))
        made.append({**dict(zip(names, key, strict=True)), "samples": len(numbers), **told, "seed": seed})  # fmt: skip
    return made


def side_by_side(rows):
    """Return a row for each design and measure: the default beside the narrowest that holds, and beside the strongest valid test."""
    made = []
    for (design, measure), found in groupby(rows, key=lambda r: (r["design"], r["measure"])):
        each = list(found)
        error = math.sqrt(0.95 * 0.05 / each[0]["samples"])
        limits = [r for r in each if r["kind"] == "interval" and r["given"] == r["samples"]]
        holding = [r for r in limits if min(r["covers_model"], r["covers_training"]) >= 0.95 - 2 * error]  # fmt: skip
        tests = [r for r in each if r["kind"] == "test" and r["power"] != ""]
        valid = [r for r in tests if r["false_alarms"] <= 0.05 + 2 * error]
        made.append({
            "design": design, "measure": measure, "samples": each[0]["samples"],
            **beside(limits, min(holding, key=lambda r: r["width"], default=None), "width", "narrowest that holds"),
            **beside(tests, max(valid, key=lambda r: r["power"], default=None), "power", "strongest valid test"),
        })  # fmt: skip
    return made


def beside(each, best, what, named):
    """Return what the default shows, and the best of all beside it."""
    own = next((r for r in each if (r["resampling"], r["method"]) == DEFAULT), None)
    if own is None:
        return {"default " + what: "", named: ""}
    shown = f"{100 * own['covers_model']:.0f}/{100 * own['covers_training']:.0f}, needs {own['needed']:.2f}" if what == "width" else f"{100 * own['false_alarms']:.0f} / {100 * own['power']:.0f}"  # fmt: skip
    if best is None:
        return {"default " + what: shown, named: "none"}
    other = f"{own['width'] / best['width']:.2f}" if what == "width" else f"{100 * best['power']:.0f}"  # fmt: skip
    return {"default " + what: shown, named: f"{other} ({best['resampling']}, {best['method']})"}


def main():
    """Draw all designs, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=40)
    parser.add_argument("--seed", type=int, default=90210)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("rivals.csv"))
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="after which no round begins"
    )
    asked = parser.parse_args()
    begin, rows = time.monotonic(), []
    with ProcessPoolExecutor(asked.jobs) as workers:
        for i in range(0, asked.samples, ROUND):
            if time.monotonic() - begin > asked.seconds:
                break
            places = range(i, min(i + ROUND, asked.samples))
            jobs = [(d, k, asked.samples, asked.seed) for k in places for d in DESIGNS]
            rows += [r for found in workers.map(sample, jobs) for r in found]
            made = table(rows, asked.seed)
            write(made, asked.output)
            write(side_by_side(made), asked.output.with_name(f"{asked.output.stem}-95.csv"))


if __name__ == "__main__":
    main()
