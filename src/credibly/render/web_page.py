"""Pages that show pictures without a network: Vega as one script, and data that no label can break."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Unpack, get_args
from zlib import MAX_WBITS, compressobj

from credibly._core.files import write_whole
from credibly._core.text import visible
from credibly.errors import DataError
from credibly.render.palette import GROUND, INK
from credibly.results.figure import Figure, Look, Theme, renderer

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: {scheme}; }}
body {{ background: light-dark({ground[light]}, {ground[dark]}); color: light-dark({ink[light]}, {ink[dark]}); font-family: system-ui, sans-serif; }}
figure {{ margin: 1rem; }} #picture {{ width: 100%; }} #picture svg {{ max-width: 100%; height: auto; }}
</style>
{library}
</head>
<body>
<figure><div id="picture" role="img" aria-label="{alt}"></div><figcaption>{alt}</figcaption></figure>
<script>
{unpack}const looks = {looks};
const config = looks[matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"] ?? Object.values(looks)[0];
vegaEmbed("#picture", {{...{spec}, config}}, {{renderer: "svg", actions: false}});
</script>
</body>
</html>
"""


@renderer()
def html(figure: Figure, **look: Unpack[Look]) -> str:
    """Return a page with one picture and its description, in the theme that is asked for or else in the reader's."""
    themes: list[Theme] = [look["theme"]] if "theme" in look else [*get_args(Theme)]
    looks = {}
    for theme in themes:
        look["theme"] = theme
        spec = figure.spec(interactive=True, **look)
        looks[theme] = spec.pop("config")
    return PAGE.format(
        title=escape(figure.title),
        alt=escape(figure.alt),
        scheme=" ".join(themes),
        ground=GROUND,
        ink=INK,
        library=packed_vega(),
        unpack=unpacking(),
        looks=inert(json.dumps(looks)),
        spec=inert(json.dumps(spec, ensure_ascii=False)),
    )


def inert(text: str) -> str:
    r"""Write JSON so that no label in it can end the element it stands in.

    >>> print(inert('{"name": "</script>"}'))
    {"name": "\u003c/script\u003e"}
    """
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def own_text(*place: str) -> str:
    """Return the text of a file of this package."""
    return files("credibly").joinpath(*place).read_text(encoding="utf-8")


def hash_of(script: str) -> str:
    """Return what a policy names a script or a style by."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def page_of(template: str, data: dict[str, Any], ours: dict[str, str], **shown: object) -> str:
    """Fill in a page: data as JSON that cannot end its element, what is ours as it stands, all else escaped."""
    from jinja2 import Environment
    from markupsafe import Markup

    payload = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    own = {name: Markup(text) for name, text in (ours | {"payload": inert(payload)}).items()}  # noqa: S704
    environment = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: (
            value if isinstance(value, Markup) or not isinstance(value, str) else visible(value)
        ),
    )
    return environment.from_string(template).render(**own, **shown)


def vega_bundle() -> str:
    """Return Vega and its embedding as one script; kept in the user's cache, since bundling takes seconds."""
    import vl_convert

    kept = _cache() / f"vega-{version('vl-convert-python')}.js"
    try:
        return kept.read_text(encoding="utf-8")
    except OSError:
        pass
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed; window.vega = vega;")
    bundle = bundle.replace("</script", "<\\/script")
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, bundle)
    except (OSError, DataError):
        pass  # a read-only home costs two seconds, nothing else
    return bundle


@cache
def packed_vega() -> str:
    """Return Vega compressed, less than half as long, as an element of pages that hold it themselves."""
    whole = vega_bundle().encode()
    packing = compressobj(9, wbits=-MAX_WBITS)
    packed = b64encode(packing.compress(whole) + packing.flush()).decode()
    return f'<script type="text/plain" id="library" data-size="{len(whole)}">{packed}</script>'


def unpacking() -> str:
    """Return the script that unpacks it in a page, before what draws."""
    return own_text("render", "unpack.js")


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "credibly"
