"""Another installed package adds things to Credibly, each in one file that an entry point names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

MEASURE = '''
from credibly.measures import measure
from credibly.predictions.summaries import BinaryCounts
from credibly.predictions.summaries.linear import ratio


@measure("Fowlkes-Mallows index", reads=BinaryCounts, range=(0, 1), best=1, cite="Fowlkes, E. B. (1983) Trees.",
         undefined="no case is positive, or none is labelled positive")
def fowlkes_mallows(c):
    """Geometric mean of precision and recall."""
    return ratio(c.tp, (c.positives * c.labelled_positive) ** 0.5)
'''

COMPARISON = '''
from credibly.comparisons import Outcome, PairedValues, comparison


@comparison("Always a tie", reads=PairedValues, null="equal means", signed=False,
            cite="Nobody (2026) A toy.", assumptions={"none": "nothing"})
def always_a_tie(e, asked):
    """Never reject."""
    return Outcome(0.0, 1.0)
'''

SCHEME = '''
from credibly.schemes import scheme


@scheme("Extremely random trees", cite="Geurts, P. et al. (2006) Extremely randomized trees.",
        encoding="codes", renamed={"trees": "n_estimators"})
def extra_trees(task):
    """Trees that are cut at random."""
    from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor

    kind = ExtraTreesClassifier if task == "classification" else ExtraTreesRegressor
    return kind(n_estimators=5, random_state=0)
'''

READER = '''
from credibly.io import open_frame, reader


@reader("Feather", suffixes=(".feather",), recognise=lambda head: head.startswith(b"ARROW1"))
def feather(path):
    """A file of Arrow."""
    import pyarrow.feather

    return open_frame(pyarrow.feather.read_table(path))
'''

CHECK = '''
from credibly.checks import check_kind, fired, passed


@check_kind("A round number of cases", severity="note", remedy="Ask where the cases come from.")
def round_number(d):
    """The number of cases is a multiple of ten."""
    n = d.known.n
    return fired(f"There are {n} cases.") if n % 10 == 0 else passed(f"There are {n} cases.")
'''

PLOT = '''
from dataclasses import dataclass

from credibly.plots import Axis, Figure, Layer, plot_kind
from credibly.results import Result


@dataclass(frozen=True)
class Spectrum(Result):
    """A result of a type that Credibly does not know."""

    power: tuple[float, ...]


@plot_kind("Spectrum", of=Spectrum)
def spectrum(result):
    """Power by frequency."""
    line = Layer.of("line", x=list(range(len(result.power))), y=list(result.power))
    return Figure("Spectrum", Axis("frequency"), Axis("power"), (line,), alt="Power by frequency.")
'''

FILES = {
    "shares": MEASURE, "ties": COMPARISON, "forests": SCHEME, "arrow_files": READER,
    "sizes": CHECK, "spectra": PLOT, "broken": "import no_such_module_at_all\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """The environment of a process in which the package is installed."""
    site = tmp_path_factory.mktemp("site")
    package, info = site / "additions", site / "additions-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("")
    for name, source in FILES.items():
        (package / f"{name}.py").write_text(source)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: additions\nVersion: 1.0\n")
    points = "".join(f"{name} = additions.{name}\n" for name in FILES)
    (info / "entry_points.txt").write_text(f"[credibly.plugins]\n{points}")
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}


def answer_of(code, environment, folder):
    """Run code where the package is installed, and return what it leaves in ``found``."""
    script = f"import json, sys, credibly\n{code}\nprint(json.dumps(found))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True, text=True, env=environment, cwd=folder, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


# Each through the door that its users go through; all in one process, since starting one takes long.
DOORS = {
    "measure": """
from credibly.measures import fowlkes_mallows
p = credibly.Predictions.of([1, 1, 0, 0], label=[1, 0, 1, 0])
whole = credibly.evaluate(p)
found = [whole.estimates[-1].measure, whole["fowlkes_mallows"].value, fowlkes_mallows(p), fowlkes_mallows.family]""",
    "comparison": """
from credibly.comparisons import PairedValues
test = credibly.compare(PairedValues([0.9, 0.8, 0.7], [0.8, 0.8, 0.6]), test="always_a_tie")
found = [test.title, test.pvalue]""",
    "scheme": """
from sklearn.datasets import load_iris
data = load_iris(return_X_y=True)
p = credibly.run("extra-trees(trees=3)", *data, resampling=3, rng=1, progress=False)
found = credibly.evaluate(p, "accuracy", estimate="pooled")["accuracy"].value""",
    "reader": """
import pandas as pd
pd.DataFrame({"truth": [1, 0, 1], "label": [1, 1, 0]}).to_feather("p.feather")
found = [credibly.read("p.feather").n, credibly.read("p.feather", format="feather").n]""",
    "check": """
