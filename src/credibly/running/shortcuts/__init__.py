"""Exact shortcuts: what refitting on every training part would have predicted, without refitting.

>>> from sklearn.linear_model import LinearRegression
>>> import numpy as np
>>> from credibly.resampling import leave_one_out
>>> X, y = np.array([[0.0], [1], [2], [3]]), np.array([0.0, 1, 2, 7])
>>> run, why_not = shortcut_for(LinearRegression(), leave_one_out.realise(4), X, y)
>>> run().output.value.round(6)
array([-2.333333,  1.142857,  3.571429,  3.      ])
>>> shortcut_for(LinearRegression(), leave_one_out.realise(4), X, y, sample_weight=np.ones(4))[1]
'cases have weights'
"""

from credibly.running.shortcuts._declare import (
    Answers,
    Problem,
    Shortcut,
    shortcut,
    shortcut_for,
    shortcuts,
)

__all__ = ["Answers", "Problem", "Shortcut", "shortcut", "shortcut_for", "shortcuts"]
