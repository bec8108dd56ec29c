"""Whole jobs without a line of code: a file is opened, judged on every screen, and ends in a saved report."""

import re

import numpy as np
import pytest

import credibly
from app.conftest import as_called
from credibly.io import bundled, read

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
WAIT = 15_000  # milliseconds, for machines with much else to do
AXE = ("serious", "critical")


class Workbench:
    """A person at the page: says nothing to any other server, and no error is heard."""

    def __init__(self, page, served):
        self.page, self.served, self.heard = page, served, []
        page.set_default_timeout(WAIT)
        page.on("console", lambda m: self.heard.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: self.heard.append(f"error: {e}"))
        ours = (served.base, "blob:", "data:")
        page.on("request", lambda r: r.url.startswith(ours) or self.heard.append(r.url))
        page.goto(served.url)
        self.settle()

    def settle(self):
        self.page.wait_for_selector("body[data-ready]:not([data-busy])", state="attached")

    def open(self, *paths):
        self.page.locator("input[type=file]").first.set_input_files([str(p) for p in paths])
        self.page.wait_for_url(re.compile("[?&]id="))
        self.settle()

    def role(self, column, role):
        self.page.locator(f'select[data-column="{column}"]').select_option(role)
        self.page.wait_for_timeout(50)
        self.settle()

    def positive(self, name):
        self.page.locator(f'#screen-import .chip[data-class="{name}"]').click()
        self.page.wait_for_timeout(50)
        self.settle()

    def use(self):
        self.page.click("#use")
        self.page.wait_for_selector("#screen-overview h1")
        self.settle()

    def to(self, screen):
        self.page.locator("#items a", has=self.page.get_by_text(screen, exact=True)).click()
        self.page.wait_for_timeout(50)
        self.settle()
        return self.page.locator(".screen:visible h1").inner_text()

    @property
    def id(self):
        return re.search("id=([^&#]+)", self.page.url)[1]

    def asked(self, call, **given):
        """What the server says to a program, which all doors share."""
        return self.served.call(call, id=self.id, **given).json

    def report(self, path):
        self.to("Report")
        with self.page.expect_download() as waiting:
            self.page.get_by_role("button", name="Web page").click()
        waiting.value.save_as(path)
        return path.read_text()

    def is_accessible(self):
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is missing")
        found = axe.Axe().run(self.page).response["violations"]
        said = [(v["id"], v["nodes"][0]["html"][:160]) for v in found if v["impact"] in AXE]
        assert said == []

    def fits(self):
        width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.page.evaluate(width) <= 0, self.page.url


@pytest.fixture
def person(browser, served):
    """Open the page in a window of some size; at the end nothing may have been said."""
    contexts, people = [], []

    def sit(width=1400, scheme="light"):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        contexts.append(context)
        people.append(Workbench(context.new_page(), served))
        return people[-1]

    yield sit
    for each in people:
        assert each.heard == []
    for context in contexts:
        context.close()


