"""Predictions that come with Credibly, to try things on."""

from __future__ import annotations

from pathlib import Path

from credibly._core.errors import UnknownNameError, did_you_mean

FOLDER = Path(__file__).parents[1] / "demo_data"


def bundled_names() -> list[str]:
    """Return the names of the bundled files.

    >>> bundled_names()
    ['breast-cancer', 'campaign']
    """
    return sorted(path.name.partition(".")[0] for path in FOLDER.iterdir() if path.is_file())


def bundled(name: str) -> Path:
    """Return the path of a bundled file.

    >>> bundled("campaign").name
    'campaign.csv.gz'
    """
    for path in FOLDER.iterdir():
        if path.name.partition(".")[0] == name:
            return path
    known = bundled_names()
    msg = f"There are no bundled predictions {name!r}; there are {', '.join(known)}.{did_you_mean(name, known)}"
    raise UnknownNameError(msg)
