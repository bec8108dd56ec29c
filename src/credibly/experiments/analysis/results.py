"""What an experiment comes down to: one row for each dataset, scheme, repeat and fold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sized
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly._core.findings import Finding
from credibly._core.layout import Key
from credibly._core.text import count, number_text
from credibly.errors import DataError, ParameterError, says
from credibly.experiments.findings import AVERAGED, FAILED_FITS_STAY
from credibly.predictions import Design
from credibly.predictions.findings import FAILED_FITS
from credibly.predictions.provenance import UNKNOWN
from credibly.results.formats import by_row
from credibly.results.result import Cells, Result

if TYPE_CHECKING:
    from credibly.measures import Measure
    from credibly.measures._declare import Direction

    Integers = NDArray[np.int64]
    Texts = NDArray[np.object_]

Status = Literal["done", "error", "timeout", "memory", "died", "missing"]
STATUSES: dict[Status, str] = {
    "done": "fitted and judged",
    "error": "the scheme raised an error",
    "timeout": "it took longer than the limit",
    "memory": "it needed more memory than the limit",
    "died": "its process died",
    "missing": "not run yet",
}
MAX_SHOWN_ERRORS = 5  # errors that are told in full
DESIGN_COLUMNS = ("dataset", "scheme", "size", "repeat", "fold")
WHOLE_TRAINING_PART = 1.0  # the share of the training part that was trained on, where all of it was


class Results(Result):
    """Values of measures, one row per cell: a scheme on one split of one dataset.

    ``values`` has a column for each measure, NaN where it is undefined or the fit failed, and
    ``directions`` says which way each is better. ``size`` is what was asked of the training part in
    a learning curve: a share up to 1, or a number of rows; ``status`` is one of :data:`STATUSES`.
    What is not known (sizes, times) is NaN, and so are the times of a fit that did not come to its
    end. ``ranges`` are the ends of measures that depend on costs, by dataset. Make it with :meth:`of`.

    >>> r = Results.of(["iris"] * 4, ["a", "a", "b", "b"], {"error_rate": [0.1, 0.2, 0.2, 0.1]},
    ...                fold=[0, 1, 0, 1])
    >>> r
    2 schemes on 1 dataset, 2 splits each: error_rate
    >>> r.where(scheme="b").values["error_rate"].tolist()
    [0.2, 0.1]
    """

    dataset: Texts
    scheme: Texts
    repeat: Integers
    fold: Integers
    values: Mapping[str, Floats]
    directions: Mapping[str, Direction]
    size: Floats
    n_train: Floats
    n_test: Floats
    fit_seconds: Floats
    predict_seconds: Floats
    status: Texts
    error: Texts
    resampling: str = ""
    findings: tuple[Finding, ...] = field(default=())
    design: Design = UNKNOWN
    ranges: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)

    json_keys = "resampling design directions rows findings"

    @classmethod
    def of(
        cls,
        dataset: object,
        scheme: object,
        values: Mapping[str, object],
        *,
        repeat: object = 0,
        fold: object = 0,
        directions: Mapping[str, Direction] | None = None,
        size: object = WHOLE_TRAINING_PART,
        n_train: object = np.nan,
        n_test: object = np.nan,
        fit_seconds: object = np.nan,
        predict_seconds: object = np.nan,
        status: object = "done",
        error: object = "",
        resampling: str = "",
        findings: tuple[Finding, ...] = (),
        design: Design = UNKNOWN,
        ranges: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
    ) -> Results:
        """Check columns and fill in what is the same in all rows; no cell may stand there twice.

        Directions of measures that Credibly knows need not be given; others are needed to analyse them.
        """
        names = np.asarray(dataset, object)
        if names.ndim != 1:
            raise DataError(f"dataset must be one column; its shape is {names.shape}.")
        n = len(names)
        states = _column(status, n, "status", object)
        numbers = {"size": size, "n_train": n_train, "n_test": n_test}
        times = {"fit_seconds": fit_seconds, "predict_seconds": predict_seconds}
        results = cls(
            dataset=_column(names, n, "dataset", object),
            scheme=_column(scheme, n, "scheme", object),
            repeat=_column(repeat, n, "repeat", np.int64),
            fold=_column(fold, n, "fold", np.int64),
            values={m: _column(v, n, m, np.float64) for m, v in values.items()},
            directions=_directions(values, directions or {}),
            status=states,
            error=_column(error, n, "error", object),
            resampling=resampling,
            findings=findings,
            design=design,
            ranges=ranges or {},
            **{k: _column(v, n, k, np.float64) for k, v in numbers.items()},
            **{k: _times(_column(v, n, k, np.float64), states) for k, v in times.items()},
        )
        _refuse_twice(results)
        return results

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.dataset)

    def __len__(self) -> int:
        return self.n

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, in the order in which they were asked for."""
        return tuple(self.values)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets, in their order."""
        return tuple(dict.fromkeys(self.dataset.tolist()))

    @property
    def schemes(self) -> tuple[str, ...]:
        """The schemes, in their order."""
        return tuple(dict.fromkeys(self.scheme.tolist()))

    def range_of(self, dataset: str, measure: str) -> tuple[float, float]:
        """Return the ends between which a measure must lie, which costs may set for a dataset."""
        noted, known = self.ranges.get(dataset, {}).get(measure), known_measure(measure)
        return noted or (known.range if known else (-np.inf, np.inf))

    def take(self, rows: NDArray[Any]) -> Results:
        """Return some of the rows, by mask or by place."""
        picked: dict[str, Any] = {
            f.name: array[rows]
            for f in fields(self)
            if isinstance(array := getattr(self, f.name), np.ndarray)
        }
        return replace(self, **picked, values={m: v[rows] for m, v in self.values.items()})

    def where(self, **conditions: object) -> Results:
        """Return the rows in which columns (dataset, scheme, size, repeat, fold, status) have a value."""
        keep = np.ones(self.n, bool)
        for name, value in conditions.items():
            if name not in {*DESIGN_COLUMNS, "status"}:
                raise ParameterError(
                    f"Rows can be chosen by {', '.join(DESIGN_COLUMNS)} or status; got {name!r}.",
                    asked=name,
                    choices=DESIGN_COLUMNS,
                )
            keep &= getattr(self, name) == value
        return self.take(keep)

    def averaged(self) -> Results:
        """Return the means over the splits: one row for each dataset, scheme and size.

        They say nothing of how values vary from split to split, so that schemes can be compared over
        datasets alone.

        >>> r = Results.of(["iris"] * 4, ["a", "a", "b", "b"], {"error_rate": [0.1, 0.2, 0.2, 0.1]},
        ...                fold=[0, 1, 0, 1])
        >>> [round(v, 9) for v in r.averaged().values["error_rate"].tolist()]
        [0.15, 0.15]
        """
        done = self.take(self.status == "done")
        keys = list(zip(done.dataset, done.scheme, done.size, strict=True))
        place = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        code = np.array([place[key] for key in keys], np.intp)
        count_of = np.bincount(code)

        def mean(column: Floats) -> Floats:
            return np.bincount(code, column) / count_of

        first = done.take(np.unique(code, return_index=True)[1])
        return replace(
            first,
            repeat=np.zeros(first.n, np.int64),
            fold=np.zeros(first.n, np.int64),
            values={m: mean(v) for m, v in done.values.items()},
            n_train=np.full(first.n, np.nan),
            n_test=np.full(first.n, np.nan),
            fit_seconds=mean(done.fit_seconds),
            predict_seconds=mean(done.predict_seconds),
            findings=(
                *self.findings,
                AVERAGED(),
            ),
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per cell."""
        return by_row(self.columns())

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return each column by name, those of the measures last."""
        beside = ("n_train", "n_test", "status", "error", "fit_seconds", "predict_seconds")
        return {**{name: getattr(self, name) for name in (*DESIGN_COLUMNS, *beside)}, **self.values}

    def cells(self) -> Cells:
        """Return header and body of a table: for each dataset and scheme, means over the splits."""
        header = [
            Key("dataset"),
            Key("scheme"),
            *([Key("size")] if len(set(self.size)) > 1 else []),
        ]
        body = []
        kinds = dict.fromkeys(zip(self.dataset, self.scheme, self.size, strict=True))
        for dataset, scheme, size in kinds:
            part = self.where(dataset=dataset, scheme=scheme, size=size)
            done = int((part.status == "done").sum())
            means = [_mean(v[part.status == "done"]) for v in part.values.values()]
            key = [str(dataset), str(scheme), *([f"{size:g}"] if len(header) > 2 else [])]
            body.append([*key, f"{done} of {part.n}", *map(number_text, means)])
        return [*header, "done", *self.measures], body

    def failures(self) -> tuple[Finding, ...]:
        """Say which schemes failed where and why, the most frequent errors first."""
        errors = Counter(zip(self.scheme, self.dataset, self.error, strict=True))
        findings = [
            FAILED_FITS(scheme=s, where=f"{count(n, 'fit')} on {d}", error=e.rstrip("."), so="")
            for (s, d, e), n in errors.most_common()
            if e
        ]
        if len(findings) > MAX_SHOWN_ERRORS:
            more = f"there are {count(len(findings) - MAX_SHOWN_ERRORS, 'more reason')}"
            findings[MAX_SHOWN_ERRORS:] = [
                FAILED_FITS(scheme="Something", where="other fits", error=more, so="")
            ]
        return tuple(findings)

    def heading(self) -> str:
        """Say how many schemes, datasets and splits there are."""
        return repr(self)

    def all_findings(self) -> tuple[Finding, ...]:
        """Return its findings, and those about fits that failed."""
        return (*self.findings, *self.failures())

    def __repr__(self) -> str:
        splits = len(set(zip(self.size, self.repeat, self.fold, strict=True)))
        return (
            f"{count(len(self.schemes), 'scheme')} on {count(len(self.datasets), 'dataset')}, "
            f"{count(splits, 'split')} each: {', '.join(self.measures)}"
        )


def failures_stay(failed: int) -> tuple[Finding, ...]:
    """Say that fits which failed are kept as such, and how they are run again."""
    return (FAILED_FITS_STAY(fits=count(failed, "failed fit")),) if failed else ()


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")


def _column(given: object, n: int, name: str, kind: Any) -> NDArray[Any]:  # noqa: ANN401
    try:
        array = np.array(np.broadcast_to(np.asarray(given, kind), n))
    except (TypeError, ValueError):
        size = len(given) if isinstance(given, Sized) else 1
        what = "cannot be read" if size == n else f"has {count(size, 'value')}"
        raise DataError(
            f"{name} {what}; one column of {n} is needed, of {'text' if kind is object else 'numbers'}."
        ) from None
    array.flags.writeable = False
    return array


def _times(seconds: Floats, status: Texts) -> Floats:
    """Return the times of the fits that came to their end: what never finished was not fast."""
    known = np.where(status == "done", seconds, np.nan)
    known.flags.writeable = False
    return known


def _directions(
    values: Mapping[str, object], given: Mapping[str, Direction]
) -> dict[str, Direction]:
    """Return which way each measure is better, from the registry where it was not said, as far as known."""
    known = {m: of.direction for m in values if (of := known_measure(m))}
    return {m: given.get(m) or known[m] for m in values if m in given or m in known}


def known_measure(name: str) -> Measure | None:
    """Return the measure that results call so, if it is one of ours."""
    from credibly.measures import measures

    return measures.of_values(name)


def _refuse_twice(made: Results) -> None:
    cells = Counter(zip(*(getattr(made, c).tolist() for c in DESIGN_COLUMNS), strict=True))
    for cell, times in cells.items():
        if times > 1:
            text = ", ".join(f"{k} {v}" for k, v in zip(DESIGN_COLUMNS, cell, strict=True))
            raise DataError(
                f"There are two rows for {text}.",
                remedy=says("Number them with <repeat=> and <fold=>."),
            )
