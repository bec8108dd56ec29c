"""How things are declared: the fields of a class say what is known of a kind, and its decorator is made from them.

>>> from credibly._core.declared import Declarator, Parametrised
>>> from credibly._core.parameters import above
>>> from credibly._core.registry import Registry
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
>>> square.given(side=3.0).function(side=3.0)
9.0
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    ParamSpec,
    Self,
    TypeVar,
    dataclass_transform,
)

from credibly._core.hints import first_hint
from credibly._core.names import Alias, Names, name_key
from credibly._core.parameters import check_arguments, read_parameters, write_call
from credibly._core.registry import Registry
from credibly._core.text import shown
from credibly.errors import ParameterError, listed

if TYPE_CHECKING:
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
        dataclass(frozen=True, eq=False, kw_only=True)(cls)


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
        return f"{self.title}{self.call.removeprefix(self.name).replace('(', ' (', 1)}"

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


D = TypeVar("D", bound=Declared[..., Any])
G = TypeVar("G", bound=Parametrised[..., Any])


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
