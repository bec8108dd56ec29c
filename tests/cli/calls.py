"""How each command is called with a file, and files to call it with."""

from functools import cache
from pkgutil import iter_modules
from sys import intern

from credibly.cli import build, commands, options_of

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
    "join": ["-o", "joined.csv"],
    "merge": ["-o", "merged.csv"],
    "summarise": ["-o", "summary.parquet"],
    "run": ["--scheme", "zero-r"],
    "boundaries": ["--scheme", "zero-r", "--points", "5"],
    "mdl": ["--scheme", "zero-r"],
    "bias-variance": ["--scheme", "zero-r", "--replicates", "3", "--rng", "1"],
    "learning-curve": ["--scheme", "zero-r", "--resampling", "2", "--sizes", "0.5,1.0"],
    "ensemble-curve": ["--scheme", "bagging", "--resampling", "2", "--sizes", "1,2"],
    "agreement": ["--judges", "y,p"],
    "prediction-sets": ["--truth", "y", "--sets", "p"],
    "forecasts": ["--truth", "y", "--members", "p"],
    "survival": ["--time", "p", "--event", "y", "--risk", "p"],
    "label-sets": ["--truth", "y", "--probability", "p"],
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


@cache
def options(name):
    """Return the options of a command, each of which is one text for all commands that have it."""
    return sorted(intern(o) for o in options_of(build([name]), [name]) if o.startswith("--"))
