"""A person at the workbench, whichever the browser: opens files, chooses, types, and saves what the page offers."""

import json
import re
from abc import ABC, abstractmethod
from pathlib import Path

import pytest

from app.firefox import waited_for

WAIT = 60  # seconds, for machines with much else to do
LONG = 120  # seconds, while schemes are fitted
AXE = ("serious", "critical")
SETTLED = "document.body.dataset.ready && !document.body.dataset.busy"
# Everything that Tab should reach, in the order of the page; of a group of radio buttons the one that is chosen.
REACHABLE = """[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.disabled && e.tabIndex >= 0 && !e.closest("dialog:not([open])")
    && !(e.type === "radio" && !e.checked && document.querySelector(`input[name="${e.name}"]:checked`)))"""
RING = """(() => { const e = document.activeElement, at = e.closest("label.button") ?? e, look = getComputedStyle(at);
  return [e.dataset.walked ?? "", look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0]; })()"""
LOOKS = {"wide": (1400, "light"), "dark": (1400, "dark"), "phone": (400, "light"), "dark phone": (400, "dark")}  # fmt: skip


class Desk(ABC):
    """What a person does, in terms of what each browser can; selectors are those of CSS."""

    def __init__(self, served):
        self.served = served

    @abstractmethod
    def run(self, script):
        """Evaluate JavaScript in the page."""

    @abstractmethod
    def choose(self, selector, *paths):
        """Give files to a field."""

    @abstractmethod
    def click(self, selector):
        """Click, as a mouse does."""

    @abstractmethod
    def type(self, selector, text):
        """Write into a field in place of what it holds, and press Enter."""

    @abstractmethod
    def pick(self, selector, value):
        """Choose from a list."""

    @abstractmethod
    def saved(self, selector, path):
        """Click, keep the file that is saved, and return its text."""

    def wait_for(self, condition, longest=WAIT):
        """Wait until JavaScript is true; the page's policy lets nothing wait inside it."""
        waited_for(lambda: self.run(f"Boolean({condition})"), condition, longest)

    def settle(self):
        self.wait_for(SETTLED)

    def text(self, selector):
        return self.run(f"document.querySelector({selector!r}).innerText")

    def count(self, selector):
        return self.run(f"document.querySelectorAll({selector!r}).length")

    def sees(self, selector, longest=WAIT):
        self.wait_for(f"document.querySelector({selector!r})?.checkVisibility()", longest)
        self.settle()

    def open(self, *paths):
        self.choose("input[type=file]", *paths)
        self.wait_for("/[?&]id=/.test(location.search)")
        self.settle()

    def role(self, column, role):
        self.pick(f'select[data-column="{column}"]', role)
        self.settle()

    def tick(self, option):
        self.click(f"[data-option={option}]")
        self.settle()

    def positive(self, name):
        self.click(f'#screen-import .chip[data-class="{name}"]')
        self.settle()

    def use(self):
        self.click("#use")
        self.sees("#screen-overview h1")

    def to(self, screen):
        """Go to a screen by the rail, and return its sentence."""
        self.click(f'#items a[href*="screen={screen}"]')
        self.sees(f"#screen-{screen} h1")
        return self.text(f"#screen-{screen} h1")

    @property
    def id(self):
        return re.search("id=([^&#]+)", self.run("location.href"))[1]

    def asked(self, call, **given):
        """What the server says to a program, which all doors share."""
        return self.served.call(call, id=self.id, **given).json

    def report(self, path):
        self.to("report")
        return self.saved("#screen-report button.main", path)

    def is_accessible(self):
        """Axe finds nothing serious."""
        package = pytest.importorskip("axe_playwright_python", reason="axe is missing")
        if not self.run("Boolean(window.axe)"):
            self.run(
                Path(package.__file__).with_name("axe.min.js").read_text(encoding="utf-8") + ";0"
            )
        found = json.loads(self.run("axe.run().then((found) => JSON.stringify(found.violations))"))
        said = [(v["id"], v["nodes"][0]["html"][:160]) for v in found if v["impact"] in AXE]
        assert said == []

    def fits(self):
        width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.run(width) <= 0, self.run("location.href")


class Workbench(Desk):
    """A person at Chromium."""

    def __init__(self, page, served):
        super().__init__(served)
        self.page, self.heard = page, []
        page.set_default_timeout(1000 * WAIT)
        page.on("console", lambda m: self.heard.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: self.heard.append(f"error: {e}"))
        page.on("dialog", lambda d: (self.heard.append(f"dialog: {d.message}"), d.dismiss()))
        ours = (served.base, "blob:", "data:")
        page.on("request", lambda r: r.url.startswith(ours) or self.heard.append(r.url))
        page.goto(served.url)
        self.settle()

    def run(self, script):
        return self.page.evaluate(script)

    def choose(self, selector, *paths):
        self.page.locator(selector).first.set_input_files([str(p) for p in paths])

    def click(self, selector):
        self.page.locator(selector).first.click()

    def type(self, selector, text):
        self.page.locator(selector).fill(text)
        self.page.locator(selector).press("Enter")

    def pick(self, selector, value):
        self.page.locator(selector).first.select_option(value)

    def saved(self, selector, path):
        with self.page.expect_download() as waiting:
            self.click(selector)
        waiting.value.save_as(path)
        return path.read_text(encoding="utf-8")

    def look(self, name):
        """Change the window and its colours."""
        width, scheme = LOOKS[name]
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme=scheme)
        self.page.wait_for_timeout(500)  # until the page has heard of it and drawn again
        self.settle()

    def is_walked(self):
        """Tab reaches every control, in the order of the page, and each shows that it has the focus."""
        mark = f"{REACHABLE}.map((e, i) => {{ e.dataset.walked = i; return e.outerHTML.slice(0, 120); }})"
        wanted = self.run(mark)
        self.run("document.getElementById('skip').focus()")
        for here, control in enumerate(wanted[1:], 1):
            self.page.keyboard.press("Tab")
            at, ring = self.run(RING)
            assert at == str(here), (
                f"{self.page.url}: {wanted[int(at)] if at else 'nothing'} for {control}"
            )
            assert ring, f"{self.page.url}: {control}"


class FirefoxDesk(Desk):
    """A person at Firefox."""

    def __init__(self, firefox, served):
        super().__init__(served)
        self.firefox = firefox
        firefox.open(served.url)
        self.settle()

    def run(self, script):
        return self.firefox.run(script)

    def choose(self, selector, *paths):
        self.firefox.choose(selector, *paths)

    def click(self, selector):
        self.wait_for(f"document.querySelector({selector!r})")
        self.firefox.click(selector)

    def type(self, selector, text):
        self.run(f"{{const f = document.querySelector({selector!r}); f.focus(); f.select()}}")
        self.firefox.keys(*text, "\ue007")

    def pick(self, selector, value):
        self.run(
            f"""{{const s = document.querySelector({selector!r}); s.value = {value!r};
            s.dispatchEvent(new Event("change", {{bubbles: true}}))}}"""
        )

    def saved(self, selector, path):
        self.click(selector)
        found = self.firefox.downloaded()
        found.rename(path)
        return path.read_text(encoding="utf-8")

    @property
    def heard(self):
        """What the console said, and which other servers were asked."""
        self.run("0")  # what was said before comes before the answer
        said = [e["text"] for e in self.firefox.events("log.entryAdded")]
        asked = [e["request"]["url"] for e in self.firefox.events("network.beforeRequestSent")]
        ours = (self.served.base, "blob:", "data:", "about:")
        return said + [url for url in asked if not url.startswith(ours)]
