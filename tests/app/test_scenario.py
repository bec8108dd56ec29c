"""The command line writes the page, and runs again what the page has saved."""

import json
import shlex

import numpy as np
import pytest

from credibly.app.scenario import command_of
from credibly.cli import main

CAMPAIGN = ["cost-benefit", "campaign", "--positive", "yes"]
SCENARIO = {
    "credibly_scenario": 1,
    "positive": "yes",
    "costs": {"tp": -15, "fp": 0.8, "fn": 0, "tn": 0},
    "at": "number=22285",
    "population": None,
    "prevalence": None,
    "confidence_level": 0.9,
}


def saved(path, **changes):
    path.write_text(json.dumps(SCENARIO | changes))
    return str(path)


def run(capsys, *words):
    code = main([*map(str, words)])
    return code, capsys.readouterr()


def test_a_scenario_runs_again(capsys, tmp_path):
    code, heard = run(capsys, *CAMPAIGN[:2], "--scenario", saved(tmp_path / "s.json"), "--json")
    assert code == 0
    made = json.loads(heard.out)
    profit = next(e for e in made["estimates"] if e["measure"] == "profit")
    assert profit["value"] == pytest.approx(4560.60)
    assert profit["interval"]["confidence_level"] == 0.9


def test_the_command_line_overrides_a_scenario(capsys, tmp_path):
    words = [*CAMPAIGN, "--scenario", saved(tmp_path / "s.json"), "--json", "--at", "best"]
    words += ["--benefit", "tp=15", "--cost", "fp=0.5", "--confidence-level", "0.8"]
    made = json.loads(run(capsys, *words)[1].out)
    profit = next(e for e in made["estimates"] if e["measure"] == "profit")
    assert profit["value"] == pytest.approx(13_378)
    assert profit["interval"]["confidence_level"] == 0.8


def test_a_scenario_is_about_one_model(capsys, tmp_path):
    rng = np.random.default_rng(1)
    rows = [(m, i, i % 2, round(float(rng.random()), 3)) for m in "ab" for i in range(40)]
    path = tmp_path / "p.csv"
    path.write_text(
        "model,row,truth,score\n" + "".join(f"{m},{r},{t},{s}\n" for m, r, t, s in rows)
    )
    scenario = saved(tmp_path / "s.json", model="b", positive="1", at="share=0.5")
    code, heard = run(capsys, "cost-benefit", path, "--scenario", scenario, "--json")
    assert code == 0
    assert [q["selected"] for q in json.loads(heard.out)["points"]] == [20.0]
    scenario = saved(tmp_path / "c.json", model="c", positive="1")
    code, heard = run(capsys, "cost-benefit", path, "--scenario", scenario)
    assert code != 0
    assert "about the model 'c'" in heard.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a scenario"),
        ('{"credibly_scenario": 9}', "is not a scenario"),
        (json.dumps(SCENARIO | {"costs": {"tp": "x"}}), "costs is not valid"),
        (json.dumps(SCENARIO | {"population": "many"}), "population is not valid"),
    ],
)
def test_what_is_no_scenario_is_refused(capsys, tmp_path, text, said):
    path = tmp_path / "s.json"
    path.write_text(text)
    code, heard = run(capsys, *CAMPAIGN, "--scenario", path)
    assert code != 0
    assert said in heard.err


def test_costs_of_rows_do_not_go_on_a_page(capsys, tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("truth,score,price\n1,3,2\n0,2,1\n1,1,4\n0,0,1\n")
    words = ["cost-benefit", path, "--cost", "fp=price,fn=1", "--html", tmp_path / "x.html"]
    code, heard = run(capsys, *words)
    assert code != 0
    assert "one cost for each outcome" in heard.err
    assert not (tmp_path / "x.html").exists()


def test_the_written_page_opens_at_the_best_place_and_its_scenario_agrees(capsys, window, tmp_path):
    path = tmp_path / "analyser.html"
    words = [*CAMPAIGN, "--benefit", "tp=15", "--cost", "fp=0.8", "--html", path]
    code, heard = run(capsys, *words)
    assert code == 0
    assert f"Wrote {path}" in heard.out
    page = window("file:", "blob:", "data:")
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]:not([data-busy])", state="attached")
    assert page.locator("#profit .value").inner_text() == "$4,560.60"
    assert page.locator("#random .value").inner_text() == "−$99.59"
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Scenario (JSON)").click()
    waiting.value.save_as(tmp_path / "s.json")
    code, heard = run(capsys, *CAMPAIGN[:2], "--scenario", tmp_path / "s.json", "--json")
    made = json.loads(heard.out)
    assert made["estimates"][0]["value"] == pytest.approx(4560.60)


def test_every_bundled_file_becomes_a_page(capsys, tmp_path):
    """The names of its classes do not say which one is positive; the bundled data does."""
    page = tmp_path / "page.html"
    code, heard = run(capsys, "cost-benefit", "breast-cancer", "--html", page)
    assert (code, heard.err) == (0, "")
    assert '"positive":"malignant"' in page.read_text(encoding="utf-8")


def test_the_command_on_the_page_runs_as_it_stands(capsys, tmp_path, monkeypatch):
    """A hostile name is quoted, and columns that were named are named again."""
    rng = np.random.default_rng(4)
    lines = [f"{'ab'[t]},{rng.normal(t):.3f}" for t in rng.integers(0, 2, 60)]
    path = tmp_path / "a $(touch 'it') `id`.csv"
    path.write_text("\n".join(["what,how", *lines]))
    monkeypatch.chdir(tmp_path)
    told = {"truth": "what", "score": "how", "positive": "b"}
    words = shlex.split(command_of(path.name, told))
    assert words[:2] == ["credibly", "cost-benefit"]
    saved(tmp_path / "scenario.json", positive="b", at="share=0.5")
    code, heard = run(capsys, *words[1:], "--json")
    assert (code, heard.err) == (0, "")
    assert [q["selected"] for q in json.loads(heard.out)["points"]] == [30.0]


def test_one_class_stands_against_the_rest(capsys, tmp_path):
    rng = np.random.default_rng(4)
    shares = rng.dirichlet([1, 1, 1], 60)
    lines = [f"{'abc'[rng.choice(3, p=p)]},{p[0]},{p[1]},{p[2]}" for p in shares]
    path = tmp_path / "three.csv"
    path.write_text("\n".join(["truth,p_a,p_b,p_c", *lines]))
    page = tmp_path / "page.html"
    code, heard = run(capsys, "cost-benefit", path, "--positive", "b", "--html", page)
    assert (code, heard.err) == (0, "")
    assert '"negative":"not b"' in page.read_text(encoding="utf-8")
    made = json.loads(run(capsys, "cost-benefit", path, "--positive", "b", "--json")[1].out)
    assert made["classes"] == ["not b", "b"]
    code, heard = run(capsys, "cost-benefit", path)
    assert code == 1
    assert "Name the class to select, against the rest, with --positive" in heard.err
