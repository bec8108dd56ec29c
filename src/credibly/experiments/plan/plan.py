"""What an experiment is to do: schemes, datasets, resampling, measures, seed and limits."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly._core.seeds import seed_of
from credibly.errors import CrediblyError, ParameterError, surface
from credibly.experiments.analysis.results import WHOLE_TRAINING_PART
from credibly.experiments.plan.keys import (
    DATASET,
    FRAME_ROLES,
    JUDGED,
    LIMITS,
    PLAN,
    ROLES,
    ROW_COLUMNS,
    SCHEME,
    VALUES,
    as_key,
)
from credibly.io import read_cost_matrix
from credibly.io.datasets import Dataset, datasets as bundled, read_data, take_frame
from credibly.measures import measures as all_measures
from credibly.predictions import CostMatrix
from credibly.predictions.cost_matrix import as_costs
from credibly.resampling import Rows, as_resampling
from credibly.running.data import Data
from credibly.running.tuning import candidates, choosing_measure, nested
from credibly.schemes import as_scheme, schemes as all_schemes
from credibly.schemes.columns import is_frame

if TYPE_CHECKING:
    from credibly.experiments.plan.keys import KeyRule
    from credibly.resampling import Resampling
    from credibly.schemes import Scheme

    Place = tuple[str | int, ...]

WILDCARDS = set("*?[")  # which make a name one for several files
MAX_DESCRIPTION = 200  # characters of an object's description
BYTE_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}  # fmt: skip


class PlanError(ParameterError):
    """A plan asks for what cannot be; ``place`` leads from its top to where it does."""

    def __init__(self, found: str = "", place: Place = (), **more: Any) -> None:  # noqa: ANN401
        super().__init__(found, **more)
        self.place = place


@dataclass(frozen=True, slots=True)
class FitLimits:
    """What one fit may take: seconds, and bytes of memory beyond what its process has when it begins."""

    seconds: float | None = None
    memory: int | None = None

    def __bool__(self) -> bool:
        return self.seconds is not None or self.memory is not None


@dataclass(frozen=True, slots=True, eq=False)
class DataSource:
    """A dataset by its name: where it is, what its columns are, and its place in the plan."""

    name: str
    where: Any  # a path, the name of a bundled set, a Dataset, a frame, or inputs and targets
    options: Mapping[str, Any] = field(default_factory=dict)
    place: Place = ()

    def read(self) -> Data:
        """Return checked data."""
        judged = {k: v for k, v in self.options.items() if k in JUDGED and k != "costs"}
        dataset = self._opened()
        target = f"The target {dataset.target!r}" if dataset.target else "y"
        data = Data.of(dataset.X, dataset.y, **dataset.columns, **judged, target=target)
        # Refuses what is missing.
        Rows.of(data.n, groups=data.group, time=data.time, fold=data.fold)
        findings = dataset.and_more(data.findings)
        return replace(data, names=dataset.names, findings=findings)

    def _opened(self) -> Dataset:
        roles = {k: v for k, v in self.options.items() if k in ROLES}
        if isinstance(self.where, Dataset):
            return self.where
        if isinstance(self.where, tuple):
            X, y = self.where
            return Dataset("", X, y, (), "", **roles)
        return (read_data if isinstance(self.where, str | Path) else take_frame)(
            self.where, **roles
        )

    def costs(self, data: Data) -> CostMatrix | None:
        """Return what mistakes cost here: a file, or a table with the classes in their order."""
        given = self.options.get("costs")
        if given is None:
            return None
        if isinstance(given, str | Path):
            given = read_cost_matrix(given, classes=data.classes)
        made = as_costs(given, data.classes, None)
        made.aligned(data.classes)  # raises if it is about other classes
        if isinstance(made, CostMatrix):
            return made
        raise ParameterError("Costs in a plan must be the same for all cases of a dataset.")


class Plan:
    """A checked plan. Everything that can be wrong without reading data is found here.

    Files must be there, unless it ``may_lack_files``. Those of some datasets that are not are
    ``lacking``: an earlier run may have kept their data.
    """

    def __init__(
        self, given: Mapping[str, Any], base: Path, *, may_lack_files: bool = False
    ) -> None:
        _check_keys(given, PLAN, "A plan", ())
        self.base = base
        self.stated: Callable[[Place], str] = lambda _: ""  # file and line, if it was read from one
        for name in ("schemes", "datasets"):
            found = given.get(name)
            if found is None or (isinstance(found, str | dict | list | tuple) and not found):
                raise PlanError(f"A plan needs {name}, but none are given.", (name,))
        schemes = list(_schemes(given["schemes"]))
        self.schemes = _each_once(schemes, "schemes")
        self.scheme_places = {scheme.name: place for place, scheme in schemes}
        self.sources = _each_once(_sources(given["datasets"], base), "datasets")
        missing = {} if may_lack_files else {s.name: _missing_file(s, base) for s in self.sources}
        self.lacking = {name: error for name, error in missing.items() if error is not None}
        if len(self.lacking) == len(self.sources):
            raise next(iter(self.lacking.values()))
        self.resampling = _resampling(given.get("resampling"))
        self.measures = _measures(given.get("measures"))
        self.sizes = _sizes(given.get("sizes", [WHOLE_TRAINING_PART]))
        self.limits = _limits(given.get("limits", {}))
        # The last, since one that is missing hides nothing then.
        self.seed = _seed(given.get("rng"))
        drawn = {"rng": self.seed, "sizes": list(self.sizes)}  # from a generator, or an array
        self.given = {**given, **drawn}

    def explained(self, source: DataSource, error: Exception) -> str:
        """Say why a dataset cannot be used, in the words of the file that asks for it."""
        stated = self.stated(source.place)
        with surface(as_key) if stated else nullcontext():
            return f"{stated}{str(error) or type(error).__name__}"

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as it was given; objects, which no file can hold, are described in words."""
        on_disk = all(isinstance(s.where, str | Path) for s in self.sources)
        return {
            "base": str(self.base.absolute()),
            "given": _plain(self.given),
            "complete": _is_plain(self.given) and on_disk,
        }

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Plan:
        """Read what :meth:`to_dict` wrote; a file that is gone since then stops no other dataset."""
        if not kept["complete"]:
            raise ParameterError(
                "This experiment was planned in Python with objects that cannot be stored in a file. Run it again from Python."
            )
        return cls(kept["given"], Path(kept["base"]), may_lack_files=True)


