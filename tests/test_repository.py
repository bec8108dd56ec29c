"""The repository itself: what importing costs, how its layers lie, what its files must not hold."""

import ast
import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

import credibly
from each import Each
from sources import tree_of, trees

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "credibly"
MODULES = sorted(PACKAGE.rglob("*.py"))


def committed(paths):
    """Leave out what is still being written; all of it where there is no git."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    names = {ROOT / n for n in done.stdout.decode().split("\0") if n}
    return [p for p in paths if p in names] if names else list(paths)


HEAVY = {
    "scipy",
    "sklearn",
    "pandas",
    "polars",
    "pyarrow",
    "numba",
    "duckdb",
    "narwhals",
    "rich",
    "cyclopts",
    "matplotlib",
    "altair",
    "vl_convert",
    "jinja2",
}
# The aims are 500 and 40 lines; a bound is what today's code needs, and no looser.
LONGEST_FILE = 550
LONGEST_BODY = 40  # of a function, without signature and docstring
# Files that a plain call enters, as scripts/trace_calls.py counts them: a bound of the same kind.
FILES_ENTERED = {"auc": 12, "evaluate": 15, "compare": 37}
# Words that hold whatever does not fit elsewhere.
NO_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "misc", "tools"}
PLACES = re.compile(r"(?<![\w.])/(?:work|root|home|Users|tmp)/[\w.-]+")
# An index of packages other than the public one, or any address with a login in it.
REGISTRIES = re.compile(
    r"(?i)--(?:extra-)?index-u[r]l|index-u[r]l\s*=|artifactory|//[^/\s\"'@]+:[^/\s\"'@]+@"
)


def loaded_after(code):
    """Return the top-level packages that a fresh Python has loaded after running some code."""
    listing = "; import sys; print(*sorted({m.partition('.')[0] for m in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", code + listing], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_importing_costs_next_to_nothing():
    assert not loaded_after("import credibly") & (HEAVY | {"numpy"})


def test_predictions_need_numpy_alone():
    loaded = loaded_after("import credibly; credibly.Predictions")
    assert "numpy" in loaded
    assert not loaded & HEAVY


def test_a_small_evaluation_needs_no_compiler_and_no_frames():
    code = """import credibly
p = credibly.Predictions.of([0, 1, 1, 0], probability=[0.1, 0.9, 0.4, 0.4])
str(credibly.evaluate(p)); credibly.evaluate(p).to_json()"""
    assert not loaded_after(code) & (HEAVY - {"scipy"})


def test_layers():
    """The contracts of pyproject.toml, checked by import-linter."""
    lint = Path(sys.executable).with_name("lint-imports")
    if not lint.exists():
        pytest.skip("import-linter is not installed beside this Python")
    done = subprocess.run(
        [lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_modules_import_each_other_in_a_circle():
    grimp = pytest.importorskip("grimp")  # it comes with import-linter
    graph = grimp.build_graph("credibly", cache_dir=None)
    found = {m: set(graph.find_modules_directly_imported_by(m)) for m in graph.modules}
    root = found.pop("credibly")  # which names everything, and says the version
    left = {m: imported - {"credibly"} for m, imported in found.items()}
    assert len(left) == len(MODULES) - 1
    assert root & left.keys()
    while done := {m for m, imported in left.items() if not imported & left.keys()}:
        left = {m: imported for m, imported in left.items() if m not in done}
    circles = {m: sorted(imported & left.keys()) for m, imported in sorted(left.items())}
    assert not circles, "These modules are in a circle of imports, or lead to one; types count too."


def test_compiler_database_and_renderers_stay_in_their_places():
    """Read off the source, so that it holds where import-linter is not installed too."""
    homes = {"numba": ("_kernels",), "duckdb": ("io", "engines"), "pyspark": ("engines",)}
    homes |= dict.fromkeys(("altair", "vl_convert", "matplotlib"), ("render",))
    named = re.compile("|".join(homes))
    for path in [m for m in MODULES if named.search(m.read_text())]:
        home = path.relative_to(PACKAGE).parts[0]
        for node in ast.walk(tree_of(path)):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert home in homes.get(name.partition(".")[0], (home,)), f"{path} imports {name}"


def test_benchmarks_find_what_they_measure():
    """One that names what has moved would be noticed by nobody; in a process, as they set the threads of theirs."""
    named = sorted(f"benchmarks.{p.stem}" for p in (ROOT / "benchmarks").glob("bench_*.py"))
    assert len(named) > 20
    program = f"for name in {named}: __import__(name)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr


def test_files_and_functions_stay_short():
    kept = committed(MODULES)
    assert [p for p in kept if len(p.read_text().splitlines()) > LONGEST_FILE] == []
    parsed = trees()
    assert [(p, name) for p in kept for name in long_functions(parsed[p])] == []


def test_a_plain_call_enters_few_files():
    """A file more is a turn more for whoever follows the call; what does not apply to it is not entered."""
    script = ROOT / "scripts" / "trace_calls.py"
    done = subprocess.run(
        [sys.executable, script, *FILES_ENTERED], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    entered = {row[0]: int(row[2]) for row in rows if row[0] in FILES_ENTERED}
    assert entered.keys() == FILES_ENTERED.keys()
    assert {k: n for k, n in entered.items() if n > FILES_ENTERED[k]} == {}, done.stdout


def long_functions(tree):
    """Name the functions whose body is too long."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body and node.end_lineno - body[0].lineno + 1 > LONGEST_BODY:
                yield node.name


