"""The registries by name, and what to tell about their entries."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from credibly._core.registry import Registry
from credibly.errors import UnknownNameError

# A registry is found under its own plural name in the package that holds its entries.
HOMES = {
    "measures": "credibly.measures",
    "baselines": "credibly.evaluation.trivial_rules",
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
    if hasattr(entry, "facts"):
        facts |= entry.facts()
    if hasattr(entry, "parameters"):
        facts["parameters"] = [_parameter_text(q) for q in entry.parameters]
    for attribute, name in LISTS.items():
        if hasattr(entry, attribute):
            facts[name] = list(getattr(entry, attribute))
    facts["reference"] = getattr(entry, "cite", None)
    return facts


def _parameter_text(parameter: Any) -> str:  # noqa: ANN401
    default = "required" if parameter.required else f"default {parameter.default!r}"
    return f"{parameter.name}: {parameter.rule.text} ({default})"