@contextmanager
def _at(*place: str | int) -> Iterator[None]:
    """Say of an error at which place of the plan it is."""
    try:
        yield
    except CrediblyError as error:
        raise PlanError(str(error), place) from error


def _is_plain(given: Any) -> bool:  # noqa: ANN401
    if isinstance(given, dict):
        return all(map(_is_plain, given.values()))
    if isinstance(given, list | tuple):
        return all(map(_is_plain, given))
    return given is None or isinstance(given, str | int | float | bool | Path)


def _plain(given: Any) -> Any:  # noqa: ANN401
    if isinstance(given, dict):
        return {str(k): _plain(v) for k, v in given.items()}
    if isinstance(given, list | tuple):
        return [_plain(v) for v in given]
    return (
        given if _is_plain(given) and not isinstance(given, Path) else str(given)[:MAX_DESCRIPTION]
    )


def _check_keys(
    given: Mapping[str, Any], known: Mapping[str, KeyRule], what: str, place: Place
) -> None:
    """Refuse keys that are not known, and values that are not what their keys want."""
    for key, value in given.items():
        if key not in known:
            raise PlanError(
                f"{what} has no {key!r}.",
                (*place, key),
                asked=key,
                choices=known,
                remedy=f"It may have: {', '.join(known)}.",
            )
        if not known[key].fits(value):
            got = repr(value)[:MAX_DESCRIPTION] if _is_plain(value) else type(value).__name__
            raise PlanError(f"{key} must be {known[key].words}; got {got}.", (*place, key))


def _entries(given: Any, what: str) -> Iterator[tuple[Place, str, Any]]:  # noqa: ANN401
    """Return each entry of a list, or of a dictionary from name to entry."""
    if isinstance(given, dict):
        yield from (((what, k), str(k), v) for k, v in given.items())
    else:
        listed = given if isinstance(given, list | tuple) else [given]
        yield from (((what, i), "", v) for i, v in enumerate(listed))


def _each_once(found: Iterable[tuple[Place, Any]], what: str) -> tuple[Any, ...]:
    named: dict[str, Any] = {}
    for place, each in found:
        if each.name in named:
            raise PlanError(
                f"Two {what} are called {each.name!r}. Give one of them another name.", place
            )
        named[each.name] = each
    return tuple(named.values())


