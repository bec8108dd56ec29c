"""The report of an experiment: every format, hostile names, what the headline says."""

import json

import numpy as np
import pytest

import credibly
from credibly import ParameterError
from credibly.experiments import Results, analyse
from every.showable import HOSTILE, experiment

FORMATS = ("html", "md", "tex", "json")


def results(shifts, datasets=8, noise=0.02, **more):
    rng = np.random.default_rng(2)
    rows = [(f"d{d}", s, f) for d in range(datasets) for s in shifts for f in range(5)]
    values = [0.6 + shifts[s] + rng.normal(0, noise) for _, s, _ in rows]
    dataset, scheme, fold = map(list, zip(*rows, strict=True))
    given = {"n_train": 80, "n_test": 20, "fit_seconds": 0.25, **more}
    return Results.of(dataset, scheme, {"accuracy": values, "auc": values}, fold=fold, **given)


def headline(shifts, **more):
    return credibly.report(analyse(results(shifts, **more))).document.headline


def test_the_headline_says_who_is_best_and_whether_by_chance():
    apart = {"good": 0.3, "fair": 0.2, "poor": 0.0}
    assert headline(apart, datasets=40) == (
        "good ranks best of 3 schemes over 40 datasets by accuracy (average rank 1.00). "
        "It is significantly different from all others."
    )
    assert headline(apart).endswith("It is not significantly different from fair.")
    alike = headline({"a": 0, "b": 0, "c": 0})
    assert alike.endswith("rank no more differently than chance would have it.")
    two = headline({"a": 0.3, "b": 0})
    assert two.endswith("Its lead over b is more than chance would give.")
    assert "There is no ranking over datasets" in headline(apart, datasets=1)


def test_every_format_can_be_written(tmp_path):
    made = credibly.report(
        analyse(results({"a": 0.2, "b": 0.1, "c": 0.0}), rng=1),
        title="Three schemes",
        command="credibly experiment report there",
        facts={"resampling": "stratified(k=5)"},
    )
    for suffix in FORMATS:
        text = made.save(tmp_path / f"report.{suffix}").read_text()
        assert "0.7" in text
    titles = [s.title for s in made.document.sections]
    assert titles == [
        "What to doubt",
        "Who is better where",
        "Over all datasets",
        "How probable it is",
        "Do the measures agree",
        "Every estimate",
        "What it took",
        "What the numbers mean",
        "What it rests on",
        "Make it again",
    ]
    kept = json.loads(made.json())
    assert kept["facts"]["resampling"] == "stratified(k=5)"
    assert len(kept["cells"]) == 24
    assert "\\toprule" in made.latex()
    assert [f.name for f in made.document.figures()] == [
        "schemes_by_dataset",
        "wins_matrix",
        "critical_difference",
    ]


def test_learning_curves_and_gaps_have_sections():
    titles = [s.title for s in credibly.report(experiment(sizes=(0.5, 1.0))).document.sections]
    assert {"Learning curves", "What is missing"} <= set(titles)


def test_names_are_text_in_every_format():
    made = credibly.report(experiment())
    assert "<script>alert" not in made.html()
    assert HOSTILE[0] in made.json()
    assert "<script>alert" not in made.markdown()
    assert r"\_" in made.latex()


def test_every_measure_and_test_is_defined():
    made = credibly.report(analyse(results({"a": 0.2, "b": 0.1, "c": 0.0}), rng=1))
    section = next(s for s in made.document.sections if s.title == "What the numbers mean")
    terms = {b.term for b in section.blocks}
    assert terms == {
        "Accuracy",
        "Area under the ROC curve",
        "Corrected resampled t",
        "Iman and Davenport",
        "Bayesian correlated t",
        "Bayesian signed-rank",
    }


def test_what_is_for_predictions_is_refused():
    with pytest.raises(ParameterError, match="is for the report of predictions"):
        credibly.report(experiment(), costs={"fn": 5})
