"""Ways to combine what several models predicted: votes, means, given weights, learnt weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.names import Names
from credibly._core.parameters import Rule, whole
from credibly._core.text import count
from credibly.ensembles._declare import JointVerdict, Opinions, combination
from credibly.ensembles.findings import STACKING_WEIGHTS, TIED_VOTES
from credibly.errors import DataError, MissingColumnError, ParameterError, says
from credibly.predictions.labels import MISSING
from credibly.predictions.numbering import case_numbers, other_and_own, repeat_numbers
from credibly.resampling import as_resampling

if TYPE_CHECKING:
    Rows = NDArray[np.intp]

KITTLER = "Kittler, J., Hatef, M., Duin, R. P. W. & Matas, J. (1998) On combining classifiers. IEEE Transactions on Pattern Analysis and Machine Intelligence 20, 226-239."
LAAN = "van der Laan, M. J., Polley, E. C. & Hubbard, A. E. (2007) Super learner. Statistical Applications in Genetics and Molecular Biology 6, article 25."


def _are_weights(given: object) -> bool:
    """Whether these are finite numbers of at least 0 by name, with at least one above 0."""
    if not isinstance(given, Mapping):
        return False
    numbers = list(given.values())
    plain = all(isinstance(w, int | float) and not isinstance(w, bool) for w in numbers)
    return plain and all(0 <= w < float("inf") for w in numbers) and sum(numbers) > 0


WEIGHTS_RULE = Rule(
    "a dictionary of numbers of at least 0 by model, not all 0", _are_weights, {"tree": -1}
)


@combination(
    "Majority vote",
    cite=KITTLER,
    aliases=Names(texts="majority vote", weka="Vote", sklearn="VotingClassifier"),
)
def vote(o: Opinions, *, doubt: bool = False) -> JointVerdict:
    r"""The class that most models predict; its share of the votes stands for a probability.

    $\max_j \sum_t I(M_t(x) = c_j)$. Ties go to the positive one of two classes, as a probability of
    one half does, else to the first of the tied classes; with ``doubt=True`` to none, and the case
    is undecided. So is a case that no model has a label for.

    >>> from credibly import Predictions, evaluate
    >>> from credibly.ensembles import combine
    >>> p = Predictions.of(list("aab") * 3, label=list("aabaaaaba"), model=[1, 1, 1, 2, 2, 2, 3, 3, 3],
    ...                    row=[0, 1, 2] * 3)
    >>> evaluate(combine(p, "vote"), "error_rate").where(model="vote")[0].value
    0.3333333333333333
    """
    if o.cases.task == "numeric":
        raise DataError("Models that predict numbers cannot vote. Use 'average' or 'median'.")
    votes = o.ballots.sum(axis=0)
    silent = votes.sum(axis=1) == 0
    votes[silent] = 1
    label = winners(votes, o.cases.positive)
    tied = ((votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1) & ~silent
    label[silent | (tied & doubt)] = MISSING
    share = votes / votes.sum(axis=1, keepdims=True)
    return JointVerdict(share, label, _about_ties(int(tied.sum()), o, doubt=doubt))


def _about_ties(n: int, o: Opinions, *, doubt: bool) -> tuple[Finding, ...]:
    if not n:
        return ()
    place, classes = o.cases.positive, o.cases.classes
    named = place is not None and len(classes) == 2
    winner = repr(classes[place or 0]) if named else "the first of them"
    then = "are undecided" if doubt else f"go to {winner}"
    return (TIED_VOTES(cases=count(n, "case"), n=o.cases.n, then=then),)


@combination("Mean", cite=KITTLER, aliases=Names("mean, soft_vote"))
def average(o: Opinions) -> JointVerdict:
    r"""The mean of the probabilities or of the numbers; of votes where there are only labels.

    $\frac{1}{K} \sum_t p_t(c_j \mid x)$

    >>> from credibly import Predictions
    >>> from credibly.ensembles import combine
    >>> p = Predictions.of([1.0, 2.0] * 2, value=[1.0, 3.0, 2.0, 2.0], model=list("aabb"), row=[0, 1] * 2)
    >>> combine(p, "average").value[4:].tolist()
    [1.5, 2.5]
    """
    return JointVerdict(o.voices.mean(axis=0))


@combination("Median", cite=KITTLER)
def median(o: Opinions) -> JointVerdict:
    """The median of the probabilities, scaled to sum to one, or of the numbers, which one model that errs far does not change much.

    >>> from credibly import Predictions
    >>> from credibly.ensembles import combine
    >>> p = Predictions.of([1.0] * 3, value=[1.0, 2.0, 90.0], model=list("abc"), row=[0] * 3)
    >>> combine(p, "median").value[3:].tolist()
    [2.0]
    """
    middle = np.median(o.voices, axis=0)
    if o.cases.task == "numeric":
        return JointVerdict(middle)
    total = middle.sum(axis=1, keepdims=True)
    mean = o.voices.mean(axis=0)  # where each class has too few voices
    return JointVerdict(np.divide(middle, total, out=mean, where=total > 0))


@combination("Weighted mean", cite=KITTLER, constraints={"weights": WEIGHTS_RULE})
def weighted(o: Opinions, *, weights: Mapping[str, float]) -> JointVerdict:
    r"""The mean with a given weight for each model; a model that is not named has weight 0.

    $\sum_t w_t\, p_t(c_j \mid x) / \sum_t w_t$

    >>> from credibly import Predictions
    >>> from credibly.ensembles import combine
    >>> p = Predictions.of([1.0] * 2, value=[1.0, 2.0], model=list("ab"), row=[0] * 2)
    >>> combine(p, "weighted(weights={'a': 3, 'b': 1})").value[2:].tolist()
    [1.25]
    """
    for name in weights:
        if name not in o.names:
            raise ParameterError(
                f"weights names {name!r}; the models are {', '.join(o.names)}.",
                asked=str(name),
                choices=o.names,
            )
    share = np.array([weights.get(name, 0.0) for name in o.names], np.float64)
    return JointVerdict(np.tensordot(share / share.sum(), o.voices, 1))


@combination(
    "Stacking inside folds",
    cite=LAAN,
    constraints={"folds": whole(2)},
    aliases=Names("stacking", weka="Stacking", sklearn="StackingClassifier"),
)
def stacked(o: Opinions, *, folds: int = 5) -> JointVerdict:
    r"""The weighted mean whose weights were learned on other folds.

    The weights, none below 0 and with sum 1, make the squared error of the mean least on the cases of
    the other folds: those of the predictions themselves, of the same repeat, if each case is in one of
    several; else ``folds`` of them that are cut at random. So no case influences its own weights,
    although the models of the other folds were trained on it.

    >>> import numpy as np
    >>> from credibly import Predictions
    >>> from credibly.ensembles import combine
    >>> t, rng = np.arange(40.0), np.random.default_rng(1)
    >>> p = Predictions.of(np.tile(t, 2), value=np.append(t + rng.normal(size=40), t[::-1]),
    ...                    model=np.repeat(["near", "far"], 40), row=np.tile(range(40), 2))
    >>> combine(p, "stacked", rng=1).findings[-1].message
    'Mean weights of the models over 5 folds: near 1.00, far 0.00.'
    """
    voice = np.zeros_like(o.voices[0])
    learnt = []
    for train, test in _cuts(o, folds):
        weights = convex_weights(o, train)
        voice[test] = np.tensordot(weights, o.voices[:, test], 1)
        learnt.append(weights)
    mean = np.mean(learnt, axis=0)
    each = ", ".join(f"{name} {w:.2f}" for name, w in zip(o.names, mean, strict=True))
    finding = STACKING_WEIGHTS(folds=count(len(learnt), "fold"), weights=each)
    return JointVerdict(voice, None, (finding,))


def convex_weights(o: Opinions, rows: Rows) -> Floats:
    """Return the weights, none below 0 and with sum 1, whose mean has the least squared error on some cases.

    Models that say the same of all these cases have the same weight.
    """
    truth = o.cases.truth[rows]
    wanted = truth if o.cases.task == "numeric" else np.eye(len(o.cases.classes))[truth]
    root = np.sqrt(o.cases.weights[rows]).reshape(-1, *([1] * (wanted.ndim - 1)))
    gaps = ((o.voices[:, rows] - wanted) * root).reshape(len(o.names), -1)
    seen: dict[bytes, int] = {}
    kind = [seen.setdefault(gap.tobytes(), len(seen)) for gap in gaps]
    _, first, alike = np.unique(kind, return_index=True, return_counts=True)
    return np.asarray((shortest_mean(gaps[first]) / alike)[kind])


def shortest_mean(vectors: Floats) -> Floats:
    r"""Return the weights, none below 0 and with sum 1, that make the weighted mean of the rows shortest.

    They are found by least squares that leave the sum free: for weights $s v$, where $v$ has sum 1,
    $|s\,vX|^2 + (s - 1)^2$ is at best $|vX|^2 / (1 + |vX|^2)$, which is least where $|vX|$ is.

    >>> shortest_mean(np.array([[-1.0, 0.0], [3.0, 0.0], [5.0, 5.0]])).round(12).tolist()
    [0.75, 0.25, 0.0]
    """
    from scipy.optimize import nnls

    side = np.linalg.qr(vectors.T, mode="r")  # as long and at the same angles, however many columns
    length = np.abs(side).max(axis=0)
    # In units of the shortest row s lies well between 0 and 1, so that no digits are lost.
    side /= length[length > 0].min(initial=np.inf)
    found, _ = nnls(np.vstack([side, np.ones(len(vectors))]), np.append(np.zeros(len(side)), 1))
    return np.asarray(found / found.sum())


def _cuts(o: Opinions, folds: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield the cases to learn weights on and those to apply them to."""
    p = o.cases
    once = np.unique(np.stack([repeat_numbers(p), case_numbers(p)]), axis=1).shape[1] == p.n
    cuts = list(other_and_own(p))
    if once and all(others.size for others, _ in cuts):
        yield from cuts
        return
    if o.seed is None:
        raise MissingColumnError(
            "Stacking learns weights inside folds, but these predictions have no folds.",
            remedy=says("Set <rng=...> to make folds, or name them with <fold=...>."),
        )
    groups = p.clusters  # a case that was predicted several times stays in one fold
    rule = f"folds(k={folds})" if groups is None else f"grouped_folds(k={folds})"
    strata = p.truth if p.task == "classification" else None
    cut = as_resampling(rule).realise(p.n, strata, groups=groups, rng=o.seed)
    yield from ((split.train, split.test) for split in cut)


def winners(votes: Floats, positive: int | None) -> NDArray[np.int64]:
    """Return the class with the most votes; of two that are equal the positive one, else the first."""
    label = votes.argmax(axis=1)
    if positive is not None and votes.shape[1] == 2:
        label[votes[:, 0] == votes[:, 1]] = positive
    return label.astype(np.int64)
