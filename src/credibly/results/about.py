"""What intervals are about, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from credibly._core.text import lower_first, percent
from credibly.errors import listed

About = Literal["cases", "models", "samples", "training", "datasets"]
MAX_NAMED = 4  # things whose intervals are about something else

ABOUT_ONE_MODEL = {
    "cases": "this model on new cases",
    "models": "the models of these folds alone, on new cases",
    "samples": "models fitted on bootstrap samples, which hold 63 % of these cases",
    "training": "this way of learning with new training sets",
    "datasets": "new datasets",
}

ABOUT_SEVERAL = {  # what differs of several models
    "cases": "these models on new cases",
    "training": "these ways of learning with new training sets",
}


def about_what(about: About, *, several: bool = False) -> str:
    """Say what an interval is about, of one model or of several.

    >>> about_what("cases"), about_what("cases", several=True)
    ('this model on new cases', 'these models on new cases')
    """
    return ABOUT_SEVERAL.get(about, ABOUT_ONE_MODEL[about]) if several else ABOUT_ONE_MODEL[about]


def about_text(
    intervals: Iterable[Any],  # of class Interval
    *,
    counted: bool = False,
    several: bool = False,
    methods: bool = True,
    names: Sequence[str] = (),
) -> str:
    """Say what intervals are about and how many were made by each method; nothing if there is none.

    Methods are ``counted`` in a table, whatever stands in it, and left out of a first look. ``several``
    says that models are several; ``names`` are those of what each interval is of.

    >>> from credibly.results import Interval
    >>> about_text([Interval(0.2, 0.4, 0.95, "Wilson"), Interval(0.1, 0.3, 0.95, "Wilson")])
    'Intervals are about this model on new cases: Wilson (2).'
    >>> about_text([Interval(0.2, 0.4, 0.95, "Wilson"), Interval(0.1, 0.3, 0.95, "t", "datasets")])
    'Intervals are about this model on new cases: Wilson (1). Those of means over datasets are about new datasets: t (1).'
    """
    made = list(intervals)
    if not made:
        return ""
    if not counted and len(made) == 1:
        only = made[0]
        return f"{percent(only.confidence_level)} interval about {about_what(only.about, several=several)}: {only.method}."
    found: dict[str, Counter[str]] = {}
    having: dict[str, list[str]] = {}
    for i, name in zip(made, names or [""] * len(made), strict=True):
        about = about_what(i.about, several=several)
        found.setdefault(about, Counter())[i.method_name] += 1
        having.setdefault(about, []).append(name)
    first, *others = (
        f"{about}: {', '.join(f'{name} ({n})' for name, n in counts.most_common())}."
        if methods
        else f"{about}."
        for about, counts in found.items()
    )
    told = [
        f" {_of(having, about)} about {o}" for about, o in zip([*having][1:], others, strict=True)
    ]
    return "".join([f"Intervals are about {first}", *told])


def _of(names: dict[str, list[str]], about: str) -> str:
    """Name what intervals are of, where it is little and no other interval is of the same."""
    if about == ABOUT_ONE_MODEL["datasets"]:
        return "Those of means over datasets are"
    own = dict.fromkeys(names[about])
    apart = all(own.keys().isdisjoint(of) for other, of in names.items() if other != about)
    if not apart or len(own) > MAX_NAMED:
        return "Others are"
    told = listed(map(lower_first, own))
    return f"That of {told} is" if len(names[about]) == 1 else f"Those of {told} are"
