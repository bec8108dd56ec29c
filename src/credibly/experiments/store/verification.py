"""Whether what is kept can be trusted: files have their sums, and a sample of the cells, fitted again, is the same bit for bit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from credibly._core.grouping import grouped
from credibly._core.seeds import seed_of
from credibly._core.text import count
from credibly.errors import DataError
from credibly.experiments.execution.driver import Workers
from credibly.experiments.execution.tasks import FitAnswer
from credibly.experiments.plan.cells import ExperimentDesign
from credibly.experiments.plan.design import design
from credibly.experiments.plan.plan import Plan
from credibly.experiments.store.data import damage_of
from credibly.experiments.store.predictions import damaged, results_of
from credibly.experiments.store.schema import DATA_FOLDER, DATABASE_FILE, PREDICTIONS_FOLDER
from credibly.experiments.store.store import Store, digest_of
from credibly.results.result import Blocks, Result
from credibly.running.tasks import TaskResult

OUTPUT_COLUMNS = ("probability", "label", "score", "value")


class Verification(Result, eq=True):
    """How many cells were fitted again, which of them came out differently, and which files are damaged."""

    checked: int
    total: int
    different: tuple[tuple[str, str], ...] = ()  # which cell, and what differs
    unread: tuple[tuple[str, str], ...] = ()  # which dataset was left out, and why
    damaged: tuple[tuple[str, str], ...] = ()  # which file or folder, and what is wrong

    def __bool__(self) -> bool:
        return not self.different and not self.damaged

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name."""
        pairs = {"different": ("cell", "what"), "unread": ("dataset", "error")}
        pairs |= {"damaged": ("file", "what")}
        listed = {
            name: [dict(zip(keys, pair, strict=True)) for pair in getattr(self, name)]
            for name, keys in pairs.items()
        }
        return {"checked": self.checked, "total": self.total, **listed}

    def heading(self) -> str:
        """Say it in one line."""
        fitted = f"{count(self.checked, 'cell')} of {self.total:,} fitted again"
        text = "all are the same, bit for bit"
        if self.different:
            text = f"{len(self.different)} came out differently"
        return f"{fitted}: {text}."

    def blocks(self) -> Blocks:
        """Yield no table: what is wrong is said."""
        yield from ()

    def remarks(self) -> list[str]:
        """Say what came out differently, what is damaged and what was left out."""
        different = [f"  {cell}: {what}" for cell, what in self.different]
        left_out = [f"  {d} was left out, because it cannot be used: {e}" for d, e in self.unread]
        return [*different, *_listed(self.damaged), *left_out]


def verify(
    plan: Plan, folder: str | PathLike[str], *, cells: int, rng: int | np.random.Generator
) -> Verification:
    """Compare every file with its sum; draw cells that were done, fit them again and compare them too."""
    store = Store(folder)
    wrong = tuple(_damaged(store))
    with tempfile.TemporaryDirectory() as somewhere:  # the folder itself is not written to
        try:
            made = design(plan, Path(somewhere))
            verification = _compared(store, made, plan, cells, seed_of(rng))
        except DataError as error:
            raise DataError("\n".join([str(error), *_listed(wrong)])) from error
    return replace(verification, damaged=wrong)


def _listed(damaged: tuple[tuple[str, str], ...]) -> list[str]:
    return [f"  Damaged: {file}: {what}." for file, what in damaged]


def _damaged(store: Store) -> Iterator[tuple[str, str]]:
    """Yield files and folders that do not hold what was written there, and what is wrong with them."""
    if store.state == "changed":
        yield DATABASE_FILE, "it has changed since Credibly wrote it"
    names = grouped((facts["data"], name) for name, facts in store.datasets().items())
    for data in sorted(store.data()):
        what = damage_of(store.folder / DATA_FOLDER / data)
        if what:
            of = f", the data of {', '.join(names[data])}" if data in names else ""
            yield f"{DATA_FOLDER}/{data}{of}", what
    for file in sorted(damaged(store, thoroughly=True)):
        cells = count(len(store.keys_in({file})), "cell")
        yield f"{PREDICTIONS_FOLDER}/{file}", f"the predictions of {cells} are not what was written"


def _compared(
    store: Store, made: ExperimentDesign, plan: Plan, cells: int, seed: int
) -> Verification:
    done = [k for k, status in store.statuses().items() if status == "done" and k in made.tasks]
    if not done:
        raise DataError(
            f"No cell of this plan in {store.folder} can be compared: data, parameters or versions have changed since then, or nothing has been run."
        )
    drawn = np.random.default_rng(seed).permutation(len(done))[:cells]
    keys = [done[i] for i in sorted(drawn)]
    rows = store.cells(keys)
    kept = dict(zip(keys, results_of(store, rows, checked=False), strict=True))
    values = store.values()
    numbers = {row["key"]: row["id"] for row in rows}
    named = {c.key: c for c in made.cells}
    different = []
    for answer in Workers(1, plan.limits).answers([made.tasks[k] for k in keys]):
        costs = digest_of(made.tasks[answer.key].setting.costs)
        before = {m: values.get((numbers[answer.key], m, costs), np.nan) for m in answer.values}
        what = _difference(kept[answer.key], before, answer)
        if what:
            c = named[answer.key]
            cell = f"{c.scheme} on {c.dataset}, repeat {c.repeat}, fold {c.fold}"
            different.append((cell, what))
    unread = tuple((n.name, n.error) for n in made.datasets if n.error)
    return Verification(len(keys), len(done), tuple(different), unread)


def _difference(kept: TaskResult, values: dict[str, float], again: FitAnswer) -> str:
    """Say what differs, or nothing."""
    result = again.result
    if result.output is None or kept.output is None:
        return f"it failed: {result.error}"
    if not np.array_equal(kept.rows, result.rows):
        return "different rows were predicted"
    for name in OUTPUT_COLUMNS:
        old, new = (_bits(getattr(output, name)) for output in (kept.output, result.output))
        if old != new:
            return f"another {name}"
    for m, value in again.values.items():
        if _bits(np.float64(values[m])) != _bits(np.float64(value)):
            return f"{m} was {values[m]!r} and is {value!r}"
    return ""


def _bits(array: Any) -> bytes:
    plain = np.asarray(() if array is None else array)
    kind = np.float64 if plain.dtype.kind == "f" else np.int64
    return np.ascontiguousarray(plain, kind).tobytes()
