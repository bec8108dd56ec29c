"""Results of scikit-learn: what `cross_validate` returns, and `cv_results_` of a search."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.text import count
from credibly.errors import DataError, ParameterError
from credibly.experiments.analysis.results import Results
from credibly.experiments.findings import CHOSEN_BY_SPLITS
from credibly.experiments.importers.tables import for_unknown, numbers_of
from credibly.measures import measures
from credibly.measures._declare import Direction

# Scorers of scikit-learn whose values go by our name; those that it negates do so too.
SCORER_MEASURES = {
    "roc_auc": "auc",
    "matthews_corrcoef": "mcc",
}
SCORE_COLUMN = re.compile(r"split(\d+)_test_(.+)")  # of a search, by split and scorer


def from_cross_validate(
    scores: Mapping[str, Any],
    *,
    dataset: str = "data",
    measure: str = "score",
    repeats: int = 1,
    n_train: object = np.nan,
    n_test: object = np.nan,
    directions: Mapping[str, Direction] | None = None,
) -> Results:
    """Take what scikit-learn's ``cross_validate`` returns: of one scheme, of several, on several datasets.

    Scorers get the names of our measures and, where they are negated errors (``neg_log_loss``),
    their sign back. All schemes must have been run on the same splits.

    Parameters
    ----------
    scores
        A dictionary of scores; one for each scheme; or for each dataset one for each scheme.
    dataset
        Name of the data, where ``scores`` does not name any.
    measure
        What ``test_score`` holds.
    repeats
        How often the data were split again, as by ``RepeatedKFold``.
    n_train, n_test
        Sizes of the parts, a number or one a split; read from ``return_indices=True`` where that was
        asked for.
    directions
        Which way scores are better; higher, as scikit-learn promises, by default.

    >>> tree = {"fit_time": [0.1, 0.1], "test_accuracy": [0.9, 0.8], "test_neg_log_loss": [-0.3, -0.4]}
    >>> r = from_cross_validate({"tree": tree}, n_train=75, n_test=75)
    >>> r.values["log_loss"].tolist(), r.directions["log_loss"]
    ([0.3, 0.4], 'lower')
    """
    parts = [
        _scheme_scores((str(data), str(name)), of, measure, repeats, n_train, n_test)
        for data, schemes in _by_dataset(scores, dataset).items()
        for name, of in schemes.items()
    ]
    return _joined(parts, directions)


def _by_dataset(scores: Mapping[str, Any], dataset: str) -> Mapping[str, Mapping[str, Any]]:
    """Return dictionaries of scores by dataset and scheme."""
    found: Mapping[str, Any] = scores
    if _are_scores(scores):
        found = {dataset: {"scheme": scores}}
    elif isinstance(scores, Mapping) and all(map(_are_scores, scores.values())):
        found = {dataset: scores}
    each = found.values() if isinstance(found, Mapping) else ()
    if not each or not all(isinstance(s, Mapping) and s and all(map(_are_scores, s.values())) for s in each):  # fmt: skip
        raise DataError(
            "scores must hold what cross_validate returns: a dictionary with test_score, or test_... for each scorer; or such a dictionary for each scheme."
        )
    return found


def _are_scores(given: object) -> bool:
    return isinstance(given, Mapping) and any(str(key).startswith("test_") for key in given)


def from_grid_search(
    cv_results: Any,  # noqa: ANN401
    *,
    dataset: str = "data",
    measure: str = "score",
    repeats: int = 1,
    n_train: object = np.nan,
    n_test: object = np.nan,
    directions: Mapping[str, Direction] | None = None,
) -> Results:
    """Take a fitted search of scikit-learn's, or its ``cv_results_``; each setting of parameters is a scheme.

    ``cv_results`` may also be a dictionary with one of them for each dataset. The other arguments are
    those of :func:`from_cross_validate`. Times are the means that the search keeps.

    >>> found = {"params": [{"C": 1}, {"C": 10}], "mean_fit_time": [0.1, 0.2],
    ...          "split0_test_score": [0.9, 0.8], "split1_test_score": [0.8, 0.8]}
    >>> r = from_grid_search(found, measure="accuracy")
    >>> r.schemes, r.where(scheme="C=10").values["accuracy"].tolist(), r.findings[0].code
    (('C=1', 'C=10'), [0.8, 0.8], 'chosen-by-splits')
    >>> from_grid_search({"iris": found, "wine": found}, measure="accuracy")
    2 schemes on 2 datasets, 2 splits each: accuracy
    """
    parts = [
        _scheme_scores((name, scheme), of, measure, repeats, n_train, n_test)
        for name, found in _searches(cv_results, dataset).items()
        for scheme, of in _settings(found)
    ]
    return _joined(parts, directions, (CHOSEN_BY_SPLITS(),))


def _searches(given: Any, dataset: str) -> dict[str, Mapping[str, Any]]:  # noqa: ANN401
    """Return the results of each search by its dataset."""
    one = _of_search(given)
    if one is not None:
        return {dataset: one}
    each = {str(k): _of_search(v) for k, v in given.items()} if isinstance(given, Mapping) else {}
    found = {k: v for k, v in each.items() if v is not None}
    if not found or len(found) < len(each):
        raise DataError(
            "cv_results must be a fitted search, or its cv_results_ with params and split0_test_score; or one of them for each dataset."
        )
    return found


def _of_search(given: Any) -> Mapping[str, Any] | None:  # noqa: ANN401
    """Return the ``cv_results_`` of a search, if that is what is given."""
    found = getattr(given, "cv_results_", given)
    if not isinstance(found, Mapping) or "params" not in found:
        return None
    return found if any(SCORE_COLUMN.fullmatch(str(name)) for name in found) else None


def _settings(found: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return each setting of the parameters, with what ``cross_validate`` would have returned for it."""
    places = [m for name in found if (m := SCORE_COLUMN.fullmatch(name))]
    scorers = dict.fromkeys(m[2] for m in places)
    splits = 1 + max(int(m[1]) for m in places)
    times = (("fit_time", "mean_fit_time"), ("score_time", "mean_score_time"))
    for i, params in enumerate(found["params"]):
        name = ", ".join(f"{k}={v}" for k, v in params.items()) or "default"
        of = {f"test_{s}": [found[f"split{k}_test_{s}"][i] for k in range(splits)] for s in scorers}
        of |= {short: [found[long][i]] * splits for short, long in times if long in found}
        yield name, of


