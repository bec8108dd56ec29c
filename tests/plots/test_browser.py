"""A picture's page opened from a file in a browser without a network: it draws, tells and toggles."""

import pytest

import credibly
from credibly._core.text import visible
from credibly.render.palette import INK
from every.showable import HOSTILE, two_classes
from pages import waited_for


@pytest.fixture
def opened(window, tmp_path):
    """Open the page of ROC curves of models with awkward names."""
    target = tmp_path / "roc.html"
    credibly.curve("roc", two_classes((*HOSTILE[:3], "tree"))).plot().save(target, theme="dark")
    page = window("file:")
    page.goto(target.as_uri())
    page.wait_for_selector("#picture svg")
    return page


def test_names_are_text_and_points_tell_of_themselves(opened):
    shown = opened.locator("#picture svg text").all_text_contents()
    for name in (HOSTILE[0], HOSTILE[1], visible(HOSTILE[2]), "tree"):
        assert any(text.startswith(f"{name}: AUC 0.") for text in shown), name
    assert opened.locator("figcaption").inner_text().startswith("ROC curve")
    opened.locator("#picture svg .mark-symbol.role-mark path").nth(20).hover(force=True)
    told = opened.locator("#vg-tooltip-element")
    told.wait_for(state="visible")
    assert "false positive rate" in told.inner_text()
    assert "threshold" in told.inner_text()


def test_a_click_on_a_name_fades_the_others(opened):
    def faded():
        return opened.evaluate(
            "[...document.querySelectorAll('#picture svg .mark-line.role-mark path')]"
            ".filter(p => parseFloat(p.getAttribute('opacity') ?? p.style.opacity) < 0.1).length"
        )

    assert faded() == 0
    for wanted in (3, 0):
        opened.locator("#picture svg .role-legend-label text", has_text="tree").click()
        waited_for(lambda wanted=wanted: faded() == wanted, f"{wanted} are faded")


def test_without_a_theme_it_is_that_of_the_reader_and_fits_a_phone(window, tmp_path):
    target = tmp_path / "roc.html"
    credibly.curve("roc", two_classes(("tree", "forest"))).plot().save(target)
    page = window("file:")
    page.set_viewport_size({"width": 400, "height": 800})
    grounds = set()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(target.as_uri())
        page.wait_for_selector("#picture svg")
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        ink = page.locator("#picture svg text").first.get_attribute("fill")
        assert ink == INK[scheme]
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert len(grounds) == 2
