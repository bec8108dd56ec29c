"""Schemes that are tried from the page: data, forecasts, runs that are stopped and continued, and what may not be run."""

import json
import os
import shlex
import signal
import time
from pathlib import Path

import pytest

import credibly
from app.conftest import start, typed
from credibly import ParameterError
from credibly.app.data_files import DataFile, described_file, described_set
from credibly.app.runs import MAX_SCHEMES, plan_of, registered
from credibly.cli import main
from credibly.experiments import analyse
from credibly.io.datasets import datasets
from credibly.schemes import schemes
from pages import waited_for

DATA = "age,town,bought\n" + "".join(
    f"{20 + i},{'ab'[i % 2]},{'yes' if i % 3 else 'no'}\n" for i in range(40)
)


@pytest.fixture(scope="module")
def iris(served):
    return served.call("data/bundled", name="iris").json


def printed(words, capsys):
    assert main(words) == 0
    return capsys.readouterr().out


def send_data(served, content, name="d.csv", to="data"):
    return served.ask("POST", f"/api/{to}?name={name}", content.encode())


def ended(served, key):
    for _ in range(600):
        found = served.ask("GET", f"/api/runs/{key}").json
        if found["state"] != "running":
            return found
        time.sleep(0.1)
    raise AssertionError(found)


def test_data_are_described(served):
    found = send_data(served, DATA).json
    assert (found["name"], found["rows"], found["target"]) == ("d.csv", 40, "bought")
    age, town, bought = found["columns"]
    assert (age["kind"], town["kind"], bought["values"]) == (
        "classes",
        "classes",
        [["no", 14], ["yes", 26]],
    )
    assert town["first"] == ["a", "b", "a", "b", "a"]
    refused = send_data(served, "", "empty.csv")
    assert (refused.status, "empty.csv is empty" in refused.error) == (422, True)


def test_numbers_of_many_values_are_numbers(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("x,y\n" + "".join(f"{i},{i / 7}\n" for i in range(60)))
    rows, columns, target = described_file(path, {})
    assert (rows, [c.kind for c in columns], target) == (60, ["numbers", "numbers"], "y")


@pytest.mark.parametrize("name", [each.name for each in datasets])
def test_every_bundled_set_is_described(name):
    found = described_set(name)
    assert found.target in [c.name for c in found.columns]
    json.dumps(found.to_dict())


def test_every_scheme_is_offered_and_can_be_named(served):
    offered = served.ask("GET", "/api/schemes").json["schemes"]
    assert [each["name"] for each in offered] == [each.name for each in schemes]
    for each in offered:
        assert registered(each["name"]) == each["name"]


@pytest.mark.parametrize(
    "text",
    ["os:system(command='true')", "sklearn.svm:SVC()", "bagging(base='os:system')", "bagging(base=\"subprocess:Popen(args='x')\")", "__import__('os')", "tree(nothing=1)", "tree(max_depth=print)", "../tree", "", "x" * 5000, "nothing"],
)  # fmt: skip
def test_only_registered_schemes_are_run(served, iris, text, tmp_path):
    for name in ("forecast", "run"):
        answered = served.call(name, data=[iris["id"]], schemes=[text])
        assert answered.status == 400
        assert answered.error
    with pytest.raises(ParameterError):
        registered(text)


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        ({"schemes": []}, 400, "Choose between 1 and"),
        ({"schemes": ["tree"] * (MAX_SCHEMES + 1)}, 400, "Choose between 1 and"),
        ({"schemes": ["tree"], "data": ["/etc/passwd"]}, 404, "Open them again"),
        ({"schemes": ["tree"], "data": []}, 400, "No data are given"),
        ({"schemes": ["tree"], "resampling": "os:system"}, 400, "resampling"),
        ({"schemes": ["tree"], "rng": "x"}, 400, "rng must be"),
        ({"schemes": ["tree"], "target": ["x"]}, 400, "target must be"),
        ({"schemes": ["tree"], "limits": {"seconds": 0}}, 400, "takes"),
    ],
)
def test_what_cannot_be_run(served, iris, given, status, said):
    answered = served.call("run", **{"data": [iris["id"]], **given})
    assert answered.status == status
    assert said in answered.error


def test_a_run_takes_the_data_that_the_server_keeps(served):
    kept = send_data(served, DATA).json
    found = served.call("forecast", data=[kept["id"]], target="bought", schemes=["zero-r", "tree"], resampling="3")  # fmt: skip
    assert found.status == 200, found.error
    assert (found.json["fits"], len(found.json["outlooks"])) == (6, 2)
    assert str(served.folder) not in json.dumps(found.json)
    wrong = served.call("forecast", data=[kept["id"]], target="nothing", schemes=["tree"])
    assert wrong.status == 422
    assert str(served.folder) not in wrong.error


