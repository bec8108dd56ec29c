"""Sets and intervals of MAPIE 1.6.0 and crepes 0.9.1 (without smoothing), at sizes where their ranks are right.

Where they are not: at 0.9 crepes takes the 91st of 99 scores and no end for 9 (at 0.8 the 25th of 29), because it computes 1 - 0.9 in floating point;
MAPIE refuses 9 cases at 0.9 and 19 at 0.95. (n + 1) (1 - alpha) is 90, 9 and 19 there, and that many scores there are.
"""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from credibly import Predictions, conformal

ROW = np.arange(40)
X = np.sin(ROW) * 2
S = 0.5 + ROW % 4 / 4
Y = X + np.cos(3 * ROW) * S
OLD, NEW = slice(29), slice(29, None)


def numbers(rows):
    return Predictions.of(Y[rows], value=X[rows], columns={"scale": S[rows]})


@pytest.mark.parametrize(
    ("method", "level", "ends"),
    [
        ("absolute_error", 0.8, [[-2.2874380550763007, -0.3670974817755692], [-2.9362335348360897, -1.0158929615353578], [-1.7682455772964958, 0.15209499600423582]]),
        ("scaled_error", 0.75, [[-2.0473954834137094, -0.6071400534381607], [-2.9362335348360897, -1.0158929615353578], [-2.008288148959087, 0.39213756766682717]]),
    ],
)  # fmt: skip
def test_intervals(method, level, ends):
    found = conformal(numbers(OLD), numbers(NEW), method, level=level)
    assert np.column_stack([found.low, found.high])[:3] == pytest.approx(np.array(ends), rel=1e-12)


def test_sets():
    q = np.stack([2 + np.sin(ROW), 2 + np.cos(2 * ROW), 2 + np.sin(5 * ROW + 1)], 1) ** 2
    parts = [Predictions.of(ROW[r] * 7 % 3, probability=q[r] / q[r].sum(1, keepdims=True), classes=range(3)) for r in (OLD, NEW)]  # fmt: skip
    found = conformal(*parts, level=0.8).sets.sets[0]
    sets = ["011", "001", "110", "110", "101", "111", "011", "111", "111", "111", "101"]
    assert ["".join(str(int(v)) for v in row) for row in found] == sets


def test_cross_conformal_intervals():
    inputs, fold = np.stack([X, np.cos(ROW)], 1), ROW[OLD] % 4
    models = [
        LinearRegression().fit(inputs[OLD][fold != k], Y[OLD][fold != k]).predict(inputs)
        for k in range(4)
    ]
    made = np.array(models)
    known = Predictions.of(Y[OLD], value=made[fold, ROW[OLD]], row=ROW[OLD], fold=fold)
    new = Predictions.of(np.tile(Y[NEW], 4), value=made[:, NEW].ravel(), row=np.tile(ROW[NEW], 4), fold=np.repeat(range(4), 11))  # fmt: skip
    found = conformal(known, new, level=0.8)
    ends = [[-2.2329857001712083, -0.33038085762855984], [-2.823610123938807, -0.9210052813961584], [-1.6360385171119098, 0.26656632543073877]]  # fmt: skip
    assert np.column_stack([found.low, found.high])[:3] == pytest.approx(np.array(ends), rel=1e-9)
