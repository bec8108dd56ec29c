"""Write `credibly._core.entry_names`: the names of registered things as types, which editors complete.

Run it after a thing was added: `python scripts/name_types.py`. A test says when that is due.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from credibly.catalogue.registries import registry_of

TARGET = Path(__file__).parents[1] / "src" / "credibly" / "_core" / "entry_names.py"
# Kinds whose names public functions take, each with the name of its type.
TYPES = {
    "measures": "MeasureName",
    "comparisons": "TestName",
    "curves": "CurveName",
    "plots": "PlotName",
    "resamplings": "ResamplingName",
    "interval_methods": "IntervalMethodName",
    "estimators": "EstimatorName",
    "band_methods": "BandMethodName",
    "recalibrations": "RecalibrationName",
    "schemes": "SchemeName",
}
BESIDE = {"plots": ["curves"]}  # kinds whose names are taken as well
HEAD = '''"""Names of registered things as types: an editor completes them, and any other text is taken too.

Written by `scripts/name_types.py`. When the program runs, each is plain text, since a name may have
arguments, other names and plug-ins.
"""

# ruff: noqa: PYI051 -- the names are not redundant to an editor

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    # fmt: off
'''


def names_of(kind: str) -> list[str]:
    """Return the names of the things of a kind that Credibly itself declares."""
    own = [e for e in registry_of(kind) if e.function.__module__.startswith("credibly.")]
    return sorted({e.name for e in own})


def written() -> str:
    """Return the text of the module."""
    lines = [HEAD]
    for kind, name in TYPES.items():
        names = dict.fromkeys(n for each in (kind, *BESIDE.get(kind, ())) for n in names_of(each))
        listed = ", ".join(f'"{n}"' for n in names)
        body = fill(
            listed, 100, initial_indent=" " * 8, subsequent_indent=" " * 8, break_on_hyphens=False
        )
        lines.append(f"    {name} = Literal[\n{body},\n    ] | str\n")
    lines.append("    # fmt: on\nelse:\n")
    lines += [f"    {name} = str\n" for name in TYPES.values()]
    return "".join(lines)


if __name__ == "__main__":
    TARGET.write_text(written(), "utf-8")
