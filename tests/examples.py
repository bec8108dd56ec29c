"""How many examples Hypothesis tries of what needs another number of them than most."""

from hypothesis import settings

THOROUGH = 60  # of most, where all are tried


def examples(number):
    """As many by the profile ``thorough``, and the same share of them as of all others by another."""
    return settings(max_examples=-(-number * settings().max_examples // THOROUGH))