from credibly._core.findings import findings
r = credibly.check(credibly.Predictions.of([1, 0] * 5, label=[1, 1] * 5))["round-number"]
found = [r.status, r.message, r.action, findings["round-number"].severity]""",
    "plot": """
from additions.spectra import Spectrum
s = Spectrum((3.0, 1.0, 0.5))
found = [credibly.plot(s).title, s.plot().layers[0].columns["y"], "<svg" in s.plot().svg(), len(s.rows())]""",
    "taken": """
from credibly.measures import measure, measures
from credibly.predictions.summaries import BinaryCounts
try:
    @measure("Mine", reads=BinaryCounts, range=(0, 1), best=1, cite="")
    def recall(c):
        "Mine."
except credibly.CrediblyError as error:
    found = [str(error), measures["recall"].title]""",
    "command line": """
from credibly.cli import main
def told(*words):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        main([*words])
    return said.getvalue()
named = {"measure": "fowlkes_mallows", "comparison": "always_a_tie", "scheme": "extra-trees", "reader": "feather",
         "check": "round-number", "plot": "spectrum"}
listed = {k: n in told("list", k + "s").split() for k, n in named.items()}
shown = {k: json.loads(told("show", k, n, "--json"))["name"] for k, n in named.items()}
read = json.loads(told("evaluate", "p.feather", "--measure", "fowlkes_mallows", "--json"))
found = [all(listed.values()), shown == named, read["estimates"][0]["value"]]""",
}
ANSWERS = {
    "measure": ["fowlkes_mallows", 0.5, 0.5, "shares"],
    "comparison": ["Always a tie", 1.0],
    "reader": [3, 3],
    "check": ["note", "There are 10 cases.", "Ask where the cases come from.", "note"],
    "plot": ["Spectrum", [3.0, 1.0, 0.5], True, 1],
    "taken": ["The measure 'recall' is declared twice.", "Recall"],
    "command line": [True, True, 0.5],
}


@pytest.fixture(scope="module")
def answers(environment, tmp_path_factory):
    """What each door answers, or the error that it ends in."""
    code = f"""
import contextlib, io, traceback, warnings
warnings.simplefilter("ignore")
doors, answers = {DOORS!r}, {{}}
for name, code in doors.items():
    names = dict(globals())
    try:
        exec(code, names)
        answers[name] = names["found"]
    except BaseException:
        answers[name] = traceback.format_exc()
found = answers"""
    return answer_of(code, environment, tmp_path_factory.mktemp("doors"))


@pytest.mark.parametrize("door", ANSWERS)
def test_what_another_package_adds_is_found(answers, door):
    assert answers[door] == ANSWERS[door]


def test_a_scheme_of_another_package_is_run(answers):
    assert answers["scheme"] > 0.8, answers["scheme"]


def test_one_that_fails_is_named_and_leaves_the_others_alone(environment, tmp_path):
    code = """
import warnings
from credibly.measures import measures
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    here = "fowlkes_mallows" in measures
try:
    measures["no_such_measure"]
except credibly.CrediblyError as error:
    found = [here, [str(w.message) for w in said], str(error)]"""
    here, warned, error = answer_of(code, environment, tmp_path)
    assert here
    text = (
        "The plug-in 'broken' cannot be imported "
        "(ModuleNotFoundError: No module named 'no_such_module_at_all')."
    )
    assert warned == [text]
    assert error.endswith(text)


def test_nothing_is_looked_for_before_it_is_needed(environment, tmp_path):
    code = """
from credibly.measures import recall
found = [recall([1, 1], [1, 0]), [m for m in sys.modules if m.startswith("additions")]]"""
    assert answer_of(code, environment, tmp_path) == [0.5, []]


def test_without_plug_ins_no_metadata_are_read():
    """What reads them imports a tenth of a second's worth of the standard library."""
    code = "import sys; from credibly.io import readers; list(readers); print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_contributors_are_told_how():
    told = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text()
    assert '[project.entry-points."credibly.plugins"]' in told


def test_files_of_other_packages_that_are_no_text_are_left_alone(tmp_path, monkeypatch):
    from credibly._core import plugins

    info = tmp_path / "other-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_bytes(b"[console_scripts]\n# \xe9\n")
    monkeypatch.setattr(plugins.sys, "path", [str(tmp_path)])
    assert not plugins._are_there()


def test_a_plug_in_that_ends_the_process_is_named(tmp_path, monkeypatch):
    from credibly._core import plugins

    (tmp_path / "ending_plugin.py").write_text("raise SystemExit(7)\n")
    info = tmp_path / "ending-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ending\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[credibly.plugins]\nending = ending_plugin\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(plugins, "failures", {})
    with pytest.warns(RuntimeWarning, match="'ending' cannot be imported"):
        plugins._import_all()
    assert "SystemExit" in plugins.failure_text()
