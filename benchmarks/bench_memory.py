"""Extra memory of the binary panel at n = 1e7 against the eight scikit-learn calls, each in its own process."""

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


def main():
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
