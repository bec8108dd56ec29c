"""Learners in plain numpy that are fitted on many training sets at once: what a grid of simulations needs.

A learner takes rows, targets and a table of weights with a row for each training set, and returns a function
that predicts new rows by every fitted model. It needs no package but numpy, so that a grid runs anywhere.
"""

import numpy as np


def _with_one(X):
    return np.column_stack([np.ones(len(X)), X])


def ridge(penalty):
    """Least squares with a penalty on all but the intercept."""

    def fit(X, y, W):
        Z = _with_one(X)
        shrink = np.diag([1e-9, *[max(penalty, 1e-9)] * X.shape[1]])
        A = np.einsum("fn,np,nq->fpq", W, Z, Z, optimize=True) + shrink
        b = np.einsum("fn,np,n->fp", W, Z, y, optimize=True)
        B = np.linalg.solve(A, b[..., None])[..., 0]
        return lambda new: B @ _with_one(new).T

    return fit


ols = ridge(0.0)


def logistic(X, y, W, penalty=1.0):
    """Logits by Newton's method, with a ridge penalty."""
    Z = _with_one(X)
    shrink = np.diag([1e-6, *[penalty] * X.shape[1]])
    B = np.zeros((len(W), Z.shape[1]))
    for _ in range(8):
        p = 1 / (1 + np.exp(-np.clip(B @ Z.T, -30, 30)))
        slope = (W * (y - p)) @ Z - B @ shrink
        H = np.einsum("fn,np,nq->fpq", W * p * (1 - p), Z, Z, optimize=True) + shrink
        B = B + np.linalg.solve(H, slope[..., None])[..., 0]
    return lambda new: B @ _with_one(new).T


def lda(X, y, W):
    """Log odds of two normal classes with one covariance matrix."""
    n1 = W @ y
    n0 = W.sum(1) - n1
    m1, m0 = (W * y) @ X / n1[:, None], (W * (1 - y)) @ X / n0[:, None]
    S = np.einsum("fn,np,nq->fpq", W, X, X, optimize=True)
    S -= n1[:, None, None] * m1[:, :, None] * m1[:, None, :]
    S -= n0[:, None, None] * m0[:, :, None] * m0[:, None, :]
    S = S / (n1 + n0 - 2)[:, None, None] + 1e-9 * np.eye(X.shape[1])
    w = np.linalg.solve(S, (m1 - m0)[..., None])[..., 0]
    c = np.log(n1 / n0) - ((m1 + m0) * w).sum(1) / 2
    return lambda new: w @ new.T + c[:, None]


def naive_bayes(X, y, W):
    """Log odds of two classes with independent normal columns."""
    n1 = W @ y
    n0 = W.sum(1) - n1
    found = []
    for share, n in ((y, n1), (1 - y, n0)):
        mean = (W * share) @ X / n[:, None]
        found.append((mean, (W * share) @ X**2 / n[:, None] - mean**2 + 1e-9))

    def likelihood(new, mean, variance):
        far = (new[None] - mean[:, None]) ** 2 / variance[:, None]
        return -(far + np.log(variance)[:, None]).sum(-1) / 2

    prior = np.log(n1 / n0)[:, None]
    return lambda new: likelihood(new, *found[0]) - likelihood(new, *found[1]) + prior


def neighbours(k):
    """The mean target of the k nearest rows; a row that was drawn twice counts twice."""

    def fit(X, y, W):
        def predict(new, near=64):
            far = ((new[:, None, :] - X[None]) ** 2).sum(-1)
            order = np.argsort(far, axis=1, kind="stable")[:, :near]
            target, found = y[order], np.empty((len(W), len(new)))
            for i, w in enumerate(W):
                there = w[order]
                before = np.cumsum(there, axis=1) - there
                if (before[:, -1] + there[:, -1]).min() < k and near < len(X):
                    return predict(new, len(X))
                found[i] = (np.clip(k - before, 0, there) * target).sum(1) / k
            return found

        return predict

    return fit


def smoother(width):
    """The mean target of all rows, which count the less the farther they are."""

    def fit(X, y, W):
        def predict(new):
            near = np.exp(-((new[:, None, :] - X[None]) ** 2).sum(-1) / (2 * width**2)) + 1e-12
            return (W * y) @ near.T / (W @ near.T)

        return predict

    return fit


