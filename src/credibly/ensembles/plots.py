"""Pictures of more and more models that vote."""

from __future__ import annotations

from credibly.ensembles.ensemble_curve import EnsembleCurve
from credibly.results.figure import Figure
from credibly.results.plot import plot_kind
from credibly.running.plots import growth


@plot_kind("Ensemble curve", of=EnsembleCurve)
def ensemble_curve(
    grown: EnsembleCurve, measure: str | None = None, confidence_level: float = 0.95
) -> Figure:
    """A measure on training and test parts by the number of models, each point with its interval.

    ``measure`` is the error rate, or the mean absolute error of numbers, by default.

    >>> import credibly
    >>> from credibly.ensembles import ensemble_curve
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(return_X_y=True)
    >>> grown = ensemble_curve("bagging", *data, sizes=[1, 3], resampling="3", rng=1, progress=False)
    >>> credibly.plot(grown).series()
    ['test part', 'training part']
    """
    titles = "models that vote", "mean over folds, training and test parts"
    return growth(grown, measure, confidence_level, *titles)
