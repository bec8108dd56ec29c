"""Parameters of declared functions: read off the signature, checked in one place, written ``name(key=value)``."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from credibly._core.keywords import OTHER_VALUES
from credibly._core.signatures import REQUIRED, hint_of, members
from credibly._core.text import shown
from credibly.errors import ArgumentName, ParameterError, says


@dataclass(frozen=True, slots=True)
class Rule:
    """What a parameter accepts, in words and as a function, with a value that breaks it."""

    text: str
    accepts: Callable[[Any], bool]
    broken_by: object
    choices: tuple[str, ...] = ()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


NUMBER = Rule("a finite number", lambda v: _is_number(v) and abs(v) < float("inf"), "half")


COLUMN = Rule("the name of a column", lambda v: isinstance(v, str) and bool(v), 0)


def above(low: float) -> Rule:
    """Accept finite numbers greater than ``low``."""
    return Rule(f"greater than {low:g}", lambda v: _is_number(v) and low < v < float("inf"), low)


def at_least(low: float) -> Rule:
    """Accept finite numbers from ``low`` up."""
    text = f"a number of at least {low:g}"
    return Rule(text, lambda v: _is_number(v) and low <= v < float("inf"), low - 1)


def up_to(high: float) -> Rule:
    """Accept numbers above 0, up to and including ``high``."""
    return Rule(f"a number above 0, up to {high:g}", lambda v: _is_number(v) and 0 < v <= high, 0)


def between(low: float, high: float, *, ends: bool = False) -> Rule:
    """Accept numbers between two bounds, the bounds themselves only with ``ends``."""
    if ends:
        return Rule(
            f"a number from {low:g} to {high:g}",
            lambda v: _is_number(v) and low <= v <= high,
            high + 1,
        )
    return Rule(
        f"a number between {low:g} and {high:g}",
        lambda v: _is_number(v) and low < v < high,
        high,
    )


def whole(at_least: int) -> Rule:
    """Accept whole numbers from ``at_least`` up."""
    return Rule(
        f"a whole number of at least {at_least}",
        lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= at_least,
        at_least - 1,
    )


WHOLE_OR_SHARE = Rule(  # how much of something: so many, or a part of all
    "a whole number of at least 1, or a share between 0 and 1",
    lambda v: whole(1).accepts(v) or between(0, 1).accepts(v),
    0,
)


def one_of(*choices: object) -> Rule:
    """Accept the listed values."""
    text = ", ".join(repr(c) for c in choices)

    def accepts(value: Any) -> bool:  # noqa: ANN401
        return isinstance(value, str | int | float | None) and value in choices

    return Rule(f"one of {text}", accepts, object(), tuple(map(str, choices)))


def require(name: str, value: Any, rule: Rule, remedy: str = "") -> Any:  # noqa: ANN401
    """Return an argument that its rule accepts, as a number of Python's own.

    >>> require("alpha", 5, between(0, 1))
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: alpha must be a number between 0 and 1; got 5.
    >>> require("method", "precent", one_of("normal", "percent"))
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: method must be one of 'normal', 'percent'; got 'precent'. Did you mean percent?
    """
    plain = value.item() if getattr(value, "ndim", None) == 0 else value
    if not rule.accepts(plain):
        raise ParameterError(
            says(
                "{name} must be {rule}; got {value}.",
                name=ArgumentName(name),
                rule=rule.text,
                value=shown(value),
            ),
            asked=plain,
            choices=rule.choices,
            remedy=remedy
            or says(OTHER_VALUES.get((name, plain), "") if isinstance(plain, str) else ""),
        )
    return plain


SHARE_RULE = between(0, 1)
SWITCH = Rule("True or False", lambda v: isinstance(v, bool), "yes")


def rule_of_choice(hint: Any) -> Rule | None:  # noqa: ANN401
    """Return the rule of a type that is a choice between a few values; none for any other type.

    >>> rule_of_choice(Literal["up", "down"] | None).text, rule_of_choice(str | None)
    ("one of 'up', 'down'", None)
    """
    kinds = members(hint)
    choices = [c for k in kinds if get_origin(k) is Literal for c in get_args(k)]
    if not choices or any(k is not NoneType and get_origin(k) is not Literal for k in kinds):
        return None
    rule = one_of(*choices)
    if NoneType not in kinds:
        return rule
    return replace(rule, accepts=lambda v: v is None or rule.accepts(v))


@dataclass(frozen=True, slots=True)
class Parameter:
    """One keyword of a declared function."""

    name: str
    default: Any
    rule: Rule

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is REQUIRED


def read_parameters(
    function: Callable[..., Any], rules: Mapping[str, Rule]
) -> tuple[Parameter, ...]:
    """Read the keyword-only arguments of a function; each must have a rule, and each rule an argument.

    A switch and a choice have the rule that their type states.
    """
    keywords = [
        p
        for p in inspect.signature(function).parameters.values()
        if p.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    hints = {p.name: hint_of(function, p.name) for p in keywords if p.name not in rules}
    stated = {n: SWITCH if h is bool else rule_of_choice(h) for n, h in hints.items()}
    rules = {**rules, **{name: rule for name, rule in stated.items() if rule is not None}}
    if {p.name for p in keywords} != set(rules):
        raise ParameterError(
            f"{function.__name__} has the parameters {sorted(p.name for p in keywords)} "
            f"but rules for {sorted(rules)}: give each parameter its rule in `constraints`."
        )
    return tuple(Parameter(p.name, p.default, rules[p.name]) for p in keywords)


def check_arguments(
    owner: str, parameters: tuple[Parameter, ...], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return ``given`` if every argument is known and accepted."""
    known = {p.name: p for p in parameters}
    # Numpy's numbers become Python's, so that a call can be written down and read again.
    given = {k: v.item() if hasattr(v, "item") else v for k, v in given.items()}
    for name, value in given.items():
        if name not in known:
            has = ", ".join(known) or "none"
            raise ParameterError(
                f"{owner} has no parameter {name!r} (it has: {has}).", asked=name, choices=known
            )
        require(f"{owner}: {name}", value, known[name].rule)
    return given


