"""How an exact shortcut is declared.

A shortcut works on all splits at once. Where it cannot promise what refitting gives (nearly
singular, tied, a class gone from the training part) it names the splits to refit.
"""

from __future__ import annotations

from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly.running.shortcuts._problem import (
    HeldOutValues,
    ShortcutProblem,
)


class Shortcut(DeclaredFunction[[ShortcutProblem], HeldOutValues]):
    """A way to predict without refitting, and the estimators that it serves: those of exactly these classes."""

    applies_to: tuple[str, ...]


shortcuts: Registry[Shortcut] = Registry("shortcut", "credibly.running.shortcuts")
shortcut = Declarator(Shortcut, shortcuts)
