"""Replicates on a graphics card are those of the processor; without a card the error says what to do."""

import numpy as np
import pytest

from credibly import Predictions, evaluate
from credibly._kernels.bootstrap import replicate_sums
from credibly._kernels.device import MAX_SEGMENT_ROWS, _edges, _ends_head, at_once, library
from credibly._kernels.poisson_lanes import LAST_OF_TIE, TIED_NEGATIVE
from credibly.errors import ParameterError
from credibly.intervals import bootstrap


def no_card():
    try:
        library()
    except ParameterError as error:
        return str(error)
    return ""


needs_card = pytest.mark.skipif(bool(no_card()), reason=no_card())


def predictions(n=2000):
    rng = np.random.default_rng(1)
    truth = rng.random(n) < 0.4
    score = np.clip(0.5 + 0.2 * truth + rng.normal(0, 0.2, n), 0.01, 0.99).round(2)
    return Predictions.of(truth.astype(int), probability=score)


@pytest.mark.skipif(not no_card(), reason="there is a card")
@pytest.mark.parametrize(
    "call",
    [
        lambda: replicate_sums([0, 1], seed=1, count=2, device="gpu"),
        lambda: bootstrap(predictions(), "auc", rng=1, device="gpu"),
        lambda: evaluate(predictions(), "auc", interval="bootstrap", rng=1, device="gpu"),
    ],
)
def test_without_a_card_the_error_says_what_to_do(call):
    with pytest.raises(ParameterError, match=r"credibly\[gpu\].*device='cpu' gives the same"):
        call()


def test_an_unknown_device_is_refused():
    with pytest.raises(ParameterError, match="device must be one of 'cpu', 'gpu'; got 'tpu'"):
        bootstrap(predictions(), "auc", rng=1, device="tpu")


def test_segments_know_which_of_them_end_a_score_that_began_before():
    kind = np.zeros(3 * MAX_SEGMENT_ROWS, np.uint8)
    kind[MAX_SEGMENT_ROWS - 2 : 2 * MAX_SEGMENT_ROWS + 5] = (
        TIED_NEGATIVE  # one score through three segments
    )
    kind[2 * MAX_SEGMENT_ROWS + 4] |= LAST_OF_TIE
    edges = _edges(kind.size)
    assert edges.tolist() == [0, MAX_SEGMENT_ROWS, 2 * MAX_SEGMENT_ROWS, 3 * MAX_SEGMENT_ROWS]
    assert _ends_head(kind, edges).tolist() == [0, 0, 1]
    assert _edges(MAX_SEGMENT_ROWS + 1).tolist() == [0, MAX_SEGMENT_ROWS, MAX_SEGMENT_ROWS + 1]


def test_what_is_kept_of_segments_fits_the_card():
    assert at_once(1_000_000) == 16
    assert at_once(10**8) == 1


@needs_card
def test_a_card_draws_the_same_replicates():
    here, there = (
        bootstrap(predictions(), ["auc", "ks", "accuracy"], rng=1, device=d) for d in ("cpu", "gpu")
    )
    np.testing.assert_array_equal(here.replicates, there.replicates)
    others = ["brier", "log_loss", "average_precision"]
    here, there = (bootstrap(predictions(), others, rng=1, device=d) for d in ("cpu", "gpu"))
    np.testing.assert_allclose(here.replicates, there.replicates, rtol=1e-12)
