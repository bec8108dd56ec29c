"""Remake every table of the page on validity, by the commands that stand there: python -m tests.simulation."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "validity.rst"


def commands():
    """Return the commands of the page, in their order."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(r"^    python -m (tests\.simulation\.\w.*)$", text, re.MULTILINE)


def main():
    """Run all commands, one after the other; the first that fails ends it."""
    for command in commands():
        print(f"python -m {command}", file=sys.stderr)  # noqa: T201
        subprocess.run([sys.executable, "-m", *shlex.split(command)], check=True)


if __name__ == "__main__":
    main()
