"""Remake the table of published figures beside ours: python -m tests.simulation.published."""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from threadpoolctl import threadpool_limits

from ..coverage import write
from . import DESIGNS, SEED, for_the_page, rows_of


def declared():
    """Import the modules of this package and return their designs, by paper."""
    folder = Path(__file__).parent
    for module in iter_modules([str(folder)]):
        if module.name != "__main__":
            import_module(f"{__package__}.{module.name}")
    return dict(sorted(DESIGNS.items(), key=lambda item: item[1].paper))


def prepared():
    """Prepare a worker: matrices are small, and threads of several workers only wait for each other."""
    threadpool_limits(1)
    declared()


def main():
    """Make the rows of all designs, or of some, and write both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=Path("published.csv"))
    parser.add_argument("--samples", type=int, help="Fewer samples than a design declares.")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="Names of designs.")
    asked = parser.parse_args()
    made = []
    with ProcessPoolExecutor(asked.jobs, initializer=prepared) as workers:
        for name, each in declared().items():
            if asked.only and name not in asked.only:
                continue
            made += rows_of(each, asked.samples, asked.seed, partial(workers.map, chunksize=4))
            write(made, asked.output)
            write(for_the_page(made), asked.output.with_name(f"{asked.output.stem}-page.csv"))
            print(name, file=sys.stderr)  # noqa: T201


if __name__ == "__main__":
    main()
