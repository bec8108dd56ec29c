"""Every screen of every kind of study: its numbers the library's, accessible, within the window, by keys alone, in an address, as a command."""

import json
import re
import shlex
from dataclasses import fields
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import credibly
from app.conftest import typed
from app.desk import UNTOLD
from app.test_stories import clinical, ten_classes, write
from credibly.app.page import modules
from credibly.cli import main
from credibly.io import bundled, read
from credibly.predictions.case_columns import CLASS_SLICES, SLICES
from every.kinds_of_tables import TABLES

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
OF_THE_PAGE = {"threshold", "curves", "home"}  # arithmetic held to Python elsewhere, and an example
SCREENS = [Path(name).stem for name in modules() if name.startswith("screens/")]


def names_in_results():
    """What the JSON of some result may hold; slices are named by their columns."""
    from every.test_results import EVERY  # which imports the whole library

    keys = (word.strip("[]?*") for kind in EVERY for word in kind.json_keys.split())
    of_fields = (field.name for kind in EVERY for field in fields(kind))
    return {*SLICES, *CLASS_SLICES, *of_fields, *(key.partition("=")[0] for key in keys)}


def regression(path):
    rng = np.random.default_rng(6)
    y = rng.normal(50, 10, 120)
    rows = [(f"{t:.3f}", f"{t + e:.3f}") for t, e in zip(y, rng.normal(0, 3, 120), strict=True)]
    return write(path, ["y_true", "value"], rows)


def with_gaps(path):
    """Probabilities of patients seen twice, of which some are missing."""
    rng = np.random.default_rng(7)
    ill = rng.random(160) < 0.4
    risk = [f"{x:.3f}" for x in np.clip(0.4 * ill + 0.6 * rng.random(160), 0, 1)]
    risk[3] = risk[40] = ""
    rows = zip(ill.astype(int), risk, np.arange(160) // 2, rng.choice(["north", "south"], 160), strict=True)  # fmt: skip
    return write(path, ["truth", "probability", "group", "site"], rows)


STUDIES = {
    "four models": lambda folder: credibly.save(
        read(bundled("breast-cancer"), positive="malignant"), folder / "tumours.parquet"
    ),
    "numbers": lambda folder: regression(folder / "prices.csv"),
    "labels of ten classes": lambda folder: ten_classes(folder / "digits.csv"),
    "scores are missing": lambda folder: with_gaps(folder / "scans.csv"),
    "something is to be said": lambda folder: clinical(folder / "ward.csv"),
}


# Each study in both widths and both colours: every screen fits in both. By keys and by axe it is tried in
# one of them, which is another with each study, so that it is tried of each study and in each look.
PAIRS = ("wide", "dark phone"), ("dark", "phone")
TRIED = list(
    product(range(2), range(2))
)  # which pair, and which of the two for screens of even numbers


@pytest.mark.thorough(study=["four models"])  # which fills the most screens
@pytest.mark.parametrize("study", STUDIES)
def test_every_screen_is_accessible_by_keys_too_and_fits(sit, tmp_path, study):
    desk = sit()
    desk.open(STUDIES[study](tmp_path))
    address = desk.page.url.partition("#")[0]
    pair, first = TRIED[list(STUDIES).index(study) % len(TRIED)]
    for turn, look in enumerate(PAIRS[pair]):
        desk.look(look)
        for number, screen in enumerate(SCREENS):
            desk.page.goto(f"{address}#screen={screen}")
            desk.sees(f"#screen-{screen} h1")
            assert len(desk.text(f"#screen-{screen} h1")) > 5
            desk.fits()
            shown = f"#screen-{screen}"
            if screen != "import":  # which says what is to be done
                assert desk.count(f"{shown} .trouble") == 0, desk.text(shown)
            is_told = desk.count(f"{shown} .card td") and not desk.count("#problem")
            if turn == 0 and screen not in OF_THE_PAGE and is_told:
                desk.sees_a_command()
            if screen not in OF_THE_PAGE:
                assert desk.run(UNTOLD % f"#screen-{screen}") == [], screen
            if (turn + number + first) % 2 == 0:
                desk.is_accessible()
                desk.is_walked()
    known = names_in_results()
    absent = [at for at in desk.run("[...absent]") if at.split()[1] not in known]
    assert absent == [], f"{absent}: names that no result has; renamed in the library?"


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["firefox"])
def test_every_screen_in_the_other_browser(desk, tmp_path, engine):
    desk.open(STUDIES["four models"](tmp_path))
    for screen in SCREENS:
        desk.run(f"location.hash = '#screen={screen}'")
        desk.sees(f"#screen-{screen} h1")
        assert len(desk.text(f"#screen-{screen}")) > 50  # or why it cannot be shown
        desk.fits()


