"""Datasets in the folder of an experiment: plain arrays that every worker maps into its memory.

Numbers are ``.npy`` files, texts are codes with their values beside them in JSON; nothing is pickled.
Arrow files would need pyarrow, which is no dependency, and workers could not give back the pages they
read. All fits learn from what is read back from here, so that a fit now and one in a year see the same:
a process compares each file with the sum that was kept of it before anything learns from it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly.errors import DataError
from credibly.experiments.store.inputs import blocks, put_together, taken_apart
from credibly.io._column_files import sum_of, synced
from credibly.running.data import Data
from credibly.schemes.columns import nature_of

if TYPE_CHECKING:
    Arrays = dict[str, NDArray[Any]]
    Stamp = tuple[str, int, int, int]  # of a file: its name, and what changes when it is written to

ABOUT_FILE = "about.json"
MAX_OPEN_DATASETS = 8  # datasets that a worker keeps open
ROW_COLUMNS = ("weight", "group", "time", "fold")


class DamagedDataError(DataError):
    """Kept data are not those that were kept: in which folder, and what is wrong."""

    def __init__(self, folder: str, what: str | None) -> None:
        super().__init__(
            f"The data kept in {folder} are damaged: {what}. They were not used.",
            remedy="Run the experiment again with the original data to store them again, or restore that folder from a copy.",
        )
        self.args = folder, what  # from which it is made again in another process


def keep(data: Data, folder: Path, mended: Callable[[str], object] = lambda _: None) -> str:
    """Write data under their fingerprint, unless they are there, and return it.

    Data that are there but damaged are written again, and the callback gets what was wrong.
    """
    arrays, facts = _taken_apart(data)
    fingerprint = _fingerprint(arrays, facts)
    home = folder / fingerprint
    if home.exists():
        damage = damage_of(home)
        if not damage:
            return fingerprint
        mended(damage)
    nature = nature_of(data.X)  # so that workers need not look at all rows
    derived = {
        "nature": {"plain": nature.plain, "text": nature.text},
        "findings": [f.to_dict() for f in data.findings],
        "fingerprint": fingerprint,
    }
    _write(home, arrays | {"y": np.asarray(data.y)}, facts | derived)
    return fingerprint


def _write(home: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Put a whole folder in its place; one that is damaged goes once that is written."""
    beside, damaged = (home.with_name(f"{home.name}.{e}") for e in ("part", "damaged"))
    for each in (beside, damaged):
        shutil.rmtree(each, ignore_errors=True)
    beside.mkdir(parents=True)
    sums = {}
    for name, array in arrays.items():
        file = beside / f"{name}.npy"
        np.save(file, array, allow_pickle=False)
        synced(file)
        sums[name] = sum_of(file)
    whole = {**about, "sums": sums}
    (beside / ABOUT_FILE).write_text(json.dumps({"about": whole, "sum": _sum_of_text(whole)}))
    synced(beside / ABOUT_FILE)
    if home.exists():
        home.replace(damaged)
    beside.replace(home)
    synced(home.parent)
    shutil.rmtree(damaged, ignore_errors=True)


def damage_of(home: Path) -> str:
    """Say what is wrong with the data of a folder; nothing where they are as they were kept."""
    try:
        open_data(str(home))
    except DamagedDataError as error:
        return str(error.args[1])
    return ""


def open_data(home: str, *, inputs: bool = True) -> Data:
    """Map the data of a folder into memory; texts are put together again.

    What is not as it was kept raises a :class:`DamagedDataError`. Who needs no ``inputs`` gets the
    rest, whatever has become of them.
    """
    try:
        stamps = tuple(sorted(_stamp(f) for f in os.scandir(home)))
    except OSError as error:
        raise DamagedDataError(home, error.strerror) from None
    return _opened(home, stamps, inputs=inputs)


def _stamp(file: os.DirEntry[str]) -> Stamp:
    about = file.stat()
    return file.name, about.st_ino, about.st_size, about.st_mtime_ns


@lru_cache(maxsize=MAX_OPEN_DATASETS)
def _opened(home: str, _: tuple[Stamp, ...], *, inputs: bool) -> Data:
    folder = Path(home)
    facts = _about(folder)
    sums = {n: s for n, s in facts["sums"].items() if inputs or not n.startswith("X")}
    arrays = {name: _mapped(folder / f"{name}.npy", expected) for name, expected in sums.items()}
    X, light = put_together(arrays, facts) if inputs else (None, None)
    columns: dict[str, Any] = {name: arrays.get(name) for name in ROW_COLUMNS}
    return Data(
        X,
        arrays["y"],
        classes=tuple(facts["classes"]),
        codes=np.asarray(arrays["codes"]) if "codes" in arrays else None,
        findings=tuple(Finding(**f) for f in facts["findings"]),
        light=light,
        home=home,
        **{name: facts[name] for name in ("task", "positive", "weight_kind")},
        **columns,
    )


def _about(folder: Path) -> dict[str, Any]:
    """Return what is known of kept data beside the arrays; what has changed or belongs elsewhere is refused."""
    try:
        kept = json.loads((folder / ABOUT_FILE).read_bytes())
    except OSError as error:
        raise DamagedDataError(
            str(folder), f"{ABOUT_FILE} cannot be read: {error.strerror}"
        ) from None
    except ValueError:
        kept = None
    if not isinstance(kept, dict) or _sum_of_text(kept.get("about")) != kept.get("sum"):
        raise DamagedDataError(str(folder), f"{ABOUT_FILE} does not hold what was written there")
    about: dict[str, Any] = kept["about"]
    if about["fingerprint"] != folder.name:
        raise DamagedDataError(str(folder), "it holds another dataset")
    return about


def _mapped(path: Path, expected: str) -> NDArray[Any]:
    try:
        if sum_of(path) == expected:
            return np.load(path, mmap_mode="r", allow_pickle=False)
        what = f"{path.name} does not hold what was written there"
    except FileNotFoundError:
        what = f"{path.name} is not there"
    raise DamagedDataError(str(path.parent), what)


def _taken_apart(data: Data) -> tuple[Arrays, dict[str, Any]]:
    """Return data as plain arrays, and what else there is to know as JSON."""
    arrays, facts = taken_apart(data.X, data.names)
    facts |= {
        "task": data.task,
        "classes": [_plain(c) for c in data.classes],
        "positive": _plain(data.positive),
        "weight_kind": data.weight_kind,
    }
    arrays |= {"y": np.asarray(data.y)} if data.codes is None else {"codes": data.codes}
    columns = {name: getattr(data, name) for name in ROW_COLUMNS}
    arrays |= {name: _column(given) for name, given in columns.items() if given is not None}
    return arrays, facts


def _column(given: object) -> NDArray[Any]:
    array = np.asarray(given)
    if array.dtype.kind != "O":
        return array
    plain = np.asarray(array.tolist())  # numbers stay numbers, whose order is that of time
    return plain if plain.dtype.kind in "biuf" else array.astype(str)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _fingerprint(arrays: Arrays, facts: Mapping[str, Any]) -> str:
    """Return the sum of facts and of arrays, each with its name, type and shape."""
    digest = blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=16)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        for block in blocks(array):
            digest.update(block)
    return digest.hexdigest()


def _sum_of_text(value: object) -> str:
    return _fingerprint({}, {"": value})
