"""A real browser, and pages opened in it that must stay silent."""

import os
import shutil
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Where pages and screenshots go; CREDIBLY_SCREENSHOTS keeps them."""
    kept = os.environ.get("CREDIBLY_SCREENSHOTS")
    path = Path(kept) if kept else tmp_path_factory.mktemp("pages")
    path.mkdir(parents=True, exist_ok=True)
    return path