def test_data_that_were_taken_for_predictions_are_learnt_from(sit, tmp_path):
    """A number that is a score by its values alone may be an input; a column that names the case is left out."""
    rng = np.random.default_rng(2)
    left = rng.random(90) < 0.4
    rows = zip(
        range(90),
        (20 * left + 30 * rng.random(90)).astype(int),
        np.where(left, "yes", "no"),
        strict=True,
    )
    desk = sit()
    desk.open(write(tmp_path / "churn.csv", ["customer", "months", "left"], rows))
    desk.click("#try-schemes")
    desk.sees("#screen-schemes .big")
    desk.click("#screen-schemes details summary")
    desk.click("#screen-schemes input[value=customer]")
    desk.sees("#screen-schemes .big")
    desk.wait_for("document.querySelector('#screen-schemes pre')?.textContent.includes('customer')")
    assert '"ignore" = ["customer"]' in desk.run(
        "document.querySelector('#screen-schemes pre').textContent"
    )
    desk.fits()


def test_what_is_counted_and_what_scales_end_at(sit, tmp_path):
    """A number in the rail is that of its screen; ends of a scale are round, and no interval lies beyond them."""
    desk = sit()
    desk.open(clinical(tmp_path / "ward.csv"))
    for column in ("old", "new"):
        desk.role(column, "probability")
    desk.tick("percent")
    desk.positive("died")
    desk.tick("complete")
    desk.use()
    number = "document.querySelector('#items a[href*=\"screen={}\"] .count')?.innerText"
    doubts = desk.run(
        "document.querySelectorAll('#screen-overview .finding.problem, #screen-overview .finding.caution').length"
    )
    assert doubts > 0
    assert desk.run(number.format("overview")) == str(doubts)
    ends = desk.run(
        """[...document.querySelectorAll('#screen-overview .forest')].map((f) => [
          [...f.querySelectorAll('.scale span')].map((s) => s.innerText),
          [...f.querySelectorAll('.number .unseen')].map((s) => s.innerText)])"""
    )
    assert len(ends) > 3
    for (first, last), intervals in ends:
        limits = [float(x) for text in intervals for x in re.findall(r"\d+\.\d+", text)]
        assert float(first) <= min(limits) + 1e-9
        assert float(last) >= max(limits) - 1e-9
        assert len(first.rstrip("0").partition(".")[2]) <= 2
    desk.to("checks")
    counts = desk.asked("check", positive="died")["counts"]
    assert desk.run(number.format("checks")) == str(counts["problem"] + counts["caution"])
    assert "wrong in both models" in desk.to("errors")
    desk.pick('#screen-errors select[aria-label="Class"]', "died")
    counts = desk.asked("worst-cases", of_class="died", positive="died")["wrong_in"]
    heading = f"{counts[-1]} of {sum(counts)} cases of class died"
    desk.wait_for(f"document.querySelector('#screen-errors h1').innerText.startsWith({heading!r})")
    assert desk.to("gate") == "old is not yet shown to be as good as new."
    assert desk.text("#screen-gate .lead").startswith("Undecided: ")
    assert not re.search(r"[\s(]-\d", desk.text("#screen-gate") + desk.to("checks") + desk.text("#screen-checks"))  # fmt: skip
    off = desk.asked("calibration", positive="died")["models"]["old"]
    limits = {e["measure"].partition("(")[0]: e["interval"] for e in off["statistics"]}
    too_high = limits["calibration_in_the_large"]["low"] > 0
    heading = desk.to("calibration")
    assert ("too high on average" in heading) == too_high
    assert len(heading) < 100
    assert "Expected calibration error" in desk.text("#screen-calibration .stats")


