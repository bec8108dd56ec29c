"""The documentation says what the program does: its generated pages, formulas, examples and tables."""

import doctest
import importlib
import re
import runpy
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from credibly import Predictions
from credibly._core.formulas import formulas, to_mathml
from credibly._core.names import GENERAL_USE
from credibly.bias_variance import decompositions
from credibly.measures import measures
from each import Each

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = sorted((DOCS / "examples").glob("*.py"))
GENERATED = ("gallery", "reference", "_build", "companion")
PAGES = sorted(p for p in DOCS.rglob("*.rst") if p.relative_to(DOCS).parts[0] not in GENERATED)
TASKS = sorted(p for p in (DOCS / "start").glob("*.rst") if p.stem != "index")


def extension(name):
    """Import one of the local extensions of the documentation."""
    folder = str(DOCS / "_ext")
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(folder)


reference = extension("credibly_reference")
names = extension("credibly_names")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reference")
    (folder / "of-yesterday.rst").write_text("gone", encoding="utf-8")
    reference.write(folder)
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def pages_of(written, start):
    """Return the text of the generated pages whose names start so."""
    return "\n".join(text for name, text in written.items() if name.startswith(start))


# --- the generated reference


@pytest.mark.thorough
def test_pages_that_are_no_more_are_removed(written):
    assert "of-yesterday.rst" not in written


@pytest.mark.thorough
def test_every_measure_has_its_entry(written):
    for m in measures:
        page = written[f"measures-{m.family}.rst"]
        entry = page.partition(f".. _measure-{m.name}:")[2].partition(".. _measure-")[0]
        assert f"credibly.measures.{m.name}(" in entry
        assert reference.escape(m.title) in entry
        assert reference.inline(m.summary) in entry
        assert m.cite in entry
        for name in (m.name, *m.aliases):
            assert f"``{name}``" in entry
        for parameter in m.parameters:
            assert f"``{parameter.name}``: {reference.escape(parameter.rule.text)}" in entry
        assert ">>> " in entry


@pytest.mark.thorough
def test_every_name_and_alias_is_in_the_index_in_order(written):
    listed = re.findall(r"\* - :ref:`([^`<]+) <measure-(\w+)>`", written["measures.rst"])
    assert [name for name, _ in listed] == measures.names()
    assert all(measures[name].name == target for name, target in listed)


@pytest.mark.thorough
def test_every_label_is_given_once_and_every_link_has_its_label(written):
    text = "\n".join(written.values())
    labels = re.findall(r"^\.\. _([\w-]+):", text, re.MULTILINE)
    assert len(labels) == len(set(labels))
    assert set(re.findall(r":ref:`[^`<]*<([\w-]+)>`", text)) <= set(labels)


@pytest.mark.thorough
def test_every_registry_has_its_page(written):
    from credibly.catalogue.registries import HOMES, registry_of

    for kind in HOMES:
        assert f"{kind}.rst" in written
        assert f"   {kind}\n" in written["index.rst"]
        for entry in registry_of(kind):
            assert f".. _{kind.removesuffix('s')}-{entry.name}:" in pages_of(written, kind)


@pytest.mark.thorough
def test_every_command_shows_its_help(written):
    from credibly.cli import build

    for name in build():
        if not name.startswith("-"):
            assert f"Usage: credibly {name}" in pages_of(written, "command-line")


@pytest.mark.thorough
def test_every_public_name_is_documented(written):
    import credibly

    for name in credibly.__all__:
        assert re.search(rf"auto\w+:: credibly\.{name}\b", pages_of(written, "python-"))


@pytest.mark.thorough
def test_every_measure_says_its_interval(written):
    for m in measures:
        assert written["intervals.rst"].count(f"<measure-{m.name}>") == 1


@pytest.mark.thorough
def test_every_finding_has_a_message(written):
    text = pages_of(written, "findings")
    said = re.findall(r"_finding-([\w-]+):\n\n.+\n-+\n\n([\w\[`].+)", text)
    assert {"undefined", "infinite-loss", "missing-truth"} <= {code for code, _ in said}
    assert text.count(".. _finding-") == len(said)


@pytest.mark.thorough
def test_nothing_tells_where_it_was_written(written):
    for text in written.values():
        assert str(DOCS.parent) not in text
        assert str(Path.home()) not in text


# --- formulas


@Each("m", [*measures, *decompositions])
def test_every_formula_becomes_mathml(m):
    for formula in formulas(m.doc):
        for block in (False, True):
            assert to_mathml(formula, block=block).endswith("</math>")
    assert m.doc.count("$") == 2 * len(formulas(m.doc))


@Each("page", [*PAGES, *EXAMPLES])
def test_formulas_of_hand_written_pages(page):
    for formula in re.findall(r":math:`([^`]+)`", page.read_text(encoding="utf-8")):
        to_mathml(formula)


def test_docstrings_become_restructured_text():
    assert reference.inline("half $a_1$ of `k` * x_") == r"half :math:`a_1` of ``k`` \* x\_"
    assert reference.inline("a ``?`` is missing") == "a ``?`` is missing"
    assert reference.inline("$a$s") == r":math:`a`\ s"
    text, examples = reference.body("First.\n\n$x^2$\n\n>>> 1\n1")
    assert text == ["First.", ".. math:: x^2"]
    assert examples == [">>> 1\n1"]


