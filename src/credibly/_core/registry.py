"""Registries that fill themselves: a decorated function in a package, or a plug-in, is an entry.

Another installed package lists its modules in the group of entry points ``credibly.plugins``; they are imported
when a registry is listed, or asked for a name that Credibly itself does not have, and not before.
"""

from __future__ import annotations

import os  # and not pathlib, which nothing else would import at the start
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from credibly._core.names import Alias, Names, name_key
from credibly._core.parameters import parse_call, write_call
from credibly._core.text import shown
from credibly.errors import ParameterError, UnknownNameError, did_you_mean, listed

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
OWN_PREFIX = "credibly."
ENTRY_POINT_GROUP = "credibly.plugins"
failures: dict[str, str] = {}  # what went wrong, by the name of the plug-in
_loaded = False  # the plug-ins
SCANNED_MODULES = {
    "plots",
    "findings",
}  # modules of every package that declare what these registries hold


def is_foreign(entry: object) -> bool:
    """Whether a function outside of Credibly declares it."""
    function = getattr(entry, "function", None)
    return function is not None and not function.__module__.startswith(OWN_PREFIX)


class Registry(Generic[T]):
    """The entries of one kind, loaded from every public module of a package, in order of declaration.

    Those of plug-ins come after them, when all are asked for or none of that name is found.

    >>> from credibly.measures import measures
    >>> measures["sensitivity"].name
    'recall'
    >>> "mcc" in measures
    True
    """

    def __init__(
        self,
        kind: str,
        package: str,
        module: str = "",
        *,
        ending: str = "",
        use: str = "",
        typed: str = "",
    ) -> None:
        """Look in the public modules of a package, or in the ``module`` of that name in each package below.

        With an ``ending``, only modules whose names end so hold entries, and others need not be imported.
        ``use`` shows how an entry is asked for: a call in which ``{name!r}`` stands for its name;
        ``typed`` shows the same as a command, with ``{name}``.
        """
        self.kind = kind
        self.use = use
        self.typed = typed
        self.package = package
        self._module = module
        self._ending = ending
        self._entries: dict[str, T] = {}
        self._names: dict[str, str] = {}  # of entries, by the key of each of their names
        self._aliases: dict[str, Alias] = {}  # those that say more than a name does
        self._unlike: dict[str, dict[str, str]] = {}  # false friends: what they are to which entry
        self._loaded = False
        self._complete = False

    def add(self, entry: T) -> T:
        """Register an entry; a name or an alias can be taken only once, and by Credibly first."""
        if is_foreign(entry):
            self.load()
        aliases = Names.beside(entry.name, entry.aliases)
        keys = {name_key(name): name for name in (entry.name, *(a.name for a in aliases.known))}
        for key, name in keys.items():
            if key in self._names:
                raise ParameterError(f"The {self.kind} {name!r} is declared twice.")
        self._names |= dict.fromkeys(keys, entry.name)
        self._aliases |= {a.key: a for a in aliases.known if a.arguments or a.differs}
        for name, why in aliases.unlike.items():
            self._unlike.setdefault(name_key(name), {})[entry.name] = why
        self._entries[entry.name] = entry
        return entry

    def remove(self, name: str) -> None:
        """Forget an entry that was added in a session or a test."""
        own = self[name].name
        for key in [key for key, of in self._names.items() if of == own]:
            del self._names[key]
            self._aliases.pop(key, None)
        for friends in self._unlike.values():
            friends.pop(own, None)
        del self._entries[own]

    def alias(self, name: str) -> Alias | None:
        """Return what a name adds to its entry: the arguments that it sets, or what differs there."""
        return self._aliases.get(name_key(name))

    def read(self, text: str, examples: str) -> tuple[T, dict[str, Any]]:
        """Return the entry of ``"name(key=literal, ...)"`` and the arguments, with those that the name sets.

        One literal without a key is the first parameter.
        """
        head, bracket, inside = text.partition("(")
        # Brackets alone are part of some names.
        called = "=" in inside or bool(bracket and text not in self and head in self)
        name = head if called else text
        if name not in self and (bracket or not name_key(name).isidentifier()):
            name, _ = parse_call(text, examples, first="_")
        entry, known = self._entry(name), self.alias(name)
        set_before = dict(known.arguments) if known else {}
        written = head if head.strip().isidentifier() else "_"
        first = next((q.name for q in getattr(entry, "parameters", ())), "")
        arguments = parse_call(f"{written}({inside}", examples, first)[1] if called else {}
        if twice := set_before.keys() & arguments.keys():
            raise ParameterError(
                f"{shown(head.strip())} is {write_call(entry.name, set_before)}, so it already "
                f"sets {twice.pop()}.",
                remedy=f"Write {entry.name}(...).",
            )
        return entry, set_before | arguments

    def meanings(self, name: str) -> dict[str, str]:
        """Return the entries that a name means, and those that it nearly means with what differs.

        >>> from credibly.measures import measures
        >>> measures.meanings("sensitivity")
        {'recall': ''}
        >>> list(measures.meanings("Rsquared"))
        ['r2_test_mean', 'correlation']
        """
        known = {self._names[name_key(name)]: ""} if name in self else {}
        return known | self._unlike.get(name_key(name), {})

    def load(self) -> None:
        """Import the modules of Credibly that declare its entries."""
        if self._loaded:
            return
        for name in self._modules():
            import_module(name)
        self._loaded = True  # only now: another thread must not see half of the entries

    def _modules(self) -> Iterator[str]:
        for found in iter_modules(import_module(self.package).__path__, f"{self.package}."):
            if self._module:
                if found.ispkg and self._module in _modules_in(found):
                    yield f"{found.name}.{self._module}"
            elif self._may_hold(found.name.rpartition(".")[2]):
                yield found.name

    def _may_hold(self, module: str) -> bool:
        return module not in SCANNED_MODULES and module[0] != "_" and module.endswith(self._ending)

    def _load_all(self) -> None:
        if not self._complete:
            self.load()
            load_plugins()
            self._complete = True

    def beside(self, kind: type) -> list[T]:
        """Return the entries that are declared in the package of a class, for which no other is loaded."""
        package, _, _ = kind.__module__.removeprefix(OWN_PREFIX).partition(".")
        home = f"{OWN_PREFIX}{package}.{self._module}"
        if not kind.__module__.startswith(OWN_PREFIX) or find_spec(home) is None:
            return []
        import_module(home)
        entries = self._entries.values()
        return [e for e in entries if getattr(e, "function", e).__module__ == home]

    def __getitem__(self, name: str) -> T:
        return self._entry(name)

    def _entry(self, name: str) -> T:
        """Return the entry that has a name."""
        if name not in self:
            raise self._unknown(name)
        return self._entries[self._names[name_key(name)]]

    def _unknown(self, name: object) -> UnknownNameError:
        """Say that no entry has the name: that it means something else elsewhere, or what is near."""
        near = self._unlike.get(name_key(name), {}) if isinstance(name, str) else {}
        if near:
            text = "; ".join(f"{entry}: {why}" for entry, why in near.items())
            several = f"{shown(name)} may mean several {self.kind}s"
            single = (
                f"No {self.kind} here is exactly what {shown(name)} means elsewhere; the nearest is"
            )
            return UnknownNameError(
                f"{f'{several}:' if len(near) > 1 else single} {text}.",
                choices=near,
                remedy=f"Ask for {listed(near, 'or')}.",
            )
        listing = f"`credibly list {self.kind.replace(' ', '-')}s` shows all."
        choices = self._spellings()
        word = isinstance(name, str) and name_key(name).replace("_", "").isalnum()
        begun = word and any(name_key(c).startswith(name_key(str(name))) for c in choices)
        if word and (elsewhere := self._elsewhere(str(name), by_alias=not begun)):
            listing = elsewhere
        elif word and not did_you_mean(str(name), choices):
            listing += f" `credibly search {name}` searches all kinds."
        return UnknownNameError(
            f"There is no {self.kind} {shown(name)}.",
            asked=name,
            choices=choices,
            remedy=listing + failure_text(),
        )

    def _elsewhere(self, name: str, *, by_alias: bool) -> str:
        """Say which thing of another kind has a name, or goes by it elsewhere, and which verb it is asked of."""
        catalogue = import_module("credibly.catalogue.registries")
        for registry in map(catalogue.registry_of, catalogue.HOMES):
            if registry is self or not registry.use or name not in registry:
                continue
            if by_alias or name_key(registry[name].name) == name_key(name):
                verb = registry.use.partition("(")[0]
                return f"It is the {registry.kind} {registry[name].name}: use `{verb}`."
        return ""

    def used(self, name: str) -> str:
        """Write how the entry of a name is asked for; nothing where its registry states nothing.

        >>> from credibly.curves import curves
        >>> curves.used("ROC")
        "credibly.curve(p, 'roc')"
        """
        return f"credibly.{self.use.format(name=self[name].name)}" if self.use else ""

    def command(self, name: str) -> str:
        """Write how the entry of a name is asked for on the command line; nothing where its registry states nothing.

        >>> from credibly.measures import measures
        >>> measures.command("TP rate")
        'credibly evaluate FILE --measure recall'
        """
        own = (
            self[name].name.replace("_", "-") if self.typed.startswith("plot") else self[name].name
        )
        return f"credibly {self.typed.format(name=own)}" if self.typed else ""

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):  # a list, say, could not even be looked for
            return False
        key = name_key(name)
        for load in (self.load, load_plugins):  # each only where nothing is known of the name yet
            if key not in self._names:
                load()
        return key in self._names

    def __iter__(self) -> Iterator[T]:
        self._load_all()
        return iter(tuple(self._entries.values()))

    def __len__(self) -> int:
        self._load_all()
        return len(self._entries)

    def names(self) -> list[str]:
        """Return every name and alias, sorted."""
        self._load_all()
        return sorted(self._spellings())

    def _spellings(self) -> dict[str, str]:
        """Return every name as it is written, with the entry that has it."""
        spelled = {name: e.name for e in self._entries.values() for name in e.aliases}
        aliases = ((a.name, self._names[key], key) for key, a in self._aliases.items())
        set_by = {name: entry for name, entry, key in aliases if key != name_key(entry)}
        return spelled | set_by | {name: name for name in self._entries}


