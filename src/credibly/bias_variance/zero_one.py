"""Decompositions of the zero-one loss: there is no single way, and each has its price.

For each case, t is the probability of each class, s the share of training sets that give its label,
m the most frequent label and b the most probable class. Where labels tie for either, the parts are the
means over those that tie.
"""

from __future__ import annotations

from functools import partial

from credibly._core.arrays import Floats
from credibly.bias_variance._declare import Part, decomposition
from credibly.bias_variance.tables import Votes

SIGNED = (-1.0, 1.0)
of_labels = partial(decomposition, loss="Zero-one loss", takes="label")


@of_labels(
    "Domingos's unified decomposition",
    parts={
        "noise": Part("Noise effect", range=SIGNED),
        "bias": Part("Bias"),
        "net_variance": Part("Net variance", range=SIGNED),
        "unbiased_variance": Part("Unbiased variance", 0),
        "biased_variance": Part("Biased variance", 0),
    },
    cite="Domingos, P. (2000) A unified bias-variance decomposition for zero-one and squared loss. Proceedings of the 17th National Conference on Artificial Intelligence, 564-569.",
)
def domingos(votes: Votes) -> tuple[Floats, ...]:
    r"""Bias is 1 where the most frequent label is not the most probable class, and 0 elsewhere.

    Variance costs where a case is unbiased, and helps where it is biased, since a label that strays may
    be right: the net variance is the unbiased variance $[m = b] (1 - s_m)$ less the biased variance
    $[m \ne b] s_b$, the share of training sets that stray to the right label. With two classes the
    latter is $1 - s_m$, as in the paper. The noise effect is $s_b - \sum t_c s_c$, for two classes
    $(2 s_b - 1) (1 - t_b)$.

    >>> from credibly.bias_variance import Votes
    >>> parts = domingos(Votes.of([[1, 1, -1, 1], [1, 1, 1, -1]], truth=[1, -1]))
    >>> parts["bias"].tolist(), parts["net_variance"].tolist(), parts.loss.tolist()
    ([0.0, 1.0], [0.25, -0.25], [0.25, 0.75])
    """
    s, main, best = votes.shares, votes.main, votes.best
    right = (best * s).sum(axis=1)
    noise = right - (votes.truth * s).sum(axis=1)
    bias = 1 - (main * best).sum(axis=1)
    unbiased = (main * best * (1 - s)).sum(axis=1)
    biased = (best * s * (1 - main)).sum(axis=1)
    return noise, bias, unbiased - biased, unbiased, biased


@of_labels(
    "Kohavi and Wolpert's decomposition",
    parts={
        "noise": Part("Noise"),
        "bias_squared": Part("Squared bias", range=SIGNED),
        "variance": Part("Variance"),
    },
    cite="Kohavi, R. & Wolpert, D. H. (1996) Bias plus variance decomposition for zero-one loss functions. Proceedings of the 13th International Conference on Machine Learning, 275-283.",
)
def kohavi_wolpert(votes: Votes, *, corrected: bool = False) -> tuple[Floats, ...]:
    r"""Half the squared distance of truth and votes, beside the impurity of each.

    $\frac12 (1 - \sum t_c^2) + \frac12 \sum (t_c - s_c)^2 + \frac12 (1 - \sum s_c^2)$. No part is
    negative, but the best possible rule has a bias where there is noise. With few training sets a part
    of the variance counts as bias; ``corrected`` moves it back, as the authors do, so that both are
    right on average, though the bias of a case may then be negative.

    >>> from credibly.bias_variance import Votes
    >>> parts = kohavi_wolpert(Votes.of([[1, 1, -1, 1]], truth=[1]))
    >>> parts["bias_squared"].tolist(), parts["variance"].tolist(), parts.loss.tolist()
    ([0.0625], [0.1875], [0.25])
    """
    t, s = votes.truth, votes.shares
    noise, variance = ((1 - (p**2).sum(axis=1)) / 2 for p in (t, s))
    moved = variance / (votes.count - 1) if corrected else 0.0
    return noise, ((t - s) ** 2).sum(axis=1) / 2 - moved, variance + moved


