"""Results of Weka's Experimenter, from the CSV or ARFF file that it writes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import MAX_EXACT_WHOLE, Floats
from credibly._core.text import count, some_rows
from credibly.errors import DataError, MissingColumnError
from credibly.experiments.analysis.results import WHOLE_TRAINING_PART, Results
from credibly.experiments.findings import WEKA_UNITS
from credibly.io._files import check_file, open_bytes, read_head
from credibly.io.arff import OMITTED, numbered_lines, parse, split_fields
from credibly.io.weka import unquoted

if TYPE_CHECKING:
    from credibly.measures._declare import Direction


HEAD_BYTES = 65_536
MISSING_MARKS = {"", "?", "NA", "NaN", None}  # as Weka, R and pandas write it
KEY_COLUMNS = ("key_dataset", "key_run", "key_scheme")
PERCENT = 100.0
ARFF_RELATION = re.compile(rb"^\s*@relation\s", re.MULTILINE)
SIZE_COLUMN = "key_total_instances"  # of a learning curve
# Of the averaging producer, with deviations and without.
AVERAGE_PREFIX, COUNT_COLUMN = "avg_", "num_fold"


class Same(NamedTuple):
    """Our name of one of Weka's columns, and by what its values are divided."""

    measure: str
    divisor: float = 1.0


ANY_TASK = {
    "percent_correct": Same("accuracy", PERCENT),
    "percent_incorrect": Same("error_rate", PERCENT),
    "percent_unclassified": Same("unclassified_rate", PERCENT),
    "kappa_statistic": Same("kappa"),
    "area_under_roc": Same("auc"),
    "area_under_prc": Same("average_precision"),
    "f_measure": Same("f1"),
    "ir_precision": Same("precision"),
    "true_positive_rate": Same("recall"),
    "true_negative_rate": Same("specificity"),
    "false_positive_rate": Same("false_positive_rate"),
    "false_negative_rate": Same("false_negative_rate"),
    "matthews_correlation": Same("mcc"),
    "total_cost": Same("total_cost"),
    "average_cost": Same("average_cost"),
    "kb_mean_information": Same("information_score"),
    "kb_relative_information": Same("relative_information_score", PERCENT),
    "coverage_of_test_cases_by_regions": Same("coverage", PERCENT),
    "size_of_predicted_regions": Same("mean_region_size", PERCENT),
}
# The same columns are errors of probabilities where classes, and of numbers where numbers, are predicted.
CLASSIFICATION_MEASURES = {
    "mean_absolute_error": Same("probability_mae"),
    "root_mean_squared_error": Same("probability_rmse"),
    "relative_absolute_error": Same("probability_rae", PERCENT),
    "root_relative_squared_error": Same("probability_rrse", PERCENT),
    "sf_mean_scheme_entropy": Same("informational_loss"),
    "sf_mean_entropy_gain": Same("complexity_improvement"),
}
NUMERIC_MEASURES = {
    "mean_absolute_error": Same("mae"),
    "root_mean_squared_error": Same("rmse"),
    "relative_absolute_error": Same("rae", PERCENT),
    "root_relative_squared_error": Same("rrse", PERCENT),
    "correlation_coefficient": Same("correlation"),
}


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The cells of a file by column, None where one is missing."""

    where: str
    columns: Mapping[str, list[str | None]]

    def texts(self, name: str) -> list[str]:
        """Return a column in which every cell is needed."""
        found = self.columns[name]
        if None in found:
            raise DataError(f"{self.where}: {name} is missing in {some_rows([found.index(None)])}.")
        return [str(cell) for cell in found]

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, NaN where one is missing; all NaN if there is no such column."""
        if name not in self.columns:
            return np.full(self.n, np.nan)
        try:
            cells = self.columns[name]
            return np.array([np.nan if c is None else float(c) for c in cells], np.float64)
        except ValueError as error:
            raise DataError(
                f"{self.where}: {name} holds something other than numbers ({error})."
            ) from None

    def whole(self, name: str) -> NDArray[np.int64]:
        """Return a column of whole numbers."""
        numbers = self.numbers(name)
        if not ((np.abs(numbers) < MAX_EXACT_WHOLE) & (numbers == np.round(numbers))).all():
            raise DataError(f"{self.where}: {name} must hold a whole number in every row.")
        return numbers.astype(np.int64)

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values())))


