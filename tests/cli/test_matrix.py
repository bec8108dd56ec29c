"""`--matrix` on every command that reads predictions."""

import json

import pytest

from credibly.cli import main

TABLE = "actual,no,yes\nno,50,3\nyes,4,30\n"
OTHER = "actual,no,yes\nno,48,5\nyes,9,25\n"
COSTS = "actual,no,yes\nno,0,1\nyes,5,0\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("t.csv", TABLE), ("u.csv", OTHER), ("c.csv", COSTS)):
        (tmp_path / name).write_text(text)
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    cases = [
        f"{a},{b}\n"
        for a, *n in rows
        for b, times in zip(("no", "yes"), n, strict=True)
        for _ in range(int(times))
    ]
    (tmp_path / "rows.csv").write_text("actual,predicted\n" + "".join(cases))
    return tmp_path


def rounded(text):
    return float(f"{float(text):.9g}")


def printed(capsys, *tokens):
    assert main(list(tokens)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    ["evaluate", "check", "decide --cost fn=5 --cost fp=1", "decide --cost-matrix c.csv",
     "compare --measure accuracy --against 0.9"],
)  # fmt: skip
def test_the_same_as_rows(files, capsys, command):
    verb, *options = command.split()
    made = [
        json.loads(printed(capsys, verb, *source, *options, "--json"), parse_float=rounded)
        for source in (["rows.csv"], ["t.csv", "--matrix"])
    ]
    for each in made:
        each.pop("findings", None)  # which say what columns were taken
        each.pop("names", None)
        if "checks" in each:
            each["checks"] = {c["code"]: c["status"] for c in each["checks"]}
            each.pop("counts")
    assert made[0] == made[1]


def test_pictures_and_reports(files, capsys):
    printed(capsys, "plot", "confusion-matrix", "t.csv", "--matrix", "-o", "m.json")
    printed(capsys, "plot", "confusion-matrix", "rows.csv", "-o", "r.json")
    assert (files / "m.json").read_text() == (files / "r.json").read_text()
    printed(capsys, "report", "t.csv", "--matrix", "-o", "r.html")
    assert "87 cases" in (files / "r.html").read_text()


def test_two_tables_of_different_cases(files, capsys):
    out = printed(capsys, "compare", "t.csv", "u.csv", "--matrix", "--independent")
    assert "t against u: error_rate, Two proportions, n = 174" in out
    assert main(["compare", "t.csv", "u.csv", "--matrix"]) == 1
    said = capsys.readouterr().err
    assert "counts do not tell which case is which" in said
    assert "--independent" in said


def test_what_is_refused(files, capsys):
    assert main(["evaluate", "t.csv"]) == 1
    assert "Set --matrix to read it as counts, or --matrix=false" in capsys.readouterr().err
    assert main(["plot", "roc", "t.csv", "--matrix"]) == 1
    assert "counts have none" in capsys.readouterr().err
    assert main(["summarise", "t.csv", "--matrix", "-o", "s.parquet"]) == 2
    assert "counted already" in capsys.readouterr().err
    (files / "bad.csv").write_text(TABLE.replace("30", "-30"))
    assert main(["evaluate", "bad.csv", "--matrix"]) == 1
    assert "actual 'yes', predicted 'yes' is -30" in capsys.readouterr().err
