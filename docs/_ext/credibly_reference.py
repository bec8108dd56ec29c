"""Write the reference out of the registries when a build begins, so that it cannot fall behind them."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from functools import cache
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly_api import command_line_pages, python_pages, verbs_table
from credibly_cheatsheets import SETUP, SHEETS, cells
from credibly_choices import choices_tables
from credibly_markup import body, escape, heading, indented, inline, number, table
from credibly_names import SAME

from credibly._core.formulas import FORMULA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sphinx.application import Sphinx

    from credibly import Estimate, Predictions
    from credibly.measures import Measure

NEEDS = {
    "label": "predicted classes (``label``)",
    "score": "a ``score`` or ``probability``",
    "probability": "``probability``",
    "value": "predicted numbers (``value``)",
    "baseline": "``baseline``: what the training part says without a model",
    "positive": "a positive class",
    "outcome": "outcomes of cases",
}
BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": ""}
# Entries of a kind that are too long for one page: one for each module that declares some.
MANY = 30


# --- measures ---------------------------------------------------------------------------------


def families(measures: Iterable[Measure]) -> dict[str, list[Measure]]:
    found: dict[str, list[Measure]] = defaultdict(list)
    for m in measures:
        found[m.family].append(m)
    return dict(found)


def needs(m: Measure) -> str:
    columns = [*m.needs] or [m.takes]
    if m.class_wise and "positive" not in columns:
        columns.append("positive")
    return ", ".join(NEEDS[c] for c in columns)


def parameters_text(entry: Any) -> str:
    return "; ".join(
        f"``{q.name}``: {escape(q.rule.text)} "
        + ("(required)" if q.required else f"(default ``{q.default!r}``)")
        for q in entry.parameters
    )


def spellings(m: Measure) -> dict[str, str]:
    """Return the other names of a measure, each with the call that it stands for."""
    plain = dict.fromkeys(m.aliases, m.name)
    return plain | {a.name: m.given(**a.arguments).call for a in m.aliases.known if a.arguments}


def measure_facts(m: Measure, keys: dict[str, str], interval: str) -> list[tuple[str, str]]:
    low, high = m.range
    better = BETTER[m.direction]
    best = "" if m.best is None else number(m.best) + (f" ({better})" if better else "")
    facts = [
        ("Name", f"``{m.name}``"),
        ("Also called", ", ".join(f"``{a}``" for a in spellings(m))),
        ("Needs", needs(m)),
        ("Range", f"{number(low)} to {number(high)}"),
        ("Best", best or "neither end"),
        ("By chance", "" if m.chance is None else number(m.chance)),
        ("Undefined when", escape(m.undefined_when)),
        ("Parameters", parameters_text(m)),
        ("Interval", escape(interval)),
        ("Computed from", f":class:`~credibly.predictions.summaries.{m.reads.__name__}`"),
        ("Reported", "only when asked for by name" if m.by_request else ""),
        ("Reference", f":ref:`{m.cite} <{keys[m.cite]}>`"),
    ]
    return [(f, text) for f, text in facts if text]


def measure_entry(m: Measure, keys: dict[str, str], interval: str) -> str:
    text, examples = body(m.doc)
    arguments = "".join(
        f", {q.name}" + ("" if q.required else f"={q.default!r}") for q in m.parameters
    )
    signature = f"credibly.measures.{m.name}(predictions{', *' if arguments else ''}{arguments})"
    inside = [
        *text,
        table((), measure_facts(m, keys, interval), style="facts", widths="22 78"),
        *examples,
    ]
    return "\n".join(
        [
            f".. _measure-{m.name}:\n",
            ".. index::",
            *(f"   single: {name} (measure)" for name in (m.title, *spellings(m))),
            "",
            heading(escape(m.title), "-"),
            f".. py:function:: {signature}",
            "   :no-contents-entry:\n",
            indented("\n\n".join(inside)),
            "",
        ]
    )


def family_page(
    family: str, entries: list[Measure], keys: dict[str, str], intervals: dict[str, Estimate]
) -> str:
    about = cleandoc(import_module(f"credibly.measures.{family}").__doc__ or "").split("\n")[0]
    names = ", ".join(f":ref:`{m.name} <measure-{m.name}>`" for m in entries)
    return "\n".join(
        [
            heading(family.capitalize().replace("_", " "), "="),
            inline(about),
            "",
            f"On this page: {names}.\n",
            "The examples assume ``from credibly import CostMatrix, Predictions`` and "
            "``from credibly.measures import ...`` of the measure. A measure also takes plain arrays, "
            "the truth first, as described under :class:`~credibly.measures.Measure`.\n",
            *(measure_entry(m, keys, interval_text(intervals[m.name])) for m in entries),
        ]
    )


def index_page(measures: Sequence[Measure]) -> str:
    rows = [(m.name, m, "") for m in measures]
    rows += [(name, m, call) for m in measures for name, call in spellings(m).items()]
    lines = [
        (
            f":ref:`{name} <measure-{m.name}>`",
            f"see ``{alias}``" if alias else escape(m.title),
            "" if alias else inline(m.summary),
        )
        for name, m, alias in sorted(rows, key=lambda r: r[0])
    ]
    pages = [f"   measures-{family}" for family in families(measures)]
    return "\n".join(
        [
            heading("All measures", "="),
            f"There are {len(measures)} measures. Every name here works in ``evaluate``, on the command "
            "line and as a function in ``credibly.measures``.\n",
            ".. toctree::\n   :maxdepth: 1\n   :caption: By family\n",
            *pages,
            "\n",
            table(("name", "title", "what it is"), lines, widths="28 26 46"),
        ]
    )


def reference_keys(cites: Iterable[str]) -> dict[str, str]:
    """Give each reference a label: author, year, and a letter where that is not enough."""
    keys: dict[str, str] = {}
    for cite in sorted(set(cites)):
        found = re.match(r"(.+?),.*?\((\d{4})\)", cite)
        author, year = found.groups() if found else ("anonymous", "undated")
        stem = re.sub(r"[^a-z]+", "-", f"{author.lower()}").strip("-")
        taken = sum(k.startswith(f"cite-{stem}-{year}") for k in keys.values())
        keys[cite] = f"cite-{stem}-{year}" + ("" if not taken else f"-{chr(ord('a') + taken)}")
    return keys


def bibliography_page(entries: Iterable[Any], keys: dict[str, str]) -> str:
    users: dict[str, list[str]] = defaultdict(list)
    for kind, entry in entries:
        users[entry.cite].append(f":ref:`{entry.name} <{kind}-{entry.name}>`")
    listed = [
        f".. _{key}:\n\n{escape(cite)}\n\n   For {', '.join(users[cite])}.\n"
        for cite, key in keys.items()
    ]
    return "\n".join(
        [
            heading("Bibliography", "="),
            "The works behind what is computed here, and what each stands behind.\n",
            *listed,
        ]
    )


# --- the other pages --------------------------------------------------------------------------


def sample(task: str) -> Predictions:
    """Return predictions that define every measure, to see which interval each gets.

    There are so many that no method falls back on what it does with few.
    """
    import numpy as np

    from credibly import Predictions

    rng = np.random.default_rng(1)
    if task == "outcome":
        return Predictions.of(outcome=rng.random(600) < 0.6)
    if task == "numeric":
        value = np.round(rng.gamma(4, 1, 600), 1) + 0.1
        return Predictions.of(value * rng.uniform(0.7, 1.4, 600), value=value, baseline=4.0)
    chance = np.round(rng.uniform(0.02, 0.98, 600), 2)
    return Predictions.of(rng.random(600) < chance, probability=chance, baseline=[0.6, 0.4])


def with_arguments(m: Measure) -> Measure:
    """Give each required parameter a value that it takes."""
    from credibly import CostMatrix

    candidates = (1, 0.5, CostMatrix.of([[0, 1], [5, 0]], classes=[0, 1]))
    needed = [q for q in m.parameters if q.required]
    return m.given(**{q.name: next(c for c in candidates if q.rule.accepts(c)) for q in needed})


def intervals_by_measure(measures: Iterable[Measure]) -> dict[str, Estimate]:
    """Ask for the interval of every measure on an ordinary sample."""
    from credibly import evaluate

    return {m.name: evaluate(sample(m.task), with_arguments(m)).estimates[0] for m in measures}


def interval_text(e: Estimate) -> str:
    if e.interval is not None:  # how many degrees of freedom there are is a fact of the sample
        return re.sub(r", t with [\d.]+ degrees of freedom", ", Student's t", e.interval.method)
    why = e.why_no_interval.replace(e.title, "it")
    return f"none: {why}"


def intervals_page(estimates: dict[str, Estimate]) -> str:
    methods: dict[str, list[str]] = defaultdict(list)
    for name, e in estimates.items():
        methods[interval_text(e)].append(f":ref:`{name} <measure-{name}>`")
    rows = [(escape(method), ", ".join(names)) for method, names in methods.items()]
    return "\n".join(
        [
            heading("Which interval applies", "="),
            "The kind of a measure decides which interval it gets when none is asked for. This table was "
            "made by asking: every measure was computed from many independent cases.\n",
            table(("interval", "measures"), rows, widths="30 70"),
            "Every interval states its method and what it is about. ``about`` is ``cases`` for all of these: "
            "the same fitted model on new cases of the same kind. They say nothing about what another "
            "training set would give. Where there is no interval, ``why_no_interval`` of the estimate "
            "states the reason.\n",
        ]
    )


LEADS = {
    "baselines": "A baseline is a rule that looks at no case. :func:`credibly.evaluate` puts its value "
    "beside the model's wherever it applies: a number means little without what it takes no learning to "
    "reach.",
    "estimators": "How the predictions of many fits become one number: the names that ``estimate=`` and "
    "``--estimate`` take. Each is a function of recorded predictions alone, so a saved run gives the same "
    "numbers.",
    "band_methods": "How bands around curves are made: :func:`credibly.curve` takes a name with ``band=``.",
    "curves": "A curve is a function from a summary to points. Every name here works in "
    ":func:`credibly.curve` and in ``credibly curve``; parameters are written in brackets, as in "
    "``threshold(measure='f1')``. The examples assume ``from credibly import Predictions, curve``.",
    "plots": "A plot turns a result into a :class:`~credibly.plots.Figure`: :func:`credibly.plot`, the "
    "``.plot()`` of results and ``credibly plot`` take a name from here or, for predictions, the name of "
    "a curve. What shows ``Predictions`` beside a result makes it of them, and takes the options of "
    "that too.",
    "decision_rules": "A rule turns scores or probabilities into labels. :func:`credibly.decide` and "
    "``credibly decide`` take a name with ``rule=``; parameters are written in brackets, as in "
    "``fixed_recall(recall=0.95)``.",
    "calibration_statistics": "How far probabilities can be believed. :func:`credibly.calibration` "
    "returns all of them; each is also a measure for :func:`credibly.evaluate`.",
    "calibration_tests": "Whether chance alone could explain the gaps. Spiegelhalter's test, the number of "
    "events and standardised residuals set outcomes against outputs: sums of residuals, each with its weight, "
    "by the variance that the probabilities themselves give them. Bloch (1990) reviews such tests; his report "
    "was not at hand, so that no formula is taken from it.",
    "recalibrations": "Maps from probabilities to better ones, for :func:`credibly.recalibrate` and for "
    "``credibly.calibration.recalibration.RecalibratedClassifier``, which scikit-learn takes for one of its own.",
    "interval_methods": "How intervals are made. :doc:`intervals` shows which measure gets which.",
    "comparisons": "Tests of whether models differ. :func:`credibly.compare` chooses among them by how the "
    "evidence was made; :doc:`../validity` shows how often each raises a false alarm, and how often it "
    "sees a difference. In the examples ``paired_t`` and the like stand for ``comparisons['paired_t']`` of "
    "``credibly.comparisons``.",
    "adjustments": "How p-values of several comparisons are adjusted for their number.",
    "findings": "A finding is something to know before believing a number. It has a ``code`` for programs, a "
    "``severity``, a ``message`` and an ``action`` for people. A *problem* means that the number does not "
    "mean what it seems to mean; a *caution*, that it rests on less, or on something else, than one would "
    "expect; a *note*, that a choice was made for you. Words in brackets stand for what depends on the data.",
    "readers": "The formats that :func:`credibly.read` and ``credibly evaluate`` understand. The format is "
    "recognised by the first bytes of the file, then by its name, or named with ``format=``.",
    "resamplings": "Rules that cut rows into training and test parts. Each is a "
    ":class:`~credibly.resampling.Resampling` in ``credibly.resampling``; what it promises is checked "
    "by the tests.",
    "terms": "The words of this documentation. :doc:`../glossary` shows them beside each other.",
    "schemes": "Learning schemes that have a name, for ``credibly run --scheme`` and ``credibly.run``. "
    "Arguments go to the estimator named below, as in ``tree(max_depth=3)``; ``scale=True`` or ``False`` "
    "says whether columns are standardised. Any other estimator is taken as an object, or as "
    "``package.module:Class(argument=1)`` on the command line.",
}


def catalogue_pages(plural: str, entries: Sequence[Any], keys: dict[str, str]) -> dict[str, str]:
    """Return the page of a kind; where there are many, one for each module that declares some, and a list."""
    title = plural.replace("_", " ").capitalize()
    lead = LEADS.get(plural, f"The output of ``credibly list {plural}``, in full.") + "\n"
    by_module: dict[str, list[Any]] = defaultdict(list)
    for entry in entries:
        by_module[home_of(entry)].append(entry)
    if len(entries) < MANY or len(by_module) < 2:
        shown = (catalogue_entry(plural, e, keys) for e in entries)
        return {f"{plural}.rst": "\n".join([heading(title, "="), lead, *shown])}
    made, rows = {}, []
    for home, found in by_module.items():
        name = home.rpartition(".")[2].replace("_", " ")
        about = cleandoc(import_module(home).__doc__ or "").split("\n")[0]
        made[f"{plural}-{name.replace(' ', '_')}.rst"] = "\n".join(
            [
                heading(f"{title}: {name}", "="),
                inline(about) + "\n",
                *(catalogue_entry(plural, e, keys) for e in found),
            ]
        )
        rows += [(called(plural.removesuffix("s"), e, {}), inline(first_line(e))) for e in found]
    listed = table(("name", "what it is"), sorted(rows), widths="30 70")
    contents = (f"   {name.removesuffix('.rst')}" for name in made)
    made[f"{plural}.rst"] = "\n".join(
        [heading(title, "="), lead, ".. toctree::\n   :maxdepth: 1\n", *contents, "", listed]
    )
    return made


def home_of(entry: Any) -> str:
    """Return the module that declares an entry; of what stands in ``plots`` or ``findings`` its package."""
    from credibly._core.findings import FindingKind

    if isinstance(entry, FindingKind):  # those that no such module declares are made by checks
        return finding_homes().get(entry.code, "credibly.checks")
    module = getattr(getattr(entry, "function", None), "__module__", "")
    return module.removesuffix(".plots")


@cache
def finding_homes() -> dict[str, str]:
    """Return the package that declares each finding, by its code."""
    from credibly._core.findings import FindingKind

    modules = [
        m for name, m in sys.modules.items() if re.fullmatch(r"credibly\..+\.findings", name)
    ]
    return {
        kind.code: module.__name__.removesuffix(".findings")
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, FindingKind)
    }


def first_line(entry: Any) -> str:
    return str(entry.doc).split("\n")[0]


def catalogue_entry(plural: str, entry: Any, keys: dict[str, str]) -> str:
    text, examples = body(entry.doc)
    facts = table((), entry_facts(entry, keys), style="facts", widths="22 78")
    shown = getattr(entry, "title", entry.name.replace("_", " ").capitalize())
    label = f".. _{plural.removesuffix('s')}-{entry.name}:\n"
    inside = "\n\n".join([*text, facts, *examples, ""])
    return "\n".join([label, heading(escape(shown), "-"), inside])


def entry_facts(entry: Any, keys: dict[str, str]) -> list[tuple[str, str]]:
    """What an entry tells of itself; empty facts are left out."""
    from credibly.comparisons.multiplicity import CONTROLS

    titles = [("x", "x_title"), ("y", "y_title")]
    facts = [
        ("Name", f"``{entry.name}``"),
        ("Also called", names_text(entry.aliases)),
        ("Severity", getattr(entry, "severity", "")),
        ("What to do", escape(getattr(entry, "action", ""))),
        ("Promises", ", ".join(sorted(getattr(entry, "promises", ()))).replace("_", " ")),
        *((side, escape(getattr(entry, name, ""))) for side, name in titles),
        ("Identity", escape(getattr(entry, "identity", ""))),
        ("Parameters", parameters_text(entry) if hasattr(entry, "parameters") else ""),
        *(scheme_facts(entry) if hasattr(entry, "estimators") else ()),
        *(comparison_facts(entry) if hasattr(entry, "assumptions") else ()),
        ("Controls", CONTROLS.get(getattr(entry, "controls", ""), "")),
        ("Only for", names_text(getattr(entry, "only", ()))),
        ("File names end in", names_text(getattr(entry, "suffixes", ()))),
        ("Shows", names_text(getattr(entry, "shows", ()))),
        ("Options", names_text(getattr(entry, "options", ()))),
    ]
    if getattr(entry, "cite", ""):
        facts.append(("Reference", f":ref:`{entry.cite} <{keys[entry.cite]}>`"))
    return [(name, text) for name, text in facts if text]


def names_text(names: Iterable[str]) -> str:
    return ", ".join(f"``{name}``" for name in names)


def scheme_facts(entry: Any) -> list[tuple[str, str]]:
    renamed = [f"``{ours}`` for ``{theirs}``" for ours, theirs in entry.renamed.items()]
    return [
        ("Predicts", entry.predicts),
        ("Estimator", names_text(entry.estimators())),
        ("Columns", escape(", ".join(entry.preprocessing))),
        ("Parameter names", ", ".join(renamed)),
    ]


def comparison_facts(entry: Any) -> list[tuple[str, str]]:
    """Return what a comparison declares, in the words of ``credibly show comparison``."""
    from credibly.catalogue.entries import facts_of

    told = facts_of(entry)
    shown = {
        "Null hypothesis": escape(told["null"]),
        "About": told["about"],
        "Reads": f":class:`~credibly.comparisons.{told['reads']}`",
        "Assumes": "; ".join(map(escape, told["assumes"])),
        "One-sided": "yes" if told["one_sided"] else "no",
        "Margin": "yes" if told["takes_a_margin"] else "no",
        "Random": "yes, it needs ``rng``" if told["needs_a_seed"] else "",
        "Parameters": "; ".join(f"``{q}``" for q in told["parameters"]),
    }
    return [(k, v) for k, v in shown.items() if v]


def same_numbers() -> str:
    """Write the table of functions of scikit-learn and scipy that give the same numbers."""
    from credibly.measures import measures

    def theirs(s: Any) -> str:
        given = ", ".join(f"{k}={v!r}" for k, v in s.arguments.items())
        return f"``{s.theirs.removeprefix('sklearn.metrics.')}{f'({given})' if given else ''}``"

    def ours(s: Any) -> str:
        link = f":ref:`{s.ours} <measure-{measures.parse(s.ours).name}>`"
        return link + (f', ``average="{s.average}"``' if s.average else "")

    rows = [(theirs(s), ours(s), escape(s.differs)) for s in SAME]
    return "\n".join(
        [
            "Every row is computed by both. Functions without a module are those of "
            "``sklearn.metrics``.\n",
            table(("there", "here", "where they differ"), rows, widths="44 26 30"),
        ]
    )


def names_by_origin() -> dict[str, str]:
    """Return, as parts of pages, the names of each vocabulary, and those that mean something else there."""
    from credibly._core.names import GENERAL_USE, VOCABULARIES
    from credibly.catalogue.registries import HOMES, registry_of

    entries = [(kind.removesuffix("s"), e) for kind in HOMES for e in registry_of(kind)]
    named = [(k, e, a) for k, e in entries for a in getattr(e.aliases, "known", ())]
    made = {}
    for origin in VOCABULARIES.values():
        rows = sorted(
            (f"``{a.name}``", k.replace("_", " "), called(k, e, a.arguments), escape(a.differs))
            for k, e, a in named
            if a.origin == origin
        )
        if rows and origin != GENERAL_USE:
            made[part_of_names(origin)] = table(
                ("there", "kind", "here", "what differs"), rows, widths="34 14 26 26"
            )
    friends = sorted(
        (f"``{name}``", k.replace("_", " "), called(k, e, {}), escape(why))
        for k, e in entries
        for name, why in getattr(e.aliases, "unlike", {}).items()
    )
    made[part_of_names("false friends")] = table(
        ("there", "kind", "near to it here", "why it is not the same"), friends
    )
    return made


def part_of_names(origin: str) -> str:
    """Name the file of a vocabulary, which pages include."""
    return f"names-{origin.replace(' ', '-')}.inc"


def cheat_sheets() -> dict[str, str]:
    """Return, as parts of pages, what is typed elsewhere beside what is typed here."""
    made = {
        f"cheat-{program}.inc": table(("there", "here"), cells(program), widths="45 55")
        for program in SHEETS
    }
    code = ".. code-block:: python\n\n" + indented(SETUP)
    return {**made, "cheat-setup.inc": code + "\n"}


def glossary_table() -> str:
    """Write the words of this documentation beside those of others, for the glossary."""
    from credibly._core.names import GENERAL_USE, VOCABULARIES
    from credibly.catalogue.terms import terms

    origins = (GENERAL_USE, VOCABULARIES["sklearn"], VOCABULARIES["weka"])

    def others(entry: Any) -> list[str]:
        names = [(a.origin, a.name) for a in entry.aliases.known]
        return [escape(", ".join(n for o, n in names if o == origin)) for origin in origins]

    entries = sorted(terms, key=lambda entry: entry.name)
    rows = [(f":ref:`{e.name} <term-{e.name}>`", escape(e.doc), *others(e)) for e in entries]
    head = ("our word", "what it means", "elsewhere", "scikit-learn", "Weka")
    return table(head, rows, style="wide terms", widths="17 35 21 15 12")


def called(kind: str, entry: Any, arguments: dict[str, Any]) -> str:
    """Link an entry, with the arguments that a name sets."""
    from credibly._core.parameters import write_call

    return f":ref:`{write_call(entry.name, arguments)} <{kind}-{entry.name}>`"


# --- all of it --------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """Return every generated page by its file name."""
    from credibly.catalogue.registries import HOMES, registry_of

    registries = {kind: list(registry_of(kind)) for kind in HOMES}
    measures = registries.pop("measures")
    cited = [("measure", m) for m in measures]
    for kind, entries in registries.items():
        cited += [(kind.removesuffix("s"), e) for e in entries if getattr(e, "cite", "")]
    keys = reference_keys(e.cite for _, e in cited)
    intervals = intervals_by_measure(measures)
    kinds: dict[str, str] = {}
    for kind, entries in registries.items():
        kinds |= catalogue_pages(kind, entries, keys)
    return {
        "index.rst": reference_index(list(registries)),
        "measures.rst": index_page(measures),
        **{
            f"measures-{family}.rst": family_page(family, entries, keys, intervals)
            for family, entries in families(measures).items()
        },
        "intervals.rst": intervals_page(intervals),
        **kinds,
        **command_line_pages(),
        **python_pages(),
        "bibliography.rst": bibliography_page(cited, keys),
        "same-numbers.inc": same_numbers(),
        **names_by_origin(),
        **cheat_sheets(),
        **choices_tables(),
        "glossary.inc": glossary_table(),
    }


def reference_index(kinds: Sequence[str]) -> str:
    """Put what everyone needs first: the verbs, then measures, then every other kind of thing."""

    def contents(caption: str, names: Iterable[str], depth: int = 1) -> str:
        options = f"   :maxdepth: {depth}\n   :caption: {caption}\n"
        return f".. toctree::\n{options}\n" + "".join(f"   {name}\n" for name in names)

    return "\n".join(
        [
            heading("Reference", "="),
            "Everything here is written from the program itself when the pages are built.\n",
            verbs_table(),
            contents("Python and the command line", ["python", "command-line"]),
            contents("Measures", ["measures", "intervals"]),
            contents("Everything else that has a name, by kind", kinds),
            contents("Works cited", ["bibliography"]),
        ]
    )


def write(folder: Path) -> None:
    """Write the pages that changed and remove those that are no more."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in folder.iterdir():
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")


def prepare_docstring(
    _app: Sphinx, what: str, _name: str, _thing: object, _options: Any, lines: list[str]
) -> None:
    """Turn formulas into roles, and keep napoleon from misreading what these docstrings do not mean."""
    lines[:] = [FORMULA.sub(r":math:`\1`", line) for line in lines]
    if what == "property":
        lines[:0] = ["..", ""]  # else it takes the words before a colon for a type
    if "Examples" in lines or not any(set(line) == {"-"} for line in lines):
        return
    for i, line in enumerate(lines):
        if line.startswith(">>>"):  # else it takes an example behind the parameters for one of them
            lines[i:i] = ["Examples", "--------", ""]
            return


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", lambda app: write(Path(app.srcdir) / "reference"), priority=100)
    app.connect("autodoc-process-docstring", prepare_docstring, priority=100)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
