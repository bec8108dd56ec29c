"""Pages that teach: tasks are short and have a picture, cells of cheat sheets run, choices are asked for."""

import os
import re
import shlex
from pathlib import Path

import pytest

from credibly.cli import main
from credibly.comparisons import comparisons
from docs.test_documentation import DOCS, TASKS, extension

sheets = extension("credibly_cheatsheets")
choices = extension("credibly_choices")


@pytest.mark.parametrize("page", TASKS, ids=lambda p: p.stem)
def test_a_task_takes_ten_lines_at_most_and_shows_a_picture(page):
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^ +(?:>>>|\.\.\.) ", text, re.MULTILINE)) <= 10
    assert ":draw:" in text or ".. image::" in text
    assert re.search(r"\n\*\*Next:\*\* :doc:", text)


def test_the_page_of_every_task_is_in_the_index():
    index = (DOCS / "start" / "index.rst").read_text(encoding="utf-8")
    assert len(TASKS) >= 8
    for page in TASKS:
        assert f"<{page.stem}>`" in index


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """Return the names that the cells use, in a folder of their own."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("sheets")
    os.chdir(folder)
    names = {}
    exec(sheets.SETUP, names)
    names["experiment"].run("results", n_jobs=1)
    yield names
    os.chdir(before)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", sheets.SHEETS)
def test_every_cell_of_a_cheat_sheet_runs(program, prepared, capsys):
    for _, here in sheets.SHEETS[program]:
        if here.startswith("credibly "):
            assert main(shlex.split(here)[1:]) in (0, None), here
        else:
            assert eval(here, prepared) is not None, here


@pytest.mark.parametrize("program", sheets.SHEETS)
def test_a_cheat_sheet_says_nothing_twice(program):
    theirs = [there for there, _ in sheets.SHEETS[program] if there != "(nothing)"]
    assert len(theirs) == len(set(theirs))
    for _, here in sheets.SHEETS[program]:
        if not here.startswith("credibly "):
            compile(here, program, "eval")


def test_choices_are_those_of_the_program():
    p = choices.predicted(choices.DESIGNS["one test set"])
    assert choices.interval_cell(p, "error_rate") == "Wilson; about this model on new cases"
    assert "<comparison-mcnemar>" in choices.test_cell(p, "error_rate", "ac")
    assert "<comparison-cochran_q>" in choices.test_cell(p, "error_rate", "abc")
    assert choices.test_cell(p, "brier", "abc") == choices.PAIRS


@pytest.mark.thorough
def test_every_choice_names_a_test_that_there_is():
    for text in choices.choices_tables().values():
        for name in re.findall(r"<comparison-(\w+)>", text):
            assert name in comparisons
