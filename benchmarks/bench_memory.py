"""Extra memory of the binary panel against the eight scikit-learn calls, and of verbs beside their input.

Each runs in a process of its own.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.bench_panel import scores
from benchmarks.interleaved import print_table

PROGRAM = """
import re, sys
from pathlib import Path
import numpy as np
from benchmarks import bench_panel
function = getattr(bench_panel, sys.argv[1])
# Linux's own high-water mark: getrusage's is inherited from the parent process.
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
y, s = bench_panel.scores("smooth", 200_000, np.random.default_rng(0))
function(y, s)  # loads and compiles
y, s = np.load(sys.argv[2]), np.load(sys.argv[3])
before = peak()
function(y, s)
print(peak() - before)
"""


VERBS = {
    "one measure": ("credibly.measures.auc(y, s)", 4),
    "one measure with its interval": (
        "credibly.evaluate(credibly.Predictions.of(y, probability=s), 'auc')",
        4,
    ),
    "all measures": ("credibly.evaluate(credibly.Predictions.of(y, probability=s))", 10),
    "a report": ("credibly.report(credibly.Predictions.of(y, probability=s)).html()", 10),
}
OF_A_VERB = """
import re, sys
from pathlib import Path
import numpy as np
import credibly
from benchmarks.bench_panel import scores
def told(what):
    return int(re.search(what + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024
for n in (200_000, 4_000_000):  # the first loads and compiles
    y, s = scores("smooth", n, np.random.default_rng(0))
    Path("/proc/self/clear_refs").write_text("5")  # forgets the high-water mark
    before = told("VmRSS")
    eval(sys.argv[1])
    extra = (told("VmHWM") - before) / (y.nbytes + s.nbytes)
print(extra)
"""


def beside_the_input():
    rows = []
    for what, (call, aim) in VERBS.items():
        done = subprocess.run(
            [sys.executable, "-c", OF_A_VERB, call], check=True, capture_output=True, text=True
        )
        rows.append([what, f"{float(done.stdout):.1f}", f"{aim}"])
    print_table("Extra memory at n = 4e6, of the input's", ["what", "times", "aim: at most"], rows)


def main():
    beside_the_input()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("y.npy", "s.npy")]
        for file, array in zip(
            files, scores("smooth", 10**7, np.random.default_rng(0)), strict=True
        ):
            np.save(file, array)

        def extra(function):
            command = [sys.executable, "-c", PROGRAM, function, *map(str, files)]
            return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

        peer, ours, full = (extra(f) for f in ("eight_calls", "panel", "panel_with_curves"))
    rows = [
        ["eight scikit-learn calls", f"{peer:.0f}", "1"],
        ["panel, curves as one table", f"{ours:.0f}", f"{ours / peer:.2f}"],
        ["panel, all curves copied", f"{full:.0f}", f"{full / peer:.2f}"],
    ]
    print_table("Extra memory at n = 1e7", ["what", "MB", "share"], rows)
