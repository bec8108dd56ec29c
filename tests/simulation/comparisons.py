"""How often comparisons raise a false alarm, and how often they see a difference.

Every registered comparison is tried on every kind of evidence that it reads, for three learners on equal
and on unequal features and for three sizes. Run from the repository:

    python -m tests.simulation.comparisons --repetitions 1000 --output docs/validity/comparisons.csv

A second table, comparisons-5.csv beside it, sets the rates at 5 % of all cells side by side.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np

from credibly import _kernels
from credibly.comparisons import Overlap, comparisons
from credibly.errors import CrediblyError

from .coverage import write
from .schemes import LEARNERS, SEED, Setting, evidence_of

SIZES = (50, 200, 1000)
LEVELS = (0.01, 0.05, 0.10)
REPLICATES = {"permutations": 99, "replicates": 99, "draws": 199}
TRIALS = 5  # if a comparison refuses in all of them it does not apply


def settings():
    """Every combination of learner, equality and size."""
    for n, equal, learner in product(SIZES, (True, False), LEARNERS):
        yield Setting(learner, equal, n)


def pvalue(comparison, evidence, seed):
    """Return the p-value; of a Bayesian comparison, twice the smaller probability of either direction."""
    fewer = {p.name: REPLICATES[p.name] for p in comparison.parameters if p.name in REPLICATES}
    rng = {"rng": seed} if comparison.random else {}
    result = comparison(evidence, **rng, **fewer)
    if comparison.bayesian:
        chances = result.probabilities
        return 2 * min(1 - chances["first lower"], 1 - chances["first higher"])
    return result.pvalue


def simulate(setting, repetitions, only=None):
    """Return a row for each comparison and kind of evidence in one setting."""
    seen, refused = defaultdict(list), defaultdict(int)
    cells, makers = judged(setting, only)
    for repetition in range(repetitions):
        for _, kind, evidence in evidence_of(setting, repetition, makers):
            for c in cells[kind, type(evidence), len(evidence.names)]:
                try:
                    seen[c.name, kind].append(pvalue(c, evidence, repetition))
                except CrediblyError:
                    refused[c.name, kind] += 1
    return [row(setting, cell, np.array(p), refused[cell]) for cell, p in seen.items()]


def judged(setting, only=None):
    """Find out which comparisons take which evidence; of several measures on cases, the first it takes."""
    cells, makers, taken = defaultdict(list), set(), set()
    tries = [list(evidence_of(setting, r)) for r in range(TRIALS)]
    for each in zip(*tries, strict=True):
        make, kind, evidence = each[0]
        for c in comparisons:
            group = c.name, kind.partition(",")[0]
            if (only and c.name not in only) or group in taken or not applies(c, evidence):
                continue
            if any(answers(c, e) for _, _, e in each):
                taken.add(group)
                makers.add(make)
                cells[kind, type(evidence), len(evidence.names)].append(c)
    return cells, makers


def applies(comparison, evidence):
    """Whether a comparison reads this kind of evidence, and as many models."""
    several = len(evidence.names) > 2
    unpaired = type(evidence) is Overlap and comparison.reads is not Overlap
    return isinstance(evidence, comparison.reads) and comparison.several == several and not unpaired


def answers(comparison, evidence):
    """Whether it does not refuse."""
    try:
        pvalue(comparison, evidence, 0)
    except CrediblyError:
        return False
    return True


def row(setting, cell, p, refused):
    """Rates over all repetitions: where a comparison refuses, it does not raise an alarm."""
    total = p.size + refused
    rates = {f"rate_{100 * a:.0f}": round(float((p <= a + 1e-12).sum()) / total, 4) for a in LEVELS}
    return {
        "comparison": cell[0], "evidence": cell[1], "learner": setting.learner,
        "schemes": "equal" if setting.equal else "unequal", "n": setting.n,
        "repetitions": total, "refused": refused, **rates, "seed": SEED,
    }  # fmt: skip


def side_by_side(rows):
    """Return a row for each comparison and evidence: rates at 5 %, the least and the most over learners."""
    table = {}
    for r in rows:
        key = r["comparison"], r["evidence"]
        column = f"{'false alarms' if r['schemes'] == 'equal' else 'power'}, n = {r['n']}"
        table.setdefault(key, {}).setdefault(column, []).append(100 * float(r["rate_5"]))
    columns = [f"{what}, n = {n}" for what in ("false alarms", "power") for n in SIZES]
    return [
        {"comparison": key[0], "evidence": key[1], **{c: span(cells.get(c)) for c in columns}}
        for key, cells in sorted(table.items())
    ]


def span(rates):
    """Write the least and the most of some rates."""
    if not rates:
        return ""
    low, high = min(rates), max(rates)
    return f"{low:.1f}" if low == high else f"{low:.1f} to {high:.1f}"


def main():
    """Run all cells that the table does not hold yet, or those of some comparisons, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("comparisons.csv"))
    parser.add_argument("--only", nargs="+", default=[c.name for c in comparisons])
    parser.add_argument("--again", action="store_true", help="also what the table holds")
    asked = parser.parse_args()
    _kernels.COMPILE_FROM = 0  # thousands of small inputs are worth a compiler
    rows = read(asked.output) if asked.output.exists() else []
    if asked.again:
        rows = [r for r in rows if r["comparison"] not in asked.only]
    for i, setting in enumerate(settings(), start=1):
        missing = set(asked.only) - {r["comparison"] for r in rows if of(r, setting)}
        if missing:
            rows = sorted(rows + simulate(setting, asked.repetitions, only=missing), key=place)
            write(rows, asked.output)  # what is done is kept
        print(f"{i} of 18 settings", file=sys.stderr)  # noqa: T201
    write(side_by_side(rows), asked.output.with_name(f"{asked.output.stem}-5.csv"))


def read(path):
    """Return the rows of a table."""
    with path.open() as file:
        return list(csv.DictReader(file))


def of(row, setting):
    """Whether a row is of this setting."""
    schemes = "equal" if setting.equal else "unequal"
    there = row["learner"], row["schemes"], int(row["n"])
    return there == (setting.learner, schemes, setting.n)


def place(row):
    """The order of the table: kinds of evidence together, then comparisons."""
    return (
        row["evidence"].partition(",")[0], row["comparison"], row["schemes"],
        row["learner"], int(row["n"]),
    )  # fmt: skip


if __name__ == "__main__":
    main()
