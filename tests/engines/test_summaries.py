"""Summaries, slices, joint tables and files of them: what follows from counts."""

import json
from importlib import import_module

import duckdb
import numpy as np
import pandas as pd
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions, compare, evaluate
from credibly.cli import main
from credibly.engines import evaluate_slices, merge, summarise, summarise_models
from credibly.engines._tables import Lazy
from credibly.evaluation.bounds import error_bound
from credibly.predictions.summaries.scores import ORDER_SUMS
from credibly.predictions.table import LOSS_SUMS
from engines.servers import duckdb_table, polars_table

RNG = np.random.default_rng(3)
N = 3000
SCORE = RNG.random(N)
TRUTH = (RNG.random(N) < SCORE).astype(int)
SHOP = RNG.integers(0, 5, N)
NOISE = RNG.normal(size=N) / 5


@pytest.fixture
def parts(tmp_path):
    """Two Parquet files in a folder."""
    frame = pd.DataFrame({"truth": TRUTH, "probability": SCORE, "shop": SHOP, "id": np.arange(N)})
    for i, part in enumerate((frame[: N // 2], frame[N // 2 :])):
        part.to_parquet(tmp_path / f"part{i}.parquet")
    return tmp_path


def whole(parts):
    return pd.concat([pd.read_parquet(f) for f in sorted(parts.glob("*.parquet"))])


# --- merging --------------------------------------------------------------------------------------


@pytest.mark.parametrize("exact", [True, False])
def test_summaries_of_parts_add_up_to_that_of_the_whole(parts, exact, tmp_path):
    saved = []
    for i in range(2):
        saved.append(tmp_path / f"s{i}")
        credibly.save(
            summarise(parts / f"part{i}.parquet", tolerance=None if exact else 1e-6), saved[-1]
        )
    p = merge(*map(credibly.read, saved))
    there = Predictions.of(TRUTH, probability=SCORE)
    assert p.cases == N
    for name in ("auc", "average_precision", "ks", "brier", "log_loss", "accuracy"):
        e = evaluate(p, name)[name]
        bound = 0 if exact else e.bound
        assert abs(e.value - evaluate(there, name)[name].value) <= bound + 1e-12
        if name in {"brier", "log_loss", "accuracy"}:
            assert not e.bound


def test_rows_are_counted_in_one_order(parts):
    for tolerance in (None, 1e-6):
        made = {summarise(parts, tolerance=tolerance).fingerprint for _ in range(3)}
        assert len(made) == 1


def test_a_saved_summary_comes_back_whole(parts, tmp_path):
    p = summarise(parts, tolerance=1e-6)
    again = credibly.read(credibly.save(p, tmp_path / "s"))
    assert np.array_equal(again.span, p.span)
    assert again.fingerprint == p.fingerprint
    assert LOSS_SUMS.get(again) == LOSS_SUMS.get(p) is not None


def test_a_summary_of_a_newer_format_is_refused(parts, tmp_path):
    credibly.save(summarise(parts, exact=True), tmp_path / "s")
    with duckdb.connect() as c:
        found = c.execute(
            f"SELECT decode(value) FROM parquet_kv_metadata('{tmp_path}/s')"
        ).fetchone()[0]
        kept = json.dumps({**json.loads(found), "version": 99}).replace("'", "''")
        c.execute(f"COPY (FROM read_parquet('{tmp_path}/s')) TO '{tmp_path}/t' (FORMAT parquet, KV_METADATA {{credibly: '{kept}'}})")  # fmt: skip
    with pytest.raises(DataError, match="newer Credibly"):
        credibly.read(tmp_path / "t")


def test_what_does_not_belong_together_is_not_merged():
    a = Predictions.of([1, 0], score=[0.5, 0.2])
    for b, what in (
        (Predictions.of(["a", "b"], score=[1, 2], positive="a"), "classes"),
        (Predictions.of([1, 0], label=[1, 0]), "column label"),
        (Predictions.of([1, 0], score=[1, 2], sample_weight=[0.5, 1]), "importance"),
    ):
        with pytest.raises(DataError, match=what):
            merge(a, b)
    with pytest.raises(ParameterError, match="at least one"):
        merge()


def test_a_part_is_not_added_twice_unseen(parts, tmp_path, capsys):
    saved = [str(tmp_path / name) for name in ("s0", "s1", "copy")]
    for name, i in zip(saved, (0, 1, 0), strict=True):
        credibly.save(summarise(parts / f"part{i}.parquet"), name)
    before = (tmp_path / "s0").read_bytes()
    assert main(["merge", saved[0], saved[0], "-o", str(tmp_path / "twice")]) == 2
    assert "named more than once" in capsys.readouterr().err
    assert main(["merge", *saved[:2], "-o", saved[0]]) == 2
    assert "is one of the parts" in capsys.readouterr().err
    assert (tmp_path / "s0").read_bytes() == before
    assert main(["merge", *saved, "-o", str(tmp_path / "all")]) == 0
    assert "caution: Of the 3 parts, 1 is equal to another one." in capsys.readouterr().out


# --- slices ---------------------------------------------------------------------------------------


def test_slices_are_those_of_the_rows(parts):
    table = evaluate_slices(parts, ["shop"], ["auc", "accuracy"])
    frame = whole(parts)
    assert len(table) == 10
    for e in table.estimates:
        rows = frame[frame["shop"] == e.keys["shop"]]
        alone = Predictions.of(rows["truth"], probability=rows["probability"])
        theirs = evaluate(alone, e.measure)[e.measure]
        assert e.value == pytest.approx(theirs.value, abs=1e-12)
        assert e.interval.low == pytest.approx(theirs.interval.low, abs=1e-9)
        assert e.n == theirs.n
    assert [f.code for f in table.findings].count("many-slices") == 1


def test_slices_in_bins_say_how_far_they_may_be_off(parts):
    table = evaluate_slices(parts, ["shop"], "auc", tolerance=1e-4)
    frame = whole(parts)
    for e in table.estimates:
        rows = frame[frame["shop"] == e.keys["shop"]]
        value = credibly.measures.auc(rows["truth"], rows["probability"])
        assert 0 < abs(e.value - value) <= e.bound or e.value == value


def test_bins_are_refined_until_every_slice_is_within_the_tolerance():
    """All scores of a small slice lie in one bin, which hardly matters to all cases together."""
    rng = np.random.default_rng(5)
    small = np.arange(60_000) < 3000
    score = np.where(
        small, (0.5 + rng.random(small.size) / 2**20), rng.integers(0, 1000, small.size) / 1024
    )
    truth = (rng.random(small.size) < np.where(small, (score - 0.5) * 2**20, score)).astype(int)
    rows = pd.DataFrame({"truth": truth, "score": score, "shop": np.where(small, "b", "a")})
    table = evaluate_slices(duckdb.from_df(rows), "shop", "auc", tolerance=1e-3)
    for e in table.estimates:
        own = rows[rows["shop"] == e.keys["shop"]]
        off = abs(e.value - credibly.measures.auc(own["truth"], own["score"]))
        assert off <= e.bound + 1e-12
        assert 0 < e.bound <= 1e-3


@pytest.mark.thorough
def test_thousands_of_slices_take_one_query():
    rows = duckdb.sql(
        "SELECT i % 2 AS truth, (i * 7) % 3 = 0 AS hit, i % 1000 AS shop, i % 3 AS month "
        "FROM range(60000) AS t(i)"
    ).select("truth, CAST(hit AS INT) AS label, shop, month")
    table = evaluate_slices(rows, ["shop", "month"], "accuracy", options={"interval": "none"})
    assert len(table) == 3000
    assert {e.n for e in table.estimates} == {20.0}


def test_a_slice_by_no_column_is_refused(parts):
    with pytest.raises(DataError, match="Did you mean shop"):
        evaluate_slices(parts, ["shops"], "auc")


# --- bins counted as rows pass by ------------------------------------------------------------------


def clustered(rng, n):
    """Scores that crowd in two places, with ties, so that several pieces of the line matter."""
    near = np.where(rng.random(n) < 0.5, 0.2, 0.7) + rng.normal(0, 1e-5, n)
    return np.clip(np.where(rng.random(n) < 0.2, np.round(near, 4), near), 0, 1)


@pytest.mark.daily(tolerance=[1e-6], truth=["unknown"], place=[clustered])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("truth", ["numbers", "text", "unknown"])
@pytest.mark.parametrize("place", [clustered, lambda rng, n: rng.random(n)])
def test_streamed_bins_are_those_that_the_engine_groups(monkeypatch, place, truth, tolerance):
    rng = np.random.default_rng(5)
    n = 50_000
    score = place(rng, n)
    y = rng.random(n) < score
    written = {
        "numbers": y.astype(int),
        "text": np.where(y, "yes", "no"),
        "unknown": np.where(rng.random(n) < 0.1, None, np.where(y, "yes", "no")),
    }[truth]
    rows = duckdb.from_df(pd.DataFrame({"truth": written, "score": score}))
    positive = 1 if truth == "numbers" else "yes"
    streamed, grouped = (
        summarise(rows, tolerance=tolerance, positive=positive)
        for _ in monkeypatched(monkeypatch, Lazy, "streams", [True, False])
    )
    known = pd.notna(written)
    exact = Predictions.of(y[known].astype(int), score=score[known])
    for name in ("auc", "average_precision", "ks"):
        a, b = (evaluate(p, name)[name] for p in (streamed, grouped))
        assert abs(a.value - evaluate(exact, name)[name].value) <= (a.bound or 0) + 1e-13
        assert (a.bound or 0) <= tolerance
        assert (b.bound or 0) <= tolerance
    assert streamed.cases == grouped.cases == n


def monkeypatched(monkeypatch, where, name, values):
    """Yield while an attribute has each of some values."""
    for value in values:
        with monkeypatch.context() as patch:
            patch.setattr(where, name, property(lambda _, value=value: value))
            yield value


# --- the probability of the other class, huge ranges, thresholds -------------------------------------


def others_probability(n, rng):
    """A table whose one column of probabilities is about the class that is not positive."""
    y = rng.random(n) < 0.3
    x = np.where(rng.random(n) < 0.1, 0.5, np.round(1 - rng.beta(1 + y, 2), 7))
    return y, x, duckdb.from_df(pd.DataFrame({"y": np.where(y, "yes", "no"), "p_no": x}))


@pytest.mark.daily(threshold=[0.3], how=[{"tolerance": 1e-3}, {"exact": True}])
@pytest.mark.parametrize("threshold", [None, 0.3])
@pytest.mark.parametrize(
    "how",
    [{"exact": True, "measures": ["auc", "average_precision", "log_loss", "accuracy", "recall"]}, {"tolerance": 1e-3}, {"tolerance": 1e-6}, {"exact": True}],
)  # fmt: skip
def test_a_column_about_the_other_class_is_turned(monkeypatch, how, threshold):
    monkeypatch.setattr(import_module("credibly.engines.counting"), "MAX_EXACT_ROWS", 1000)
    monkeypatch.setattr("credibly._kernels.COMPILE_FROM", 1000)
    y, x, table = others_probability(60_000, np.random.default_rng(3))
    options = {} if threshold is None else {"threshold": threshold}
    p = summarise(table, truth="y", positive="yes", **how, **options)
    exact = Predictions.of(y.astype(int), probability=1 - x, **options)
    assert p.cases == exact.cases
    for name in ("auc", "average_precision", "ks", "log_loss", "brier", "accuracy", "recall"):
        e = evaluate(p, name)[name]
        assert abs(e.value - evaluate(exact, name)[name].value) <= (e.bound or 0) + 1e-11, name
        ranked = name in {"auc", "average_precision"}
        assert not ranked or (e.bound or 0) <= how.get("tolerance", 0), name


@pytest.mark.thorough
def test_refining_a_turned_column_counts_every_case_once():
    rng = np.random.default_rng(3)
    n = 300_000
    x = np.where(rng.random(n) < 0.5, 0.1 + 1e-3 * rng.random(n), 0.9 - 1e-3 * rng.random(n))
    rows = duckdb.from_df(
        pd.DataFrame({"y": np.where(rng.random(n) < 0.5, "yes", "no"), "p_no": x})
    )
    p = summarise(rows, truth="y", positive="yes", tolerance=3e-3, measures="auc")
    assert p.cases == n
    assert p.span is not None


@pytest.mark.parametrize("tiny", [1e-30, 1e-300])
@pytest.mark.parametrize("huge", [1e30, 1e308])
@pytest.mark.parametrize("table", [duckdb_table, polars_table])
def test_scores_whose_product_with_the_grid_is_no_number_keep_their_side(table, huge, tiny):
    y, i = np.tile([0, 1, 1, 0], 1000), np.arange(4000)
    s = np.where(i % 2 == 0, -tiny * (1 + y), np.where(i % 4 == 1, huge, -huge))
    p = summarise(table({"y": y, "s": s}), truth="y", score="s", positive=1, tolerance=1e-3)
    assert p.cases == 4000
    e = evaluate(p, "auc")["auc"]
    assert abs(e.value - credibly.measures.auc(y, s)) <= (e.bound or 0)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_bins_of_several_models_leave_out_what_is_no_score(bad):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 2000)
    a, b = rng.random(2000) + y / 4, rng.random(2000) + y / 3
    a[:200] = bad
    rows = duckdb.from_df(pd.DataFrame({"y": y, "a": a, "b": b}))
    roles = {n: {"score": n} for n in "ab"}
    with_bins, without = (summarise_models(rows, roles, truth="y", bins=k) for k in (1 << 15, None))
    assert with_bins["a"].scored().cases == without["a"].scored().cases == 1800
    assert with_bins["a"].cases == without["a"].cases == (2000 if np.isnan(bad) else 1800)
    auc = [evaluate(p["a"], "auc")["auc"].value for p in (with_bins, without)]
    assert abs(auc[0] - auc[1]) <= error_bound(credibly.measures.auc, with_bins["a"]) + 1e-15
    assert any(f.code in {"left-out-rows", "no-prediction"} for f in with_bins["a"].findings)


@pytest.mark.parametrize("bins", [None, 16])
def test_bins_of_several_models_refuse_what_is_no_probability(bins):
    rows = duckdb.from_df(
        pd.DataFrame({"y": [0, 1] * 50, "a": [0.1, 3.0] * 50, "b": [0.2, 0.9] * 50})
    )
    with pytest.raises(DataError, match="outside"):
        summarise_models(rows, {n: {"probability": n} for n in "ab"}, truth="y", bins=bins)


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.999])
def test_bins_of_several_models_keep_the_threshold(threshold):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 3000)
    columns = {n: np.round(rng.random(3000), 3) for n in "ab"}
    rows = duckdb.from_df(pd.DataFrame({"y": y, **columns}))
    binned = summarise_models(
        rows, {n: {"probability": n} for n in "ab"}, truth="y", bins=8, threshold=threshold
    )
    exact = {n: Predictions.of(y, probability=x, threshold=threshold) for n, x in columns.items()}
    mine, theirs = (compare(p, measure="accuracy") for p in (binned, exact))
    assert (mine.difference, mine.pvalue) == (theirs.difference, theirs.pvalue)
    for n in "ab":
        bound = error_bound(credibly.measures.auc, binned[n])
        values = [credibly.measures.auc(p[n]) for p in (binned, exact)]
        assert 0 < abs(values[0] - values[1]) <= bound


