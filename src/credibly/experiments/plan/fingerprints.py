"""What makes a scheme what it is, written down: the part of a cell's key that distinguishes schemes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from credibly.schemes import Scheme

INSTALL_FOLDERS = {"site-packages", "dist-packages"}


def described(scheme: Scheme) -> str:
    """Write all that makes a scheme what it is, so that two texts are equal only if the fits are.

    >>> from credibly.schemes import as_scheme
    >>> described(as_scheme("knn(k=3)")), described(as_scheme("sklearn.svm:LinearSVC(C=0.5)"))[:40]
    ('knn(k=3)', 'sklearn.svm._classes.LinearSVC(C=0.5, cl')
    """
    if scheme.entry:
        return _call(scheme.entry, scheme.parameters)
    return written(scheme.estimator)


def written(value: Any) -> str:  # noqa: ANN401
    """Write a parameter: functions and own classes with a hash of their code."""
    if value is None or isinstance(value, str | int | float | bool | complex):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        return _call("", value)
    if isinstance(value, MethodType | BuiltinMethodType) and not _is_plain(value.__self__):
        return f"{written(value.__self__)}.{value.__name__}"
    if isinstance(value, FunctionType):
        return f"{_name(value)} {_hashed(_of_function(value))}"
    if isinstance(value, type):
        return _of_class(value)
    if hasattr(value, "get_params"):
        return _call(_of_class(type(value)), value.get_params(deep=False))
    if hasattr(value, "__qualname__"):
        return _name(value)
    return _of_object(value)


def _is_plain(owner: object) -> bool:
    """Whether a function belongs to a module, or to nothing, rather than to an object."""
    return owner is None or isinstance(owner, ModuleType)


def _of_object(value: Any) -> str:  # noqa: ANN401
    """Write anything else by its content; a distribution of scipy's holds the state of a generator as well."""
    if hasattr(value, "dist") and hasattr(value, "kwds"):
        return _call(f"{value.dist.name}{written(value.args)}", value.kwds)
    import joblib

    return f"{_of_class(type(value))} {joblib.hash(value)}"


def _of_class(kind: type) -> str:
    """Write a class: by its name if its package has a version, else with the code of its functions."""
    own = [k for k in kind.__mro__ if not _has_version(k.__module__)]
    code = [[name, _of_function(f)] for k in own for name, f in _functions(k)]
    return f"{_name(kind)} {_hashed(code)}" if code else _name(kind)


def _functions(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """Return the functions of a class itself, those of its properties and class methods among them."""
    for name, value in sorted(vars(kind).items()):
        function = getattr(value, "__func__", getattr(value, "fget", value))
        if isinstance(function, FunctionType):
            yield name, function


def _has_version(module: str) -> bool:
    """Whether a change of this module comes with a version, which is a part of the key as well."""
    home = module.partition(".")[0]
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    known = home in sys.stdlib_module_names and home != "__main__"
    return known or home == "credibly" or bool(INSTALL_FOLDERS & set(Path(file).parts))


def _of_function(function: FunctionType, seen: tuple[FunctionType, ...] = ()) -> list[Any]:
    """Return what a function does: its code, its defaults, and what it finds around it."""
    code, known = function.__code__, function.__globals__
    cells = [c.cell_contents for c in function.__closure__ or () if not _is_empty(c)]
    within = (*seen, function)
    return [
        _of_code(code),
        written(list(function.__defaults__ or ())),
        written(function.__kwdefaults__ or {}),
        [_around(value, within) for value in cells],
        [[n, _around(known[n], within)] for n in sorted(_names(code)) if n in known],
    ]


def _around(value: Any, within: tuple[FunctionType, ...]) -> Any:  # noqa: ANN401
    """Write what a function uses; other functions without a version are followed, but not in circles."""
    if isinstance(value, FunctionType):
        stop = value in within or _has_version(value.__module__)
        return _name(value) if stop else _of_function(value, within)
    if hasattr(value, "__qualname__"):
        return _name(value)
    try:
        return getattr(value, "__name__", None) or written(value)
    except Exception:  # what cannot be pickled cannot be hashed
        return type(value).__qualname__


def _of_code(code: CodeType) -> list[Any]:
    """Return instructions, constants and names; not where the code stands."""
    constants = [_constant(c) for c in code.co_consts]
    return [code.co_code.hex(), constants, list(code.co_names), list(code.co_varnames)]


def _constant(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, CodeType):
        return _of_code(value)
    # Sets have no order, and that of texts is another one in each process.
    return sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value)


def _names(code: CodeType) -> set[str]:
    """Return the names that a function, or one inside it, may look up."""
    inner = [_names(c) for c in code.co_consts if isinstance(c, CodeType)]
    return set(code.co_names).union(*inner)


def _is_empty(cell: Any) -> bool:  # noqa: ANN401
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


def _hashed(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=6).hexdigest()


def _name(value: Any) -> str:  # noqa: ANN401
    return f"{value.__module__}.{value.__qualname__}"


def _call(name: str, arguments: Any) -> str:  # noqa: ANN401
    inside = ", ".join(f"{k}={written(v)}" for k, v in sorted(arguments.items(), key=str))
    return f"{name}({inside})"
