"""Decompositions of a loss: noise, bias (the systematic error of a scheme) and variance over training sets.

A decomposition is a function from a table of one row per case and one column per training set to the parts of
each case's loss; its signs say how they add up, and a call that does not add up raises. For labels the
table is counts of votes (`Votes`), for numbers and probabilities mean and spread (`Values`): sums over
training sets, so leaving one out is a subtraction. Labels that tie for the most frequent share its role, so
the order of classes does not matter.

- **The experiment is a run** and what follows from its predictions (`bias_variance/evidence.py`): a saved
  run gives the same numbers, and one run serves every decomposition. Only held-out predictions count.
- **Noise** is known only with `truth=`; without it the part is left out, and the bias says that it holds
  both.
- **Intervals** add the variances of leaving out cases (or groups) and of leaving out training sets, since a
  training set moves all cases together. With resampled training sets they are about new cases; with
  newly drawn training sets, about those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.lazy import lazy

if TYPE_CHECKING:
    from credibly.bias_variance._declare import (
        Decomposition as Decomposition,
        Part as Part,
        Parts as Parts,
        decomposition as decomposition,
        decompositions as decompositions,
    )
    from credibly.bias_variance.bias_variance import bias_variance as bias_variance
    from credibly.bias_variance.result import BiasVariance as BiasVariance, Setting as Setting
    from credibly.bias_variance.tables import Values as Values, Votes as Votes

lazy(__name__)