def test_decisions_curves_and_calibration_say_that_scores_are_binned():
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, 5_000)
    frame = pd.DataFrame({"truth": y, "probability": rng.beta(1 + y, 2 - y)})
    binned, exact = (
        summarise(duckdb.from_df(frame), **k) for k in ({"tolerance": 1e-2}, {"exact": True})
    )
    for p, said in ((binned, True), (exact, False)):
        results = (
            credibly.decide(p, {"fn": 2, "fp": 1}).table.findings,
            credibly.cost_benefit(p, {"tp": -2, "fp": 1}).table.findings,
            credibly.curve("roc", p).findings,
            credibly.calibration(p).all_findings(),
        )
        assert [any(f.code == "binned" for f in r) for r in results] == [said] * 4


@pytest.mark.parametrize("engine", ["auto", "duckdb", "polars"])
def test_an_engine_does_not_count_the_rows_of_summaries(tmp_path, engine):
    rows = duckdb.sql("SELECT i % 3 = 0 AS truth, (i % 7) / 8 AS score FROM range(700) AS t(i)")
    for name in ("a.parquet", "b.parquet"):
        credibly.save(summarise(rows, exact=True), tmp_path / name)
    for source in (tmp_path, tmp_path / "a.parquet"):
        with pytest.raises(DataError, match=r"a\.parquet is a summary.*credibly merge"):
            summarise(source, engine=engine)
    assert credibly.read(tmp_path / "a.parquet").cases == 700