def _schemes(given: Any) -> Iterator[tuple[Place, Scheme]]:  # noqa: ANN401
    for place, name, entry in _entries(given, "schemes"):
        spec = entry if isinstance(entry, dict) else {"scheme": entry}
        _check_keys(spec, SCHEME, "A scheme", place)
        if "scheme" not in spec:
            raise PlanError('Which scheme? Name it with scheme = "...".', place)
        at = "scheme"
        called = str(spec.get("name", name))
        try:
            base = as_scheme(spec["scheme"], called)
            _check_parameters(base)
            for at, read in (("inner", as_resampling), ("measure", choosing_measure)):
                if at in spec:
                    _check_tuned(spec, at)
                    read(spec[at])
            at = next((k for k in ("grid", "tune") if k in spec), "scheme")
            for each in _expanded(base, spec, called):
                _check_parameters(each)
                yield place, each
        except CrediblyError as error:
            raise PlanError(str(error), (*place, at)) from error


def _check_tuned(spec: Mapping[str, Any], key: str) -> None:
    if "tune" not in spec:
        raise ParameterError(
            f"{key} says how tune chooses, but there is no tune: give values to choose from, as in tune = {{k = [1, 5]}}, or leave {key} out."
        )


def _expanded(base: Scheme, spec: Mapping[str, Any], called: str) -> list[Scheme]:
    """Return the scheme, one for each combination of its grid, or the one that tunes itself."""
    if "grid" in spec and "tune" in spec:
        raise ParameterError(
            "grid runs every combination as a separate scheme, tune chooses one in the training part: give only one of them."
        )
    if "grid" in spec:
        return [each for each, _ in candidates(base, spec["grid"])]
    if "tune" not in spec:
        return [base]
    options = {k: spec[k] for k in ("inner", "measure") if k in spec}
    for each, _ in candidates(base, spec["tune"]):
        _check_parameters(each)
    tuned = nested(spec["scheme"], spec["tune"], **options)
    return [as_scheme(tuned, called or f"{base.name}, tuned")]


def _check_parameters(scheme: Scheme) -> None:
    if scheme.entry:
        entry = all_schemes[scheme.entry]
        entry.make(entry.tasks[0], **{k: v for k, v in scheme.parameters.items() if k != "scale"})


def _sources(given: Any, base: Path) -> Iterator[tuple[Place, DataSource]]:  # noqa: ANN401
    for place, name, entry in _entries(given, "datasets"):
        spec = entry if isinstance(entry, dict) else {"data": entry}
        what, own = _kind_of(spec.get("data"))
        _check_keys(spec, {**DATASET, **own}, what, place)
        if "data" not in spec:
            raise PlanError(
                'Which data? Name a file or a bundled dataset with data = "...".', place
            )
        options = {k: v for k, v in spec.items() if k not in {"data", "name"}}
        if isinstance(options.get("costs"), str):
            options["costs"] = base / options["costs"]
        called = str(spec.get("name", name))
        at = (*place, "data") if spec is entry else place
        for where in _places(spec["data"], base, (*place, "data")):
            yield place, DataSource(called or _name_of(where), where, options, at)


def _kind_of(data: Any) -> tuple[str, Mapping[str, KeyRule]]:  # noqa: ANN401
    """Return what messages call a dataset, and the keys that it may have beside those of all."""
    if isinstance(data, tuple):
        return "A dataset of arrays", dict.fromkeys(ROW_COLUMNS, VALUES)
    if isinstance(data, Dataset):
        return "A dataset that was read before", {}
    if _is_table(data):
        return "A frame", FRAME_ROLES
    return "A dataset", ROLES


def _is_table(data: Any) -> bool:  # noqa: ANN401
    """Whether this is a frame, or a lazy one."""
    return not isinstance(data, str | Path) and (hasattr(data, "collect_schema") or is_frame(data))