def test_what_screens_say_of_several_models_agrees(sit, tmp_path):
    """A lead is judged as in the comparison of all pairs; tasks are compared with the model that the control names."""
    rng = np.random.default_rng(42)
    truth = rng.integers(0, 2, 600)
    models = [np.where(rng.random(600) < a, truth, 1 - truth) for a in (0.7, 0.74, 0.78)]
    rows = zip(truth, *models, rng.choice(["north", "south"], 600), strict=True)
    desk = sit()
    desk.open(write(tmp_path / "three.csv", ["truth", "a", "b", "c", "task"], rows))
    for column in "abc":
        desk.role(column, "label")
    desk.use()
    pairs = desk.asked("compare", measure="accuracy")["comparisons"]
    lead = next(t for t in pairs if {*t["names"]} == {"b", "c"})
    assert lead["pvalue"] < 0.05 < lead["adjusted_pvalue"]
    told = desk.text("#screen-overview .four .card")
    assert f"p {lead['adjusted_pvalue']:.3f}, allowing for 3 pairs of models." in told
    assert f"c minus b by accuracy: {abs(lead['difference']):.3f}" in told
    assert "may be chance" in desk.text("#screen-overview .lead")
    desk.to("compare")
    assert "No clear difference" in desk.text("#screen-compare table")
    desk.to("tasks")
    assert desk.run("document.querySelectorAll('#screen-tasks select')[1].value") == "c"
    assert "a minus c" in desk.text("#screen-tasks")


def test_the_time_that_a_score_is_about_is_chosen(sit, tmp_path):
    path = tmp_path / "patients.csv"
    TABLES["survival"]().to_csv(path, index=False)
    desk = sit(expected=["422"])
    desk.open(path)
    assert "Harrell" in desk.text("#screen-import")
    desk.use()
    assert not desk.run("document.getElementById('number').checkVisibility()")
    found = credibly.read_survival(path, "time", "event", risk=["cox_risk", "forest_risk"])
    usual = found.defined()[-1]
    (time,) = usual.numbers.values()
    desk.pick("#score", usual.call)
    desk.settle()
    assert desk.run("document.querySelector('#number input').value") == str(time)
    desk.type("#number input", "0.8")
    desk.settle()
    asked = desk.asked("compare", score="survival_auc(at=0.8)")
    compared = credibly.compare(found.scored("survival_auc(at=0.8)"))
    assert asked["difference"] == compared.difference
    assert "at a time, at 0.8" in desk.to("compare")
    desk.fits()
    desk.type("#number input", "900")
    desk.settle()
    assert "Nobody was followed beyond 900" in desk.text("#screen-compare .trouble")
    desk.click("#undo")
    desk.settle()
    assert f"{compared.pvalue:.3f}" in desk.text("#screen-compare")
    desk.to("overview")
    titles = desk.run("[...document.querySelectorAll('#screen-overview .forest h3')].map((e) => e.innerText).join()")  # fmt: skip
    assert f"at {time}" in titles
    desk.is_accessible()
    desk.look("phone")
    desk.fits()


def test_costs_slider_curves_and_profit_fit_one_screen(sit, tmp_path):
    desk = sit()
    desk.open(credibly.save(read(bundled("campaign")), tmp_path / "mailing.csv"))
    desk.to("threshold")
    desk.type("[aria-label='no, selected: amount']", "2")
    desk.settle()
    for part in (
        "costs",
        "confusion",
        "slider",
        "chart-curve",
        "chart-profit",
        "best",
        "save-rows",
    ):
        box = f"document.getElementById('{part}').getBoundingClientRect()"
        assert 0 < desk.run(f"{box}.bottom") <= 900, part


