"""`credibly decide` and `credibly cost-benefit` as a person or a script uses them."""

import csv
import io
import json

import pytest

from credibly.cli import main

CAMPAIGN = ["cost-benefit", "campaign", "--benefit", "tp=15", "--cost", "fp=0.8"]


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text(
        "truth,p,distance\nyes,0.9,2\nno,0.4,10\nyes,0.3,4\nno,0.2,1\nno,0.1,8\nyes,0.8,3\n"
    )
    return path


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_threshold_is_the_rule(small, capsys):
    for rule in ([], ["--rule", "given_threshold"]):
        _, out, _ = run(capsys, "decide", small, "--threshold", "0.35", *rule, "--json")
        assert json.loads(out)["decisions"][0]["threshold"] == 0.35


def test_the_campaign_of_the_book(capsys):
    code, out, _ = run(capsys, *CAMPAIGN, "--positive", "yes", "--json")
    assert code == 0
    point = json.loads(out)["points"][0]
    assert (point["selected"], point["tp"]) == (22_285, 1_417)
    assert point["profit"] == pytest.approx(4560.60)
    assert point["random"] == pytest.approx(-99.59, abs=0.005)
    code, out, _ = run(capsys, *CAMPAIGN)
    assert code == 0
    assert "22,285 of 47,706 selected (46.7 %)" in out
    assert "1,417" in out


def test_a_place_and_a_population(capsys):
    asked = [*CAMPAIGN, "--at", "20%", "--population", "1000000", "--json"]
    point = json.loads(run(capsys, *asked)[1])["points"][0]
    assert point["selected"] == pytest.approx(200_000)
    assert point["population"] == pytest.approx(1_000_000)


def test_selected_rows_go_to_a_file_once(capsys, small, tmp_path):
    asked = ["cost-benefit", small, "--cost", "fp=1", "--benefit", "tp=2", "--probability", "p"]
    file = tmp_path / "rows.csv"
    assert run(capsys, *asked, "--rows", file)[0] == 0
    assert file.read_text() == "row\n0\n1\n2\n5\n"
    code, _, err = run(capsys, *asked, "--rows", file)
    assert (code, "cannot be written" in err) == (1, True)


def test_decide_prints_a_threshold_and_the_costs(capsys, small):
    code, out, _ = run(
        capsys, "decide", small, "--cost", "fn=5", "--cost", "fp=1", "--probability", "p"
    )
    assert code == 0
    assert "a probability of at least 0.1667 are labelled positive (yes): average cost is" in out
    assert "Average cost" in out
    assert "actual \\ predicted" in out


def test_decide_at_another_prevalence(capsys, small):
    asked = ["decide", small, "--cost", "fn=5", "--cost", "fp=1", "--probability", "p", "--json"]
    there = json.loads(run(capsys, *asked, "--prevalence", "0.02")[1])
    assert there["prevalence"] == {"no": 0.98, "yes": 0.02}
    assert there["decisions"][0]["threshold"] == pytest.approx(0.2 * 49 / (1 + 0.2 * 49))
    by_name = json.loads(run(capsys, *asked, "--prevalence", "no=0.98,yes=0.02")[1])
    assert by_name["decisions"] == there["decisions"]


def test_costs_may_be_arithmetic_of_columns(capsys, small):
    asked = [
        "decide",
        small,
        "--cost",
        "fp=0.5 + 0.5 * distance",
        "--cost",
        "fn=3",
        "--probability",
        "p",
    ]
    code, out, _ = run(capsys, *asked, "--json")
    assert code == 0
    made = json.loads(out)
    # By hand: expected costs (1 - p)(0.5 + 0.5 d) against 3 p; all of "yes" and no "no" is labelled
    # but the third, 0.7 x 2.5 against 0.9, which is missed for 3.
    total = next(e for e in made["estimates"] if e["measure"] == "total_cost")
    assert total["value"] == 3.0
    assert made["decisions"][0]["threshold"] is None


def test_csv_and_markdown(capsys, small):
    asked = ["decide", small, "--cost", "fn=5", "--cost", "fp=1", "--probability", "p"]
    rows = list(csv.DictReader(io.StringIO(run(capsys, *asked, "--csv")[1])))
    assert rows[0]["measure"] == "average_cost"
    assert run(capsys, *asked, "--markdown")[1].count("\n| --- |") == 3


