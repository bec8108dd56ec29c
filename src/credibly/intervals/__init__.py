"""Confidence intervals."""

from credibly.intervals.proportions import wilson

__all__ = ["wilson"]