def _places(given: Any, base: Path, place: Place) -> list[Any]:  # noqa: ANN401
    """Return what a dataset is read from: arrays, a bundled set, a file, or all files of a pattern."""
    if isinstance(given, tuple) and len(given) != 2:
        raise PlanError(
            f"A dataset of arrays needs inputs and targets (X, y); got {len(given)} arrays.", place
        )
    if isinstance(given, tuple | Dataset) or _is_table(given):
        return [given]
    if not isinstance(given, str | Path):
        raise PlanError(
            f"A dataset must be a file, a bundled dataset ({', '.join(each.name for each in bundled)}), a frame, or inputs and targets (X, y); got {type(given).__name__}.",
            place,
        )
    text = str(given)
    if text in bundled and not (base / text).exists():
        return [text]
    if WILDCARDS & set(text) and not (base / text).exists():
        root = Path(Path(text).anchor) if Path(text).is_absolute() else base
        paths = sorted(root.glob(str(Path(text).relative_to(Path(text).anchor))))
        return paths or [base / text]
    return [base / text]


def _missing_file(source: DataSource, base: Path) -> PlanError | None:
    costs = (*source.place[:2], "costs")
    for path, place in ((source.where, source.place), (source.options.get("costs"), costs)):
        if isinstance(path, Path) and not path.is_file():
            name = str(path.relative_to(base) if path.is_relative_to(base) else path)
            found = "No file matches" if WILDCARDS & set(name) else "There is no file"
            text = f"{found} {name!r} in the folder '{base}'."
            return PlanError(text, place, asked=path.name, choices=bundled.names())
    return None


def _name_of(where: Any) -> str:  # noqa: ANN401
    if isinstance(where, Dataset):
        return Path(where.where).stem
    if not isinstance(where, str | Path):
        raise PlanError(
            "Give arrays and frames a name: {'name': (X, y)}, {'name': {'data': frame, 'target': 'y'}}.",
            ("datasets",),
        )
    return Path(where).stem


def _resampling(given: Any) -> Resampling | None:  # noqa: ANN401
    with _at("resampling"):
        return None if given is None else as_resampling(given)


def _measures(given: Any) -> tuple[str, ...] | None:  # noqa: ANN401
    if given is None:
        return None
    found: dict[str, None] = {}
    for i, each in enumerate([given] if isinstance(given, str) else given):
        with _at("measures", i):
            found[all_measures.parse(each).call] = None
    return tuple(found)


def _seed(given: Any) -> int:  # noqa: ANN401
    if given is None:
        raise PlanError(
            "A plan needs rng, such as rng = 1: nothing is random without it.", ("rng",)
        )
    with _at("rng"):
        return seed_of(given)


def _sizes(given: Any) -> tuple[float, ...]:  # noqa: ANN401
    several = isinstance(given, Iterable) and not isinstance(given, str | dict)
    sizes = list(given) if several else [given]
    if not sizes:
        raise PlanError(
            "sizes is empty: leave it out for whole training parts, or give shares of them (0.5) or numbers of rows.",
            ("sizes",),
        )
    for size in sizes:
        number = isinstance(size, Real) and not isinstance(size, bool)
        if not number or not 0 < size < math.inf or (size > 1 and size != int(size)):
            raise PlanError(
                f"sizes must be shares of the training part up to 1.0, or numbers of rows; got {size!r}.",
                ("sizes",),
            )
    return tuple(dict.fromkeys(float(s) for s in sizes))


def _limits(given: Any) -> FitLimits:  # noqa: ANN401
    _check_keys(given, LIMITS, "limits", ("limits",))
    seconds = given.get("seconds")
    if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
        raise PlanError(
            f"seconds must be a number above 0; got {seconds!r}.", ("limits", "seconds")
        )
    memory = given.get("memory")
    if memory is not None and sys.platform != "linux":
        raise PlanError(
            "A memory limit only works on Linux.",
            ("limits", "memory"),
        )
    return FitLimits(seconds, None if memory is None else bytes_of(memory))


def bytes_of(given: Any) -> int:  # noqa: ANN401
    """Read an amount of memory.

    >>> bytes_of("1.5 GB"), bytes_of(4096)
    (1500000000, 4096)
    """
    match = re.fullmatch(r"\s*([\d.]+)\s*([a-z]*)\s*", str(given), re.IGNORECASE)
    try:
        amount = int(float(match[1]) * BYTE_UNITS[match[2].upper()]) if match else 0
    except (KeyError, ValueError):
        amount = 0
    if amount < 1:
        raise PlanError(
            f"memory must be a number of bytes or a text such as '2 GB'; got {given!r}.",
            ("limits", "memory"),
        )
    return amount
