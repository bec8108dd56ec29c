"""How things are declared: fields of a class say what is known of a kind, its decorator is made from them, a registry holds them.

>>> from credibly._core.parameters import above
>>> class Shape(Parametrised[..., float]):
...     "A shape with an area."
...     corners: int
>>> shapes = Registry("shape", "credibly._core")
>>> shape = Declarator(Shape, shapes)
>>> @shape("A square", corners=4, constraints={"side": above(0)})
... def square(*, side: float = 1.0) -> float:
...     "The square of its side."
...     return side**2
>>> square.name, square.corners, square.doc, square.given(side=3.0).call
('square', 4, 'The square of its side.', 'square(side=3.0)')
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    ParamSpec,
    Protocol,
    Self,
    TypeVar,
    dataclass_transform,
)

from credibly._core.names import Alias, Names, name_key
from credibly._core.parameters import check_arguments, parse_call, read_parameters, write_call
from credibly._core.plugins import failure_text, load_plugins
from credibly._core.signatures import first_hint
from credibly._core.text import plain_arguments, shown
from credibly.errors import ParameterError, UnknownNameError, did_you_mean, listed

if TYPE_CHECKING:
    from pkgutil import ModuleInfo

    from credibly._core.parameters import Parameter, Rule

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass_transform(
    frozen_default=True, eq_default=False, kw_only_default=True, field_specifiers=(field,)
)
class _Kind:
    """What makes frozen dataclasses of its subclasses, whose fields are the keywords of their decorators."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, eq=False, kw_only=True, repr=False)(cls)


class Declared(_Kind, Generic[P, R]):
    """A thing that a decorated function declares: its name and its description are those of the function."""

    function: Callable[P, R] = field(repr=False, kw_only=False)
    title: str = field(default="", kw_only=False)
    name: str = ""
    aliases: tuple[str, ...] = ()
    dashed: ClassVar[bool] = False  # whether dashes take the place of underscores in its name

    def __post_init__(self) -> None:
        """Read the function."""
        name = self.name or getattr(self.function, "__name__", "")
        name = name.replace("_", "-") if self.dashed else name
        self._set(
            name=name,
            title=self.title or name,
            aliases=Names.beside(name, self.aliases),
            __doc__=self.function.__doc__,
        )

    def _set(self, **values: object) -> None:
        """Settle fields while the thing is made."""
        self.__dict__.update(values)

    def __repr__(self) -> str:
        return f"<{getattr(self, 'call', self.name)}: {self.summary}>"

    @property
    def doc(self) -> str:
        """Its description, that of its function."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The first sentence of its description."""
        return self.doc.strip().split("\n")[0]

    @property
    def family(self) -> str:
        """The module in which it is declared."""
        return self.function.__module__.rpartition(".")[2]