# --- several models -------------------------------------------------------------------------------


@pytest.fixture
def two():
    other = np.clip(SCORE + NOISE, 0, 1)
    return {"truth": TRUTH, "a": np.round(SCORE, 2), "b": np.round(other, 2)}


def models_of(two, role="probability"):
    return {n: Predictions.of(two["truth"], **{role: two[n]}) for n in ("a", "b")}


@pytest.mark.parametrize("measure", ["auc", "brier", "error_rate", "log_loss(clip=0.001)", "average_precision"])  # fmt: skip
def test_paired_tests_of_a_joint_table_are_those_of_the_rows(two, measure):
    frame = pd.DataFrame(two)  # noqa: F841  (read by DuckDB)
    joint = summarise_models(
        duckdb.sql("FROM frame"), {n: {"probability": n} for n in "ab"}, truth="truth"
    )
    mine, theirs = compare(joint, measure=measure), compare(models_of(two), measure=measure)
    assert mine.test == theirs.test
    assert mine.difference == pytest.approx(theirs.difference, abs=1e-12)
    assert mine.pvalue == pytest.approx(theirs.pvalue, rel=1e-7, abs=1e-12)
    assert mine.n == theirs.n == N
    large = [a.because for r in (mine, theirs) for a in r.assumptions if "enough" in a.text]
    assert large == [] or large[0] == large[1]


