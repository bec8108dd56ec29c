"""What the page computes from: small, complete, and refused where there is nothing to choose."""

import base64
import json
from dataclasses import replace

import numpy as np
import pytest

import credibly
from credibly import Predictions
from credibly.app.arrays import packed
from credibly.app.page import render, static
from credibly.app.page_data import page_data
from credibly.errors import CrediblyError, ParameterError
from credibly.predictions.summaries import ScoreTable

TYPES = {"u1": "<u1", "u2": "<u2", "u4": "<u4", "f8": "<f8"}


def unpacked(said):
    return np.frombuffer(base64.b64decode(said["data"]), TYPES[said["type"]])


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], "u1"),
        ([0, 255], "u1"),
        ([256.0], "u2"),
        ([70_000], "u4"),
        ([2**33], "f8"),
        ([-1], "f8"),
        ([0.5], "f8"),
    ],
)
def test_numbers_are_packed_without_loss(values, kind):
    said = packed(np.array(values))
    assert said["type"] == kind
    assert unpacked(said).tolist() == values


def large(n=20_000):
    rng = np.random.default_rng(5)
    truth = rng.random(n) < 0.1
    return Predictions.of(truth.astype(int), score=truth + rng.normal(0, 1.2, n))


def test_the_table_is_whole_and_the_curves_are_thin():
    p = large()
    made = page_data(p)["models"][0]
    table = ScoreTable.of(p)
    assert (unpacked(made["score"]) == table.score).all()
    assert (unpacked(made["positive"]) == table.pos).all()
    drawn = unpacked(made["drawn"])
    assert drawn[0] == 0
    assert drawn[-1] == table.score.size
    assert drawn.size <= 2000
    assert set(table.hull()) <= set(drawn.tolist())
    rows = unpacked(made["list"]["row"])
    assert (np.diff(p.score[rows.astype(int)]) <= 0).all()
    assert unpacked(made["list"]["sizes"]).sum() == p.n


def test_it_is_json_without_anything_else():
    json.dumps(page_data(large(200)), allow_nan=False)


def test_of_more_classes_the_positive_one_stands_against_the_rest():
    truth = ["a", "b", "c"] * 20
    chances = np.random.default_rng(1).dirichlet(np.ones(3), 60)
    p = Predictions.of(truth, probability=chances, classes=["a", "b", "c"], positive="b")
    made = page_data(p)
    assert (made["positive"], made["negative"]) == ("b", "not b")
    assert unpacked(made["models"][0]["positive"]).sum() == 20


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (Predictions.of([1.0, 2.0], value=[1.0, 2.0]), "about classes"),
        (Predictions.of([1, 0], label=[1, 0]), "score"),
        (Predictions.of([1, 1], score=[1, 2], classes=[0, 1], positive=1), "only the class"),
        (Predictions.of(["a", "b", "c"], probability=np.eye(3)), "two classes"),
    ],
)
def test_what_cannot_be_analysed_is_refused(p, said):
    with pytest.raises(CrediblyError, match=said):
        page_data(p)


def test_something_else_is_refused():
    with pytest.raises(ParameterError, match="takes Predictions"):
        page_data([1, 2])


def test_where_the_page_knows_too_little_it_is_told_so():
    p = large(400)
    grouped = replace(p, group=np.arange(400) // 4, cache={})
    repeated = replace(p, repeat=np.arange(400) % 2, cache={})
    whys = [page_data(q)["models"][0]["why_no_intervals"] for q in (p, grouped, repeated)]
    assert whys[0] == ""
    assert "groups" in whys[1]
    assert "repeats" in whys[2]
    assert "at least 30 cases" in page_data(p.take(np.arange(20)))["models"][0]["parts"]["why"]


def test_groups_are_drawn_whole_for_the_limits():
    p = replace(large(600), group=np.arange(600) // 3, cache={})
    parts = page_data(p)["models"][0]["parts"]
    assert parts["of"] == 200


def test_the_comparison_and_findings_come_along():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 300)
    p = Predictions.of(
        np.tile(truth, 2),
        score=np.concatenate([truth + rng.normal(size=300), rng.normal(size=300)]),
        model=np.repeat(["good", "blind"], 300),
        row=np.tile(np.arange(300), 2),
    )
    made = page_data(p)["answers"]["report"]
    report = json.loads(credibly.report(p).json())
    for part in ("headline", "evaluation", "comparison"):
        assert made[part] == report[part]
    assert {e["model"] for e in made["evaluation"]["estimates"]} == {"good", "blind"}


def test_only_its_own_files_are_handed_out():
    assert "class Analyser" in static("analyser.js")
    for name in ("../page.py", "screens/../../page.py", "secrets", ""):
        with pytest.raises(CrediblyError):
            static(name)


def test_a_page_that_a_server_completes_holds_no_script_of_its_own():
    page = render(page_data(large(60)), server={"token": "t</script>"})
    assert "t</script>" not in page
    linked = page.count("<script src=") + page.count('<script type="module" src=')
    assert page.count("<script") == linked + 1  # the data


def test_curves_are_drawn_through_all_that_a_picture_shows():
    made = page_data(large(1000))["models"][0]
    drawn = unpacked(made["drawn"])
    # Of a thousand cases every corner of the ROC curve is to be seen, not those of its hull alone.
    assert drawn.size > 5 * ScoreTable.of(large(1000)).hull().size
