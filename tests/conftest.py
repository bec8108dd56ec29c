"""The same tests every time, on any machine: Hypothesis' examples, NumPy's shared generator, signals."""

import signal

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "credibly",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("credibly")

# Where tests run in the background, Ctrl-C is ignored, and so it would be by the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _the_shared_generator_starts_anew():
    """Estimators without a seed draw from it, so that a test would pass on most days only."""
    np.random.seed(0)  # noqa: NPY002 - it is the shared one that is meant
