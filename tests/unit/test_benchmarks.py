"""One decision over many tasks: equal to what is known of single ones, simultaneous, and honest about margins."""

import json
import math

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, benchmarks, compare
from credibly.cli import main


def answered(seed=1, sizes=(200, 60, 30), gains=(0.15, 0.05, -0.05), models=("old", "new"), **more):
    """Passes of models on tasks of different sizes."""
    rng = np.random.default_rng(seed)
    task = np.repeat([f"t{i}" for i in range(len(sizes))], sizes)
    gain = np.repeat(gains, sizes)
    hard = rng.random(task.size)
    outcome = {
        name: (0.7 * hard + 0.3 * rng.random(task.size) < 0.5 + k * gain).astype(float)
        for k, name in enumerate(models)
    }
    newest_first = dict(reversed(outcome.items()))
    return Predictions.of(outcome=newest_first, columns={"task": task}, **more)


def test_one_task_is_what_compare_says():
    p = answered(sizes=(150,), gains=(0.1,))
    found, alone = benchmarks(p), compare(p, test="mcnemar(method='mid_p')")
    only = found.tasks[0]
    assert only.difference == pytest.approx(alone.difference, rel=1e-12)
    assert only.pvalue == pytest.approx(alone.pvalue, rel=1e-9)
    # The level is that of replicates.
    assert tuple(only.interval) == pytest.approx(tuple(alone.confidence_interval), abs=2e-3)
    assert found.overall[0].difference == pytest.approx(only.difference, rel=1e-12)


@pytest.mark.parametrize("weights", ["task", "case"])
def test_over_all_tasks_is_the_weighted_mean(weights):
    p = answered()
    found = benchmarks(p, weights=weights)
    old, new = (p.where(model=m) for m in ("old", "new"))
    gaps = np.array(
        [(new.outcome - old.outcome)[old.columns["task"] == f"t{i}"].mean() for i in range(3)]
    )
    v = np.full(3, 1 / 3) if weights == "task" else np.array([200, 60, 30]) / 290
    assert found.overall[0].difference == pytest.approx(v @ gaps, rel=1e-12)
    spread = [
        (new.outcome - old.outcome)[old.columns["task"] == f"t{i}"].var(ddof=1) / n
        for i, n in enumerate((200, 60, 30))
    ]
    error = math.sqrt(np.square(v) @ spread)
    assert found.overall[0].interval.standard_error == pytest.approx(error, rel=1e-9)
    assert found.largest_gain.task == max(found.tasks, key=lambda t: t.difference).task
    assert found.largest_loss.task == min(found.tasks, key=lambda t: t.difference).task
    assert "McNemar" in str(found)


