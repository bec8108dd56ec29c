"""A small table of each kind of prediction, as people write it: made up once, for whatever must hold of every kind."""

import numpy as np
import pandas as pd

from every.additions import ByHand

N = 60


def label_sets():
    rng = np.random.default_rng(1)
    made = {}
    for name in ("drama", "comedy"):
        shift = rng.normal(size=N)
        made[name] = (shift + rng.normal(size=N) > 0).astype(int)
        made[f"p_{name}"] = (1 / (1 + np.exp(-2 * shift))).round(3)
        made[f"pred_{name}"] = (shift > 0).astype(int)
    return pd.DataFrame({**made, "country": np.resize(["fr", "us"], N)})


def prediction_sets():
    rng = np.random.default_rng(2)
    names = ["cat", "dog", "fox"]
    truth = rng.integers(0, 3, N)
    held = (rng.random((N, 3)) < 0.3) | (np.arange(3) == truth[:, None]) & (
        rng.random((N, 1)) < 0.9
    )
    flags = {f"in_{c}": held[:, i].astype(int) for i, c in enumerate(names)}
    return pd.DataFrame(
        {"truth": [names[i] for i in truth], **flags, "site": np.resize(["A", "B"], N)}
    )


def forecasts():
    rng = np.random.default_rng(3)
    mean = rng.normal(10, 3, N).round(2)
    return pd.DataFrame(
        {
            "truth": (mean + rng.normal(0, 2, N)).round(2),
            "mean": mean,
            "sd": 1.8,
            "site": np.resize(["A", "B"], N),
        }
    )


def survival():
    rng = np.random.default_rng(4)
    risk = rng.normal(size=N)
    event, lost = rng.exponential(np.exp(-risk)), rng.exponential(3, N)
    return pd.DataFrame(
        {"time": np.minimum(event, lost).round(3) + 0.001, "event": (event <= lost).astype(int), "cox_risk": risk.round(3),
         "forest_risk": (risk + rng.normal(size=N)).round(3), "sex": np.resize(["m", "f"], N)}
    )  # fmt: skip


def rankings():
    rng = np.random.default_rng(5)
    grade = np.resize([0, 2, 0, 1, 0, 0], N)
    scores = {
        name: (grade + rng.normal(0, size, N)).round(3)
        for name, size in (("old", 2.0), ("new", 0.5))
    }
    queries = [f"q{i // 6}" for i in range(N)]
    return pd.DataFrame(
        {"query": queries, "document": [f"d{i % 6}" for i in range(N)], "grade": grade, **scores}
    )


TABLES = ByHand(
    "Add a table of {name} to tests/every/kinds_of_tables.py.",
    {f.__name__: f for f in (label_sets, prediction_sets, forecasts, survival, rankings)},
)
