"""Record docs/first-half-hour.rst: type its lines at a prompt 80 columns wide, and write down the answers.

python scripts/record_half_hour.py            # records the page again
python scripts/record_half_hour.py --check    # fails where the page is not what happens
python scripts/record_half_hour.py --notebook half-hour.ipynb   # the same lines, executed (needs nbclient and ipykernel)
"""

import argparse
import ast
import io
import os
import re
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from itertools import takewhile
from pathlib import Path
from textwrap import wrap
from unittest.mock import patch

PAGE = Path(__file__).parents[1] / "docs" / "first-half-hour.rst"
BLOCK = re.compile(r"(?m)^\.\. code-block:: pycon\n\n((?:   .*\n|\n)+)")
PROMPT = "   >>> "
COLUMNS, MOST = 80, 26  # of the terminal, and the lines of an answer that are kept


class Terminal(io.StringIO):
    """What a prompt writes to."""

    def isatty(self):
        return True


def typed(page):
    """Return the lines that are typed, a list for each block of a page."""
    blocks = BLOCK.findall(page)
    return [
        [line.removeprefix(PROMPT) for line in block.splitlines() if line.startswith(PROMPT)]
        for block in blocks
    ]


def answer(line, names):
    """Type a line, and return what is seen."""
    out = Terminal()
    try:
        with redirect_stdout(out):
            exec(compile(f"{line}\n", "<prompt>", "single"), names)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        folded = (part for each in said.split("\n") for part in wrap(each, COLUMNS))
        return ["Traceback (most recent call last):", "  ...", *folded]
    lines = out.getvalue().rstrip("\n").splitlines()
    more = len(lines) - MOST
    return lines if more <= 1 else [*lines[:MOST], f"[{more} more lines]"]


def recorded(page):
    """Return the page with every answer as it is now."""
    names = {}

    def block(lines):
        told = ((f"{PROMPT}{line}", *(f"   {a}" for a in answer(line, names))) for line in lines)
        return "\n".join(part.rstrip() for each in told for part in each)

    terminal = patch.dict(os.environ, COLUMNS=str(COLUMNS))
    with tempfile.TemporaryDirectory() as somewhere, chdir(somewhere), terminal:
        answers = iter([block(lines) for lines in typed(page)])
    return BLOCK.sub(lambda _: f".. code-block:: pycon\n\n{next(answers)}\n\n", page)


def is_preparation(line):
    """Whether a line shows nothing: an import or an assignment."""
    statement = ast.parse(line).body[0]
    return not isinstance(statement, ast.Expr)


def notebook(page, path):
    """Execute the lines of a page in a notebook, a cell each but for preparations, and write it."""
    import nbformat
    from nbclient import NotebookClient

    made = nbformat.v4.new_notebook()
    for lines in typed(page):
        prepared = list(takewhile(is_preparation, lines))
        cells = ["\n".join(prepared)] if prepared else []
        cells += lines[len(prepared) :]
        made.cells += [nbformat.v4.new_code_cell(cell) for cell in cells]
    with tempfile.TemporaryDirectory() as somewhere:
        where = {"metadata": {"path": somewhere}}
        NotebookClient(made, timeout=120, allow_errors=True, resources=where).execute()
    nbformat.write(made, path)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--check", action="store_true")
    options.add_argument("--notebook", metavar="FILE")
    asked = options.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    if asked.notebook:
        notebook(page, asked.notebook)
        return
    now = recorded(page)
    if asked.check:
        sys.exit(None if now == page else f"{PAGE.name} is not what happens: record it again.")
    PAGE.write_text(now, encoding="utf-8")


if __name__ == "__main__":
    main()
