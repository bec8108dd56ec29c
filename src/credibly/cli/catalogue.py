"""The registries by name, and what to tell about their entries."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any

from credibly._core.errors import UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from credibly._core.registry import Registry

# A registry is found under its own plural name in the package that holds its entries.
HOMES = {
    "measures": "credibly.measures",
    "baselines": "credibly.evaluation.baselines",
    "band_methods": "credibly.curves.bands",
    "curves": "credibly.curves",
    "estimators": "credibly.evaluation._declare",
    "interval_methods": "credibly.intervals._declare",
    "proportion_methods": "credibly.intervals",
    "decision_rules": "credibly.decisions",
    "comparisons": "credibly.comparisons",
    "adjustments": "credibly.comparisons.multiplicity",
    "readers": "credibly.io",
    "plots": "credibly.plots",
    "checks": "credibly.checks",
    "calibration_statistics": "credibly.reliability",
    "calibration_tests": "credibly.reliability",
    "recalibrations": "credibly.recalibration",
    "resamplings": "credibly.resampling",
}


def registry_of(kind: str) -> Registry[Any]:
    """Return the registry of a kind, in the singular or the plural."""
    name = kind.replace("-", "_").replace(" ", "_")
    plural = name if name.endswith("s") else f"{name}s"
    if plural not in HOMES:
        msg = f"There is nothing called {kind!r} to list; kinds: {', '.join(k.replace('_', '-') for k in HOMES)}.{did_you_mean(plural, HOMES)}"
        raise UnknownNameError(msg)
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
    if hasattr(entry, "range"):
        low, high = entry.range
        facts |= {
            "range": f"{low:g} to {high:g}",
            "best": None if entry.best is None else f"{entry.best:g}",
            "by_chance": None if entry.chance is None else f"{entry.chance:g}",
            "better_when": entry.direction,
            "undefined_when": entry.undefined,
            "computed_from": entry.reads.__name__,
            "needs": list(entry.needs) or [entry.takes],
        }
    if hasattr(entry, "promises"):
        facts["promises"] = sorted(entry.promises)
    if hasattr(entry, "suffixes"):
        facts["file_names"] = list(entry.suffixes)
    if hasattr(entry, "parameters"):
        facts["parameters"] = [_parameter_text(q) for q in entry.parameters]
    if hasattr(entry, "cite"):
        facts["reference"] = entry.cite
    return facts


def _parameter_text(parameter: Any) -> str:  # noqa: ANN401
    default = "required" if parameter.required else f"default {parameter.default!r}"
    return f"{parameter.name}: {parameter.rule.text} ({default})"
