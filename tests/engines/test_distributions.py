"""Every distribution of scores, on every engine: bins keep their promise, whatever a double may be."""

import numpy as np
import pandas as pd
import pytest

import credibly
from credibly import Predictions, evaluate
from credibly.engines import summarise, summarise_models
from engines.servers import fill, postgres, spark_session
from engines.test_same_everywhere import ENGINES

N = 600
RNG = np.random.default_rng(12)
ONE, LARGEST, SMALLEST = np.ones(N), np.finfo(float).max, np.nextafter(0.0, 1.0)
SOME = RNG.integers(0, 40, N)

SCORES = {
    "all equal": ONE * 0.7,
    "all zero": ONE * 0.0,
    "all large": ONE * 1e300,
    "all the largest": ONE * -LARGEST,
    "all the smallest": ONE * SMALLEST,
    "two neighbours": np.where(SOME % 2, 1.0, np.nextafter(1.0, 2.0)),
    "two large neighbours": np.where(SOME % 2, -1e300, np.nextafter(-1e300, 0.0)),
    "two small neighbours": np.where(SOME % 2, 0.0, SMALLEST),
    "around a large number": 1e15 + SOME / 8,
    "around a large negative number": -1e15 - SOME / 8,
    "neighbours of a large number": 2.0**60 + 256.0 * SOME,
    "small ones below a large one": np.where(SOME == 3, 1e15, SOME / 1e3),
    "tiny ones of both signs beside huge ones": np.where(
        SOME % 3, np.where(SOME % 2, 1, -1) * 1e-300 * (SOME + 1), 1e300 * (SOME - 20.0)
    ),
    "tiny ones above a huge negative one": np.where(SOME % 3, SMALLEST * SOME, -1e305),
    "the whole line": np.linspace(-1, 1, N)[RNG.permutation(N)] * LARGEST,
    "every power": 10.0 ** RNG.integers(-307, 307, N) * RNG.choice([-1, 1], N),
    "below the normal numbers": SMALLEST * SOME,
    "whole numbers": (2**53 - SOME).astype(float),
    "one far away": np.where(np.arange(N) == 5, 1e18, RNG.normal(size=N)),
    "plain": RNG.normal(size=N),
}
# The truth follows the scores as far as they differ.
TRUTH = {
    name: (pd.Series(s).rank(pct=True).to_numpy() + RNG.random(N) > 1.1).astype(int)
    for name, s in SCORES.items()
}
TOLERANCES = [1e-6, 0.02]
# Dask computes by pandas, which gets them all, and takes ten times as long.
FOR_DASK = [*SCORES][1::3]
TRIED = [(e, n) for e in ENGINES for n in SCORES if e != "dask" or n in FOR_DASK]


def both(name):
    """Return the scores, and those of the cases in another order as another model's."""
    other = SCORES[name][np.roll(np.arange(N), 7)]
    return {"truth": TRUTH[name], "score": SCORES[name], "other": other}


def kept(made, name, tolerance):
    """Compare ranking measures of counted scores with those of the arrays."""
    columns = {"truth": TRUTH[name], "score": SCORES[name]}
    p = summarise(**made, score="score", truth="truth", positive=1, tolerance=tolerance)
    assert p.cases == N
    there = credibly.read(pd.DataFrame(columns), truth="truth", score="score", positive=1)
    for measure in ("auc", "average_precision", "ks"):
        e, exact = (evaluate(q, measure)[measure] for q in (p, there))
        assert abs(e.value - exact.value) <= (e.bound or 0.0) + 1e-12, (name, measure)
        assert (e.bound or 0.0) <= tolerance, (name, measure)


def compared(made, name):
    """Compare models that are counted jointly with those of the arrays, each within its bound."""
    roles = {"score": {"score": "score"}, "other": {"score": "other"}}
    options = {"truth": "truth", "positive": 1}
    for bins in (64, 1 << 17, 1 << 60):
        joint = summarise_models(**made, models=roles, bins=bins, **options)
        for column, p in joint.items():
            there = Predictions.of(TRUTH[name], score=both(name)[column], positive=1)
            e, exact = (evaluate(q, "auc")["auc"] for q in (p, there))
            assert p.cases == N
            assert abs(e.value - exact.value) <= (e.bound or 0.0) + 1e-12, (name, column, bins)


@pytest.mark.daily(name=["plain"], engine=[*ENGINES][::2])
@pytest.mark.parametrize(("engine", "name"), TRIED)
def test_distributions_of_several_models(engine, name):
    compared({"source": ENGINES[engine](both(name))}, name)


@pytest.mark.daily(engine=[*ENGINES][:1], tolerance=TOLERANCES[-1:])
@pytest.mark.daily(name=["plain"], tolerance=TOLERANCES[:1])
@pytest.mark.parametrize("tolerance", TOLERANCES)
@pytest.mark.parametrize(("engine", "name"), TRIED)
def test_distributions(engine, name, tolerance):
    columns = {"truth": TRUTH[name], "score": SCORES[name]}
    kept({"source": ENGINES[engine](columns)}, name, tolerance)


@pytest.mark.thorough
def test_distributions_in_postgres():
    with postgres() as server:
        for i, (name, scores) in enumerate(SCORES.items()):
            fill(server, f"t{i}", {"truth": TRUTH[name], "score": scores})
            for tolerance in TOLERANCES:
                kept({"source": f"t{i}", "connect": server.address}, name, tolerance)
            fill(server, f"two{i}", both(name))
            compared({"source": f"two{i}", "connect": server.address}, name)


@pytest.mark.thorough
def test_distributions_in_spark():
    with spark_session() as session:
        for name, scores in SCORES.items():
            rows = list(zip(TRUTH[name].tolist(), scores.tolist(), strict=True))
            table = session.createDataFrame(rows, ["truth", "score"]).coalesce(1)
            kept({"source": table}, name, TOLERANCES[-1])  # each query takes seconds


def test_a_column_of_labels_is_not_taken_for_that_of_every_model():
    import duckdb

    rows = duckdb.sql(
        "SELECT i % 2 AS y, CASE WHEN i % 5 < 4 THEN i % 2 ELSE 1 - i % 2 END * 0.8 + 0.1 AS a, "
        "0.3 + 0.4 * (i % 3 > 0)::INT AS b, i % 2 AS pred FROM range(600) AS t(i)"
    )
    both = summarise_models(rows, {"a": {"probability": "a"}, "b": {"probability": "b"}}, truth="y")
    values = [credibly.evaluate(p, "error_rate")["error_rate"].value for p in both.values()]
    assert values == pytest.approx([0.2, 0.5])
