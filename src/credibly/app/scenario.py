"""A scenario: what the page was set to, kept as JSON so that the command line can run it again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly.decisions.problem import cost_array
from credibly.errors import DataError, ParameterError, UnknownNameError
from credibly.predictions import Predictions
from credibly.predictions.cost_matrix import CELL_PLACES

if TYPE_CHECKING:
    from credibly.decisions import OperatingPoint

VERSION = 1
UNSPELLED = ("ignore",)  # the command line has no option for it
NUMBER_FIELDS = ("population", "prevalence", "confidence_level")


@dataclass(frozen=True, slots=True)
class Scenario:
    """Costs, a place, and where the list will be used."""

    costs: dict[str, float]
    at: str
    population: float | None = None
    prevalence: float | None = None
    confidence_level: float = 0.95
    positive: str | None = None
    model: str | None = None

    def of_model(self, p: Predictions) -> Predictions:
        """Return the predictions of the model that the scenario is about."""
        if self.model is None or p.model is None:
            return p
        rows = np.array([str(name) == self.model for name in p.model])
        if not rows.any():
            raise UnknownNameError(
                f"The scenario is about the model {self.model!r}, for which there are no predictions."
            )
        return p.take(rows)


def read_scenario(path: Path) -> Scenario:
    """Read a scenario that the page has saved."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise DataError(
            f"{path} is not a scenario: it is not JSON. Save one from the page."
        ) from None
    if not isinstance(said, dict) or said.get("credibly_scenario") != VERSION:
        raise DataError(f"{path} is not a scenario of version {VERSION}. Save one from the page.")
    costs = said.get("costs")
    wrong = [name for name in NUMBER_FIELDS if not isinstance(said.get(name), int | float | None)]
    if not isinstance(costs, dict) or not all(isinstance(v, int | float) for v in costs.values()):
        wrong.append("costs")
    if wrong:
        raise DataError(
            f"{path}: {wrong[0]} is not valid in a scenario. Save a scenario from the page."
        )
    return Scenario(
        costs={str(cell): float(cost) for cell, cost in said["costs"].items()},
        at=str(said.get("at", "best")),
        population=said.get("population"),
        prevalence=said.get("prevalence"),
        confidence_level=said.get("confidence_level") or 0.95,
        positive=None if said.get("positive") is None else str(said["positive"]),
        model=None if said.get("model") is None else str(said["model"]),
    )


def command_of(file: str, told: Mapping[str, Any]) -> str:
    """Return the command that runs a saved scenario on a file again, quoted for a POSIX shell.

    >>> command_of("a $(x).csv", {"truth": "y", "probability": ["p a", "p b"], "positive": "-1"})
    "credibly cost-benefit 'a $(x).csv' --truth y --probability 'p a,p b' --positive=-1 --scenario scenario.json"
    """
    words = ["credibly", "cost-benefit", f"./{file}" if file.startswith("-") else file]
    for name, value in told.items():
        if name not in UNSPELLED:
            option = f"--{name.replace('_', '-')}"
            text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            words += [f"{option}={text}"] if text.startswith("-") else [option, text]
    return shlex.join([*words, "--scenario", "scenario.json"])


def start_of(p: Predictions, costs: object, point: OperatingPoint) -> dict[str, Any]:
    """Return what a page opens with: these costs, and the place of an operating point.

    >>> from credibly import Predictions, cost_benefit
    >>> p = Predictions.of([1, 1, 0, 0], score=[4, 3, 2, 1])
    >>> start_of(p, {"tp": -5, "fp": 1}, cost_benefit(p, {"tp": -5, "fp": 1}).point)
    {'costs': {'tn': 0.0, 'fp': 1.0, 'fn': 0.0, 'tp': -5.0}, 'at': {'by': 'threshold', 'value': 3.0}}
    """
    array, _ = cost_array(p, costs)
    if array.ndim != 2 or len(p.classes) != 2:
        raise ParameterError(
            "The page takes one cost for each outcome of two classes: give numbers, such as fn=5 and fp=1."
        )
    order = [1 - int(p.positive or 0), int(p.positive or 0)]
    by_cell = array[np.ix_(order, order)]
    cells = {name: float(by_cell[side]) for name, side in CELL_PLACES.items()}
    place: dict[str, Any] = {"by": "threshold", "value": point.threshold}
    if point.selected == 0 or point.taken < 1:
        place = {"by": "share", "value": point.share}
    return {"costs": cells, "at": place}
