"""Every command in a terminal of 80, 60 and 120 columns: what a pipe gets, within the width.

What is piped is not folded, so each of its words, names and numbers must stand whole in the terminal too:
a name that was dropped or a number that was cut would be missing.
"""

import fcntl
import os
import pty
import re
import shlex
import struct
import sys
import termios
from importlib import import_module

import pytest

from cli.calls import FILES, FIRST, MORE, NAMES, SERVES, options
from credibly.catalogue.registries import KINDS
from credibly.cli import commands, main

USUAL = (80,)
WIDTHS = (60, 120)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
RESULTS = "dataset,scheme,fold,error_rate\n" + "".join(
    f"{dataset},{scheme},{fold},{(7 * i + 5 * fold + 3 * j) % 31 / 100}\n"
    for i, dataset in enumerate(("iris", "wine", "breast-cancer-of-wisconsin"))
    for j, scheme in enumerate(("zero-r", "nearest-neighbours", "logistic-regression", "tree"))
    for fold in range(5)
)
# Long names, several models and classes: what does not fit.
WIDE = "y,p,model,fold,n_train\n" + "".join(
    f"{'no' if i % 3 else 'yes'},{(i * 37 + 11 * m) % 100 / 100},{model},{i % 2},20\n"
    for m, model in enumerate(("logistic-regression", "nearest-neighbours", "a-very-long-name-of-a-model"))
    for i in range(40)
)  # fmt: skip
CLASSES = "truth,predicted\n" + "".join(
    f"{['versicolor', 'setosa', 'virginica'][i % 3]},{['versicolor', 'setosa'][i % 2]}\n"
    for i in range(30)
)
ONE = ["two.csv", "--positive", "1"]
CALLS = {  # what each command prints a table of, where it is not the file of three models
    **{name: [name, *ONE] for name in ("calibration", "recalibrate", "threshold-table")},
    "compare": ["compare", "wide.csv", "--measure", "error_rate"],
    "few-labels": ["few-labels", "few.csv"],
    "gate": ["gate", "two.csv", "--measure", "error_rate", "--against", "0.9"],
    "flips": ["flips", "tried.csv", "--better", "higher"],
    "attempts": ["attempts", "tried.csv", "--k", "1,2"],
    "benchmarks": ["benchmarks", "tried.csv", "--margin", "0.1", "--replicates", "200"],
    "slices": ["slices", "wide.csv", "--by", "fold", "--measure", "error_rate", "--replicates", "200"],
    "forecasts": ["forecasts", "members.csv", "--time", "day"],
    "conformal": ["conformal", *ONE],
    "prediction-sets": ["prediction-sets", "held.csv", "--truth", "y", "--sets", "red,round"],
    "survival": ["survival", "watched.csv", "--survival", "s", "--times", "9"],
    "label-sets": ["label-sets", "sets.csv", "--truth", "red,round", "--label", "r,o"],
    "rankings": ["rankings", "qrels.txt", "bm25.txt"],
    "experiment": ["experiment", "analyse", "results.csv", "--test-train-ratio", "0.25"],
    "merge": ["merge", "summary.parquet", "-o", "merged.parquet"],
    "interval": ["interval", "750", "1000"],
    "demo": ["demo"],
    "search": ["search", "area"],
    "show": ["show", "kappa"],
    "list": ["list", "measures"],
    "boundaries": ["boundaries", "iris", "--scheme", "zero-r", "--points", "5", "--attributes", "petal length (cm),petal width (cm)"],
}  # fmt: skip
VARIANTS = [
    ["evaluate", "wide.csv", "--all"],
    ["evaluate", "two.csv"],
    ["evaluate", "wide.csv", "--measure", "auc"],
    ["evaluate", "wide.csv", "--by", "fold", "--measure", "auc,error_rate"],
    ["evaluate", "wide.csv", "--spread"],
    ["evaluate", "classes.csv"],
    ["evaluate", "classes.csv", "--by", "class"],
    ["evaluate", "numbers.csv"],
    ["compare", "--discordant", "12", "5", "--cases", "100"],
    ["compare", "--values", "a=0.81,0.79,0.84", "--values", "b=0.78,0.80,0.80", "--over", "datasets"],
    ["experiment", "import", "results.csv"],
    ["run", "iris", "--scheme", "zero-r", "--by", "class"],
    *(["list", kind] for kind in KINDS.split(", ")),
]  # fmt: skip


