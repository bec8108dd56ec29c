"""Draw the README's pictures: its first table, what `credibly demo` prints, the report that it writes, a notebook.

Run from the repository: python scripts/make_pictures.py (the report and the notebook need playwright and chromium).
"""

import io
import os
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
# What a notebook has: a frame around what is typed, and stripes in tables.
CELLS = """
body { font: 14px/1.45 system-ui, sans-serif; margin: 16px; background: #fff; color: #212121 }
pre { background: #f5f5f5; border: 1px solid #e0e0e0; padding: 5px 8px }
table { font-size: 12.5px } tbody tr:nth-child(even) { background: #f5f5f5 }
thead { border-bottom: 1px solid #bdbdbd }
"""
COLOURS = {r"^note:": "dim", r"^Next.*$": "bold", r"^model .*$": "bold"}
WIDTH = 100  # letters in a line of the terminal


def main():
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "credibly-demo.html"
        draw_first()
        draw_terminal(folder)
        draw_report(page)
        draw_notebook(folder)


def draw_first():
    import credibly

    inputs, truth = load_breast_cancer(return_X_y=True)
    p = credibly.run(["naive-bayes", "tree", "knn"], inputs, truth, rng=1)
    table = credibly.evaluate(p, "error_rate", estimate="fold_mean")
    table.plot().save(IMAGES / "first.svg")


def draw_terminal(folder):
    command = "from credibly.cli import main; main(['demo'])"
    printed = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "COLUMNS": str(WIDTH)},
    ).stdout
    text = Text(printed)
    for pattern, style in COLOURS.items():
        for found in re.finditer(pattern, printed, re.MULTILINE):
            text.stylize(style, *found.span())
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(text)
    drawn = console.export_svg(title="credibly demo")
    # The fonts would be fetched from elsewhere; any monospaced one will do.
    TARGET.write_text(re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL))


def draw_report(page):
    photograph(page, "report.png", VIEW, "body[data-drawn=yes]")


def draw_notebook(folder):
    """Draw two results as the cells of a notebook show them."""
    import credibly

    inputs, truth = load_breast_cancer(return_X_y=True)
    p = credibly.run(["knn", "tree"], inputs, truth, resampling="holdout", rng=1)
    calls = {
        "credibly.curve('roc', p.where(model='knn'), band='pointwise', rng=1)": credibly.curve(
            "roc", p.where(model="knn"), band="pointwise", rng=1
        ),
        "credibly.compare(p)": credibly.compare(p),
    }
    cells = "".join(f"<pre>{call}</pre>{made._repr_html_()}" for call, made in calls.items())
    page = Path(folder) / "notebook.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><style>{CELLS}</style>{cells}", "utf-8")
    photograph(page, "notebook.png", {"width": 900, "height": 778}, "table")


def photograph(page, name, view, drawn):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        flags = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        tab = browser.new_page(viewport=view)
        tab.goto(page.as_uri())
        tab.wait_for_selector(drawn)
        tab.screenshot(path=IMAGES / name)
        browser.close()


if __name__ == "__main__":
    main()