class DeclaredFunction(Declared[P, R]):
    """A declared thing that is called as its function is."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self.function(*args, **kwargs)


class Parametrised(Declared[P, R]):
    """A declared thing with parameters: the keyword-only arguments of its function, each with its rule."""

    constraints: Mapping[str, Rule] = field(default_factory=dict, repr=False)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[Parameter, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Read the function and its parameters."""
        super().__post_init__()
        self._set(parameters=read_parameters(self.function, self.constraints))

    def _set(self, **values: object) -> None:
        super()._set(**values)
        for derived in ("call", "also", "unfilled"):
            self.__dict__.pop(derived, None)

    @cached_property
    def call(self) -> str:
        """Its name with the arguments that were given and can be written: ``fbeta(beta=2)``."""
        if not (settings := self.settings):
            return self.name
        given = {k: v for k, v in settings.items() if _is_literal(v)}
        return write_call(self.name, given) if given else self.name

    @property
    def title_with_arguments(self) -> str:
        """Its title, with what makes it another than the plain one: ``F-beta (beta=2)``."""
        return self.title + plain_arguments(self.call.removeprefix(self.name).replace("(", " (", 1))

    @property
    def settings(self) -> Mapping[str, Any]:
        """All that was set: its arguments."""
        return self.arguments

    @cached_property
    def also(self) -> tuple[str, ...]:
        """Its call under its other names and with its arguments by position, and the names that stand for what is set."""
        if not self.settings:
            return tuple(self.aliases)
        calls = [self.call]
        if [*self.settings] == [q.name for q in self.parameters][: len(self.settings)]:
            calls.append(f"{self.name}({', '.join(map(repr, self.settings.values()))})")
        names = (self.name, *self.aliases)
        plain = (call.replace(self.name, name, 1) for call in calls for name in names)
        known: tuple[Alias, ...] = getattr(self.aliases, "known", ())
        set_by = (a.name for a in known if a.arguments and a.arguments == self.settings)
        return tuple(dict.fromkeys((*plain, *set_by)))

    def given(self, **arguments: object) -> Self:
        """Return the same with some of its parameters set."""
        checked = check_arguments(self.name, self.parameters, arguments)
        made = object.__new__(type(self))  # all the rest was settled when it was declared
        made.__dict__.update(self.__dict__)
        made._set(arguments={**self.arguments, **checked})
        return made

    @cached_property
    def unfilled(self) -> str:
        """The first parameter that has no default and was not given."""
        for q in self.parameters:
            if q.required and q.name not in self.arguments:
                return q.name
        return ""


UNSTATED: Any = None  # of what a thing reads: it is of the type of what its function takes first


class Reading(Parametrised[P, R]):
    """A declared thing with parameters that ``reads`` what its function takes first, if it says no other."""

    reads: type[Any] = UNSTATED

    def __post_init__(self) -> None:
        """Read the function, its parameters and the type of what it takes."""
        super().__post_init__()
        if self.reads is UNSTATED:
            self._set(reads=first_hint(self.function))
        if self.reads is Any:
            raise ParameterError(
                f"{self.name} does not say what it reads: give its first argument a type, or state `reads`."
            )


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
SCANNED_MODULES = {"plots", "findings"}  # of every package, for the registries of these


def is_foreign(entry: object) -> bool:
    """Whether a function outside of Credibly declares it."""
    function = getattr(entry, "function", None)
    return function is not None and not function.__module__.startswith(OWN_PREFIX)


