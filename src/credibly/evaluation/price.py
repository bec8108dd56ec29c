"""What further fits cost, judged by those that were made: part of what a finding advises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from credibly._core.words import count

if TYPE_CHECKING:
    from credibly.predictions import Predictions


def nested(p: Predictions, k: int, repeats: int) -> dict[str, str]:
    """Return the call of the nested cross-validation that suits predictions, and what it takes.

    That is how many fits of all their models, and about how long they take if as long as those that were made.
    """
    models = p.model_names or ("",)
    fits = repeats * k * (k + 1) // 2 * len(models)
    done = () if p.provenance is None else p.provenance.fits
    spent = [f.fit_seconds + f.predict_seconds for f in done if not f.error and f.model in models]
    price = count(fits, "fit")
    if sum(spent) > 0:
        price += f", about {duration(fits * sum(spent) / len(spent))}"
    name = "nested_cv" if p.group is None else "grouped_nested_cv"
    return {"call": f"{name}(k={k}, repeats={repeats})", "price": price}


def duration(seconds: float) -> str:
    """Write a time as people plan with it.

    >>> duration(0.2), duration(42), duration(600), duration(9000)
    ('1 s', '42 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.2g} h"
