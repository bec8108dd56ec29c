"""Exact shortcuts: what refitting on every training part would have predicted, without refitting.

>>> from sklearn.linear_model import LinearRegression
>>> import numpy as np
>>> from credibly.resampling import leave_one_out
>>> X, y = np.array([[0.0], [1], [2], [3]]), np.array([0.0, 1, 2, 7])
>>> run, why_not = shortcut_for(LinearRegression(), leave_one_out.realise(4), X, y)
>>> run().output.value.round(4)
array([-2.6667,  1.5714,  4.2857,  3.    ])
>>> shortcut_for(LinearRegression(), leave_one_out.realise(4), X, y, sample_weight=np.ones(4))[1]
'cases have weights'
"""

from credibly.running.shortcuts._choice import shortcut_for
from credibly.running.shortcuts._declare import Shortcut, shortcut, shortcuts
from credibly.running.shortcuts._problem import Answers, ShortcutProblem

__all__ = ["Answers", "Shortcut", "ShortcutProblem", "shortcut", "shortcut_for", "shortcuts"]
