"""Which schemes to run: names with arguments, paths of classes, estimators and pipelines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from credibly._core.parameters import parse_call, write_call
from credibly.errors import ParameterError
from credibly.schemes._declare import schemes

EXAMPLES = "'tree' or 'knn(k=3)'"


@dataclass(frozen=True, slots=True, eq=False)
class Scheme:
    """A learning scheme that was chosen: its label among the models, and what makes its estimator.

    ``estimator`` is a given object, which is cloned before every fit and never fitted itself; a
    scheme chosen by name has an ``entry`` and ``parameters`` instead, because the estimator
    depends on the task and the columns. :func:`credibly.schemes.build` takes both.
    """

    name: str
    estimator: Any = None
    entry: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


def as_scheme(given: object, name: str = "") -> Scheme:
    """Read a scheme: a name, a path ``package.module:Class(...)``, an estimator or (name, any of these).

    >>> as_scheme("tree(max_depth=3)").name
    'tree(max_depth=3)'
    >>> as_scheme("sklearn.svm:LinearSVC(C=0.5)").estimator
    LinearSVC(C=0.5)
    >>> from sklearn.linear_model import Ridge
    >>> as_scheme(("stiff", Ridge(alpha=100))).name
    'stiff'
    """
    if isinstance(given, Scheme):
        return given
    if isinstance(given, str):
        return _read_path(given, name) if ":" in given.partition("(")[0] else _read(given, name)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        return as_scheme(given[1], given[0])
    _check_estimator(given)
    return Scheme(name or _short_name(given), given)


def as_schemes(given: object) -> tuple[Scheme, ...]:
    """Read one scheme, a list of them, or a dictionary from name to scheme; no two share a name.

    >>> [s.name for s in as_schemes(["zero-r", "knn(k=3)"])]
    ['zero-r', 'knn(k=3)']
    """
    if isinstance(given, dict):
        read = [as_scheme(v, str(k)) for k, v in given.items()]
    elif isinstance(given, list | tuple) and not _is_pair(given):
        read = [as_scheme(each) for each in given]
        unnamed = [i for i, each in enumerate(given) if read[i].estimator is each]
        named = names_of([read[i].estimator for i in unnamed])
        for i, name in zip(unnamed, named, strict=True):
            read[i] = replace(read[i], name=name)
    else:
        read = [as_scheme(given)]
    if not read:
        raise ParameterError(
            "No scheme is given. `credibly list schemes` shows those that have a name."
        )
    names = [s.name for s in read]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise ParameterError(
            f"Two schemes are called {twice!r}. Give each its name: {{'name': scheme, ...}}."
        )
    return tuple(read)


def _is_pair(given: object) -> bool:
    """Whether this is (name, estimator) rather than two schemes."""
    return (
        isinstance(given, tuple)
        and len(given) == 2
        and isinstance(given[0], str)
        and not isinstance(given[1], str)
    )


def _read(text: str, name: str) -> Scheme:
    """Read ``name(key=literal, ...)``; nothing is evaluated."""
    entry, parameters = schemes.read(text, EXAMPLES)
    entry.check(parameters)
    return Scheme(name or write_call(entry.name, parameters), None, entry.name, parameters)


def _read_path(text: str, name: str) -> Scheme:
    """Read the path of an estimator's class."""
    estimator = made_from_path(text)
    _check_estimator(estimator)
    return Scheme(name or text.strip(), estimator)


def made_from_path(text: str) -> Any:
    """Read ``package.module:Class(key=literal, ...)``, import that module and make the object.

    >>> made_from_path("sklearn.cluster:DBSCAN(eps=0.3)")
    DBSCAN(eps=0.3)
    """
    module, _, call = text.strip().partition(":")
    class_name, parameters = parse_call(call, "'LinearSVC(C=0.5)'")
    try:
        found = getattr(import_module(module), class_name)
    except ImportError as error:
        raise ParameterError(
            f"Cannot import {module!r} for {text!r}: {error}. Is the package installed?"
        ) from None
    except AttributeError:
        raise ParameterError(
            f"{module} has no class {class_name!r}.",
            asked=class_name,
            choices=dir(import_module(module)),
        ) from None
    if not isinstance(found, type):
        raise ParameterError(
            f"{module}:{class_name} is not a class; a path must name the class of an estimator."
        )
    try:
        return found(**parameters)
    except TypeError as error:
        raise ParameterError(f"{text!r} cannot be made: {error}.") from None


def _check_estimator(given: object) -> None:
    if isinstance(given, type):
        raise ParameterError(
            f"{given.__name__} is a class; give an estimator made from it: {given.__name__}()."
        )
    # Some know only after the fit whether they have it, and hide it until then: their class tells.
    wanted = ("fit", "predict", "get_params")
    lacks = [m for m in wanted if not hasattr(given, m) and not hasattr(type(given), m)]
    if lacks:
        raise ParameterError(
            f"A scheme is a name, 'package.module:Class(...)' or an estimator with fit, predict and "
            f"get_params; {type(given).__name__} has no {lacks[0]}."
        )


def names_of(estimators: Sequence[Any]) -> list[str]:
    """Name estimators after their classes; those of one name also after the parameters that differ.

    >>> from sklearn.neighbors import KNeighborsClassifier as Knn
    >>> from sklearn.tree import DecisionTreeClassifier as Tree
    >>> names_of([Knn(3, weights="distance"), Tree(max_depth=3), Tree(max_depth=5)])
    ['KNeighborsClassifier', 'DecisionTreeClassifier(max_depth=3)', 'DecisionTreeClassifier(max_depth=5)']
    """
    short = [_short_name(e) for e in estimators]
    alike: dict[str, list[dict[str, str]]] = {}
    for name, e in zip(short, estimators, strict=True):
        alike.setdefault(name, []).append(_leaves(e))
    made = []
    for name in short:
        mine = alike[name].pop(0)
        alike[name].append(mine)
        differ = {k: v for k, v in mine.items() if any(o.get(k) != v for o in alike[name])}
        text = ", ".join(f"{k.rpartition('__')[2]}={v}" for k, v in differ.items())
        made.append(f"{name}({text})" if text else name)
    return made


def _short_name(estimator: Any) -> str:
    """Name an estimator after its class, a pipeline after its steps, a search also after what it searches.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> _short_name(make_pipeline(StandardScaler(), GridSearchCV(SVC(), {"C": [1, 10]})))
    'StandardScaler + GridSearchCV(SVC)'
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> _short_name(RandomForestClassifier())
    'RandomForestClassifier'
    """
    steps = [step for _, step in getattr(estimator, "steps", [])]
    if steps:
        return " + ".join(_short_name(s) for s in steps if s not in (None, "passthrough"))
    inner = _parameters(estimator, deep=False).get("estimator")
    inside = f"({_short_name(inner)})" if hasattr(inner, "get_params") else ""
    return f"{type(estimator).__name__}{inside}"


def _leaves(estimator: Any) -> dict[str, str]:
    """Return what was set of an estimator and of those inside it, as text."""
    deep = _parameters(estimator)
    inside = {k.rpartition("__")[0] for k in deep}
    return {k: repr(v) for k, v in deep.items() if k not in inside | {"steps", "memory", "verbose"}}


def _parameters(estimator: Any, *, deep: bool = True) -> dict[str, Any]:
    """Return the parameters of an estimator; a fitted model of others may tell none."""
    return dict(estimator.get_params(deep=deep)) if hasattr(estimator, "get_params") else {}
