"""Parameters of named schemes that are checked when the scheme is read, before anything is fitted."""

import pytest

from credibly import ParameterError
from credibly.cli import main
from credibly.schemes import as_scheme, schemes

RULED = [(e, name) for e in schemes for name in e.constraints]


@pytest.mark.parametrize(("entry", "name"), RULED, ids=lambda x: getattr(x, "name", x))
def test_what_breaks_a_rule_is_refused_by_the_name_it_was_given(entry, name):
    rule = entry.constraints[name]
    for said in {name, entry.renamed.get(name, name)}:
        with pytest.raises(ParameterError, match=f"{entry.name}: {said} must be"):
            entry.make(entry.tasks[0], **{said: rule.broken_by})


@pytest.mark.parametrize("scheme", ["bagging", "adaboost"])
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("base='nope'", "base must be a scheme that predicts classes.*got 'nope'"),
        ("base='lasso'", "base must be a scheme that predicts classes"),
        ("base='bagging(k=0)'", "base must be a scheme"),
        ("k=0", "k must be a whole number of at least 1; got 0"),
        ("n_estimators=0", "n_estimators must be a whole number of at least 1"),
    ],
)
def test_ensembles_are_refused_when_they_are_read(scheme, given, words):
    with pytest.raises(ParameterError, match=f"{scheme}: {words}"):
        as_scheme(f"{scheme}({given})")


def test_the_command_line_says_that_the_call_is_wrong(capsys):
    assert main(["run", "iris", "--scheme", "bagging(k=0)"]) == 2
    assert "k must be a whole number" in capsys.readouterr().err
