"""`credibly run`: from data to a table, and the same numbers from the saved predictions."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from credibly import evaluate, run
from credibly.cli import main


@pytest.fixture
def loans(tmp_path):
    """A table of numbers, text and missing values."""
    rng = np.random.default_rng(0)
    n = 90
    frame = pd.DataFrame(
        {
            "id": range(n),
            "income": rng.normal(3, 1, n).round(3),
            "town": rng.choice(["north", "south", "west"], n),
            "customer": np.arange(n) // 3,
            "weight": rng.integers(1, 4, n),
            "default": np.where(rng.random(n) < 0.4, "yes", "no"),
        }
    )
    frame.loc[3, "income"] = None
    frame.loc[5, "town"] = None
    path = tmp_path / "loans.csv"
    frame.to_csv(path, index=False)
    return path


def table_of(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_bundled_set(capsys):
    asked = ["run", "iris", "--scheme", "naive-bayes", "--scheme", "tree(max_depth=3)"]
    assert main(asked) == 0
    out = capsys.readouterr().out
    assert "3 classes: setosa, versicolor, virginica" in out
    assert out.startswith("tree(max_depth=3) has the lowest error rate of 2 models: 0.0333 [")
    assert "clearly better than the best trivial rule (majority, 0.6667)" in out
    found = table_of(capsys, *asked, "--measure", "error_rate")
    X, y = load_iris(return_X_y=True)
    want = evaluate(run(["naive-bayes", "tree(max_depth=3)"], X, y, rng=1), "error_rate")
    assert [e["value"] for e in found["estimates"]] == [e.value for e in want.estimates]


@pytest.mark.daily(resampling=["3x5", "holdout"])
@pytest.mark.parametrize("resampling", ["3x5", "bootstrap(replicates=20)", "loo", "holdout"])
def test_the_saved_predictions_give_identical_numbers(loans, resampling, capsys, tmp_path):
    saved = tmp_path / "preds.parquet"
    measures = "error_rate,auc,brier,information_score"
    asked = ["run", str(loans), "--target", "default", "--ignore", "id,customer,weight"]
    schemes = ["--scheme", "logistic", "--scheme", "tree(max_depth=2)"]
    first = table_of(capsys, *asked, *schemes, "--resampling", resampling, "--measure", measures, "--save", str(saved))  # fmt: skip
    again = table_of(capsys, "evaluate", str(saved), "--measure", measures)
    assert first == again


def test_groups_weights_and_estimates(loans, capsys):
    asked = ["run", str(loans), "--target", "default", "--ignore", "id", "--scheme", "naive-bayes"]
    found = table_of(capsys, *asked, "--group", "customer", "--weight", "weight", "--weight-kind", "frequency", "--resampling", "grouped_folds(k=5)", "--estimate", "fold_mean", "--measure", "auc")  # fmt: skip
    (e,) = found["estimates"]
    assert (e["estimate"], len(e["values"])) == ("fold_mean", 5)
    assert e["interval"]["about"] == "training"
    assert "groups-split" not in {f["code"] for f in found["findings"]}


def test_numbers_formats_and_outputs(tmp_path, capsys):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)}).assign(
        y=lambda f: f.a + rng.normal(size=60)
    )
    results = []
    for name, write in (
        ("d.csv", lambda p: frame.to_csv(p, index=False)),
        ("d.parquet", frame.to_parquet),
        ("d.jsonl", lambda p: frame.to_json(p, orient="records", lines=True, double_precision=15)),
    ):
        path = tmp_path / name
        write(path)
        found = table_of(capsys, "run", str(path), "--target", "y", "--scheme", "linear", "--measure", "mae")  # fmt: skip
        assert found["task"] == "numeric"
        results.append(found["estimates"][0]["value"])
    np.testing.assert_allclose(results, results[0], rtol=1e-9)
    assert main(["run", str(path), "--target", "y", "--scheme", "linear", "--csv"]) == 0
    assert capsys.readouterr().out.startswith("estimate,measure,")
    assert main(["run", str(path), "--target", "y", "--scheme", "linear", "--markdown"]) == 0
    assert "| Mean absolute error |" in capsys.readouterr().out


def test_the_last_column_of_an_arff_file_is_the_target(tmp_path, capsys):
    rows = "\n".join(
        f"{i % 7},{'x' if i % 3 else 'y'},{'no' if i % 2 else 'yes'}" for i in range(30)
    )
    path = tmp_path / "d.arff"
    path.write_text(
        "@relation r\n@attribute a numeric\n@attribute k {x,y}\n@attribute c {yes,no}\n@data\n"
        + rows
    )
    found = table_of(capsys, "run", str(path), "--scheme", "zero-r", "--resampling", "3")
    assert found["positive"] == "yes"
    assert "target-taken" in {f["code"] for f in found["findings"]}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["irs", "--scheme", "tree"], 1, "no bundled set called 'irs'. Did you mean iris?"),
        (["iris", "--scheme", "tre"], 2, "There is no scheme 'tre'. Did you mean tree"),
        (["iris", "--scheme", "tree(max_depth=__import__('os'))"], 2, "Cannot read"),
        (["iris", "--scheme", "tree", "--resampling", "200"], 1, "200 folds need at least 200 rows"),
        (["iris", "--scheme", "tree", "--estimate", "632+"], 1, "needs predictions of bootstrap models"),
        (["iris", "--scheme", "tree", "--target", "x"], 1, "The target of iris is called 'species'"),
        (["iris", "--scheme", "tree", "--save", "x.pdf"], 2, "saved as .parquet"),
        (["nowhere.csv", "--scheme", "tree", "--target", "x"], 1, "There is no file nowhere.csv"),
    ],
)  # fmt: skip
def test_mistakes_are_explained(arguments, code, said, capsys):
    assert main(["run", *arguments]) == code
    assert said in capsys.readouterr().err


def test_a_column_that_does_not_exist(loans, capsys):
    assert main(["run", str(loans), "--target", "defalt", "--scheme", "tree"]) == 1
    err = capsys.readouterr().err
    assert "no column 'defalt' for --target in loans.csv" in err
    assert "Did you mean default?" in err
    assert main(["run", str(loans), "--scheme", "tree"]) == 1
    assert "Which column of loans.csv should be predicted?" in capsys.readouterr().err


def test_text_in_a_scheme_for_numbers_names_scheme_and_fold(loans, capsys):
    path = "sklearn.linear_model:LogisticRegression(max_iter=10)"
    assert main(["run", str(loans), "--target", "default", "--scheme", path]) == 1
    err = capsys.readouterr().err
    assert "LogisticRegression(max_iter=10) in repeat 0, fold 0" in err


def test_a_scheme_that_always_fails(loans, capsys):
    """No SVC takes a negative C, so every fit fails; what is left keeps its name."""
    asked = ["run", str(loans), "--target", "default", "--ignore", "id,town", "--measure", "error_rate"]  # fmt: skip
    schemes = ["--scheme", "zero-r", "--scheme", "sklearn.svm:SVC(C=-1)"]
    found = table_of(capsys, *asked, *schemes)
    assert {e["model"] for e in found["estimates"]} == {"zero-r"}
    (said,) = [f for f in found["findings"] if f["code"] == "failed-fits"]
    assert "10 of 10 fits" in said["message"]
    assert said["action"] == "It has no estimates."
    assert main([*asked, *schemes, "--strict"]) == 1
    done = capsys.readouterr()
    assert "Error rate" in done.out
    assert "Fits of 1 scheme failed" in done.err
    assert main([*asked, "--scheme", "zero-r", "--strict"]) == 0


def test_schemes_may_be_listed_with_commas(capsys):
    asked = ["run", "iris", "--measure", "error_rate", "--resampling", "3"]
    found = table_of(capsys, *asked, "--scheme", "tree(max_depth=2, criterion='gini'),zero-r")
    want = table_of(capsys, *asked, "--scheme", "tree(max_depth=2, criterion='gini')", "--scheme", "zero-r")  # fmt: skip
    assert found["estimates"] == want["estimates"]


def test_examples_fit_what_was_asked_for(loans, capsys, tmp_path):
    assert main(["run", "iris", "--scheme", "tree", "--resampling", "10y10"]) == 2
    assert "such as '10x10' or 'folds(k=5)'" in capsys.readouterr().err
    assert main(["run", "iris", "--scheme", "tree("]) == 2
    assert "such as 'tree' or 'knn(k=3)'" in capsys.readouterr().err
    few = tmp_path / "few.csv"
    few.write_text("x,y\n" + "".join(f"{i % 3},{'ab'[i % 2]}\n" for i in range(7)))
    assert main(["run", str(few), "--target", "y", "--scheme", "zero-r"]) == 1
    assert "--resampling 3, or for 'loo'" in capsys.readouterr().err


def test_identifiers_among_the_inputs(loans, capsys):
    asked = ["run", str(loans), "--target", "default", "--scheme", "zero-r"]
    (said,) = [f for f in table_of(capsys, *asked)["findings"] if f["code"] == "identifier"]
    assert "every row: 'id'." in said["message"]
    assert said["severity"] == "caution"
    assert "ignore=" in said["action"]
    ignored = table_of(capsys, *asked, "--ignore", "id")
    assert "identifier" not in {f["code"] for f in ignored["findings"]}
    frame = pd.read_csv(loans)
    frame["name"] = [f"n{i}" for i in range(len(frame))]
    p = run("zero-r", frame.drop(columns="default"), frame["default"], rng=1)
    (said,) = [f for f in p.findings if f.code == "identifier"]
    assert "every row: 'id' and 'name'." in said.message
    assert "identifier" not in {f.code for f in run("zero-r", frame[["income", "customer"]], frame["default"], rng=1).findings}  # fmt: skip


@pytest.mark.parametrize("command", [["run", "--resampling", "10x10"], ["bias-variance"]])
def test_an_interrupted_run_ends_as_such(command, capsys, monkeypatch, tmp_path):
    from credibly.running import execution

    done = []

    def until_stopped(*arguments):
        if len(done) == 25:
            raise KeyboardInterrupt
        done.append(task(*arguments))
        return done[-1]

    task = execution.run_task
    monkeypatch.setattr(execution, "run_task", until_stopped)
    kept = tmp_path / "kept.parquet"
    assert main([*command, "iris", "--scheme", "tree", "--save", str(kept)]) == 130
    said = capsys.readouterr()
    assert "stopped after 25 of" in said.out
    assert "interrupted" in said.err
    assert kept.exists()
    assert main(["evaluate", str(kept)]) == 0  # looking at what was kept is no interruption
    done[:] = [None] * 25
    assert main([*command, "iris", "--scheme", "tree"]) == 130


def test_the_first_screen_names_no_headline_where_it_shows_one_estimate(capsys):
    assert main(["run", "iris", "--scheme", "naive-bayes", "--resampling", "2"]) == 0
    assert "Headline estimate" not in capsys.readouterr().out
    assert main(["run", "iris", "--scheme", "naive-bayes", "--resampling", "2", "--all"]) == 0
    assert "Headline estimate: mean over folds" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("numbers", [False, True])
def test_without_a_scheme_a_few_that_suit_the_target_are_tried(loans, capsys, numbers):
    target = "income" if numbers else "default"
    found = table_of(capsys, "run", str(loans), "--target", target, "--resampling", "2")
    models = list(dict.fromkeys(e["model"] for e in found["estimates"]))
    assert models == ["linear" if numbers else "logistic", "tree", "forest"]
    (said,) = [f["message"] for f in found["findings"] if f["code"] == "schemes-taken"]
    assert all(name in said for name in models)
