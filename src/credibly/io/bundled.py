"""Predictions that come with Credibly, to try things on."""

from __future__ import annotations

from pathlib import Path

from credibly.errors import UnknownNameError

DEMO_FOLDER = Path(__file__).parents[1] / "demo_data"
POSITIVE_CLASSES = {"breast-cancer": "malignant"}  # where the names of the classes do not tell
COSTS_OF_DATASETS = {
    "campaign": {"tp": -15.0, "fp": 0.8, "fn": 0.0, "tn": 0.0}
}  # of a response and of a letter
DATASET_STORIES = {
    "breast-cancer": "Four models of 569 tumours. Which is really best, and can its probabilities be believed?",
    "campaign": "One model of 47,706 customers. Whom should a letter go to, and what will that bring?",
}


def bundled_names() -> list[str]:
    """Return the names of the bundled files.

    >>> bundled_names()
    ['breast-cancer', 'campaign']
    """
    return sorted(_name_of(path) for path in DEMO_FOLDER.iterdir() if path.is_file())


def bundled(name: str) -> Path:
    """Return the path of a bundled file.

    >>> bundled("campaign").name
    'campaign.csv.gz'
    """
    for path in DEMO_FOLDER.iterdir():
        if _name_of(path) == name:
            return path
    known = bundled_names()
    raise UnknownNameError(
        f"There are no bundled predictions {name!r}; there are {', '.join(known)}.",
        asked=name,
        choices=known,
    )


def bundled_story(name: str) -> str:
    """Return what a bundled file is about, and what one may ask of it.

    >>> [bundled_story(name) != "" for name in bundled_names()]
    [True, True]
    """
    return DATASET_STORIES.get(name, "")


def bundled_options(path: Path) -> dict[str, str]:
    """Return how a bundled file is to be read, as arguments of :func:`read`; of another file nothing is known.

    >>> bundled_options(bundled("breast-cancer")), bundled_options(Path("breast-cancer.csv"))
    ({'positive': 'malignant'}, {})
    """
    known = POSITIVE_CLASSES.get(_name_of(path)) if path.parent == DEMO_FOLDER else None
    return {} if known is None else {"positive": known}


def bundled_costs(path: Path) -> dict[str, float] | None:
    """Return what the outcomes of a bundled file cost, where that is part of its story.

    >>> bundled_costs(bundled("campaign"))
    {'tp': -15.0, 'fp': 0.8, 'fn': 0.0, 'tn': 0.0}
    """
    return COSTS_OF_DATASETS.get(_name_of(path)) if path.parent == DEMO_FOLDER else None


def _name_of(path: Path) -> str:
    return path.name.partition(".")[0]
