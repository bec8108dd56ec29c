"""How many threads kernels share, and that none of it shows in what they compute."""

import os
import subprocess
import sys
import threading
from contextvars import copy_context

import numpy as np
import pytest

import credibly._kernels as kernels
from credibly import ParameterError, Predictions, compare, curve, evaluate
from credibly._kernels import order
from credibly._kernels.threads import (
    OTHER_VARIABLES,
    OWN_VARIABLE,
    at_most,
    limit,
    spread,
    together,
)


@pytest.fixture
def unset(monkeypatch):
    for name in (OWN_VARIABLE, *OTHER_VARIABLES):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_the_first_limit_that_is_set_counts(unset):
    assert limit() == len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else limit()
    unset.setenv("OMP_NUM_THREADS", "6,2")
    assert limit() == 6
    unset.setenv("NUMBA_NUM_THREADS", "5")
    assert limit() == 5
    unset.setenv(OWN_VARIABLE, "3")
    assert limit() == 3
    with at_most(2):
        assert limit() == 2
        with at_most(None):
            assert limit() == 2
    assert limit() == 3


def test_what_others_set_wrongly_is_passed_over_and_our_own_is_refused(unset):
    unset.setenv("OMP_NUM_THREADS", "many")
    assert limit() >= 1
    for wrong in ("0", "-1", "two", "1.5"):
        unset.setenv(OWN_VARIABLE, wrong)
        with pytest.raises(
            ParameterError, match=f"{OWN_VARIABLE} must be a whole number from 1 on; got"
        ):
            limit()


def test_a_child_process_takes_one(unset):
    code = "from multiprocessing import get_context as g; from credibly._kernels.threads import limit\n"
    code += "if __name__ == '__main__':\n with g('fork').Pool(1) as pool: print(pool.apply(limit))"
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


def test_all_calls_of_a_process_share_one_budget():
    """Of two computations at once, the second gets what the first has left; each computes in any case."""
    busy, most, lock, together = 0, 0, threading.Lock(), threading.Barrier(2)

    def task(_):
        nonlocal busy, most
        with lock:
            busy, most = busy + 1, max(most, busy + 1)
        threading.Event().wait(0.002)
        with lock:
            busy -= 1

    def call():
        together.wait()
        spread(task, range(20), large=True)

    with at_most(3):
        callers = [threading.Thread(target=copy_context().run, args=(call,)) for _ in range(2)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
    assert 2 <= most <= 4  # three threads for the first, and the second caller itself


def test_an_error_in_a_task_comes_out_and_gives_the_threads_back():
    def fail(task):
        if task == 5:
            raise ZeroDivisionError

    with at_most(4):
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                spread(fail, range(8), large=True)
        seen = set()
        spread(
            lambda _: seen.add(threading.get_ident()) or threading.Event().wait(0.01),
            range(8),
            large=True,
        )
        assert len(seen) == 4


def test_small_work_stays_where_it_is():
    seen = set()
    with at_most(4):
        spread(lambda _: seen.add(threading.get_ident()), range(8), large=False)
        spread(lambda _: seen.add(threading.get_ident()), [1], large=True)
    assert seen == {threading.get_ident()}


@pytest.mark.parametrize("lowest", [0, None])
@pytest.mark.parametrize("keys", ["distinct", "few", "one"])
def test_threads_sort_together(keys, lowest):
    rng = np.random.default_rng(1)
    high = {"distinct": 2**62, "few": 9, "one": 1}[keys]
    given = rng.integers(0, high, 20_000).astype(np.uint64) << np.uint64(1)
    shared, doubles = given.copy(), given.astype(np.float64)
    with at_most(3):
        order._sort_shared(shared, lowest)
        order._sort_shared(doubles)
    assert shared.tolist() == np.sort(given).tolist()
    assert doubles.tolist() == np.sort(given.astype(np.float64)).tolist()


def test_computations_that_follow_one_another_keep_their_threads():
    seen = set()
    with at_most(4), together(large=True):
        for _ in range(20):
            spread(lambda _: seen.add(threading.get_ident()) or threading.Event().wait(0.001), range(8), large=True)  # fmt: skip
    assert len(seen) == 4


@pytest.fixture
def two_models(monkeypatch):
    monkeypatch.setattr(kernels, "COMPILE_FROM", 1000)
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 4000)
    one, two = (np.round(1 / (1 + np.exp(-truth - rng.normal(size=4000))), 3) for _ in range(2))
    return {"one": Predictions.of(truth, one), "two": Predictions.of(truth, two)}


DOORS = {
    "evaluate": lambda p: evaluate(p, ["auc", "log_loss", "f1"], interval="bootstrap", rng=3),
    "delong": lambda p: compare(p, measure="auc", test="delong"),
    "permutation": lambda p: compare(p, measure="auc", test="permutation", rng=3),
    "band": lambda p: curve("roc", p["one"], band="simultaneous", rng=3),
}


@pytest.mark.parametrize("door", DOORS)
def test_any_number_of_threads_gives_the_same_digits(two_models, door):
    found = []
    for number in (1, 5):
        with at_most(number):
            found.append(DOORS[door](two_models).to_json())
    assert found[0] == found[1]


EVERY_DIGIT = """
import numpy as np
from credibly import Predictions, calibration, compare, decide, evaluate
rng = np.random.default_rng(1)
n = 30_000  # BLAS shares out sums of products of more than 10,000
truth, weight = rng.integers(0, 2, n), rng.random(n) + 0.5
one, two = (1 / (1 + np.exp(-truth - rng.normal(size=n))) for _ in range(2))
weighed = dict(sample_weight=weight, weight_kind="importance")
a, b = Predictions.of(truth, one), Predictions.of(truth, two)
found = [evaluate(Predictions.of(truth, one, **weighed)), evaluate(Predictions.of(one, value=two))]
found += [evaluate(Predictions.of(one, value=two, **weighed)), calibration(a), decide(a, {"fp": 1, "fn": 3})]
found += [compare(a, b, m) for m in ("auc", "f1", "brier", "average_precision")]
print([each.to_json() for each in found])
"""


def test_threads_of_blas_change_no_digit():
    found = [
        subprocess.run(
            [sys.executable, "-c", EVERY_DIGIT],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": number, "OMP_NUM_THREADS": number},
        ).stdout
        for number in ("1", "2")
    ]
    assert found[0] == found[1]
