"""Sums that bins do not give exactly: of losses in one pass, and of the order by sorting the scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._kernels import LossSums
from credibly.io.classes import typed
from credibly.predictions import Predictions
from credibly.predictions.labels import is_missing
from credibly.predictions.summaries.scores import ORDER_SUMS, OrderSums, ScoreTable
from credibly.predictions.table import LOSS_SUMS

if TYPE_CHECKING:
    from credibly.engines.bins import Bins


def add_loss_sums(bins: Bins, p: Predictions) -> None:
    """Add up the terms of two-class losses, and keep the sums with the predictions."""
    import narwhals.stable.v2 as nw

    counting, x = bins.counting, bins.score()
    truth = str(counting.roles.chosen["truth"])
    weight = counting.roles.chosen.get("weight")
    times = nw.col(str(weight)).cast(nw.Float64) if weight else nw.lit(1.0)
    columns: dict[str, Any] = {}
    for side, q in (("yes", x), ("no", 1.0 - x)):
        some, zero = q > 0.0, q * 0.0  # a literal of its own would be a decimal in some databases
        columns |= {
            f"{side} distance": (1.0 - q) * times,
            f"{side} square": (1.0 - q) * (1.0 - q) * times,
            f"{side} logarithm": nw.when(some).then(q).otherwise(nw.lit(1.0)).log() * times,
            f"{side} zeros": nw.when(some).then(zero).otherwise(zero + 1.0) * times,
        }
    frame = bins.valid().select(nw.col(truth), *(e.alias(n) for n, e in columns.items()))
    found = counting.lazy.collect(frame.group_by(truth).agg(*(nw.col(n).sum() for n in columns)))
    places = [_place(v, p) for v in found[truth].tolist()]
    sides = ["" if i < 0 else "yes" if i == p.positive else "no" for i in places]
    totals = {
        name: sum(float(found[f"{s} {name}"][i]) for i, s in enumerate(sides) if s)
        for name in LossSums._fields
    }
    LOSS_SUMS.put(p, LossSums(**totals | {"logarithm": -totals["logarithm"]}))


def add_order_sums(bins: Bins, p: Predictions, truths: Iterable[Any]) -> None:
    """Sort the scores, and keep the exact sums of their order with the predictions."""
    import narwhals.stable.v2 as nw

    from credibly._kernels.order import order_sums

    truth = str(bins.counting.roles.chosen["truth"])
    places = {v: _place(v, p) for v in truths}
    judged = [v for v, place in places.items() if place >= 0]
    positive = nw.col(truth).is_in([v for v in judged if places[v] == p.positive])
    known = bins.valid().filter(nw.col(truth).is_in(judged))
    score, flags, n = np.empty(int(p.cases)), np.empty(int(p.cases), bool), 0
    for block in bins.counting.lazy.blocks(
        known.select(bins.score().alias("s"), positive.alias("p"))
    ):
        size = block["s"].size
        score[n : n + size], flags[n : n + size] = block["s"], block["p"].astype(bool)
        n += size
    ORDER_SUMS.put(p, OrderSums(*map(np.asarray, order_sums(score[:n], flags[:n]))))
    ScoreTable.reduced(p, "an engine").stand_for(p)  # one made before does not have them


def _place(value: object, p: Predictions) -> int:
    """Return the code of a class as a table writes it; -1 for anything else."""
    if is_missing(value):
        return -1
    known = typed(value, p.classes)
    return p.classes.index(known) if known in p.classes else -1
