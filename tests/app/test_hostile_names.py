"""Names are data on every screen: columns, models, classes, files, datasets, schemes, and whatever a study file holds."""

import json

import pytest

from app.desk import LONG
from app.test_schemes_story import weka
from app.test_screens import SCREENS
from app.test_stories import write

HOSTILE = "<img src=x onerror=alert(1)>"
TURNED = "\u202egpj.exe" + 200 * "x"  # nor may its length widen a page
# Pictures of the library are images too, in which nothing runs.
INJECTED = "document.querySelectorAll('img:not(.picture[src^=\"data:image/svg+xml\"]), main script, main iframe:not([src^=preview]), main style').length"


def hostile_study(folder):
    """Everything that somebody may name is named so that careless pages run it or turn it around."""
    rows = [
        (HOSTILE if i % 2 else TURNED, f"{(i * 7 % 10) / 10}", f"{(i * 3 % 10) / 10}", f"</script>{i % 3}")
        for i in range(60)
    ]  # fmt: skip
    header = ["truth", f"{HOSTILE}p1", "'\"`{{p2}}", "__proto__"]
    return write(folder / "<b onmouseover=alert(1)>x.csv", header, rows)


def test_names_on_every_screen(sit, tmp_path):
    desk = sit("phone")
    desk.open(hostile_study(tmp_path))
    desk.fits()
    for column in desk.run("[...document.querySelectorAll('select[data-column]')].map((s) => s.dataset.column)")[1:3]:  # fmt: skip
        desk.page.locator("select[data-column]").nth(1 if HOSTILE in column else 2).select_option("probability")  # fmt: skip
        desk.settle()
    desk.page.locator("#screen-import .chip[data-class]").first.click()
    desk.settle()
    desk.use()
    for screen in SCREENS:
        desk.run(f"location.hash = '#screen={screen}'")
        desk.sees(f"#screen-{screen} h1")
        assert "[object Object]" not in desk.text(f"#screen-{screen}")
        assert "\u202e" not in desk.text("body")
        assert desk.run(INJECTED) == 0, screen
        desk.fits()
    desk.look("wide")
    desk.to("measures")
    desk.page.locator("#screen-measures select").first.select_option("__proto__")
    desk.settle()
    assert "</script>" in desk.text("#screen-measures")
    desk.click("#command")
    desk.sees("#drawer pre")
    assert desk.run(INJECTED) == 0
    desk.page.keyboard.press("Escape")
    text = desk.report(tmp_path / "report.html")
    assert HOSTILE not in text.replace("\\u003c", "")


def test_names_of_datasets_and_schemes(sit, tmp_path):
    path = weka(tmp_path / "weka.csv")
    path.write_text(path.read_text().replace("anneal", HOSTILE).replace("J48", "</td><script>"))
    desk = sit()
    desk.run("location.hash = '#screen=experiments'")
    desk.sees("#screen-experiments h1")
    desk.choose("#screen-experiments input[type=file]", path)
    desk.sees("#save-experiment", LONG)
    assert HOSTILE in desk.text("#screen-experiments")
    assert desk.run(INJECTED) == 0
    assert HOSTILE not in desk.saved("#save-experiment", tmp_path / "experiment.html")


GOOD = {"credibly_study": 1, "name": "p.csv", "options": {}, "fingerprint": "f", "state": "", "data": None}  # fmt: skip
STUDIES = {
    "no base64": {**GOOD, "data": "%%%"},
    "no name": {"credibly_study": 1, "data": "dHJ1dGg="},
    "a name that is none": {**GOOD, "name": {"toString": 1}, "data": "dHJ1dGg="},
    "options that are none": {**GOOD, "options": "truth", "data": None},
    "options of others": {**GOOD, "options": {"__proto__": {"x": 1}, "constructor": "y", "truth": HOSTILE}},
    "a state that is none": {**GOOD, "state": 5},
    "a hostile state": {**GOOD, "state": f"#screen={HOSTILE}&model={HOSTILE}&tp=1e999&unit={HOSTILE}&report.order=|||"},
}  # fmt: skip


@pytest.mark.thorough(name=list(STUDIES)[::3])
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_file_that_nobody_wrote(sit, tmp_path, name):
    data = write(tmp_path / "p.csv", ["truth", "score"], [(i % 2, i % 7) for i in range(40)])
    (tmp_path / "x.study.json").write_text(json.dumps(STUDIES[name]))
    desk = sit(expected=["the server responded with a status of 4"])
    desk.choose("input[type=file]", tmp_path / "x.study.json")
    desk.sees("#trouble .notice")
    desk.open(data)
    assert desk.run(INJECTED) == 0
    assert desk.run("({}).x === undefined")