def is_weka(path: Path) -> bool:
    """Say whether a file holds results of the Experimenter."""
    head = read_head(path, HEAD_BYTES).lower()
    return b"key_scheme" in (head if ARFF_RELATION.search(head) else head.partition(b"\n")[0])


def from_weka(
    path: str | Path,
    *,
    measures: Sequence[str] | None = None,
    directions: Mapping[str, Direction] | None = None,
) -> Results:
    r"""Read what Weka's Experimenter wrote, as CSV or ARFF.

    Columns get the names and units of our measures: ``Percent_correct`` becomes ``accuracy`` as a
    fraction. A scheme is called by its class, with its options where these are needed to distinguish
    two.

    Parameters
    ----------
    path
        The file of results: of single folds, or averaged (AveragingResultProducer), which leaves one
        mean for each dataset and scheme.
    measures
        What to take: our names or Weka's; all that we know by default.
    directions
        Which way Weka's other columns are better; neither by default.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "results.csv")
    >>> _ = file.write_text(
    ...     "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n"
    ...     "iris,1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',96.0\n"
    ...     "iris,1,2,weka.classifiers.trees.J48,'-C 0.25 -M 2',?\n")
    >>> r = from_weka(file)
    >>> r.schemes, r.values["accuracy"].tolist(), r.fold.tolist()
    (('J48',), [0.96, nan], [1, 2])
    """
    sheet = _read(Path(path))
    _check(sheet)
    averaged = COUNT_COLUMN in sheet.columns or any(
        n.startswith(AVERAGE_PREFIX) for n in sheet.columns
    )
    sheet = _plain(sheet) if averaged else sheet
    values, others = _values(sheet, measures)
    unknown: dict[str, Direction] = dict.fromkeys(others, "neither")
    results = Results.of(
        sheet.texts("key_dataset"),
        _schemes(sheet),
        values,
        repeat=sheet.whole("key_run"),
        fold=sheet.whole("key_fold") if "key_fold" in sheet.columns else 0,
        size=sheet.numbers(SIZE_COLUMN) if SIZE_COLUMN in sheet.columns else WHOLE_TRAINING_PART,
        directions={**unknown, **(directions or {})},
        n_train=sheet.numbers("number_of_training_instances"),
        n_test=sheet.numbers("number_of_testing_instances"),
        fit_seconds=sheet.numbers("elapsed_time_training"),
        predict_seconds=sheet.numbers("elapsed_time_testing"),
        resampling="Weka Experimenter",
        findings=(WEKA_UNITS(),),
    )
    return results.averaged() if averaged else results


def _plain(sheet: _Sheet) -> _Sheet:
    """Call averages by the names of what was averaged, without the deviations beside them."""
    kept = {n: c for n, c in sheet.columns.items() if not n.startswith("dev_")}
    return _Sheet(sheet.where, {n.removeprefix(AVERAGE_PREFIX): c for n, c in kept.items()})


def _read(path: Path) -> _Sheet:
    check_file(path)
    if ARFF_RELATION.search(read_head(path, HEAD_BYTES).lower()):
        content = parse(path)
        names, rows = [a.name for a in content.attributes], content.rows
        if any(cell is OMITTED for row in rows for cell in row):
            raise DataError(f"{path.name} has sparse rows, which Weka does not use for results.")
    else:
        names, rows = _read_csv(path)
    if not rows:
        raise DataError(f"{path.name} contains no results.")
    plain = [name.strip().lower() for name in names]
    twice = [name for i, name in enumerate(plain) if name in plain[:i]]
    if twice:
        raise DataError(f"{path.name} has two columns {twice[0]!r}.")
    return _Sheet(path.name, {n: [row[i] for row in rows] for i, n in enumerate(plain)})