def test_a_matrix_from_a_file(capsys, small, tmp_path):
    file = tmp_path / "costs.csv"
    file.write_text("actual,no,yes\nno,0,1\nyes,5,0\n")
    code, out, _ = run(
        capsys, "decide", small, "--cost-matrix", file, "--probability", "p", "--json"
    )
    assert code == 0
    assert json.loads(out)["decisions"][0]["threshold"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--cost", "fn"], 2, "outcome=amount"),
        (["--cost", "fn=1", "--cost", "fn=2"], 2, "The cost of the outcome 'fn' is given twice"),
        (["--cost", "loss=1"], 2, "'loss' is not one of them"),
        (["--cost", "fn=1 +"], 2, "not arithmetic"),
        (["--cost", "fn=__import__('os')"], 2, "not allowed"),
        (["--cost", "fn=dist"], 1, "Did you mean distance"),
        (["--cost", "fn=0,fp=0"], 1, "All costs are zero"),
        (["--cost", "fn=5"], 2, "Give the cost of fp too, such as fp=1 (fp=0 if it costs nothing)"),
        (["--cost", "fn=1,fp=1", "--prevalence", "1.5"], 2, "between 0 and 1"),
        (["--cost", "fn=1", "--prevalence", "many"], 2, "A prevalence is one number"),
        (["--cost", "fn=1", "--rule", "yuden"], 2, "Did you mean youden"),
        (["--rule", "fixed_recall(recall=2)"], 2, "recall must be"),
        (["--json", "--csv"], 2, "Choose one of --json and --csv"),
    ],
)
def test_says_what_is_wrong(capsys, small, more, code, message):
    found, _, err = run(capsys, "decide", small, "--probability", "p", *more)
    assert (found, message in err) == (code, True), err


def test_a_file_goes_before_a_bundled_one(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "campaign").write_text("truth,p\nyes,0.9\nno,0.1\n")
    code, out, _ = run(
        capsys, "decide", "campaign", "--format", "csv", "--probability", "p", "--json"
    )
    assert code == 0
    assert json.loads(out)["estimates"][0]["n"] == 2


def test_rules_are_listed_and_shown(capsys):
    assert "minimum_cost" in run(capsys, "list", "decision-rules")[1]
    assert "Youden, W. J. (1950)" in run(capsys, "show", "decision-rule", "youden")[1]


def test_messages_name_only_options_of_the_command(tmp_path, capsys):
    path = tmp_path / "p.csv"
    path.write_text("y,p\n1,0.0\n0,0.2\n1,0.4\n0,0.6\n")
    columns = [str(path), "--truth", "y", "--probability", "p"]
    assert main(["decide", *columns]) == 0
    assert "such as fn=5 and fp=1" in capsys.readouterr().out
    assert main(["decide", *columns, "--cost", "fp=1/0", "--cost", "fn=1"]) == 2
    assert "the result, inf, is not a finite number" in capsys.readouterr().err
    assert main(["evaluate", *columns, "--measure", "log_loss"]) == 0
    assert "log_loss(clip=0.001) has a floor" in capsys.readouterr().out
    assert main(["evaluate", *columns, "--measure", "mse"]) == 1
    assert "such as those of --value." in capsys.readouterr().err
    assert main(["run", "iris", "--scheme", "zero-r", "--measure", "mse"]) == 1
    assert "such as those of value=..." in capsys.readouterr().err
    assert main(["evaluate", *columns, "--measure", "auc", "--interval", "bootstrap"]) == 0
    assert "Set --rng to see how much the result depends on it." in capsys.readouterr().out
    several = tmp_path / "several.csv"
    several.write_text("y,u,v,w\na,1,0,0\nb,0,1,0\nc,0,0,1\n")
    assert main(["evaluate", str(several), "--truth", "y", "--probability", "u,v,w"]) == 1
    assert "or set --classes a,b,c in the order of the columns" in capsys.readouterr().err


def test_costs_and_benefits_of_one_outcome_add_up(capsys):
    def found(*options):
        assert main(["cost-benefit", "campaign", "--cost", "fp=1", *options, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    assert found("--benefit", "tp=16", "--cost", "tp=1") == found("--benefit", "tp=15")
