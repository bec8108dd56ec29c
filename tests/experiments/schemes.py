"""Schemes that take their time, misbehave or count their fits, in a module that workers can import."""

import os
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Means(ClassifierMixin, BaseEstimator):
    """Probabilities by the distance to the class means; waits a little, so that there is time to be killed."""

    def __init__(self, seconds=0.0, log=None):
        self.seconds = seconds
        self.log = log

    def fit(self, X, y):
        time.sleep(self.seconds)
        if self.log is not None:  # a line for each fit, whoever does it
            with Path(self.log).open("a") as file:
                file.write(f"{os.getpid()}\n")
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def predict_proba(self, X):
        near = np.exp(-((X[:, None, :] - self.means_) ** 2).mean(axis=2))
        return near / near.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Sleeps(Means):
    """Never ends, and does not listen: Python sees no signal while it is summing."""

    def fit(self, X, y):
        return sum(range(10**13))


class Hoards(Means):
    """Needs two gigabytes of memory."""

    def fit(self, X, y):
        hoard = [np.ones(2**24) for _ in range(16)]
        self.sum_ = sum(h[0] for h in hoard)
        return super().fit(X, y)


class Crashes(Means):
    """Takes its process with it."""

    def fit(self, X, y):
        os.abort()


class Ends(Means):
    """Calls for the end of the program."""

    def fit(self, X, y):
        raise SystemExit(3)


class Fails(Means):
    def fit(self, X, y):
        msg = "it cannot be learnt"
        raise RuntimeError(msg)
