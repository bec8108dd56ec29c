"""The page with its server: open a file, say what its columns are, take the list away, come back."""

import contextlib
import csv
import io
import re

import numpy as np
import pytest

import credibly
from credibly.io import bundled, read

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect
WAIT = 60_000  # milliseconds, for machines with much else to do
STATE = re.compile("#.*at=[^&]+.*fp=0.8")  # the address follows a change after a moment
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def visit(window):
    """Open an address; the page speaks to its own server alone."""

    def go(served, url=None):
        page = window(
            served.base, "blob:", "data:", expected=["status of 422", "ERR_CONNECTION_REFUSED"],
            viewport={"width": 1200, "height": 900},
        )  # fmt: skip
        page.set_default_timeout(WAIT)
        page.goto(url or served.url)
        page.wait_for_selector("body[data-ready=yes]")
        return page

    return go


def drop(page, name, text):
    """Drop a file onto the page, as a hand would."""
    page.evaluate(
        """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name));
            for (const kind of ["dragover", "drop"])
                document.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        [name, text],
    )


@contextlib.contextmanager
def read_again(page):
    """Wait until the file was read with what is said of it."""
    with page.expect_response(re.compile("/api/roles")):
        yield
    page.wait_for_selector("body[data-ready]:not([data-busy])", state="attached")


def tell(page, column, role):
    with read_again(page):
        page.locator(f"select[data-column={column}]").select_option(role)


def sees(page, place, text):
    expect(page.locator(place)).to_contain_text(text, timeout=WAIT)


def brings(page, money):
    sees(page, "#profit .value", money)


def shown(page, title):
    """Wait until the page shows the numbers of a file."""
    expect(page.locator("#title")).to_have_text(title, timeout=WAIT)
    page.locator("#items a:not(.off)", has_text="Threshold and costs").click()
    page.wait_for_selector("#chart-curve svg")


def type_in(page, field, text):
    page.locator(field).fill(text)
    page.locator(field).press("Enter")


def set_costs(page):
    """A responder brings 15, and a letter to a non-responder costs 0.80."""
    page.get_by_label("yes, selected: costs or brings").select_option("brings")
    page.get_by_label("no, selected: costs or brings").select_option("costs")
    page.get_by_label("yes, selected: amount").fill("15")
    page.get_by_label("no, selected: amount").fill("0.80")
    page.get_by_label("yes, left: amount").fill("0")
    page.get_by_label("yes, left: amount").press("Enter")


def test_the_seeds_campaign(served_with, visit):
    page = visit(served_with("campaign"))
    shown(page, "campaign")
    page.click("#maximise")  # its costs are known
    brings(page, "4,560.60")
    assert page.locator("#by-share").input_value().startswith("46.7")
    expect(page).to_have_url(re.compile("#.*at="), timeout=WAIT)
    address = page.url
    page.reload()
    shown(page, "campaign")
    brings(page, "4,560.60")
    assert page.url == address


def test_a_file_is_dropped_exported_and_dropped_again(served, visit, tmp_path):
    p = read(bundled("campaign"))
    text = credibly.save(p, tmp_path / "mine.csv").read_text()
    page = visit(served)
    assert page.locator("#screen-home").is_visible()
    drop(page, "mine.csv", text)
    shown(page, "mine.csv")
    set_costs(page)
    page.click("#maximise")
    brings(page, "4,560.60")
    with page.expect_download() as waiting:
        page.click("#save-rows")
    taken = waiting.value.path().read_text()
    assert taken.startswith("row,truth,label,probability\n")
    rows = list(csv.DictReader(io.StringIO(taken)))
    best = credibly.cost_benefit(p, {"tp": -15, "fp": 0.8})
    assert len(rows) == round(best.point.selected)
    assert sum(row["truth"] == "yes" for row in rows) == round(best.point.tp)
    assert {row["label"] for row in rows} == {"yes"}
    drop(page, "list.csv", taken)
    shown(page, "list.csv")
    set_costs(page)
    type_in(page, "#by-share", "100")
    brings(page, "4,560.60")
    expect(page).to_have_url(STATE, timeout=WAIT)
    address = page.url
    page.reload()
    shown(page, "list.csv")
    brings(page, "4,560.60")
    assert page.url == address


def test_roles_are_told_and_changed(served, visit):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 80)
    lines = [f"{t},{t + e:.4f},{t - e:.4f}" for t, e in zip(y, rng.normal(size=80), strict=True)]
    page = visit(served)
    drop(page, "unclear.csv", "\n".join(["y,first,second", *lines]))
    sees(page, "#screen-import .lead", "The names of unclear.csv did not say")
    tell(page, "second", "")
    tell(page, "first", "score")
    page.click("#use")
    shown(page, "unclear.csv")
    before = page.locator("#by-threshold").input_value()
    page.click("#study")
    tell(page, "first", "")
    tell(page, "second", "score")
    page.click("#use")
    page.wait_for_selector("#screen-overview")
    page.locator("#items a:not(.off)", has_text="Threshold and costs").click()
    expect(page.locator("#by-threshold")).not_to_have_value(before, timeout=WAIT)


def test_what_cannot_be_read_is_said_and_the_page_goes_on(served, visit):
    page = visit(served)
    drop(page, f"{HOSTILE}.zip", "PK\x03\x04")
    sees(page, "#trouble", "zip archive")
    assert HOSTILE in page.locator("#trouble").inner_text()
    page.get_by_role("button", name="campaign").click()
    shown(page, "campaign")
    assert page.locator("#trouble").inner_text() == ""


def test_hostile_labels_through_the_server(served, visit):
    rows = "".join(f"{HOSTILE if i % 3 else '</script>'},{i % 7},{HOSTILE}\n" for i in range(60))
    page = visit(served)
    drop(page, f"{HOSTILE}.csv", f"y,score,model\n{rows}")
    chip = page.locator(f'button.chip[data-class="{HOSTILE}"]')
    with read_again(page):
        chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true", timeout=WAIT)
    page.click("#use")
    shown(page, f"{HOSTILE}.csv")
    page.goto(page.url.partition("#")[0] + "#screen=curves")
    page.wait_for_selector("#chart-roc svg")
    assert page.locator("img").count() == 0


def test_an_address_of_an_earlier_start(served, visit):
    page = visit(served, f"{served.url}&id=gone")
    assert "Open the file again" in page.locator("#trouble").inner_text()


def test_no_other_page_can_ask(served, visit, browser):
    """A page of another origin gets no answer that it could read, and changes nothing."""
    context = browser.new_context()
    page = context.new_page()
    page.route(
        "http://evil.example/", lambda r: r.fulfill(body="<p>evil", content_type="text/html")
    )
    page.goto("http://evil.example/")
    before = len(served.ask("GET", "/api/predictions").json["sets"])
    for headers in ("{}", f"{{Authorization: 'Bearer {served.token}'}}"):
        said = page.evaluate(
            f"""fetch("{served.base}/api/example?token={served.token}",
                {{method: "POST", body: '{{"name": "campaign"}}', headers: {headers}}})
                .then(r => r.status, e => "refused")"""
        )
        assert said == "refused"
    assert len(served.ask("GET", "/api/predictions").json["sets"]) == before
    context.close()


def test_a_server_that_has_ended_is_said(served_with, visit):
    served = served_with("campaign")
    page = visit(served)
    shown(page, "campaign")
    served.process.kill()
    served.process.wait()
    page.click("#save-rows")
    sees(page, "#trouble", "The server does not answer")
    sees(page, "#saved", "The rows were not written")


def test_the_users_columns_go_with_the_selected_rows(served, visit):
    rows = "".join(
        f"{i % 2},{(i * 7) % 40 / 40},{'north' if i % 3 else 'south'}\n" for i in range(60)
    )
    page = visit(served)
    drop(page, "sites.csv", f"truth,probability,site\n{rows}")
    shown(page, "sites.csv")
    with page.expect_download() as waiting:
        page.click("#save-rows")
    first = waiting.value.path().read_text().splitlines()[0]
    assert first == "row,truth,label,probability,site"


def test_what_costs_nothing_is_said_and_asked_once(served, visit):
    page = visit(served)
    drop(page, "free.csv", "truth,probability\n" + "0,0.2\n1,0.7\n0,0.4\n1,0.6\n" * 10)
    shown(page, "free.csv")
    type_in(page, "#amount-fn", "1")  # costs start at nothing
    page.wait_for_selector("body[data-ready]:not([data-busy])", state="attached")
    asked = []
    page.on("request", lambda r: asked.append(r.url) if "cost-benefit" in r.url else None)
    type_in(page, "#amount-fp", "0")
    sees(page, "#turning", "everybody is best only if a selected 0 costs nothing")
    type_in(page, "#amount-fn", "0")
    sees(page, "#turning", "every list is as good as another")
    page.wait_for_selector("body[data-ready]:not([data-busy])", state="attached")
    assert len(asked) <= 2  # what is refused is not asked again and again


def test_names_that_run_from_right_to_left_turn_nothing_around(served, visit):
    name = "\u202e\u05d0\u05d1 12"
    rows = "".join(f"{'yes' if i % 2 else name},{i % 7}\n" for i in range(60))
    page = visit(served)
    drop(page, "bidi.csv", f"truth,score\n{rows}")
    page.wait_for_selector("#roles")
    page.locator("[data-class=yes]").click()
    page.click("#use:enabled")
    shown(page, "bidi.csv")
    said = page.locator("main").inner_text()
    assert "\u202e" not in said
    assert "\\u202e" in said
