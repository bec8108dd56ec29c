"""Every figure of the seeds is computed by a test."""

from importlib import import_module

from golden.goldens import CASES, COVERED, HERE


def test_there_are_as_many_figures_as_were_collected():
    assert len(CASES) == 156


def test_every_figure_is_covered():
    for file in HERE.glob("test_seeds_*.py"):
        import_module(f"golden.{file.stem}")
    assert set(CASES) == COVERED
