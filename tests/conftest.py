"""One Hypothesis profile for all tests: the same examples every time, on any machine."""

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
