"""Models learnt on drawn cases that vote: bagging, and AdaBoost by weighted resampling."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.parameters import one_of, require, whole
from credibly._kernels.draws import rows_by_weight
from credibly.errors import DataError, ParameterError, says
from credibly.predictions.labels import MAX_NUMBER_CLASSES
from credibly.schemes._declare import schemes
from credibly.schemes._validation import checked_inputs, checked_training_part
from credibly.schemes.choice import as_scheme
from credibly.schemes.columns import NUMBER_KINDS, is_frame, plain_matrix, take_rows
from credibly.schemes.construction import build, seeded
from credibly.schemes.findings import EVEN_VOTES, PERFECT_LEARNER, SIGNED_CLASSES, WEAK_LEARNER

if TYPE_CHECKING:
    Codes = NDArray[np.intp]
    Learnt = tuple[list[tuple[Any, float]], tuple[Finding, ...]]

ARRAY_CHECKS: dict[str, Any] = {"accept_sparse": ["csr"], "ensure_all_finite": False}
VOTING_RULES = ("majority", "probability")
WEAK_RULES = ("discard", "invert")
MULTICLASS_RULES = ("samme", "m1")
MIN_GAIN = 1e-9  # in a weighted error, by which chance is not beaten
MIN_CASES_PER_CLASS = 5  # of each of many numbers; with fewer, they are not classes
MAX_COPIES = 10  # of a row on average, beyond which whole weights are not taken for counts


def vote_weight(error: float, n_classes: int = 2) -> float:
    r"""Return the weight of a model's vote, from its weighted error on the training part.

    $\alpha = \ln((1 - \epsilon) / \epsilon) + \ln(k - 1)$, the second term of which is 0 for two
    classes (Zhu et al. 2009). Infinite for a model without error.

    >>> round(vote_weight(0.28), 3)
    0.944
    """
    with np.errstate(divide="ignore"):
        return float(np.log1p(-error) - np.log(error) + np.log(n_classes - 1))


def reweighted(weight: Floats, wrong: NDArray[np.bool_], alpha: float) -> Floats:
    r"""Return the weights of the cases for the next model: those it got wrong gain $e^\alpha$.

    >>> reweighted(np.full(4, 0.25), np.array([True, False, False, False]), vote_weight(0.25))
    array([0.5       , 0.16666667, 0.16666667, 0.16666667])
    """
    # By the smaller of the two factors, so that a large alpha does not overflow.
    moved = weight * np.where(wrong, 1.0, np.exp(-alpha))
    return np.asarray(moved / moved.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """The training part, from which cases are drawn by their weights for one model after another."""

    learner: Any
    X: Any
    codes: Codes
    size: int
    rng: np.random.RandomState

    def model(self, weight: Floats) -> Any:
        """Draw cases with replacement, and learn from them; cases of one class teach a constant."""
        rows = rows_by_weight(weight, self.rng.random_sample(self.size))
        seed = self.rng.randint(2**31)
        X, codes = take_rows(self.X, rows), self.codes[rows]
        if (codes == codes[0]).all():
            return DummyClassifier(strategy="most_frequent").fit(X, codes)
        return seeded(clone(self.learner), seed, every=True).fit(X, codes)

    def trial(self, model: Any, weight: Floats) -> Trial:
        """See which cases of the whole training part a model gets wrong, and what they weigh."""
        wrong = np.asarray(model.predict(self.X) != self.codes)
        return Trial(model, wrong, float(np.average(wrong, weights=weight)))


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A model, the cases it gets wrong and their share of the weights."""

    model: Any
    wrong: NDArray[np.bool_]
    error: float


def _by_content(X: Any, codes: Codes) -> NDArray[np.intp]:
    """Return an order of the rows that depends on what they hold alone.

    With it the seed decides which cases are drawn, however the rows are shuffled, and a case that
    weighs 2 is drawn like two that weigh 1. Rows of more than numbers stay as they are.
    """
    mixed = not is_frame(X) and X.dtype.kind not in NUMBER_KINDS
    numbers = X if hasattr(X, "tocsr") else None if mixed else plain_matrix(X)
    if numbers is None:
        return np.arange(len(codes))
    place = numbers @ np.random.RandomState(0).random_sample(numbers.shape[1])
    return np.lexsort((codes, place))