def test_each_of_several_classes_is_drawn_until_one_is_chosen(sit, tmp_path):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 90)
    chance = rng.dirichlet(np.ones(3), 90) * 0.8 + 0.2 * np.eye(3)[truth]
    rows = [("abc"[k], *(f"{x:.6f}" for x in c)) for k, c in zip(truth, chance, strict=True)]
    path = write(tmp_path / "three.csv", ["truth", "p_a", "p_b", "p_c"], rows)
    desk = sit()
    desk.open(path)
    assert desk.to("curves") == "Which class do you look for?"
    desk.wait_for("document.querySelectorAll('#screen-curves img').length === 3")
    told = desk.run("[...document.querySelectorAll('#screen-curves img')].map((i) => i.alt)")
    drawn = [credibly.plot(read(path, positive=name), "roc").alt for name in "abc"]
    assert told == drawn
    assert len(set(drawn)) == 3
    desk.is_accessible()
    desk.is_walked()
    desk.look("phone")
    desk.fits()
    desk.click("#screen-curves [data-class=b]")
    desk.sees("#curves-sentence")
    assert " of b and takes " in desk.text("#curves-sentence")


def test_pictures_follow_the_colours_that_changed_elsewhere(sit, tmp_path):
    path = tmp_path / "sets.csv"
    TABLES["prediction_sets"]().to_csv(path, index=False)
    desk = sit()
    desk.open(path)
    desk.to("details")
    shown = "document.querySelector('#screen-details img').src"
    light = desk.run(shown)
    desk.to("checks")
    desk.look("dark")
    desk.to("details")
    desk.wait_for(f"{shown} !== {light!r}")


def test_what_takes_long_is_stopped(sit):
    desk = sit()
    desk.page.get_by_role("button", name="breast-cancer").click()
    desk.sees("#screen-overview h1")
    desk.page.route("**/api/check", lambda _: None)  # is never answered
    desk.click('#items a[href*="screen=checks"]')
    desk.page.locator("#screen-checks .waiting button").click()
    desk.sees("#screen-checks .notice")
    assert desk.text("#screen-checks .notice").startswith("This was stopped.")


def test_the_address_is_the_state(sit, tmp_path):
    desk = sit()
    desk.open(STUDIES["four models"](tmp_path))
    desk.to("compare")
    desk.page.get_by_role("button", name="tree").click()
    desk.settle()
    said = desk.page.locator("#screen-compare h1").inner_text()
    address = desk.page.url
    desk.to("checks")
    desk.page.go_back()
    desk.settle()
    assert desk.page.locator("#screen-compare h1").inner_text() == said
    desk.page.go_forward()
    desk.settle()
    assert desk.page.locator("#screen-checks").is_visible()
    other = desk.page.context.new_page()  # with another class, while the first keeps its own
    other.goto(address + "&positive=benign")
    other.wait_for_selector("#screen-compare h1")
    other.wait_for_selector("body:not([data-busy])", state="attached")
    assert other.locator("#class").input_value() == "benign"
    assert desk.page.locator("#class").input_value() == ""
    desk.page.goto(address)
    desk.settle()
    assert desk.page.locator("#screen-compare h1").inner_text() == said


def test_keys_alone(sit):
    desk = sit()
    page = desk.page
    page.get_by_role("button", name="campaign").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#screen-overview h1")
    desk.settle()
    page.locator("#items a", has_text="Threshold and costs").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#slider")
    desk.settle()
    page.locator("#slider").focus()
    before = page.locator("#place-sentence").inner_text()
    page.keyboard.press("PageUp")
    desk.settle()
    assert page.locator("#place-sentence").inner_text() != before
    page.locator("#command").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#drawer[open] pre")
    for _ in range(8):  # it keeps the focus, or the browser's own bars have it
        page.keyboard.press("Tab")
        assert page.evaluate(
            "Boolean(document.activeElement.closest('#drawer') ?? document.activeElement === document.body)"
        )
    page.keyboard.press("Escape")
    assert page.locator("#drawer").is_hidden()
    assert page.evaluate("document.activeElement.id") == "command"


