"""Datasets in the folder of an experiment: plain arrays that every worker maps into its memory.

Numbers are ``.npy`` files, texts are codes with their values beside them in JSON; nothing is pickled.
Arrow files would need pyarrow, which is no dependency, and workers could not give back the pages they read.
All fits learn from what is read back from here, so that a fit now and one in a year see the same: a
process compares each file with the sum that was kept of it before anything learns from it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly.errors import DataError
from credibly.experiments.store.inputs import blocks, nature_to_keep, put_together, taken_apart
from credibly.io._column_files import synced
from credibly.running.data import Data

if TYPE_CHECKING:
    Arrays = dict[str, NDArray[Any]]
    Stamp = tuple[str, int, int, int]  # of a file: its name, and what changes when it is written to

ABOUT = "about.json"
OPENED = 8  # datasets that a worker keeps open
SUMMED = 4096  # files whose sums a process remembers
BESIDE = ("weight", "group", "time", "fold")
DERIVED = ("findings", "nature")  # what is kept to save time, and can be found again
CHECKING = ("fingerprint", "sums")


class DamagedDataError(DataError):
    """Kept data are not those that were kept: in which folder, and what is wrong."""

    def __init__(self, folder: str, what: str | None) -> None:
        super().__init__(
            f"The data kept in {folder} are damaged: {what}. Nothing is learnt from them.",
            remedy="Run the experiment with the data at hand to keep them again, or restore that folder from a copy.",
        )
        self.args = folder, what  # from which it is made again in another process


@dataclass(frozen=True, slots=True, eq=False)
class KeptData:
    """Data to learn from, what resamplings want to know of the rows beside it, and where they are."""

    data: Data
    time: NDArray[Any] | None
    fold: NDArray[Any] | None
    home: str

    @property
    def fingerprint(self) -> str:
        """A text that differs where data differ, under which they are kept."""
        return Path(self.home).name


def keep(
    data: Data,
    time: object,
    fold: object,
    folder: Path,
    mended: Callable[[str], object] | None = None,
) -> str:
    """Write data under their fingerprint, unless they are there, and return it.

    Data that are there but damaged are written again, and ``mended`` is told what was wrong.
    """
    arrays, facts = _taken_apart(data, {"time": time, "fold": fold})
    fingerprint = _fingerprint(arrays, facts)
    home = folder / fingerprint
    if home.exists():
        damage = damage_of(home)
        if not damage:
            return fingerprint
        if mended is not None:
            mended(damage)
    arrays["y"] = np.asarray(data.y)
    derived = {"findings": [f.to_dict() for f in data.findings], **nature_to_keep(data.X)}
    sums = {name: _sum(array) for name, array in arrays.items()}
    sums |= {name: _sum_of_text(value) for name, value in {"facts": facts, **derived}.items()}
    _write(home, arrays, {**facts, **derived, "fingerprint": fingerprint, "sums": sums})
    return fingerprint


def _write(home: Path, arrays: Arrays, about: Mapping[str, Any]) -> None:
    """Put a whole folder in its place; one that is damaged goes once that is written."""
    beside, damaged = (home.with_name(f"{home.name}.{e}") for e in ("part", "damaged"))
    for each in (beside, damaged):
        shutil.rmtree(each, ignore_errors=True)
    beside.mkdir(parents=True)
    for name, array in arrays.items():
        np.save(beside / f"{name}.npy", array, allow_pickle=False)
        synced(beside / f"{name}.npy")
    (beside / ABOUT).write_text(json.dumps(about))
    synced(beside / ABOUT)
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


def open_data(home: str, *, inputs: bool = True) -> KeptData:
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


@lru_cache(maxsize=OPENED)
def _opened(home: str, stamps: tuple[Stamp, ...], *, inputs: bool) -> KeptData:
    folder = Path(home)
    about = _about(folder)
    sums = about.pop("sums", None)
    known = {name for name, *_ in stamps}
    names = [Path(n).stem for n in known if n.endswith(".npy")] if sums is None else list(sums)
    derived = {"facts", *DERIVED, *(["y"] if "codes" in names and "y.npy" not in known else [])}
    wanted = [n for n in names if n not in derived and (inputs or not n.startswith("X"))]
    if sums is None:
        _check_older(folder, stamps)
    else:
        marks = {name: mark for name, *mark in stamps}
        _check(folder, about, sums)
        for name in wanted:
            file = f"{name}.npy"
            if _sum_of_file(home, file, *marks.get(file, [0, 0, 0])) != sums[name]:
                raise DamagedDataError(str(folder), f"{file} does not hold what was written there")
    return _put_together({n: _mapped(folder, n) for n in wanted}, about, home, inputs=inputs)


def _put_together(arrays: Arrays, facts: Mapping[str, Any], home: str, *, inputs: bool) -> KeptData:
    classes = tuple(facts["classes"])
    codes = arrays.get("codes")
    X, light = put_together(arrays, facts) if inputs else (None, None)
    data = Data(
        X,
        arrays["y"] if "y" in arrays else np.array(classes)[codes],
        facts["task"],
        classes,
        None if codes is None else np.asarray(codes),
        facts["positive"],
        arrays.get("weight"),
        facts["weight_kind"],
        arrays.get("group"),
        tuple(Finding(**f) for f in facts["findings"]),
        light,
    )
    return KeptData(data, arrays.get("time"), arrays.get("fold"), home)


def _about(folder: Path) -> dict[str, Any]:
    try:
        about = json.loads((folder / ABOUT).read_bytes())
    except OSError as error:
        raise DamagedDataError(str(folder), f"{ABOUT} cannot be read: {error.strerror}") from None
    except ValueError:
        about = None
    if not isinstance(about, dict):
        raise DamagedDataError(str(folder), f"{ABOUT} does not hold what was written there")
    return about


def _check(folder: Path, about: Mapping[str, Any], sums: Mapping[str, str]) -> None:
    """Refuse facts that have changed, and data that belong elsewhere."""
    parts = {"facts": _facts(about), **{n: about[n] for n in DERIVED if n in about}}
    if any(_sum_of_text(value) != sums.get(name) for name, value in parts.items()):
        raise DamagedDataError(str(folder), f"{ABOUT} does not hold what was written there")
    if about["fingerprint"] != folder.name:
        raise DamagedDataError(str(folder), "it holds another dataset")


def _facts(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the fingerprint is about."""
    return {k: v for k, v in about.items() if k not in {*DERIVED, *CHECKING}}


