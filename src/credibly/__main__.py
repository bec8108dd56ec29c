"""The script `credibly`, and `python -m credibly` where that is not on the path."""

import gc
import sys
from io import TextIOWrapper

ROOMY = 100_000  # new objects before unreachable ones are sought: imports make many and leave none


def main() -> int:
    """Run the command line; Ctrl-C is taken care of before anything else is imported."""
    from credibly._core.interruption import leave_at_once

    leave_at_once()
    gc.set_threshold(ROOMY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # letters that a terminal lacks are shown by number
            stream.reconfigure(errors="backslashreplace")
    from credibly.cli import main as command

    return command()


if __name__ == "__main__":
    raise SystemExit(main())