class Registry(Generic[T]):
    """The entries of one kind, loaded from every public module of a package, in the order of their names.

    Those of plug-ins come after them, when all are asked for or none of that name is found.

    >>> from credibly.measures import measures
    >>> measures["sensitivity"].name
    'recall'
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
        first: str = "",
    ) -> None:
        """Look in the public modules of a package, or in the ``module`` of that name in each package below.

        With an ``ending``, only modules whose names end so hold entries, and others need not be imported.
        ``use`` shows how an entry is asked for: a call in which ``{name!r}`` stands for its name;
        ``typed`` shows the same as a command, with ``{name}``. Modules that are named ``first`` come first.
        """
        self.kind, self.package, self.use, self.typed = kind, package, use, typed
        self._module, self._ending, self._first = module, ending, first.split()
        self._entries: dict[str, T] = {}
        self._names: dict[str, str] = {}  # of entries, by the key of each of their names
        self._aliases: dict[str, Alias] = {}  # those that say more than a name does
        self._unlike: dict[str, dict[str, str]] = {}  # false friends: what they are to which entry
        self._loaded = self._complete = False

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
        # Whichever module somebody imported first.
        self._entries = {e.name: e for e in sorted(self._entries.values(), key=self._place)}
        self._loaded = True  # only now: another thread must not see half of the entries

    def _place(self, entry: T) -> tuple[int, list[str]]:
        """Return where its module stands: one that comes first, or by name; of findings their own names."""
        of_none = entry.name if self._module else ""
        path = getattr(getattr(entry, "function", None), "__module__", of_none).split(".")
        return (*self._first, path[-1]).index(path[-1]), path

    def _modules(self) -> Iterator[str]:
        for found in iter_modules(import_module(self.package).__path__, f"{self.package}."):
            name = found.name.rpartition(".")[2]
            if self._module:
                if found.ispkg and self._module in _modules_in(found):
                    yield f"{found.name}.{self._module}"
            elif name not in SCANNED_MODULES and name[0] != "_" and name.endswith(self._ending):
                yield found.name

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
        own = self[name].name
        written = own.replace("_", "-") if self.typed.startswith("plot") else own
        return f"credibly {self.typed.format(name=written)}" if self.typed else ""

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


D = TypeVar("D", bound=Declared[..., Any])
G = TypeVar("G", bound=Parametrised[..., Any])


class ReadingRegistry(Registry[G]):
    """A registry that also reads an entry with its arguments.

    >>> from credibly.measures import measures
    >>> measures.parse("fbeta(beta=2)").arguments
    {'beta': 2}
    """

    examples = "'fbeta(beta=2)'"

    def __getitem__(self, name: str) -> G:
        entry, known = super().__getitem__(name), self.alias(name)
        return entry.given(**known.arguments) if known and known.arguments else entry

    def parse(self, text: str | G) -> G:
        """Read ``"name(key=literal, ...)"``; an entry is itself."""
        if not isinstance(text, str) and hasattr(text, "given"):
            return text
        several: object = text  # whatever the hint says
        if isinstance(text, str) and "," in text and "(" not in text:
            several = [name.strip() for name in text.split(",")]
        if isinstance(several, list | tuple | set):
            names = listed(str(getattr(each, "name", each)) for each in several)
            raise ParameterError(
                f"One {self.kind} is taken at a time; got {len(several)}: {names}.",
                remedy="Make a call for each of them.",
            )
        entry, arguments = self.read(text if isinstance(text, str) else shown(text), self.examples)
        return entry.given(**arguments) if arguments else entry

    def of_values(self, text: str) -> G | None:
        """Return the entry whose very numbers values of this name are; none where they differ or it is unknown.

        >>> from credibly.measures import measures
        >>> [m and m.name for m in map(measures.of_values, ("MAE", "neg_mean_absolute_error", "size"))]
        ['mae', None, None]
        """
        head = text.partition("(")[0]
        if head not in self:
            return None
        entry = self.parse(text)
        alias = self.alias(text) or self.alias(head)
        differs = alias is not None and alias.differs and alias.key != name_key(entry.name)
        return None if differs else entry


def _is_literal(value: object) -> bool:
    """Whether a call with this argument can be written down and read again."""
    if isinstance(value, tuple):
        return all(map(_is_literal, value))
    return value is None or isinstance(value, int | float | str)


def _modules_in(package: ModuleInfo) -> set[str]:
    """Return the names of the modules of a package without importing it."""
    folder = f"{package.module_finder.path}/{package.name.rpartition('.')[2]}"  # type: ignore[union-attr]
    return {module.name for module in iter_modules([folder])}


class Declarator(Generic[P, F, D]):
    """The decorator that declares functions as things of a kind; its keywords are the fields of the class."""

    def __init__(self, kind: Callable[Concatenate[F, P], D], registry: Registry[Any]) -> None:
        self._kind, self._registry = kind, registry
        self.__doc__ = f"Declare the decorated function.\n\n{kind.__doc__}"

    def __call__(self, *facts: P.args, **named: P.kwargs) -> Callable[[F], D]:
        """Return the decorator with what is known of one thing."""

        def declare(function: F) -> D:
            entry = self._kind(function, *facts, **named)
            self._registry.add(entry)
            return entry

        return declare

    @property
    def __signature__(self) -> inspect.Signature:
        """What may be said of a thing of this kind, for editors and ``help``."""
        return inspect.Signature(list(inspect.signature(self._kind).parameters.values())[1:])