def _scheme_scores(
    place: tuple[str, str],
    of: Mapping[str, Any],
    measure: str,
    repeats: int,
    n_train: object,
    n_test: object,
) -> dict[str, Any]:
    """Return the columns of one scheme on one dataset."""
    dataset, name = place
    tests = [key for key in of if key.startswith("test_")]
    n = len(of[tests[0]])
    if repeats < 1 or n % repeats:
        raise ParameterError(
            f"repeats={repeats} does not divide the {count(n, 'value')} of {name}."
        )
    values: dict[str, NDArray[np.float64]] = {}
    for key in tests:
        ours, sign = _scorer(key.removeprefix("test_"), measure)
        values[ours] = sign * numbers_of(of[key], key)
    parts = of.get("indices")
    return {
        "dataset": [dataset] * n,
        "scheme": [name] * n,
        "values": values,
        "repeat": np.arange(n) // (n // repeats),
        "fold": np.arange(n) % (n // repeats),
        "n_train": _sizes(n_train if parts is None else [len(i) for i in parts["train"]], n),
        "n_test": _sizes(n_test if parts is None else [len(i) for i in parts["test"]], n),
        "fit_seconds": _sizes(of.get("fit_time", np.nan), n),
        "predict_seconds": _sizes(of.get("score_time", np.nan), n),
        "status": [
            "error" if np.isnan(v).all() else "done" for v in zip(*values.values(), strict=True)
        ],
    }


def _scorer(name: str, measure: str) -> tuple[str, int]:
    """Return our name of a scorer and the sign that makes its values ours."""
    if name == "score":
        name = measure
    sign = -1 if name.startswith("neg_") else 1
    if sign < 0:
        return measures[name].call if name in measures else name.removeprefix("neg_"), sign
    return SCORER_MEASURES.get(name, name), sign


def _sizes(given: object, n: int) -> NDArray[np.float64]:
    try:
        return np.broadcast_to(np.asarray(given, np.float64), n)
    except (TypeError, ValueError):
        raise DataError(
            f"Sizes and times must be one number, or one per split ({n}); got {given!r:.80}."
        ) from None


def _joined(
    parts: Sequence[dict[str, Any]],
    directions: Mapping[str, Direction] | None,
    findings: tuple[Finding, ...] = (),
) -> Results:
    """Put the columns of several schemes below each other."""
    measures = list(parts[0]["values"])
    for part in parts:
        if list(part["values"]) != measures:
            raise DataError(
                f"All schemes need the same scorers; {part['scheme'][0]} has {', '.join(part['values'])}, {parts[0]['scheme'][0]} has {', '.join(measures)}."
            )
    columns: dict[str, Any] = {
        name: np.concatenate([np.asarray(part[name]) for part in parts])
        for name in parts[0]
        if name != "values"
    }
    dataset, scheme = columns.pop("dataset"), columns.pop("scheme")
    values = {m: np.concatenate([part["values"][m] for part in parts]) for m in measures}
    known = {**for_unknown(values, "higher"), **(directions or {})}
    return Results.of(dataset, scheme, values, directions=known, findings=findings, **columns)  # fmt: skip