def write(path, header, rows, sep=","):
    lines = [sep.join(header), *(sep.join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def clinical(path, n=240):
    """Two risks in percent with decimal commas, some missing, of patients seen several times."""
    rng = np.random.default_rng(4)
    died = rng.random(n) < 0.3
    risk = [1 / (1 + np.exp(-(died * a - 1 + rng.normal(0, 1, n)))) for a in (1.2, 2)]
    cells = [[f"{100 * x:.1f}".replace(".", ",") for x in each] for each in risk]
    for i in (5, 77):
        cells[1][i] = ""
    rows = zip(
        np.arange(n) // 2, np.where(died, "died", "lived"), *cells, rng.choice(["f", "m"], n),
        strict=True,
    )  # fmt: skip
    return write(path, ["patient", "outcome", "old", "new", "sex"], rows, ";")


@pytest.mark.daily
def test_a_clinical_file_with_groups_and_missing_scores(person, tmp_path):
    path = clinical(tmp_path / "ward.csv")
    desk = person()
    desk.open(path)
    assert "Not yet" in desk.page.locator("h1").inner_text()
    desk.role("patient", "group")
    for column in ("old", "new"):
        desk.role(column, "probability")
    desk.page.locator("[data-option=percent]").check()
    desk.settle()
    desk.positive("died")
    desk.page.locator("[data-option=complete]").check()
    desk.settle()
    assert "judged by 2 models" in desk.page.locator("h1").inner_text()
    desk.use()
    p = read(
        path, truth="outcome", models=["old", "new"], group="patient", positive="died",
        percent=True, complete=True,
    )  # fmt: skip
    assert p.n == 2 * 238
    told = desk.asked("evaluate", measures=["auc"])
    assert told["estimates"] == as_called(credibly.evaluate(p, ["auc"]))["estimates"]
    desk.to("Measures and slices")
    desk.page.locator("#screen-measures select").first.select_option("sex")
    desk.settle()
    desk.page.get_by_role("button", name="new").click()
    desk.settle()
    sliced = credibly.evaluate(p, ["auc"], by=["model", "sex"])
    value = next(e.value for e in sliced.estimates if e.keys == {"model": "new", "sex": "f"})
    desk.page.get_by_label("Measure, such as recall").fill("auc")
    desk.page.get_by_label("Measure, such as recall").press("Enter")
    desk.settle()
    rows = desk.page.locator("#screen-measures .whisker-row", has_text=re.compile("^f"))
    assert rows.first.locator(".number").inner_text().startswith(f"{value:.3f}")
    assert desk.to("Errors by row")
    assert "sex" in desk.page.locator("table.rows thead").inner_text()
    page = desk.report(tmp_path / "ward.html")
    assert "died" in page
    assert "Evaluation of ward.csv" in page


def test_a_marketing_file_with_costs(person, tmp_path):
    path = credibly.save(read(bundled("campaign")), tmp_path / "mailing.csv")
    desk = person()
    desk.open(path)
    desk.to("Threshold and costs")
    assert desk.page.locator("#ask-costs").is_visible()
    assert desk.page.locator("#profit").is_hidden()
    desk.page.get_by_label("yes, selected: costs or brings").select_option("brings")
    for cell, amount in (("yes, selected", "15"), ("no, selected", "0.80"), ("yes, left", "0")):
        desk.page.get_by_label(f"{cell}: amount").fill(amount)
        desk.page.get_by_label(f"{cell}: amount").press("Enter")
    desk.settle()
    desk.page.get_by_role("button", name="Best place", exact=True).click()
    desk.settle()
    assert "4,560.60" in desk.page.locator("#place-sentence").inner_text()
    page = desk.report(tmp_path / "mailing.html")
    told = credibly.report(
        read(bundled("campaign")), costs={"tp": -15, "fp": 0.8, "fn": 0, "tn": 0}
    )
    assert told.document.headline.split(".")[0] in page
    assert "What it costs" in page


def test_a_regression(person, tmp_path):
    rng = np.random.default_rng(6)
    y = rng.normal(50, 10, 150)
    rows = [
        (f"{t:.3f}", f"{t + e:.3f}", k)
        for t, e, k in zip(y, rng.normal(0, 3, 150), "ab" * 75, strict=True)
    ]
    path = write(tmp_path / "prices.csv", ["price", "guess", "town"], rows)
    desk = person()
    desk.open(path)
    desk.role("price", "truth")
    desk.role("guess", "value")
    desk.use()
    p = read(path, truth="price", value="guess")
    assert desk.asked("report")["headline"] == credibly.report(p).document.headline
    for screen in ("Threshold and costs", "Curves", "Calibration"):
        desk.page.locator("#items a", has_text=screen).click()
        desk.settle()
        assert desk.page.locator(".screen:visible .notice").inner_text()
    desk.to("Errors by row")
    first = desk.page.locator("table.rows tbody tr").first.inner_text().split()
    worst = int(np.argmax(np.abs(p.value - p.truth)))
    assert first[0] == str(worst)
    assert "prices.csv" in desk.report(tmp_path / "prices.html")


def ten_classes(path, n=400):
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 10, n)
    models = [
        np.where(rng.random(n) < a, truth, rng.integers(0, 10, n))
        for a in (0.5, 0.6, 0.7, 0.8, 0.85)
    ]
    rows = zip([f"c{t}" for t in truth], *([f"c{m}" for m in each] for each in models), strict=True)
    return write(path, ["truth", "m1", "m2", "m3", "m4", "m5"], rows)


def test_five_models_of_ten_classes(person, tmp_path):
    path = ten_classes(tmp_path / "digits.csv")
    desk = person()
    desk.open(path)
    for i in range(1, 6):
        desk.role(f"m{i}", "label")
    desk.use()
    p = read(path, truth="truth", models=[f"m{i}" for i in range(1, 6)])
    assert desk.asked("report")["headline"] == credibly.report(p).document.headline
    desk.to("Compare models")
    pairs = credibly.compare(p, measure="accuracy")
    assert desk.page.locator("#screen-compare table").count() >= 2
    assert desk.asked("compare", measure="accuracy") == as_called(pairs)
    desk.to("Errors by row")
    assert desk.page.locator("input[name=wrong-in]").count() == 6
    desk.page.locator("#class").select_option("c3")
    desk.settle()
    desk.to("Measures and slices")
    assert "Recall" in desk.page.locator("#screen-measures").inner_text()
    assert "digits.csv" in desk.report(tmp_path / "digits.html")