@pytest.mark.parametrize("bins", [8, 32, 256])
@pytest.mark.parametrize("measure", ["auc", "average_precision", "brier", "probability_mae"])
def test_a_joint_table_of_bins_is_near_and_says_how_near(two, measure, bins):
    rough = {**two, "a": SCORE}
    frame = pd.DataFrame(rough)  # noqa: F841  (read by DuckDB)
    joint = summarise_models(
        duckdb.sql("FROM frame"), {n: {"probability": n} for n in "ab"}, bins=bins, truth="truth"
    )
    assert len(joint["a"]) < N
    m, exact = credibly.measures.measures[measure], models_of(rough)
    bounds = {n: error_bound(m, joint[n]) for n in "ab"}
    for n in "ab":
        assert abs(m(joint[n]) - m(exact[n])) <= bounds[n] + 1e-15
    mine, theirs = compare(joint, measure=measure), compare(exact, measure=measure)
    assert mine.test == theirs.test
    assert abs(mine.difference - theirs.difference) <= sum(bounds.values())
    assert any(f"off by at most {sum(bounds.values()):.2g}" in f.message for f in mine.findings)


def test_few_bins_never_decide_against_the_cases(two):
    """Where bins may move more than a little, the interval is wider by that, and the p-value larger."""
    frame = pd.DataFrame({**two, "a": SCORE})
    rows = duckdb.from_df(frame)
    roles = {n: {"probability": n} for n in "ab"}
    exact = compare(summarise_models(rows, roles, truth="truth"), measure="auc")
    for bins in (2, 8, 64):
        rough = compare(summarise_models(rows, roles, bins=bins, truth="truth"), measure="auc")
        low, high = rough.confidence_interval.low, rough.confidence_interval.high
        assert low <= exact.difference <= high
        assert "widened for bins" in rough.confidence_interval.method
        assert rough.pvalue > exact.pvalue
        assert rough.rejected == (not low <= 0 <= high)
    one_sided = compare(
        summarise_models(rows, roles, bins=2, truth="truth"), measure="auc", alternative="less"
    )
    assert np.isnan(one_sided.pvalue)
    assert not one_sided.rejected


