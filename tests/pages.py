"""What every page that we write must be, whichever it is: open to all, within its window, drawn."""

import json
import os
import time
from pathlib import Path

import pytest

AXE = ("serious", "critical")
# Whether there are pictures in a place, and none is blank.
DRAWN = """((all) => all.length > 0 && all.every((c) =>
  c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((part) => part > 0)))
  ([...document.querySelectorAll("%s canvas")])"""


def waited_for(happened, what, longest=60):
    """Look until something has happened."""
    until = time.monotonic() + longest
    while not happened():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def is_accessible(run):
    """Axe finds nothing serious; ``run`` evaluates JavaScript in the page."""
    package = pytest.importorskip("axe_playwright_python", reason="axe is missing")
    if not run("Boolean(window.axe)"):
        run(Path(package.__file__).with_name("axe.min.js").read_text(encoding="utf-8") + ";0")
    found = json.loads(run("axe.run().then((found) => JSON.stringify(found.violations))"))
    said = [(v["id"], v["nodes"][0]["html"][:160]) for v in found if v["impact"] in AXE]
    assert said == []


def fits(run):
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    wide = "[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)"
    assert run(width) <= 0, run(
        f"[location.href, ...{wide}.slice(-4).map((e) => e.outerHTML.slice(0, 200))].join('\\n')"
    )


def keep_picture(page, name):
    """Where CREDIBLY_SCREENSHOTS says, for people; the tests themselves look at what is drawn."""
    if kept := os.environ.get("CREDIBLY_SCREENSHOTS"):
        page.screenshot(path=Path(kept, f"{name}.png"), full_page=True)
