"""Published figures beside ours: exact ones every day, a slice of the simulated ones, and the committed tables."""

import csv
from pathlib import Path

import numpy as np
import pytest

from simulation.__main__ import commands
from simulation.published import DESIGNS, between, design, for_the_page, printed, redone, rows_of
from simulation.published.__main__ import declared

DOCS = Path(__file__).parents[2] / "docs"
TABLE = DOCS / "validity" / "published.csv"
DECLARED = declared()
EXACT = [name for name, d in DECLARED.items() if not d.samples]
SIMULATED = [name for name, d in DECLARED.items() if d.samples]
SLICE = 6  # samples
COSTLY = {"two_moons"}  # two hundred fits of support vector machines


def read(path):
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def as_text(rows):
    return [{key: str(value) for key, value in row.items()} for row in rows]


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.thorough) if n in COSTLY else n for n in EXACT]
)
def test_what_is_exact_is_made_again(name):
    committed = [r for r in read(TABLE) if r["name"] == name]
    assert as_text(rows_of(DECLARED[name])) == committed


@pytest.mark.parametrize(
    "name",
    [  # CI has time for every other one
        pytest.param(name, marks=pytest.mark.slow if place % 2 else pytest.mark.thorough)
        for place, name in enumerate(SIMULATED)
    ],
)
def test_a_slice_of_what_is_simulated(name):
    """Ours of a few samples lie within five errors of the committed ones, but for what both leave open."""
    committed = {r["figure"]: r for r in read(TABLE) if r["name"] == name}
    for row in rows_of(DECLARED[name], samples=SLICE, seed=3):
        known = committed[row["figure"]]
        if known["given"] == "0":
            assert row["given"] == 0, row
            continue
        error = float(known["monte_carlo_error"]) * np.sqrt(int(known["samples"]) / SLICE)
        assert abs(float(row["ours"]) - float(known["ours"])) <= 5 * error + 1e-4, row


def test_the_committed_table_has_every_design_and_figure():
    rows = read(TABLE)
    assert [(r["name"], r["figure"]) for r in rows] == [
        (name, figure) for name, d in DECLARED.items() for figure in d.published
    ]
    for r in rows:
        d = DECLARED[r["name"]]
        assert r["published"].endswith(d.published[r["figure"]].said)
        assert (r["paper"], r["design"], r["place"]) == (d.paper, d.about, d.place)
        assert int(r["samples"]) == d.samples
    shown = read(TABLE.with_name("published-page.csv"))
    assert shown == as_text(for_the_page(rows))


def test_whatever_differs_is_explained_and_nothing_else_is():
    rows = read(TABLE)
    assert [r["figure"] for r in rows if r["differs"] == "yes" and not r["why"]] == []
    explained = {(name, figure) for name, d in DECLARED.items() for figure in d.why}
    assert explained == {(r["name"], r["figure"]) for r in rows if r["differs"] == "yes"}


def test_the_page_names_programs_that_are_there_and_tables_that_it_shows():
    found = commands()
    assert "tests.simulation.published --output docs/validity/published.csv" in found
    assert len(set(found)) == len(found)
    for command in found:
        program, *_, table = command.split()
        folder = DOCS.parent.joinpath(*program.split("."))
        source = folder / "__main__.py" if folder.is_dir() else folder.with_suffix(".py")
        assert '__name__ == "__main__"' in source.read_text(encoding="utf-8"), command
        assert (DOCS.parent / table).exists(), command


def test_a_figure_differs_beyond_its_rounding_and_its_error():
    @design(
        "a", "b", place="c",
        published={
            "near": printed("0.50"), "far": printed("0.5000"), "twin": redone("other"),
            "range": between(0, 0.4, "low"),
        },
    )  # fmt: skip
    def tried():
        return {"near": 0.504, "far": 0.504, "twin": 1.0, "other": 2.0, "range": 0.41}

    try:
        rows = rows_of(DESIGNS["tried"])
    finally:
        del DESIGNS["tried"]
    assert [r["differs"] for r in rows] == ["no", "yes", "yes", "yes"]
    assert rows[2]["published"].startswith("2.0000: ")


def test_shares_that_always_hold_have_an_error():
    @design("a", "b", place="c", published={"x": between(0, 0.9, "")}, samples=50)
    def always(rng):
        return {"x": 1.0}

    try:
        (row,) = rows_of(DESIGNS["always"])
    finally:
        del DESIGNS["always"]
    assert row["ours"] == "1.0000"
    assert 0 < float(row["monte_carlo_error"]) < 0.03
    assert row["differs"] == "yes"
