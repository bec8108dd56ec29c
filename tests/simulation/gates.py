"""How often a gate decides wrongly about candidates that are worse by exactly the margin.

At the margin itself both verdicts are wrong, a pass and a failure: each is to be given in at most 5 %, looked at once or after every
batch. Run from the repository:

    python -m tests.simulation.gates --repetitions 1000 --output docs/validity/gates.csv
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from scipy.stats import norm

from credibly import Predictions, gate

SEED = 20261118
# What is drawn, how many cases, what it is drawn with, and after how many cases it is looked at again (0: once).
CELLS = {
    **{f"pass rate {rate}, margin {margin}, {n} cases": ("rates", n, {"rate": rate, "margin": margin}, 0)
       for rate, margin in ((0.55, 0.05), (0.8, 0.02), (0.97, 0.01)) for n in (60, 150, 500)},
    "pass rate 0.7, margin 0.03, 25 groups of 8": ("grouped", 200, {"size": 8}, 0),
    **{f"pass rate against the value 0.9, {n} cases": ("value", n, {"rate": 0.9}, 0) for n in (40, 120, 400)},
    **{f"{law} differences, {n} cases": ("numbers", n, {"law": law}, 0)
       for law in ("normal", "t4", "bounded", "rare losses of") for n in (40, 160)},
    "rarer and larger losses of differences, 80 cases": ("numbers", 80, {"law": "rarer"}, 0),
    **{f"AUC {area}, margin 0.02, {n} cases, {share:.0%} positive": ("areas", n, {"area": area, "share": share}, 0)
       for area, n, share in ((0.75, 120, 0.3), (0.85, 400, 0.1), (0.9, 200, 0.5), (0.95, 150, 0.2), (0.98, 500, 0.1))},
    "pass rate 0.6, margin 0.05, looked at after each 25 of 500": ("rates", 500, {"rate": 0.6, "margin": 0.05}, 25),
    "pass rate 0.95, margin 0.02, looked at after each 25 of 500": ("rates", 500, {"rate": 0.95, "margin": 0.02}, 25),
    "bounded differences, looked at after each 20 of 300": ("numbers", 300, {"law": "bounded"}, 20),
    "AUC 0.8, margin 0.02, looked at after each 50 of 600": ("areas", 600, {"area": 0.8, "share": 0.4}, 50),
    "AUC 0.95, margin 0.02, looked at after each 50 of 600": ("areas", 600, {"area": 0.95, "share": 0.2}, 50),
}  # fmt: skip


def rates(rng, n, *, rate, margin):
    """Return passes of a candidate and a baseline of this rate: a third of the failures are of both."""
    alone = (1 - rate) * 2 / 3  # what the baseline alone fails
    u = rng.random(n)
    old = u >= 1 - rate
    lost = (u >= 1 - rate) & (u < 1 - rate + alone + margin)
    gained = u < alone
    return {"new": (old & ~lost) | gained, "old": old}, margin, {}


def grouped(rng, n, *, size, rate=0.7, margin=0.03):
    """Return passes whose difficulty is shared within groups."""
    groups = n // size
    shift = np.repeat(rng.normal(0, 0.7, groups), size)
    own = rng.normal(size=(2, n))
    cut = norm.ppf([rate - margin, rate]) * np.sqrt(1.49 + 0.36)
    shared = np.repeat(rng.normal(0, 0.6, (2, groups)), size, axis=1)  # of the group and the model
    passed = cut[:, None] + shift + shared + own > 0
    return dict(zip(("new", "old"), passed, strict=True)), margin, {"group": np.repeat(np.arange(groups), size)}  # fmt: skip


def numbers(rng, n, *, law, margin=0.1):
    """Return scores of which the candidate's are lower by the margin on average."""
    told = {"better": "higher"}
    old = rng.normal(size=n)
    if law == "normal":
        moved = rng.normal(size=n)
    elif law == "t4":
        moved = rng.standard_t(4, n)
    elif law == "bounded":
        old, new = rng.beta(5, 3, n), rng.beta(4.4, 3.6, n)
        return {"new": new, "old": old}, 0.075, {**told, "bounds": (0, 1)}
    elif law == "rarer":  # a loss of 5, beyond all outcomes, in one case of fifty
        moved = 0.1 + 0.3 * rng.normal(size=n) - 5 * (rng.random(n) < 0.02)
    else:  # a loss of 3 in one case of twenty
        moved = 0.15 + 0.3 * rng.normal(size=n) - 3 * (rng.random(n) < 0.05)
    return {"new": old - margin + moved, "old": old}, margin, told


def areas(rng, n, *, area, share, margin=0.02):
    """Return scores of both models that agree in part, normal in each class."""
    y = (rng.random(n) < share).astype(int)
    y[:4] = (0, 1, 0, 1)
    noise = rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], n).T
    apart = np.sqrt(2) * norm.ppf([area - margin, area])
    return y, apart[:, None] * y + noise, margin


def models(cell, rng):
    """Return both models of one release, the measure and the margin."""
    kind, n, options, _ = cell
    if kind == "areas":
        y, scores, margin = areas(rng, n, **options)
        made = {name: Predictions.of(y, score=s) for name, s in zip(("new", "old"), scores, strict=True)}  # fmt: skip
        return made, {"measure": "auc", "margin": margin}
    if kind == "value":
        passed = rng.random(n) < options["rate"]
        return {"new": Predictions.of(outcome=passed)}, {"measure": "pass_rate", "against": options["rate"]}  # fmt: skip
    outcomes, margin, told = {"rates": rates, "grouped": grouped, "numbers": numbers}[kind](rng, n, **options)  # fmt: skip
    made = {name: Predictions.of(outcome=o, **told) for name, o in outcomes.items()}
    return made, {"margin": margin}


def verdicts(cell, rng):
    """Return the first verdict of one release that is not open, over all looks."""
    made, asked = models(cell, rng)
    step, n = cell[3], cell[1]
    given = made if "against" not in asked else made["new"]
    if not step:
        return gate(given, **asked).verdict
    for upto in range(step, n + 1, step):
        part = {name: p.take(np.arange(upto)) for name, p in made.items()}
        verdict = gate(part, sequential=True, **asked).verdict
        if verdict != "undecided":
            return verdict
    return "undecided"


def drawn(name, releases):
    """Return the verdicts of some releases of a cell."""
    return [verdicts(CELLS[name], np.random.default_rng([SEED, r])) for r in releases]


def main():
    """Write how often each verdict was given in 1,000 releases."""
    from tests.simulation.coverage import write

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--output", type=Path, default=Path("gates.csv"))
    asked = parser.parse_args()
    parts = [range(i, min(i + 25, asked.repetitions)) for i in range(0, asked.repetitions, 25)]
    jobs = [(name, part) for name in sorted(CELLS, key=lambda c: -CELLS[c][3]) for part in parts]
    found = {name: [] for name in CELLS}
    with ProcessPoolExecutor() as pool:
        for (name, _), told in zip(jobs, pool.map(drawn, *zip(*jobs, strict=True)), strict=True):
            found[name] += told
    write(
        [
            {"cell": name, "releases": len(told)}
            | {v: round(1000 * told.count(v) / len(told)) for v in ("pass", "fail", "undecided")}
            for name, told in found.items()
        ],
        asked.output,
    )


if __name__ == "__main__":
    main()
