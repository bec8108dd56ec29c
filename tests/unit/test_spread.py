"""Standard errors, the spread of values that are averaged, and means over datasets."""

import json
import math

import numpy as np
import pytest
import scipy.stats

from credibly import Predictions, evaluate
from credibly.cli import main
from credibly.errors import ParameterError
from credibly.measures import measures


def folded(repeats=3, folds=5, n=60):
    """Return predictions of repeated cross-validation."""
    rng = np.random.default_rng(1)
    y = np.tile(np.arange(n) % 2, repeats)
    return Predictions.of(
        y,
        probability=np.clip(0.4 * y + 0.6 * rng.random(n * repeats), 0, 1),
        fold=np.concatenate([rng.permutation(n) % folds for _ in range(repeats)]),
        repeat=np.repeat(np.arange(repeats), n),
        row=np.tile(np.arange(n), repeats),
        n_train=n - n // folds,
    )


def simple(n, shift, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return Predictions.of(y, probability=np.clip(shift * y + 0.6 * rng.random(n), 0, 1))


def test_standard_errors_by_hand():
    p = simple(40, 0.3)
    table = evaluate(p, ["accuracy", "auc", "brier", "kappa", "ks"])
    right = table["accuracy"].value
    assert table["accuracy"].standard_error == pytest.approx(np.sqrt(right * (1 - right) / 40))
    positive, negative = p.probability[p.truth == 1], p.probability[p.truth == 0]
    wins = (positive[:, None] > negative) + (positive[:, None] == negative) / 2
    delong = wins.mean(1).var(ddof=1) / 20 + wins.mean(0).var(ddof=1) / 20
    assert table["auc"].standard_error == pytest.approx(np.sqrt(delong))
    losses = (p.probability - p.truth) ** 2
    assert table["brier"].standard_error == pytest.approx(scipy.stats.sem(losses))
    # Fleiss, Cohen & Everitt (1969), with the divisor n - 1.
    cells = np.array(table.details["confusion_matrix"]["counts"]) / 40
    rows, columns = cells.sum(1), cells.sum(0)
    agreed, chance = np.trace(cells), rows @ columns
    kappa = (agreed - chance) / (1 - chance)
    apart = sum(
        cells[i, j] * ((i == j) - (rows[j] + columns[i]) * (1 - kappa)) ** 2
        for i in range(2)
        for j in range(2)
    )
    variance = (apart - (kappa - chance * (1 - kappa)) ** 2) / (39 * (1 - chance) ** 2)
    assert table["kappa"].standard_error == pytest.approx(np.sqrt(variance))
    assert table["ks"].standard_error is None
    drawn = evaluate(p, "ks", interval="bootstrap", rng=1, replicates=200)["ks"]
    assert 0.02 < drawn.standard_error < 0.2


def test_no_standard_error_where_no_case_differs():
    table = evaluate(Predictions.of([1, 0] * 5, label=[1, 0] * 5), ["accuracy", "mcc"])
    assert [e.standard_error for e in table.estimates] == [None, None]
    assert table["accuracy"].interval is not None


def test_totals_and_interval_methods_have_standard_errors():
    p = simple(40, 0.3)
    for method in ("delong", "hanley_mcneil", "mann_whitney"):
        gini = evaluate(p, "gini", interval=method)["gini"]
        half = (gini.interval.high - gini.interval.low) / 2
        assert gini.standard_error * scipy.stats.norm.isf(0.025) == pytest.approx(half)


def test_spread_of_folds_and_mean_variance_of_repeats():
    p = folded()
    both = evaluate(p, "accuracy", estimate=["fold_mean", "repeat_mean"], interval="corrected")
    over_folds, over_repeats = both.estimates
    by_run = [[measures["accuracy"](p.where(repeat=r, fold=f)) for f in range(5)] for r in range(3)]
    flat = np.ravel(by_run)
    spread = over_folds.spread
    assert spread["sd"] == pytest.approx(flat.std(ddof=1))
    assert [spread[q] for q in ("q1", "median", "q3")] == pytest.approx(
        np.percentile(flat, [25, 50, 75])
    )
    factor = 1 / 15 + 12 / 48
    assert over_folds.standard_error == pytest.approx(spread["sd"] * np.sqrt(factor))
    assert over_repeats.variances == pytest.approx(np.var(by_run, axis=1, ddof=1))
    assert over_repeats.spread["mean_variance"] == pytest.approx(
        np.var(by_run, axis=1, ddof=1).mean()
    )
    document = json.loads(both.to_json())
    assert document["estimates"][0]["spread"]["sd"] == pytest.approx(spread["sd"])
    assert document["estimates"][1]["spread"]["mean_variance"] == pytest.approx(
        np.var(by_run, axis=1, ddof=1).mean()
    )
    frame = both.frame()
    assert frame["sd"].tolist() == pytest.approx([spread["sd"], over_repeats.spread["sd"]])
    assert frame["standard_error"][0] == pytest.approx(over_folds.standard_error)


def test_spread_is_shown_where_it_is_asked_for():
    assert "standard error" not in str(evaluate(folded(), "accuracy"))
    shown = str(evaluate(folded(), "accuracy", spread=True))
    for name in ("standard error", "sd", "q1", "median", "q3"):
        assert name in shown


def test_on_the_command_line(tmp_path, capsys):
    file = tmp_path / "p.csv"
    file.write_text("truth,label\n" + "1,1\n0,0\n1,0\n0,0\n" * 5)
    main(
        [
            "evaluate",
            str(file),
            "--measure",
            "accuracy",
            "--spread",
            "--interval",
            "clopper-pearson",
        ]
    )
    said = capsys.readouterr().out
    assert "standard error" in said
    assert "Clopper-Pearson" in said


DATASETS = {"iris": simple(40, 0.3, 1), "wine": simple(60, 0.4, 2), "glass": simple(100, 0.1, 3)}


def test_mean_over_datasets():
    table = evaluate(DATASETS, ["accuracy", "auc"], confidence_level=0.9)
    assert len(table) == 8
    for name in ("accuracy", "auc"):
        alone = [evaluate(p, name, confidence_level=0.9)[name] for p in DATASETS.values()]
        each = [table.where(measure=name, dataset=d)[0] for d in DATASETS]
        assert [(e.value, e.interval) for e in each] == [(e.value, e.interval) for e in alone]
        (mean,) = table.where(measure=name, dataset="mean over datasets")
        values = [e.value for e in alone]
        assert mean.value == pytest.approx(np.mean(values))
        low, high = scipy.stats.t.interval(0.9, 2, np.mean(values), scipy.stats.sem(values))
        assert (mean.interval.low, mean.interval.high) == pytest.approx((max(low, 0), min(high, 1)))
        assert mean.interval.about == "datasets"
        assert (mean.n, mean.values) == (3, tuple(values))
    assert "3 datasets: iris, wine, glass" in str(table)


def test_the_four_datasets_of_the_text():
    """Precision and recall of four datasets, as printed; F of each and not of the means."""
    cells = {"Iris": (7, 3, 7), "cars": (3, 3, 2), "TC 1": (9, 1, 21), "TC 2": (7, 3, 7)}
    counted = {
        name: Predictions.from_counts([[10, fp], [fn, tp]], classes=[0, 1], positive=1)
        for name, (tp, fp, fn) in cells.items()
    }
    table = evaluate(counted, ["precision", "recall", "f1"])
    means = [e.value for e in table.where(dataset="mean over datasets")]
    assert means == pytest.approx([0.7, 0.475, 0.540530303030])


def test_the_rule_beside_several_datasets_is_that_of_their_mean():
    """The best of the rules of all datasets would be a rule of none of them."""
    scores = [0.9, 0.2, 0.6, 0.4, 0.3, 0.1, 0.7, 0.8]
    truths = {"rare": [1, 0, 0, 0, 0, 0, 0, 0], "half": [1, 0, 1, 0, 1, 0, 0, 1]}
    given = {name: Predictions.of(truth, scores) for name, truth in truths.items()}
    table = evaluate(given, ["error_rate", "brier"])
    rules = {
        name: math.fsum(evaluate(p, name)[name].rule.value for p in given.values()) / 2
        for name in ("error_rate", "brier")
    }
    for name, rule in rules.items():
        (mean,) = table.where(measure=name, dataset="mean over datasets")
        assert mean.rule.value == pytest.approx(rule)
        assert mean.advantage.difference == pytest.approx(rule - mean.value)
    look = evaluate(given)
    assert look.meaning().startswith("Mean error rate over datasets is ")
    header, body = look.cells()
    assert header[-1] == "best trivial rule (mean)"
    shown = {row[0]: row[-1] for row in body}
    (brier,) = table.where(measure="brier", dataset="mean over datasets")
    assert shown["Brier score"] == f"{brier.rule_text} (prevalence)"
    many = {f"{name} {i}": p for name, p in given.items() for i in range(4)}
    (label, rule, *_) = evaluate(many).cells()[1][-1]
    assert label == "trivial rule"
    assert float(rule) == pytest.approx(rules["error_rate"], abs=0.00051)


def test_a_mean_over_datasets_that_lacks_a_value():
    table = evaluate(DATASETS, "precision_at(k=50)", interval=None)
    (mean,) = table.where(dataset="mean over datasets")
    assert np.isnan(mean.value)
    assert [f.code for f in mean.findings] == ["undefined-datasets"]
    assert "iris" in mean.findings[0].message


def test_one_dataset_has_no_interval_of_its_mean():
    (_, mean) = evaluate({"iris": DATASETS["iris"]}, "auc").estimates
    assert mean.interval is None
    assert "one dataset" in mean.why_no_interval


def test_what_is_no_dataset_is_refused():
    with pytest.raises(ParameterError, match="takes Predictions; got int"):
        evaluate({"iris": DATASETS["iris"], "wine": 1})


def test_files_of_several_datasets(tmp_path, capsys):
    for name, p in DATASETS.items():
        rows = zip(p.truth.tolist(), p.probability.tolist(), strict=True)
        text = "y,p\n" + "".join(f"{y},{q!r}\n" for y, q in rows)
        (tmp_path / f"{name}.csv").write_text(text)
    files = [str(tmp_path / f"{name}.csv") for name in DATASETS]
    main(["evaluate", *files, "--truth", "y", "--probability", "p", "--measure", "auc", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["datasets"] == list(DATASETS)
    mean = document["estimates"][-1]
    (expected,) = evaluate(DATASETS, "auc").where(dataset="mean over datasets")
    assert mean["value"] == pytest.approx(expected.value)
    assert mean["interval"]["about"] == "datasets"
    assert main(["evaluate", *files, "--truth", "y", "--probability", "p", "--by", "country"]) != 0
    assert "country" in capsys.readouterr().err


def test_reclassification_on_the_command_line(tmp_path, capsys):
    for name, gain in (("new", 0.5), ("old", 0.2)):
        p = simple(60, gain)
        rows = zip(p.truth.tolist(), p.probability.tolist(), strict=True)
        text = "row,y,p\n" + "".join(f"{i},{y},{q!r}\n" for i, (y, q) in enumerate(rows))
        (tmp_path / f"{name}.csv").write_text(text)
    files = [str(tmp_path / f"{name}.csv") for name in ("new", "old")]
    given = ["--truth", "y", "--probability", "p", "--row", "row"]
    main(["compare", *files, *given, "--test", "nri(cutoffs=(0.3, 0.6))", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["test"] == "nri"
    assert found["parameters"]["cutoffs"] == [0.3, 0.6]


def test_datasets_have_names_of_their_own():
    p = Predictions.of([1, 0], label=[1, 1])
    for given in ({1: p, "1": p}, {"mean over datasets": p}):
        with pytest.raises(ParameterError, match="names of their own"):
            evaluate(given, "accuracy")
    text = str(evaluate({"a\nb": p, "c": Predictions.of([0, 1], label=[1, 1])}, "accuracy"))
    assert "\n2 datasets: a b, c\nmeasure \\ dataset  a b " in text


def test_the_mean_of_something_infinite_is_infinite():
    tables = {"a": [[5, 0], [1, 3]], "b": [[5, 2], [1, 3]]}
    made = {n: Predictions.from_counts(t, classes=[0, 1], positive=1) for n, t in tables.items()}
    mean = evaluate(made, "dor").estimates[-1]
    assert mean.value == math.inf
    assert mean.interval is None
    assert mean.why_no_interval


def test_a_mean_over_folds_says_why_it_is_infinite():
    label = [1, 0, 0, 0] * 4 + [1, 0, 1, 0] * 2
    p = Predictions.of([1, 1, 0, 0] * 6, label=label, fold=np.arange(24) // 8)
    (estimate,) = evaluate(p, "dor", estimate="fold_mean").estimates
    assert estimate.value == math.inf
    (said,) = estimate.findings
    assert said.code == "undefined-folds"
    assert "infinite in 2 of 3 folds: no negative case is labelled positive" in said.message
