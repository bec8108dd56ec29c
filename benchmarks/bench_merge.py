"""What a cluster would move: summaries of parts, made one by one and merged, beside all rows at once.

A part stands for a worker with its share of the rows. Its summary grows with the bins, not with the
rows, so parts of other sizes stand beside. CREDIBLY_PARTS says of how many parts the merge is made.
"""

import os
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.interleaved import print_table
from credibly import evaluate, merge, summarise

PARTS = int(os.environ.get("CREDIBLY_PARTS", "20"))
SIZES = (250_000, 1_000_000, 4_000_000)
AT_ONCE = 5  # summaries merged at a time, in a tree
TOLERANCE = 1e-4  # what one pass gives


def part(i, n, folder):
    """Return the truth and scores of a part, and its summary."""
    import pandas as pd

    rng = np.random.default_rng(i)
    truth = (rng.random(n) < 0.3).astype(int)
    score = 1 / (1 + np.exp(1 - 1.2 * truth - rng.normal(size=n)))
    path = Path(folder, f"{i}.parquet")
    pd.DataFrame({"truth": truth, "score": score}).to_parquet(path)
    return truth, score, summarise(path, measures="auc", tolerance=TOLERANCE)


def size(p):
    """Return the bytes of a summary's columns."""
    columns = (getattr(p, name) for name in ("truth", "score", "weight", "span"))
    return sum(c.nbytes for c in columns if c is not None)


def area(p):
    e = evaluate(p, "auc", interval="none")["auc"]
    return e.value, e.bound


def tree(parts):
    """Merge a few at a time, as workers would on the way."""
    while len(parts) > 1:
        parts = [merge(*parts[i : i + AT_ONCE]) for i in range(0, len(parts), AT_ONCE)]
    return parts[0]


def main():
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for n in SIZES:
            *_, p = part(0, n, folder)
            rows.append([f"{n:,}", f"{p.n:,}", f"{size(p) / 1e6:.1f}", f"{area(p)[1]:.1e}"])
        print_table("A summary of one part", ["rows", "rows left", "MB", "bound"], rows)
        truths, scores, parts = zip(*(part(i, SIZES[0], folder) for i in range(PARTS)), strict=True)
    exact = roc_auc_score(np.concatenate(truths), np.concatenate(scores))
    rows = []
    for name, way in (("at once", lambda given: merge(*given)), ("in a tree", tree)):
        begin = time.process_time()
        made = way(list(parts))
        spent = time.process_time() - begin
        value, bound = area(made)
        rows.append(
            [
                name,
                f"{made.n:,}",
                f"{size(made) / 1e6:.1f}",
                f"{1000 * spent / PARTS:.0f}",
                f"{abs(value - exact):.1e}",
                f"{bound:.1e}",
            ]
        )
    print_table(
        f"{PARTS} parts of {SIZES[0]:,} rows merged",
        ["how", "rows left", "MB", "ms a part", "error of the AUC", "bound"],
        rows,
    )


if __name__ == "__main__":
    main()
