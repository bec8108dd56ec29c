"""Tables of simulations with an answer for each sample: whether an interval held the true value, or a test rejected."""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np


def row(what, answers, *, rejects):
    """Return a row of a table; a sample without an answer is None."""
    known = [x for x in answers if x is not None]
    share = round(float(np.mean(known)), 4) if known else ""
    return {"what": what, "samples": len(answers), "with an answer": len(known), "share": share, "of": "rejected" if rejects else "held"}  # fmt: skip


def run(doc, row_of, cells, file):
    """Run all cells as the command line asks, and write the table."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--repetitions", type=int, default=600)
    parser.add_argument("--output", type=Path, default=Path(file))
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs) as workers:
        write(
            list(workers.map(partial(row_of, repetitions=asked.repetitions), cells)), asked.output
        )