@lru_cache(maxsize=OPENED)
def _check_older(folder: Path, stamps: tuple[Stamp, ...]) -> None:
    """Refuse data that an older version has kept without sums, if their fingerprint is another."""
    about = _about(folder)
    files = [Path(name) for name, *_ in stamps]
    arrays = {f.stem: _mapped(folder, f.stem) for f in files if f.suffix == ".npy"}
    if "codes" in arrays and "y" in arrays:  # which were no part of it
        targets = np.unique(arrays.pop("y"), return_inverse=True)[1]
        pairs = np.unique(np.column_stack([targets.ravel(), arrays["codes"]]), axis=0)
        if not len(pairs) == len(np.unique(pairs[:, 0])) == len(np.unique(pairs[:, 1])):
            raise DamagedDataError(str(folder), "y.npy does not hold what was written there")
    if _fingerprint(arrays, _facts(about)) != folder.name:
        raise DamagedDataError(str(folder), "its files do not hold what was written there")


@lru_cache(maxsize=SUMMED)
def _sum_of_file(home: str, file: str, *_: int) -> str:
    """Return the sum of a file, which is read once as long as it is not written to."""
    return _sum(_mapped(Path(home), Path(file).stem))


def _mapped(folder: Path, name: str) -> NDArray[Any]:
    path = folder / f"{name}.npy"
    try:
        found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise DamagedDataError(str(folder), f"{path.name} is not there") from None
    except Exception:  # a damaged head may be any text
        raise DamagedDataError(
            str(folder), f"{path.name} does not hold what was written there"
        ) from None
    return found


def _taken_apart(data: Data, beside: Mapping[str, object]) -> tuple[Arrays, dict[str, Any]]:
    """Return data as plain arrays, and what else there is to know as JSON."""
    arrays, facts = taken_apart(data.X, data.names)
    facts |= {
        "task": data.task,
        "classes": [_plain(c) for c in data.classes],
        "positive": _plain(data.positive),
        "weight_kind": data.weight_kind,
    }
    arrays |= {"y": np.asarray(data.y)} if data.codes is None else {"codes": data.codes}
    columns = {"weight": data.weight, "group": data.group, **beside}
    arrays |= {name: _column(columns[name]) for name in BESIDE if columns[name] is not None}
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
    return _hashed(
        json.dumps(facts, sort_keys=True), {f"{n} ": a for n, a in sorted(arrays.items())}
    )


def _sum(array: NDArray[Any]) -> str:
    return _hashed("", {"": array})


def _sum_of_text(value: object) -> str:
    return _hashed(json.dumps(value, sort_keys=True), {})


def _hashed(text: str, arrays: Arrays) -> str:
    """Return the sum of a text and of arrays, each with its name, type and shape."""
    digest = blake2b(text.encode(), digest_size=16)
    for name, array in arrays.items():
        digest.update(f"{name}{array.dtype.str} {array.shape}".encode())
        for block in blocks(array):
            digest.update(block)
    return digest.hexdigest()
