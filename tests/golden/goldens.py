"""The figures of the seeds, and a decorator that hands them to the tests that name them.

The first letters of an id say where a figure stands:

- ``wf``: Witten, I. H., Frank, E. & Hall, M. A. (2011) Data Mining, 3rd ed., ch. 5
- ``dw``: the slides to that chapter
- ``oh``: Ohrn, A. (1999) Discernibility and Rough Sets in Medicine, ch. 7
- ``zm``: Zaki, M. J. & Meira, W. (2014) Data Mining and Analysis, ch. 22
- ``ds``: Savoy, J., Evaluation Methodology (slides)

``expected`` was computed anew and ``as_printed`` is what stands there. Where the two disagree the
test says why, under the number of the erratum (A, wrong; B, contradictory; C, ambiguous).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import wraps
from math import isclose
from pathlib import Path

import numpy as np
import pytest

from credibly import Predictions
from credibly.measures import measures

HERE = Path(__file__).parent
CASES = {c["id"]: c for c in json.loads((HERE / "seed_goldens.json").read_text(encoding="utf-8"))}
COVERED: set[str] = set()


@dataclass
class Case:
    """One figure or one group of figures, which notes what of it was compared."""

    id: str
    seen: set[str] = field(default_factory=set)

    def __getitem__(self, name):
        return CASES[self.id]["inputs"][name]

    def expected(self, key):
        self.seen.add(key)
        return CASES[self.id]["expected"][key]

    def tolerance(self, key):
        given = CASES[self.id]
        return given.get("tolerances", {}).get(key, given["tolerance"])

    def check(self, **computed):
        """Compare computed numbers (or lists or tables of them) with the expected ones."""
        for key, value in computed.items():
            same(value, self.expected(key), self.tolerance(key), f"{self.id}: {key}")

    def differs(self, key, value):
        """The number under ``key`` is a mistake of the seed, and ours is another one."""
        assert not isclose(value, float(self.expected(key)), rel_tol=0, abs_tol=1e-3), (
            f"{self.id} repeats the mistake {key}"
        )


def same(value, expected, tolerance, where):
    if isinstance(expected, dict):
        assert set(map(str, value)) == set(expected), where
        for key, each in value.items():
            same(each, expected[str(key)], tolerance, f"{where}[{key}]")
    elif isinstance(expected, list):
        assert len(value) == len(expected), where
        for i, (a, b) in enumerate(zip(value, expected, strict=True)):
            same(a, b, tolerance, f"{where}[{i}]")
    elif isinstance(expected, str) and expected != "inf":
        assert value == expected, where
    else:
        assert np.ndim(value) == 0, where
        near = isclose(float(value), float(expected), rel_tol=0, abs_tol=tolerance)
        assert near, f"{where}: {value} is not {expected}"


def golden(*ids):
    """Run the test once for each id, and see to it that it compares everything the id expects."""
    unknown = set(ids) - set(CASES)
    assert not unknown, unknown
    COVERED.update(ids)

    def decorate(test):
        @wraps(test)
        def run(case):
            test(case)
            left = set(CASES[case.id]["expected"]) - case.seen
            assert not left, f"{case.id}: nothing was compared with {sorted(left)}"

        return pytest.mark.parametrize("case", [pytest.param(Case(i), id=i) for i in ids])(run)

    return decorate


def of(name, summary, **arguments):
    """Apply a measure to a summary."""
    value = measures[name].given(**arguments).of_summary(summary)
    return value.tolist()


def cells(matrix, *, positive=None):
    """Predictions with one row per cell of a confusion matrix, the weight of which counts the cases."""
    actual, label = np.indices(np.shape(matrix)).reshape(2, -1)
    return Predictions.of(
        actual,
        label=label,
        sample_weight=np.ravel(matrix),
        weight_kind="frequency",
        classes=range(len(matrix)),
        positive=positive,
    )
