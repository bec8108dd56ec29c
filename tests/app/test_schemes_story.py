"""From data to a comparison of schemes to a saved report, and experiments over datasets, by the page alone."""

import pytest

import credibly
from app.desk import LONG, LOOKS
from app.test_stories import try_schemes

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
FITTED = 1000 * LONG  # milliseconds
WEKA = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Percent_correct\n"


@pytest.mark.thorough
def test_a_run_is_stopped_and_continued_on_the_page(sit):
    desk = sit()
    page = desk.page
    try_schemes(desk, "naive-bayes", "tree")
    page.locator("input[name=splits][value='10x10']").click()
    page.wait_for_selector("#run")
    page.click("#run")
    page.wait_for_selector("#screen-schemes .bar-row", timeout=FITTED)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector("[data-state=stopped], [data-state=done]", timeout=FITTED)
    if page.locator("[data-state=stopped]").count():
        page.get_by_role("button", name="Continue").click()
    page.wait_for_selector("#results", timeout=FITTED)
    assert "200 of 200 fits" in page.locator("#screen-schemes [role=status]").inner_text()


def test_what_may_not_be_run_is_said(sit):
    desk = sit(expected=["400 (Bad Request)"])
    page = desk.page
    try_schemes(desk, "tree")
    page.get_by_label("Another scheme, with parameters").fill("os:system(command='x')")
    page.get_by_role("button", name="Add a scheme").click()
    alert = page.locator("#screen-schemes [role=alert]")
    alert.wait_for(timeout=FITTED)
    assert "is not the name of a scheme" in alert.inner_text()


def weka(path):
    rows = [
        f"{data},{run},{fold},{scheme},'',1,{70 + 5 * i + (hash_of(data, fold, run) % 7)}"
        for data in ("anneal", "iris", "labor", "vote", "zoo")
        for run in (1, 2)
        for fold in (1, 2, 3)
        for i, scheme in enumerate(("ZeroR", "J48", "NaiveBayes"))
    ]
    path.write_text(WEKA + "\n".join(rows) + "\n")
    return path


def hash_of(*parts):
    return sum(map(ord, "".join(map(str, parts))))


def looks_well(desk):
    """In every look: accessible and within the window; by keys too, in both widths."""
    for look in LOOKS:
        desk.look(look)
        desk.fits()
        desk.is_accessible()
        if "dark" not in look:
            desk.is_walked()


def test_weka_s_results_end_in_a_saved_report(sit, tmp_path):
    desk = sit()
    desk.run("location.hash = '#screen=experiments'")
    desk.sees("#screen-experiments h1")
    desk.choose("#screen-experiments input[type=file]", weka(tmp_path / "weka.csv"))
    desk.sees("#save-experiment", LONG)
    assert "NaiveBayes ranks first over 5 datasets" in desk.text("#screen-experiments h1")
    assert desk.count(".ranks") == 1
    looks_well(desk)
    assert "NaiveBayes" in desk.saved("#save-experiment", tmp_path / "experiment.html")


def test_several_files_in_one_experiment(sit, tmp_path):
    for name in ("one", "two"):
        rows = [f"{i % 7},{i % 5},{'uv'[i % 2]}" for i in range(60)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["a,b,class", *rows]))
    desk = sit()
    desk.run("location.hash = '#screen=experiments'")
    desk.sees("#screen-experiments details")
    desk.choose(
        "#screen-experiments form input[type=file]", tmp_path / "one.csv", tmp_path / "two.csv"
    )
    desk.wait_for("document.querySelectorAll('input[name=own]').length === 2")
    assert "predicts class" in desk.text("#screen-experiments form")
    desk.click("#screen-experiments input[value=tree]")
    desk.click("#screen-experiments form button[type=submit]")
    desk.sees("#results", LONG)
    desk.click("#results")
    desk.sees("#save-experiment", LONG)
    assert "do not differ clearly over 2 datasets" in desk.text("#screen-experiments h1")
    assert "2 schemes on 2 datasets" in desk.text("#screen-experiments")


def test_the_screen_of_schemes_is_accessible_by_keys_too_and_fits(sit):
    desk = sit()
    try_schemes(desk, "zero-r", "tree")
    desk.sees("#screen-schemes .big", LONG)
    desk.page.locator("#screen-schemes details").first.locator("summary").click()
    looks_well(desk)


def test_the_focus_stays_with_a_control_that_is_made_anew(sit):
    """Whoever works by keys goes on from where they are, though the cards are drawn again."""
    desk = sit()
    try_schemes(desk, "tree")
    box = desk.page.locator("#screen-schemes input[value='one-r']")
    box.focus()
    for checked in (True, False, True):
        desk.page.keyboard.press("Space")
        desk.settle()
        assert box.is_checked() == checked
        assert desk.run("document.activeElement.value") == "one-r"


@pytest.mark.thorough
def test_the_folder_of_an_experiment_is_opened(sit, served_with, tmp_path):
    schemes, sets = ["zero-r", "naive-bayes", "one-r"], ["iris", "wine", "breast-cancer"]
    credibly.Experiment(schemes, sets, resampling="3", rng=1).run(tmp_path / "first", n_jobs=1)
    served = served_with(tmp_path / "first")
    desk = sit(place=served)
    page = desk.page
    page.wait_for_selector("#save-experiment", timeout=FITTED)
    assert "ranks first over 3 datasets" in page.locator("h1:visible").inner_text()
    assert str(tmp_path) not in page.content()
