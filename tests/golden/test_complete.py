"""Every figure of the seeds is either computed by a test or waits, by name, for a part to come."""

import json
from importlib import import_module

import pytest

from golden.goldens import CASES, COVERED, HERE

# May only fall: a part that is added moves its figures into tests.
LATER_AT_MOST = 6


@pytest.fixture(scope="module")
def later():
    groups = json.loads((HERE / "later.json").read_text(encoding="utf-8"))
    ids = [i for group in groups.values() for i in group]
    assert len(ids) == len(set(ids))
    return set(ids)


@pytest.fixture(scope="module")
def covered():
    for file in HERE.glob("test_seeds_*.py"):
        import_module(f"golden.{file.stem}")
    return COVERED


def test_there_are_as_many_figures_as_were_collected():
    assert len(CASES) == 156


def test_later_names_only_known_figures(later):
    assert not later - set(CASES)


def test_every_figure_is_covered_or_comes_later(covered, later):
    assert set(CASES) == covered | later


def test_no_covered_figure_still_waits(covered, later):
    assert not covered & later


def test_later_only_shrinks(later):
    assert len(later) <= LATER_AT_MOST
