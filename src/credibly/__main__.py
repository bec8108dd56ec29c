"""The script `credibly`, and `python -m credibly` where that is not on the path."""

import gc
import os
import sys
from io import TextIOWrapper

# New objects before the collector looks for cycles: imports make many and drop few.
GARBAGE_THRESHOLD = 100_000


def main() -> int:
    """Run the command line; Ctrl-C is taken care of before anything else is imported."""
    from credibly._core.interruption import leave_at_once

    leave_at_once()
    gc.set_threshold(GARBAGE_THRESHOLD)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who called us
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # letters that a terminal lacks are shown by number
            stream.reconfigure(errors="backslashreplace")
    from credibly.cli import main as command

    return command()


if __name__ == "__main__":
    raise SystemExit(main())
