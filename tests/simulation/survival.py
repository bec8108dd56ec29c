"""How often intervals of scores of times to an event hold the true value, and how often equal models are called different.

Times are exponential by a risk that is known in part, and censored by times of their own; whole weeks, so that times tie. The true value is that
of very many cases of which none is censored, except for Harrell's concordance, which depends on censoring. Run from the repository:

    python -m tests.simulation.survival --repetitions 600 --output docs/validity/survival.csv
"""

from __future__ import annotations

from functools import cache

import numpy as np

from credibly import DataError, compare, survival

from .answers import row, run

SEED = 20261122
TIMES = [10.0, 20.0, 30.0]
SHARES = {
    "a third": 60.0,
    "three fifths": 14.0,
}  # mean time of censoring, in weeks, by the share that is censored
CELLS = {
    **{f"{score} of {n} cases, {share} censored": ("held", n, share, score)
       for score in ("harrell_c", "uno_c(until=30)") for n in (80, 300) for share in SHARES},
    **{f"{score} of 80 cases, {share} censored": ("held", 80, share, score)
       for score in ("survival_auc(at=20)", "survival_brier(at=20)", "survival_bias(at=20)", "ibs", "survival_net_benefit(threshold=0.3, at=20)") for share in SHARES},
    **{f"calibration at 20 in ten groups of {n} cases, a third censored": ("groups", n, "a third", "") for n in (80, 300)},
    **{f"two equal models, 80 cases, {share} censored: {score}": ("rejected", 80, share, score)
       for score in ("uno_c(until=30)", "survival_brier(at=20)") for share in SHARES},
}  # fmt: skip

BAD = set()  # which the page names


def drawn(rng, n, share=None):
    """Return cases with what two models that know as much as each other predict of them."""
    known = rng.normal(size=(3, n)) * np.sqrt(0.5)
    rate = np.exp(known.sum(axis=0)) / 25
    time = np.ceil(rng.exponential(1 / rate))
    lost = np.ceil(rng.exponential(SHARES[share], n)) if share else np.full(n, np.inf)
    models = {}
    for name, part in (("a", known[0] + known[1]), ("b", known[0] + known[2])):
        chance = np.exp(-np.outer(np.exp(part + 0.2) / 25, TIMES))
        models[name] = {"risk": part, "survival": chance, "times": TIMES}
    return survival(np.minimum(time, lost), time <= lost, models)


@cache
def true_value(score, share):
    """Return the value of very many cases."""
    cases = drawn(
        np.random.default_rng([SEED, 1]), 100_000, share if score == "harrell_c" else None
    )
    return float(np.mean([cases.scored(score).where(model=m).outcome.mean() for m in "ab"]))


@cache
def many():
    """Return very many cases of which none is censored."""
    return drawn(np.random.default_rng([SEED, 3]), 100_000)


def groups_held(cases):
    """Return the share of groups by predicted risk whose interval holds the share of events among very many such cases."""
    risk, every = (1 - c.models["a"].surviving(20.0) for c in (cases, many()))
    cuts = np.quantile(risk, np.arange(1, 10) / 10)
    of, had = np.searchsorted(cuts, every, "left"), many().time <= 20
    groups = cases.calibration("a", at=20.0).groups
    if len(groups) < 10:  # nobody of one was followed so long
        return None
    held = [had[of == k].mean() in g.interval for k, g in enumerate(groups) if g.interval]
    return float(np.mean(held))


def told(cell, rng):
    """Return whether the interval holds the true value, or whether the test rejects; None where nobody was watched so long."""
    try:
        return answered(cell, rng)
    except DataError:
        return None


def answered(cell, rng):
    """Return the answer of one sample."""
    kind, n, share, score = cell
    cases = drawn(rng, n, share)
    if kind == "groups":
        return groups_held(cases)
    if kind == "held":
        (found, _) = cases.table(score)
        return None if found.interval is None else true_value(score, share) in found.interval
    p = cases.scored(score)
    return compare(p.where(model="a"), p.where(model="b"), "mean_outcome").pvalue < 0.05


def row_of(name, repetitions):
    """Return a row of the table."""
    held = [told(CELLS[name], np.random.default_rng([SEED, 2, r])) for r in range(repetitions)]
    return row(name, held, rejects=CELLS[name][0] == "rejected")


if __name__ == "__main__":
    run(__doc__, row_of, CELLS, "survival.csv")
