"""Every call with every argument that somebody might send: an answer, or a sentence about what is wrong."""

import pytest

from credibly._core.signatures import accepts
from credibly.app import calls, experiment_calls, report_calls  # noqa: F401
from credibly.app.declared_calls import CALLS
from credibly.app.server import ERROR_STATUSES, _completed
from credibly.app.session import Session

TEXTS = ["(" * 3000, "f(" * 900 + ")" * 900, "9" * 4000, "../../etc/passwd", "{0.__class__}", "\u202e<script>", "auc(average="]  # fmt: skip
NUMBERS = [10**12, -1, 2**63, 1e308, -1e308, 5e-324, 0]
VALUES = [*TEXTS, *NUMBERS, *([t] for t in TEXTS), [], ["auc"] * 300, {"tp": 1e308, "fp": -1e308}, {"truth": "\0"}]  # fmt: skip
KNOWN = {"curve": {"name": "roc"}}
ASKED = [c for c in CALLS if c.method == "POST" and not c.upload and c.function.__name__ != "run"]


def tried_at(call):
    """Return the parameters to try at a call: of those that calls of one verb share, each takes its turn."""
    for name in call.parameters:
        sharing = [c for c in ASKED if c.verb and c.verb == call.verb and name in c.parameters]
        if name == "id" or not sharing or sharing[len(name) % len(sharing)] is call:
            yield name


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    made = Session(folder=tmp_path_factory.mktemp("uploads"))
    rows = [f"{i % 2},{i * 7 % 10 / 10},{'fm'[i % 3 == 0]},m{i % 2}" for i in range(40)]
    path = made.folder / "p.csv"
    path.write_text("\n".join(["truth,probability,sex,model", *rows]))
    made.at_start = made.keep_file(path, {}).id
    return made


def test_every_parameter_of_every_verb_is_tried():
    tried = {(c.verb or c.path, name) for c in ASKED for name in tried_at(c)}
    assert tried == {(c.verb or c.path, name) for c in ASKED for name in c.parameters}


@pytest.mark.thorough(call=ASKED[::3])
@pytest.mark.parametrize("call", ASKED, ids=lambda c: c.path)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_values_that_nobody_means(session, call):
    known = {**KNOWN.get(call.path.rpartition("/")[2], {}), "id": session.at_start}
    known = {name: value for name, value in known.items() if name in call.parameters}
    for name in tried_at(call):
        for value in VALUES if name != "id" else TEXTS:
            if not accepts(call.parameters[name].hint, value):
                continue
            try:
                given = call.checked({**known, name: value})
                _completed(lambda given=given: call.function(session, **given))
            except tuple(ERROR_STATUSES):
                pass
