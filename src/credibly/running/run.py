"""The verb `run`: schemes on resampled data, every prediction kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from credibly._core.doors import door
from credibly._core.entry_names import ResamplingName, SchemeName
from credibly._core.findings import Finding
from credibly._core.search_names import search_names
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly.errors import listed
from credibly.predictions import Predictions
from credibly.predictions.findings import UNSEEDED
from credibly.predictions.table import Task
from credibly.resampling import Splits
from credibly.resampling.findings import SMALL_FOLDS
from credibly.running.assembly import assemble
from credibly.running.data import Data
from credibly.running.execution import execute
from credibly.running.findings import INTERRUPTED, SCHEMES_TAKEN
from credibly.running.overfitting import watched_place
from credibly.running.shortcut_results import short_cuts
from credibly.running.tasks import FitResult, Job, has_open_seed
from credibly.schemes import as_schemes, build
from credibly.schemes.columns import light_if_text
from credibly.schemes.construction import how_prepared

DEFAULT_RESAMPLING = "10"
DEFAULT_SCHEMES = {
    "classification": ("logistic", "tree", "forest"),
    "numeric": ("linear", "tree", "forest"),
}


@door
@search_names(
    {
        "cross_val_score, cross_validate, cross_val_predict, cross_validation, cv, train, fit": "run(scheme, X, y)",
        "nested_cv, nested_cross_validation, nested_cross_val": "run(search, X, y), where "
        "search is a GridSearchCV: every training part is searched by itself",
        "GridSearchCV, grid_search, tune": "run(GridSearchCV(...), X, y)",
    }
)
def run(
    schemes: SchemeName | Any,
    X: Any,
    y: Any,
    *,
    resampling: ResamplingName | Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    weight_kind: Literal["frequency", "importance"] | None = None,
    time: Any = None,
    fold: Any = None,
    positive: object = None,
    task: Task | None = None,
    rng: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    exact_shortcuts: bool = True,
    progress: bool = True,
) -> Predictions:
    """Fit schemes (learners) on training parts and predict the held-out rows, all on the same splits.

    Parameters
    ----------
    schemes
        A name from ``credibly list schemes`` such as ``"tree(max_depth=3)"``, a scikit-learn
        estimator or pipeline, a list of these, or a dictionary that names them; ``None`` tries a
        linear model, a tree and a forest.
    X, y
        Inputs (array, frame, sparse matrix) and targets: classes or numbers. In a frame, ``y`` and
        the other columns may be named. Rows without a target are left out, which a finding reports.
    resampling
        ``"10x10"``, a number of folds, or a name from ``credibly list resamplings`` such as ``"loo"``
        or ``"bootstrap"``; ten folds by default. Folds given by a number keep groups together. In
        Python also a scikit-learn splitter, or a list of training and test rows. Folds given by a
        number are stratified.
    groups, time, fold
        Columns that some resamplings need; intervals also allow for groups, and resampling inside
        a scheme (searches, stacking, calibration, tuning) keeps them together.
    sample_weight
        Case weights, used for both fitting and evaluation; see :meth:`Predictions.of`.
    weight_kind
        Whether weights count repeated cases or say how much a case matters.
    positive
        The positive class.
    task
        What is predicted, classes or numbers, if the target does not make that clear.
    rng
        Seed of the resampling and of every random fit; 1 by default, which a finding reports.
    n_jobs
        Worker processes, -1 for all cores; the results are the same. ``joblib.parallel_config`` can
        send the work to a cluster.
    exact_shortcuts
        Compute the held-out predictions of some schemes from a single fit, where they are
        provably the same as with refitting.
    progress
        Show a progress bar on a terminal if it takes long.

    >>> from sklearn.datasets import load_iris
    >>> import credibly
    >>> p = credibly.run(["zero-r", "naive-bayes"], *load_iris(return_X_y=True))
    >>> table = credibly.evaluate(p, "error_rate", estimate="pooled")
    >>> [round(e.value, 3) for e in table.estimates]
    [0.667, 0.047]
    >>> p.provenance.resampling, len(p.provenance.fits)
    ('folds(k=10)', 20)
    >>> tried = credibly.run(None, *load_iris(return_X_y=True), resampling=3)
    >>> tried.model_names
    ('logistic', 'tree', 'forest')
    """
    # Splits that were given row by row are about all rows.
    data = (Data.of if isinstance(resampling, list | tuple) else Data.with_known_targets)(
        X,
        y,
        task=task,
        groups=groups,
        sample_weight=sample_weight,
        weight_kind=weight_kind,
        positive=positive,
        time=time,
        fold=fold,
    )
    seed = None if rng is None else seed_of(rng)
    splits = data.splits(DEFAULT_RESAMPLING if resampling is None else resampling, seed)
    job = prepare(schemes, data, splits, seed)
    predictions = carry_out(job, n_jobs, exact_shortcuts=exact_shortcuts, progress=progress)
    if resampling is not None:
        return predictions
    # The user did not choose the default folds, so no finding says that they are small.
    return replace(
        predictions, findings=tuple(f for f in predictions.findings if f.code != SMALL_FOLDS.code)
    )


def prepare(schemes: Any, data: Data, splits: Splits, seed: int | None) -> Job:
    """Build the estimators, and see whether training parts are drawn with replacement.

    Without a seed fits take a fixed one, as splits do.
    """
    chosen = as_schemes(DEFAULT_SCHEMES[data.task] if schemes is None else schemes)
    named = tuple(bool(s.entry) for s in chosen)
    read = replace(data, light=light_if_text(data.X)) if any(named) else data
    said = how_prepared(chosen, read.inputs(named=True))
    read = replace(read, findings=(*read.findings, *said)) if said else read
    estimators = tuple(build(s, data.task, read.inputs(named=bool(s.entry))) for s in chosen)
    drawn = drawn_with_replacement(splits)
    return Job(
        names=tuple(s.name for s in chosen),
        estimators=estimators,
        data=read,
        splits=splits,
        seed=FIXED_SEED if seed is None else seed,
        unseeded=seed is None,
        unnamed=schemes is None,
        with_replacement=drawn,
        random=tuple(has_open_seed(e) for e in estimators),
        named=named,
        watched=None if drawn else watched_place(splits),
        compared=splits.trains_on_the_rest and len(splits.judged) > 2,
    )


def drawn_with_replacement(splits: Splits) -> bool:
    """Whether some training part holds a row several times, as those of a bootstrap do."""
    if splits.trains_on_the_rest:
        return False
    return any(len(np.unique(s.train)) < len(s.train) for s in splits)


def carry_out(
    job: Job, n_jobs: int | None, *, exact_shortcuts: bool, progress: bool
) -> Predictions:
    """Run the tasks without a shortcut, and put all results together in a fixed order."""
    known = short_cuts(job) if exact_shortcuts else []
    left = np.ones((len(job.names), len(job.places)), bool)
    for block in known:
        left[block.scheme, block.places] = False
    wanted = [(s, job.places[i]) for s, i in np.argwhere(left).tolist()]
    done, interrupted = execute(job, wanted, n_jobs, progress=progress)
    # The fit on all rows stands behind those of the splits.
    found: list[FitResult] = [*known, *done.values()]
    rank = np.argsort(job.known_splits.judged_first).tolist()
    results = sorted(found, key=lambda r: (r.scheme, r.place < 0, r.place < 0 or rank[r.place]))
    fits = left.size - len(wanted) + len(done)
    if interrupted and not results:
        raise KeyboardInterrupt
    predictions = assemble(job, results)
    stopped = [INTERRUPTED(n=fits, total=left.size)] if interrupted else []
    taken = [SCHEMES_TAKEN(names=listed(job.names))] if job.unnamed else []
    findings = [*taken, *_unseeded(job), *stopped]
    return replace(predictions, findings=(*predictions.findings, *findings))


def _unseeded(job: Job) -> list[Finding]:
    """Return a finding about what was random, if no seed was given."""
    drawn = ["the splits"] if job.known_splits.seed == FIXED_SEED else []
    fitted = [n for n, is_random in zip(job.names, job.random, strict=True) if is_random]
    if not job.unseeded or not drawn + fitted:
        return []
    finding = UNSEEDED(what=listed(drawn + fitted), seed=FIXED_SEED)
    return [
        replace(finding, of_reading=True)
    ]  # the predictions say it, not all that is made of them
