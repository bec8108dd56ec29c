"""Sentences that people see are plain English: constructions that came back too often are refused.

Each entry has the pattern, and what to write instead; CONTRIBUTING says more under "Words".
"""

import ast
import re
from functools import cache
from pathlib import Path

from sources import SOURCE, nodes_of, trees

ROOT = Path(__file__).parents[1]
THING = "case|class|level|row|line|scheme|dataset|comparison|split|model|fold|use|target|command"
NOUN = (
    "file|folder|scenario|number|finite number|plain file|class label|class labels|text file|"
    "proportion|resampling|Parquet file|TOML file|ARFF file|JSON|Weka output|size|class|classes|word"
)
BANNED = {
    rf"\bone (?:row|column|number|file|object|line|penalty|module) an? (?:{THING})\b": "per",
    rf"\ban? (?:row|column) an? (?:{THING})\b": "one row per ...",
    r"(?<!there )\b(?:is|are) none of (?!the (?:files|datasets|judged))": "is not one of",
    rf"(?<!there )(?<!There )\b(?:is|are) no (?:{NOUN})\b(?! (?:of|in|to|for|that|which|has|left)\b)": "is not a ...",
    r"\bfor want of\b": "because ... is missing",
    r"\b(?:tells?|told) (?:the |them |these |two )?(?:\w+ )?apart\b": "distinguish, differ",
    r"\bforetells?\b": "predict",
    r"\bof theirs\b": "of these ...",
    r"(?<!you )(?<!who )(?<!reader )\bwants? (?:a|an|the|to)\b": "needs",
    r"\btoo hopeful\b": "too optimistic",
    r"\b(?:mends?|mended|mending)\b": "fix",
    r"\bdearer\b|\b(?:as|so|too|times) dear\b": "more expensive",
    r"\bby heart\b": "memorised",
    r"\bheeds?\b": "take into account",
    r"\b(?:drawn|made|learning|learn|fits?|fitted|computed|estimated|split|written?) anew\b": "again, newly",
    r"\b(?:takes?|took|taken) (?:them|cases|that|it) for (?!granted)": "treat as",
    r"\bcommonest\b": "most common",
    r"\bwhen not given\b": "by default",
    rf"\b(?:dictionary|object|samples|fits|pass|estimate|deviations) an? (?:{THING}|cell|pair|point|replicate|repeat|feature)\b": "per ...",
    r"\bunless told otherwise\b": "unless you say otherwise, by default ...",
    r"\bought to\b": "should",
    r"\b[Ee]ach of both\b": "each, both",
    r"\bp of that\b": "p-value",
    r"\b\d+ times in \d+\b": "a level in percent",
    r"\bis unknown: they\b": "is missing in ..., which",
    r"(?<!all )\bbut for\b": "except for",
    r"\b(?:likelier|commoner)\b": "more likely, more common",
    r"\bthis is no (?:tuning|test|interval)\b": "this is not ...",
    r"\b(?:is|are|was|were) told\b": "gets, is given; or say who tells whom",
    r"\btold of\b": "named for, told about",
    r"\bhangs? on\b": "depends on",
    r"\bturn(?:s|ed)? round\b": "reverse, invert",
    r"\bspeaks? (?:for|of)\b": "favour, name, be about",
    r"\bis not said\b": "it is not clear ...",
    r"\btakes? for granted\b": "assume",
    r"\bas ever\b": "as usual",
}


@cache
def sentences() -> list[tuple[str, int, str]]:
    """Return file, line and text of every literal that may be shown, and of the help of commands."""
    found = []
    for path in trees():
        nodes = nodes_of(path)
        inside = {id(n) for j in nodes if isinstance(j, ast.JoinedStr) for n in ast.walk(j)}
        silent = set() if path.parent.name == "commands" else documentation(nodes)
        silent |= inside
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in node.values)
                text = "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = "" if id(node) in silent else node.value
            else:
                continue
            if re.search(r"[a-z]{2,} [a-z]", text):
                found.append((str(path.relative_to(ROOT)), node.lineno, " ".join(text.split())))
    return found


@cache
def prose() -> list[tuple[str, int, str]]:
    """Return what is read in the documentation: docstrings, pages without their code, and the page's words."""
    found = []
    for path in trees():
        for node in nodes_of(path):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = (ast.get_docstring(node) or "").partition(">>>")[0]
                found.append((path, getattr(node, "lineno", 1), text))
    for path in sorted((ROOT / "docs" / "examples").glob("*.py")):  # of which the gallery is made
        source = path.read_text(encoding="utf-8")
        words = [source.split('"""')[1], *re.findall(r"(?m)(?:^# .*\n)+", source)]
        found += [(path, i, text.replace("\n# ", "\n")) for i, text in enumerate(words)]
    pages = [p for p in (ROOT / "docs").rglob("*.rst") if "gallery" not in p.parts]
    for path in [*sorted(pages), ROOT / "README.md", ROOT / "ARCHITECTURE.md"]:
        paragraphs = re.split(r"\n\n+", path.read_text(encoding="utf-8"))
        found += [(path, i, text) for i, text in enumerate(paragraphs) if ">>>" not in text]
    for path in sorted((SOURCE / "app" / "browser").glob("*.*")):
        lines = path.read_text(encoding="utf-8").split("\n")
        found += [(path, i, line) for i, line in enumerate(lines, 1)]
    return [(str(path.relative_to(ROOT)), i, " ".join(text.split())) for path, i, text in found]


def documentation(nodes: list[ast.AST]) -> set[int]:
    """Return the docstrings, which only of commands are what people read as help."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [n.body for n in nodes if isinstance(n, holders) and n.body]
    firsts = [body[0].value for body in bodies if isinstance(body[0], ast.Expr)]
    return {id(value) for value in firsts}


def test_no_sentence_falls_back():
    """One test of all patterns, because to collect the sentences takes longest."""
    any_of_them = re.compile("|".join(f"(?:{pattern})" for pattern in BANNED))
    every = [each for each in (*sentences(), *prose()) if any_of_them.search(each[-1])]
    found = [
        f"{f}:{line}: write {better!r} instead: {text}"
        for pattern, better in BANNED.items()
        for f, line, text in every
        if re.search(pattern, text)
    ]
    assert not found, "\n".join(found)


def test_remedies_leave_arguments_to_the_surface():
    """Only Python writes ``.where(model=...)``: a sentence takes it from `OneModel`."""
    spoken = [(f, line, text) for f, line, text in sentences() if "Select one with" in text]
    assert spoken
    assert all(".where(" not in text for _, _, text in spoken)


def test_the_patterns_see_what_they_are_for():
    said = (
        "one column a level, is none of a, data.csv is no file, left out for want of a number, "
        "a bar joins what it does not tell apart, this wants a score, its cost is too hopeful, "
        "one dictionary a pair, 1,000 samples a cell, equal but for rounding, it ought to hold"
    )
    seen = [pattern for pattern in BANNED if re.search(pattern, said)]
    assert len(seen) == 10
    fine = "There is no file p.csv, one row per case, and it is no better than chance."
    assert not [pattern for pattern in BANNED if re.search(pattern, fine)]
