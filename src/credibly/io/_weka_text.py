"""What Weka prints around its predictions, and predictions printed as plain text."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import NamedTuple

from credibly.errors import DataError, says
from credibly.io._files import open_bytes

CAPTION = re.compile(r"=== Predictions (.*?) ===")
CSV_HEADER = re.compile(r"inst#[,\t]actual[,\t]predicted[,\t]error\b", re.IGNORECASE)
PLAIN_HEADER = re.compile(
    r"\s*inst#\s+actual\s+predicted\s+error(?:\s+(prediction|distribution))?(?:\s+\((.*)\))?\s*"
)
NUMBER = r"-?(?:\d+\.?\d*(?:E-?\d+)?|NaN|\?)"
CLASS_ROW = re.compile(
    rf"\s*(\d+)\s+(\d+:.+?|\?)\s+(\d+:.+?|\?)\s+(\+)?\s*((?:\*?{NUMBER},)*\*?{NUMBER})(?:\s+\((.*)\))?\s*"
)
NUMBER_ROW = re.compile(rf"\s*(\d+)\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})(?:\s+\((.*)\))?\s*")
TRAINING = "training"


class WekaSection(NamedTuple):
    """Lines of predictions: what they are about, where they start, and their header first."""

    about: str
    start: int
    lines: list[str]


def unwrapped(path: Path) -> tuple[str, bool]:
    """Return the predictions in what Weka printed as delimited text, and whether they are of training data.

    Line numbers stay what they are.
    """
    chosen = _chosen(_sections(_lines(path)), path)
    body = chosen.lines if CSV_HEADER.match(chosen.lines[0]) else _delimited(chosen, path)
    trained = TRAINING in chosen.about.lower()
    return "\n" * chosen.start + "\n".join(body) + "\n", trained


def _lines(path: Path) -> list[str]:
    with open_bytes(path) as file:
        return file.read().decode("utf-8-sig", errors="replace").splitlines()


def _sections(lines: list[str]) -> list[WekaSection]:
    """Return the tables of predictions, each up to an empty line or the next caption."""
    found: list[WekaSection] = []
    about, inside = "", False
    for number, line in enumerate(lines):
        caption = CAPTION.fullmatch(line.strip())
        if caption:
            about, inside = caption[1], False
        elif CSV_HEADER.match(line) or PLAIN_HEADER.fullmatch(line):
            found.append(WekaSection(about, number, [line]))
            inside = True
        elif inside and line.strip() and not line.startswith("==="):
            found[-1].lines.append(line)
        else:
            inside = False
    return found


def _chosen(sections: list[WekaSection], path: Path) -> WekaSection:
    """Return the one table, or the one that is not of training data."""
    if not sections:
        raise DataError(
            f"{path.name} holds Weka output without predictions.",
            remedy=says(
                "Have Weka print them: -classifications "
                '"weka.classifiers.evaluation.output.prediction.CSV -distribution". '
                "Its confusion matrix is read with <matrix=True>."
            ),
        )
    others = [s for s in sections if TRAINING not in s.about.lower()]
    left = others if len(sections) > 1 else sections
    if len(left) != 1:
        listed = ", ".join(repr(f"Predictions {s.about}".strip()) for s in sections[:6])
        raise DataError(
            f"{path.name} holds {len(sections)} tables of predictions: {listed}. Keep one of them."
        )
    return left[0]


def _delimited(section: WekaSection, path: Path) -> list[str]:
    """Write a table of plain text with tabs, as Weka writes it if asked for."""
    header = PLAIN_HEADER.fullmatch(section.lines[0])
    kind, attributes = (header[1], header[2]) if header else (None, None)
    names = [] if attributes is None else attributes.split(",")
    pattern = NUMBER_ROW if kind is None else CLASS_ROW
    rows = []
    for number, line in enumerate(section.lines[1:], start=section.start + 2):
        match = pattern.fullmatch(line)
        if match is None:
            raise DataError(
                f"{path.name}, line {number}: this line is not a prediction as Weka prints them: {line[:80]!r}"
            )
        *cells, more = match.groups()
        said = [] if kind is None else (cells.pop() or "").split(",")
        values = [] if more is None else more.split(",", max(len(names) - 1, 0))
        rows.append([c or "" for c in cells] + said + values)
    spread = [] if kind is None else [kind, *[""] * (_widest(rows, len(names)) - 1)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(["inst#", "actual", "predicted", "error", *spread, *names])
    writer.writerows(rows)
    return out.getvalue().splitlines()


def _widest(rows: list[list[str]], attributes: int) -> int:
    """Return of how many numbers a distribution is; one "?" stands for all of a case without."""
    return max([1, *(len(row) - 4 - attributes for row in rows)])
