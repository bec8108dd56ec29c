"""Registries that fill themselves: a decorated function in a package, or a plug-in, is an entry."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from credibly._core.plugins import failure_text, load_plugins
from credibly._core.words import shown
from credibly.errors import ParameterError, UnknownNameError

if TYPE_CHECKING:
    from pkgutil import ModuleInfo


class Named(Protocol):
    """Anything a registry can hold."""

    @property
    def name(self) -> str:
        """Key under which the entry is found."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names of the field for the same thing."""


T = TypeVar("T", bound=Named)
OWN = "credibly."
ELSEWHERE = {
    "plots",
    "findings",
}  # modules of every package that declare what these registries hold


def is_foreign(entry: object) -> bool:
    """Whether a function outside of Credibly declares it."""
    function = getattr(entry, "function", None)
    return function is not None and not function.__module__.startswith(OWN)


class Registry(Generic[T]):
    """The entries of one kind, loaded from every public module of a package, in order of declaration.

    Those of plug-ins come after them, when all are asked for or none of that name is found.

    >>> from credibly.measures import measures
    >>> measures["sensitivity"].name
    'recall'
    >>> "mcc" in measures
    True
    """

    def __init__(self, kind: str, package: str, module: str = "") -> None:
        """Look in the public modules of a package, or in the ``module`` of that name in each package below."""
        self.kind = kind
        self._package = package
        self._module = module
        self._entries: dict[str, T] = {}
        self._names: dict[str, str] = {}
        self._loaded = False
        self._complete = False

    def add(self, entry: T) -> T:
        """Register an entry; a name or an alias can be taken only once, and by Credibly first."""
        if is_foreign(entry):
            self.load()
        names = (entry.name, *entry.aliases)
        for name in names:
            if name in self._names:
                raise ParameterError(f"The {self.kind} {name!r} is declared twice.")
        self._names |= dict.fromkeys(names, entry.name)
        self._entries[entry.name] = entry
        return entry

    def remove(self, name: str) -> None:
        """Forget an entry that was added in a session or a test."""
        entry = self[name]
        for each in (entry.name, *entry.aliases):
            del self._names[each]
        del self._entries[entry.name]

    def load(self) -> None:
        """Import the modules of Credibly that declare its entries."""
        if self._loaded:
            return
        for name in self._modules():
            import_module(name)
        self._loaded = True  # only now: another thread must not see half of the entries

    def _modules(self) -> Iterator[str]:
        for found in iter_modules(import_module(self._package).__path__, f"{self._package}."):
            if self._module:
                if found.ispkg and self._module in _modules_in(found):
                    yield f"{found.name}.{self._module}"
            elif (last := found.name.rpartition(".")[2]) not in ELSEWHERE and last[0] != "_":
                yield found.name

    def _load_all(self) -> None:
        if not self._complete:
            self.load()
            load_plugins()
            self._complete = True

    def beside(self, kind: type) -> list[T]:
        """Return the entries that are declared in the package of a class, for which no other is loaded."""
        package, _, _ = kind.__module__.removeprefix(OWN).partition(".")
        home = f"{OWN}{package}.{self._module}"
        if not kind.__module__.startswith(OWN) or find_spec(home) is None:
            return []
        import_module(home)
        entries = self._entries.values()
        return [e for e in entries if getattr(e, "function", e).__module__ == home]

    def __getitem__(self, name: str) -> T:
        if name not in self:
            listing = (
                f"`credibly list {self.kind.replace(' ', '-')}s` shows all {len(self._entries)}."
            )
            raise UnknownNameError(
                f"There is no {self.kind} {shown(name)}.",
                asked=name,
                choices=self._names,
                remedy=listing + failure_text(),
            )
        return self._entries[self._names[name]]

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):  # a list, say, could not even be looked for
            return False
        for load in (self.load, load_plugins):  # each only where nothing is known of the name yet
            if name not in self._names:
                load()
        return name in self._names

    def __iter__(self) -> Iterator[T]:
        self._load_all()
        return iter(tuple(self._entries.values()))

    def __len__(self) -> int:
        self._load_all()
        return len(self._entries)

    def names(self) -> list[str]:
        """Return every name and alias, sorted."""
        self._load_all()
        return sorted(self._names)


def _modules_in(package: ModuleInfo) -> set[str]:
    """Return the names of the modules of a package without importing it."""
    folder = f"{package.module_finder.path}/{package.name.rpartition('.')[2]}"  # type: ignore[union-attr]
    return {module.name for module in iter_modules([folder])}
