"""Every command with every option given wrongly, and with every kind of small file: an answer, or our own words."""

from pkgutil import iter_modules
from sys import intern

import pytest

from credibly.cli import build, commands, main, options_of

SERVES = {"app"}  # it answers until it is stopped
FIRST = {  # what stands before the file, where a command takes more than that
    "curve": ["roc"],
    "plot": ["roc"],
    "list": None,  # no file at all
    "show": None,
    "search": None,
    "demo": None,
    "corrected-rate": None,
    "densities": None,
    "power": None,
    "sample-size": None,
}
MORE = {
    "report": ["-o", "report.md"],
    "merge": ["-o", "merged.csv"],
    "summarise": ["-o", "summary.parquet"],
    "run": ["--scheme", "zero-r"],
    "boundaries": ["--scheme", "zero-r", "--points", "5"],
    "mdl": ["--scheme", "zero-r"],
    "bias-variance": ["--scheme", "zero-r", "--replicates", "3", "--rng", "1"],
    "learning-curve": ["--scheme", "zero-r", "--resampling", "2", "--sizes", "0.5,1.0"],
    "ensemble-curve": ["--scheme", "bagging", "--resampling", "2", "--sizes", "1,2"],
    "agreement": ["--judges", "y,p"],
    "standard-error": ["--column", "p", "--replicates", "20"],
    "final-model": ["--scheme", "zero-r", "-o", "model.pkl"],
    "decide": ["--cost", "fn=5", "--cost", "fp=1"],
    "expected-costs": ["--cost", "fn=5", "--cost", "fp=1"],
    "cost-benefit": ["--cost", "fp=1", "--benefit", "tp=15"],
    "plot": ["-o", "picture.json"],
}
FILES = {
    "two classes": "y,p\n1,0.9\n0,0.4\n1,0.3\n0,0.2\n",
    "nothing": "",
    "a header": "y,p\n",
    "one row": "y,p\n1,0.9\n",
    "one class": "y,p\n1,0.9\n1,0.3\n",
    "labels": "truth,predicted\na,a\nb,a\nc,c\n",
    "numbers": "truth,value\n1.5,1\n2.5,2.25\n3,4\n",
    "words": "hello\nworld\n",
    "no number": "y,p\n1,nan\n0,0.4\n",
    "models": "y,p,model\n" + "".join(f"{i % 2},{i * 37 % 100 / 100},{m}\n" for m in "ab" for i in range(10)),
    "no table": "{",
}  # fmt: skip
NAMES = [m.name.replace("_", "-") for m in iter_modules(commands.__path__)]
COMMANDS = [name for name in NAMES if name not in SERVES and FIRST.get(name, []) is not None]


def options(name):
    """Return the options of a command, each of which is one text for all commands that have it."""
    return sorted(intern(o) for o in options_of(build([name]), [name]) if o.startswith("--"))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answered(arguments, capsys):
    """Run a command; whatever is wrong must be said, and be foreseen."""
    code = main(arguments)
    said = capsys.readouterr()
    assert code in {0, 1, 2}, arguments
    assert "unexpected" not in said.err, (arguments, said.err)
    assert code == 0 or said.err.strip() or said.out.strip(), arguments


@pytest.mark.daily
@pytest.mark.daily(name=["evaluate"])
@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", COMMANDS)
def test_files_of_every_kind(name, kind, folder, capsys):
    path = folder / "given.csv"
    path.write_text(FILES[kind])
    answered([name, *FIRST.get(name, []), str(path), *MORE.get(name, [])], capsys)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_no_file(name, folder, capsys):
    for path in ("missing.csv", str(folder), "/dev/null"):
        answered([name, *FIRST.get(name, []), path, *MORE.get(name, [])], capsys)


@pytest.mark.daily
@pytest.mark.parametrize("value", ["zzz", "-1"])
@pytest.mark.parametrize(("name", "option"), [(n, o) for n in COMMANDS for o in options(n)])
def test_every_option_given_wrongly(name, option, value, folder, capsys):
    path = folder / "cases.csv"
    path.write_text(FILES["models"])
    answered([name, *FIRST.get(name, []), str(path), *MORE.get(name, []), option, value], capsys)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_options(name):
    assert options(name)