def test_costs_and_undo_survive_another_role(sit, tmp_path):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    rows = [
        (t, f"{t + e:.3f}", f"{t - e:.3f}") for t, e in zip(y, rng.normal(size=200), strict=True)
    ]
    desk = sit()
    desk.open(write(tmp_path / "two.csv", ["truth", "score", "other"], rows))
    desk.to("threshold")
    for cell, amount in (("1, left", "7"), ("0, selected", "2")):
        desk.page.get_by_label(f"{cell}: amount").fill(amount)
        desk.page.get_by_label(f"{cell}: amount").press("Enter")
        desk.settle()
    desk.page.click("#study")
    desk.settle()
    desk.role("score", "")
    desk.role("other", "score")
    desk.to("threshold")
    assert desk.page.locator("#amount-fn").input_value() == "7"
    desk.page.get_by_role("button", name="Undo").click()
    desk.settle()
    assert desk.page.locator("#amount-fp").input_value() == "0"
    assert desk.page.locator("#amount-fn").input_value() == "7"


def test_a_study_is_kept_without_its_data(sit, tmp_path):
    path = clinical(tmp_path / "ward.csv")
    desk = sit()
    desk.open(path)
    desk.role("patient", "group")
    desk.tick("percent")
    desk.positive("died")
    desk.use()
    headline = desk.page.locator("#screen-overview h1").inner_text()
    desk.to("report")
    with desk.page.expect_download() as waiting:
        desk.page.get_by_role("button", name="Save the study file").click()
    waiting.value.save_as(tmp_path / "ward.study.json")
    kept = json.loads((tmp_path / "ward.study.json").read_text())
    assert kept["data"] is None
    assert "lived" not in json.dumps(kept)
    again = sit()
    again.page.locator("input[type=file]").first.set_input_files(str(tmp_path / "ward.study.json"))
    again.page.wait_for_selector("#trouble .notice")
    again.open(path)
    again.page.wait_for_selector("#screen-report h1")
    again.to("overview")
    assert again.page.locator("#screen-overview h1").inner_text() == headline


def test_study_files_of_other_versions_are_opened_or_refused_with_a_sentence(sit, tmp_path):
    path = write(tmp_path / "p.csv", ["y", "s"], [(i % 2, i * 37 % 100 / 100) for i in range(40)])
    options = {"truth": "y", "probability": "s", "positive": "1"}
    study = {
        "credibly_study": 1,
        "name": "p.csv",
        "options": options,
        "fingerprint": "",
        "state": "#screen=checks",
        "data": None,
    }
    refused = {
        "newer": {**study, "credibly_study": 2},
        "older": {**study, "credibly_study": 0},
        "of no version": {**study, "credibly_study": None},
        "without a state": {k: v for k, v in study.items() if k != "state"},
        "with other options": {**study, "options": ["truth"]},
        "with damaged data": {**study, "data": "%%"},
    }
    texts = {name: json.dumps(kept) for name, kept in refused.items()}
    texts["cut off"] = json.dumps(study)[:60]
    desk = sit()
    for name, text in texts.items():
        (tmp_path / f"{name}.study.json").write_text(text)
        desk.choose("input[type=file]", tmp_path / f"{name}.study.json")
        desk.wait_for(
            f"document.querySelector('#trouble').innerText.includes({f'{name}.study.json'!r})"
        )
        told = desk.text("#trouble")
        assert ("Update this one" if name == "newer" else "Save the study again") in told, name
    more = {**study, "colour": "red", "state": "#screen=checks&checks.prevalence=0.3&unknown=1"}
    (tmp_path / "more.study.json").write_text(json.dumps(more))
    desk.choose("input[type=file]", tmp_path / "more.study.json")
    desk.wait_for("document.querySelector('#trouble').innerText.includes('Now open the data')")
    desk.open(path)
    desk.sees("#screen-checks h1")
    assert "prevalence=0.3" in desk.page.url
    assert "These are not the data" in desk.text("#trouble")


