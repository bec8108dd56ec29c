"""The server as a client meets it: the command, the calls, and that they say what Python says."""

import gzip
import json
import signal
import sys

import numpy as np
import pytest

import credibly
from app.conftest import as_called, in_a_loop, start
from credibly.app import server
from credibly.app.jobs import PendingCall
from credibly.app.openapi import CALLS, document
from credibly.app.session import Session
from credibly.cli import main
from credibly.io import bundled, read

GOOD = "y,score\n1,0.9\n0,0.2\n1,0.4\n0,0.5\n"
COSTS = {"tp": -15, "fp": 0.8}


@pytest.fixture(scope="module")
def served(served_with):
    """A server that nobody else uses: what it does and keeps is counted."""
    return served_with()


@pytest.fixture
def campaign(served):
    return served.call("example", name="campaign").json


def test_an_upload_is_read_and_its_roles_are_said(served):
    answered = served.send(GOOD, "small.csv")
    assert answered.status == 201
    found = answered.json
    assert (found["name"], found["rows"], found["problem"]) == ("small.csv", 4, None)
    assert found["roles"] == {"truth": ["y"], "score": ["score"]}
    assert found["columns"] == ["y", "score"]
    assert found["positive"] == 1
    assert (found["task"], found["models"], found["provides"]) == (
        "classification",
        ["model"],
        ["score"],
    )
    assert served.call("page_data", id=found["id"]).json["title"] == "small.csv"
    assert served.ask("GET", f"/api/predictions/{found['id']}").json == found


def test_a_role_can_be_told_where_it_cannot_be_guessed(served):
    kept = served.send("y,s\n1,9\n0,2\n1,4\n0,5\n", "unclear.csv").json  # may count anything
    assert kept["rows"] is None
    assert "No column of unclear.csv has a name" in kept["problem"]
    assert kept["columns"] == ["y", "s"]
    assert served.call("evaluate", id=kept["id"]).error == kept["problem"]
    assert served.call("preview", id=kept["id"]).json["rows"][1] == [1, "0", "2"]
    told = served.call("roles", id=kept["id"], roles={"score": "s"}, positive=0).json
    assert (told["id"], told["problem"], told["positive"]) == (kept["id"], None, 0)
    assert served.call("page_data", id=kept["id"]).json["positive"] == "0"
    told = served.call("roles", id=kept["id"], roles={"probability": "s"}, percent=True).json
    assert told["roles"] == {"truth": ["y"], "probability": ["s"]}


def test_columns_are_guessed_by_their_values_and_that_is_said(served):
    kept = served.send("y,s\n1,0.9\n0,0.2\n1,0.4\n0,0.5\n", "unclear.csv").json
    assert (kept["rows"], kept["problem"]) == (4, None)
    assert kept["suggested"] == {"probability": "s"}


def test_the_truth_is_what_the_columns_of_models_distinguish(served):
    rows = "".join(f"{'mw'[i % 2]};{i // 3 % 2};0,{i // 3 % 2 * 4 + i % 6};0,{i // 3 % 2 * 3 + i % 7}\n" for i in range(60))  # fmt: skip
    kept = served.send(f"sex;sepsis;old risk;new risk\n{rows}", "ward.csv").json
    assert kept["problem"] is None
    assert kept["suggested"] == {"truth": "sepsis", "models": ["old risk", "new risk"]}


def test_probabilities_that_reach_0_and_1_are_no_labels(served):
    rows = "".join(f"{i % 2},{(0, 0.3, 0.6, 1)[i % 4]}\n" for i in range(40))
    kept = served.send(f"truth,judge\n{rows}", "judged.csv").json
    assert kept["problem"] is None
    assert kept["roles"] == {"truth": ["truth"], "probability": ["judge"]}


def test_files_of_several_models_are_joined(served):
    ids = [
        served.send(GOOD.replace("0.4", last), f"{name}.csv").json["id"]
        for name, last in (("a", "0.4"), ("b", "0.1"))
    ]
    both = served.call("joined", ids=ids).json
    assert (both["models"], both["files"]) == (["a", "b"], ["a.csv", "b.csv"])


def test_a_positive_class_can_be_told_where_it_cannot_be_guessed(served):
    kept = served.send("y,score\nham,0.9\nspam,0.2\n").json
    assert (kept["rows"], kept["classes"], kept["positive"]) == (None, ["ham", "spam"], None)
    assert "Set the positive class" in kept["problem"]
    assert "positive=" not in kept["problem"]
    assert kept["roles"] == {"truth": ["y"], "score": ["score"]}
    told = served.call("roles", id=kept["id"], positive="spam").json
    assert (told["positive"], told["problem"]) == ("spam", None)


