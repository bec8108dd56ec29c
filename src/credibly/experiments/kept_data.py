"""Datasets in the folder of an experiment: plain arrays that every worker maps into its memory.

Numbers are ``.npy`` files, texts are codes with their values beside them in JSON; nothing is pickled.
All fits learn from what is read back from here, so that a fit now and one in a year see the same.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.errors import DataError
from credibly._core.results import Finding
from credibly.experiments.kept_inputs import nature_to_keep, put_together, taken_apart
from credibly.io._column_files import synced
from credibly.running.data import Data

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

ABOUT = "about.json"
OPENED = 8  # datasets that a worker keeps open
BESIDE = ("weight", "group", "time", "fold")


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


def keep(data: Data, time: object, fold: object, folder: Path) -> str:
    """Write data under their fingerprint, unless they are there, and return it."""
    arrays, facts = _taken_apart(data, {"time": time, "fold": fold})
    fingerprint = _fingerprint(arrays, facts)
    home = folder / fingerprint
    if not home.exists():
        beside = folder / f"{fingerprint}.part"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        for name, array in {**arrays, "y": np.asarray(data.y)}.items():
            np.save(beside / f"{name}.npy", array, allow_pickle=False)
            synced(beside / f"{name}.npy")
        about = {"findings": [f.to_dict() for f in data.findings], **nature_to_keep(data.X)}
        (beside / ABOUT).write_text(json.dumps({**facts, **about}))
        synced(beside / ABOUT)
        beside.replace(home)
        synced(folder)
    return fingerprint


@lru_cache(maxsize=OPENED)
def open_data(home: str) -> KeptData:
    """Map the data of a folder into memory; texts are put together again."""
    folder = Path(home)
    try:
        facts = json.loads((folder / ABOUT).read_text())
    except (OSError, ValueError) as error:
        msg = f"The data kept in {folder} cannot be read: {error}. Run the experiment again to keep them again."
        raise DataError(msg) from None
    arrays = {f.stem: np.load(f, mmap_mode="r", allow_pickle=False) for f in folder.glob("*.npy")}
    classes = tuple(facts["classes"])
    codes = arrays.get("codes")
    X, light = put_together(arrays, facts)
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
    digest = blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=16)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).view(np.uint8).data)
    return digest.hexdigest()
