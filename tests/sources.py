"""The source of the library as trees, which several tests read; each file is parsed once per process."""

import ast
import gc
from functools import cache
from pathlib import Path

import credibly

SOURCE = Path(credibly.__file__).parent


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return all nodes of a file, the outer before the inner: to walk takes as long as to parse."""
    return list(ast.walk(tree_of(path)))


def trees(holding: str = "") -> dict[Path, ast.Module]:
    """Return the tree of every module by its file; to parse all takes long, so say what a file must hold."""
    files = sorted(SOURCE.rglob("*.py"))
    gc.disable()  # trees stay, and to look through them for garbage takes longer than to parse
    try:
        return {p: tree_of(p) for p in files if holding in p.read_text(encoding="utf-8")}
    finally:
        gc.enable()
