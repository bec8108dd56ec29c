"""Published figures beside ours: designs of papers, each declared once with what its source says.

A design is a function under `@design` in a module of this package. What is exact is a function without
arguments that returns all its figures; what is simulated is a function of a random generator that returns
those of one sample, of which the mean is shown with its Monte Carlo error. Only figures that were read in
their source, or that anyone can recompute from it, are declared. Run from the repository:

    python -m tests.simulation.published --output docs/validity/published.csv

A second table, published-page.csv beside it, is the one that the documentation shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from zlib import crc32

import numpy as np

SEED = 20261116
ERRORS = 2.5  # Monte Carlo errors by which ours may be off before it is said to differ
ROUNDING = 1e-9  # by which exact figures may be off, of their size


@dataclass(frozen=True)
class Published:
    """What a source says: the range that it leaves open, in its words."""

    said: str
    low: float = -math.inf
    high: float = math.inf
    redone: str | None = None  # the figure of the source's own method, computed on the same samples

    def range(self, found):
        """Return what ours is held against."""
        return (found[self.redone][0],) * 2 if self.redone else (self.low, self.high)


def printed(text):
    """A number as it is printed: within half a unit of its last digit."""
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return Published(text, float(text) - half, float(text) + half)


def between(low, high, said):
    """A range, as a picture or a sentence gives it."""
    return Published(said, low, high)


def redone(key, said="its own method, run here"):
    """The source's own method, which the design runs on the same samples under this key."""
    return Published(said, redone=key)


@dataclass(frozen=True)
class Design:
    """A design of a paper: where it stands, what it says, and how ours are made."""

    name: str
    paper: str
    about: str
    place: str
    published: dict[str, Published]
    why: dict[str, str]  # of figures that differ
    samples: int  # 0: exact
    function: Callable = field(repr=False)


DESIGNS: dict[str, Design] = {}


def design(paper, about, *, place, published, why=None, samples=0):
    """Declare a design; its name is that of the function."""

    def declare(function):
        name = function.__name__
        DESIGNS[name] = Design(name, paper, about, place, published, why or {}, samples, function)
        return function

    return declare


def sample(name, i, seed=SEED):
    """Return the figures of one sample of a simulated design."""
    rng = np.random.default_rng([seed, crc32(name.encode()), i])
    return DESIGNS[name].function(rng)


def figures(d, samples=None, seed=SEED, mapped=map):
    """Return each figure of a design: value, Monte Carlo error and the values of the samples."""
    if not d.samples:
        return {key: (float(v), 0.0, ()) for key, v in d.function().items()}
    n = samples or d.samples
    drawn = list(mapped(partial(sample, d.name, seed=seed), range(n)))
    found = {}
    for key in drawn[0]:
        values = np.array([each[key] for each in drawn], float)
        given = values[np.isfinite(values)]
        value = float(given.mean()) if given.size else math.nan
        found[key] = value, standard_error(given), values
    return found


def standard_error(values):
    """Return that of a mean; of a share with one more on either side, so that it is never 0."""
    if values.size < 2:
        return math.nan
    if np.isin(values, (0, 1)).all():
        share = (values.sum() + 1) / (values.size + 2)
        return math.sqrt(share * (1 - share) / values.size)
    return float(values.std(ddof=1)) / math.sqrt(values.size)


def apart(ours, theirs):
    """Return the Monte Carlo error of the difference of two figures of the same samples."""
    gaps = np.asarray(ours) - np.asarray(theirs)
    return standard_error(gaps[np.isfinite(gaps)])


def rows_of(d, samples=None, seed=SEED, mapped=map):
    """Set the figures of a design beside those that were published."""
    found = figures(d, samples, seed, mapped)
    made = []
    for key, published in d.published.items():
        value, error, values = found[key]
        (low, high), said, slack = published.range(found), published.said, ERRORS * error
        if published.redone:
            other, spread, theirs = found[published.redone]
            said = f"{with_error(other, spread, d.samples)}: {said}"
            slack = ERRORS * apart(values, theirs) if d.samples else 0.0
        slack += ROUNDING * max(1.0, abs(value))
        differs = not low - slack <= value <= high + slack
        made.append({
            "paper": d.paper, "design": d.about, "figure": key, "published": said, "place": d.place,
            "ours": f"{value:.4f}", "monte_carlo_error": f"{error:.4f}" if d.samples else "exact",
            "samples": len(values), "given": int(np.isfinite(values).sum()) if d.samples else "",
            "differs": "yes" if differs else "no",
            "why": d.why.get(key, "") if differs else "", "name": d.name, "seed": seed if d.samples else "",
        })  # fmt: skip
    return made


def with_error(value, error, samples):
    """Write a figure, and its Monte Carlo error where it has one; none where every sample was refused."""
    if math.isnan(value):
        return "none"
    return f"{value:.3f} ± {error:.3f}" if samples else f"{value:.4f}"


def for_the_page(rows):
    """Return the rows as the documentation shows them; a paper and a design are named once."""
    made, last = [], (None, None)
    for r in rows:
        head = r["paper"], r["design"]
        error, refused = r["monte_carlo_error"], int(r["samples"]) - int(r["given"] or 0)
        ours = r["ours"] if error == "exact" else with_error(float(r["ours"]), float(error), True)
        made.append({
            "paper": "" if head[0] == last[0] else r["paper"],
            "design": "" if head == last else f"{r['design']} ({r['place']})",
            "figure": r["figure"],
            "published": r["published"],
            "ours": f"{ours} ({refused} of {r['samples']} refused)" if refused else ours,
            "differs": r["why"] or r["differs"],
        })  # fmt: skip
        last = head
    return made
