"""What a loss is made of: noise, what a way of learning always gets wrong, and what depends on the training set."""

from credibly.biasvariance._declare import Decomposition, Part, Parts, decomposition, decompositions
from credibly.biasvariance.decomposing import bias_variance
from credibly.biasvariance.result import BiasVariance, Setting
from credibly.biasvariance.tables import Values, Votes

__all__ = [
    "BiasVariance",
    "Decomposition",
    "Part",
    "Parts",
    "Setting",
    "Values",
    "Votes",
    "bias_variance",
    "decomposition",
    "decompositions",
]
