"""Count the code proper of each package of src/credibly, in the working tree or at a git revision.

Code proper is every line that is not blank and not part of a docstring, a comment, an import or a
raise statement. `--groups` adds three groups, in which a line counts once, in the first that has it:

- command line: cli/ and the calls, schemas and openapi of app/;
- declarations: modules called _declare, declare or declaring, and every __init__.py;
- results: modules called result or results and, in the classes of all others, the methods that
  present a result, with the private methods of the same class that these use.

    python scripts/count_code.py [REVISION] [--groups]
"""

import argparse
import ast
import io
import subprocess
import tarfile
import tokenize
from collections import Counter
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent.parent
SOURCE = "src/credibly"
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
PRESENTING = {
    "to_dict",
    "to_json",
    "rows",
    "frame",
    "cells",
    "__str__",
    "__repr__",
    "_repr_html_",
    "plot",
    "heading",
    "said",
    "told",
}


def modules(revision):
    """Return the text of every module by its path inside the package."""
    if revision is None:
        paths = sorted((ROOT / SOURCE).rglob("*.py"))
        return {p.relative_to(ROOT / SOURCE).as_posix(): p.read_text("utf-8") for p in paths}
    command = ["git", "-C", str(ROOT), "archive", revision, SOURCE]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return {
            m.name.removeprefix(SOURCE + "/"): tar.extractfile(m).read().decode("utf-8")
            for m in tar
            if m.name.endswith(".py")
        }


def span(node):
    """Return the lines of a statement, decorators included."""
    decorators = getattr(node, "decorator_list", [])
    return range(min([node.lineno, *(d.lineno for d in decorators)]), node.end_lineno + 1)


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def code_lines(text, tree):
    """Return the numbers of the lines that are code proper."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    lines -= {i for i, line in enumerate(text.splitlines(), 1) if not line.strip()}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Raise) or is_docstring(node):
            lines.difference_update(span(node))
    return lines


def presenting_lines(tree):
    """Return the lines of methods that present a result, and of the private ones that they use."""
    lines = set()
    for cls in (n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)):
        methods = {n.name: n for n in cls.body if isinstance(n, FUNCTIONS)}
        waiting = [name for name in methods if name in PRESENTING]
        found = set(waiting)
        while waiting:
            node = methods[waiting.pop()]
            lines.update(span(node))
            used = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
            helpers = {u for u in used & set(methods) - found if u.startswith("_")}
            found |= helpers
            waiting += helpers
    return lines


def group_of(path):
    """Return the group of a whole module, if it has one."""
    parts = PurePosixPath(path).with_suffix("").parts
    if parts[0] == "cli" or parts in {("app", "calls"), ("app", "schemas"), ("app", "openapi")}:
        return "command line"
    if parts[-1] in {"_declare", "declare", "__init__"} or "declaring" in parts:
        return "declarations"
    return "results" if parts[-1] in {"result", "results"} else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", nargs="?", help="count this revision, not the working tree")
    parser.add_argument("--groups", action="store_true", help="also count three groups of code")
    asked = parser.parse_args()

    packages, groups = Counter(), Counter()
    for path, text in modules(asked.revision).items():
        tree = ast.parse(text)
        lines = code_lines(text, tree)
        first, _, rest = path.partition("/")
        packages[first if rest else "(top)"] += len(lines)
        group = group_of(path)
        if group is None:
            groups["results"] += len(lines & presenting_lines(tree))
        else:
            groups[group] += len(lines)

    for name, count in sorted(packages.items()):
        print(f"{name:20}{count:8,}")
    print(f"{'total':20}{packages.total():8,}")
    if asked.groups:
        print()
        for name in ("results", "declarations", "command line"):
            print(f"{name:20}{groups[name]:8,}")
        print(f"{'the rest':20}{packages.total() - groups.total():8,}")


if __name__ == "__main__":
    main()
