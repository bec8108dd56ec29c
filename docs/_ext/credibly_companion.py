"""The companion to the texts: code that is run while its page is written, beside what the texts print.

A block of a page of the companion looks like this::

    .. computed:: 8.2 The score interval of a success rate
       :text: Witten, Frank and Hall, section 5.2
       :figures: wf-wilson-N1000: lower_exact_z = limits.low; upper_exact_z = limits.high
       :draw: credibly.plot(table)

       >>> limits = ...

The numbers name the capabilities that the block shows (several, or none). Each line of ``figures`` names
golden figures and says which of its numbers is which expression; the page shows it beside the one
that the text prints and the one that was recomputed. ``draw`` is an expression for a figure. All blocks of
a page share their names, from the top down. Pages of other parts use such blocks too.

Output that is not what stands below the code, or a figure that is not met, is a warning, which fails the build.

``.. capabilities::`` lists every capability with the block that shows it.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, DocTest, DocTestParser, DocTestRunner, Example
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

FOLDER = Path(__file__).parents[1] / "companion"
GOLDENS = Path(__file__).parents[2] / "tests" / "golden" / "seed_goldens.json"
NUMBERS = re.compile(r"(?:\d+\.\d+(?:, | |$))*")  # before the title of a block
TITLES = dict(
    line.split(" ", 1)
    for line in (FOLDER / "capabilities.txt").read_text(encoding="utf-8").splitlines()
)
CAPABILITIES = [number for number in TITLES if "." in number]
LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True)
class Block:
    """One computed block: what it shows, the code, and the figures of the texts to compare with."""

    argument: str
    code: str
    options: dict[str, str] = field(default_factory=dict)

    @property
    def numbers(self) -> list[str]:
        return re.findall(r"[\d.]+", NUMBERS.match(self.argument)[0])  # type: ignore[index]

    @property
    def title(self) -> str:
        return self.argument[NUMBERS.match(self.argument).end() :]  # type: ignore[union-attr]

    @property
    def examples(self) -> list[Example]:
        return DocTestParser().get_examples(self.code)

    def doors(self, imported: dict[str, str]) -> list[str]:
        """Name the public functions that are called, and keep in mind where names were imported from."""
        for module, names in re.findall(r"from (credibly[\w.]*) import \(?([\w, .\n]+)", self.code):
            imported |= dict.fromkeys(re.findall(r"\w+", names), module)
        called = re.findall(r"(?<![\w.])(\w+)((?:\.\w+)*)\(", self.code)
        return [
            f"credibly{rest}" if name == "credibly" else f"{imported[name]}.{name}"
            for name, rest in dict.fromkeys(called)
            if (name == "credibly" and rest) or name in imported
        ]

    def figures(self) -> Iterator[tuple[str, str, str]]:
        """Yield golden figure, name of the number and the expression that computes it."""
        for line in filter(None, map(str.strip, self.options.get("figures", "").split("\n"))):
            ids, _, rest = line.partition(": ")
            for golden, assignment in product(ids.split(","), rest.split(";")):
                key, _, expression = assignment.partition("=")
                yield golden.strip(), key.strip(), expression.strip()

    def problems(self, names: dict[str, Any], where: str) -> Iterator[str]:
        """Run the code, and yield what differs from the output below it and from the figures of the texts."""
        runner = DocTestRunner(optionflags=NORMALIZE_WHITESPACE | ELLIPSIS)
        test = DocTest(self.examples, names, where, None, 0, self.code)
        test.globs = names  # not a copy: functions of earlier blocks see what later ones name
        said: list[str] = []
        runner.run(test, out=said.append, clear_globs=False)
        yield from said
        for golden, key, expression in self.figures():
            same = _tests().same
            case = _tests().CASES[golden]
            tolerance = case.get("tolerances", {}).get(key, case["tolerance"])
            try:
                same(eval(expression, names), case["expected"][key], tolerance, f"{golden}: {key}")  # noqa: S307
            except AssertionError as error:
                yield str(error)


def _tests() -> Any:
    """Return the figures of the texts, as the tests compare them."""
    folder = str(GOLDENS.parents[1])
    if folder not in sys.path:
        sys.path.append(folder)
    from golden import goldens

    return goldens


def blocks(text: str) -> Iterator[Block]:
    """Find the computed blocks of a page, in order."""
    for found in re.finditer(r"^\.\. computed::(.*)\n((?:[ \t]+.*\n|\n)*)", text, re.MULTILINE):
        lines = [line[3:] for line in found[2].split("\n")]
        end = lines.index("") if "" in lines else len(lines)
        options: dict[str, str] = {}
        for line in lines[:end]:
            name = re.match(r":(\w+): *(.*)", line)
            if name:
                options[name[1]] = name[2]
                last = name[1]
            else:
                options[last] += f"\n{line.strip()}"
        yield Block(found[1].strip(), "\n".join(lines[end:]), options)


def shown(value: Any) -> str:
    """Write a number, or a list of them, for the table beside what is printed in the text."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, dict):
        return ", ".join(f"{key}: {shown(each)}" for key, each in plain.items())
    if isinstance(plain, list | tuple):
        return ", ".join(map(shown, plain))
    return f"{plain:.6g}" if isinstance(plain, float) else str(plain)


