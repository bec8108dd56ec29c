"""Sentences hold the arguments of which they speak as data, so that each surface writes them."""

import ast
import re

from sources import SOURCE, trees

BY_HAND = re.compile(r"(?<![\w<(.])[a-z]\w*=\.\.\.")
TEMPLATES = {"says", "finding"}


def texts(node):
    """Yield the texts of a module that are neither a description nor a template."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in TEMPLATES:
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    for inside in ast.iter_child_nodes(node):
        yield from texts(inside)


def test_no_argument_is_written_into_a_sentence_by_hand():
    found = [
        f"{path.relative_to(SOURCE)}:{text.lineno}: {text.value}"
        for path, tree in trees(holding="=...").items()
        for text in texts(tree)
        if BY_HAND.search(re.sub(r"\([^()]*\)", "", text.value))  # but in calls, which are Python
    ]
    assert not found, 'Write says("... <name=...> ..."): ' + "; ".join(found)
