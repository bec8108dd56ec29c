"""The recording of a first half hour is what happens, line by line."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def recorder():
    spec = importlib.util.spec_from_file_location(
        "record_half_hour", ROOT / "scripts" / "record_half_hour.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_records_answers_errors_and_long_ones_cut(recorder):
    page = ".. code-block:: pycon\n\n   >>> 1 + 1\n   3\n   >>> {}[0]\n   >>> for i in range(40): i\n\nEnd\n"
    made = recorder.recorded(page).splitlines()
    assert made[2:8] == [
        "   >>> 1 + 1",
        "   2",
        "   >>> {}[0]",
        "   Traceback (most recent call last):",
        "     ...",
        "   KeyError: 0",
    ]
    assert made[-3:] == ["   [14 more lines]", "", "End"]
    assert recorder.recorded(page) == recorder.recorded(recorder.recorded(page))


@pytest.mark.thorough
def test_the_page_is_what_happens(recorder):
    page = recorder.PAGE.read_text(encoding="utf-8")
    lines = [line for block in recorder.typed(page) for line in block]
    assert len(lines) >= 30
    assert recorder.recorded(page) == page, "python scripts/record_half_hour.py records it again"
    told = [line for line in page.splitlines() if line.startswith("   ")]
    assert max(map(len, told)) <= 3 + recorder.COLUMNS + len(">>> ")


@pytest.mark.thorough
def test_the_same_lines_run_in_a_notebook(recorder, tmp_path):
    pytest.importorskip(
        "nbclient", reason="pip install nbclient ipykernel runs it as a notebook too"
    )
    pytest.importorskip("ipykernel")
    page = recorder.PAGE.read_text(encoding="utf-8")
    recorder.notebook(page, tmp_path / "half.ipynb")
    made = json.loads((tmp_path / "half.ipynb").read_text(encoding="utf-8"))
    shown = [o["data"] for c in made["cells"] for o in c["outputs"] if "data" in o]
    assert sum("text/html" in data for data in shown) >= 10
    errors = [o["ename"] for c in made["cells"] for o in c["outputs"] if "ename" in o]
    assert errors == re.findall(
        r"(?m)^   (\w+Error): ", page
    )  # where the page has them, and no others
