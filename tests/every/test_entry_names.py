"""The types of names, which editors complete, list what is registered."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import credibly._core.entry_names as entry_names
from credibly.catalogue.registries import registry_of

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
name_types = pytest.importorskip("name_types")


def listed():
    """Read the literals of each type from the source, which no program sees when it runs."""
    tree = ast.parse(name_types.TARGET.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
            literals = [c.value for c in ast.walk(node.value.left) if isinstance(c, ast.Constant)]
            yield node.targets[0].id, literals


def test_the_module_is_up_to_date():
    assert name_types.TARGET.read_text("utf-8") == name_types.written(), (
        "Run python scripts/name_types.py."
    )


def test_every_name_means_the_thing_that_it_names():
    found = dict(listed())
    assert set(found) == set(name_types.TYPES.values())
    for kind, name in name_types.TYPES.items():
        kinds = [registry_of(k) for k in (kind, *name_types.BESIDE.get(kind, ()))]
        for each in found[name]:
            assert each in {r[each].name for r in kinds if each in r}
        assert getattr(entry_names, name) is str


@pytest.mark.thorough
def test_a_type_checker_knows_the_names_and_takes_others(tmp_path):
    file = tmp_path / "guess.py"
    file.write_text(
        "from credibly import Predictions, curve, evaluate, run\n"
        "p = Predictions.of([1, 0], [1, 0])\n"
        'evaluate(p, "auc"); evaluate(p, "fbeta(beta=2)"); evaluate(p, ["mine", "kappa"])\n'
        'curve(p, "roc"); curve("roc", p); run("tree", [[1]], [1], resampling="10x10")\n'
        "reveal_type(evaluate)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", str(file)]
    said = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False).stdout
    assert ": error:" not in said
    assert "Literal['auc']" in said
