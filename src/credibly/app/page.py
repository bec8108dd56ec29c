"""The page itself: one file that holds everything, or one that a server completes."""

from __future__ import annotations

import re
from typing import Any

from credibly.errors import CrediblyError
from credibly.render.vega_lite import themes
from credibly.render.web_page import hash_of, own_text, page_of, vega_bundle

MODULES = (
    "arithmetic.js",
    "curves.js",
    "state.js",
    "words.js",
    "sentences.js",
    "charts.js",
    "exports.js",
    "analyser.js",
    "explorer.js",
    "opening.js",
    "main.js",
)  # each imports from those before it alone
IMPORT = re.compile(r'^import \{[^}]*\} from "\./[a-z]+\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)
LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
# With a server every script is a file of it, and nothing but it is spoken to.
SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'"
)

ONE_FILE_POLICY = (
    "default-src 'none'; script-src {library} {script}; style-src {style}; img-src data: blob:; "
    "form-action 'none'; base-uri 'none'"
)


def render(page_data: dict[str, Any] | None, *, server: dict[str, Any] | None = None) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    page_data
        From :func:`credibly.app.page_data.page_data`; without one the page asks for a file.
    server
        What the page needs to know of its server (``token``, ``limit`` in bytes); its scripts are then
        links to ``static/``. Without, everything is in the page, which may be opened from a file.

    >>> from credibly.app.page import render
    >>> "<script src=" in render(None), "<script src=" in render(None, server={"token": "t"})
    (False, True)
    """
    known = {"scene": page_data, "server": server, "themes": themes()}
    ours = {"library": "", "script": "", "style": ""}
    if server is None:
        ours = {"library": vega_bundle(), "script": one_script(), "style": static("page.css")}
    return page_of(
        own_text("app", "browser", "page.html"),
        known,
        ours,
        title=page_data["title"] if page_data else "Credibly",
        served=server is not None,
        policy=SERVED_POLICY
        if server
        else ONE_FILE_POLICY.format(**{name: hash_of(text) for name, text in ours.items()}),
    )


def static(name: str) -> str:
    """Return a file that the page links to: a module, the style or Vega.

    >>> "wilson" in static("arithmetic.js")
    True
    """
    if name == "vega.js":
        return vega_bundle()
    if name == "reference.css":
        return own_text("app", name)
    if name not in (*MODULES, "page.css"):
        raise CrediblyError(f"The page has no file {name!r}.")
    return own_text("app", "browser", name)


def one_script() -> str:
    """Return the modules as one script, for a page that is opened from a file and may load nothing.

    They share one scope, so imports and exports are left out; a test sees to it that no two modules
    use the same name.
    """
    joined = "\n".join(
        EXPORT.sub("", IMPORT.sub("", own_text("app", "browser", name))) for name in MODULES
    )
    if left := LEFT.search(joined):
        raise CrediblyError(
            f"Modules import by name and export declarations; found {left.group()!r}."
        )
    return joined