def test_no_test_draws_from_a_generator_that_others_have_used():
    """Tests run in any order and in several processes: each makes its own random numbers."""
    files = committed((ROOT / "tests").rglob("*.py"))
    made = re.compile(r"^\w.*= np\.random\.default_rng\(", re.MULTILINE)
    able = [p for p in files if made.search(p.read_text(encoding="utf-8"))]
    assert able, "some are made, and used up where they are made"
    found = {p.relative_to(ROOT): shared_generators(tree_of(p)) for p in able}
    assert {p: names for p, names in found.items() if names} == {}


def shared_generators(tree):
    """Name the generators of a module from which its functions draw."""
    shared = {
        ast.unparse(target)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if ast.unparse(node.value.func) == "np.random.default_rng"
        for target in node.targets
    }
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda)]
    used = {n.id for f in functions for n in ast.walk(f) if isinstance(n, ast.Name)}
    return shared & used


def test_modules_are_named_after_what_they_hold():
    for path in MODULES:
        assert path.stem.strip("_") not in NO_NAMES, path
        assert path.parent.name.strip("_") not in NO_NAMES, path


def test_no_committed_file_names_a_machine():
    """No path of a machine and no address of a registry: a checkout works anywhere."""
    found = []
    for path in committed(p for p in ROOT.rglob("*") if p.is_file()):
        if path == Path(__file__):
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for pattern in (PLACES, REGISTRIES):
            found += [f"{path.relative_to(ROOT)}: {m.group()}" for m in pattern.finditer(text)]
    assert not found


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("see " + "/ho" + "me/someone/x", True),
        ("open('" + "/wo" + "rk/main')", True),
        ("pip install --index" + "-url https://example.org", True),
        ("https://user" + ":secret@example.org", True),
        ("docs/home/page and a/work/b", False),
        ("https://pypi.org/project/credibly", False),
    ],
)
def test_the_patterns_find_what_they_are_for(text, bad):
    assert bool(PLACES.search(text) or REGISTRIES.search(text)) == bad


@Each("name", credibly.__all__)
def test_every_public_name_is_described_with_an_example(name):
    public = getattr(credibly, name)
    assert public.__doc__, name
    assert name in dir(credibly)
    if name in {"CrediblyError", "Estimate", "Finding", "Interval"}:
        return  # made by other names, whose examples show them
    assert ">>> " in public.__doc__, name