def test_ties_of_scores_are_no_bins(two):
    rows = duckdb.from_df(pd.DataFrame(two))
    joint = summarise_models(rows, {n: {"probability": n} for n in "ab"}, bins=1024, truth="truth")
    assert all(error_bound(credibly.measures.auc, p) == 0 for p in joint.values())


def test_bins_leave_labels_as_they_are(two):
    frame = pd.DataFrame(two)  # noqa: F841  (read by DuckDB)
    joint = summarise_models(
        duckdb.sql("FROM frame"), {n: {"probability": n} for n in "ab"}, bins=16, truth="truth"
    )
    mine, theirs = (compare(p, measure="error_rate") for p in (joint, models_of(two)))
    assert (mine.difference, mine.pvalue) == (theirs.difference, theirs.pvalue)
    assert not any(f.code.startswith("binned") for f in mine.findings)


def test_bins_of_which_the_error_is_not_known_are_a_caution(two):
    frame = pd.DataFrame(two)  # noqa: F841  (read by DuckDB)
    joint = summarise_models(
        duckdb.sql("FROM frame"), {n: {"probability": n} for n in "ab"}, bins=16, truth="truth"
    )
    found = compare(joint, measure="partial_auc", rng=1).findings
    assert any(f.code == "binned-without-bound" and f.severity == "caution" for f in found)


