"""Labels are data: wherever text is shown, none of them is obeyed, and none turns round what stands beside it."""

import json
import re
import shutil
import subprocess
import unicodedata
from functools import cache
from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest
from hypothesis import given, strategies as st

import credibly
from credibly import CrediblyError, Predictions
from credibly._core.layout import Printed
from credibly._core.text import visible, width_of
from credibly.app.page import static
from credibly.cli import main
from credibly.plots import plots

HEBREW, ARABIC, TURNED, COLOUR = "שלום עולם", "مرحبا", "a\u202eb\u2066c", "red\x1b[31m"
NAMES = (HEBREW, ARABIC, TURNED, COLOUR)
FIRST_STRONG, POP = "\u2068", "\u2069"


def undisturbed(text, *, isolated=True):
    """Whether everything that runs from right to left is isolated, and nothing else steers the text."""
    inside = 0
    for c in text:
        if c == FIRST_STRONG and isolated:
            assert not inside, "isolates need not be nested"
            inside = 1
        elif c == POP and isolated:
            assert inside
            inside = 0
        elif unicodedata.bidirectional(c) in {"R", "AL"}:
            assert inside or not isolated, text
        elif inside:
            assert c in " -" or unicodedata.bidirectional(c) in {
                "NSM",
                "AN",
                "ON",
                "BN",
                "ET",
                "CS",
            }, text
        else:
            assert c.isprintable() or c in "\n\r\t", (c, text)
    assert not inside


@cache
def shown_names():
    """Predictions whose classes and models have such names."""
    rng = np.random.default_rng(4)
    n = 40
    truth = np.array([HEBREW, TURNED], object)[np.arange(n) % 2]
    columns = {"truth": [], "probability": [], "model": [], "row": []}
    for model in NAMES:
        columns["truth"] += truth.tolist()
        columns["probability"] += np.clip(
            0.4 * (np.arange(n) % 2) + 0.5 * rng.random(n), 0.01, 0.99
        ).tolist()
        columns["model"] += [model] * n
        columns["row"] += [f"{ARABIC} {i}" for i in range(n)]
    return Predictions.of(
        columns.pop("truth"), **columns, classes=[HEBREW, TURNED], positive=TURNED
    )


def few_cases():
    """Predictions with something to say of every name."""
    names = [*NAMES, HEBREW]
    return Predictions.of(names, label=[*NAMES, TURNED], classes=[*NAMES, "never"])


@cache
def results():
    p = shown_names()
    one = p.take(np.flatnonzero(p.model == HEBREW))
    costs = {"fn": 5, "fp": 1}
    return [
        credibly.evaluate(p), credibly.evaluate(p, "recall", by="class"), credibly.evaluate(few_cases()),
        credibly.evaluate(few_cases(), by="class"),
        credibly.curve("roc", p), credibly.hull(p), credibly.compare(p), credibly.check(p),
        credibly.decide(one, costs), credibly.decide(p, costs), credibly.cost_benefit(p, costs),
        credibly.calibration(one),
    ]  # fmt: skip


@pytest.mark.parametrize("place", range(12))
def test_results_print_themselves(place):
    undisturbed(str(results()[place]))


def test_whatever_prints_itself_does_it_so():
    """A class with words of its own says them through the one place that shows names."""
    found = []
    for module in walk_packages(credibly.__path__, "credibly."):
        if module.name.endswith("__main__"):
            continue
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and "__str__" in thing.__dict__:
                ours = thing.__module__ == module.name and not issubclass(
                    thing, BaseException | str
                )
                found += [thing] if ours else []
    assert len(found) > 15
    assert [c for c in found if not issubclass(c, Printed)] == []


COMMANDS = [
    ["evaluate"], ["evaluate", "--by", "class"], ["check"], ["curve", "roc"], ["hull"], ["compare"],
    ["decide", "--cost", "fn=5", "--cost", "fp=1"], ["cost-benefit", "--cost", "fp=1", "--benefit", "tp=5"],
]  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("labels") / f"{ARABIC}.parquet"
    credibly.save(shown_names(), path)
    return path


@pytest.mark.daily
@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: "-".join(c[:2]))
@pytest.mark.parametrize("form", [[], ["--markdown"]], ids=["text", "markdown"])
def test_commands_print(command, form, file, capsys):
    code = main([*command, str(file), *form])
    said = capsys.readouterr()
    assert code in {0, 1}
    undisturbed(said.out)
    undisturbed(said.err)


def test_what_is_wrong_is_said_of_such_names(file, capsys):
    for wrong in (["--positive", f"{HEBREW} 5"], ["--measure", HEBREW], ["--truth", TURNED]):
        assert main(["evaluate", str(file), *wrong])
        undisturbed(capsys.readouterr().err)


@pytest.mark.daily(form=["html"])
@pytest.mark.parametrize("form", ["html", "md", "tex"])
def test_reports(form, tmp_path):
    path = tmp_path / f"report.{form}"
    credibly.report(shown_names(), costs={"fn": 5, "fp": 1}).save(path)
    text = path.read_text(encoding="utf-8")
    for name in (HEBREW, ARABIC):
        assert name in text
    if form == "html":
        text, _, scripts = text.partition('<script type="application/json" id="figures">')
        specifications = json.loads(scripts.partition("</script>")[0])
        undisturbed("".join(strings(specifications)))
    if form == "md":
        text = re.sub(
            r"```(sh|python)\n.*?```", "", text, flags=re.DOTALL
        )  # a command is to be copied
    undisturbed(text, isolated=form != "tex")


def strings(part):
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for each in part.values():
            yield from strings(each)
    elif isinstance(part, list):
        for each in part:
            yield from strings(each)


@pytest.mark.thorough
@pytest.mark.parametrize("entry", list(plots), ids=lambda e: e.name)
def test_pictures(entry):
    plt = pytest.importorskip("matplotlib.pyplot")
    for p in (shown_names(), few_cases(), *results()[:10]):
        try:
            figure = entry(p)
        except CrediblyError:
            continue
        for text in strings(figure.spec(interactive=True)):
            undisturbed(text)
        ax = figure.draw(plt.figure().subplots())
        for text in ax.findobj(lambda a: hasattr(a, "get_text")):
            undisturbed(text.get_text(), isolated=False)
        plt.close(ax.figure)


LETTERS = st.sampled_from(
    [*"ab 12-,'()|", "\n", "ש", "ל", "م", "\u202e", "\u2068", "\u2069", "\x1b", "é"]
)


@given(st.text(LETTERS, max_size=12))
def test_every_text_is_shown_undisturbed_and_twice_is_once(text):
    once = visible(text)
    undisturbed(once)
    assert visible(once) == once
    assert width_of(once) == sum(c not in FIRST_STRONG + POP for c in once)


def test_ordinary_text_stays_as_it_is():
    for text in ("accuracy 0.5", "Größe äöü 日本語 €", "a|b\n- c"):
        assert visible(text) == text


def test_the_page_writes_names_as_python_does():
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node on this machine")
    texts = [*NAMES, f"'{HEBREW}' (3), '{ARABIC}' (2)", "plain 5 %", "日本語", visible(HEBREW)]
    code = (
        static("words.js").decode() if isinstance(static("words.js"), bytes) else static("words.js")
    )
    code += f"\nconsole.log(JSON.stringify({json.dumps(texts)}.map(shownText)));"
    ran = subprocess.run(
        [node, "--input-type=module", "-"], input=code, capture_output=True, text=True, check=True
    )
    for text, found in zip(texts, json.loads(ran.stdout), strict=True):
        undisturbed(found)
        assert found.replace("\\u001b", "\\x1b") == visible(text)
