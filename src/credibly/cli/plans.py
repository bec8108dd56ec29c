"""Commands that plan studies, one for each function of a family: sizes of samples, powers of tests."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NoReturn

from credibly._core.signatures import in_plain_words
from credibly.cli.options import Options, option_name
from credibly.cli.output import TEXT, Output
from credibly.errors import ParameterError


def plans(module: str, prefix: str, told: str | None) -> dict[str, Callable[..., None]]:
    r"""Make a command of each function of a module whose name begins so; ``told`` has the examples.

    >>> made = plans("credibly.intervals.power", "power_of_", "A:\n  credibly power auc 0.7 ...")
    >>> list(made)
    ['auc', 'mcnemar', 'two-aucs', 'two-means']
    >>> print(made["auc"].__doc__)
    The probability that a test finds a model of this AUC to differ from --null.
    <BLANKLINE>
    For instance:
      credibly power auc 0.7 ...
    """
    found = vars(import_module(module))
    names = sorted(name for name in found if name.startswith(prefix))
    kinds = {name.removeprefix(prefix).replace("_", "-"): name for name in names}
    return {k: _plan(f"{module}:{n}", found[n], k, told or "") for k, n in kinds.items()}


def _plan(verb: str, function: Callable[..., Any], kind: str, told: str) -> Callable[..., None]:
    """Make the command of one function: what it must be told first is typed without names."""
    words = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    options = type("Planned", (Options,), {"verb": verb, "words": " ".join(words)})

    def command(*, asked: Options, output: Output = TEXT) -> None:
        from credibly.cli.terminal import print_result

        print_result(function(**asked), output)

    command.__annotations__["asked"] = options
    summary = (inspect.getdoc(function) or "").partition("\n")[0].removeprefix("Return ")
    spelled = {name: option_name(name) for name in inspect.signature(function).parameters}
    summary = in_plain_words(summary[:1].upper() + summary[1:], spelled)
    examples = [line for line in inspect.cleandoc(told).splitlines() if f" {kind} " in line]
    command.__doc__ = "\n".join([summary, "", "For instance:", *examples])
    return command


def refuse_kind(kind: str | None, known: Mapping[str, object]) -> NoReturn:
    """Say what can be planned for."""
    text = "Nothing was named" if kind is None else f"{kind!r} is not known"
    listed = ", ".join(known)
    raise ParameterError(
        f"Name what to plan for first: {listed}. {text}.", asked=kind, choices=known
    )
