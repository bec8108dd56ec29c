"""Model cards: metadata that every reader of YAML takes, whatever models are called."""

import math
import re

import pytest

import credibly
from credibly import ParameterError
from credibly._core.text import visible
from credibly.cli import main
from credibly.measures import measures
from credibly.reports._card import _yaml
from each import Each
from every.showable import experiment
from report.context import HEBREW, HOSTILE, KINDS, LATER, QUOTED, reported, several

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
# Names that YAML would obey, fold, or refuse.
STRANGE = (
    "yes", "null", "1e5", "- a", "a: b", "# c", "&d *e !f", "%g", "---", "...", "'", '"', "\\u0041",
    "line\nbreak", "next\x85line", "sep\u2028para\u2029", "\ufeffmark", "bell\x07", "\U0001f600", "{x}", "[y]",
    HOSTILE, QUOTED, HEBREW,
)  # fmt: skip
NAMED = ("type", "name")


def card_of(made, **options):
    """Read the metadata as a hub does, and the text below them."""
    text = made.model_card(**options)
    head, body = re.fullmatch(r"---\n(.*?)\n---\n\n(.*)", text, re.DOTALL).groups()
    return yaml.safe_load(head), body


@pytest.mark.daily(kind=[k for k in KINDS if k not in LATER])
@pytest.mark.parametrize("kind", KINDS)
def test_metadata_hold_every_finite_estimate(kind):
    made = reported(kind)
    data, body = card_of(made)
    headline = [
        e
        for e in made.document.data["evaluation"]["estimates"]
        if e.get("headline") is not False and math.isfinite(e["value"])
        if e.get("model") in {None, *made.document.models[:1]} or not made.document.models
    ]
    (each,) = data["model-index"]  # hubs take the results of several for those of one
    (result,) = each["results"]
    metrics = result["metrics"]
    assert sorted(m["value"] for m in metrics) == sorted(e["value"] for e in headline)
    assert result["task"]["type"].startswith("tabular-")
    assert all(result["dataset"][key] for key in NAMED)
    assert result["dataset"]["revision"] == made.document.data["facts"]["fingerprint"]
    assert all({"type", "value", "name"} <= m.keys() for m in metrics)
    assert f"# {kind}" in body
    assert "## What to doubt" in body
    assert "## Limits" in body


def test_metrics_have_the_names_of_evaluate_and_say_their_intervals():
    made = credibly.report(several(["tree"]), measures=["auc", "mcc", "f1", "fbeta(beta=2)"])
    data, _ = card_of(made, task="image-classification", dataset="acme/churn")
    (result,) = data["model-index"][0]["results"]
    types = [m["type"] for m in result["metrics"]]
    assert types == ["roc_auc", "matthews_correlation", "f1", "fbeta"]
    assert result["metrics"][-1]["args"] == {"beta": 2}
    assert "95 % interval [" in result["metrics"][0]["name"]
    assert "about this model on new cases" in result["metrics"][0]["name"]
    assert data["pipeline_tag"] == result["task"]["type"] == "image-classification"
    assert result["dataset"]["type"] == "acme/churn"


@Each("name", STRANGE, repr)
def test_text_is_read_as_it_was_written(name):
    assert yaml.safe_load("\n".join(_yaml({"name": [name]}))) == {"name": [name]}


@pytest.mark.daily(name=[HOSTILE, "line\nbreak"])
@pytest.mark.parametrize("name", STRANGE)
def test_names_come_back_as_they_are_shown(name):
    made = credibly.report(several([name, "other"]), title=name, measures=["auc"])
    data, _ = card_of(made)
    (found,) = data["model-index"]
    assert found["name"] == visible(name)
    assert data["model-index"][0]["results"][0]["dataset"]["name"] == name.strip("\n")


def test_tiny_numbers_stay_numbers():
    p = credibly.Predictions.of([1.0, 2.0] * 20, value=[1.0 + 1e-9, 2.0 - 1e-9] * 20)
    data, _ = card_of(credibly.report(p))
    metrics = data["model-index"][0]["results"][0]["metrics"]
    assert all(isinstance(m["value"], float | int) for m in metrics)


def test_averages_are_arguments_of_the_metric():
    data, _ = card_of(credibly.report(KINDS["three classes"]()))
    metrics = data["model-index"][0]["results"][0]["metrics"]
    assert {m["args"]["average"] for m in metrics if "args" in m} == {"macro"}


def test_names_of_evaluate_are_known_to_every_verb():
    assert measures["matthews_correlation"].name == "mcc"
    assert measures["r_squared"].name == "r2_test_mean"


def test_an_experiment_has_no_card():
    with pytest.raises(ParameterError, match="about predictions"):
        credibly.report(experiment()).model_card()


@pytest.mark.thorough
def test_the_format_is_asked_for_by_name(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file, target = tmp_path / "demo.csv", tmp_path / "card.md"
    assert main(["demo", "--save", str(file)]) == 0
    asked = ["report", str(file), "--positive", "malignant", "--as", "model-card", "-o"]
    assert main([*asked, str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert text.startswith("---\n")
    assert "(--part)" in text  # in the words of the command line
    assert "(training= in Python)" in text
    assert not re.search(r"\((part|difference|tuned_on)=", text)
    assert main(asked[:-1]) == 0
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("---\n")
    assert main([*asked, str(tmp_path / "card.html")]) == 2
    assert "model-card in a file whose name ends in .md" in capsys.readouterr().err
    with pytest.raises(ParameterError, match="format must be one of"):
        credibly.report(several(["a"])).save(target, format="card")
