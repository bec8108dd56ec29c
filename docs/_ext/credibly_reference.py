"""Write the reference out of the registries when a build begins, so that it cannot fall behind them."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import cleandoc, isfunction
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
}
BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": ""}
API = {
    "Predictions": ("Predictions", "read", "CostMatrix", "RowCosts"),
    "Evaluation": ("evaluate", "expected_loss"),
    "Curves": ("curve", "hull", "Curve", "Curves", "Hull"),
    "Experiments": ("Experiment",),
    "Decisions": ("decide", "cost_benefit", "Decision", "CostBenefit", "FinancialPlan"),
    "Description length": ("mdl", "clustering_mdl", "DescriptionLengths"),
    "Names": ("show", "search"),
    "Results": ("Table", "Estimate", "Interval", "Finding"),
    "Errors": ("CrediblyError", "DataError", "ParameterError"),
}
ROUTING = "set_fit_request, set_score_request"  # scikit-learn's own, which it documents itself
SHARED = "takes, missing, per_class"  # said once, at Summary


# --- the pieces of a page ---------------------------------------------------------------------


def heading(text: str, mark: str) -> str:
    return f"{text}\n{mark * len(text)}\n"


def escape(text: str) -> str:
    """Keep plain words from being read as markup."""
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def inline(text: str) -> str:
    """Turn ``$formula$`` and ```code``` of a docstring into roles."""
    out = []
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
    """Return predictions that define every measure, to see which interval each gets."""
    from credibly import Predictions

    truth = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    if task == "numeric":
        value = [4.0, 3.0, 6.0, 2.0, 5.0, 9.0, 1.0, 2.5, 3.5, 8.0, 7.0, 5.5]
        return Predictions.of(
            [v * (i % 3 + 2) / 3 for i, v in enumerate(value)], value=value, baseline=5.0
        )
    chance = [0.9, 0.8, 0.7, 0.6, 0.55, 0.3, 0.6, 0.4, 0.35, 0.25, 0.2, 0.1]
    return Predictions.of(truth, probability=chance, baseline=[0.6, 0.4])


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
    if e.interval is not None:
        return e.interval.method
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
            "made by asking: every measure was computed from a dozen independent cases.\n",
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
    "told from the first bytes of the file, then from its name, or named with ``format=``.",
    "resamplings": "Rules that cut rows into training and test parts. Each is a "
    ":class:`~credibly.resampling.Resampling` in ``credibly.resampling``; what it promises is checked "
    "by the tests.",
    "terms": "The words of this documentation. :doc:`../glossary` shows them beside each other.",
    "schemes": "Learning schemes that have a name, for ``credibly run --scheme`` and ``credibly.run``. "
    "Arguments go to the estimator named below, as in ``tree(max_depth=3)``; ``scale=True`` or ``False`` "
    "says whether columns are standardised. Any other estimator is taken as an object, or as "
    "``package.module:Class(argument=1)`` on the command line.",
}


def catalogue_page(plural: str, entries: Iterable[Any], keys: dict[str, str]) -> str:
    kind = plural.removesuffix("s")
    lead = LEADS.get(plural, f"The output of ``credibly list {plural}``, in full.")
    parts = [heading(plural.replace("_", " ").capitalize(), "="), lead + "\n"]
    for entry in entries:
        text, examples = body(entry.doc)
        facts = entry_facts(entry, keys)
        shown = getattr(entry, "title", entry.name.replace("_", " ").capitalize())
        parts += [
            f".. _{kind}-{entry.name}:\n",
            heading(escape(shown), "-"),
            "\n\n".join([*text, table((), facts, style="facts", widths="22 78"), *examples, ""]),
        ]
    return "\n".join(parts)


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


def command_line_page() -> str:
    from rich.console import Console

    from credibly import cli

    app = cli.build()

    def help_of(tokens: list[str]) -> str:
        out = io.StringIO()
        app.help_print(tokens, console=Console(file=out, width=80, no_color=True, highlight=False))
        return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())

    names = [name for name in app if not name.startswith("-")]
    parts = [
        heading("Command line", "="),
        "What ``credibly --help`` and ``credibly COMMAND --help`` print. The exit status is 0 when all "
        "went well, 1 when something is wrong with the data and 2 when something is wrong with the "
        "call.\n",
        ".. code-block:: text\n",
        indented(help_of([])),
        "",
    ]
    of_their_own = [(n, sub) for n in names for sub in app[n] if not sub.startswith("-")]
    for tokens in sorted([*((n,) for n in names), *of_their_own]):
        parts += [
            f".. _command-{'-'.join(tokens)}:\n",
            heading(f"credibly {' '.join(tokens)}", "-"),
            ".. code-block:: text\n",
            indented(help_of(list(tokens))),
            "",
        ]
    return "\n".join(parts)


def fields_of(cls: type) -> str:
    rows = [(f"``{f.name}``", f"``{f.type}``") for f in fields(cls) if f.name != "cache"]
    return table(("field", "type"), rows)


def api_page() -> str:
    import credibly
    from credibly import (
        checks,
        curves,
        decisions,
        description_length,
        ensembles,
        errors,
        experiments,
        plots,
        predictions,
        reports,
        resampling,
        running,
    )
    from credibly.decisions import cost_sensitive
    from credibly.predictions import summaries

    listed = {name for names in API.values() for name in names}
    groups = {**API, "More": tuple(n for n in credibly.__all__ if n not in listed)}
    parts = [
        heading("Python", "="),
        "Everything below ``credibly`` is imported when it is first used. Results are frozen: they are "
        "read, not changed.\n",
    ]
    for title, names in groups.items():
        if names:
            parts.append(heading(title, "-"))
        parts += [documented(f"credibly.{name}", getattr(credibly, name)) for name in names]
        if title == "Errors":
            rest = [e for e in vars(errors).values() if _is_error(e) and e.__name__ not in names]
            parts += [documented(f"credibly.errors.{e.__name__}", e) for e in rest]
    parts += [
        heading("Measures as objects", "-"),
        documented("credibly.measures.Measure", import_module("credibly.measures").Measure),
        heading("Summaries", "-"),
        "A summary is linear in the case weights, so summaries add and subtract. A measure is a "
        "function of one.\n",
        documented("credibly.predictions.summaries.Summary", summaries.Summary),
        *(
            documented(
                f"credibly.predictions.summaries.{n}", getattr(summaries, n), leave_out=SHARED
            )
            for n in summaries.__all__
            if n != "Summary"
        ),
        ".. autofunction:: credibly.predictions.summaries.scores.decisions_at\n",
        heading("Resampling", "-"),
        *(
            documented(f"credibly.resampling.{n}", getattr(resampling, n))
            for n in (
                "Resampling",
                "Splits",
                "Split",
                "Rows",
                "SplitPlan",
                "as_resampling",
                "doubts",
            )
        ),
        heading("Running", "-"),
        *(
            documented(f"credibly.running.{n}", getattr(running, n))
            for n in running.__all__
            if n not in credibly.__all__
        ),
        ".. autofunction:: credibly.io.datasets.read_data\n",
        ".. autofunction:: credibly.io.datasets.take_frame\n",
        *(
            documented(f"credibly.predictions.{n}", getattr(predictions, n))
            for n in ("Provenance", "Fit")
        ),
        heading("Results of experiments", "-"),
        *(
            documented(f"credibly.experiments.{n}", getattr(experiments, n))
            for n in experiments.__all__
            if n not in credibly.__all__
        ),
        heading("More about curves", "-"),
        *(
            documented(f"credibly.curves.{n}", getattr(curves, n))
            for n in curves.__all__
            if n not in credibly.__all__ and n not in {"curves", "band_methods"}
        ),
        heading("More about decisions", "-"),
        *(
            documented(f"credibly.decisions.{n}", getattr(decisions, n))
            for n in decisions.__all__
            if n not in credibly.__all__ and n != "decision_rules"
        ),
        heading("More about description length", "-"),
        *(
            documented(f"credibly.description_length.{n}", getattr(description_length, n))
            for n in description_length.__all__
            if n not in credibly.__all__ and n != "coders"
        ),
        heading("Checks and reports", "-"),
        *(
            documented(f"credibly.checks.{n}", getattr(checks, n))
            for n in ("Checklist", "CheckResult", "CheckContext")
        ),
        *(
            documented(f"credibly.reports.{n}", getattr(reports, n))
            for n in ("Report", "Document", "Section")
        ),
        heading("Cost-sensitive learning", "-"),
        *(
            documented(
                f"credibly.decisions.cost_sensitive.{n}",
                getattr(cost_sensitive, n),
                leave_out=ROUTING,
            )
            for n in cost_sensitive.__all__
        ),
        heading("Bias and variance", "-"),
        *(
            documented(
                f"credibly.bias_variance.{n}", getattr(import_module("credibly.bias_variance"), n)
            )
            for n in ("Votes", "Values", "Decomposition", "Parts", "Part", "Setting")
        ),
        heading("Ensembles", "-"),
        *(
            documented(f"credibly.ensembles.{n}", getattr(ensembles, n), leave_out=ROUTING)
            for n in ensembles.__all__
            if n != "combinations"
        ),
        heading("Plots", "-"),
        *(
            documented(f"credibly.plots.{n}", getattr(plots, n))
            for n in plots.__all__
            if n not in credibly.__all__ and n not in {"plots", "Plot"}
        ),
        heading("Intervals", "-"),
        ".. autofunction:: credibly.intervals.wilson\n",
        heading("Comparisons by hand", "-"),
        "What :func:`credibly.compare` gathers and returns, for values that come from elsewhere.\n",
        *(documented(f"credibly.comparisons.{n}", thing) for n, thing in comparison_names()),
    ]
    return "\n".join(parts)


def comparison_names() -> list[tuple[str, object]]:
    """Return the classes and functions of the package that have no place further up."""
    import credibly
    from credibly import comparisons

    named = [(n, getattr(comparisons, n)) for n in comparisons.__all__ if n not in credibly.__all__]
    return [(n, thing) for n, thing in named if isinstance(thing, type) or isfunction(thing)]


def _is_error(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, Exception)


def documented(path: str, thing: object, leave_out: str = "") -> str:
    if not isinstance(thing, type):
        return f".. autofunction:: {path}\n"
    if _is_error(thing):
        return f".. autoexception:: {path}()\n   :show-inheritance:\n"
    # Made by Credibly, not by its users: the fields matter, not how to construct one.
    made = f".. autoclass:: {path}()\n   :members:\n"
    made += f"   :exclude-members: {leave_out}\n" if leave_out else ""
    homes = ("credibly._core.findings", "credibly.results")
    result = thing.__module__.startswith(homes) and is_dataclass(thing)
    return made + ("\n" + indented(fields_of(thing)) + "\n" if result else "")


def names_page() -> str:
    """Write the tables that the page about other programs includes."""
    from credibly.measures import measures

    def ours(text: str) -> str:
        return f":ref:`{text} <measure-{measures.parse(text).name}>`"

    same = [
        (
            f"``{s.theirs.removeprefix('sklearn.metrics.')}"
            + (
                f"({', '.join(f'{k}={v!r}' for k, v in s.arguments.items())})"
                if s.arguments
                else ""
            )
            + "``",
            ours(s.ours) + (f', ``average="{s.average}"``' if s.average else ""),
            escape(s.differs),
        )
        for s in SAME
    ]
    return "\n".join(
        [
            heading("The same numbers in scikit-learn and scipy", "-"),
            "Every row is computed by both. Functions without a module are those of "
            "``sklearn.metrics``.\n",
            table(("there", "here", "where they differ"), same, widths="44 26 30"),
            *vocabularies(),
        ]
    )


def vocabularies() -> Iterable[str]:
    """Yield a table of the names of each vocabulary, and one of names that mean something else there."""
    from credibly._core.names import COMMON, VOCABULARIES
    from credibly.catalogue.registries import HOMES, registry_of

    entries = [(kind.removesuffix("s"), e) for kind in HOMES for e in registry_of(kind)]
    named = [(k, e, a) for k, e in entries for a in getattr(e.aliases, "known", ())]
    for origin in VOCABULARIES.values():
        rows = sorted(
            (f"``{a.name}``", k.replace("_", " "), called(k, e, a.arguments), escape(a.differs))
            for k, e, a in named
            if a.origin == origin
        )
        if rows and origin != COMMON:
            yield heading(f"Names in {origin}", "-")
            yield table(("there", "kind", "here", "what differs"), rows, widths="34 14 26 26")
    friends = sorted(
        (f"``{name}``", k.replace("_", " "), called(k, e, {}), escape(why))
        for k, e in entries
        for name, why in getattr(e.aliases, "unlike", {}).items()
    )
    yield heading("False friends", "-")
    yield "Where one is asked for, what is near is named instead; ``credibly show`` shows it.\n"
    yield table(("there", "kind", "near to it here", "why it is not the same"), friends)


def glossary_table() -> str:
    """Write the words of this documentation beside those of others, for the glossary."""
    from credibly._core.names import COMMON, VOCABULARIES
    from credibly.catalogue.terms import terms

    origins = (COMMON, VOCABULARIES["sklearn"], VOCABULARIES["weka"])

    def others(entry: Any) -> list[str]:
        names = [(a.origin, a.name) for a in entry.aliases.known]
        return [escape(", ".join(n for o, n in names if o == origin)) for origin in origins]

    entries = sorted(terms, key=lambda entry: entry.name)
    rows = [(f":ref:`{e.name} <term-{e.name}>`", escape(e.doc), *others(e)) for e in entries]
    head = ("our word", "what it means", "elsewhere", "scikit-learn", "Weka")
    return table(head, rows, widths="14 38 22 14 12")


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
    contents = [
        "measures", "intervals", *registries, "command-line", "python", "bibliography",
    ]  # fmt: skip
    return {
        "index.rst": "\n".join(
            [
                heading("Reference", "="),
                "Everything here is written from the program itself when the pages are built.\n",
                ".. toctree::\n   :maxdepth: 2\n",
                *(f"   {c}" for c in contents),
                "",
            ]
        ),
        "measures.rst": index_page(measures),
        **{
            f"measures-{family}.rst": family_page(family, entries, keys, intervals)
            for family, entries in families(measures).items()
        },
        "intervals.rst": intervals_page(intervals),
        **{f"{kind}.rst": catalogue_page(kind, e, keys) for kind, e in registries.items()},
        "command-line.rst": command_line_page(),
        "python.rst": api_page(),
        "bibliography.rst": bibliography_page(cited, keys),
        "names.inc": names_page(),
        "glossary.inc": glossary_table(),
    }


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