def call_of(name):
    """Return a call of a command that prints what it has to show: as stated above, or its first example."""
    if name in CALLS:
        return CALLS[name]
    if FIRST.get(name, []) is None:
        text = import_module(f"{commands.__name__}.{name.replace('-', '_')}").command.__doc__
        return shlex.split(re.search(rf"^ +credibly ({name}.*)$", text, re.M)[1])
    more = MORE.get(name, [])
    return [name, *FIRST.get(name, []), "iris" if "--scheme" in more else "wide.csv", *more]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    two = "y,p\n" + "".join(f"{i % 2},{(i * 37 + 20 * (i % 2)) % 100 / 100}\n" for i in range(60))
    files = {"wide.csv": WIDE, "classes.csv": CLASSES, "two.csv": two, "results.csv": RESULTS}
    files["tried.csv"] = "model,row,repeat,task,passed\n" + "".join(
        f"{m},{r},{k},{'reading' if r < 9 else 'arithmetic-of-large-numbers'},{(r * 7 + k + len(m)) % 3 % 2}\n"
        for m in ("small", "a-model-of-a-long-name")
        for r in range(20)
        for k in range(3)
    )
    files["few.csv"] = "truth,label\n" + "".join(
        f"{i % 2 if i < 40 else ''},{i * 3 % 2}\n" for i in range(90)
    )
    files["held.csv"] = "y,red,round\n" + "red,1,0\nround,1,1\n" * 9
    files["sets.csv"] = "red,round,r,o\n" + "".join(
        f"{i % 2},{i % 3 % 2},{i * 3 % 2},{i % 5 % 2}\n" for i in range(40)
    )
    files["members.csv"] = "day,truth,m1,m2\n" + "".join(
        f"{i},{i % 7},{i % 5},{i % 11}\n" for i in range(40)
    )
    files["watched.csv"] = "time,event,s\n" + "".join(
        f"{i % 17 + 1},{i % 3 % 2},{i % 10 / 10}\n" for i in range(40)
    )
    files["qrels.txt"] = "".join(f"q{i // 4} 0 d{i} {i * 7 % 3}\n" for i in range(40))
    files["bm25.txt"] = "".join(f"q{i // 4} Q0 d{i} 0 {i * 5 % 7} bm25\n" for i in range(40))
    for name, text in (files | {"numbers.csv": FILES["numbers"]}).items():
        (tmp_path / name).write_text(text)


def printed(arguments, capsys, monkeypatch, columns=None):
    """Return what a command prints, into a pipe or in a terminal of so many columns."""
    with monkeypatch.context() as patch:
        if columns:
            patch.setenv("COLUMNS", str(columns))
            patch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        code = main(arguments)
    said = capsys.readouterr()
    advice = "state a call that prints a table in CALLS of this file"
    assert code == 0, f"{' '.join(arguments)}: {said.err}; {advice}"
    return COLOURS.sub("", said.out)


def check(arguments, widths, capsys, monkeypatch):
    piped = printed(arguments, capsys, monkeypatch)
    for columns in widths:
        shown = printed(arguments, capsys, monkeypatch, columns)
        assert [line for line in shown.split("\n") if len(line) > columns] == []
        assert "…" not in shown
        assert sorted({*words(piped)} - {*words(shown)}) == []
    return shown


def words(text):
    """Return what is written but for lines and the bar between two keys of a table."""
    return [word.rstrip(",;:") for word in text.split() if word != "\\" and word[:3] != "---"]


