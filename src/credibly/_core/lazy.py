"""Packages whose public names are imported when first used, so that importing one costs next to nothing."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # what typing says too, after a dozen imports

if TYPE_CHECKING:
    from typing import Any


class LazyPackage(ModuleType):
    """A package that knows where each of its public names lives."""

    _homes: dict[str, str]
    _registry: Any = None

    def __getattr__(self, name: str) -> object:
        if name in self._homes:
            home = import_module(self._homes[name])
            return home if _is_verb(home, name) else getattr(home, name)
        if self._registry is not None and not name.startswith("_") and name in self._registry:
            return self._registry[name]
        if not name.startswith("_") and name in self._packages():
            return import_module(f"{self.__name__}.{name}")
        where = "" if "." in self.__name__ or name.startswith("_") else self._elsewhere(name)
        message = f"module {self.__name__!r} has no attribute {name!r}{where}"
        if not where:  # asked for by programs, which import nothing else
            raise AttributeError(message)
        raise import_module(f"{self.__name__}.errors").no_attribute(message)

    def _elsewhere(self, name: str) -> str:
        """Say what to use for the name, where it is, or how to look for it."""
        hints = import_module(f"{self.__name__}._core.search_names")
        public: list[str] = self.__dict__["__all__"]
        how = hints.what_to_use(name, {each: getattr(self, each) for each in public})
        if how:
            return f". Use {self.__name__}.{how}."
        packages = [import_module(f"{self.__name__}.{each}") for each in self._packages()]
        inside = [(p.__name__, n) for p in packages for n in getattr(p, "__all__", ())]
        near = [f"{p}.{n}" for p, n in inside if n == name] or self._uses(name)
        near = near or [f"{p}.{n}" for p, n in inside if n.startswith(name)]
        near = near or [f"{self.__name__}.{k}.{name}" for k in public if self._makes(k, name)]
        if len(near) > 1:
            return f". There are {'; '.join(near[:3])}."
        if near:
            return f". It is {near[0]}."
        specs = import_module("importlib.util")
        if specs.find_spec(f"{self.__name__}.cli.commands.{name}"):
            return f". It is a command of the terminal: `{self.__name__} {name.replace('_', '-')}`."
        alike: str = import_module(f"{self.__name__}.errors").did_you_mean(name, public)
        return f".{alike}" if alike else f". Try {self.__name__}.search({name!r})."

    def _makes(self, kind: str, name: str) -> bool:
        """Whether a public class has a maker of this name, such as ``Predictions.from_estimator``."""
        found = getattr(self, kind)
        return isinstance(found, type) and getattr(getattr(found, name, 0), "__self__", 0) is found

    def _uses(self, name: str) -> list[str]:
        """Return how things that are declared under a name are asked for, or else under another name."""
        catalogue = import_module(f"{self.__name__}.catalogue.registries")
        known = [r for r in map(catalogue.registry_of, catalogue.HOMES) if r.use and name in r]
        own = [r for r in known if r[name].name == name]
        return [
            f"the {r.kind} {r[name].name}: {r.used(name)}{_or_itself(r, name)}"
            for r in own or known
        ]

    def __setattr__(self, name: str, value: object) -> None:
        # Importing a module sets it on its package. A verb keeps its name there: `credibly.curves.curve`
        # is the function, whether or not the module of that name has been imported.
        if not isinstance(value, ModuleType) or name not in self._homes or _is_verb(value, name):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        known = () if self._registry is None else self._registry.names()
        entries = filter(str.isidentifier, known)
        own = [n for n, v in self.__dict__.items() if n.startswith("__") or self._defines(v)]
        return sorted({*own, *self._homes, *entries, *self._packages()})

    def _defines(self, value: object) -> bool:
        return getattr(value, "__module__", None) == self.__name__

    def _packages(self) -> list[str]:
        """Return the names of the packages inside that are not private; of the whole, its modules too."""
        from pkgutil import iter_modules

        whole = "." not in self.__name__
        found = iter_modules(self.__path__)
        return [m.name for m in found if (m.ispkg or whole) and not m.name.startswith("_")]


class VerbPackage(LazyPackage):
    """A package that has a verb of its own name, and is called in its place.

    So `credibly.calibration(p)` is the verb, and `import credibly.calibration` finds the package.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        """Call the verb."""
        return self.__wrapped__(*args, **kwargs)

    @property
    def __wrapped__(self) -> Any:  # noqa: ANN401
        """The verb, by which `inspect` finds its signature."""
        return getattr(self, self.__name__.rpartition(".")[2])

    __doc__ = property(lambda self: self.__wrapped__.__doc__)


def _or_itself(registry: Any, name: str) -> str:  # noqa: ANN401
    """Return where an entry is a name of its package, as measures are functions."""
    entry = registry[name].name
    package = import_module(registry.package)
    direct = package.__dict__.get("_registry") is registry and entry.isidentifier()
    return f", or {registry.package}.{entry}" if direct else ""


def _is_verb(module: object, name: str) -> bool:
    return isinstance(module, VerbPackage) and module.__name__.endswith(f".{name}")


def exported(source: str) -> dict[str, str]:
    """Return the public names of a package from its source, with the module that each comes from.

    Regular expressions would read it in fewer words, and take longer to import than all the rest.

    >>> exported("from credibly.curves import (curve as curve, draw)")
    {'curve': 'credibly.curves'}
    """
    found = {}
    for statement in source.split("from credibly")[1:]:
        home, _, after = statement.partition(" import ")
        names = after[1:].partition(")")[0] if after[:1] == "(" else after.partition("\n")[0]
        for each in names.split(","):
            name, _, same = each.strip().partition(" as ")
            if name and name == same:
                found[name] = f"credibly{home}"
    return found


def lazy(package: str, registry: Any = None) -> None:  # noqa: ANN401
    """Let a package find names in its modules when they are first used, and list them in ``__all__``.

    They are those that it imports for type checkers (``from ... import name as name``), read from its source
    as `lazy_loader` reads them from a stub, so that they are stated once. The entries of a registry are
    names of the package too.
    """
    module = sys.modules[package]
    source = module.__loader__.get_data(module.__file__).decode()  # type: ignore[union-attr]
    found = exported(source)
    own = package.rpartition(".")[2]
    module.__class__ = VerbPackage if found.get(own) == f"{package}.{own}" else LazyPackage
    module.__dict__.update(_homes=found, _registry=registry, __all__=sorted(found))
    for name in found:  # a module that was imported before the package became lazy
        if isinstance(module.__dict__.get(name), ModuleType):
            del module.__dict__[name]
