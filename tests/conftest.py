"""The same tests every time, on any machine: Hypothesis' examples, NumPy's shared generator, signals.

And which of them run every day: of a test with many combinations of parameters, ``daily`` says which;
the rest is ``thorough``, for CI.
"""

import gc
import os
import signal
from collections import Counter, defaultdict

import pytest
from hypothesis import HealthCheck, settings

# Tests run side by side as it is: more threads of each would mostly wait, and they wait by spinning.
os.environ.setdefault("OMP_NUM_THREADS", "1")

for profile, examples in (
    ("credibly", 15),
    ("thorough", 60),
):  # every day, and --hypothesis-profile
    settings.register_profile(
        profile,
        derandomize=True,
        deadline=None,
        database=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
settings.load_profile("credibly")

# Where tests run in the background, Ctrl-C is ignored, and so it would be by the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _the_shared_generator_starts_anew():
    """Estimators without a seed draw from it, so that a test would pass on most days only."""
    import numpy as np  # after the number of threads is set

    np.random.seed(0)  # noqa: NPY002 - it is the shared one that is meant


def pytest_collection():
    """Leave alone what tests are made of: it stays, and to look through all of it for garbage takes long."""
    gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark as thorough what a test marked daily does not name."""
    functions = defaultdict(list)
    for item in items:
        if item.get_closest_marker("daily"):
            functions[item.parent, item.originalname].append(item)
    for made in functions.values():
        bare = any(not m.kwargs for m in made[0].iter_markers("daily"))
        daily = _named(made) | (_covering(made) if bare else set())
        for item in made:
            if item not in daily:
                item.add_marker("thorough")


def _named(items):
    """Those whose parameters have the values that a mark names."""
    return {
        item
        for item in items
        for mark in item.iter_markers("daily")
        if mark.kwargs and all(item.callspec.params[k] in v for k, v in mark.kwargs.items())
    }


def _identity(value):
    """Two checks of scikit-learn are the same if their function is; each estimator has its own partial."""
    return id(getattr(value, "func", value))


def _covering(items):
    """About as few as hold each value of each parameter, in combinations that vary."""
    values = {i: {(name, _identity(v)) for name, v in i.callspec.params.items()} for i in items}
    kept, used, missing = set(), Counter(), set().union(*values.values())
    while missing:
        rank = {i: (len(missing & v), -sum(used[x] for x in v)) for i, v in values.items()}
        best = max(items, key=rank.get)
        kept.add(best)
        used.update(values[best])
        missing -= values[best]
    return kept