def parse_call(
    text: str, examples: str = "'fbeta(beta=2)'", first: str = ""
) -> tuple[str, dict[str, Any]]:
    """Split ``name(key=literal, ...)`` without evaluating anything.

    One argument without a key is that of the parameter ``first``, where there is one.

    >>> parse_call("fbeta(beta=2)")
    ('fbeta', {'beta': 2})
    >>> parse_call("fbeta(2)", first="beta")
    ('fbeta', {'beta': 2})
    >>> parse_call("auc")
    ('auc', {})
    """
    advice = f"Write a name, or a name with literal arguments, such as {examples}."
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ParameterError(f"Cannot read {text[:200]!r}. {advice}") from None
    if isinstance(tree, ast.Name):
        return tree.id, {}
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        unnamed = [first or None] * len(tree.args)
        names = [*unnamed, *(k.arg for k in tree.keywords)]
        try:
            values = [ast.literal_eval(v) for v in (*tree.args, *(k.value for k in tree.keywords))]
        except (ValueError, TypeError, RecursionError, MemoryError):
            names = [None]
            words = {str(k.arg): k.value.id for k in tree.keywords if isinstance(k.value, ast.Name)}
            if words:
                advice += f" Words stand in quotes: {write_call(tree.func.id, words)}."
        if None not in names and len(set(names)) == len(names):
            return tree.func.id, dict(zip(map(str, names), values, strict=True))
    raise ParameterError(f"Cannot read {text[:200]!r}. {advice}")


def write_call(name: str, arguments: Mapping[str, Any]) -> str:
    """Write what :func:`parse_call` reads.

    >>> write_call("fbeta", {"beta": 2})
    'fbeta(beta=2)'
    """
    inside = ", ".join(f"{k}={v!r}" for k, v in arguments.items())
    return f"{name}({inside})" if inside else name


def split_calls(text: str) -> list[str]:
    """Split a comma-separated list of calls at the commas outside brackets and quotes.

    >>> split_calls("auc, fbeta(beta=2),kappa(weights='linear')")
    ['auc', 'fbeta(beta=2)', "kappa(weights='linear')"]
    """
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [p.strip() for p in parts if p.strip()]
