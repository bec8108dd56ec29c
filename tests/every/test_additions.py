"""A test that lacks something for a new thing says what to add, and where."""

import re
from pathlib import Path

import pytest

from checks.cases import CASES
from credibly.measures import measures
from each import Each
from every.additions import ByHand
from every.showable import samples
from every.test_arguments import recipes
from reference.decoders import DECODERS
from reference.test_bias_variance import BY_HAND
from reference.test_reasons import TRUE

ROOT = Path(__file__).parents[2]
TABLES = {
    "checks": (CASES, "tests/checks/cases.py"),
    "plots": (samples, "tests/every/showable.py"),
    "verbs": (lambda: recipes(Path("p.csv")), "tests/every/test_arguments.py"),
    "coders": (DECODERS, "tests/reference/decoders.py"),
    "decompositions": (BY_HAND, "tests/reference/test_bias_variance.py"),
    "reasons": (TRUE, "tests/reference/test_reasons.py"),
}


@pytest.mark.parametrize("kind", TABLES)
def test_it_names_the_thing_and_the_file(kind):
    table, file = TABLES[kind]
    table = table if isinstance(table, dict) else table()
    assert (ROOT / file).exists()
    with pytest.raises(pytest.fail.Exception, match=f"Add .*brand-new.*{file}|{file}.*brand-new"):
        table["brand-new"]


def test_all_that_is_missing_or_left_over_is_said():
    table = ByHand("Add {name} here.", {"old": 1, "kept": 2})
    table.check_complete(["old", "kept"])
    with pytest.raises(pytest.fail.Exception) as said:
        table.check_complete(["kept", "new"])
    assert str(said.value) == "Add new here.\nNothing is called old any more: remove it there."


def test_a_test_of_every_thing_names_those_that_fail_and_where_they_are_declared():
    def holds(m):
        assert m.name != "auc", "what to change"

    every = Each("m", list(measures))
    with pytest.raises(AssertionError) as said:
        every.run(holds, every.trials)
    head, failed = str(said.value).split("\n", 1)
    assert head.startswith(f"1 of {len(measures)} fail")
    assert re.match(r"auc \(.*ranking\.py:\d+\): AssertionError: what to change", failed)
