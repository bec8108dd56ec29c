"""The best of several models: what is said, what is refused, and the doors."""

import json

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, best_of, save
from credibly.cli import main
from credibly.comparisons import FoldTable

RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 2, 60)
SCORES = {f"m{i}": np.round(RNG.random(60), 2) for i in range(5)}


def models(**more):
    return {n: Predictions.of(TRUTH, probability=p, row=range(60), **more) for n, p in SCORES.items()}  # fmt: skip


def joined():
    n = len(SCORES)
    return Predictions.of(
        np.tile(TRUTH, n),
        probability=np.concatenate(list(SCORES.values())),
        model=np.repeat(list(SCORES), 60),
        row=np.tile(np.arange(60), n),
    )


def test_a_column_of_models_is_a_dictionary_of_them():
    assert best_of(joined(), "auc", rng=1).to_json() == best_of(models(), "auc", rng=1).to_json()


def test_what_it_says():
    made = best_of(models(), "accuracy", rng=1)
    assert [c.value for c in made.candidates] == sorted((c.value for c in made.candidates), reverse=True)  # fmt: skip
    assert made.chosen == made.candidates[0].model
    assert sum(c.share for c in made.candidates) >= 1  # ties count for each
    assert made.optimism == pytest.approx(made.naive.value - made.corrected.value)
    assert made.optimism > 0
    text = str(made)
    assert text.startswith(f"{made.meaning()}\nBest of 5 models by accuracy: {made.chosen}")
    assert "Allowing for the choice: " in text
    assert "max-T" in text
    assert "allowing for the choice it is" in made.meaning()
    assert made.corrected.interval.about == "cases"
    told = json.loads(made.to_json())
    assert told["corrected"]["value"] == made.corrected.value
    chosen = [row for row in made.rows() if row["chosen"]]
    assert [row["corrected"] for row in chosen] == [made.corrected.value]
    assert "unsettled-choice" in [f.code for f in made.findings] or made[made.chosen].share >= 0.5


def test_a_lower_measure_is_corrected_upwards():
    made = best_of(models(), "brier", rng=1)
    assert made.corrected.value > made.naive.value
    assert made.optimism > 0
    assert "at most" in str(made)
    assert all(c.bound > c.value for c in made.candidates)


def test_it_is_never_better_than_as_it_stands_and_ties_are_said():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 500)
    label = np.where(rng.random(500) < 0.08, 1 - truth, truth)
    nearly = np.where(np.arange(500) == np.flatnonzero(label == truth)[0], 1 - label, label)
    both = {"a": Predictions.of(truth, label=label), "b": Predictions.of(truth, label=nearly)}
    best = best_of(both, "error_rate", rng=2)
    assert best.corrected.value == best.naive.value
    assert best.naive.value in best.corrected.interval
    assert best.optimism == 0
    assert "no-correction" in [f.code for f in best.findings]
    assert "its value needs no correction" in best.meaning()
    assert best["a"].share == 1
    assert best["b"].share > 0.3
    assert any("tie" in said for said in best.remarks())


def test_folds_make_intervals_about_their_models():
    made = best_of(models(fold=np.arange(60) % 4), "auc", rng=1)
    assert made.naive.interval.about == made.corrected.interval.about == "models"


def test_many_models_are_not_all_shown():
    many = {f"m{i}": Predictions.of(TRUTH, label=RNG_LABELS[i]) for i in range(30)}
    made = best_of(many, "accuracy", rng=1, replicates=100)
    assert "10 other models are not shown" in str(made)
    assert len(made.rows()) == 30


RNG_LABELS = np.random.default_rng(6).integers(0, 2, (30, 60))


def test_a_seed_that_was_not_given_is_said():
    codes = [f.code for f in best_of(models(), "auc", replicates=50).findings]
    assert {"unseeded", "few-replicates"} <= {*codes}


def test_evaluate_says_that_there_are_many_and_the_report_what_the_best_is_worth():
    from credibly import check, evaluate, report

    p = joined()
    assert [f.code for f in evaluate(p, "auc").findings].count("best-of-many") == 1
    few = p.take(np.isin(p.model, ["m0", "m1", "m2"]))
    assert "best-of-many" not in [f.code for f in evaluate(few, "auc").findings]
    best = best_of(few, "auc", rng=1)
    said = best.meaning().partition(" [")[0]  # brackets are escaped
    assert said in report(few, measure="auc").markdown()
    unsaid = check(p).unsaid(evaluate(p, "auc").findings)
    assert "best-of-many" not in [f.code for f in unsaid]