def test_sections_are_moved_left_out_and_looked_at(sit, tmp_path):
    desk = sit()
    desk.open(regression(tmp_path / "prices.csv"))
    desk.to("report")
    titles = "[...document.querySelectorAll('.sections li')].map((li) => li.innerText.trim().split('\\n')[0])"
    first, second, *_ = desk.run(titles)
    desk.page.get_by_label(f"Move {second} up").press("Enter")
    desk.settle()
    assert desk.run(titles)[:2] == [second, first]
    assert desk.run("document.activeElement.ariaLabel") == f"Move {second} up"
    desk.page.locator(f".sections input[value='{first}']").press("Space")
    desk.settle()
    desk.sees("#screen-report iframe")
    frame = desk.page.frame_locator("#screen-report iframe")
    assert frame.locator("h2").first.inner_text() == second
    assert frame.get_by_role("heading", name=first, exact=True).count() == 0
    assert desk.page.frames[-1].evaluate("self.origin") == "null"
    text = desk.saved("#screen-report button.main", tmp_path / "prices.html")
    assert f">{second}</h2>" in text
    assert f">{first}</h2>" not in text
    desk.page.locator("#command").click()
    desk.sees("#drawer pre")


def test_a_repaired_file_chosen_again_is_read(sit, tmp_path):
    chosen_again(sit(expected=["422"]), tmp_path / "p.csv")


@pytest.mark.parametrize("engine", ["firefox"])
def test_a_repaired_file_chosen_again_is_read_in_the_other_browser(desk, tmp_path, engine):
    chosen_again(desk, tmp_path / "p.csv")


def chosen_again(desk, path):
    """In the same field, without loading the page again: first a file that is refused, then the same one mended."""
    field = "#screen-home input[type=file]"
    path.write_text("")
    desk.choose(field, path)
    desk.wait_for("document.querySelector('#trouble').innerText.includes('p.csv is empty')")
    path.write_text("only one column\n1\n2\n")
    desk.choose(field, path)
    desk.sees("#screen-import #problem")
    desk.click("#brand")
    desk.sees("#screen-home h1")
    path.write_text("truth,score\n1,0.9\n0,0.2\n1,0.4\n0,0.5\n")
    desk.choose(field, path)
    desk.sees("#screen-overview h1")
    assert "4 cases" in desk.text("#about")


def test_a_server_that_has_ended_is_said_on_every_screen(sit, served_with, tmp_path):
    desk = sit(place=served_with(), expected=["ERR_CONNECTION_REFUSED"])
    desk.open(STUDIES["four models"](tmp_path))
    needless = {"few_labels", "details", "tasks"}  # which say why they cannot be shown
    desk.served.process.kill()
    desk.served.process.wait()
    for screen in {*SCREENS} - needless - {"overview", "measures"}:  # which were computed
        desk.run("document.querySelector('#trouble').replaceChildren()")
        desk.run(f"location.hash = '#screen={screen}'")
        desk.wait_for(
            f"(document.querySelector('#screen-{screen}')?.innerText + document.querySelector('#trouble').innerText).includes('The server does not answer')"
        )


def test_a_file_that_made_room_for_others_is_said_where_its_address_is_opened(
    sit, served_with, tmp_path
):
    desk = sit(place=served_with(), expected=["404"])
    first = write(tmp_path / "first.csv", ["truth", "score"], [(i % 2, i % 7) for i in range(20)])
    desk.open(first)
    address = desk.page.url
    for i in range(9):
        assert desk.served.send(first.read_bytes(), f"{i}.csv").status == 201
    desk.to("checks")
    assert "first.csv was closed to make room" in desk.text("#screen-checks")
    desk.page.goto(address)
    desk.wait_for(
        "document.querySelector('#trouble').innerText.includes('first.csv was closed to make room')"
    )
    desk.open(first)
    desk.sees("#screen-overview h1")


