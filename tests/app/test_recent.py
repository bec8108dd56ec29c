"""Studies of earlier starts: names and fingerprints, in a private file, and nothing that a hostile file can do."""

import json
import stat

import pytest

from app.test_stories import clinical
from credibly.app.recent import MAX_RECENT, RecentStudies, recent_file
from credibly.app.session import Session
from credibly.io import bundled

TOLD = {"truth": "outcome", "models": ["old", "new"], "group": "patient", "positive": "died",
        "percent": True, "complete": True}  # fmt: skip


@pytest.fixture
def remembered(tmp_path):
    return RecentStudies(tmp_path / "state" / "credibly" / "recent.json")


def test_names_and_fingerprints_and_no_data(remembered, tmp_path):
    session = Session(recent=remembered)
    kept = session.keep_file(clinical(tmp_path / "ward.csv"), TOLD)
    (study,) = remembered.all()
    assert (study["name"], study["options"]) == ("ward.csv", TOLD)
    assert study["fingerprint"] == kept.predictions.fingerprint
    text = remembered.path.read_text()
    assert "lived" not in text
    assert str(tmp_path) not in text
    assert stat.S_IMODE(remembered.path.stat().st_mode) == 0o600
    session.keep_file(bundled("campaign"), {}, "campaign")  # everybody has it
    session.keep_file(tmp_path / "ward.csv", TOLD)
    assert len(remembered.all()) == 1
    remembered.forget()
    assert remembered.all() == []


def test_a_few_are_remembered(remembered, tmp_path):
    session = Session(recent=remembered)
    for i in range(MAX_RECENT + 3):
        path = tmp_path / f"p{i}.csv"
        path.write_text("truth,score\n1,0.9\n0,0.2\n")
        session.keep_file(path, {})
    assert [each["name"] for each in remembered.all()][:2] == [
        f"p{MAX_RECENT + 2}.csv",
        f"p{MAX_RECENT + 1}.csv",
    ]
    assert len(remembered.all()) == MAX_RECENT


GOOD = {"name": "p.csv", "about": "2 cases", "fingerprint": "f", "options": {}, "day": "2020-01-02"}


@pytest.mark.parametrize(
    "held",
    ["", "{}", "[" * 100_000, "\0", json.dumps([{**GOOD, "name": 3}, 5, {**GOOD, "options": []}]), "[1e999]"],
)  # fmt: skip
def test_a_file_that_is_none_of_ours(remembered, held):
    remembered.path.parent.mkdir(parents=True)
    remembered.path.write_text(held)
    assert remembered.all() == []


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    session = Session(recent=RecentStudies(tmp_path / "file" / "recent.json"))
    assert session.keep_file(clinical(tmp_path / "ward.csv"), TOLD).predictions.n


def test_the_place_is_the_user_s(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert recent_file() == tmp_path / "credibly" / "recent.json"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert recent_file() == tmp_path / ".local" / "state" / "credibly" / "recent.json"


def test_a_study_is_found_again_after_a_restart(sit, served_with, remembered, tmp_path):
    path = clinical(tmp_path / "ward.csv")
    hostile = {**GOOD, "name": "<img src=x onerror=alert(1)>.csv"}
    Session(recent=remembered).keep_file(path, TOLD)
    remembered.path.write_text(json.dumps([*remembered.all(), hostile]))
    state = str(remembered.path.parents[1])
    desk = sit(place=served_with(XDG_STATE_HOME=state))
    assert "onerror" in desk.text("#screen-home")
    desk.choose("#screen-home .study-row input[type=file]", path)
    desk.sees("#screen-overview h1")
    assert desk.asked("evaluate", measures=["auc"])["estimates"][0]["model"] == "old"
    assert desk.count("#trouble .notice") == 0
    desk.click("#brand")
    desk.sees("#screen-home h1")
    desk.page.get_by_role("button", name="Forget these").click()
    desk.settle()
    assert remembered.all() == []
    served = served_with("--no-recent", XDG_STATE_HOME=state)
    served.send(path.read_bytes(), "ward.csv")
    assert served.ask("GET", "/api/recent").json["studies"] == []
