"""From data to a comparison of schemes to a saved report, and experiments over datasets, by the page alone."""

import re

import pytest

import credibly
from app.test_stories import Workbench

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
LONG = 120_000  # milliseconds: schemes are fitted meanwhile
LOOKS = {"wide": (1400, "light"), "dark": (1400, "dark"), "phone": (400, "light"), "dark phone": (400, "dark")}  # fmt: skip
WEKA = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Percent_correct\n"


@pytest.fixture
def sit(browser, served):
    contexts, people = [], []

    def at(look="wide", place=served):
        width, scheme = LOOKS[look]
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        contexts.append(context)
        people.append(Workbench(context.new_page(), place))
        return people[-1]

    yield at
    for each in people:
        assert each.heard == []
    for context in contexts:
        context.close()


def try_schemes(desk, *names):
    """Open iris on the screen, choose schemes and wait until their time is known."""
    desk.page.goto(desk.served.url + "#screen=schemes")
    page = desk.page
    page.get_by_label("Or data that come with Credibly").select_option("iris")
    page.wait_for_selector("#run")
    for name in ("zero-r", "naive-bayes", "tree"):
        box = page.locator(f"#screen-schemes input[value='{name}']")
        if (name in names) != box.is_checked():
            box.click()
            page.wait_for_timeout(100)
    return page


def ran(page):
    page.click("#run")
    page.wait_for_selector("#results", timeout=LONG)


@pytest.mark.thorough
def test_iris_from_data_to_a_comparison_of_schemes_to_a_saved_report(sit, tmp_path):
    desk = sit()
    page = desk.page
    page.get_by_role("link", name="Choose data").click()
    page = try_schemes(desk, "naive-bayes", "tree")
    page.get_by_label("Another scheme, with parameters").fill("knn(k=5)")
    page.get_by_role("button", name="Add a scheme").click()
    page.wait_for_selector("#screen-schemes .big", timeout=LONG)
    assert re.search(r"30 fits, folds\(k=10\)", page.locator("#screen-schemes").inner_text())
    ran(page)
    assert (
        "30 of 30 fits, none failed" in page.locator("#screen-schemes [role=status]").inner_text()
    )
    page.click("#results")
    page.wait_for_selector("#screen-overview h1", timeout=LONG)
    desk.settle()
    asked = desk.asked("evaluate", measures=["accuracy"])["estimates"]
    experiment = credibly.Experiment(
        ["naive-bayes", "tree", "knn(k=5)"], ["iris"], resampling="10", rng=1
    )
    store = experiment.run(tmp_path / "same", n_jobs=1)
    python = credibly.evaluate(store.predictions("iris"), ["accuracy"]).estimates
    assert [e["value"] for e in asked] == [pytest.approx(e.value) for e in python]
    assert "knn(k=5)" in page.locator("body").inner_text()
    desk.to("Compare models")
    text = desk.report(tmp_path / "report.html")
    assert "knn(k=5)" in text
    assert "Is one really better" in text


@pytest.mark.thorough
def test_a_run_is_stopped_and_continued_on_the_page(sit):
    desk = sit()
    page = try_schemes(desk, "naive-bayes", "tree")
    page.locator("input[name=splits][value='10x10']").click()
    page.wait_for_selector("#run")
    page.click("#run")
    page.wait_for_selector("#screen-schemes .bar-row", timeout=LONG)
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector("[data-state=stopped], [data-state=done]", timeout=LONG)
    if page.locator("[data-state=stopped]").count():
        page.get_by_role("button", name="Continue").click()
    page.wait_for_selector("#results", timeout=LONG)
    assert "200 of 200 fits" in page.locator("#screen-schemes [role=status]").inner_text()


def test_what_may_not_be_run_is_said(sit):
    desk = sit()
    page = try_schemes(desk, "tree")
    page.get_by_label("Another scheme, with parameters").fill("os:system(command='x')")
    page.get_by_role("button", name="Add a scheme").click()
    alert = page.locator("#screen-schemes [role=alert]")
    alert.wait_for(timeout=LONG)
    assert "is not the name of a scheme" in alert.inner_text()
    desk.heard[:] = [said for said in desk.heard if "400 (Bad Request)" not in said]


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


@pytest.mark.daily(look=["wide"])
@pytest.mark.parametrize("look", LOOKS)
def test_weka_s_results_end_in_a_saved_report(sit, tmp_path, look):
    desk = sit(look)
    page = desk.page
    page.goto(desk.served.url + "#screen=experiments")
    page.wait_for_selector("#screen-experiments h1")
    page.locator("#screen-experiments input[type=file]").set_input_files(
        str(weka(tmp_path / "weka.csv"))
    )
    page.wait_for_selector("#save-experiment", timeout=LONG)
    desk.settle()
    assert "NaiveBayes ranks first over 5 datasets" in page.locator("h1:visible").inner_text()
    assert page.locator(".ranks").count() == 1
    desk.fits()
    desk.is_accessible()
    with page.expect_download() as waiting:
        page.click("#save-experiment")
    waiting.value.save_as(tmp_path / "experiment.html")
    assert "NaiveBayes" in (tmp_path / "experiment.html").read_text()


@pytest.mark.daily(look=["phone"])
@pytest.mark.parametrize("look", LOOKS)
def test_the_screen_of_schemes_is_accessible_and_fits(sit, look):
    desk = sit(look)
    page = desk.page
    page.goto(desk.served.url + "#screen=schemes")
    page.wait_for_selector("#screen-schemes h1")
    desk.settle()
    desk.fits()
    desk.is_accessible()
    page = try_schemes(desk, "zero-r", "tree")
    page.wait_for_selector("#screen-schemes .big", timeout=LONG)
    page.locator("#screen-schemes details").first.locator("summary").click()
    desk.fits()
    desk.is_accessible()


@pytest.mark.thorough
def test_the_folder_of_an_experiment_is_opened(sit, served_with, tmp_path):
    schemes, sets = ["zero-r", "naive-bayes", "one-r"], ["iris", "wine", "breast-cancer"]
    credibly.Experiment(schemes, sets, resampling="3", rng=1).run(tmp_path / "first", n_jobs=1)
    served = served_with(tmp_path / "first")
    desk = sit(place=served)
    page = desk.page
    page.wait_for_selector("#save-experiment", timeout=LONG)
    assert "ranks first over 3 datasets" in page.locator("h1:visible").inner_text()
    assert str(tmp_path) not in page.content()
