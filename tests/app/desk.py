"""A person at the workbench, whichever the browser: opens files, chooses, types, and saves what the page offers."""

import re
from abc import ABC, abstractmethod

import pages

WAIT = 60  # seconds, for machines with much else to do
LONG = 120  # seconds, while schemes are fitted
SETTLED = "document.body.dataset.ready && !document.body.dataset.busy"
# Everything that Tab should reach, in the order of the page; of a group of radio buttons the one that is chosen.
REACHABLE = """[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((e) => e.checkVisibility({visibilityProperty: true}) && !e.disabled && e.tabIndex >= 0 && !e.closest("dialog:not([open])")
    && !(e.type === "radio" && !e.checked && document.querySelector(`input[name="${e.name}"]:checked`)))"""
# From now on, which of them had the focus, and whether that was to be seen.
FOLLOW = """{ window.reached = []; document.removeEventListener("focusin", window.reach);
  window.reach = ({target: e}) => { const look = getComputedStyle(e.closest("label.button") ?? e);
    window.reached.push([e.dataset.walked ?? "", look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0]); };
  document.addEventListener("focusin", window.reach); }"""
TWO_FRAMES = (
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)"
)
# Which names the page looks up in what the server answers, although they are not there, and which numbers are.
WATCH = """window.absent = new Set();
  window.told = new Set();
  const hear = (x) => { if (typeof x === "number") told.add(Math.abs(x)); else if (x && typeof x === "object") Object.values(x).forEach(hear); else if (Number(x)) told.add(Math.abs(x)); };
  const watched = (x, call) => x === null || typeof x !== "object" ? x : new Proxy(x, { get(of, name, self) {
    if (typeof name === "string" && !Array.isArray(of) && !(name in of) && !["then", "toJSON"].includes(name)) absent.add(`${call} ${name}`);
    const value = Reflect.get(of, name, self);
    return typeof value === "function" ? value : watched(value, call);
  } });
  const plain = Response.prototype.json;
  Response.prototype.json = async function () { const found = await plain.call(this); hear(found); return watched(found, new URL(this.url).pathname); };"""
# Numbers with decimals that stand on a screen, although no answer of the server rounds to them, as it is or in percent.
UNTOLD = """[...new Set([...document.querySelectorAll("%s :is(.value, .interval, .number, td)")].flatMap((e) =>
  e.innerText.replace(/(\\d),(?=\\d{3})/g, "$1").match(/\\d+\\.\\d{2,}/g) ?? []))].filter((text) => {
    const near = 0.5000001 * 10 ** -text.split(".")[1].length;
    return ![...told].some((x) => Math.abs(x - text) <= near || Math.abs(100 * x - text) <= near);
  })"""
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
        pages.waited_for(lambda: self.run(f"Boolean({condition})"), condition, longest)

    def settle(self):
        self.wait_for(SETTLED)

    def text(self, selector):
        """Return what is read there; spaces that keep a number and its sign together are spaces."""
        return self.run(f"document.querySelector({selector!r}).innerText").replace("\xa0", " ")

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

    def sees_a_command(self):
        """What a screen shows is written as a command and as Python."""
        self.click("#command")
        self.sees("#drawer-text > *")
        assert self.count("#drawer pre") == 2, self.run("location.href")
        self.click("#drawer-close")

    def report(self, path):
        self.to("report")
        return self.saved("#screen-report button.main", path)

    def is_accessible(self):
        pages.is_accessible(self.run)

    def fits(self):
        pages.fits(self.run)


class Workbench(Desk):
    """A person at Chromium."""

    def __init__(self, page, served):
        super().__init__(served)
        self.page = page
        page.set_default_timeout(1000 * WAIT)
        page.add_init_script(WATCH)
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
        self.run(TWO_FRAMES)  # before the second, the page has heard of it and says that it is busy
        self.settle()

    def is_walked(self):
        """Tab reaches every control, in the order of the page, and each shows that it has the focus."""
        mark = f"{REACHABLE}.map((e, i) => {{ e.dataset.walked = i; return e.outerHTML.slice(0, 120); }})"
        wanted = self.run(mark)
        self.run("document.getElementById('skip').focus()")
        self.run(FOLLOW)
        for _ in wanted[1:]:
            self.page.keyboard.press("Tab")
        reached = self.run("window.reached")
        for here, control in enumerate(wanted[1:], 1):
            at, ring = reached[here - 1] if here <= len(reached) else ("", False)
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