SPELLED = {
    "evaluate": {"measures": ["auc", "brier"], "confidence_level": 0.9},
    "compare": {"measure": "auc", "margin": 0.02},
    "check": {"prevalence": 0.1},
    "best-of": {"measure": "accuracy", "rng": 1, "replicates": 50},
    "cost-benefit": {"costs": {"tp": -15, "fp": 0.8}, "at": "20%"},
    "calibration": {"groups": 5, "rng": 1, "replicates": 20},
    "slices": {"measures": ["error_rate"], "by": ["fold"], "rng": 1, "replicates": 50},
    "calibration after": {"groups": 5, "rng": 1, "replicates": 20, "after": "isotonic"},
    "recalibrate": {"method": "isotonic", "rng": 1, "replicates": 20},
    "gate": {"models": ["tree", "logistic"], "measure": "accuracy", "margin": 0.05},
    "benchmarks": {"measure": "accuracy", "by": "fold", "rng": 1, "replicates": 50},
    "curve": {"name": "cost"},
    "worst-cases": {"wrong_in": 3, "of_class": "malignant"},
}
VERDICTS = (0, 3, 4)  # exit codes of a gate


@pytest.mark.daily(call=["cost-benefit"])
@pytest.mark.parametrize("call", SPELLED)
def test_the_command_and_the_python_that_are_shown_give_the_numbers_of_the_screen(
    served, tmp_path, monkeypatch, capsys, call
):
    """What the drawer spells is typed and run: the same JSON as the page was given."""
    path = credibly.save(read(bundled("breast-cancer"), positive="malignant"), tmp_path / "a b.csv")
    kept = served.send(path.read_bytes(), path.name).json
    monkeypatch.chdir(tmp_path)
    says_the_same(served, kept, call.partition(" ")[0], SPELLED[call], capsys)


def test_the_command_and_the_python_of_joined_files(served, tmp_path, monkeypatch, capsys):
    p = read(bundled("breast-cancer"), positive="malignant")
    ids = []
    for model in ("tree", "logistic"):
        path = credibly.save(p.where(model=model), tmp_path / f"it's {model}.csv")
        ids.append(served.send(path.read_bytes(), path.name).json["id"])
    kept = served.call("joined", ids=ids).json
    monkeypatch.chdir(tmp_path)
    says_the_same(served, kept, "compare", {"measure": "auc", "confidence_level": 0.9}, capsys)


def test_the_command_and_the_python_of_joined_files_with_other_columns(
    served, tmp_path, monkeypatch, capsys
):
    """Each file is read by its own columns before they are joined."""
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, 80)
    ids = []
    for name, columns in (("a b", ["y", "p"]), ("new", ["what, happened", "risk"])):
        frame = pd.DataFrame(
            {columns[0]: y, columns[1]: np.clip(0.3 * y + 0.7 * rng.random(80), 0, 1)}
        )
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        kept = served.send((tmp_path / f"{name}.csv").read_bytes(), f"{name}.csv").json
        roles = {"truth": columns[0], "probability": columns[1]}
        ids.append(served.call("roles", id=kept["id"], roles=roles, positive="1").json["id"])
    kept = served.call("joined", ids=ids).json
    monkeypatch.chdir(tmp_path)
    for call, given in (
        ("compare", {"measure": "auc"}),
        ("gate", {"models": ["new", "a b"], "margin": 0.1}),
    ):
        says_the_same(served, kept, call, given, capsys)


def trec_files(folder):
    """Write judgements of ten queries and what two systems rank, as TREC does; return their names."""
    rng = np.random.default_rng(3)
    lines = {"web.qrels": [], "bm25.run": [], "dense.run": []}
    for query in range(10):
        grades = rng.integers(0, 3, 12)
        lines["web.qrels"] += [f"{query} 0 d{d} {grade}" for d, grade in enumerate(grades)]
        for system, skill in (("bm25", 0.5), ("dense", 1.0)):
            scores = skill * grades + rng.normal(size=12)
            ranked = sorted(zip(scores, range(12), strict=True), reverse=True)
            lines[f"{system}.run"] += [
                f"{query} Q0 d{d} {rank} {score:.4f} {system}"
                for rank, (score, d) in enumerate(ranked, 1)
            ]
    for name, rows in lines.items():
        (folder / name).write_text("\n".join(rows) + "\n")
    return list(lines)


