"""How sentences speak of arguments on the command line: as options."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from credibly.errors import Argument, in_python

OTHER_NAMES = {"sample_weight": "weight"}  # of arguments that arrays and columns of files go by


def as_option(argument: Argument, known: Collection[str]) -> str:
    """Write an argument as an option if the running command has it, else as Python does.

    >>> from credibly.errors import Argument
    >>> known = {"--by", "--weight-kind", "--independent"}
    >>> as_option(Argument("weight_kind", "frequency"), known), as_option(Argument("by", ["a", "b"]), known)
    ('--weight-kind frequency', '--by a,b')
    >>> as_option(Argument("independent", True), known), as_option(Argument("base", "tree"), known)
    ('--independent', "base='tree'")

    What outcomes cost and what classes cost are two options:

    >>> as_option(Argument("costs", {"fn": 5, "fp": 1}), {"--cost"})
    '--cost fn=5 --cost fp=1'
    >>> as_option(Argument("costs", {"a": {"b": 1}, "b": {"a": 5}}), {"--cost"})
    '--cost-matrix FILE'
    """
    if argument.name == "costs" and "--cost" in known:
        return _as_costs(argument.value)
    name = f"--{OTHER_NAMES.get(argument.name, argument.name).replace('_', '-')}"
    value = argument.value
    if name not in known:
        return in_python(argument)
    if value is False:
        return f"{name}=false"
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value))
    shown = "" if value is None or value is True else "..." if value is ... else str(value)
    return f"{name} {shown}".rstrip()


def _as_costs(value: object) -> str:
    if not isinstance(value, Mapping):
        return "--cost OUTCOME=AMOUNT or --cost-matrix FILE"
    if any(isinstance(cost, Mapping) for cost in value.values()):
        return "--cost-matrix FILE"
    return " ".join(f"--cost {outcome}={cost}" for outcome, cost in value.items())
