"""Count what a call goes through: functions, files, packages and changes of file, by walk.

    python scripts/trace_calls.py             # a table of all walks
    python scripts/trace_calls.py evaluate    # the files of one walk, in the order of their first call

``modules`` are those of the library that are loaded in the end. Walks from Python are traced with imports
warm (each is made once before); those of the command line in a process that has imported nothing yet,
since a command always starts cold.
"""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import credibly
from credibly import Predictions

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

SOURCE = str(Path(credibly.__file__).parent)
CASES = 100


@dataclass
class Trace:
    """What was entered: how often each function, and how often the file changed on the way."""

    functions: Counter[CodeType] = field(default_factory=Counter)
    changes: int = 0
    loaded: int = 0
    here: str = ""

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Note that a function of the library is entered: no body of a module or class, no comprehension."""
        code = frame.f_code
        inside = code.co_filename.startswith(SOURCE) and not code.co_name.startswith("<")
        if event != "call" or not inside or not code.co_flags & OPTIMIZED:
            return
        self.functions[code] += 1
        self.changes += code.co_filename != self.here
        self.here = code.co_filename

    @property
    def files(self) -> list[str]:
        """The files in the order in which they are first entered."""
        names = dict.fromkeys(code.co_filename for code in self.functions)
        return [str(Path(name).relative_to(SOURCE)) for name in names]

    @property
    def packages(self) -> set[str]:
        """The packages of these files; modules of the root count as one."""
        return {name.split("/")[0] if "/" in name else "" for name in self.files}

    def row(self, name: str) -> str:
        """Return the counts in one line."""
        return (
            f"{name:<34}{len(self.functions):>10}{len(self.files):>7}{len(self.packages):>10}"
            f"{self.changes:>9}{self.functions.total():>8}{self.loaded:>9}"
        )


OPTIMIZED = (
    1  # the flag of code that has local variables of its own: functions, not modules and classes
)


def traced(call: Callable[[], object]) -> Trace:
    """Run a call and say what it entered."""
    trace = Trace()
    sys.setprofile(trace)
    try:
        call()
    finally:
        sys.setprofile(None)
    trace.loaded = sum(name.startswith("credibly") for name in sys.modules)
    return trace


def sample(seed: int) -> Predictions:
    """Return predictions that have not been looked at yet."""
    rng = np.random.default_rng(seed)
    truth = np.random.default_rng(0).integers(0, 2, CASES)
    return Predictions.of(truth, score=truth + rng.normal(size=CASES))


def from_python() -> dict[str, Callable[[], Callable[[], object]]]:
    """Return the walks of Python: each makes its inputs anew and returns what is traced."""

    def of_auc() -> Callable[[], object]:
        from credibly.measures import auc

        p = sample(1)
        return lambda: auc(p.truth, p.score)

    def of_evaluate() -> Callable[[], object]:
        from credibly import evaluate

        p = sample(1)
        return lambda: evaluate(p, "auc")

    def of_compare() -> Callable[[], object]:
        from credibly import compare

        p, q = sample(1), sample(2)
        return lambda: str(compare(p, q, "auc"))

    def of_run() -> Callable[[], object]:
        from sklearn.datasets import load_iris
        from sklearn.linear_model import LogisticRegression

        from credibly import run

        inputs, target = load_iris(return_X_y=True)
        model = LogisticRegression(max_iter=500)
        return lambda: run(model, inputs, target, rng=1, progress=False)

    return {"auc": of_auc, "evaluate": of_evaluate, "compare": of_compare, "run": of_run}


def command(*arguments: str) -> object:
    """Run a command of the command line in this process."""
    from credibly.cli import main

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        return main(list(arguments))


def from_shell(folder: Path) -> dict[str, Callable[[], object]]:
    """Return the walks of the command line on a small file."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, CASES)
    score = 1 / (1 + np.exp(-truth - rng.normal(size=CASES)))
    lines = [f"{t},{s:.6f}" for t, s in zip(truth, score, strict=True)]
    file = folder / "preds.csv"
    file.write_text("\n".join(["truth,probability", *lines]) + "\n")
    return {
        "credibly-evaluate": lambda: command("evaluate", str(file)),
        "credibly-report": lambda: command("report", str(file), "-o", str(folder / "r.html")),
    }


def measured(name: str) -> Trace:
    """Trace a walk by its name."""
    warm = from_python()
    if name in warm:
        warm[name]()()
        return traced(warm[name]())
    with tempfile.TemporaryDirectory() as folder:
        return traced(from_shell(Path(folder))[name])


def main(asked: list[str]) -> None:
    """Print a table of all walks, or the files of those that are named."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if asked:
        for name in asked:
            found = measured(name)
            print(found.row(name), *found.files, sep="\n")
        return
    heads = ("functions", "files", "packages", "changes", "calls", "modules")
    print(
        f"{'walk':<34}"
        + "".join(f"{h:>{w}}" for h, w in zip(heads, (10, 7, 10, 9, 8, 9), strict=True))
    )
    with tempfile.TemporaryDirectory() as folder:
        names: list[Any] = [*from_python(), *from_shell(Path(folder))]
    for name in names:  # each in a process of its own, so that no walk warms another
        made = subprocess.run(
            [sys.executable, __file__, name], capture_output=True, text=True, check=True
        )
        print(made.stdout.splitlines()[0])


if __name__ == "__main__":
    main(sys.argv[1:])
