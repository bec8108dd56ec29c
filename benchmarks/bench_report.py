"""A whole report beside the numbers in it: five models on 1e5 cases each.

The numbers are the table with its intervals, the curves, the calibrations, the comparisons and the
checks; the rest of a report is pictures and the page. The bundle of scripts is kept after the first.
"""

import numpy as np

import credibly
from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions
from credibly.reports.context import ReportContext
from credibly.reports.sections import CURVE_KINDS, MAX_PICTURED

MODELS = 5
MOST = 2_000_000


def predictions(n, rng):
    y = (rng.random(n) < 0.3).astype(np.int64)
    each = [
        1 / (1 + np.exp(-rng.normal(np.where(y, 1, -1) * (1 + i / 10), 1))) for i in range(MODELS)
    ]
    return Predictions.of(
        np.tile(y, MODELS),
        probability=np.concatenate(each),
        model=np.repeat([f"model {i}" for i in range(MODELS)], n),
        row=np.tile(np.arange(n), MODELS),
    )


def numbers(p):
    p.cache.clear()
    m = ReportContext(p)
    for kind in CURVE_KINDS:
        credibly.curve(kind, p)
    for part in list(m.models.values())[:MAX_PICTURED]:
        credibly.calibration(part)
    return m.findings()


def whole(p):
    p.cache.clear()
    return credibly.report(p).html()


def main():
    rng = np.random.default_rng(0)
    rows = []
    for n in (10**4, 10**5):
        p = predictions(n, rng)
        best = best_times({"numbers": lambda p=p: numbers(p), "report": lambda p=p: whole(p)})
        size = len(whole(p).encode())
        rows.append(
            [
                f"{n:,}",
                f"{best['report']:.2f} s",
                times(best["report"] / best["numbers"]),
                f"{size / MOST:.2f} of 2 MB",
            ]
        )
    print_table(
        f"Report of {MODELS} models",
        ["cases", "report", "of its numbers", "size of the page"],
        rows,
    )
