"""The page itself: one file that holds everything, or one that a server completes."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from credibly.errors import CrediblyError
from credibly.render.vega_lite import config_of
from credibly.render.web_page import inert, vega_bundle

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
    from jinja2 import Environment
    from markupsafe import Markup

    themes = {t: {**config_of(t), "background": None} for t in ("light", "dark")}
    known = {"scene": page_data, "server": server, "themes": themes}
    payload = json.dumps(known, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    library, script = ("", "") if server else (static("vega.js"), one_script())
    style = "" if server else static("page.css")
    policy = SERVED_POLICY if server else _policy_of_one_file(library, script, style)
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_text("page.html")).render(
        title=page_data["title"] if page_data else "Credibly",
        served=server is not None,
        policy=policy,
        payload=Markup(inert(payload)),  # noqa: S704  (cannot end its element)
        library=Markup(library),  # noqa: S704  (our own files)
        script=Markup(script),  # noqa: S704
        style=Markup(style),  # noqa: S704
    )


def static(name: str) -> str:
    """Return a file that the page links to: a module, the style or Vega.

    >>> "wilson" in static("arithmetic.js")
    True
    """
    if name == "vega.js":
        return vega_bundle()
    if name not in (*MODULES, "page.css"):
        raise CrediblyError(f"The page has no file {name!r}.")
    return _text(name)


def one_script() -> str:
    """Return the modules as one script, for a page that is opened from a file and may load nothing.

    They share one scope, so imports and exports are left out; a test sees to it that no two modules
    use the same name.
    """
    joined = "\n".join(EXPORT.sub("", IMPORT.sub("", _text(name))) for name in MODULES)
    if left := LEFT.search(joined):
        raise CrediblyError(
            f"Modules import by name and export declarations; found {left.group()!r}."
        )
    return joined


def _policy_of_one_file(library: str, script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(library)} {_hash(script)}; style-src {_hash(style)}; "
        "img-src data: blob:; form-action 'none'; base-uri 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _text(name: str) -> str:
    return files("credibly.app").joinpath("browser", name).read_text(encoding="utf-8")
