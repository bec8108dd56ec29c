"""The registries by name, and what to tell about their entries."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

from credibly._core.errors import UnknownNameError
from credibly.results.interval import ABOUT

if TYPE_CHECKING:
    from credibly._core.registry import Registry

# A registry is found under its own plural name in the package that holds its entries.
HOMES = {
    "measures": "credibly.measures",
    "baselines": "credibly.evaluation.baselines",
    "estimators": "credibly.evaluation._declare",
    "interval_methods": "credibly.intervals._declare",
    "proportion_methods": "credibly.intervals",
    "comparisons": "credibly.comparisons",
    "adjustments": "credibly.comparisons.multiplicity",
    "curves": "credibly.curves",
    "band_methods": "credibly.curves.bands",
    "decision_rules": "credibly.decisions",
    "decompositions": "credibly.bias_variance",
    "coders": "credibly.description_length",
    "readers": "credibly.io",
    "engines": "credibly.engines",
    "plots": "credibly.plots",
    "checks": "credibly.checks",
    "findings": "credibly._core.findings",
    "calibration_statistics": "credibly.calibration",
    "calibration_tests": "credibly.calibration",
    "recalibrations": "credibly.calibration.recalibration",
    "resamplings": "credibly.resampling",
    "schemes": "credibly.schemes",
    "datasets": "credibly.io.datasets",
    "combinations": "credibly.ensembles",
}

# What is told as it stands, by the name under which it is told.
LISTS = {
    "only": "only_for",
    "suffixes": "file_names",
    "shows": "shows",
    "options": "options",
    "describes": "describes",
}


KINDS = ", ".join(sorted(name.replace("_", "-") for name in HOMES))


def registry_of(kind: str) -> Registry[Any]:
    """Return the registry of a kind, in the singular or the plural."""
    name = kind.replace("-", "_").replace(" ", "_")
    plural = name if name.endswith("s") else f"{name}s"
    if plural not in HOMES:
        raise UnknownNameError(
            f"There is nothing called {kind!r} to list; kinds: {KINDS}.",
            asked=plural,
            choices=HOMES,
        )
    registry: Registry[Any] = getattr(import_module(HOMES[plural]), plural)
    return registry


def summary_of(entry: Any) -> str:  # noqa: ANN401
    """Return the first sentence of an entry's description."""
    return inspect.cleandoc(entry.doc).split("\n")[0]


def columns_of(entry: Any, n: int) -> dict[str, Any]:  # noqa: ANN401
    """Return what an entry tells of itself in a listing, for data of ``n`` rows."""
    columns: dict[str, Any] = entry.columns(n) if hasattr(entry, "columns") else {}
    return columns


def facts_of(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what an entry declares, in the order in which people ask."""
    facts: dict[str, Any] = {
        "title": getattr(entry, "title", entry.name),
        "name": entry.name,
        "also_called": list(entry.aliases),
        "description": inspect.cleandoc(entry.doc),
    }
    for mark, told in FACTS.items():
        if hasattr(entry, mark):
            facts |= told(entry)
    if hasattr(entry, "parameters"):
        facts["parameters"] = [_parameter_text(q) for q in entry.parameters]
    for attribute, name in LISTS.items():
        if hasattr(entry, attribute):
            facts[name] = list(getattr(entry, attribute))
    facts["reference"] = getattr(entry, "cite", None)
    return facts


def _of_measure(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    low, high = entry.range
    return {
        "range": f"{low:g} to {high:g}",
        "best": None if entry.best is None else f"{entry.best:g}",
        "by_chance": None if entry.chance is None else f"{entry.chance:g}",
        "better_when": entry.direction,
        "undefined_when": entry.undefined_when,
        "computed_from": entry.reads.__name__,
        "needs": list(entry.needs) or [entry.takes],
    }


def _of_resampling(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"promises": sorted(entry.promises)}


def _of_scheme(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "predicts": entry.predicts,
        "estimator": entry.estimators(),
        "renamed": [f"{ours} for {theirs}" for ours, theirs in entry.renamed.items()],
        "columns_are": entry.preprocessing,
    }


def _of_dataset(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    facts: dict[str, Any] = entry.columns()
    return facts


def _of_comparison(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "null": entry.null,
        "about": ABOUT[entry.about],
        "reads": entry.reads.__name__,
        "assumes": list(entry.assumptions.values()),
        "one_sided": entry.alternatives,
        "takes_a_margin": entry.signed and entry.shifts,
        "needs_a_seed": entry.random,
    }


def _of_curve(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "x": entry.x_title,
        "y": entry.y_title,
        "drawn_as": entry.drawn,
        "computed_from": entry.reads.__name__,
    }


def _of_check(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"severity": entry.severity, "what_to_do": entry.action}


def _of_decomposition(entry: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "loss": entry.loss,
        "identity": entry.identity or "its parts do not add up",
        "parts": [name.replace("_", " ") for name in entry.parts],
    }


# What an entry has tells what it is.
FACTS = {
    "identity": _of_decomposition,
    "best": _of_measure,
    "promises": _of_resampling,
    "estimators": _of_scheme,
    "target": _of_dataset,
    "assumptions": _of_comparison,
    "x_title": _of_curve,
    "severity": _of_check,
}


def _parameter_text(parameter: Any) -> str:  # noqa: ANN401
    default = "required" if parameter.required else f"default {parameter.default!r}"
    return f"{parameter.name}: {parameter.rule.text} ({default})"
