"""From a plan to its cells: data are read and kept, rows are cut, and every fit gets its key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly.errors import CrediblyError, DataError, Sentence
from credibly.experiments.analysis.results import WHOLE_TRAINING_PART
from credibly.experiments.execution.tasks import FitSetting, Task, range_of, splits_of
from credibly.experiments.findings import NO_SIZE_FITS, SIZE_DOES_NOT_FIT
from credibly.experiments.plan.applicability import Read, doubtful_measures
from credibly.experiments.plan.cells import Cell, DatasetNote, ExperimentDesign
from credibly.experiments.plan.fingerprints import described, written
from credibly.experiments.plan.plan import DataSource, Plan, PlanError
from credibly.experiments.store.data import DamagedDataError, keep, open_data
from credibly.experiments.store.provenance import versions_for
from credibly.experiments.store.schema import DATA_FOLDER
from credibly.experiments.store.store import Store, digest_of
from credibly.measures.selection import first_measures
from credibly.predictions import CostMatrix
from credibly.resampling import Resampling, Split, Splits, as_resampling, resamplings
from credibly.results.formats import json_ready
from credibly.running.data import Data
from credibly.running.learning_curves import fits
from credibly.running.run import drawn_with_replacement
from credibly.running.tasks import ALL_ROWS_PLACE
from credibly.schemes import Scheme

DEFAULT_RESAMPLING = "10x10"


def design(plan: Plan, folder: Path, before: Store | None = None) -> ExperimentDesign:
    """Read the data, keep them in a folder, and list what is to be done; what cannot be used is noted.

    Of such a dataset the data are taken that were kept ``before``, where there are any.
    """
    read: dict[str, Read] = {}
    errors: dict[str, str] = {}
    mended: dict[str, str] = {}
    for source in plan.sources:
        try:
            read[source.name] = _kept(source, folder, partial(mended.__setitem__, source.name))
        except (CrediblyError, OSError, ValueError, MemoryError) as error:
            errors[source.name] = plan.explained(source, error)
            try:
                read |= _kept_before(source, before)
            except DamagedDataError as damage:
                errors[source.name] += f" {damage}"
            except CrediblyError:  # they do not go with the costs that are asked for
                continue
    tasks = {data.task: None for data, _ in read.values()}
    measures = plan.measures or tuple(m for t in tasks for m in first_measures(t))
    unfit = doubtful_measures(plan, read, all_read=not errors)
    design = ExperimentDesign(_notes(plan, measures, unfit), [], [], {}, mended)
    for source in plan.sources:
        try:
            if source.name in read:
                _add(design, plan, source, *read[source.name], errors.get(source.name, ""))
        except CrediblyError as error:
            errors[source.name] = plan.explained(source, error)
            del read[source.name]
        if source.name not in read:
            design.datasets.append(DatasetNote(source.name, error=errors[source.name]))
    if not design.cells:
        raise DataError(_nothing(plan, design))
    return design


def refuse_missing_files(plan: Plan, folder: str | PathLike[str] | None) -> None:
    """Refuse a plan before anything is done if files are missing whose data no earlier run has kept."""
    if not plan.lacking:
        return
    with Store.of_earlier_runs(folder) as store:
        known = store.datasets() if store else {}
    for name, error in plan.lacking.items():
        if not known.get(name, {}).get("data"):
            raise PlanError(Sentence(plan.stated(error.place), error.sentence), error.place)


def _nothing(plan: Plan, made: ExperimentDesign) -> str:
    """Say why nothing can be fitted."""
    stated = plan.stated(("sizes",))
    sentences = [f"{n.name}: {n.error}" for n in made.datasets if n.error]
    unfit = [f for f in made.notes["findings"] if f["code"] == NO_SIZE_FITS.code]
    sentences += [f"{stated}{f['message']}" for f in unfit]
    return f"None of the datasets can be used. {' '.join(sentences)}"


def _notes(plan: Plan, measures: tuple[str, ...], findings: list[Finding]) -> dict[str, Any]:
    return {
        "findings": [f.to_dict() for f in findings],
        "measures": list(measures),
        "resampling": "" if plan.resampling is None else repr(plan.resampling),
        "schemes": {s.name: described(s) for s in plan.schemes},
        "plan": plan.to_dict(),
    }


def _kept(source: DataSource, folder: Path, mended: Callable[[str], object]) -> Read:
    data = source.read()
    costs = source.costs(data)
    return open_data(str(folder / keep(data, folder, mended))), costs


def _kept_before(source: DataSource, store: Store | None) -> dict[str, Read]:
    """Return the data of a dataset from an earlier run, if it asked for the same."""
    known = {} if store is None else store.datasets().get(source.name, {})
    if store is None or known.get("asked") != _asked(source):
        return {}
    kept = open_data(str(store.folder / DATA_FOLDER / known["data"]))
    return {source.name: (kept, source.costs(kept))}


def _asked(source: DataSource) -> str:
    """Write what a dataset is read from and how; its folder may move, and costs are no part of the data."""
    file = Path(source.where).name if isinstance(source.where, str | Path) else ""
    return file + written({k: v for k, v in source.options.items() if k != "costs"})


def _add(
    made: ExperimentDesign,
    plan: Plan,
    source: DataSource,
    data: Data,
    costs: CostMatrix | None,
    error: str,
) -> None:
    """Add the cells of one dataset, scheme by scheme."""
    name, fingerprint = source.name, Path(data.home).name
    rule = plan.resampling or as_resampling(DEFAULT_RESAMPLING)
    resampling = rule.for_rows(grouped=data.group is not None)
    whole = splits_of(data, resampling, plan.seed, WHOLE_TRAINING_PART)
    sizes = _sizes(made, plan, name, whole)
    drawn = drawn_with_replacement(whole)
    facts = _facts(data, whole, costs, plan.schemes, drawn=drawn)
    ranges = {m: json_ready(range_of(m, costs)) for m in made.notes["measures"]}
    facts |= {"asked": _asked(source), "ranges": ranges}
    made.datasets.append(DatasetNote(name, fingerprint, error, facts, costs))
    for size in sizes:
        splits = (
            whole if size == WHOLE_TRAINING_PART else splits_of(data, resampling, plan.seed, size)
        )
        named = resampling.call if _is_named(resampling) else ""
        measures = tuple(made.notes["measures"])
        setting = FitSetting(data.home, named, plan.seed, size, drawn, measures, costs)
        cuts = list(_cuts(splits, drawn=drawn))
        for scheme in plan.schemes:
            start = _digest(described(scheme), versions_for(scheme), fingerprint, plan.seed, drawn)
            for place, split, rows in cuts:
                key = _digest(start, rows)
                made.cells.append(Cell(name, scheme.name, size, split.repeat, split.fold, key))
                travels = None if named else split
                made.tasks.setdefault(key, Task(key, setting, scheme, place, travels))


def _sizes(made: ExperimentDesign, plan: Plan, name: str, splits: Splits) -> list[float]:
    """Return the sizes that all training parts of a dataset can have, and note those that they cannot."""
    if plan.sizes == (WHOLE_TRAINING_PART,):
        return [WHOLE_TRAINING_PART]
    least = min(len(s.train) for s in splits)
    fitting = [s for s in plan.sizes if fits(s, least)]
    unfit = ", ".join(f"{s:.10g}" for s in plan.sizes if s not in fitting)
    if unfit:
        kind = SIZE_DOES_NOT_FIT if fitting else NO_SIZE_FITS
        made.notes["findings"].append(kind(name=name, sizes=unfit, most=least).to_dict())
    return fitting


def _cuts(splits: Splits, *, drawn: bool) -> Iterator[tuple[int, Split, str]]:
    """Return every split with its place and a hash of its rows; a bootstrap also fits on all rows."""
    for place in range(len(splits)):
        split = splits[place]
        train = None if splits.trains_on_the_rest else split.train
        parts = [split.test, train, split.validation]
        yield place, split, _digest(split.repeat, split.fold, *map(_rows, parts))
    if drawn:
        rows = np.arange(splits.n)
        yield ALL_ROWS_PLACE, Split(rows, rows, ALL_ROWS_PLACE, ALL_ROWS_PLACE), "all rows"


def _rows(rows: NDArray[np.intp] | None) -> str:
    if rows is None:
        return ""
    return blake2b(np.ascontiguousarray(rows, np.int64).data, digest_size=16).hexdigest()


def _is_named(resampling: Resampling) -> bool:
    """Whether a worker can make it from its name; splitters of others and lists of rows it cannot."""
    name = resampling.name
    return name in resamplings and resamplings[name].function is resampling.function


def _facts(
    data: Data,
    splits: Splits,
    costs: CostMatrix | None,
    schemes: Sequence[Scheme],
    *,
    drawn: bool,
) -> dict[str, Any]:
    inside = [(s.name, s.estimator) for s in schemes if s.estimator is not None]
    return {
        "rows": data.n,
        "columns": int(data.X.shape[1]),
        "task": data.task,
        "classes": list(data.classes),
        "resampling": splits.resampling,
        "splits": splits.fingerprint,
        "design": splits.design.to_dict(),
        "with_replacement": drawn,
        "costs": digest_of(costs),
        "findings": [f.to_dict() for f in data.doubts(splits, inside)],
    }


def _digest(*parts: object) -> str:
    return blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()