def tree(depth, leaf):
    """The mean target of a leaf; splits are those that leave the least squared error."""

    def grow(X, y, rows, left):
        m, total = len(rows), y[rows].sum()
        if not left or m < 2 * leaf or y[rows].min() == y[rows].max():
            return total / m
        sizes = np.arange(leaf, m - leaf + 1)
        best = (np.inf, 0, 0.0)
        for j in range(X.shape[1]):
            order = np.argsort(X[rows, j], kind="stable")
            part = np.cumsum(y[rows][order])[leaf - 1 : m - leaf + (leaf == 0)][: sizes.size]
            gain = -(part**2 / sizes[: part.size] + (total - part) ** 2 / (m - sizes[: part.size]))
            i = int(gain.argmin())
            if gain[i] < best[0]:
                x = X[rows[order], j]
                best = (gain[i], j, (x[sizes[i] - 1] + x[sizes[i]]) / 2)
        _, j, cut = best
        low = X[rows, j] <= cut
        if low.all() or not low.any():
            return total / m
        return j, cut, grow(X, y, rows[low], left - 1), grow(X, y, rows[~low], left - 1)

    def apply(node, new):
        if not isinstance(node, tuple):
            return np.full(len(new), node)
        j, cut, below, above = node
        low = new[:, j] <= cut
        found = np.empty(len(new))
        found[low], found[~low] = apply(below, new[low]), apply(above, new[~low])
        return found

    def fit(X, y, W):
        every = np.arange(len(y))
        trees = [grow(X, y, np.repeat(every, w.astype(int)), depth) for w in W]
        return lambda new: np.array([apply(t, new) for t in trees])

    return fit


def several_lda(count):
    """Probabilities of several normal classes with one covariance matrix (model, case, class)."""

    def fit(X, y, W):
        mine = [W * (y == c) for c in range(count)]
        size = np.stack([w.sum(1) for w in mine], 1)
        mean = np.stack([w @ X / np.maximum(w.sum(1), 1e-9)[:, None] for w in mine], 1)
        S = np.einsum("fn,np,nq->fpq", W, X, X, optimize=True)
        S -= np.einsum("fc,fcp,fcq->fpq", size, mean, mean)
        S = S / (size.sum(1) - count)[:, None, None] + 1e-9 * np.eye(X.shape[1])
        slope = np.linalg.solve(S, mean.transpose(0, 2, 1))  # model, column, class
        start = np.log(size + 1e-9) - np.einsum("fcp,fpc->fc", mean, slope) / 2

        def predict(new):
            height = new @ slope + start[:, None]
            height = np.exp(height - height.max(-1, keepdims=True))
            return height / height.sum(-1, keepdims=True)

        return predict

    return fit


def chosen(learner, count):
    """A learner on the columns that correlate most with the target in each training set: what is learned jumps."""

    def fit(X, y, W):
        share = W / W.sum(1, keepdims=True)
        mean, height = share @ X, share @ y
        together = (share * y) @ X - mean * height[:, None]
        spread = share @ X**2 - mean**2
        best = np.argsort(-np.abs(together) / np.sqrt(spread), axis=1)[:, :count]
        models = [(cols, learner(X[:, cols], y, w[None])) for cols, w in zip(best, W, strict=True)]
        return lambda new: np.stack([model(new[:, cols])[0] for cols, model in models])

    return fit


def boosting(rounds=30, rate=0.2, leaf=4.0):
    """A sum of stumps, each fitted to what those before it leave; all models grow together."""

    def fit(X, y, W):
        order = np.argsort(X, axis=0, kind="stable")
        start = W @ y / W.sum(1)
        left, steps = y - start[:, None], []
        for _ in range(rounds):
            best = np.full(len(W), -np.inf)
            step = np.zeros((4, len(W)))  # column, cut, what is added below it and above
            for j, rows in enumerate(order.T):
                x, weight = X[rows, j], np.cumsum(W[:, rows], axis=1)
                part = np.cumsum(W[:, rows] * left[:, rows], axis=1)
                below, above = weight[:, :-1], weight[:, -1:] - weight[:, :-1]
                with np.errstate(all="ignore"):
                    gain = part[:, :-1] ** 2 / below + (part[:, -1:] - part[:, :-1]) ** 2 / above
                gain[(below < leaf) | (above < leaf)] = -np.inf
                at = gain.argmax(axis=1)
                model = np.flatnonzero(np.take_along_axis(gain, at[:, None], 1)[:, 0] > best)
                cut = at[model]
                best[model] = gain[model, cut]
                step[:, model] = (
                    np.full(model.size, j),
                    (x[cut] + x[cut + 1]) / 2,
                    rate * part[model, cut] / below[model, cut],
                    rate * (part[model, -1] - part[model, cut]) / above[model, cut],
                )
            steps.append(step)
            left = left - _stump(step, X)
        return lambda new: start[:, None] + sum(_stump(step, new) for step in steps)

    return fit


def _stump(step, X):
    column, cut, below, above = step
    low = cut[:, None] >= X[:, column.astype(int)].T
    return np.where(low, below[:, None], above[:, None])


def bounded(learner, low=0.02):
    """A learner of numbers as one of shares, which are kept off 0 and 1."""

    def fit(X, y, W):
        model = learner(X, y, W)
        return lambda new: np.clip(model(new), low, 1 - low)

    return fit