# A tour with its report, and catalogues that are searched; two lines of notes about very small data.
LONGER = {"demo": 60, "list": 300, "show": 45}
SCREEN = 45


@pytest.mark.daily(widths=[USUAL], name=NAMES[::2])
@pytest.mark.parametrize("widths", [USUAL, WIDTHS], ids=str)
@pytest.mark.parametrize("name", [n for n in NAMES if n not in SERVES])
def test_every_command_fits_and_prints_about_one_screen(name, widths, capsys, monkeypatch):
    """Its findings included, which small data have many of."""
    if name == "merge":
        printed(["summarise", "two.csv", "-o", "summary.parquet"], capsys, monkeypatch)
    shown = check(call_of(name), widths, capsys, monkeypatch)
    if widths == USUAL:
        assert len(shown.rstrip("\n").split("\n")) <= LONGER.get(name, SCREEN), shown


@pytest.mark.daily(call=[c for c in VARIANTS if c[0] != "list"][::2], columns=[60])
@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("call", VARIANTS, ids=" ".join)
def test_every_table_fits(call, columns, capsys, monkeypatch):
    check(call, [columns], capsys, monkeypatch)


@pytest.mark.daily(name=["", *NAMES[::4]])
@pytest.mark.parametrize("name", ["", *NAMES])
def test_every_help_fits(name, capsys, monkeypatch):
    """Titles of panels, names of options and commands stand whole at 60 columns."""
    said = {}
    for columns in (60, 200):
        said[columns] = printed([*name.split(), "--help", "--all"], capsys, monkeypatch, columns)
    assert [line for line in said[60].split("\n") if len(line) > 60] == []
    assert "…" not in said[60]
    narrow, wide = (re.findall(r"[\w-]+", said[columns]) for columns in (60, 200))
    assert sorted({*wide} - {*narrow}) == []


@pytest.mark.daily(name=NAMES[1::4])
@pytest.mark.parametrize("name", NAMES)
def test_every_help_is_one_screen(name, capsys, monkeypatch):
    """What is not described on it is named or counted, and described on request."""
    for columns, most in ((60, 48), (80, 40)):
        said = printed([*name.split(), "--help"], capsys, monkeypatch, columns)
        assert len(said.rstrip("\n").split("\n")) <= most
        assert said.startswith(f"Usage: credibly {name}")
    everything = printed([*name.split(), "--help", "--all"], capsys, monkeypatch, 80)
    described = re.findall(r"^  (--[a-z-]+|[A-Z_]+)", everything, re.MULTILINE)
    assert {*options(name)} <= {f"--{d.strip('-').lower().replace('_', '-')}" for d in described}


@pytest.mark.daily(columns=[60])
@pytest.mark.parametrize("columns", [60, 80])
def test_a_real_terminal(columns):
    """The same through a terminal of the system, started as people do."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm"}
        environment.pop("COLUMNS", None)
        called = [
            sys.executable,
            "-m",
            "credibly",
            "evaluate",
            "wide.csv",
            "--measure",
            "auc,brier",
        ]
        os.execve(sys.executable, called, environment)
    said = b""
    while part := _read(terminal):
        said += part
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    lines = COLOURS.sub("", said.decode()).replace("\r", "").split("\n")
    assert max(map(len, lines)) <= columns
    words = ["Area", "under", "curve", "Brier", "score", "a-very-long-name-of-a-model"]
    assert [w for w in words if w not in "\n".join(lines)] == []


def _read(terminal):
    """Return what a terminal shows next; Linux ends it with an error."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def test_paragraphs_of_a_help_fold_where_the_terminal_ends(capsys, monkeypatch):
    lines = printed(["run", "--help", "--all"], capsys, monkeypatch, 80).split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("Reads CSV"))
    assert len(lines[start + 1]) > 60
    assert not any(line.startswith("--group customer") for line in lines)
