"""Predictions drawn at random, as no one would think of them: every door tells the same numbers."""

import contextlib
import io
import json
import math

import numpy as np
import pandas as pd
import pytest

from credibly import Predictions, evaluate, merge, read, save, summarise
from credibly.cli import main

KINDS = ("probabilities", "scores", "labels", "many classes", "numbers")
WEIGHTS = ("none", "frequency", "importance", "huge", "tiny")
UNITS = {"importance": 1.0, "huge": 1e90, "tiny": 1e-90}
SLICE, ALL = range(2), range(2, 60)


def drawn(seed):
    """Return the columns of one table: ties, gaps, rare classes, weights, groups and folds by chance."""
    rng = np.random.default_rng(seed)
    kind, weights = KINDS[seed % 5], WEIGHTS[seed // 5 % 5 if seed >= 5 else seed % 5]
    n = int(rng.choice([7, 25, 60]))
    made = {}
    if kind == "numbers":
        made["y_true"] = np.round(rng.normal(size=n) * rng.choice([1e-6, 1, 1e7]), 7)
        made["value"] = made["y_true"] * np.where(rng.random(n) < 0.3, 1, rng.normal(1, 0.3, n))
    elif kind == "many classes":
        k = int(rng.choice([3, 5]))
        made["classes"] = tuple(f"c{i}" for i in range(k))
        made["y_true"] = np.array(made["classes"])[rng.choice(k, n, p=rng.dirichlet(np.ones(k)))]
        made["probability"] = rng.multinomial(8, np.ones(k) / k, n) / 8
    else:
        truth = rng.random(n) < rng.choice([0.1, 0.5, 0.9])
        truth[:2] = False, True
        names = np.array(["no", "yes"])
        made |= {"y_true": names[truth.astype(int)], "classes": ("no", "yes"), "positive": "yes"}
        score = np.round(rng.random(n), int(rng.integers(1, 4)))
        made |= {
            "probabilities": {"probability": score},
            "scores": {"score": 40 * score - 17},
            "labels": {"label": names[(score > 0.4).astype(int)]},
        }[kind]
    column = next((c for c in ("probability", "score", "value") if c in made), None)
    if column and rng.random() < 0.4:
        made[column][2:][rng.random(n - 2) < 0.2] = np.nan
    if weights == "frequency":
        made |= {"sample_weight": rng.integers(1, 5, n) * 1.0, "weight_kind": "frequency"}
    elif weights != "none":
        weight = rng.gamma(1, 1, n) * UNITS[weights]
        made |= {"sample_weight": weight, "weight_kind": "importance"}
    if rng.random() < 0.3:
        made["group"] = rng.integers(0, max(2, n // 4), n)
    elif rng.random() < 0.4:
        made["fold"] = rng.integers(0, 3, n)
    return made


def rows_of(columns, rows):
    return {c: v[rows] if isinstance(v, np.ndarray) else v for c, v in columns.items()}


def frame_of(columns):
    called = {"y_true": "truth", "sample_weight": "weight"}
    arrays = {called.get(c, c): v for c, v in columns.items() if isinstance(v, np.ndarray)}
    if arrays.get("probability", np.zeros(1)).ndim == 2:
        matrix = arrays.pop("probability")
        arrays |= {f"p_{c}": matrix[:, i] for i, c in enumerate(columns["classes"])}
    return pd.DataFrame(arrays)


def told(table):
    found = {}
    for e in table.all:
        ends = (math.nan, math.nan) if e.interval is None else (e.interval.low, e.interval.high)
        found[e.measure, e.average, *map(str, e.keys.values())] = (e.value, *ends, e.n)
    return found


def same(mine, theirs, door):
    assert mine.keys() == theirs.keys(), door
    for key, value in mine.items():
        assert value == pytest.approx(theirs[key], rel=1e-8, abs=1e-11, nan_ok=True), (door, key)


def counts(key):
    """Whether it adds up weights, as tables of labels and numbers of pairs do: it has their unit."""
    return key[0].endswith(("tives", "_pairs"))


def agrees(seed, folder):
    columns = drawn(seed)
    p = Predictions.of(**columns)
    here = told(evaluate(p))
    given = {c: columns[c] for c in ("classes", "positive", "weight_kind") if c in columns}
    for ending in (".parquet", ".csv", ".jsonl"):
        asked = (
            {} if ending == ".parquet" else {c: v for c, v in given.items() if c != "weight_kind"}
        )
        same(here, told(evaluate(read(save(p, folder / f"{seed}{ending}"), **asked))), ending)
    same(here, told(evaluate(read(frame_of(columns), **given))), "frame")
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert main(["evaluate", str(folder / f"{seed}.parquet"), "--json"]) == 0
    values = [e["value"] for e in json.loads(said.getvalue())["estimates"]]
    assert values == [e["value"] for e in json.loads(evaluate(p).to_json())["estimates"]]
    order = np.random.default_rng(seed).permutation(p.n)
    same(here, told(evaluate(Predictions.of(**rows_of(columns, order)))), "another order")
    if "fold" in columns:
        pooled = told(evaluate(p, estimate="pooled"))
        parts = [part for _, part in p.groups(["fold"])]
        same(pooled, told(evaluate(merge(*parts), estimate="pooled")), "merged folds")
    else:
        import duckdb

        table = frame_of(columns)
        same(here, told(evaluate(summarise(duckdb.from_df(table), exact=True, **given))), "engine")
    if columns.get("weight_kind") == "frequency":
        often = np.repeat(np.arange(p.n), columns["sample_weight"].astype(int))
        kept = {c: v for c, v in columns.items() if c not in {"sample_weight", "weight_kind"}}
        same(here, told(evaluate(Predictions.of(**rows_of(kept, often)))), "repeated rows")
    elif "sample_weight" in columns:
        twice = {**columns, "sample_weight": columns["sample_weight"] * 128}
        other = told(evaluate(Predictions.of(**twice)))
        mine, theirs = ({k: v for k, v in t.items() if not counts(k)} for t in (here, other))
        same(mine, theirs, "another unit")


@pytest.mark.parametrize("seed", SLICE)
def test_doors_agree(seed, tmp_path):
    agrees(seed, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", ALL)
def test_doors_agree_on_more(seed, tmp_path):
    agrees(seed, tmp_path)