def test_only_public_names_are_found():
    assert sorted(credibly.__all__) == credibly.__all__
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = credibly.nonsense


def test_packages_are_found_without_importing_them_by_hand():
    seen = "import credibly; print(credibly.ensembles.combine.__name__, credibly.errors.__name__, *dir(credibly))"
    out = subprocess.run(
        [sys.executable, "-c", seen], capture_output=True, text=True, check=True
    ).stdout.split()
    packages = {p.parent.name for p in PACKAGE.glob("[!_]*/__init__.py")}
    assert out[:2] == ["combine", "credibly.errors"]
    assert {n for n in out[2:] if n[0] != "_"} == {*credibly.__all__, *packages, "errors"}


def test_the_layers_are_drawn_as_they_are_checked():
    contract = re.search(r"layers = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL)[1]
    checked = [re.findall(r"credibly\.(\w+)", line) for line in re.findall(r'"(.*)"', contract)]
    drawing = (ROOT / "ARCHITECTURE.md").read_text().partition("## Layers")[2].split("```")[1]
    drawn = [re.split(r"\s{2,}", line)[0].split(" | ") for line in drawing.strip().splitlines()]
    assert drawn == checked


@Each("package", sorted(PACKAGE.rglob("__init__.py")), str)
def test_packages_speak_of_files_that_are_there(package):
    named = re.findall(r"`([\w/]+\.py)`", package.read_text())
    tests = ROOT / "tests"
    places = (PACKAGE, package.parent, *package.parent.parents[:2], tests, ROOT)
    assert [name for name in named if not any((p / name).exists() for p in places)] == []


def lazy_packages():
    """Return the names of the packages whose public names are imported when first used."""
    files = sorted((ROOT / "src" / "credibly").rglob("__init__.py"))
    lazy = [f for f in files if "\nlazy(" in f.read_text()]
    return [".".join(f.parent.relative_to(ROOT / "src").parts) for f in lazy]


@Each("name", lazy_packages())
def test_type_checkers_and_users_find_the_same_names(name):
    package = import_module(name)
    tree = ast.parse(Path(package.__file__).read_text())
    typed = {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        for alias in node.names if alias.name == alias.asname
    }  # fmt: skip
    assert typed == set(package.__all__)
    for each in package.__all__:
        assert getattr(package, each) is not None
        found = getattr(package, each)
        assert callable(found) or not isinstance(found, ModuleType)


def test_a_verb_that_has_the_name_of_its_package_is_the_package():
    import credibly.bias_variance as of_votes
    import credibly.calibration as of_probabilities
    import credibly.calibration.recalibration as maps

    for package in (of_votes, of_probabilities):
        name = package.__name__.rpartition(".")[2]
        verb = getattr(package, name)
        assert isinstance(package, ModuleType)
        assert getattr(credibly, name) is package
        assert inspect.signature(package) == inspect.signature(verb)
        assert package.__doc__ == verb.__doc__
    assert maps.recalibrate is credibly.calibration.recalibrate is credibly.recalibrate
    p = credibly.Predictions.of([0, 0, 1, 1] * 5, probability=[0.1, 0.4, 0.3, 0.8] * 5)
    assert str(credibly.calibration(p)) == str(of_probabilities.calibration(p))


@Each("name", lazy_packages())
def test_no_public_name_hides_a_module_of_another_content(name):
    """What is public may have the name of the module that holds it, and of no other."""
    package = import_module(name)
    for found in iter_modules(package.__path__):
        if found.name in package.__all__ and name != "credibly":
            home = import_module(f"{name}.{found.name}")
            assert getattr(package, found.name) is getattr(home, found.name)


def test_the_version_is_that_of_the_project():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert credibly.__version__ == project["version"]


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_warnings_are_errors_here():
    import warnings

    with pytest.raises(UserWarning):
        warnings.warn("heard", stacklevel=1)
    assert os.environ.get("PYTHONWARNINGS", "") in {"", "error"}