def test_a_guessed_role_can_be_switched_off(served):
    kept = served.send("y,score,weight\n1,0.9,2\n0,0.2,1\n").json
    assert "weight" in kept["roles"]
    told = served.call("roles", id=kept["id"], ignore=["weight"]).json
    assert "weight" not in told["roles"]
    assert (
        served.call("roles", id=kept["id"], ignore=["wight"])
        .json["problem"]
        .startswith(
            "There is no column 'wight' for what has no role in p.csv. Did you mean weight?"
        )
    )


def test_the_seeds_campaign(served, campaign):
    found = served.call("cost-benefit", id=campaign["id"], costs=COSTS).json
    python = credibly.cost_benefit(read(bundled("campaign")), COSTS)
    assert found == as_called(python)
    assert found["points"][0]["profit"] == pytest.approx(4560.60)
    assert found["points"][0]["random"] == pytest.approx(-99.59, abs=0.005)


def test_calls_compute_what_python_computes(served, campaign):
    p = read(bundled("campaign"))
    asked = {
        "evaluate": (
            {"measures": ["auc", "brier"]},
            lambda: credibly.evaluate(p, ["auc", "brier"]),
        ),
        "curve": ({"name": "roc"}, lambda: credibly.curve("roc", p)),
    }
    for name, (arguments, python) in asked.items():
        answered = served.call(name, id=campaign["id"], **arguments)
        assert answered.status == 200, answered.body
        assert answered.json == as_called(python())


def test_every_example_is_shown(served):
    for name, positive in (("campaign", "yes"), ("breast-cancer", "malignant")):
        kept = served.call("example", name=name).json
        assert (kept["problem"], kept["positive"]) == (None, positive)
        assert served.call("page_data", id=kept["id"]).json["positive"] == positive
    told = served.call("roles", id=kept["id"], positive="benign").json
    assert (told["problem"], told["positive"]) == (None, "benign")


def test_models_are_compared(served, tmp_path):
    rng = np.random.default_rng(1)
    truth = np.tile(rng.integers(0, 2, 200), 2)
    p = credibly.Predictions.of(
        truth,
        score=truth + rng.normal(size=400) * np.repeat([1, 2], 200),
        model=np.repeat(["good", "poor"], 200),
        row=np.tile(np.arange(200), 2),
    )
    path = credibly.save(p, tmp_path / "two.parquet")
    kept = served.send(path.read_bytes(), "two.parquet").json
    found = served.call("compare", id=kept["id"], measure="auc")
    assert found.json == as_called(credibly.compare(p, measure="auc"))
    found = served.call("best-of", id=kept["id"], measure="auc", replicates=50, rng=1)
    best = credibly.best_of(p, measure="auc", replicates=50, rng=1)
    assert found.json == as_called(best)
    chosen = served.call("selection", id=kept["id"], costs=COSTS, at="10%", model="poor")
    assert chosen.body.decode().count("\n") == 21


def test_the_list_is_exported_and_evaluates_to_the_same(served, campaign):
    costs = {"id": campaign["id"], "costs": COSTS}
    answered = served.call("selection", **costs, at="20%")
    assert answered.headers["content-type"].startswith("text/csv")
    assert answered.headers["content-disposition"] == 'attachment; filename="selected.csv"'
    again = served.send(answered.body, "selected.csv").json
    point = served.call("cost-benefit", **costs, at="20%").json["points"][0]
    assert again["rows"] == round(point["selected"])
    all_of_it = served.call("cost-benefit", id=again["id"], costs=COSTS, at="100%").json["points"][
        0
    ]
    assert all_of_it["tp"] == pytest.approx(point["tp"], abs=1)


def test_sets_are_listed_and_closed(served):
    kept = served.send(GOOD, "closed.csv").json
    listed = served.ask("GET", "/api/predictions").json["sets"]
    assert kept["id"] in [each["id"] for each in listed]
    before = len(served.left())
    assert served.ask("DELETE", f"/api/predictions/{kept['id']}").status == 204
    assert len(served.left()) == before - 1
    assert served.ask("GET", f"/api/predictions/{kept['id']}").status == 404


@pytest.mark.thorough
def test_the_oldest_set_goes_when_there_are_too_many(served_with):
    served = served_with()
    first = served.send(GOOD).json["id"]
    for _ in range(8):
        served.send(GOOD)
    said = "p.csv was closed to make room for newer files. Open it again."
    assert served.ask("GET", f"/api/predictions/{first}").error == said
    assert len(served.ask("GET", "/api/predictions").json["sets"]) == 8
    assert len(served.left()) == 8


