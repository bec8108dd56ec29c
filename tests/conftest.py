"""The same tests every time, on any machine: Hypothesis' examples, NumPy's shared generator, signals.

And which of them run every day: of a test with many combinations of parameters, ``daily`` says which,
and of those that look at a page in a browser only what is ``daily``; the rest is ``thorough``, for CI.
Of combinations that merely hold each value once, CI tries as many again, others than those of every
day; all that are left are ``whole``, for whoever changes what they are about. So is what a test that is
``thorough`` for some values of its parameters does not name.
"""

import gc
import os
import shutil
import signal
import sys
from collections import Counter, defaultdict
from heapq import heapify, heappop, heapreplace

import pytest
from hypothesis import HealthCheck, settings

import each

# Tests run side by side as it is: more threads of each would mostly wait, and they wait by spinning.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# They start many programs: what one has compiled serves the others, which take half the time then.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

for profile, examples in (
    ("credibly", 6),
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

WIDE = {"width": 1200, "height": 900}  # a window, in pixels

# Where tests run in the background, Ctrl-C is ignored, and so it would be by the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _the_shared_generator_starts_anew():
    """Estimators without a seed draw from it, so that a test would pass on most days only."""
    import numpy as np  # after the number of threads is set

    np.random.seed(0)  # noqa: NPY002 - it is the shared one that is meant


@pytest.fixture(scope="session")
def browser():
    """Start a browser without a network of its own, where there is one on this machine.

    One for all tests: its driver keeps an event loop in this thread, so that what needs one of its own
    runs in another thread.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("there is no chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    flags = "headless no-sandbox disable-gpu disable-quic no-first-run disable-sync"
    flags += " disable-background-networking disable-component-update"
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(
            executable_path=program, args=[f"--{flag}" for flag in flags.split()]
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def idle_pages():
    """Pages that nobody looks at: to open one takes as long as to draw what it shows three times."""
    return []


@pytest.fixture
def window(browser, idle_pages):
    """Open windows whose pages must say nothing and ask for nothing but what begins with one of ``ours``.

    ``expected`` are parts of what the browser itself says of them. The pages keep nothing, so that one
    can follow another in the same window.
    """
    opened, heard = [], []

    def open_window(*ours, expected=(), viewport=WIDE, color_scheme="light"):
        def hear(said):
            if not any(known in said for known in expected):
                heard.append(said)

        page = idle_pages.pop() if idle_pages else browser.new_context().new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, media="screen")
        page.set_default_timeout(30_000)
        ears = {
            "console": lambda m: hear(f"{m.type}: {m.text}"),
            "pageerror": lambda e: hear(f"error: {e}"),
            "dialog": lambda d: (hear(f"dialog: {d.message}"), d.dismiss()),
            "request": lambda r: r.url.startswith(ours) or hear(f"request: {r.url}"),
        }
        for event, ear in ears.items():
            page.on(event, ear)
        opened.append((page, ears))
        return page

    yield open_window
    for page, ears in opened:
        page.goto("about:blank")
        page.unroute_all(behavior="ignoreErrors")
        for event, ear in ears.items():
            page.remove_listener(event, ear)
        for other in page.context.pages:
            if other != page:
                other.close()
        idle_pages.append(page)
    assert heard == []


def pytest_configure(config):
    each.apart = bool(config.getoption("keyword"))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Look for no examples in tests: they stand in the library and on pages, and to look takes long."""
    found = yield
    return [collector for collector in found if type(collector) is pytest.Module]


def pytest_collection():
    """Leave alone what tests are made of: it stays, and to look through all of it for garbage takes long."""
    gc.disable()


def pytest_collection_finish():
    """Look for garbage a tenth as often as Python does: to look took one part in twenty of the time."""
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark as thorough what a test marked daily does not name, and what needs a browser."""
    functions = defaultdict(list)
    for item in items:
        if mark := item.get_closest_marker("thorough"):
            if any(item.callspec.params[name] not in named for name, named in mark.kwargs.items()):
                item.add_marker("whole")
            continue
        if item.get_closest_marker("daily"):
            functions[item.parent, item.originalname].append(item)
        elif "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("thorough")
    for made in functions.values():
        bare = any(not m.kwargs for m in made[0].iter_markers("daily"))
        daily = _named(made) | (_covering(made) if bare else set())
        rest = [item for item in made if item not in daily]
        again = _covering(rest) if bare and rest else set(rest)
        for item in rest:
            item.add_marker("thorough" if item in again else "whole")


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
    """About as few as hold each value of each parameter, in combinations that vary.

    Next comes the one with the most missing values, and of these the one with the least used. Both
    counts only fall in rank while others are taken, so that what was first and still is, is best.
    """
    if not hasattr(items[0], "callspec"):  # one test, which is daily for another reason
        return set(items)
    values = [{(name, _identity(v)) for name, v in i.callspec.params.items()} for i in items]
    kept, used, missing = set(), Counter(), set().union(*values)
    waiting = [(-len(held), 0, place) for place, held in enumerate(values)]
    heapify(waiting)
    while missing:
        place = waiting[0][-1]
        held = values[place]
        rank = (-len(missing & held), sum(used[v] for v in held), place)
        if rank > waiting[0]:
            heapreplace(waiting, rank)
            continue
        heappop(waiting)
        kept.add(items[place])
        used.update(held)
        missing -= held
    return kept
