"""From predictions to a table of estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.evaluation.evaluate import evaluate as evaluate
    from credibly.evaluation.expectation import expected_loss as expected_loss

lazy(
    __name__,
    {
        "evaluate": "evaluate",
        "expectation": "expected_loss",
    },
)