@pytest.mark.thorough
def test_a_run_becomes_a_set_with_the_library_s_numbers(served, iris, tmp_path, monkeypatch):
    asked = {"schemes": ["zero-r", "naive-bayes"], "resampling": "5", "rng": 3}
    made = served.call("run", data=[iris["id"]], **asked)
    assert made.status == 201
    found = ended(served, made.json["id"])
    assert (found["state"], found["done"], found["total"], found["trouble"]) == (
        "done",
        10,
        10,
        None,
    )
    kept = served.call("runs/open", id=found["id"]).json
    assert (kept["problem"], kept["models"]) == (None, ["zero-r", "naive-bayes"])
    given = served.call("evaluate", id=kept["id"], measures=["accuracy"]).json
    store = credibly.Experiment(datasets=["iris"], **asked).run(tmp_path / "x", n_jobs=1)
    python = credibly.evaluate(store.predictions("iris"), ["accuracy"])
    values = [(e["model"], e["value"]) for e in given["estimates"]]
    assert values == [(e.keys["model"], pytest.approx(e.value)) for e in python.estimates]
    monkeypatch.chdir(tmp_path)
    given = ['{"measures": ["accuracy"]}']
    said = served.call("spelled", id=kept["id"], calls=["evaluate"], given=given).json
    names = {}
    exec("\n".join(said["python"][:-1]), names)
    assert eval(said["python"][-1], names).rows() == python.rows()
    *before, last = said["shell"]
    typed(before)
    assert credibly.read(shlex.split(last)[2]).fingerprint == names["p"].fingerprint
    analysed = served.call("analyse", id=found["id"], measure="error_rate").json
    cells = analyse(store, "error_rate").to_dict()["cells"]
    names = {}
    exec(analysed["python"][0], names)
    again = eval(analysed["python"][1], names).to_dict()["cells"]
    assert [c["value"] for c in analysed["cells"]] == [c["value"] for c in again]
    assert [c["value"] for c in analysed["cells"]] == pytest.approx([c["value"] for c in cells])
    page = served.call("analyse/report", id=found["id"])
    assert page.body.startswith(b"<!doctype html>")
    assert served.ask("DELETE", f"/api/runs/{found['id']}").status == 204
    assert served.ask("GET", f"/api/runs/{found['id']}").status == 404


@pytest.mark.thorough
def test_a_run_is_stopped_without_losing_what_is_done_and_continued(served, iris):
    asked = {"data": [iris["id"]], "schemes": ["zero-r", "knn"]}
    run = served.call("run", **asked, resampling="10x10").json
    for _ in range(600):
        if (done := served.ask("GET", f"/api/runs/{run['id']}").json["done"]) > 0:
            break
        time.sleep(0.1)
    assert served.call("run", **asked).status == 409
    stopped = served.call("runs/stop", id=run["id"]).json
    assert stopped["done"] >= done
    if stopped["done"] < 200:
        assert stopped["state"] == "stopped"
    assert served.call("runs/open", id=run["id"]).status == 201
    served.call("runs/resume", id=run["id"])
    over = ended(served, run["id"])
    assert (over["state"], over["done"], over["total"]) == ("done", 200, 200)
    served.ask("DELETE", f"/api/runs/{run['id']}")


def processes_of(folder):
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in each.read_bytes():
                found.append(int(each.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_ends_with_its_server(tmp_path, how):
    served = start(tmp_path, "--port", "0")
    data = served.call("data/bundled", name="breast-cancer").json
    served.call("run", data=[data["id"]], schemes=["forest(n_estimators=900)"], resampling="50")
    assert processes_of(tmp_path)
    os.kill(served.process.pid, how)
    served.process.communicate(timeout=30)
    waited_for(lambda: not processes_of(tmp_path), "it goes on without its server")


def test_weka_s_results_are_analysed(served, tmp_path, monkeypatch, capsys):
    rows = [
        "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Percent_correct"
    ]
    rows += [
        f"{data},{run},{fold},{scheme},'',1,{50 + 10 * (scheme == 'J48') + fold + run}"
        for data in ("iris", "labor", "vote")
        for run in (1, 2)
        for fold in (1, 2, 3)
        for scheme in ("ZeroR", "J48")
    ]
    kept = send_data(served, "\n".join(rows), "weka.csv", "results")
    assert kept.status == 201, kept.error
    found = served.call("analyse", id=kept.json["id"])
    assert found.status == 200, found.error
    assert {c["scheme"] for c in found.json["cells"]} == {"ZeroR", "J48"}
    assert found.json["measures"]
    monkeypatch.chdir(tmp_path)
    Path("weka.csv").write_text("\n".join(rows))
    shown = json.loads(printed([*shlex.split(found.json["shell"][0])[1:], "--json"], capsys))
    assert [c["value"] for c in shown["cells"]] == [c["value"] for c in found.json["cells"]]
    names = {}
    exec(found.json["python"][0], names)
    made = eval(found.json["python"][1], names).to_dict()["cells"]
    assert [c["value"] for c in made] == [c["value"] for c in found.json["cells"]]
    listed = served.ask("GET", "/api/runs").json["results"]
    assert kept.json["id"] in [each["id"] for each in listed]
    assert send_data(served, "a,b\n1,2\n", "no.csv", "results").status == 422


def test_several_files_predict_what_each_of_them_likely_does(tmp_path):
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path, header in zip(paths, ("class,a", "a,b"), strict=True):
        path.write_text(header + "\n" + "u,1\nv,2\n" * 3)
    files = [DataFile("d.csv", path, *described_file(path, {})) for path in paths]
    plan = plan_of([*files, described_set("iris")], ["tree"], resampling=None, rng=1)
    assert plan["datasets"] == {
        "d.csv": {"data": str(paths[0]), "target": "class"},
        "d.csv (2)": {"data": str(paths[1]), "target": "b"},
        "iris": {"data": "iris"},
    }


def test_columns_are_told_of_one_dataset():
    two = [described_set("iris"), described_set("wine")]
    assert list(plan_of(two, ["tree"], resampling=None, rng=1)["datasets"]) == ["iris", "wine"]
    with pytest.raises(ParameterError, match="one dataset at a time"):
        plan_of(two, ["tree"], resampling=None, rng=1, target="y")
