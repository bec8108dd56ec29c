"""A declaration says all that the rest of Credibly derives from it."""

import ast
import json
import re
import subprocess
import sys

import numpy as np
import pytest

from credibly import CostMatrix, ParameterError, Predictions
from credibly._core.declared import Declared
from credibly.catalogue.registries import KINDS, registry_of
from credibly.measures import measures
from credibly.predictions.lack import LACK_OF_TASK
from credibly.predictions.summaries import Summary
from credibly.predictions.table import PREDICTION_COLUMNS
from each import Each
from every.additions import example_runs
from every.battery import EVERY, VARIANTS, by_variant

by_name = Each("m", EVERY)
with_arguments = by_variant(VARIANTS)


def test_there_are_measures():
    assert len(EVERY) > 50
    assert len({m.name for m in EVERY}) == len(EVERY)


@by_name
def test_is_described(m):
    assert m.title
    assert m.title[0].isupper() or m.title[0].isdigit()
    assert re.search(r"\b(1[89]|20)\d\d\b", m.cite), "a reference has a year"
    assert m.summary.endswith("."), m.summary
    assert m.family
    assert m.name.isidentifier()


@pytest.mark.parametrize("kind", KINDS.split(", "))
def test_summaries_are_whole_sentences(kind):
    """Lists show the first line of a description alone."""
    cut = [e.summary for e in registry_of(kind) if isinstance(e, Declared)]
    assert not [text for text in cut if not re.search(r"[.?:`)]$", text)]


@by_name
def test_range_best_and_chance_agree(m):
    low, high = m.range
    assert low < high
    if m.best is not None:
        assert low <= m.best <= high
    if m.chance is not None:
        assert low <= m.chance <= high
        assert m.chance != m.best
    expected = "neither"
    if m.best is not None and m.best in m.range:
        expected = "higher" if m.best == high else "lower"
    assert m.direction == expected


@by_name
def test_says_where_it_is_undefined(m):
    assert isinstance(m.undefined_when, str)
    assert m.undefined_when == m.undefined_when.strip()
    assert not m.undefined_when.endswith(".")


@by_name
def test_reads_a_summary(m):
    assert issubclass(m.reads, Summary)
    assert m.task in LACK_OF_TASK
    assert m.takes in PREDICTION_COLUMNS


@by_name
def test_worked_example_runs(m):
    example_runs(m, m.name, Predictions=Predictions, CostMatrix=CostMatrix, **{m.name: m})


@by_name
def test_aliases_resolve(m):
    for alias in (m.name, *m.aliases):
        assert measures[alias] is m
        assert alias in measures
        assert alias in measures.names()


@with_arguments
def test_its_call_reads_back(m):
    try:
        ast.literal_eval(repr(dict(m.arguments)))
    except ValueError:  # an argument that no text can write, such as a cost matrix
        assert m.call.startswith(m.name)
        return
    back = measures.parse(m.call)
    assert (back.name, back.arguments, back.call) == (m.name, m.arguments, m.call)


@by_name
def test_parameters_refuse_what_their_rule_refuses(m):
    for q in m.parameters:
        assert not q.rule.accepts(q.rule.broken_by)
        with pytest.raises(ParameterError, match=f"{m.name}: {q.name} must be"):
            m.given(**{q.name: q.rule.broken_by})
        assert not q.rule.accepts(float("nan"))
        assert q.required or q.default is None or q.rule.accepts(q.default)


@by_name
def test_unknown_parameter_is_refused(m):
    with pytest.raises(ParameterError, match="has no parameter 'nonsense'"):
        m.given(nonsense=1)


@by_name
def test_parameters_without_a_default_are_asked_for(m):
    missing = [q.name for q in m.parameters if q.required]
    if not missing:
        return
    p = Predictions.of([1, 0], label=[1, 0], score=[1.0, 0.0])
    assert m.lacks(p).name == missing[0]
    with pytest.raises(ParameterError, match=f"{m.name} needs {missing[0]}"):
        m.value(p)


@by_name
def test_is_found_by_attribute_and_in_the_listing(m):
    import credibly.measures as module

    assert getattr(module, m.name) is m
    assert m.name in dir(module)


def test_nothing_but_measures_is_found_by_attribute():
    import credibly.measures as module

    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = module.nonsense


@by_name
def test_takes_arrays_in_the_order_of_scikit_learn(m):
    """The same value from arrays as from predictions, where one column is all it needs."""
    if any(q.required for q in m.parameters) or "baseline" in m.needs:
        return
    y, v = [1, 0, 1, 1, 0, 0], [0.9, 0.4, 0.7, 0.4, 0.1, 0.8]
    if m.task == "outcome":  # there is no truth beside it
        assert m(y) == m(Predictions.of(outcome=y))
        return
    given = np.rint(v) if m.takes == "label" else v
    p = Predictions.of(y, **{m.takes: given})
    assert m(y, given) == m(p) == m.value(p)
    assert isinstance(m(y, given), float)
    with pytest.raises(ParameterError, match="the truth and what was predicted"):
        m(y)


LISTED = """
import json, sys
from importlib import import_module
from credibly.catalogue.registries import HOMES, registry_of
for name in sys.argv[1:]:
    import_module(name)
print(json.dumps({kind: [e.name for e in registry_of(kind)] for kind in HOMES}))
"""


def test_no_list_depends_on_what_was_imported_first():
    """Modules are imported from the last one on, then from the first one on."""
    from credibly.catalogue.registries import HOMES, registry_of

    declaring = {
        e.function.__module__ for k in HOMES for e in registry_of(k) if hasattr(e, "function")
    }
    own = sorted(m for m in declaring if m.startswith("credibly."))
    made = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", LISTED, *names], capture_output=True, text=True, check=True
            ).stdout
        )
        for names in (own, own[::-1])
    ]
    assert made[0] == made[1]
    assert len(own) > len(HOMES)
