"""How often intervals of scores and of skill hold the true value, and how often tests of right or equal forecasts reject.

Cases are independent or in time order, in which case what the forecasts miss hangs together over time. Run from the repository:

    python -m tests.simulation.forecasts --repetitions 600 --output docs/validity/forecasts.csv
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.signal import lfilter

from credibly import compare, forecasts

from .answers import row, run

SEED = 20261121
MEMORY = {"": 0.0, ", in time order": 0.6}
CLIMATE = np.random.default_rng([SEED, 0]).normal(scale=np.sqrt(2.0), size=400)
CELLS = {
    **{f"{score} of {n} cases{order}": ("coverage", n, order, score)
       for score in ("crps", "interval_score", "skill") for n in (30, 150) for order in MEMORY},
    **{f"{score} of {n} cases, gamma": ("gamma", n, "", score)
       for score in ("crps", "interval_score(level=0.8)", "mean_forecast_error", "skill") for n in (40, 150)},
    **{f"PIT of right {form} forecasts, {n} cases": ("pit", n, "", form)
       for form in ("normal", "poisson", "ensemble") for n in (50, 200)},
    **{f"two equal forecasts, {n} cases, in time order: {test}": ("equal", n, ", in time order", test)
       for n in (30, 150) for test in ("auto", "diebold_mariano(horizon=4)")},
}  # fmt: skip

BAD = {  # which the page names
    "interval_score of 150 cases, in time order",
    "interval_score(level=0.8) of 40 cases, gamma",
    "mean_forecast_error of 40 cases, gamma",
    "two equal forecasts, 30 cases, in time order: diebold_mariano(horizon=4)",
}


def series(rng, n, memory):
    """Return normal numbers with variance 1, each of which remembers the one before."""
    start = rng.normal(size=1)
    noise = rng.normal(size=n) * np.sqrt(1 - memory**2)
    return lfilter([1], [1, -memory], noise, zi=memory * start)[0]


def predicted(rng, n, memory):
    """Return truths that a model knows half of, with the model and the climate as forecasts."""
    known, missed = series(rng, n, memory), series(rng, n, memory)
    time = np.arange(n) if memory else None
    normal = {"mean": known, "sd": 1.2}
    return forecasts(known + missed, {"model": {"distribution": "normal", "parameters": normal}}, climatology=CLIMATE, time=time)  # fmt: skip


def rain(rng, n):
    """Return skewed amounts whose mean a model knows in part."""
    known = np.exp(rng.normal(size=n) / 2)
    truth, history = (
        rng.gamma(0.8, 1.6 * known),
        np.random.default_rng([SEED, 3]).gamma(0.8, 2, 400),
    )
    law = {"distribution": "gamma", "parameters": {"shape": 0.8, "rate": 0.625 / known}}
    return forecasts(truth, {"model": law}, climatology=history)


def estimated(f, score):
    """Return the estimate of a score of the model, or of its skill."""
    if score == "skill":
        return f.skill("crps", "climatology").estimates[0]
    return next(e for e in f.table(score) if e.keys["model"] == "model")


@cache
def true_value(score, kind="coverage"):
    """Return the value of very many independent cases."""
    rng = np.random.default_rng([SEED, 1])
    cases = rain(rng, 1_000_000) if kind == "gamma" else predicted(rng, 1_000_000, 0.0)
    return estimated(cases, score).value


def right(rng, n, form):
    """Return forecasts that are right."""
    centre = rng.normal(size=n)
    if form == "normal":
        return forecasts(centre + rng.normal(size=n), distribution="normal", parameters={"mean": centre, "sd": 1})  # fmt: skip
    if form == "poisson":
        return forecasts(rng.poisson(np.exp(centre)), distribution="poisson", parameters={"mean": np.exp(centre)})  # fmt: skip
    return forecasts(centre + rng.normal(size=n), members=centre[:, None] + rng.normal(size=(n, 10)))  # fmt: skip


def told(cell, rng):
    """Return whether the interval holds the true value, or whether the test rejects; None where there is neither."""
    kind, n, order, what = cell
    if kind in {"coverage", "gamma"}:
        cases = rain(rng, n) if kind == "gamma" else predicted(rng, n, MEMORY[order])
        limits = estimated(cases, what).interval
        return None if limits is None else true_value(what, kind) in limits
    if kind == "pit":
        return right(rng, n, what).pit(rng=rng).pvalue < 0.05
    parts = [series(rng, n, MEMORY[order]) for _ in range(3)]
    models = {name: {"distribution": "normal", "parameters": {"mean": p, "sd": 1.0}} for name, p in zip("ab", parts, strict=False)}  # fmt: skip
    p = forecasts(sum(parts), models, time=np.arange(n)).scored("crps")
    asked = {} if what == "auto" else {"test": what}
    try:
        return (
            compare(p.where(model="a"), p.where(model="b"), "mean_outcome", **asked).pvalue < 0.05
        )
    except ValueError:  # no variance by the autocovariances, which is said
        return None


def row_of(name, repetitions):
    """Return a row of the table."""
    held = [told(CELLS[name], np.random.default_rng([SEED, 2, r])) for r in range(repetitions)]
    return row(name, held, rejects=CELLS[name][0] in {"pit", "equal"})


if __name__ == "__main__":
    run(__doc__, row_of, CELLS, "forecasts.csv")
