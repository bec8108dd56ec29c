"""The model to keep: fitted on all data, which no estimate of a resampling is about."""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from credibly._core.doors import door
from credibly._core.files import write_whole
from credibly._core.findings import Finding
from credibly._core.seeds import seed_of
from credibly._core.text import count
from credibly.errors import DataError, ParameterError
from credibly.predictions.table import Task
from credibly.results.formats import json_text
from credibly.results.result import Blocks, Result
from credibly.running.assembly import PACKAGES, versions_of
from credibly.running.data import Data
from credibly.schemes import as_scheme, build, fitted_alone

MODEL_SUFFIXES = (".pkl", ".pickle", ".joblib")
PICKLE_CAUTION = "Reading this file runs what is in it: read only files that you made or trust, and compare the hash first."


class FinalModel(Result):
    """A scheme fitted on all data, and what the estimates of a run say about it.

    ``inputs`` are the columns that it takes, in their order, where their names are known.
    """

    name: str
    estimator: Any
    n: int
    task: Task = "classification"
    classes: tuple[Any, ...] = ()
    inputs: tuple[str, ...] = ()
    target: str = ""
    findings: tuple[Finding, ...] = ()

    json_keys = "name n task [classes] [inputs] [target] about versions findings"

    @property
    def about(self) -> str:
        """What an estimate by resampling refers to."""
        return (
            f"{self.name}, fitted on all {count(self.n, 'row')}. Estimates by resampling are about models of this "
            "kind fitted on smaller parts of these data; this model itself was not evaluated, "
            "and is expected to do about as well or slightly better."
        )

    @property
    def versions(self) -> dict[str, str]:
        """The packages that it was made with, which are those to read it with."""
        return versions_of(PACKAGES)

    @property
    def heading(self) -> str:
        """The heading: a sentence, without a table."""
        return self.about

    def blocks(self) -> Blocks:
        """Yield no table."""
        yield from ()

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the fitted estimator by pickle or joblib, and beside it a note of what it is.

        The note is JSON, in a file of the same name with ``.json`` behind it: what :attr:`about` says,
        inputs and classes in their order, versions, and the hash of the file. Whoever reads a pickle
        runs what is in it, so nothing here ever does.

        >>> from credibly.running import final_model
        >>> import json, pathlib, tempfile
        >>> final = final_model("zero-r", [[1.0], [2.0], [3.0]], ["no", "no", "yes"])
        >>> path = final.save(pathlib.Path(tempfile.mkdtemp(), "model.pkl"))
        >>> json.loads(path.with_name("model.pkl.json").read_text())["classes"]
        ['no', 'yes']
        """
        place = Path(path)
        content = _written(self.estimator, model_format(place), self.name)
        write_whole(place, content)
        hashed = hashlib.sha256(content).hexdigest()
        note = {"file": place.name, "sha256": hashed, "caution": PICKLE_CAUTION, **self.to_dict()}
        write_whole(note_of(place), json_text(note, 2))
        return place


def note_of(path: Path) -> Path:
    """Return where the note of a model is."""
    return path.with_name(f"{path.name}.json")


def model_format(path: Path) -> str:
    """Return the ending of a file of a model, or say which there are."""
    ending = path.suffix.lower()
    if ending not in MODEL_SUFFIXES:
        raise ParameterError(
            f"A model is written as {', '.join(MODEL_SUFFIXES)}; got {path.name!r}.",
            asked=ending,
            choices=MODEL_SUFFIXES,
        )
    return ending


def _written(estimator: Any, form: str, name: str) -> bytes:
    """Return the bytes of a fitted estimator, or say that it cannot be kept."""
    made = io.BytesIO()
    try:
        if form == ".joblib":
            import joblib

            joblib.dump(estimator, made)
        else:
            pickle.dump(estimator, made)
    except Exception as error:  # a foreign class may raise anything
        raise DataError(f"{name} cannot be written: {type(error).__name__}: {error}.") from None
    return made.getvalue()


@door
def final_model(
    scheme: Any,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    sample_weight: Any = None,
    task: Task | None = None,
    names: Sequence[str] = (),
    target: str = "",
    rng: int | np.random.Generator | None = None,
) -> FinalModel:
    """Fit a scheme on all data: the model to use, once :func:`credibly.run` has evaluated the scheme.

    Parameters
    ----------
    scheme
        One scheme, as in :func:`credibly.run`.
    X, y
        Inputs and what is to be predicted.
    groups
        Groups of rows, which searches inside a scheme keep together.
    sample_weight
        The weight of each row.
    task
        What is predicted, classes or numbers, if the target does not make that clear.
    names
        The names of the inputs, where they are an array.
    target
        The name of what is predicted.
    rng
        Seed, if the fit is random.

    >>> from credibly.running import final_model
    >>> from sklearn.datasets import load_iris
    >>> final = final_model("naive-bayes", *load_iris(return_X_y=True))
    >>> final.estimator
    GaussianNB()
    >>> print(final.about[:47])
    naive-bayes, fitted on all 150 rows. Estimates
    """
    data = Data.of(X, y, task=task, groups=groups, sample_weight=sample_weight)
    chosen = as_scheme(scheme)
    seed = None if rng is None else seed_of(rng)
    estimator = build(chosen, data.task, data.X, seed)
    model = fitted_alone(chosen.name, estimator, data.X, data.y, data.weight, data.group)
    known = tuple(names) or tuple(map(str, getattr(X, "columns", ())))
    return FinalModel(
        chosen.name, model, data.n, data.task, data.classes, known, target, data.findings
    )
