"""Predictions of every kind, most of them with something missing or degenerate."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from credibly import Predictions
from credibly.predictions import Design


@cache
def kinds() -> dict[str, Predictions]:
    """Return predictions by what is odd about them."""
    rng = np.random.default_rng(8)
    y, y3 = np.arange(12) % 2, np.arange(12) % 3
    q, q3 = np.clip(0.3 * y + 0.6 * rng.random(12), 0.01, 0.99), rng.dirichlet([1, 1, 1], 12)
    return {
        "binary": Predictions.of(y, probability=q),
        "labels": Predictions.of(y, label=1 - y),
        "scores": Predictions.of(y, score=9 * q - 5),
        "one row": Predictions.of([1], probability=[0.5], classes=[0, 1]),
        "one class": Predictions.of(
            [1, 1, 1], probability=[0.5, 0.2, 0.9], classes=[0, 1], positive=1
        ),
        "single class": Predictions.of(["a"] * 3, label=["a"] * 3, classes=["a"]),
        "constant score": Predictions.of(y, probability=np.full(12, 0.5)),
        "perfect": Predictions.of(y, probability=y * 1.0),
        "weights": Predictions.of(y, probability=q, sample_weight=rng.random(12)),
        "one weight": Predictions.of(y, probability=q, sample_weight=np.eye(12)[0]),
        "freq": Predictions.of(
            y, probability=q, sample_weight=np.arange(12), weight_kind="frequency"
        ),
        "three": Predictions.of(y3, probability=q3),
        "three labels": Predictions.of(y3, label=(y3 + 1) % 3),
        "three one absent": Predictions.of(y3 % 2, probability=q3, classes=[0, 1, 2]),
        "three positive": Predictions.of(y3, probability=q3, positive=2),
        "doubt": Predictions.of(list("ab") * 6, label=["a", None] * 6),
        "all doubt": Predictions.of(list("ab"), label=[None, None], classes=list("ab")),
        "unknown truth": Predictions.of(
            [None, None], probability=[0.1, 0.2], classes=[0, 1], positive=1
        ),
        "some unknown": Predictions.of(
            [1, None, 0, 1], probability=[0.1, 0.2, 0.3, 0.4], classes=[0, 1], positive=1
        ),
        "no rows": Predictions.of([], probability=[], classes=[0, 1], positive=1),
        "numeric": Predictions.of(rng.normal(size=12), value=rng.normal(size=12)),
        "numeric one": Predictions.of([1.0], value=[2.0]),
        "numeric none": Predictions.of(np.array([], float), value=[]),
        "numeric const": Predictions.of([1.0, 1], value=[2.0, 2]),
        "numeric huge": Predictions.of([1e308, -1e308], value=[-1e308, 1e308]),
        "outcomes": Predictions.of(outcome=rng.normal(size=12), better="lower"),
        "outcomes in bounds": Predictions.of(outcome=q, better="higher", bounds=(0, 1)),
        "outcomes unknown": Predictions.of(outcome=[0.5, None, 2.0]),
        "passes": Predictions.of(outcome=y == 1),
        "passes in groups": Predictions.of(outcome=y == 1, group=np.arange(12) // 3),
        "passes again": Predictions.of(
            outcome=rng.random(12) < 0.5, row=np.arange(12) // 3, repeat=np.arange(12) % 3
        ),
        "one pass": Predictions.of(outcome=[True]),
        "no outcomes": Predictions.of(outcome=np.array([], float)),
        "models of outcomes": Predictions.of(outcome={"a": q, "b": 1 - q}, better="higher"),
        "models of passes": Predictions.of(outcome={"a": y == 1, "b": q > 0.5, "c": q > 0.3}),
        "models": Predictions.of(
            np.tile(y, 2),
            probability=np.tile(q, 2),
            model=np.repeat(["a", "b"], 12),
            row=np.tile(np.arange(12), 2),
        ),
        "models unequal": Predictions.of(
            np.tile(y, 2)[:20], probability=np.tile(q, 2)[:20], model=np.repeat(["a", "b"], 12)[:20]
        ),
        "models numeric": Predictions.of(
            np.tile(q, 2), value=np.r_[q + 1, q - 1], model=np.repeat(["a", "b"], 12)
        ),
        "folds": Predictions.of(
            y, probability=q, fold=np.arange(12) // 4, row=np.arange(12), n_train=8
        ),
        "fold one class": Predictions.of(
            np.sort(y), probability=q, fold=np.arange(12) // 6, row=np.arange(12), n_train=6
        ),
        "in time": replace(
            Predictions.of(y, probability=q, fold=np.arange(12) // 6), design=Design(in_time=True)
        ),
        "data sets": replace(
            Predictions.of(
                y, probability=q, row=np.arange(12), repeat=np.arange(12) // 4, fold=0, n_train=4
            ),
            design=Design(repeats="independent"),
        ),
        "groups": Predictions.of(y, probability=q, group=np.arange(12) // 3),
        "one group": Predictions.of(y, probability=q, group=np.zeros(12)),
        "parts": Predictions.of(y, probability=q, part=["train", "test"] * 6),
        "train": Predictions.of(y, probability=q, part=["train"] * 12),
        "inf-ish": Predictions.of(y, score=np.where(y, 1e308, -1e308)),
        "baseline": Predictions.of(y, probability=q, baseline=[0.5, 0.5]),
    }
