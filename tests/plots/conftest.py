import pytest


@pytest.fixture(autouse=True)
def _no_open_figures():
    """Draw without a screen, and leave nothing open."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    yield
    plt.close("all")
