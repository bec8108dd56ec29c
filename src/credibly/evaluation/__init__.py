"""From predictions to a table of estimates."""

from credibly.evaluation.evaluate import evaluate
from credibly.evaluation.expectation import expected_loss

__all__ = ["evaluate", "expected_loss"]
