"""A report opened from a file in a browser without a network: it draws, answers and stays quiet."""

import numpy as np
import pytest

import credibly
from pages import fits, is_accessible, keep_picture
from report.context import HOSTILE, KINDS, LONG, QUOTED, hostile, several

WIDE, PHONE = {"width": 1100, "height": 900}, {"width": 400, "height": 800}
LOOKS = {
    "light": {"viewport": WIDE, "color_scheme": "light"},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light"},
}

SETS = {
    "models": lambda: several(["forest", "tree", "naive Bayes"], n=200, fold=np.arange(200) // 20),
    "hostile": hostile,
    **{name: KINDS[name] for name in ("one class", "numbers", "twelve models")},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where pages are written, each once."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def opened(window, folder):
    """Open the report of some predictions in some look."""

    def open_page(name="models", look="light"):
        page = window("file:", **LOOKS[look])
        path = folder / f"{name}.html"
        if not path.exists():
            costs = {"costs": {"fn": 5, "fp": 1}} if name == "models" else {}
            credibly.report(SETS[name](), title=f"A report of {name}", **costs).save(path)
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-drawn=yes]", timeout=30_000)
        return page

    return open_page


@pytest.mark.parametrize(
    ("name", "look"),
    [
        *(("models", look) for look in LOOKS),
        *((name, "phone") for name in SETS if name != "models"),
    ],
)
def test_it_draws_in_silence_and_fits_the_screen(opened, name, look):
    page = opened(name, look)
    plots = page.locator(".plot")
    assert plots.count() > 0
    assert page.locator(".plot .screen svg").count() == plots.count()
    fits(page.evaluate)
    keep_picture(page, f"{name} {look}")


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious(opened, look):
    page = opened(look=look)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    is_accessible(page.evaluate)


def colours(page):
    """How many colours the lines of each picture have."""
    return page.evaluate(
        """() => [...document.querySelectorAll(".plot svg")]
          .map((s) => new Set([...s.querySelectorAll(".mark-line path")].map((p) => p.getAttribute("stroke"))).size)"""
    )


def test_a_model_can_be_hidden_in_all_pictures(opened):
    page = opened()
    before = colours(page)
    own = page.locator("figure[data-model=forest]")
    assert own.count() == 2
    assert own.first.is_visible()
    page.get_by_role("checkbox", name="forest").uncheck()
    after = colours(page)
    assert own.first.is_hidden()
    assert sum(a == b - 1 for a, b in zip(after, before, strict=True)) >= 4  # the curves
    page.get_by_role("checkbox", name="forest").check()
    assert colours(page) == before
    assert own.first.is_visible()


def test_pointing_at_a_curve_tells_its_point_and_marks_the_threshold_on_all(opened):
    page = opened()
    first = page.locator(".plot[aria-label^='ROC curve']")
    first.scroll_into_view_if_needed()
    box = first.locator(".mark-line path").nth(1).bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.1 * box["height"])
    tip = page.locator("#tip")
    tip.wait_for(state="visible")
    assert "false positive rate: " in tip.inner_text()
    assert "threshold: " in tip.inner_text()
    assert page.locator("#here").inner_text().startswith("Threshold ")
    marked = page.evaluate(
        """() => [...document.querySelectorAll(".plot svg")]
          .filter((s) => s.querySelectorAll(".mark-symbol.role-mark path").length >= 3).length"""
    )
    assert marked >= 3
    page.mouse.move(1, 1)
    tip.wait_for(state="hidden")
    assert page.locator("#here").inner_text() == ""


def test_names_are_shown_as_text(opened):
    page = opened("hostile")
    assert page.locator("img").count() == 0
    assert page.locator("main script").count() == 0
    text = page.locator("main").inner_text()
    for name in (HOSTILE, QUOTED, LONG.strip()):
        assert name in text
    assert page.get_by_role("checkbox", name=HOSTILE).is_checked()


def test_it_prints(opened):
    page = opened()
    assert page.pdf().startswith(b"%PDF")
    assert page.evaluate("[...document.querySelectorAll('details')].every((d) => d.open)")


@pytest.mark.thorough
def test_pictures_on_paper_have_light_colours(opened):
    page = opened(look="dark")
    drawn = page.locator(".plot").first
    assert drawn.locator(".screen").is_visible()
    assert drawn.locator(".paper").is_hidden()
    page.emulate_media(media="print")
    assert drawn.locator(".screen").is_hidden()
    assert drawn.locator(".paper").is_visible()


@pytest.mark.thorough
def test_contents_stand_beside_the_page_or_are_chips_above_it(opened):
    wide, phone = opened(), opened(look="phone")
    wide.set_viewport_size({"width": 1400, "height": 900})
    beside, first = (wide.locator(each).bounding_box() for each in ("nav.contents", "main"))
    assert beside["x"] + beside["width"] <= first["x"]
    current = wide.locator(".contents [aria-current]")
    assert current.inner_text() == "What to doubt"
    wide.locator("#where-it-operates").scroll_into_view_if_needed()
    wide.evaluate("document.getElementById('where-it-operates').scrollIntoView()")
    expect = wide.locator(".contents [aria-current]", has_text="Where it operates")
    expect.wait_for()
    rows = {f.bounding_box()["y"] for f in wide.locator(".multiples").last.locator("figure").all()}
    assert len(rows) == 1  # the same picture of each model stands in one row
    wide.evaluate("window.scrollTo(0, 0)")
    for figure in wide.locator(".band > div").all():
        assert figure.bounding_box()["y"] + figure.bounding_box()["height"] < 450
    assert wide.locator("#what-to-doubt h2").bounding_box()["y"] < 900
    assert phone.locator("nav.contents").bounding_box()["height"] < 60
    phone.locator("nav.contents").get_by_role("link", name="What it rests on").click()
    assert phone.url.endswith("#what-it-rests-on")
