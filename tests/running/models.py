"""Estimators that misbehave, in a module so that worker processes can import them."""

import os
import signal
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Labels(ClassifierMixin, BaseEstimator):
    """Knows labels alone: those of the nearest class mean of the first column."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c][:, 0].mean() for c in self.classes_])
        return self

    def predict(self, X):
        return self.classes_[np.abs(X[:, :1] - self.means_).argmin(axis=1)]


class FailsWithout(Labels):
    """Fails where a case, known by its first value, is not in the training part."""

    def __init__(self, value=0.0):
        self.value = value

    def fit(self, X, y):
        if self.value not in X[:, 0]:
            msg = f"{self.value} is gone"
            raise RuntimeError(msg)
        return super().fit(X, y)


class Interrupts(Labels):
    """Somebody presses Ctrl-C at the third fit."""

    fits = 0

    def __init__(self, c=1):
        self.c = c

    def fit(self, X, y):
        type(self).fits += 1
        if type(self).fits == 3:
            raise KeyboardInterrupt
        return super().fit(X, y)


class Ends(Labels):
    """Calls for the end of the program, as some command-line tools do."""

    def __init__(self, code=3):
        self.code = code

    def fit(self, X, y):
        raise SystemExit(self.code)


class WarnsALot(Labels):
    """Has another warning for each training part."""

    def fit(self, X, y):
        warnings.warn(f"the sum is {float(X.sum()):.6f}", stacklevel=1)
        return super().fit(X, y)


class Warns(Labels):
    def fit(self, X, y):
        warnings.warn("it did not converge", stacklevel=1)
        return super().fit(X, y)


class Kills(Labels):
    """Kills the process that fits it: once if a file is named, which then remembers, else always."""

    def __init__(self, once=None):
        self.once = once

    def fit(self, X, y):
        if self.once is None or not Path(self.once).exists():
            if self.once is not None:
                Path(self.once).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y)


class Memoriser(ClassifierMixin, BaseEstimator):
    """Knows what it has seen, and guesses the first class otherwise."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen_ = dict(zip(X[:, 0].tolist(), y.tolist(), strict=True))
        return self

    def predict(self, X):
        return np.array([self.seen_.get(x, self.classes_[0]) for x in X[:, 0].tolist()])


class Spoils(ClassifierMixin, BaseEstimator):
    """Gives probabilities that are none, or a label that nobody knows, where a case is not trained on."""

    def __init__(self, how="nan", value=5.0):
        self.how = how
        self.value = value

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.spoiled_ = self.value not in X[:, 0]
        return self

    def predict(self, X):
        return np.full(len(X), 9 if self.how == "label" and self.spoiled_ else self.classes_[0])


class SpoilsProbabilities(Spoils):
    def predict_proba(self, X):
        wrong = {"nan": np.nan, "sum": 0.7, "negative": -0.5, "single": 0.5 + 1e-7}[self.how]
        p = np.full((len(X), 2), 0.5)
        p[:, 0] = wrong if self.spoiled_ else 0.5
        return p