# --- the bootstrap of counted rows ----------------------------------------------------------------


def test_a_bootstrap_of_counted_rows_redraws_cases_not_rows():
    """One row stands for many cases: its weight varies as a binomial count does, not all or nothing."""
    counted = Predictions.of(
        [1, 1, 0, 0],
        label=[1, 0, 0, 1],
        sample_weight=[300, 100, 400, 200],
        weight_kind="frequency",
    )
    drawn = credibly.intervals.bootstrap(counted, "accuracy", replicates=2000, rng=1)
    expected = np.sqrt(0.7 * 0.3 / 1000)
    # The standard deviation of 2,000 draws is within 8 % of the truth but for once in a million.
    assert drawn.standard_errors[0] == pytest.approx(expected, rel=0.08)
    e = evaluate(
        counted, "auc" if counted.score is not None else "mcc", interval="bootstrap", rng=1
    )
    assert e.estimates[0].interval is not None


@pytest.mark.thorough
def test_a_bootstrap_of_counted_scores_agrees_with_that_of_the_rows():
    score = np.round(SCORE, 1)
    rows = Predictions.of(TRUTH, score=score)
    frame = pd.DataFrame({"truth": TRUTH, "score": score})  # noqa: F841  (read by DuckDB)
    counted = summarise(duckdb.sql("FROM frame"), exact=True)
    for name in ("auc", "ks", "average_precision"):
        mine, theirs = (
            credibly.intervals.bootstrap(p, name, replicates=1000, rng=1) for p in (counted, rows)
        )
        assert mine.values[0] == pytest.approx(theirs.values[0], abs=1e-12)
        # Two estimates from 1,000 replicates each differ by more than 15 % once in 10^5.
        assert mine.standard_errors[0] == pytest.approx(theirs.standard_errors[0], rel=0.15)


def test_counted_rows_that_hardly_repeat_are_drawn_as_cases():
    """The replicates are those of the cases themselves, at their cost; counted often, cells are drawn."""
    times = np.arange(N) % 3
    given = {"sample_weight": times, "weight_kind": "frequency"}
    counted = Predictions.of(TRUTH, probability=SCORE, **given)
    rows = Predictions.of(np.repeat(TRUTH, times), probability=np.repeat(SCORE, times))
    measures = ["auc", "brier", "accuracy", "h_measure"]
    mine, theirs = (
        credibly.intervals.bootstrap(p, measures, replicates=20, rng=1) for p in (counted, rows)
    )
    np.testing.assert_allclose(mine.replicates, theirs.replicates, rtol=1e-12)
    np.testing.assert_allclose(mine.values, theirs.values, rtol=1e-12)


def test_a_threshold_inside_a_bin_labels_every_case_right():
    score = np.concatenate([SCORE, 0.3 + np.arange(-50, 50) * 1e-7])
    truth = np.concatenate([TRUTH, np.arange(100) % 2])
    frame = pd.DataFrame({"truth": truth, "score": score})  # noqa: F841  (read by DuckDB)
    p = summarise(duckdb.sql("FROM frame"), threshold=0.3, tolerance=0.1)
    q = Predictions.of(truth, score=score, threshold=0.3)
    mine, theirs = (credibly.predictions.summaries.Counts.of(x).matrix for x in (p, q))
    assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-9, 1e9, 1e300, 1.7e308])