def _modules_in(package: ModuleInfo) -> set[str]:
    """Return the names of the modules of a package without importing it."""
    folder = f"{package.module_finder.path}/{package.name.rpartition('.')[2]}"  # type: ignore[union-attr]
    return {module.name for module in iter_modules([folder])}


def load_plugins() -> None:
    """Import the modules of all plug-ins; one that fails is warned of and leaves the others alone."""
    global _loaded  # noqa: PLW0603
    if _loaded:
        return
    if _are_there():
        _import_all()
    _loaded = True  # only now: another thread must not see half of the entries


def _are_there() -> bool:
    """Whether some package on the path has plug-ins: importing what reads metadata takes ten times as long."""
    for folder in sys.path:
        with suppress(OSError):
            for name in os.listdir(folder or "."):  # noqa: PTH208
                if name.endswith((".dist-info", ".egg-info")) and _declares(folder, name):
                    return True
    return False


def _declares(folder: str, info: str) -> bool:
    try:
        with open(f"{folder}/{info}/entry_points.txt", "rb") as file:  # noqa: PTH123
            return f"[{ENTRY_POINT_GROUP}]".encode() in file.read()
    except OSError:
        return False


def _import_all() -> None:
    from importlib.metadata import entry_points

    try:
        points = tuple(entry_points(group=ENTRY_POINT_GROUP))
    except Exception as error:  # a damaged file of any package on the path
        _failing("entry points", error)
        return
    for point in points:
        try:
            import_module(point.module)
        except (Exception, SystemExit) as error:
            _failing(point.name, error)


def _failing(name: str, error: BaseException) -> None:
    if name not in failures:
        failures[name] = f"{type(error).__name__}: {error}"
        warnings.warn(_failed(name), RuntimeWarning, stacklevel=5)


def _failed(name: str) -> str:
    return f"The plug-in {name!r} cannot be imported ({failures[name]})."


def failure_text() -> str:
    """Say which plug-ins cannot be imported, after an error that may be due to it; else nothing."""
    return "".join(f" {_failed(name)}" for name in failures)