def test_the_oldest_sets_go_when_they_take_too_much(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(GOOD)
    session = Session()
    size = session.keep_file(path, {}).size
    session.store.room = 3 * size
    kept = [session.keep_file(path, {}).id for _ in range(4)]
    assert [each.id for each in session.store.all()] == kept[1:]
    session.store.room = size // 2
    last = session.read_again(kept[2], {})
    assert session.store.all() == [last]  # the newest stays, whatever it takes


def test_what_a_call_computes_is_not_kept(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(GOOD)
    kept = Session().keep_file(path, {})
    found_in_reading = set(kept.opened.predictions.cache)
    credibly.evaluate(kept.predictions)
    assert set(kept.opened.predictions.cache) == found_in_reading


def test_what_is_being_done_is_said_while_it_is_done(served):
    assert served.ask("GET", "/api/progress").json == {"work": []}
    slow = served.connect()
    slow.putrequest("POST", f"/api/predictions?name=slow.csv&token={served.token}")
    slow.putheader("Content-Length", str(len(GOOD)))
    slow.endheaders(GOOD[:10].encode())
    while not (work := served.ask("GET", "/api/progress").json["work"]):
        pass
    assert work[0]["what"] == "Receiving slow.csv"
    assert work[0]["seconds"] >= 0
    slow.send(GOOD[10:].encode())
    assert slow.getresponse().status == 201
    slow.close()
    assert served.ask("GET", "/api/progress").json == {"work": []}


def test_too_many_calls_are_told_to_come_later(monkeypatch):
    monkeypatch.setattr(server, "MAX_WAITING_CALLS", 0)
    with pytest.raises(server.BusyError, match="Try again"):
        in_a_loop(server.Site(Session(), "t")._run(PendingCall("x"), dict, None))


def test_every_format_can_be_sent(served, tmp_path):
    p = credibly.Predictions.of(["no", "yes", "no"], probability=[0.25, 0.75, 0.5])
    paths = [credibly.save(p, tmp_path / f"p.{ending}") for ending in ("csv", "parquet", "jsonl")]
    content = {path.name: path.read_bytes() for path in paths}
    content["p.csv.gz"] = gzip.compress(content["p.csv"])
    content["p.tsv"] = content["p.csv"].replace(b",", b"\t")
    content["p.arff"] = (
        b"@relation r\n@attribute truth {no,yes}\n@attribute label {no,yes}\n"
        b"@attribute p_yes numeric\n@data\nno,no,0.25\nyes,yes,0.75\nno,yes,0.5\n"
    )
    content["weka.txt"] = (
        b"inst#,actual,predicted,error,distribution,\n1,1:no,1:no,,*0.75,0.25\n"
        b"2,2:yes,2:yes,,0.25,*0.75\n3,1:no,2:yes,+,0.5,*0.5\n"
    )
    for name, sent in content.items():
        kept = served.send(sent, name).json
        assert kept["problem"] is None, name
        assert (kept["rows"], kept["classes"], kept["positive"]) == (3, ["no", "yes"], "yes"), name


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("roles", {}, "POST /api/roles needs id."),
        ("roles", {"id": 3}, "id must be text; got 3."),
        ("roles", {"id": "x", "treshold": 1}, "Did you mean threshold?"),
        (
            "roles",
            {"id": "x", "roles": {"truth": 1}},
            "roles must be a dictionary of text, a list of text",
        ),
        ("roles", {"id": "x", "roles": {"turth": "y"}}, "A column can be truth, label, score"),
        ("roles", {"id": "x", "weight_kind": "heavy"}, "'frequency' or 'importance'"),
        ("example", {"name": "../../etc/passwd"}, "There are no bundled predictions"),
        ("cost-benefit", {"id": "x", "population": True}, "population must be a number"),
        ("cost-benefit", {"id": "x", "population": 10**400}, "population must be a number"),
        ("cost-benefit", {"id": "x", "population": float("nan")}, "population must be a number"),
    ],
)
def test_wrong_arguments(served, name, given, said):
    answered = served.call(name, **given)
    assert answered.status == 400
    assert said in answered.error


def test_errors_carry_their_fields(served):
    details = served.call("roles", id="x", treshold=1).json["details"]
    assert (details["error"], details["asked"]) == ("ParameterError", "treshold")
    assert "threshold" in details["choices"]


