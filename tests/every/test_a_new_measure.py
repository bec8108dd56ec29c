"""A measure declared in one place is everywhere, and nothing else needs an edit."""

import importlib.util
import sys

import pytest

from credibly import Predictions, evaluate
from credibly.measures import measures

SOURCE = '''
from credibly.measures import proportion
from credibly.predictions.summaries import BinaryCounts


@proportion(
    "Toy share",
    reads=BinaryCounts,
    best=1,
    undefined="there are no cases",
    cite="Nobody (2026) A toy.",
    aliases=("toy_alias",),
)
def toy_share(c):
    """Share of the cases that are positive and labelled so.

    >>> toy_share(Predictions.of([1, 0], label=[1, 0]))
    0.5
    """
    return c.tp, c.total
'''


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy_measures.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("toy_measures", path)
    module = importlib.util.module_from_spec(spec)
    before = len(measures)
    spec.loader.exec_module(module)
    yield module.toy_share
    measures.remove("toy_share")
    assert len(measures) == before
    assert "toy_alias" not in measures
    assert "toy_measures" not in sys.modules


def test_it_is_in_the_registry(toy):
    assert measures["toy_share"] is measures["toy_alias"] is toy
    assert list(measures)[-1] is toy
    assert toy.family == "toy_measures"
    assert toy([1, 1, 0, 0], [1, 0, 0, 1]) == 0.25


def test_it_is_in_evaluate(toy):
    p = Predictions.of([1, 1, 0, 0], label=[1, 0, 0, 1])
    e = evaluate(p)["toy_share"]
    assert (e.value, e.title, e.direction) == (0.25, "Toy share", "higher")
    assert e.interval.low < 0.25 < e.interval.high
    assert e.baselines["all_positive"] == 0.5
    assert [c.value for c in evaluate(p, "toy_alias", by="class").estimates] == [0.25, 0.25]
    assert evaluate(p, "toy_share", average="micro")["toy_share"].value == 0.25


def test_it_is_on_the_command_line(toy, capsys):
    cli = pytest.importorskip("credibly.cli")
    if not hasattr(cli, "main"):
        pytest.skip("the command line is not there yet")
    assert cli.main(["list", "measures"]) == 0
    assert "toy_share" in capsys.readouterr().out
    assert cli.main(["show", "measure", "toy_share"]) == 0
    assert "Toy share" in capsys.readouterr().out


def test_it_is_gone_afterwards():
    assert "toy_share" not in measures


def test_a_name_is_taken_once(toy):
    with pytest.raises(ValueError, match="declared twice"):
        measures.add(toy)