def _read_csv(path: Path) -> tuple[list[str], list[list[Any]]]:
    """Read Weka's own kind of CSV, which quotes as ARFF does, or the standard one of other programs."""
    try:
        with closing(numbered_lines(path)) as lines:
            return _table(path, [(n, split_fields(line, path, n)) for n, line in lines])
    except DataError as error:
        try:
            return _table(path, _standard(path))
        except (csv.Error, DataError, UnicodeDecodeError):
            raise error from None  # of the kind that Weka writes


def _standard(path: Path) -> list[tuple[int, list[Any]]]:
    """Split where quotes are doubled inside quotes; what Weka had quoted may stay quoted inside."""
    with open_bytes(path) as binary:
        text = binary.read().decode("utf-8-sig")
    if '"' not in text:
        raise DataError(f"{path.name} has nonstandard quotes.")
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    return [(rows.line_num, [unquoted(c) for c in cells]) for cells in rows if cells]


def _table(path: Path, lines: list[tuple[int, list[Any]]]) -> tuple[list[str], list[list[Any]]]:
    """Return the header, and the rows that have as many cells."""
    names = [str(c) for c in lines[0][1]] if lines else []
    for number, cells in lines:
        if len(cells) != len(names):
            raise DataError(
                f"{path.name}, line {number}: {count(len(cells), 'value')} where the header names {count(len(names), 'column')}."
            )
    return names, [[None if c in MISSING_MARKS else c for c in cells] for _, cells in lines[1:]]


def _check(sheet: _Sheet) -> None:
    missing = [key for key in KEY_COLUMNS if key not in sheet.columns]
    if missing:
        raise MissingColumnError(
            f"{sheet.where} does not contain results of Weka's Experimenter: it has no column {missing[0]!r}; it has: {', '.join(list(sheet.columns)[:8])} ... ."
        )


def _values(sheet: _Sheet, asked: Sequence[str] | None) -> tuple[dict[str, Floats], list[str]]:
    """Return the values by our names, and the names of Weka's own columns that were asked for."""
    numeric = "correlation_coefficient" in sheet.columns
    known = {**ANY_TASK, **(NUMERIC_MEASURES if numeric else CLASSIFICATION_MEASURES)}
    here = {same.measure: name for name, same in known.items() if name in sheet.columns}
    values, others = {}, []
    for name in here if asked is None else asked:
        column = here.get(name, name.lower())
        if column not in sheet.columns:
            there = [*here, *sheet.columns]
            raise MissingColumnError(
                f"{sheet.where} has no {name!r}; measures: {', '.join(here)}.",
                asked=name,
                choices=there,
            )
        ours = known.get(column, Same(name))
        others += [name] if column not in known else []
        values[ours.measure] = sheet.numbers(column) / ours.divisor
    kept = {m: v for m, v in values.items() if asked is not None or np.isfinite(v).any()}
    if not kept:
        raise DataError(f"{sheet.where} has no values of a known measure: {', '.join(here)}.")
    return kept, others


def _schemes(sheet: _Sheet) -> list[str]:
    """Call each scheme by the shortest name that tells it from all others."""
    classes = sheet.texts("key_scheme")
    blank = [""] * sheet.n
    options, versions = (
        [c or "" for c in sheet.columns.get(f"key_scheme_{part}", blank)]
        for part in ("options", "version_id")
    )
    keys = list(zip(classes, options, versions, strict=True))
    distinct = len(set(keys))
    short = [c.rpartition(".")[2] for c in classes]
    texts = [f"{c} {o}".rstrip() for c, o in zip(short, options, strict=True)]
    full = [f"{c} {o}".rstrip() for c, o in zip(classes, options, strict=True)]
    whole = [f"{c} (version {v})" for c, v in zip(full, versions, strict=True)]
    return next((n for n in (short, texts, full) if len(set(n)) == distinct), whole)
