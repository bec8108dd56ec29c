"""Write formulas as MathML, which browsers draw themselves: no JavaScript and nothing to fetch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes

from credibly._core.formulas import to_mathml

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def visit_inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(to_mathml(node.astext()))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="formula">{to_mathml(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