class Computed(SphinxDirective):
    """Run the code of a block and show it with its output, its figures and its picture."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = dict.fromkeys(("text", "figures", "draw", "alt"), directives.unchanged)

    def run(self) -> list[nodes.Node]:
        argument = self.arguments[0] if self.arguments else ""
        block = Block(argument, "\n".join(self.content), self.options)
        names = self.env.temp_data.setdefault("companion", {})
        for problem in block.problems(names, self.env.docname):
            LOGGER.warning("%s", problem, location=self.get_location())
        found = self.env.__dict__.setdefault("capabilities", {})
        label = f"capability-{'-'.join(block.numbers)}" if block.numbers else ""
        doors = block.doors(self.env.temp_data.setdefault("imported", {}))
        for number in block.numbers:
            found.setdefault(number, []).append((self.env.docname, label, block, doors))
        box = nodes.container(classes=["computed"], ids=[label] if label else [])
        text = "\n".join(self._lines(block, names)).split("\n")
        lines = StringList(text, source=self.get_source_info()[0])
        self.state.nested_parse(lines, self.content_offset, box)
        return [box]

    def _lines(self, block: Block, names: dict[str, Any]) -> Iterator[str]:
        head = [f"**{block.title}**" if block.title else "", block.options.get("text", "")]
        yield from (" · ".join(filter(None, head)), "")
        yield from self.content
        yield ""
        figures = list(block.figures())
        if figures:
            yield from (".. list-table::", "   :header-rows: 1", "   :class: figures", "")
            yield "   * - figure\n     - where\n     - in the text\n     - recomputed\n     - here"
        rows: dict[str, None] = {}  # two texts that print the same are one row
        for golden, key, expression in figures:
            case = _tests().CASES[golden]
            printed = (case.get("as_printed") or {}).get(key, "")
            here = eval(expression, names)  # noqa: S307
            numbers = (shown(printed), shown(case["expected"][key]), shown(here))
            cells = (key.replace("_", " "), case["where"].replace("sec.", "section"), *numbers)
            rows["   * - " + "\n     - ".join(cells)] = None
        yield from rows
        yield ""
        if "draw" in block.options:
            name = f"{self.env.docname}-{self.lineno}.svg".replace("/", "-")
            folder = Path(self.env.app.srcdir) / "_drawn"
            folder.mkdir(exist_ok=True)
            eval(block.options["draw"], names).save(str(folder / name))  # noqa: S307
            yield from (
                f".. image:: /_drawn/{name}",
                f"   :alt: {block.options.get('alt', block.title)}",
            )


class Capabilities(SphinxDirective):
    """The table of all capabilities; what stands on later pages is known when the build resolves it."""

    def run(self) -> list[nodes.Node]:
        return [nodes.comment("", "capabilities")]


def fill(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Replace the place of the table by the table, once every page has been read."""
    for place in list(
        tree.findall(lambda n: isinstance(n, nodes.comment) and n.astext() == "capabilities")
    ):
        found = app.env.__dict__.get("capabilities", {})
        parent = place.parent
        parent.remove(place)
        for part, title in TITLES.items():
            if part not in CAPABILITIES:
                rows = nodes.bullet_list(classes=["capabilities"])
                for number in (n for n in CAPABILITIES if n.startswith(f"{part}.")):
                    rows += nodes.list_item("", capability(app, docname, number, found[number]))
                parent += nodes.section("", nodes.title("", title), rows, ids=[f"part-{part}"])


def capability(app: Sphinx, docname: str, number: str, shown_in: list[Any]) -> nodes.paragraph:
    """Name one capability, the doors that serve it, and the blocks that compute it."""
    line = nodes.paragraph("", f"{number} {TITLES[number]}: ")
    for name in dict.fromkeys(door for *_, doors in shown_in for door in doors):
        line += [nodes.literal("", name), nodes.Text(", ")]
    for page, label, block, _ in shown_in:
        target = f"{app.builder.get_relative_uri(docname, page)}#{label}"
        line += [
            nodes.reference("", block.title or "here", refuri=target, internal=True),
            nodes.Text(" "),
        ]
    return line


def forget(_app: Sphinx, env: Any, docname: str) -> None:
    """Drop what a page had shown before it is read anew."""
    found = env.__dict__.get("capabilities", {})
    for number, places in found.items():
        found[number] = [place for place in places if place[0] != docname]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("computed", Computed)
    app.add_directive("capabilities", Capabilities)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-resolved", fill)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
