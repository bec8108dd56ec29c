"""Write formulas as MathML, which browsers draw themselves: no JavaScript and nothing to fetch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from latex2mathml.converter import convert

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# TP is one name, not T times P.
NAME = re.compile(r"(?<![A-Za-z\\{])([A-Z]{2,})(?![A-Za-z}])")


class FormulaError(ValueError):
    """A formula that cannot be written as MathML."""


def to_mathml(formula: str, *, block: bool = False) -> str:
    r"""Convert a formula in LaTeX's language.

    >>> to_mathml("a^2")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><msup><mi>a</mi>...'
    """
    try:
        named = NAME.sub(r"\\mathrm{\1}", formula)
        converted = convert(named, display="block" if block else "inline")
    except Exception as error:
        msg = f"cannot write the formula {formula!r} as MathML: {type(error).__name__} {error}"
        raise FormulaError(msg) from error
    if "\\" in converted:  # the converter leaves a command that it does not know as it stands
        msg = f"the formula {formula!r} holds a command that has no MathML: {converted}"
        raise FormulaError(msg)
    return converted


def visit_inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(to_mathml(node.astext()))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{to_mathml(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
