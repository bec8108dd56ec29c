"""Tables of a test are small, and their bins are to be tested all the same."""

import pytest

from credibly.engines import bins


@pytest.fixture(autouse=True)
def bins_of_few_cases(monkeypatch):
    monkeypatch.setattr(bins, "MIN_CASES_PER_BIN", 0)
