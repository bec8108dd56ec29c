"""The bundled predictions, and columns of numbers beside predictions."""

import gzip
import runpy
from pathlib import Path

import pytest

from credibly import DataError, ParameterError
from credibly.io import bundled, bundled_names, bundled_options, read, read_numbers

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_campaign.py"


@pytest.mark.parametrize("name", bundled_names())
def test_each_can_be_read_and_is_small(name):
    p = read(bundled(name), **bundled_options(bundled(name)))
    assert p.n > 500
    assert p.positive is not None
    assert bundled(name).stat().st_size < 400_000


def test_another_name_is_refused():
    with pytest.raises(ParameterError, match="Did you mean campaign"):
        bundled("campain")


def test_the_campaign_is_what_its_script_makes():
    with gzip.open(bundled("campaign"), "rt") as file:
        assert file.read() == runpy.run_path(str(SCRIPT))["campaign"]()


def test_numbers_come_in_the_order_of_the_rows(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n3,x\n1,y\n")
    assert read_numbers(path, ["a"])["a"].tolist() == [3, 1]
    with pytest.raises(DataError, match=r"no column 'c' in x.csv.* Its columns: a, b"):
        read_numbers(path, ["c"])
    with pytest.raises(DataError, match="'b' is not a number in 2 rows"):
        read_numbers(path, ["b"])
