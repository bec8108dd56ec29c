"""The pieces that generated pages are put together from: headings, tables, and text of docstrings."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING

from credibly._core.formulas import FORMULA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def heading(text: str, mark: str) -> str:
    return f"{text}\n{mark * len(text)}\n"


def escape(text: str) -> str:
    """Keep plain words from being read as markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def inline(text: str) -> str:
    """Turn ``$formula$`` and ```code``` of a docstring into roles."""
    out = []
    # A role, whose target need not be known here.
    text = re.sub(r":\w+:`~?([^`]+)`", r"``\1``", text)
    for part in re.split(r"(\$[^$]+\$|``[^`]+``|`[^`]+`)", " ".join(text.split())):
        if FORMULA.fullmatch(part):
            out.append(f":math:`{part[1:-1]}`")
        elif part.startswith("`"):
            out.append(f"``{part.strip('`')}``")
        else:
            # A role must not touch a letter.
            glue = r"\ " if out and part[:1].isalnum() else ""
            out.append(glue + escape(part))
    return "".join(out)


def body(doc: str) -> tuple[list[str], list[str]]:
    """Split a description into its paragraphs, as reStructuredText, and its worked examples."""
    text, examples = [], []
    for paragraph in re.split(r"\n\s*\n", cleandoc(doc)):
        if paragraph.startswith(">>>"):
            examples.append(paragraph)
        elif FORMULA.fullmatch(paragraph.strip()):
            text.append(f".. math:: {' '.join(paragraph.split())[1:-1]}")
        else:
            text.append(inline(paragraph))
    return text, examples


def table(
    header: Sequence[str], rows: Iterable[Sequence[str]], *, style: str = "wide", widths: str = ""
) -> str:
    lines = [".. list-table::", f"   :class: {style}"]
    if widths:
        lines.append(f"   :widths: {widths}")
    lines.append("   :header-rows: 1" if header else "   :stub-columns: 1")
    lines.append("")
    for row in [header, *rows] if header else rows:
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}".rstrip() for i, cell in enumerate(row)]
    return "\n".join(lines) + "\n"


def indented(text: str, by: int = 3) -> str:
    return "\n".join(" " * by + line if line else "" for line in text.splitlines())


def number(x: float) -> str:
    return f"{x:g}".replace("inf", "∞").replace("-", "−")
