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
from credibly.io._column_files import synced
from credibly.running.data import Data
from credibly.schemes.columns import columns_of, is_frame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[Any]]

ABOUT = "about.json"
OPENED = 8  # datasets that a worker keeps open
BESIDE = ("weight", "group", "time", "fold")


@dataclass(frozen=True, slots=True, eq=False)
class KeptData:
    """Data to learn from, what resamplings want to know of the rows beside it, and its fingerprint."""

    data: Data
    time: NDArray[Any] | None
    fold: NDArray[Any] | None
    fingerprint: str


def keep(data: Data, time: object, fold: object, folder: Path) -> str:
    """Write data under their fingerprint, unless they are there, and return it."""
    arrays, facts = _taken_apart(data, {"time": time, "fold": fold})
    fingerprint = _fingerprint(arrays, facts)
    home = folder / fingerprint
    if not home.exists():
        beside = folder / f"{fingerprint}.part"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        for name, array in arrays.items():
            np.save(beside / f"{name}.npy", array, allow_pickle=False)
            synced(beside / f"{name}.npy")
        findings = [f.to_dict() for f in data.findings]
        (beside / ABOUT).write_text(json.dumps({**facts, "findings": findings}))
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
    y = arrays["y"] if codes is None else np.array(classes)[codes]
    data = Data(
        _put_together(arrays, facts),
        y,
        facts["task"],
        classes,
        None if codes is None else np.asarray(codes),
        facts["positive"],
        arrays.get("weight"),
        facts["weight_kind"],
        arrays.get("group"),
        tuple(Finding(**f) for f in facts["findings"]),
    )
    return KeptData(data, arrays.get("time"), arrays.get("fold"), folder.name)


def _taken_apart(data: Data, beside: Mapping[str, object]) -> tuple[Arrays, dict[str, Any]]:
    """Return data as plain arrays, and what else there is to know as JSON."""
    arrays, facts = _inputs(data.X)
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


def _inputs(X: Any) -> tuple[Arrays, dict[str, Any]]:  # noqa: ANN401
    if hasattr(X, "tocsr"):
        parts = {f"X_{p}": np.asarray(getattr(X, p)) for p in ("data", "indices", "indptr")}
        return parts, {"kind": "sparse", "shape": list(X.shape)}
    if not is_frame(X) and X.dtype.kind in "biuf":
        return {"X": X}, {"kind": "numbers"}
    columns = list(columns_of(X).values())
    if all(c.dtype.kind == "f" for c in columns):
        return {"X": np.column_stack(columns)}, {"kind": "numbers"}
    arrays: Arrays = {}
    texts: dict[str, list[str]] = {}
    for j, column in enumerate(columns):
        if column.dtype.kind == "f":
            arrays[f"X_{j}"] = column
        else:
            known = sorted({v for v in column.tolist() if v is not None})
            place = {v: i for i, v in enumerate(known)} | {None: len(known)}
            arrays[f"X_{j}"] = np.array([place[v] for v in column.tolist()], np.int32)
            texts[str(j)] = known
    return arrays, {"kind": "mixed", "texts": texts, "columns": len(columns)}


def _put_together(arrays: Arrays, facts: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if facts["kind"] == "numbers":
        return arrays["X"]
    if facts["kind"] == "sparse":
        from scipy.sparse import csr_matrix

        parts = (arrays["X_data"], arrays["X_indices"], arrays["X_indptr"])
        return csr_matrix(parts, shape=tuple(facts["shape"]))
    X = np.empty((len(arrays["X_0"]), facts["columns"]), object)
    for j in range(facts["columns"]):
        column = arrays[f"X_{j}"]
        texts = facts["texts"].get(str(j))
        X[:, j] = column if texts is None else np.array([*texts, None], object)[column]
    return X


def _column(given: object) -> NDArray[Any]:
    array = np.asarray(given)
    return array.astype(str) if array.dtype.kind == "O" else array


def _plain(value: Any) -> Any:  # noqa: ANN401
    return value.item() if hasattr(value, "item") else value


def _fingerprint(arrays: Arrays, facts: Mapping[str, Any]) -> str:
    digest = blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=16)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).view(np.uint8).data)
    return digest.hexdigest()