def test_wrong_requests(served):
    unknown = served.call("evaluate", id="none")
    assert (unknown.status, "Open the file again" in unknown.error) == (404, True)
    assert served.ask("GET", "/api/nothing").status == 404
    assert served.ask("PUT", "/api/roles").status == 405
    plain = served.ask("POST", "/api/roles", b"{}", **{"Content-Type": "text/plain"})
    assert (plain.status, "takes JSON" in plain.error) == (400, True)
    broken = served.ask("POST", "/api/roles", b"{", **{"Content-Type": "application/json"})
    assert (broken.status, "not JSON" in broken.error) == (400, True)
    half = b'{"id": "\\ud800"}'
    assert (
        served.ask("POST", "/api/roles", half, **{"Content-Type": "application/json"}).status == 400
    )
    deep = b'{"id": ' + b"[" * 100_000
    assert (
        served.ask("POST", "/api/roles", deep, **{"Content-Type": "application/json"}).status == 400
    )


def test_the_reference_describes_every_call(served):
    page = served.ask("GET", "/api", token=False)
    assert page.status == 200
    for each in CALLS:
        assert f"{each.method} {each.path}" in page.body.decode()
    assert served.ask("GET", "/api/openapi.json", token=False).json == document()


@pytest.mark.parametrize("call", CALLS, ids=lambda c: c.name)
def test_every_call_is_described(call):
    assert call.doc
    assert all(p.text for p in call.parameters.values())
    described = document()["paths"][call.path][call.method.lower()]
    assert str(call.status) in described["responses"]


def test_a_file_is_opened_at_the_start(served_with, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("outcome,s\n1,0.9\n0,0.2\n")
    served = served_with(path, "--truth", "outcome", "--score", "s")
    (kept,) = served.ask("GET", "/api/predictions").json["sets"]
    assert (kept["name"], kept["rows"]) == ("mine.csv", 2)
    assert str(tmp_path) not in json.dumps(kept)
    assert served.ask("DELETE", f"/api/predictions/{kept['id']}").status == 204
    assert path.exists()


def test_a_folder_is_opened_by_the_predictions_in_it(served_with, tmp_path):
    credibly.save(credibly.Predictions.of([0, 1], score=[1, 2]), tmp_path / "run.parquet")
    (tmp_path / "other.csv").write_text(GOOD)
    (tmp_path / "report.html").write_text("")
    (kept,) = served_with(tmp_path).ask("GET", "/api/predictions").json["sets"]
    assert kept["name"] == "run.parquet"


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly(tmp_path, how):
    served = start(tmp_path, "campaign", "--port", "0", "--no-recent")
    served.send(GOOD)
    assert served.left()
    served.process.send_signal(how)
    out, err = served.process.communicate(timeout=30)
    assert err == ""
    assert list(tmp_path.iterdir()) == []
    if how == signal.SIGINT:
        assert served.process.returncode == 0
        assert "Stopped." in out


def refused(capsys, *arguments):
    """Return how the command ends, and what it says, where nothing can be served."""
    return main(["app", *map(str, arguments)]), capsys.readouterr().err


def test_a_port_that_is_taken(served, capsys):
    code, said = refused(capsys, "--port", served.port)
    assert code == 2
    assert f"Port {served.port} of 127.0.0.1 cannot be used" in said
    assert "--port" in said


def test_a_port_that_does_not_exist(capsys):
    code, said = refused(capsys, "--port", "99999")
    assert code == 2
    assert "--port is a number from 0 (any free one) to 65535; got 99999." in said


def test_other_machines_need_a_token(served_with, capsys):
    code, said = refused(capsys, "--host", "0.0.0.0")
    assert code == 2
    assert "lets other machines in, so it needs a token. Choose a secret" in said
    assert "--token-file" in said
    open_to_all = served_with("--host", "0.0.0.0", CREDIBLY_TOKEN="correct horse battery")
    assert open_to_all.token == "correct horse battery"
    assert open_to_all.ask("GET", "/api/progress").status == 200
    assert open_to_all.ask("GET", "/api/progress", Host="192.0.2.7:80").status == 200
    assert open_to_all.ask("GET", "/api/progress", Host="evil.example").status == 403
    assert "nothing is encrypted" in open_to_all.process.stderr.readline()


def test_a_file_that_cannot_be_read_is_said_before_anything_starts(tmp_path, capsys):
    code, said = refused(capsys, tmp_path / "nothing.csv")
    assert (code, "There is no file" in said) == (1, True)
    _, said = refused(capsys, tmp_path)
    assert "holds no file of predictions" in said


def test_the_extra_is_asked_for(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, said = refused(capsys)
    assert code == 2
    assert "pip install 'credibly[app]'" in said
