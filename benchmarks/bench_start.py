"""From process start to output: the command line against importing scikit-learn's metrics."""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.interleaved import best_times, print_table


def processor_time():
    """Return the processors' time of all commands so far, which other work on the machine does not add to."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "small.csv"
        rows = "".join(f"{i % 3 == 0:d},{((i * 37) % 101) / 101}\n" for i in range(200))
        small.write_text("truth,probability\n" + rows)

        # As installed: with compiled files, which the first round writes if need be.
        plain = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

        def run(*command):
            return lambda: subprocess.run(
                [sys.executable, *command], check=True, capture_output=True, env=plain
            )

        main = "from credibly.__main__ import main; import sys; sys.exit(main())"
        best = best_times(
            {
                "peer": run("-c", "import sklearn.metrics"),
                "evaluate": run("-c", main, "evaluate", str(small), "--json"),
                "help": run("-c", main, "--help"),
                "import": run("-c", "import credibly"),
                "python": run("-c", "pass"),
            },
            rounds=12,
            clock=processor_time,
        )
    rows = [
        [name, f"{best[name] / best['peer']:.3f}"]
        for name in ("evaluate", "help", "import", "python")
    ]
    print_table("Start-up as a share of `import sklearn.metrics`", ["command", "share"], rows)
