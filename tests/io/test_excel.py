"""Excel workbooks: the same predictions as from CSV, and nothing that a hostile one can do."""

import datetime as dt
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from credibly.app.uploads import open_apart
from credibly.errors import DataError
from credibly.io import read, readers
from credibly.io._limits import ReadingLimits, check_limits

openpyxl = pytest.importorskip("openpyxl", reason="credibly[excel] is not installed")
excel = readers["excel"].open

ROWS = [("case", "outcome", "p"), (1, "died", 0.25), (2, "lived", None), (3, "died", 1)]


def book(path, *sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for i, rows in enumerate(sheets):
        sheet = made.create_sheet(f"sheet {i}")
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def with_part(path, name, content):
    """Write a workbook again with another content of one of its parts."""
    with zipfile.ZipFile(path) as old:
        parts = {each: old.read(each) for each in old.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for each, held in {**parts, name: content}.items():
            new.writestr(each, held)
    return path


def test_as_csv(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("\n".join(",".join("" if c is None else str(c) for c in row) for row in ROWS))
    told = {
        "truth": "outcome",
        "models": ["p"],
        "row": "case",
        "positive": "died",
        "complete": True,
    }
    got, want = read(book(tmp_path / "p.xlsx", ROWS), **told), read(path, **told)
    assert got.fingerprint == want.fingerprint
    renamed = (tmp_path / "p.xlsx").rename(tmp_path / "p.csv")  # told by its content
    assert read(renamed, **told).fingerprint == want.fingerprint


def test_the_first_sheet_with_a_table(tmp_path):
    gap = [(), (None, None), *ROWS[:2], (None, None, None), *ROWS[2:], ()]
    source = excel(book(tmp_path / "p.xlsx", [], [("only", "names")], gap, ROWS))
    assert source.names == ("case", "outcome", "p")
    assert source.numbers("p").size == 3
    assert [f.code for f in source.findings] == ["sheet-taken"]
    assert "'sheet 2'" in source.findings[0].message


def test_dates_truth_values_and_faults(tmp_path):
    days = [dt.datetime(2020, 1, 2), dt.datetime(2021, 3, 4, 5, 6)]
    rows = [("day", "yes", "mixed", "n"), (days[0], True, 1, "#N/A"), (days[1], False, "a", 2)]
    source = excel(book(tmp_path / "p.xlsx", rows))
    assert source.column("day").tolist() == ["2020-01-02", "2021-03-04 05:06:00"]
    assert source.column("yes").tolist() == ["True", "False"]
    assert source.column("mixed").tolist() == ["1", "a"]
    np.testing.assert_array_equal(source.numbers("n"), [np.nan, 2])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "holds no sheet"),
        ([("a", "a"), (1, 2)], "two columns are called 'a'"),
        ([("a", None, "b"), (1, 2, 3)], "a column has no name"),
        ([("a", "b"), (1, 2, 3)], "a row has 3 cells"),
    ],
)
def test_tables_that_are_none(tmp_path, rows, said):
    with pytest.raises(DataError, match=said):
        excel(book(tmp_path / "p.xlsx", rows))


LAUGHS = b"".join(b'<!ENTITY l%d "%s">' % (i, b"&l%d;" % (i - 1) * 10) for i in range(1, 10))
NAMED = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
CELL = f'<worksheet {NAMED}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>%s</t></is></c></row></sheetData></worksheet>'
BOMB = b'<!DOCTYPE x [<!ENTITY l0 "ha">%s]>' % LAUGHS + (CELL % "&l9;").encode()
HOSTILE = {
    "entities": ("xl/worksheets/sheet1.xml", BOMB),
    "no sheet": ("xl/worksheets/sheet1.xml", b"<worksheet"),
    "no workbook": ("xl/workbook.xml", b"\0" * 50),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_damaged_and_hostile_parts(tmp_path, name):
    path = with_part(book(tmp_path / "p.xlsx", ROWS), *HOSTILE[name])
    with pytest.raises(DataError, match="cannot be read as Excel workbook"):
        read(path)


def test_no_other_file_is_read(tmp_path):
    (tmp_path / "secret").write_text("secret")
    entity = f'<!DOCTYPE x [<!ENTITY x SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    path = with_part(
        book(tmp_path / "p.xlsx", ROWS), "xl/worksheets/sheet1.xml", entity + CELL % "a&x;"
    )
    with pytest.raises(DataError) as raised:
        read(path)
    assert "secret" not in str(raised.value)


def test_a_cell_in_the_far_corner_takes_nothing(tmp_path):
    path = book(tmp_path / "p.xlsx", ROWS)
    with zipfile.ZipFile(path) as packed:
        sheet = packed.read("xl/worksheets/sheet1.xml")
    far = sheet.replace(
        b"</sheetData>", b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    )
    with pytest.raises(DataError, match="a row has 16384 cells"):
        excel(with_part(path, "xl/worksheets/sheet1.xml", far))


def test_more_cells_than_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("credibly.io.excel.MAX_CELLS", 3)
    with pytest.raises(DataError, match="more than 3 cells"):
        excel(book(tmp_path / "p.xlsx", ROWS))


def test_a_small_workbook_that_unpacks_to_gigabytes(tmp_path):
    path = with_part(book(tmp_path / "p.xlsx", ROWS), "xl/media/x.bin", b"\0" * 20_000_000)
    assert path.stat().st_size < 100_000
    with pytest.raises(DataError, match="holds more bytes than allowed here"):
        check_limits(path, ReadingLimits(size=10_000_000))
    check_limits(path, ReadingLimits(size=30_000_000))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DataError, match="not a whole zip archive"):
        check_limits(path, ReadingLimits())


def test_an_upload_is_read_apart(tmp_path):
    from threading import Event

    path = book(tmp_path / "p.xlsx", ROWS)
    found = open_apart(
        path,
        "ward.xlsx",
        {"score": "p", "positive": "died", "complete": True},
        ReadingLimits(),
        Event(),
    )
    assert found.roles["truth"] == ["outcome"]
    assert found.predictions.n == 2


def test_what_to_install_is_said(tmp_path):
    path = book(tmp_path / "p.xlsx", ROWS)
    code = (
        f"import sys; sys.modules['openpyxl'] = None; import credibly; credibly.read({str(path)!r})"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'credibly[excel]'" in run.stderr