def test_neighbours_in_time_are_left_out_together():
    """Blocks are the same for all models, and copies of a model cost nothing."""
    day = np.arange(60)
    p = models(time=day)
    made, again = (best_of(x, "auc", rng=1, replicates=100) for x in (p, {**p, "copy": p["m0"]}))
    assert made.corrected.value != best_of(models(), "auc", rng=1, replicates=100).corrected.value
    assert made.corrected == again.corrected


def test_nothing_is_corrected_where_nothing_was_chosen():
    alone = best_of({"a": models()["m0"]}, "auc", rng=1, replicates=100)
    assert alone.corrected == alone.naive
    assert "its value needs no correction" in alone.meaning()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"measure": "bias"}, "no better direction"),
        ({"measure": "total_cost"}, "grows with the number of cases"),
        ({"measure": "auc", "thresholds": True}, "measure of two-class labels"),
        ({"measure": "f1", "thresholds": True, "method": "tibshirani"}, "tuned again in replicates"),
        ({"method": "bootstrap"}, "method"),
        ({"replicates": 1}, "replicates"),
    ],
)  # fmt: skip
def test_what_is_refused(asked, said):
    p = models()
    if asked.get("measure") == "bias":
        p = {n: Predictions.of(TRUTH * 1.0, value=v) for n, v in SCORES.items()}
    with pytest.raises(ParameterError, match=said):
        best_of(p, **asked, rng=1)


def test_values_by_fold_need_a_direction_and_all_values():
    table = np.array([[0.9, 0.8], [0.7, 0.8]])
    with pytest.raises(ParameterError, match="better is not known"):
        best_of(FoldTable(table, ("a", "b")))
    with pytest.raises(ParameterError, match="draws cases"):
        best_of(FoldTable(table, ("a", "b"), "accuracy"), method="bbc")
    with pytest.raises(DataError, match="two or more folds"):
        best_of(FoldTable(table * [1, np.nan], ("a", "b"), "accuracy"))
    assert best_of(FoldTable(table, ("a", "b"), "accuracy")).naive.direction == "higher"


def test_undefined_samples_are_counted():
    truth = [1, 1, 1] + [0] * 9
    two = {n: Predictions.of(truth, score=s) for n, s in (("a", range(12)), ("b", [5] + [1] * 11))}
    made = best_of(two, "auc", rng=1, replicates=100)
    assert "undefined-replicates" in [f.code for f in made.findings]


def test_the_command_says_the_same(tmp_path, capsys):
    path = save(joined(), tmp_path / "five.parquet")
    assert main(["best-of", str(path), "--measure", "auc", "--rng", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(best_of(joined(), "auc", rng=1).to_json())  # fmt: skip
    assert main(["best-of", str(path), "--measure", "f1", "--tune-thresholds"]) == 0
    assert "threshold" in capsys.readouterr().out


def test_replicates_that_do_not_vary_give_no_interval():
    y = [1, 0] * 20
    best = best_of({name: Predictions.of(y, label=y) for name in "ab"}, "accuracy", rng=1)
    assert best.corrected.interval is None
    assert "replicates" in best.corrected.why_no_interval


def test_of_thresholds_that_differ_by_rounding_the_first_is_chosen():
    """The unit of weights, in which sums are rounded in another way, chooses no other one."""
    rng = np.random.default_rng(8)
    truth, score, other = rng.integers(0, 2, 60), *rng.random((2, 60))
    weight = rng.choice([0.1, 0.7, 1.3], 60)
    found = []
    for unit in (1.0, 1e-7, 0.3):
        given = {"sample_weight": unit * weight, "weight_kind": "importance", "row": np.arange(60)}
        models = {
            n: Predictions.of(truth, score=s, **given) for n, s in {"a": score, "b": other}.items()
        }
        told = best_of(models, "accuracy", thresholds=True, replicates=200, rng=1)
        found.append(told.optimism)
    assert found == pytest.approx([found[0]] * 3, rel=1e-9)


def test_to_allow_for_the_choice_makes_nothing_better_known():
    """Percentiles of a skewed loss reached half as far as the limits of the chosen model by itself."""
    rng = np.random.default_rng(8)
    truth = rng.normal(size=150)
    models = {}
    for i in range(2):
        value = truth + rng.normal(size=150)
        value[i::37] += 80 * rng.random(value[i::37].size) ** 3
        models[f"m{i}"] = Predictions.of(truth, value=value)
    for measure in ("mae", "mse", "correlation"):
        best = best_of(models, measure, rng=1)
        moved = best.corrected.value - best.naive.value
        low, high = best.corrected.interval
        assert low <= best.naive.interval.low + moved, measure
        assert high >= min(
            best.naive.interval.high + moved, 1.0 if measure == "correlation" else np.inf
        ), measure