def _refuse_objects(X: Any) -> None:
    """Refuse cells that are neither numbers nor text here, since a sample may leave them out."""
    if X.dtype.kind == "O":
        with suppress(ValueError):  # text, which is for the learner to encode or to refuse
            X.astype(np.float64)


class VotingEnsemble(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """What the ensembles share: cases as they come, models with weights, and their vote.

    ``estimators_`` are the models, which know the classes by their places in ``classes_``, and
    ``alphas_`` the weights of their votes; a negative one belongs to a model that votes for the
    class it did not predict. Where classes have equally many votes, the first of ``classes_`` wins.
    """

    estimator: Any
    n_estimators: int
    random_state: Any
    voting = "majority"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Draw cases, in proportion to their weights, and learn; again and again.

        A sample has as many cases as there are; whole weights (up to 10 on average) count cases
        that are there repeatedly.
        """
        require("n_estimators", self.n_estimators, whole(1))
        X, y = self._inputs(X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        order = _by_content(X, codes)
        lessons = Lessons(
            build(as_scheme(self.estimator), "classification", X),
            take_rows(X, order),
            codes[order],
            _sample_size(weight),
            check_random_state(self.random_state),
        )
        learnt, self.findings_ = self._learn(lessons, weight[order] / weight.sum())
        self.estimators_ = [model for model, _ in learnt]
        self.alphas_ = np.array([alpha for _, alpha in learnt])
        return self

    def _learn(self, lessons: Lessons, weight: Floats) -> Learnt:
        """Return models with the weights of their votes, and what to know about them."""
        raise NotImplementedError

    def _inputs(self, X: Any, y: Any) -> tuple[Any, NDArray[Any]]:
        """Check the training part; a frame stays one, since the learner may want its columns."""
        X, y = checked_training_part(self, X, y, **ARRAY_CHECKS)
        if not is_frame(X):
            _refuse_objects(X)
        self._refuse_numbers(y)
        return X, y

    def _refuse_numbers(self, y: NDArray[Any]) -> None:
        """Refuse whole numbers that are a quantity: many of them, and few cases of each."""
        classes = len(np.unique(y)) if y.dtype.kind in NUMBER_KINDS else 0
        if classes > MAX_NUMBER_CLASSES and len(y) < MIN_CASES_PER_CLASS * classes:
            raise DataError(
                f"{type(self).__name__} is for classes; y holds {classes} different numbers in {len(y):,} rows. Write them as text if they are classes."
            )

    def staged_votes(self, X: Any) -> Iterator[Floats]:
        """Yield the votes for each class, one column per class, after one model, two, and so on."""
        check_is_fitted(self)
        return self._counted(checked_inputs(self, X, **ARRAY_CHECKS))

    def _counted(self, checked: Any) -> Iterator[Floats]:
        votes = np.zeros((checked.shape[0], len(self.classes_)))
        for model, alpha in zip(self.estimators_, self.alphas_, strict=True):
            votes = votes + self._ballot(model, alpha, checked)
            yield votes

    def _ballot(self, model: Any, alpha: float, X: Any) -> Floats:
        """Return the vote of one model on each case."""
        votes = np.zeros((X.shape[0], len(self.classes_)))
        if self.voting == "probability":
            votes[:, model.classes_] = alpha * model.predict_proba(X)
            return votes
        code = model.predict(X)
        votes[np.arange(len(code)), 1 - code if alpha < 0 else code] = abs(alpha)
        return votes

    def votes(self, X: Any) -> Floats:
        """Return the votes of all models for each class."""
        return deque(self.staged_votes(X), maxlen=1).pop()

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the shares of the votes after one model, two, and so on."""
        return map(_shares, self.staged_votes(X))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the labels after one model, two, and so on."""
        return (self.classes_[votes.argmax(axis=1)] for votes in self.staged_votes(X))

    def predict_proba(self, X: Any) -> Floats:
        """Return the share of the votes that each class has; as a probability it needs a check."""
        return _shares(self.votes(X))

    def decision_function(self, X: Any) -> Floats:
        """Return the votes for the second of two classes less those for the first, or all votes.

        With the classes written -1 and +1 this is the weighted sum of what the models predict, and
        its sign is the label.
        """
        votes = self.votes(X)
        return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the most votes; of equals the first."""
        most = self.votes(X).argmax(axis=1)
        return np.asarray(self.classes_[most])

    def __sklearn_tags__(self) -> Any:
        """Take what the learner takes."""
        tags = super().__sklearn_tags__()
        chosen = as_scheme(self.estimator)
        named = schemes[chosen.entry].make("classification") if chosen.entry else None
        inside = get_tags(named or chosen.estimator).input_tags
        tags.input_tags.sparse = inside.sparse
        tags.input_tags.allow_nan = named is not None or inside.allow_nan
        tags.input_tags.string = named is not None or inside.string
        return tags


@dataclass(eq=False, repr=False)
class Bagging(VotingEnsemble):
    """Learn from bootstrap samples of the training part, and let the models vote (Breiman 1996).

    It is for classes; targets that look like a quantity are refused.

    Parameters
    ----------
    estimator
        The learner: an estimator, or the name of a scheme such as ``"tree(max_depth=3)"``.
    n_estimators
        How many models learn. With two classes an odd number leaves no ties.
    voting
        ``"majority"``: one model, one vote. ``"probability"``: the mean of their probabilities.
    random_state
        Seed of the samples and of learners that are random.

    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 0, 1, 1, 1]
    >>> model = Bagging("tree(max_depth=1)", 5, random_state=1).fit(X, y)
    >>> model.predict_proba([[0], [2], [5]]).tolist()
    [[1.0, 0.0], [0.8, 0.2], [0.0, 1.0]]
    """

    estimator: Any = "tree"
    n_estimators: int = 25
    _: KW_ONLY
    voting: str = "majority"
    random_state: Any = None

    def _learn(self, lessons: Lessons, weight: Floats) -> Learnt:
        require("voting", self.voting, one_of(*VOTING_RULES))
        if self.voting == "probability" and not hasattr(lessons.learner, "predict_proba"):
            raise ParameterError(
                f"{type(lessons.learner).__name__} gives no probabilities.",
                remedy=says("Use <voting='majority'>."),
            )
        learnt = [(lessons.model(weight), 1.0) for _ in range(self.n_estimators)]
        return learnt, self._ties()

    def _ties(self) -> tuple[Finding, ...]:
        even = self.n_estimators % 2 == 0 and self.voting == "majority"
        if not even or len(self.classes_) != 2:
            return ()
        return (EVEN_VOTES(votes=self.n_estimators, first=str(self.classes_[0])),)


@dataclass(eq=False, repr=False)
class AdaBoost(VotingEnsemble):
    """Learn from cases drawn the more often the more models got them wrong (Freund & Schapire 1997).

    Each model learns from a sample drawn by the weights of the cases, and is judged on all of them:
    its weighted error gives the weight of its vote and the weights for the next. With equal weights
    and votes throughout it is :class:`Bagging`.

    - A model without error stands alone: its vote would outweigh all others.
    - One no better than chance is discarded and another sample drawn, up to ``retries`` times in a
      round; then learning ends with the models so far. ``weak="invert"`` turns its vote around
      instead, where there are two classes. If already the first round has none to keep, the best of
      that round stands alone.
    - ``findings_`` reports what happened; ``errors_`` are the weighted errors.

    It is for classes; targets that look like a quantity are refused.

    Parameters
    ----------
    estimator
        The learner: an estimator, or the name of a scheme such as ``"tree(max_depth=1)"``.
    n_estimators
        How many models vote, unless learning ends earlier.
    weak
        ``"discard"`` or ``"invert"`` models no better than chance.
    retries
        Further samples to draw in a round in which models are discarded.
    multiclass
        With k > 2 classes, ``"samme"`` (Zhu et al. 2009) asks for an error below 1 - 1/k and adds
        ln(k - 1) to the weight of a vote; ``"m1"`` keeps to 1/2 and adds nothing. With two classes
        they are the same.
    random_state
        Seed of the samples and of learners that are random.

    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 1, 0, 0]
    >>> model = AdaBoost(n_estimators=5, random_state=0).fit(X, y)
    >>> model.errors_.round(3).tolist()
    [0.333, 0.25, 0.167, 0.2, 0.187]
    >>> model.predict(X).tolist()
    [0, 0, 1, 1, 0, 0]
    """

    estimator: Any = "tree(max_depth=1)"
    n_estimators: int = 50
    _: KW_ONLY
    weak: str = "discard"
    retries: int = 10
    multiclass: str = "samme"
    random_state: Any = None

    def _learn(self, lessons: Lessons, weight: Floats) -> Learnt:
        self._check_choices()
        k = len(self.classes_) if self.multiclass == "samme" else 2
        chance = 1 - 1 / max(k, 2)
        kept: list[tuple[Trial, float]] = []
        findings = self._signs()
        while len(kept) < self.n_estimators:
            trial = self._trial(lessons, weight, chance)
            if trial.error == 0 or (trial.error == 1 and self.weak == "invert"):
                findings.append(PERFECT_LEARNER(number=len(kept) + 1))
                kept = [(trial, 1.0 if trial.error == 0 else -1.0)]
                break
            if not self._useful(trial.error, chance):
                n = len(kept)
                left = f"learning ended after {n}" if n else "the best of them stands alone"
                findings.append(WEAK_LEARNER(tries=self.retries + 1, left=left))
                kept = kept or [(trial, 1.0)]
                break
            alpha = vote_weight(trial.error, k)
            weight = reweighted(weight, trial.wrong, alpha)
            kept.append((trial, alpha))
        self.errors_ = np.array([trial.error for trial, _ in kept])
        return [(trial.model, alpha) for trial, alpha in kept], tuple(findings)

    def _trial(self, lessons: Lessons, weight: Floats, chance: float) -> Trial:
        """Return the first model of a round that is of use, or the best of those that are not."""
        tried = []
        for _ in range(self.retries + 1):
            tried.append(lessons.trial(lessons.model(weight), weight))
            if self._useful(tried[-1].error, chance):
                return tried[-1]
        return min(tried, key=lambda trial: trial.error)

    def _useful(self, error: float, chance: float) -> bool:
        gain = chance - error
        return gain > MIN_GAIN or (self.weak == "invert" and gain < -MIN_GAIN)

    def _check_choices(self) -> None:
        require("weak", self.weak, one_of(*WEAK_RULES))
        require("multiclass", self.multiclass, one_of(*MULTICLASS_RULES))
        require("retries", self.retries, whole(0))
        if self.weak == "invert" and len(self.classes_) > 2:
            raise ParameterError(
                f"A vote can only be inverted with two classes; there are {len(self.classes_)}.",
                remedy=says("Use <weak='discard'>."),
            )

    def _signs(self) -> list[Finding]:
        """Say which class counts as -1 and which as +1, where they are not written so."""
        if len(self.classes_) != 2 or set(self.classes_.tolist()) == {-1, 1}:
            return []
        low, high = self.classes_.tolist()
        return [SIGNED_CLASSES(low=low, high=high)]


def _shares(votes: Floats) -> Floats:
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def _sample_size(weight: Floats) -> int:
    """Return how many cases to draw: as many as rows, or as whole weights count."""
    counts = (weight == np.rint(weight)).all() and weight.sum() <= MAX_COPIES * len(weight)
    return int(weight.sum()) if counts else len(weight)