def test_the_permutation_test_enumerates():
    """Of three discordant cases in two tasks, all eight ways to flip them are as likely."""
    outcome = {"new": [1, 1, 1, 1, 0, 0, 0, 1], "old": [0, 0, 1, 1, 1, 0, 0, 1]}
    p = Predictions.of(outcome=outcome, columns={"task": list("aaaabbbb")})
    found = benchmarks(p, rng=3).tests["new against old"]["permutation"]
    sums = [abs(x / 8 + y / 8 + z / 8) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    assert found == pytest.approx(np.mean(np.array(sums) >= 1 / 8 - 1e-12), abs=0.02)


def test_limits_are_simultaneous_and_independent_of_the_seed():
    p = answered(sizes=(60,) * 20, gains=(0.05,) * 20)
    found, other = benchmarks(p), benchmarks(p, rng=5)
    for a, b in zip(found.tasks, other.tasks, strict=True):
        assert tuple(a.interval) == pytest.approx(tuple(b.interval), abs=0.01)
        assert a.pvalue <= a.adjusted_pvalue <= 1
    # Tasks of other cases are independent: the level of each is that of Sidak.
    alone = benchmarks(p.take(p.columns["task"] == "t0"), confidence_level=0.95 ** (1 / 20))
    assert tuple(found.tasks[0].interval) == pytest.approx(tuple(alone.tasks[0].interval), abs=0.01)


def test_no_worse_on_any_task():
    same = {"old": [1, 0, 1, 1] * 100, "new": [1, 0, 1, 1] * 100}
    p = Predictions.of(outcome=same, columns={"task": ["a", "a", "b", "b"] * 100})
    assert benchmarks(p, margin=0.05).no_worse[0].verdict == "yes"
    undecided = benchmarks(answered(), margin=0.02).no_worse[0]
    assert undecided.verdict == "undecided"
    assert undecided.task in {"t1", "t2"}
    assert undecided.margin_shown > 0.02
    worse = answered(gains=(0.15, 0.05, -0.4), sizes=(200, 60, 100))
    assert benchmarks(worse, margin=0.05).no_worse[0].verdict == "no"


def test_ranks_and_tied_sets():
    p = answered(sizes=(300, 300), gains=(0.08, 0.08), models=("a", "b", "c", "d"))
    found = benchmarks(p)
    ranks = {s.model: (s.rank_low, s.rank_high) for s in found.standings}
    assert ranks["a"][1] == 4
    assert ranks["d"][0] == 1
    assert all(low <= high for low, high in ranks.values())
    same = Predictions.of(
        outcome=dict.fromkeys("abc", [1, 0, 1, 0] * 20), columns={"task": ["x", "y", "y", "x"] * 20}
    )
    assert all(s.may_be_best for s in benchmarks(same).standings)


def test_lower_may_be_better():
    rng = np.random.default_rng(2)
    loss = rng.normal(size=80)
    p = Predictions.of(
        outcome={"new": loss - 0.5 + 0.1 * rng.normal(size=80), "old": loss},
        better="lower",
        columns={"task": ["a", "b"] * 40},
    )
    found = benchmarks(p, margin=0.1)
    assert found.overall[0].verdict == "better"
    assert found.overall[0].difference < 0
    assert found.no_worse[0].verdict == "yes"
    unknown = Predictions.of(
        outcome={"old": loss, "new": loss + 1}, columns={"task": ["a", "b"] * 40}
    )
    with pytest.raises(ParameterError, match="higher or a lower"):
        benchmarks(unknown)


def test_groups_are_what_is_independent():
    group = np.arange(290) // 10
    alone, grouped = benchmarks(answered()), benchmarks(answered(group=group))
    assert grouped.overall[0].difference == pytest.approx(alone.overall[0].difference)
    assert "influence" in grouped.tasks[0].interval.method
    assert "Tango" in alone.tasks[0].interval.method


@pytest.mark.parametrize("weights", ["task", "case"])
def test_epochs_are_means_within_a_case(weights):
    rng = np.random.default_rng(6)
    row = np.repeat(np.arange(60), rng.integers(1, 5, 60))  # another number of epochs for each case
    epoch = np.concatenate([np.arange(n) for n in np.bincount(row)])
    task = np.array(["maths", "law", "law"])[row % 3]
    outcomes = {name: (rng.random(row.size) < 0.6).astype(float) for name in ("new", "old")}
    tried = Predictions.of(outcome=outcomes, row=row, repeat=epoch, columns={"task": task})
    means = {n: np.bincount(row, x) / np.bincount(row) for n, x in outcomes.items()}
    case = Predictions.of(
        outcome=means, better="higher", columns={"task": np.array(["maths", "law", "law"])[np.arange(60) % 3]}
    )  # fmt: skip
    found, expected = (benchmarks(p, weights=weights) for p in (tried, case))
    for a, b in zip(found.differences, expected.differences, strict=True):
        assert (a.task, a.cases) == (b.task, b.cases)
        assert a.difference == pytest.approx(b.difference, rel=1e-12)
        assert tuple(a.interval) == pytest.approx(tuple(b.interval), rel=1e-9)
    assert found.overall[0].cases == 60


def test_any_smooth_measure_of_predictions():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 200)
    models = {
        name: Predictions.of(
            y, score=rng.normal(d * y, 1), row=np.arange(200), columns={"task": np.arange(200) % 2}
        )
        for name, d in (("strong", 2.0), ("weak", 0.5))
    }
    found = benchmarks(models, "auc", by="task")
    assert found.overall[0].verdict == "better"


def test_refuses_what_it_cannot_decide():
    p = answered()
    with pytest.raises(ParameterError, match="two models"):
        benchmarks(p.where(model="old"))
    with pytest.raises(ParameterError, match="not one of the models"):
        benchmarks(p, against="nobody")
    with pytest.raises((DataError, ParameterError), match="nothing"):
        benchmarks(p, by="nothing")
    lonely = Predictions.of(
        outcome={"a": [1, 0, 1], "b": [1, 1, 0]}, columns={"task": ["x", "x", "y"]}
    )
    with pytest.raises(DataError, match="single case"):
        benchmarks(lonely)


def test_a_task_of_one_group_is_refused_where_groups_reach_over_tasks():
    task, group = [*"sssssu", "u"], [0, 0, 1, 1, 2, 2, 2]
    passes = {"a": [1, 0, 1, 1, 0, 1, 0], "b": [0, 1, 1, 0, 1, 1, 1]}
    p = Predictions.of(outcome=passes, columns={"task": task}, group=group)
    with pytest.raises(DataError, match="A task has a single case or group"):
        benchmarks(p)


@pytest.mark.thorough
def test_on_the_command_line(tmp_path, capsys):
    p = answered()
    file = tmp_path / "answers.csv"
    rows = zip(p.model, p.row, p.columns["task"], p.outcome, strict=True)
    file.write_text(
        "model,row,task,passed\n" + "".join(f"{m},{r},{t},{int(o)}\n" for m, r, t, o in rows)
    )
    assert main(["benchmarks", str(file), "--margin", "0.1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["overall"][0]["difference"] == pytest.approx(benchmarks(p).overall[0].difference)
    assert said["no_worse"][0]["verdict"] in {"yes", "no", "undecided"}
    assert main(["benchmarks", str(file), "-o", str(tmp_path / "p.svg")]) == 0
    assert (tmp_path / "p.svg").exists()
