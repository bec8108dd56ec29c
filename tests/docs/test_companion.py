"""The companion to the texts: every block runs, every figure of the texts is met, no capability is left out."""

import re

import pytest

from docs.test_documentation import extension
from golden.goldens import CASES

companion = extension("credibly_companion")
PAGES = sorted(companion.FOLDER.glob("[0-9]*.rst"))
BLOCKS = {page: list(companion.blocks(page.read_text(encoding="utf-8"))) for page in PAGES}


@pytest.mark.slow  # CI builds the documentation, which makes the same comparisons
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_computes_what_it_shows(page):
    names = {}
    for block in BLOCKS[page]:
        assert not list(block.problems(names, page.stem))
        if "draw" in block.options:
            assert eval(block.options["draw"], names).spec()["$schema"]


def test_a_block_says_what_it_does_not_compute():
    code = ">>> x = 1\n>>> x + 1\n3\n"
    figures = {"figures": "wf-wilson-N1000: lower = 0.5; upper = 0.767108624916"}
    problems = list(companion.Block("A sum", code, figures).problems({}, "here"))
    assert len(problems) == 2
    assert "Expected:\n    3\nGot:\n    2" in problems[0]
    assert "wf-wilson-N1000: lower" in problems[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_of_a_page_stands_in_blocks_that_are_computed(page):
    text = page.read_text(encoding="utf-8")
    assert text.count(">>> ") == sum(block.code.count(">>> ") for block in BLOCKS[page])
    assert all(block.examples for block in BLOCKS[page])


def test_every_capability_is_shown():
    shown = {number for blocks in BLOCKS.values() for block in blocks for number in block.numbers}
    assert len(companion.CAPABILITIES) == 176
    assert shown == set(companion.CAPABILITIES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_capability_has_a_door(page):
    imported = {}
    doors = [(block.argument, block.doors(imported)) for block in BLOCKS[page] if block.numbers]
    assert all(found for _, found in doors), doors


def test_every_golden_figure_is_computed():
    computed = {
        golden for blocks in BLOCKS.values() for block in blocks for golden, *_ in block.figures()
    }
    assert computed == set(CASES)


def test_every_erratum_says_where():
    for page in PAGES:
        for line in re.findall(
            r"^\.\. admonition:: In error(.*)$", page.read_text(encoding="utf-8"), re.M
        ):
            assert re.match(r": \w", line)
