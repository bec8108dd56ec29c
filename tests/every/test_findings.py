"""What must hold of every kind of finding."""

import ast
import re

import pytest

import credibly
from credibly import evaluate
from credibly._core.findings import findings
from credibly.checks import checks
from each import Each
from every.doors import undeclared
from every.kinds import kinds
from sources import SOURCE, trees

EVERY = list(findings)
COUNTS = {"n", "total", "cases", "rows", "most", "all", "outside", "certain"}


@Each("kind", EVERY, lambda k: k.code)
def test_is_declared_in_full(kind):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", kind.code), "a code is written with dashes"
    assert kind.severity in {"problem", "caution", "note"}
    made = kind(**dict.fromkeys(kind.fields, 2))
    assert (made.code, made.severity) == (kind.code, kind.severity)
    for said in (made.message, made.action, kind.doc, kind.action):
        assert "{" not in said.replace("{}", "")
        assert not re.search(r"<\w+=", said), f"{said}: its arguments cannot be read"
    assert made.message
    assert kind.found.strip() == kind.found


@Each("kind", EVERY, lambda k: k.code)
def test_large_numbers_are_read_at_a_glance(kind):
    made = kind(**{name: 1_234_567 if name in COUNTS else 2 for name in kind.fields})
    for said in (str(made.message), str(made.action)):
        assert not re.search(r"1234567|1\.23457e\+06", said), "a count of thousands has separators"


@Each("check", list(checks))
def test_checks_are_findings(check):
    assert findings[check.name].severity == check.severity, "one code has one severity"
    for code in check.same_as:
        assert code in findings, f"{check.name} says the same as {code}, which nothing finds"


def test_no_finding_is_made_with_a_code_of_its_own():
    for path, tree in trees(holding="Finding(").items():
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Finding":
                literal = call.args and isinstance(call.args[0], ast.Constant)
                where = f"{path.relative_to(SOURCE)}, line {call.lineno}"
                assert not literal, f"{where}: declare it in the module findings of its package"


@pytest.mark.daily(kind=list(kinds())[::2])
@pytest.mark.parametrize("kind", kinds())
def test_what_is_found_of_odd_predictions_is_declared(kind):
    p = kinds()[kind]
    told = [f.to_dict() for f in p.findings]
    told += credibly.check(p).to_dict()["checks"]
    try:
        told += [evaluate(p).to_dict()]
    except credibly.CrediblyError:
        assert told, "the checks say something of anything"
    assert not undeclared(told)
