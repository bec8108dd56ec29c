"""A document as one page: no network, no server, nothing beside it."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from credibly.plots._vega import config_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from credibly.reports.document import Block, Document


class _Run(NamedTuple):
    """Blocks of one kind that follow each other."""

    kind: str
    blocks: list[Any]


def page(document: Document) -> str:
    """Render a document; every text is escaped, and only the page's own scripts may run."""
    from jinja2 import Environment
    from markupsafe import Markup

    figures = document.figures()
    places = {id(f): i for i, f in enumerate(figures)}
    specs = [f.spec(interactive=True) for f in figures]
    for spec in specs:
        del spec["config"]
    configs = {theme: {**config_of(theme), "background": None} for theme in ("light", "dark")}
    payload = json.dumps({"specs": specs, "configs": configs}, ensure_ascii=False)
    scripts = {
        "library": vega_bundle() if figures else "",
        "script": _text("report.js") if figures else "",
    }
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_text("report.html")).render(
        document=document,
        runs=_runs,
        number=lambda block: places[id(block.figure)],
        style=Markup(_text("report.css")),  # noqa: S704  (our own file)
        figures=Markup(_inert(payload)),  # noqa: S704  (cannot end its element)
        hashes=Markup(" ".join(map(_hash, scripts.values()))),  # noqa: S704
        **{name: Markup(text) for name, text in scripts.items()},  # noqa: S704
    )


def _runs(blocks: Sequence[Block]) -> Iterator[_Run]:
    for kind, run in groupby(blocks, lambda b: type(b).__name__):
        yield _Run(kind, list(run))


def _text(name: str) -> str:
    return files("credibly.reports").joinpath(name).read_text(encoding="utf-8")


def _inert(text: str) -> str:
    """Write JSON so that no label in it can end the element it stands in."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


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
        part = kept.with_suffix(f".{os.getpid()}.part")
        part.write_text(bundle, encoding="utf-8")
        part.replace(kept)
    except OSError:
        pass  # a read-only home costs two seconds, nothing else
    return bundle


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "credibly"