@of_labels(
    "James's decomposition by effects",
    parts={
        "noise": Part("Noise"),
        "systematic_effect": Part("Systematic effect"),
        "variance_effect": Part("Variance effect", range=SIGNED),
        "bias": Part("Bias", 0),
        "variance": Part("Variance", 0),
    },
    cite="James, G. M. (2003) Variance and bias for general loss functions. Machine Learning 51, 115-135.",
)
def james(votes: Votes) -> tuple[Floats, ...]:
    r"""Bias and variance are distinguished from their effects on the loss.

    Noise $1 - t_b$, systematic effect $t_b - t_m$ of using the most frequent label, variance effect
    $t_m - \sum t_c s_c$ of not keeping to it. Beside them stand the bias $[m \ne b]$ and the variance
    $1 - s_m$ themselves, which do not add up to anything.

    >>> from credibly.bias_variance import Votes
    >>> votes = Votes.of([[1, 1, -1, 1]], truth=[[0.8, 0.2]], classes=[-1, 1])
    >>> parts = james(votes)
    >>> effects = [parts[name].round(12) for name in ("noise", "systematic_effect", "variance_effect")]
    >>> [e.tolist() for e in effects], parts.loss.round(12).tolist()
    ([[0.2], [0.6], [-0.15]], [0.65])
    """
    t, s, main, best = votes.truth, votes.shares, votes.main, votes.best
    of_best, of_main, hit = ((w * t).sum(axis=1) for w in (best, main, s))
    bias = 1 - (main * best).sum(axis=1)
    return 1 - of_best, of_best - of_main, of_main - hit, bias, 1 - (main * s).sum(axis=1)


@of_labels(
    "Webb's decomposition",
    parts={"bias": Part("Bias"), "variance": Part("Variance")},
    cite="Webb, G. I. (2000) MultiBoosting: a technique for combining boosting and wagging. Machine Learning 40, 159-196.",
)
def webb(votes: Votes) -> tuple[Floats, ...]:
    r"""Errors that the most frequent label makes, and errors of labels that stray from it.

    Bias $s_m (1 - t_m)$ and variance $\sum_{c \ne m} s_c (1 - t_c)$: shares of the errors that are
    really made, so neither is negative. Noise is in both.

    >>> from credibly.bias_variance import Votes
    >>> parts = webb(Votes.of([["a", "a", "b", "c"]], truth=["b"]))
    >>> parts["bias"].tolist(), parts["variance"].tolist()
    ([0.5], [0.25])
    """
    wrong = votes.shares * (1 - votes.truth)
    bias = (votes.main * wrong).sum(axis=1)
    return bias, ((1 - votes.main) * wrong).sum(axis=1)


@of_labels(
    "Breiman's decomposition",
    parts={"noise": Part("Noise"), "bias": Part("Bias"), "variance": Part("Variance")},
    cite="Breiman, L. (1998) Arcing classifiers. Annals of Statistics 26, 801-849.",
)
def breiman(votes: Votes) -> tuple[Floats, ...]:
    r"""The loss above the noise counts as bias where the most frequent label is wrong, and as variance elsewhere.

    The excess is $t_b - \sum t_c s_c$. Voting over training sets takes away what is called variance.

    >>> from credibly.bias_variance import Votes
    >>> parts = breiman(Votes.of([[1, 1, -1, 1], [1, 1, 1, -1]], truth=[1, -1]))
    >>> parts["bias"].tolist(), parts["variance"].tolist()
    ([0.0, 0.75], [0.25, 0.0])
    """
    t, best = votes.truth, votes.best
    of_best = (best * t).sum(axis=1)
    excess = of_best - (t * votes.shares).sum(axis=1)
    unbiased = (votes.main * best).sum(axis=1)
    return 1 - of_best, (1 - unbiased) * excess, unbiased * excess


@of_labels(
    "Kong and Dietterich's decomposition",
    parts={"bias": Part("Bias"), "variance": Part("Variance", range=SIGNED)},
    cite="Kong, E. B. & Dietterich, T. G. (1995) Error-correcting output coding corrects bias and variance. Proceedings of the 12th International Conference on Machine Learning, 313-321.",
)
def kong_dietterich(votes: Votes) -> tuple[Floats, ...]:
    r"""The loss of the vote over training sets, and what a single training set loses against it.

    Bias $1 - t_m$, noise included, and variance $t_m - \sum t_c s_c$: less than 0 where straying
    from the vote helps.

    >>> from credibly.bias_variance import Votes
    >>> parts = kong_dietterich(Votes.of([[1, 1, -1, 1], [1, 1, 1, -1]], truth=[1, -1]))
    >>> parts["bias"].tolist(), parts["variance"].tolist()
    ([0.0, 1.0], [0.25, -0.25])
    """
    bias = 1 - (votes.main * votes.truth).sum(axis=1)
    return bias, votes.loss - bias
