"""The page itself: one file that holds everything, or one that a server completes."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from credibly.errors import CrediblyError
from credibly.render.vega_lite import themes
from credibly.render.web_page import hash_of, own_text, packed_vega, page_of, unpacking, vega_bundle

IMPORT = re.compile(r'^import \{[^}]*\} from "(\.{1,2}/[a-z_/]+\.js)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) )", re.MULTILINE)
UNHANDLED = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
START_MODULE = "main.js"  # starts the page when every screen has been declared
TOKENS = "tokens.css"  # shared with reports
STYLES = (TOKENS, "page.css")
# With a server every script is a file of it, and nothing but it is spoken to.
SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'"
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
    known = {"page_data": page_data, "server": server, "themes": themes()}
    markup = {Path(name).stem: Markup(static(name)) for name in _files(".html") if "/" in name}  # noqa: S704
    ours, policy = {"library": "", "script": "", "style": ""}, SERVED_POLICY
    if server is None:
        style = "\n".join(map(static, STYLES))
        script = unpacking() + one_script()
        ours = {"library": packed_vega(), "script": script, "style": style}
        policy = ONE_FILE_POLICY.format(
            library=hash_of(vega_bundle()), script=hash_of(script), style=hash_of(style)
        )
    return page_of(
        own_text("app", "browser", "page.html"),
        known,
        ours,
        title=page_data["title"] if page_data else "Credibly",
        served=server is not None,
        styles=STYLES,
        modules=[name for name in modules() if name.startswith("screens/")] + [START_MODULE],
        markup=markup,
        policy=policy,
    )


@cache
def modules() -> tuple[str, ...]:
    """Return the scripts of the page, each after those that it imports from; the screens before the start.

    >>> modules()[-1], modules().index("words.js") < modules().index("charts.js")
    ('main.js', True)
    """
    imports = {name: _imported(name) for name in _files(".js")}
    imports[START_MODULE] += [name for name in imports if name.startswith("screens/")]
    return tuple(TopologicalSorter(imports).static_order())


def _imported(name: str) -> list[str]:
    """Return what a script imports from, as it is called from the folder of all."""
    folder = posixpath.dirname(name)
    text = own_text("app", "browser", *name.split("/"))
    return [posixpath.normpath(posixpath.join(folder, each)) for each in IMPORT.findall(text)]


def _files(suffix: str) -> list[str]:
    """Return the files of the page and of its screens, by their place."""
    root = files("credibly").joinpath("app", "browser")
    found = [each.name for each in root.iterdir()]
    found += [f"screens/{each.name}" for each in root.joinpath("screens").iterdir()]
    return sorted(name for name in found if name.endswith(suffix))


def static(name: str) -> str:
    """Return a file that the page links to: a script, a style or Vega.

    >>> "wilson" in static("arithmetic.js")
    True
    """
    if name == "vega.js":
        return vega_bundle()
    if name == "reference.css":
        return own_text("app", name)
    if name == TOKENS:
        return own_text("render", name)
    if name not in {*_files(".js"), *_files(".css"), *_files(".html")}:
        raise CrediblyError(f"The page has no file {name!r}.")
    return own_text("app", "browser", *name.split("/"))


def one_script() -> str:
    """Return the modules as one script, for a page that is opened from a file and may load nothing.

    They share one scope, so imports and exports are left out; a test sees to it that no two modules
    use the same name.
    """
    joined = "\n".join(EXPORT.sub("", IMPORT.sub("", static(name))) for name in modules())
    if left := UNHANDLED.search(joined):
        raise CrediblyError(
            f"Modules import by name and export declarations; found {left.group()!r}."
        )
    return joined