# --- examples and hand-written pages


def test_there_is_a_page_for_every_topic():
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.stem)
def test_every_example_has_a_title(script):
    text = script.read_text(encoding="utf-8")
    title, underline = text.removeprefix('"""\n').split("\n")[:2]
    assert title
    assert underline == "=" * len(title)


@pytest.mark.slow  # CI builds the gallery, which stops at an example that fails
@pytest.mark.parametrize("script", EXAMPLES, ids=lambda p: p.stem)
def test_every_example_runs(script, monkeypatch, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.setattr(sys, "argv", [script.name])
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
        runpy.run_path(str(script))
    assert plt.get_fignums()
    plt.close("all")
    assert capsys.readouterr().out


FITTING = {"howto.rst"}  # its code fits models, searches among them


def pages_with_code():
    """Yield the pages; the build, which CI makes, compares blocks that are computed, and recordings have a test."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        slow = [pytest.mark.slow] if ".. computed::" in text else []
        slow += [pytest.mark.thorough] if page.name in FITTING else []
        if ".. code-block:: pycon" not in text:
            yield pytest.param(page, id=str(page.relative_to(DOCS)), marks=slow)


@pytest.mark.parametrize("page", list(pages_with_code()))
def test_the_code_on_a_page_runs(page):
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    outcome = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert outcome.failed == 0


def test_the_json_page_names_every_field():
    from credibly import evaluate

    page = (DOCS / "json.rst").read_text(encoding="utf-8")
    p = Predictions.of([1, 0, 1], probability=[0.9, 0.5, 0.0], positive=1)
    document = evaluate(p, ["recall", "log_loss"]).to_dict()
    recall, loss = document["estimates"]
    parts = (
        document,
        document["confusion_matrix"],
        recall,
        recall["interval"],
        loss["findings"][0],
    )
    for name in {name for part in parts for name in part}:
        assert f"``{name}``" in page, name


def test_the_json_page_names_every_field_of_a_comparison():
    from credibly import compare

    page = (DOCS / "json.rst").read_text(encoding="utf-8")
    labels = {"a": [1, 0, 1, 1], "b": [1, 0, 0, 1], "c": [0, 0, 0, 1]}
    models = {k: Predictions.of([1, 0, 1, 0], label=v) for k, v in labels.items()}
    document = compare(models, measure="error_rate").to_dict()
    one = document["comparisons"][0]
    for name in {*document, *one, *one["assumptions"][0]}:
        assert f"``{name}``" in page, name


def test_the_json_page_names_every_field_of_description_lengths_and_of_bias_and_variance():
    from credibly import bias_variance, mdl

    page = (DOCS / "json.rst").read_text(encoding="utf-8")
    X, y = np.arange(12.0)[:, None], np.arange(12) > 5
    lengths = mdl("tree", X, y, rng=1).to_dict()
    first = lengths["descriptions"][0]
    rows = {"row": [0, 1, 0, 1], "repeat": [0, 0, 1, 1]}
    apart = bias_variance(Predictions.of([1, 0, 1, 0], label=[1, 1, 0, 0], **rows))
    for name in {*lengths, *first, *first["parts"][0], *apart.table.to_dict()}:
        assert f"``{name}``" in page, name


# --- what other programs call the same numbers


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    two, many = rng.integers(0, 2, 80), np.append([0, 1, 2], rng.integers(0, 3, 77))
    chance = np.clip(np.round(0.3 * two + rng.random(80) * 0.7, 1), 0.05, 0.95)
    raw = rng.random((80, 3)) + 0.5 * (many[:, None] == np.arange(3))
    shares = raw / raw.sum(axis=1, keepdims=True)
    truth = np.round(rng.normal(20, 4, 80), 1)
    value = np.round(truth + rng.normal(0, 2, 80), 1)
    return {
        "label": (two, (chance >= 0.5).astype(int), "label"),
        "probability": (two, chance, "probability"),
        "classes": (many, shares.argmax(axis=1), "label"),
        "class_probability": (many, shares, "probability"),
        "value": (truth, value, "value"),
    }


def function_of(path):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("same", names.SAME, ids=lambda s: f"{s.theirs}-{s.ours}-{s.on}")
def test_the_other_program_gives_the_same_number(same, data):
    truth, predicted, kind = data[same.on]
    theirs = function_of(same.theirs)(truth, predicted, **same.arguments)
    m, p = measures.parse(same.ours), Predictions.of(truth, **{kind: predicted})
    ours = m.averaged(p, same.average) if same.average else m(p)
    assert ours == pytest.approx(float(getattr(theirs, "statistic", theirs)), rel=1e-12)


@pytest.mark.thorough
def test_every_name_of_every_vocabulary_is_in_its_table(written):
    for m in measures:
        for alias in m.aliases.known:
            if alias.origin != GENERAL_USE:
                table = written[reference.part_of_names(alias.origin)]
                assert f"* - ``{alias.name}``" in table
        for name in m.aliases.unlike:
            assert f"* - ``{name}``" in written[reference.part_of_names("false friends")]