def test_judgements_and_runs_are_opened_together(served, tmp_path, monkeypatch, capsys):
    names = trec_files(tmp_path)
    sent = [served.send((tmp_path / name).read_bytes(), name).json for name in names]
    assert all(each["waits"] and each["problem"] for each in sent)
    assert "at least one of rankings" in served.call("joined", ids=[sent[0]["id"]] * 2).error
    kept = served.call("joined", ids=[each["id"] for each in sent]).json
    assert (kept["kind"], kept["models"], kept["problem"]) == ("rankings", ["bm25", "dense"], None)
    monkeypatch.chdir(tmp_path)
    found = credibly.rankings("web.qrels", {"bm25": "bm25.run", "dense": "dense.run"})
    told = served.call("report", id=kept["id"]).json
    assert told["headline"] == credibly.report(found).document.headline
    says_the_same(served, kept, "compare", {"confidence_level": 0.9}, capsys)
    asked = {"models": ["dense", "bm25"], "margin": 0.01}
    says_the_same(served, kept, "gate", asked, capsys)
    says_the_same(served, kept, "worst-cases", {"most": 3}, capsys)


@pytest.mark.parametrize(
    "roles", [{"models": ["risk, old", 'risk, "new"']}, {"probability": "risk, old"}]
)
def test_the_command_of_columns_with_commas_in_their_names(
    served, tmp_path, monkeypatch, capsys, roles
):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    frame = pd.DataFrame(
        {
            "what, happened": y,
            **{
                n: np.clip(y * 0.3 + rng.random(60) * 0.7, 0, 1)
                for n in ("risk, old", 'risk, "new"')
            },
        }
    )
    frame.to_csv(tmp_path / "c.csv", index=False)
    monkeypatch.chdir(tmp_path)
    kept = served.send((tmp_path / "c.csv").read_bytes(), "c.csv").json
    kept = served.call("roles", id=kept["id"], roles={"truth": "what, happened", **roles}).json
    assert kept["problem"] is None
    says_the_same(
        served, kept, "evaluate", {"measures": ["auc", "fbeta(beta=2, average='macro')"]}, capsys
    )


@pytest.mark.parametrize("kind", ["", "confusion_matrix", "roc"])
def test_a_picture_of_one_model_is_of_the_one_that_is_chosen(
    served, tmp_path, monkeypatch, capsys, kind
):
    path = credibly.save(read(bundled("breast-cancer"), positive="malignant"), tmp_path / "a.csv")
    kept = served.send(path.read_bytes(), path.name).json
    monkeypatch.chdir(tmp_path)
    given = {"model": "tree", **({"kind": kind} if kind else {})}
    shown = served.call("plot", id=kept["id"], **given).json
    said = served.call("spelled", id=kept["id"], calls=["plot"], given=[json.dumps(given)]).json
    names = {}
    exec("\n".join(said["python"][:-1]), names)
    assert eval(said["python"][-1], names).alt == shown["alt"]
    assert main(shlex.split(said["shell"][-1])[1:]) == 0
    assert Path("picture.svg").read_text().startswith("<svg")


def says_the_same(served, kept, call, given, capsys):
    want = served.call(call, id=kept["id"], **given).json
    said = served.call("spelled", id=kept["id"], calls=[call], given=[json.dumps(given)]).json
    *before, last = [line for text in said["shell"] for line in text.split("\n")]
    typed(before)
    program, *words = shlex.split(last)
    assert program == "credibly"
    capsys.readouterr()
    assert main([*words, "--json"]) in VERDICTS
    printed = json.loads(capsys.readouterr().out)
    *lines, last = said["python"]
    names = {}
    exec("\n".join(lines), names)
    python = json.loads(eval(last, names).to_json())
    assert numbers(want) == numbers(printed) == numbers(python)


def numbers(told):
    """Every number, in order, whatever words stand around it."""
    return [
        float(x) for x in re.findall(r"(?<=: )-?[\d.]+(?:e[+-]?\d+)?(?=[,}\n])", json.dumps(told))
    ]
