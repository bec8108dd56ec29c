"""The registries by the names of their kinds."""

from __future__ import annotations

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
    "terms": "credibly.catalogue.terms",
    "calibration_statistics": "credibly.calibration",
    "calibration_tests": "credibly.calibration",
    "recalibrations": "credibly.calibration.recalibration",
    "resamplings": "credibly.resampling",
    "schemes": "credibly.schemes",
    "datasets": "credibly.io.datasets",
    "combinations": "credibly.ensembles",
    "statistics": "credibly.intervals",
}

KINDS = ", ".join(sorted(name.replace("_", "-") for name in HOMES))


def is_kind(word: str) -> bool:
    """Whether a word names a kind, in the singular or the plural."""
    return _plural(word) in HOMES


def _plural(kind: str) -> str:
    name = kind.replace("-", "_").replace(" ", "_")
    return name if name.endswith("s") else f"{name}s"


def registry_of(kind: str) -> Registry[Any]:
    """Return the registry of a kind, in the singular or the plural."""
    plural = _plural(kind)
    if not is_kind(kind):
        raise UnknownNameError(
            f"There is nothing called {kind!r} to list; kinds: {KINDS}.",
            asked=plural,
            choices=HOMES,
        )
    registry: Registry[Any] = getattr(import_module(HOMES[plural]), plural)
    return registry
