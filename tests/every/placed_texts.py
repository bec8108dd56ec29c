"""Where the texts of an SVG stand, by its transforms and about the widths of letters."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree as ET

from credibly.render.names import FONT_ALLOWANCE, width

SVG = "{http://www.w3.org/2000/svg}"
MOVE = re.compile(r"translate\(([-\d.]+),\s*([-\d.]+)\)")
UPRIGHT = re.compile(r"rotate\((?:-90|270)")
HEIGHT = 0.72  # of a capital letter, by the size of type


class Text(NamedTuple):
    """A text and the box that it takes."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Text) -> bool:
        """Whether two texts lie on each other by more than what widths of letters may be off."""
        across = min(self.right, other.right) - max(self.left, other.left)
        up = min(self.bottom, other.bottom) - max(self.top, other.top)
        narrow = min(self.right - self.left, other.right - other.left)
        return across > max(2, 0.08 * narrow) and up > 2


def texts_of(svg: str) -> tuple[float, list[Text]]:
    """Return the width of a picture and its texts."""
    root = ET.fromstring(svg)
    return float(root.get("width")), list(_texts(root, (0.0, 0.0)))


def _texts(node, at):
    moved = MOVE.search(node.get("transform", ""))
    if moved:
        at = (at[0] + float(moved[1]), at[1] + float(moved[2]))
    if node.tag == f"{SVG}text":
        if node.get("opacity") == "0":  # left out where labels would overlap
            return
        down = 0.0
        for line in (node, *node.iter(f"{SVG}tspan")):
            down += float(line.get("dy", 0))
            if (line.text or "").strip():
                yield _box(node, line.text, at, down)
        return
    for child in node:
        yield from _texts(child, at)


def _box(node, text, at, down) -> Text:
    size = float(node.get("font-size", "11px").removesuffix("px"))
    bold = 1.08 if node.get("font-weight") == "bold" else 1
    long = width(text, size) / FONT_ALLOWANCE * bold
    anchor = {"middle": 0.5, "end": 1.0}.get(node.get("text-anchor"), 0.0)
    if UPRIGHT.search(node.get("transform", "")):
        x, y = at[0] + down, at[1]
        return Text(text, x - HEIGHT * size, y - (1 - anchor) * long, x, y + anchor * long)
    x, y = at[0], at[1] + down
    return Text(text, x - anchor * long, y - HEIGHT * size, x + (1 - anchor) * long, y)
