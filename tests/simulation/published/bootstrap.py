"""Efron and Tibshirani: where .632 breaks down and .632+ does not."""

import warnings

from credibly import evaluate, run

from . import between, design, printed

ROWS, REPLICATES = 40, 50


@design(
    "Efron & Tibshirani 1997, JASA 92",
    "Single nearest neighbours where labels hang on nothing: estimates of the error rate, 0.5",
    place="Hastie, Tibshirani & Friedman 2009, section 7.11, equations 7.57 to 7.61",
    published={
        "apparent": printed("0"), "out of bag": printed("0.5"),
        ".632": printed("0.316"), ".632+": between(0.5, 0.5, "0.5"),
    },
    why={
        ".632+": "0.5 is what many cases give: with 160 and 400 rows it was 0.486 and 0.491. .632+ takes the "
        "smaller of the error out of bag and that without information, and both vary about 0.5.",
    },
    samples=200,
)  # fmt: skip
def memoriser(rng):
    X, y = rng.normal(size=(ROWS, 5)), rng.integers(0, 2, ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p = run(
            "knn(k=1)", X, y, resampling=f"bootstrap(replicates={REPLICATES})", rng=rng, positive=1,
            progress=False,
        )  # fmt: skip
        names = {"apparent": "apparent", "out of bag": "oob_mean", ".632": "632", ".632+": "632+"}
        return {
            said: evaluate(p, "error_rate", estimate=name, interval="none").estimates[0].value
            for said, name in names.items()
        }