def test_scores_of_any_size_are_counted_in_bins(scale):
    score = (SCORE * 2 - 1) * scale
    frame = pd.DataFrame({"truth": TRUTH, "score": score})  # noqa: F841  (read by DuckDB)
    e = evaluate(summarise(duckdb.sql("FROM frame"), tolerance=1e-6), "auc", interval="none")["auc"]
    assert abs(e.value - credibly.measures.auc(TRUTH, score)) <= e.bound + 1e-12
    assert e.bound <= 1e-6


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.parametrize("tolerance", [None, 0.1])
def test_frequencies_are_read_from_text_and_refused_if_no_counts(tmp_path, engine, tolerance):
    file = tmp_path / "a.csv"
    file.write_text("y,p,w\n1,0.9,2.0\n0,0.4,3\n1,0.3,1.0\n0,0.1,4\n")
    roles = {"truth": "y", "probability": "p", "weight": "w", "weight_kind": "frequency"}
    p = summarise(file, engine=engine, tolerance=tolerance, **roles)
    assert p.cases == 10
    assert sorted(p.weight.tolist()) == [1, 2, 3, 4]
    for wrong in ("1.5", "-1", ""):
        file.write_text(f"y,p,w\n1,0.9,2.0\n0,0.4,{wrong}\n")
        with pytest.raises(DataError, match="frequency weights must be whole numbers"):
            summarise(file, engine=engine, tolerance=tolerance, **roles)


def test_losses_stay_exact_where_some_truth_is_missing():
    truth = TRUTH.astype(float)
    truth[::400] = np.nan
    frame = pd.DataFrame({"truth": pd.array(TRUTH, "Int64"), "probability": SCORE})
    frame.loc[::400, "truth"] = pd.NA
    p = summarise(duckdb.sql("FROM frame"), tolerance=1e-4, measures=["auc", "brier", "log_loss"])
    there = Predictions.of(TRUTH[~np.isnan(truth)], probability=SCORE[~np.isnan(truth)])
    for name in ("brier", "log_loss"):
        e = evaluate(p, name)[name]
        assert e.value == pytest.approx(evaluate(there, name)[name].value, rel=1e-12)
        assert e.bound == 0


# --- exact sums -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [0.0, -0.5])
def test_exact_sums_of_the_order_are_those_of_the_rows(monkeypatch, shift):
    summarising = import_module("credibly.engines.counting")

    monkeypatch.setattr(summarising, "MAX_EXACT_ROWS", 1000)
    monkeypatch.setattr(summarising, "worth_compiling", lambda n: True)
    frame = pd.DataFrame({"truth": TRUTH, "score": np.round(SCORE, 3) + shift})  # noqa: F841
    p = summarise(duckdb.sql("FROM frame"), exact=True, measures=["auc", "ks", "average_precision"])
    assert ORDER_SUMS.get(p) is not None
    there = Predictions.of(TRUTH, score=np.round(SCORE, 3) + shift)
    for name in ("auc", "ks", "average_precision", "tied_pairs"):
        e = evaluate(p, name, interval="none")[name]
        assert e.value == pytest.approx(evaluate(there, name)[name].value, abs=1e-12)
        assert e.bound == 0


def test_without_measures_exact_counts_serve_every_measure(monkeypatch):
    summarising = import_module("credibly.engines.counting")

    monkeypatch.setattr(summarising, "MAX_EXACT_ROWS", 1000)
    monkeypatch.setattr(summarising, "worth_compiling", lambda n: True)
    frame = pd.DataFrame({"truth": TRUTH, "probability": SCORE})  # noqa: F841
    table = evaluate(summarise(duckdb.sql("FROM frame"), exact=True), interval="none")
    there = evaluate(Predictions.of(TRUTH, probability=SCORE), interval="none")
    assert len(table) == len(there)
    for mine, theirs in zip(table.estimates, there.estimates, strict=True):
        assert mine.value == pytest.approx(theirs.value, rel=1e-12, nan_ok=True)
        assert mine.bound is None
    assert not any(f.code.startswith("binned") for f in table.all_findings())


@pytest.mark.parametrize("tolerance", [0.1, 1e-6, 1e-9])
def test_bins_that_would_be_nearly_as_many_as_cases_are_not_made(parts, monkeypatch, tolerance):
    monkeypatch.setattr(credibly.engines.bins, "MIN_CASES_PER_BIN", 2)
    p = summarise(parts, tolerance=tolerance)
    assert p.span is None
    assert p.findings[-1].message == "Counted by DuckDB: 3,000 rows, 3,000 of them distinct."


def test_bins_stay_where_cases_crowd_in_them(monkeypatch):
    monkeypatch.setattr(credibly.engines.bins, "MIN_CASES_PER_BIN", 2)
    rows = duckdb.sql("SELECT hash(i) % 3 = 0 AS truth, (i / 300000) AS probability FROM range(300000) AS t(i)")  # fmt: skip
    coarse, fine = (summarise(rows, tolerance=t) for t in (1e-3, 1e-7))
    assert coarse.span is not None
    assert coarse.n < 300000 / 2
    assert fine.span is None


