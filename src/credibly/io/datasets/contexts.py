"""Sets in which mistakes cost different amounts: made up with a fixed seed, each with its costs.

They imitate applications that textbooks describe, whose data cannot be distributed. The numbers are
invented; the shares of the classes and the order of the costs are those of the textbooks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.arrays import Floats
from credibly.io.datasets.bundled import dataset

CONTEXT_SEED = 1971


def _drawn(odds: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    """Let each case happen with the probability of its log odds."""
    return (rng.random(odds.size) < 1 / (1 + np.exp(-odds))).astype(np.intp)


def _bunch(columns: Mapping[str, Any], target: NDArray[np.intp], classes: tuple[str, ...]) -> Any:  # noqa: ANN401
    from sklearn.utils import Bunch

    return Bunch(
        data=np.column_stack([np.asarray(c, np.float64) for c in columns.values()]),
        target=target,
        feature_names=list(columns),
        target_names=list(classes),
    )


@dataset(target="outcome", positive="default", costs=((0, 600), (5000, 0)))
def loans() -> Any:  # noqa: ANN401
    """Made-up loans, one in seven not paid back: lending to a defaulter costs far more than a lost customer."""
    rng = np.random.default_rng([CONTEXT_SEED, 1])
    n = 1000
    income = rng.lognormal(3.6, 0.4, n).round(1)
    amount = rng.lognormal(2.3, 0.6, n).round(1)
    age = rng.integers(20, 70, n)
    late = rng.poisson(0.7, n)
    years = np.minimum(rng.exponential(6, n), age - 18).round(1)
    odds = -2.2 + 1.2 * np.log(amount / income * 4) + 0.7 * late - 0.08 * years
    columns = {
        "income": income, "amount": amount, "age": age, "late payments": late, "years employed": years,
    }  # fmt: skip
    return _bunch(columns, _drawn(odds, rng), ("paid", "default"))


@dataset(target="kind", positive="slick", costs=((0, 1), (40, 0)))
def oil_slicks() -> Any:  # noqa: ANN401
    """Made-up dark patches in radar images of the sea, 6 in 100 oil: missing one costs forty false alarms."""
    rng = np.random.default_rng([CONTEXT_SEED, 2])
    n = 900
    slick = rng.random(n) < 0.05
    wind = rng.gamma(4, 1.5, n).round(2)  # in calm air the sea is as dark as oil
    contrast = (rng.normal(3, 1, n) + 1.6 * slick - 0.15 * wind).round(3)
    area = rng.lognormal(2.5 + 0.5 * slick, 0.9, n).round(1)
    edge = (rng.normal(0.5, 0.15, n) + 0.12 * slick).round(3)
    longer = rng.lognormal(0.6 + 0.4 * slick, 0.5, n).round(2)
    columns = {
        "contrast": contrast, "area": area, "sharpness of the edge": edge, "length over width": longer,
        "wind": wind,
    }  # fmt: skip
    return _bunch(columns, slick.astype(np.intp), ("look-alike", "slick"))


@dataset(target="day", positive="peak", costs=((0, 2), (25, 0)))
def load_peaks() -> Any:  # noqa: ANN401
    """Made-up days of a power company, one in ten a peak: being unprepared costs far more than preparing."""
    rng = np.random.default_rng([CONTEXT_SEED, 3])
    n = 730
    day = np.arange(n)
    season = np.cos(2 * np.pi * day / 365)
    temperature = (9 - 11 * season + rng.normal(0, 4, n)).round(1)
    wind = rng.gamma(2, 3, n).round(1)
    weekend = (day % 7 >= 5).astype(float)
    yesterday = (50 + 9 * season - 6 * np.roll(weekend, 1) + rng.normal(0, 3, n)).round(1)
    odds = -5.2 - 0.22 * temperature + 0.12 * wind - 1.5 * weekend + 0.06 * yesterday
    columns = {
        "temperature": temperature, "wind": wind, "weekend": weekend, "load the day before": yesterday,
    }  # fmt: skip
    return _bunch(columns, _drawn(odds, rng), ("ordinary", "peak"))


@dataset(target="state", costs=((0, 1, 3), (4, 0, 2), (60, 25, 0)))
def machine_faults() -> Any:  # noqa: ANN401
    """Made-up machines, sound, worn or about to fail: overlooking the last costs far more than a needless look."""
    rng = np.random.default_rng([CONTEXT_SEED, 4])
    n = 800
    state = rng.choice(3, n, p=[0.8, 0.15, 0.05])
    vibration = rng.lognormal(0.2 + 0.35 * state, 0.35, n).round(3)
    heat = (55 + 6 * state + rng.normal(0, 6, n)).round(1)
    noise = (70 + 2.5 * (state == 2) + rng.normal(0, 3, n)).round(1)
    hours = rng.gamma(2 + state, 900, n).round()
    columns = {"vibration": vibration, "temperature": heat, "noise": noise, "hours": hours}
    return _bunch(columns, state.astype(np.intp), ("sound", "worn", "failing"))


@dataset(target="state", positive="in estrus", costs=((0, 15), (120, 0)))
def estrus() -> Any:  # noqa: ANN401
    """Made-up days of cows, one in thirty in estrus: the rule that says never is right on 97 % of them, and useless."""
    rng = np.random.default_rng([CONTEXT_SEED, 5])
    n = 1500
    ready = rng.random(n) < 1 / 30
    milk = (28 - 2.5 * ready + rng.normal(0, 2.5, n)).round(1)
    conductivity = (4.8 + 0.25 * ready + rng.normal(0, 0.3, n)).round(2)
    order = (1.5 * ready + np.abs(rng.normal(0, 3 + 6 * ready, n))).round()
    steps = rng.lognormal(5.5 + 0.5 * ready, 0.35, n).round()
    columns = {
        "milk": milk, "conductivity": conductivity, "change of milking order": order, "steps": steps,
    }  # fmt: skip
    return _bunch(columns, ready.astype(np.intp), ("not in estrus", "in estrus"))


@dataset(target="claim", positive="fraud", costs=((0, 30), (2500, 0)))
def fraud() -> Any:  # noqa: ANN401
    """Made-up insurance claims, one in a hundred a fraud: looking into an honest one costs little compared with a loss."""
    rng = np.random.default_rng([CONTEXT_SEED, 6])
    n = 3000
    false = rng.random(n) < 0.01
    amount = rng.lognormal(7 + 0.6 * false, 0.8, n).round()
    months = rng.exponential(np.where(false, 14, 40), n).round()
    earlier = rng.poisson(0.3 + 0.7 * false, n)
    days = rng.gamma(2, np.where(false, 7, 4), n).round()
    columns = {
        "amount": amount, "months insured": months, "earlier claims": earlier, "days until reported": days,
    }  # fmt: skip
    return _bunch(columns, false.astype(np.intp), ("honest", "fraud"))
