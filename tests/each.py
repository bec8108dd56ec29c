"""One test of many things: to collect, send and count thousands of small tests takes longer than to run them."""

import functools
import inspect
from copy import copy
from typing import NamedTuple

import pytest

apart = False  # where tests are chosen by their names (-k), each thing is a test of its own
WHEN = ("daily", "thorough", "whole")  # the marks of what comes first, and of what comes later


class Trial(NamedTuple):
    """What a test is called with, its name, and when it is tried: a place in ``WHEN``."""

    values: tuple
    name: str
    when: int


def name_of(thing):
    return thing.name if hasattr(thing, "name") else str(thing)


class Each:
    """Try a test on each of some things, and tell of all that fail by their names.

    Those that come ``later`` are thorough. ``apart`` parametrises a test by them instead, for marks
    that choose among combinations, and for fixtures that must be new.
    """

    def __init__(self, argument, things, name=name_of, later=lambda thing: False):
        self.names = argument.replace(",", " ").split()
        one = len(self.names) == 1
        self.trials = [Trial((t,) if one else tuple(t), name(t), int(later(t))) for t in things]
        assert self.trials, f"there is nothing to try: {argument}"

    def in_turn(self, argument, values, again=1):
        """Give each thing one of the values every day, in turn, and the next ones if ``again``; the rest is whole."""
        when = [0, *[1] * again, *[2] * len(values)]
        made = copy(self)
        made.names = [*self.names, argument]
        made.trials = [
            Trial((*known, v), f"{name}-{name_of(v)}", max(own, when[(turn - place) % len(values)]))
            for place, (known, name, own) in enumerate(self.trials)
            for turn, v in enumerate(values)
        ]
        return made

    @property
    def apart(self):
        made = [
            pytest.param(*values, id=name, marks=_marks(when)) for values, name, when in self.trials
        ]
        return pytest.mark.parametrize(self.names, made)

    def __call__(self, test):
        if apart:
            return self.apart(test)
        signature = inspect.signature(test)
        others = [p for n, p in signature.parameters.items() if n not in self.names]
        among = inspect.Parameter("among", inspect.Parameter.KEYWORD_ONLY)

        @functools.wraps(test)
        def on_each(*, among, **fixtures):
            self.run(test, among, **fixtures)

        on_each.__signature__ = signature.replace(parameters=[*others, among])
        groups = [[t for t in self.trials if t.when == when] for when in range(len(WHEN))]
        made = [pytest.param(g, id=WHEN[i], marks=_marks(i)) for i, g in enumerate(groups) if g]
        return pytest.mark.parametrize("among", made)(on_each)

    def run(self, test, among, **fixtures):
        """Try a test on some, and tell of those that fail: what they are called, and where they are declared."""
        failed = []
        for values, name, _ in among:
            try:
                test(**dict(zip(self.names, values, strict=True)), **fixtures)
            except pytest.skip.Exception:
                continue
            except (Exception, pytest.fail.Exception) as error:
                failed.append((error, f"{name}{_place(values)}: {type(error).__name__}: {error}"))
        if failed:
            head = f"{len(failed)} of {len(among)} fail; pytest -k NAME tries one alone."
            raise AssertionError("\n".join([head, *(told for _, told in failed)])) from failed[0][0]


def _place(values):
    """Return where a registered thing is declared."""
    codes = [getattr(getattr(v, "function", None), "__code__", None) for v in values]
    return next((f" ({c.co_filename}:{c.co_firstlineno})" for c in codes if c), "")


def _marks(when):
    return [getattr(pytest.mark, WHEN[when])] if when else []