def test_no_interval_is_shown_that_bins_may_have_moved_by_much(parts):
    p = summarise(parts, tolerance=1e-3)
    tied = evaluate(p, "tied_pairs")["tied_pairs"]
    assert tied.bound > 0
    assert tied.interval is None
    assert "bins may move it" in tied.why_no_interval
    assert evaluate(p, "auc")["auc"].interval is not None


def test_who_ran_is_said(parts):
    p = summarise(parts, engine="memory")
    assert p.findings[-1].message == "Read by DuckDB: 3,000 rows, each kept in memory."
    table = evaluate_slices(parts, ["shop"], "auc", engine="memory")
    assert any("Slices by any column are counted by DuckDB" in f.message for f in table.findings)


# --- the command line -----------------------------------------------------------------------------


def result_of(capsys, *arguments):
    assert main(list(map(str, arguments))) == 0
    return json.loads(capsys.readouterr().out)


def test_evaluate_takes_patterns_and_folders_and_says_what_counted(parts, capsys):
    for where in (parts, f"{parts}/part*.parquet"):
        found = result_of(
            capsys, "evaluate", where, "--measure", "auc", "--tolerance", "1e-5", "--json"
        )
        assert found["estimates"][0]["bound"] <= 1e-5
        assert any("Counted by DuckDB: 3,000 rows in" in f["message"] for f in found["findings"])
    there = evaluate(Predictions.of(TRUTH, probability=SCORE), "auc")["auc"].value
    for more in (["--exact"], ["--engine", "memory"], ["--engine", "polars", "--exact"]):
        found = result_of(capsys, "evaluate", parts, "--measure", "auc", "--json", *more)
        assert found["estimates"][0]["value"] == pytest.approx(there, abs=1e-12)
        assert "bound" not in found["estimates"][0]


def test_evaluate_slices_by_any_column(parts, capsys):
    found = result_of(capsys, "evaluate", parts, "--measure", "auc", "--by", "shop", "--json")
    assert sorted(e["shop"] for e in found["estimates"]) == [0, 1, 2, 3, 4]


def test_summarise_merge_and_evaluate(parts, tmp_path, capsys):
    for i in range(2):
        assert (
            main(
                [
                    "summarise",
                    f"{parts}/part{i}.parquet",
                    "-o",
                    f"{tmp_path}/s{i}",
                    "--tolerance",
                    "1e-6",
                ]
            )
            == 0
        )
    assert main(["merge", f"{tmp_path}/s0", f"{tmp_path}/s1", "-o", f"{tmp_path}/all"]) == 0
    assert "3,000 cases" in capsys.readouterr().out
    found = result_of(capsys, "evaluate", tmp_path / "all", "--measure", "auc", "--json")
    there = evaluate(Predictions.of(TRUTH, probability=SCORE), "auc")["auc"].value
    e = found["estimates"][0]
    assert abs(e["value"] - there) <= e["bound"] <= 1e-5


def test_a_small_file_is_read_as_before(parts, capsys):
    found = result_of(capsys, "evaluate", parts / "part0.parquet", "--measure", "auc", "--json")
    assert not any("Counted" in f["message"] for f in found["findings"])


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_an_empty_file_is_said_to_be_empty(tmp_path, capsys, engine):
    (tmp_path / "a.csv").write_text("")
    assert main(["evaluate", str(tmp_path / "a.csv"), "--engine", engine, "--truth", "y"]) == 1
    assert "a.csv is empty" in capsys.readouterr().err


def test_the_level_for_all_slices_is_written_as_an_option(parts, capsys):
    assert main(["evaluate", str(parts), "--measure", "auc", "--by", "shop"]) == 0
    assert "or set --confidence-level 0.99 here." in capsys.readouterr().out


def test_unknown_engines_are_refused(parts, capsys):
    assert main(["evaluate", str(parts), "--engine", "excel"]) == 2
    assert "There is no engine 'excel'" in capsys.readouterr().err
    assert main(["evaluate", str(parts), "--tolerance", "-1"]) == 2
    assert "tolerance must be greater than 0" in capsys.readouterr().err
