"""Limits of medians and quantiles: order statistics, and what groups, weights and ties make of them."""

from math import comb

import numpy as np
import pytest

from credibly import Predictions, evaluate


def drawn():
    return np.random.default_rng(4)


def interval(p, share=0.5, **asked):
    return evaluate(p, f"outcome_quantile(share={share})", **asked).estimates[0]


def ranks(n, share, tail):
    """Count by hand from which cases on the number below the quantile is hardly ever so small, or so large."""

    def at_most(k, q):
        return sum(comb(n, i) * q**i * (1 - q) ** (n - i) for i in range(k + 1))

    low = max((k + 1 for k in range(n) if at_most(k, share) <= tail), default=None)
    high = max((k + 1 for k in range(n) if at_most(k, 1 - share) <= tail), default=None)
    return None if low is None or high is None else (low - 1, n - high)


@pytest.mark.parametrize("share", [0.5, 0.25, 0.9])
def test_limits_are_those_of_the_binomial_distribution(share):
    for n in (3, 5, 6, 10, 29, 60):
        x = drawn().permutation(np.arange(n) + 0.5)
        found, wanted = (
            interval(Predictions.of(outcome=x, better="higher"), share).interval,
            ranks(n, share, 0.025),
        )
        assert (found is None) == (wanted is None), n
        if wanted is not None:
            assert (found.low, found.high) == (wanted[0] + 0.5, wanted[1] + 0.5)


def test_of_ten_cases_the_median_lies_between_the_second_and_the_ninth():
    # Conover, W. J. (1999) Practical nonparametric statistics, section 3.2: P = 1 - 22 / 1024.
    found = evaluate(Predictions.of(outcome=np.arange(10.0) ** 2, better="higher"))[
        "median_outcome"
    ]
    assert (found.interval.low, found.interval.high, found.interval.method) == (
        1.0,
        64.0,
        "order statistics",
    )


def test_copies_of_cases_say_no_more_than_the_cases():
    x = drawn().normal(size=40)
    alone = interval(Predictions.of(outcome=x, better="higher")).interval
    copied = interval(
        Predictions.of(outcome=np.repeat(x, 7), group=np.repeat(np.arange(40), 7), better="higher")
    )
    assert copied.interval.low <= alone.low
    assert copied.interval.high >= alone.high
    assert "40 groups, effective size" in copied.interval.method
    counted = Predictions.of(
        outcome=x, sample_weight=[7] * 40, weight_kind="frequency", better="higher"
    )
    assert (
        interval(counted).interval
        == interval(Predictions.of(outcome=np.repeat(x, 7), better="higher")).interval
    )


def test_what_few_cases_cannot_say_is_withheld():
    few = interval(Predictions.of(outcome=drawn().normal(size=20), better="higher"), 0.9)
    assert few.why_no_interval.startswith("20 cases are too few")
    ends = interval(Predictions.of(outcome=drawn().random(20), better="higher", bounds=(0, 1)), 0.9)
    assert ends.interval.high == 1.0
    groups = Predictions.of(
        outcome=drawn().normal(size=100), group=np.repeat(np.arange(10), 10), better="higher"
    )
    assert interval(groups, 0.9).why_no_interval.startswith("10 groups are too few")
    assert interval(groups).interval is not None
    same = Predictions.of(
        outcome=np.full(50, 2.5), group=np.repeat(np.arange(10), 5), better="higher"
    )
    assert "no variation" in interval(same).why_no_interval
    tied = Predictions.of(outcome=[1.0] + [2.0] * 48 + [3.0], better="higher")
    assert interval(tied).why_no_interval.startswith("so many outcomes are 2")


def clustered(rng, rounded):
    x = np.repeat(rng.normal(size=30), 10) + rng.normal(size=300)
    return Predictions.of(
        outcome=np.round(x) if rounded else x, group=np.repeat(np.arange(30), 10), better="higher"
    )


DESIGNS = {
    "small": lambda rng: Predictions.of(outcome=rng.normal(size=9), better="higher"),
    "ties": lambda rng: Predictions.of(outcome=rng.integers(-2, 3, 25) * 1.0, better="higher"),
    "groups": lambda rng: clustered(rng, rounded=False),
    "groups with ties": lambda rng: clustered(rng, rounded=True),
    "weights": lambda rng: Predictions.of(
        outcome=rng.normal(size=60), sample_weight=rng.exponential(size=60) + 0.05,
        weight_kind="importance", better="higher",
    ),
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("design", DESIGNS)
def test_limits_hold(design):
    rng = np.random.default_rng(8)
    found = [interval(DESIGNS[design](rng)) for _ in range(300)]
    # Where ties leave one value there are no limits but the reason: then the value must be right.
    held = [
        e.value == 0 if e.interval is None else e.interval.low <= 0 <= e.interval.high
        for e in found
    ]
    assert np.mean(held) > 0.925  # 95 %, less two errors of 300 samples
