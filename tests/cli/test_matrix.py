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
    assert "t against u: error rate, Two proportions, n = 174" in out
    assert main(["compare", "t.csv", "u.csv", "--matrix"]) == 1
    said = capsys.readouterr().err
    assert "counts do not say which case is which" in said
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


THREE = "actual,a,b,c\na,88,10,2\nb,14,40,6\nc,18,10,12\n"


@pytest.mark.parametrize(
    "command", ["evaluate", "decide", "check", "report -o r.html", "decide --positive c"]
)
def test_costs_of_outcomes_are_refused_with_the_option_that_takes_more_classes(
    files, capsys, command
):
    (files / "t.csv").write_text(THREE)
    asked, *more = command.split()
    assert main([asked, "t.csv", "--matrix", "--cost", "fn=5", "--cost", "fp=1", *more]) == 1
    said = capsys.readouterr().err
    assert "Give all costs as a table: --cost-matrix FILE." in said
    assert "--positive" not in said


def test_bare_costs_are_in_the_order_of_the_classes_that_are_named(files, capsys):
    (files / "t.csv").write_text(THREE)
    (files / "c.csv").write_text("0,1,2\n3,0,1\n5,5,0\n")
    asked = ["evaluate", "t.csv", "--matrix", "--cost-matrix", "c.csv", "--json"]
    assert main(asked) == 1
    assert "--classes" in capsys.readouterr().err
    found = json.loads(printed(capsys, *asked, "--measure", "total_cost", "--classes", "a,b,c"))
    assert found["estimates"][0]["value"] == 10 + 2 * 2 + 3 * 14 + 6 + 5 * 18 + 5 * 10


def test_costs_of_outcomes_are_an_option_of_evaluate(files, capsys):
    asked = ["evaluate", "t.csv", "--matrix", "--positive", "yes", "--measure", "total_cost"]
    found = json.loads(printed(capsys, *asked, "--cost", "fn=5", "--cost", "fp=1", "--json"))
    assert found["estimates"][0]["value"] == 5 * 4 + 3


def test_a_check_of_costs_names_the_options(files, capsys):
    assert "--cost OUTCOME=AMOUNT or --cost-matrix FILE" in printed(
        capsys, "check", "t.csv", "--matrix", "--positive", "yes"
    )
