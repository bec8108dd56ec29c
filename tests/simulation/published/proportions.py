"""Brown, Cai and DasGupta: how often intervals of a proportion hold, summed over all outcomes."""

from credibly.intervals import proportion_coverage

from . import design, printed

PAPER = "Brown, Cai & DasGupta 2001, Statistical Science 16"


def coverage(method, n, rate):
    """Return the chance that a 95 % interval holds the rate."""
    return proportion_coverage(method, n=n, rate=rate).coverage[0, 0]


@design(
    PAPER, "Wald's interval, nominally 0.95: the chance that it holds the rate",
    place="section 2",
    published={
        "p = 0.2, n = 30": printed("0.946"), "p = 0.2, n = 98": printed("0.928"),
        "p = 0.5, n = 17": printed("0.951"), "p = 0.5, n = 40": printed("0.919"),
        "p = 0.005, n = 591": printed("0.945"), "p = 0.005, n = 592": printed("0.792"),
    },
)  # fmt: skip
def wald():
    cases = ((0.2, 30), (0.2, 98), (0.5, 17), (0.5, 40), (0.005, 591), (0.005, 592))
    return {f"p = {rate}, n = {n}": coverage("wald", n, rate) for rate, n in cases}


@design(
    PAPER, "Wilson's interval at its worst: just below the lower limit of one success",
    place="section 4, p = 0.1765 / n of the modified interval",
    published={"n = 10,000": printed("0.838")},
)  # fmt: skip
def wilson_near_the_end():
    return {"n = 10,000": coverage("wilson", 10_000, 0.1765 / 10_000)}
