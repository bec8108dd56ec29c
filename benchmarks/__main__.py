"""Run every benchmark, or those named: python -m benchmarks [panel thresholds start memory ...]."""

import os
import sys
from importlib import import_module
from pathlib import Path

for pool in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA"):
    os.environ.setdefault(f"{pool}_NUM_THREADS", "1")  # before numpy is imported

HERE = Path(__file__).parent
KNOWN = sorted(f.stem for f in HERE.glob("bench_*.py"))


def main() -> None:
    asked = [f"bench_{name}" for name in sys.argv[1:]] or KNOWN
    unknown = sorted(set(asked) - set(KNOWN))
    if unknown:
        sys.exit(f"no benchmark {unknown[0][6:]}; there are: {', '.join(k[6:] for k in KNOWN)}")
    for name in asked:
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
