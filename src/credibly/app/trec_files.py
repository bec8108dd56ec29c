"""TREC's files of judgements and of rankings, which say something only together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly.case_scores import rankings
from credibly.io._files import read_head
from credibly.io.classes import as_number

if TYPE_CHECKING:
    from credibly.case_scores.rankings import Rankings

JUDGED, RANKED = "judged", "ranked"
FIELDS = {JUDGED: (4, 3), RANKED: (6, 4)}  # how many a line has, and which of them is the number
HEAD = 65_536
WAITING = {
    JUDGED: "These are judgements of documents by query. Add the rankings, one file per system.",
    RANKED: "These are rankings of documents by query. Add the file of judgements (qrels), and other systems.",
}


def trec_part(path: Path) -> str:
    r"""Return whether a file holds judgements or rankings in TREC's form; nothing for any other.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "q.txt")
    >>> _ = path.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    >>> trec_part(path)
    'judged'
    >>> _ = path.write_text("y,p\n1,0.5\n")
    >>> trec_part(path)
    ''
    """
    text = read_head(path, HEAD).decode("utf-8", errors="replace")
    lines = [line.split() for line in text.splitlines()[:-1][:20] if line.strip()]
    for part, (fields, number) in FIELDS.items():
        if lines and all(len(x) == fields and as_number(x[number]) is not None for x in lines):
            return part
    return ""


def read_parts(path: Path, options: dict[str, Any]) -> Rankings:
    """Read judgements with the rankings that the options name."""
    return rankings(path, {name: Path(run) for name, run in options["runs"].items()})
