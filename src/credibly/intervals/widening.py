r"""By what to widen the error over the cases of one cross-validation, for learning from other training sets.

Take the loss of a case apart: what it is on average over training sets, with variance $a$ over the cases, and what the one
training set adds, with variance $b$. The spread over cases shows $a + b$. But two cases that are in each other's training set
add to both losses at once, and where that is symmetric, as for least squares and for mutual nearest neighbours, the mean has the variance $a + 2 b$
over $n$. So the squared error is to be multiplied by one and the share of $b$ in the whole, which is at most 2.

``run`` finds the share $o$ by which a scheme errs less on rows that it was fitted to than on the same rows held out. Of normal errors
with the variance 1, and predictions that other training sets move with the variance $r$, squares are $1 - r$ on average there and $1 + r$ here, so that $r = o / (2 - o)$; the share is
$1 - (1 + r)^{-2} = o - o^2 / 4$. Least squares with $p$ attributes have $o$ near $2 (p + 1) / n$; single nearest neighbours have 1.

A scheme that makes a choice, such as which column a tree cuts first, jumps with its training set without following single rows. Let two choices be as good,
with losses that vary by $s^2$ and correlate by $c$, and let each of $k$ folds take the one that did better in the others. A fold in which one did badly is judged by that one, so that
where folds disagree the mean is too high, and else too low: its variance is $1 + (1 - c) (k - 1) / (\pi \sqrt{2 k - 3})$ times $s^2 / n$, exactly for normal losses, and grows with
the number of folds. Losses then move between the models of folds too: by the jackknife's variance, $v$ times that over cases, with the mean
$v = (1 - c) (k - 1) \arccos((k - 2) / (k - 1)) / \pi$, which is twice what the variance of the mean grows by. So the squared error is multiplied by $1 + v / 2$ at least. What changes a little with every row has less: there $v$ is about $o$.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from credibly.predictions import Predictions
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from credibly.measures import Measure

CLASSIFICATION_FACTOR = 1.25  # times the error over cases, of classes and ratios; simulated
# Times by how much more closely a classifier follows its rows than a linear one; simulated.
OVERFITTING_FACTOR = 4.0
UNKNOWN_FACTOR = 1.3  # where it is not known how many attributes there are
MAX_COLUMN_SHARE = 0.25  # of the number of cases: what is learned from more shows in repeats alone
LINEAR_FACTOR = (
    1.5  # times the share of least squares, up to which a scheme is as good as linear; simulated
)
# Training cases, or groups, for each attribute and a constant, below which learning is seldom
# stable; simulated.
MIN_CASES_PER_COLUMN = 3
SINGLE_CUT = 2  # different predictions


def widening(p: Predictions, m: Measure) -> float:
    """Return by what to multiply the error of one cross-validation, for learning from other training sets.

    What is said above of squares serves absolute errors too, and means over groups. Losses of classes vary less beside their mean than
    squares of normal errors, so that training sets have a larger share in them; in time order the error may itself be short, and
    where groups are few for the attributes, more than two of them move a loss together.
    """
    return max(_of_fit(p, m), of_choices(p))


def _of_fit(p: Predictions, m: Measure) -> float:
    known = attributes_of(p)
    if not known:
        return UNKNOWN_FACTOR
    own = _closeness(p)
    derived = (p.task == "numeric" or p.grouping is not None) and not p.in_time
    derived = derived and (m.power is not None or not m.nonlinear)
    enough = _learned_from(p) >= MIN_CASES_PER_COLUMN * (known + 1)
    if derived and enough and math.isfinite(own):
        return of_training(max(own, _of_least_squares(p)))
    most = CLASSIFICATION_FACTOR / math.sqrt(1 - min(known / _units(p), MAX_COLUMN_SHARE))
    return min(most, widening_by_fit(p))


def of_training(share: float) -> float:
    """Return by what to multiply the error where a scheme errs less by this share on its own rows.

    >>> [round(of_training(share), 3) for share in (0, 0.2, 1)]
    [1.0, 1.091, 1.323]
    """
    share = min(max(share, 0.0), 1.0)
    return math.sqrt(1 + share - share**2 / 4)


def of_choices(p: Predictions) -> float:
    """Return by what to multiply the error at least, for choices that change with the training set.

    Folds that agree on a single cut do not show how often another training set would cut elsewhere: two cuts that
    are as good, with losses that do not correlate, are charged for.
    """
    if not cuts_once(p):
        return seen_choices(p)
    folds = max(len(distinct(np.asarray(p.fold)).values), 2)
    return max(seen_choices(p), math.sqrt(1 + (folds - 1) / (math.pi * math.sqrt(2 * folds - 3))))


def seen_choices(p: Predictions) -> float:
    """Return by what to multiply it as models of folds show that lie apart on the same rows."""
    found = {} if p.provenance is None else p.provenance.instability
    apart = [found.get(str(name), 0.0) for name in p.model_names or found]
    return math.sqrt(1 + max(apart, default=0.0) / 2)


def cuts_once(p: Predictions) -> bool:
    """Whether a scheme of one cross-validation says one of two things of every case, and is wrong in some it was fitted to: neighbours are not."""
    made = p.provenance
    if made is None or p.fold is None:
        return False
    names = [str(name) for name in p.model_names or made.different]
    return any(
        made.different.get(n) == SINGLE_CUT and made.overfitting.get(n, 1.0) < 1 for n in names
    )


def widening_by_fit(*models: Predictions) -> float:
    r"""Return by what to multiply it for schemes that follow their rows no more closely than linear ones; infinite where that is not known.

    What follows single cases changes with them. Least squares with $p$ attributes and a constant err less by about the
    share $q = 2 (p + 1) / n$ on rows that they were fitted to than on others. A scheme that errs less by $o$ gets
    $1 + q + 4 \max(o - q, 0)$, which is simulated.
    """
    shares = ((_closeness(p), _of_least_squares(p)) for p in models)
    return max(1 + linear + OVERFITTING_FACTOR * max(own - linear, 0.0) for own, linear in shares)


def widening_of_linear(*models: Predictions, jumps: bool = False) -> float:
    """Return by what to multiply the error of a difference of schemes that are as good as linear; infinite for others.

    Groups are held out whole, so that the share of a scheme tells what it learns of them; of losses that jump it says less.
    """
    shares = [(_closeness(p), _of_least_squares(p)) for p in models]
    if any(own > LINEAR_FACTOR * linear for own, linear in shares):
        return math.inf
    told = models[0].grouping is not None and not jumps
    return max(of_training(own if told else max(own, linear)) for own, linear in shares)


def widening_in_time(*models: Predictions) -> float:
    """Return by what to multiply the error of a difference between schemes that learned from what came before; infinite where the fit is not known.

    The first stretches of time teach little, so that held-out errors are larger for that alone: the share by which numbers err less is too large, and not taken four times.
    """
    if models[0].task == "classification":
        return widening_by_fit(*models)
    own = max(max(_closeness(p), _of_least_squares(p)) for p in models)
    return of_training(own) if math.isfinite(own) else math.inf


def _closeness(p: Predictions) -> float:
    """Return by which share a scheme errs less on rows that it was fitted to; infinite where that is not known."""
    found = {} if p.provenance is None else p.provenance.overfitting
    shares = [found.get(str(name), math.inf) for name in p.model_names or found]
    return max(shares) if shares and attributes_of(p) else math.inf


def _of_least_squares(p: Predictions) -> float:
    return 2 * (attributes_of(p) + 1) / _units(p)


def _units(p: Predictions) -> float:
    """Return how many cases, or groups, there are to learn from; on a learning curve models have fewer than the other folds hold."""
    units, folds = _all_units(p), 1 if p.fold is None else len(distinct(p.fold).values)
    if p.n_train is None or folds == 1:  # over repeated holdouts, all cases teach
        return units
    return min(_learned_from(p) / (1 - 1 / folds), units)


def _learned_from(p: Predictions) -> float:
    """Return how many cases, or groups, the model of a fold learns from."""
    return _all_units(p) * (1.0 if p.n_train is None else training_cases(p) * p.repeats / p.n)


def _all_units(p: Predictions) -> float:
    rows = p.of_weight()
    return rows.cases if rows.grouping is None else len(distinct(rows.grouping).values)


def attributes_of(p: Predictions) -> int:
    """Return how many attributes there are to learn from; 0 where that is not known."""
    return 0 if p.provenance is None else p.provenance.attributes


def training_cases(p: Predictions) -> float:
    """Return how many rows models of folds have learned from, in the mean over folds."""
    fold = distinct(p.need("fold", "training cases")).codes
    trained = np.bincount(fold, p.need("n_train", "training cases")) / np.bincount(fold)
    return float(trained.mean())
