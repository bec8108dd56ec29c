"""Draw the README's pictures: its first table, what `credibly demo` prints, and the report that it writes.

Run from the repository: python scripts/make_pictures.py (the report needs playwright and chromium).
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text
from sklearn.datasets import load_breast_cancer

IMAGES = Path(__file__).parent.parent / "docs" / "images"
TARGET = IMAGES / "demo.svg"
VIEW = {"width": 1300, "height": 1200}
COLOURS = {r"^problem:": "bold red", r"^(What it means|Next)$": "bold", r"^measure .*$": "bold"}


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "credibly-demo.html"
        draw_first()
        draw_terminal(folder)
        draw_report(page)


def draw_first():
    import credibly

    inputs, truth = load_breast_cancer(return_X_y=True)
    p = credibly.run(["naive-bayes", "tree", "knn"], inputs, truth, rng=1)
    table = credibly.evaluate(p, "error_rate", estimate="fold_mean")
    table.plot().save(IMAGES / "first.svg")


def draw_terminal(folder):
    command = "from credibly.cli import main; main(['demo'])"
    printed = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True, cwd=folder
    ).stdout
    text = Text(printed)
    for pattern, style in COLOURS.items():
        for found in re.finditer(pattern, printed, re.MULTILINE):
            text.stylize(style, *found.span())
    console = Console(record=True, width=136, file=io.StringIO())
    console.print(text)
    drawn = console.export_svg(title="credibly demo")
    # The fonts would be fetched from elsewhere; any monospaced one will do.
    TARGET.write_text(re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL))


def draw_report(page):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        flags = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        tab = browser.new_page(viewport=VIEW)
        tab.goto(page.as_uri())
        tab.wait_for_selector("body[data-drawn=yes]")
        tab.screenshot(path=IMAGES / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
