"""A whole story in Firefox, the second engine: a file, its columns, every screen, and the report."""

import shutil

import pytest

from app.firefox import PROGRAM, Firefox
from app.test_stories import clinical

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(PROGRAM is None, reason="there is no firefox on this machine"),
]
SETTLED = "document.body.dataset.ready && !document.body.dataset.busy"
SCREENS = (
    "overview", "measures", "threshold", "curves", "calibration", "compare", "errors", "checks", "report",
)  # fmt: skip


@pytest.fixture
def firefox(tmp_path):
    (tmp_path / "profile").mkdir()
    made = Firefox(tmp_path / "profile")
    yield made
    made.close()
    shutil.rmtree(tmp_path / "profile", ignore_errors=True)


def role(firefox, column, value):
    firefox.run(
        f"""{{const s = document.querySelector('select[data-column="{column}"]'); s.value = "{value}";
        s.dispatchEvent(new Event("change"))}}"""
    )
    firefox.wait_for(SETTLED)


def press(firefox, selector):
    firefox.run(f"document.querySelector('{selector}').click()")
    firefox.wait_for(SETTLED)


def test_a_clinical_file_from_its_columns_to_the_report(served, firefox, tmp_path):
    path = clinical(tmp_path / "ward.csv")
    firefox.open(served.url)
    firefox.wait_for(SETTLED)
    firefox.run("""window.heard = []; window.addEventListener("error", (e) => heard.push(e.message));
        window.addEventListener("unhandledrejection", (e) => heard.push(String(e.reason))); 0""")
    firefox.choose("input[type=file]", path)
    firefox.wait_for("document.querySelector('#roles')")
    role(firefox, "patient", "group")
    for column in ("old", "new"):
        role(firefox, column, "probability")
    press(firefox, "[data-option=percent]")
    press(firefox, '[data-class="died"]')
    press(firefox, "[data-option=complete]")
    press(firefox, "#use")
    for screen in SCREENS:
        firefox.run(f"location.hash = '#screen={screen}'")
        firefox.wait_for(f"document.querySelector('#screen-{screen}:not([hidden]) h1')")
        firefox.wait_for(SETTLED)
        said = firefox.run(f"document.querySelector('#screen-{screen}').innerText")
        assert len(said) > 100, screen
        assert "undefined" not in said.split("\n")[0], screen
    assert firefox.run("document.documentElement.scrollWidth <= innerWidth")
    firefox.run("""window.saved = new Promise((done) => {
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blob.text().then(done); return make.call(URL, blob); };
      }); 0""")
    press(firefox, "#screen-report button.main")
    page = firefox.run("window.saved.then((text) => text.slice(0, 200000))")
    assert "Evaluation of ward.csv" in page
    assert firefox.run("heard.join()") == ""
