"""The source of the library as trees, which several tests read; each file is parsed once per process."""

import ast
from functools import cache
from pathlib import Path

import credibly

SOURCE = Path(credibly.__file__).parent


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def trees(holding: str = "") -> dict[Path, ast.Module]:
    """Return the tree of every module by its file; to parse all takes long, so say what a file must hold."""
    files = sorted(SOURCE.rglob("*.py"))
    return {path: tree_of(path) for path in files if holding in path.read_text(encoding="utf-8")}
