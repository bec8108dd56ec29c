"""What a loss is made of: noise, what a way of learning always gets wrong, and what depends on the training set."""

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

lazy(
    __name__,
    {
        "_declare": "Decomposition Part Parts decomposition decompositions",
        "bias_variance": "bias_variance",
        "result": "BiasVariance Setting",
        "tables": "Values Votes",
    },
)
