"""Timing that a busy machine cannot bias: contestants take turns, and the best turn of each counts."""

import gc
import os
import time
from importlib.metadata import version

os.environ.setdefault("CREDIBLY_NUM_THREADS", "1")  # unless a benchmark of threads sets its own


def best_times(contestants, seconds=2.0, rounds=3, clock=time.process_time):
    """Return the shortest time of each function; they run in turn for at least ``rounds`` rounds.

    It is the processors' time in this process, unless threads or other processes are what is timed.
    """
    best = dict.fromkeys(contestants, float("inf"))
    for run in contestants.values():
        run()  # compiles, fills caches
    start, done = time.perf_counter(), 0
    while done < rounds or time.perf_counter() - start < seconds:
        for name, run in contestants.items():
            gc.collect()
            begin = clock()
            run()
            best[name] = min(best[name], clock() - begin)
        done += 1
    return best


def print_table(title, header, rows):
    """Print an aligned table under its title, with the versions of the contestants."""
    widths = [max(len(str(r[i])) for r in [header, *rows]) for i in range(len(header))]
    print(
        f"\n{title}  ({', '.join(f'{p} {version(p)}' for p in ('numpy', 'scikit-learn'))}; one thread)"
    )
    for row in [header, *rows]:
        print("  " + "  ".join(str(c).ljust(w) for c, w in zip(row, widths, strict=True)))


def times(ratio):
    """Write a ratio."""
    return f"{ratio:,.1f}x" if ratio < 10 else f"{ratio:,.0f}x"
