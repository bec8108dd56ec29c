"""Frames of pandas, polars, pyarrow and all others that narwhals reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import not_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.errors import DataError, ParameterError
from credibly.io._source import Kind, Source, kind_of, known_numbers
from credibly.io.findings import NUMBERS_AS_WRITTEN
from credibly.predictions.labels import Labels, dates_as_text, encode


def open_frame(frame: object) -> FrameSource:
    """Take a frame; of a lazy one only the columns that have a role are collected.

    >>> import pandas as pd
    >>> open_frame(pd.DataFrame({"y": [1, 0]})).names
    ('y',)
    """
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import NarwhalsError

    try:
        taken = nw.from_native(frame)  # type: ignore[call-overload]
        names = list(taken.collect_schema().names())
    except TypeError:
        raise ParameterError(
            "read takes the path of a file, or a frame of pandas, polars or pyarrow; "
            f"got {type(frame).__name__}. For arrays use Predictions.of(...)."
        ) from None
    except NarwhalsError as error:
        text = " ".join(str(error).split())
        raise DataError(
            f"The frame cannot be read: {text}. Give each column its own name."
        ) from None
    return FrameSource(taken, names)


class FrameSource(Source):
    """The columns of a frame, with their types."""

    def __init__(self, frame: Any, names: list[Any]) -> None:  # noqa: ANN401
        self.where = f"the {type(frame.to_native()).__module__.partition('.')[0]} frame"
        self.names = tuple(str(n) for n in names)
        self._keys = dict(zip(self.names, names, strict=True))
        self._given = self._frame = frame

    def load(self, numbers: Sequence[str], labels: Sequence[str]) -> None:
        """Collect what a lazy frame has to compute."""
        if hasattr(self._given, "collect"):
            wanted = [self._keys[n] for n in dict.fromkeys((*numbers, *labels))]
            self._frame = self._given.select(wanted).collect()

    @property
    def at_hand(self) -> Any:  # noqa: ANN401
        """The frame itself, if nothing has to be computed to see its rows."""
        return None if hasattr(self._given, "collect") else self._given

    def only(self, names: Sequence[str]) -> Any:  # noqa: ANN401
        """Return some columns, as a frame of the library that it came from."""
        return self._frame.select([self._keys[n] for n in names]).to_native()

    def as_it_is(self, name: str) -> NDArray[Any]:
        """Return a column of the frame with its own values, as Python and numpy know them."""
        return np.asarray(self._frame.get_column(self._keys[name]).to_numpy())

    def _series(self, name: str) -> Any:  # noqa: ANN401
        import narwhals.stable.v2 as nw

        series = self._frame.get_column(self._keys[name])
        if isinstance(series.dtype, nw.Categorical | nw.Enum) or series.dtype.is_temporal():
            return series.cast(nw.String)
        return series.cast(nw.Float64) if series.dtype.is_decimal() else series

    def _known(self, name: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return the values that are there and where one is missing: null, NaN or empty text."""
        series = self._frame.get_column(self._keys[name])
        if not series.dtype.is_temporal():
            series = self._series(name)
        null = series.is_null()
        missing = np.array(null.to_numpy(), bool)
        values = dates_as_text(series.filter(~null).to_numpy())
        gone = np.zeros(values.size, bool)
        if values.dtype.kind == "f":
            gone = np.isnan(values)
        elif values.dtype.kind not in "biu":
            items = values.tolist()
            if {*map(type, items)} <= {str}:
                gone = np.fromiter(map(not_, items), bool, len(items))
            else:
                gone = np.array([isinstance(v, str) and not v for v in items], bool)
        missing[np.flatnonzero(~missing)[gone]] = True
        return values[~gone], missing

    def kind(self, name: str) -> Kind:
        """Say what the values of a column are."""
        values = self._known(name)[0]
        found = kind_of(values)
        return "number" if found == "text" and self._written(values.tolist()) else found

    def _written(self, values: Sequence[Any]) -> dict[str, float]:
        """Return the numbers that all texts of a column are meant as, in percent; else nothing."""
        if not all(isinstance(v, str) for v in values):
            return {}
        texts = {str(v) for v in values}
        meant = {text: n for text, n in self.meant(texts).items() if n is not None}
        told = len(meant) == len(texts) and not all(map(math.isnan, meant.values()))
        return meant if told else {}

    def numbers(self, name: str) -> Floats:
        """Return a column of numbers, or name the rows that are none."""
        series = self._series(name)
        missing = np.asarray(series.is_null().to_numpy(), bool)
        known = series.filter(~series.is_null()).to_numpy() if missing.any() else series.to_numpy()
        if known.dtype.kind not in "biuf" and (meant := self._written(known.tolist())):
            found = np.full(missing.size, np.nan)
            found[~missing] = [meant[v] for v in known.tolist()]
            example = next(v for v in known.tolist() if not math.isnan(meant[v]))
            finding = NUMBERS_AS_WRITTEN(column=name, example=example, number=meant[example])
            self.findings = tuple(dict.fromkeys((*self.findings, finding)))
            return found
        return known_numbers(known, missing, self.where, name)

    def labels(self, name: str) -> Labels:
        """Return the codes and the distinct values of a column."""
        values, missing = self._known(name)
        return encode(values, name).among(missing)

    def order(self, name: str) -> tuple[Any, ...] | None:
        """Return the categories of an ordered categorical, which say more than the alphabet."""
        import narwhals.stable.v2 as nw

        of = self._frame.get_column(self._keys[name]).dtype
        return tuple(of.categories) if isinstance(of, nw.Enum) else None
