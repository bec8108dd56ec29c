"""A batch of summaries gives what its members give one by one."""

from dataclasses import fields, replace

import numpy as np

from credibly.predictions.summaries import BinaryCounts, Counts, LossMoments, ScoreTable
from every.battery import VARIANTS, by_variant, cases_for, same

BATCHED = (BinaryCounts, Counts, LossMoments, ScoreTable)
SHARED = {"score"}  # replicates are new weights of the same scores
with_arguments = by_variant([m for m in VARIANTS if m.reads in BATCHED])


def replicates(m, case, number=4):
    """Summaries of the same rows under new weights, as a bootstrap makes them."""
    rng = np.random.default_rng(6)
    weights = rng.integers(0, 4, (number, case.n)) + (np.arange(case.n) == 0)
    made = case.once("replicates", lambda: [case.with_columns(sample_weight=w) for w in weights])
    return [m.summarise(p) for p in made]


def stacked(summaries, shape):
    first = summaries[0]
    arrays = {
        f.name: np.stack([getattr(s, f.name) for s in summaries]).reshape(
            *shape, *np.shape(getattr(first, f.name))
        )
        for f in fields(first)
        if isinstance(getattr(first, f.name), np.ndarray) and f.name not in SHARED
    }
    fresh = {"cache": {}} if hasattr(first, "cache") else {}
    return replace(first, **arrays, **fresh)


@with_arguments
def test_a_batch_is_a_loop(m):
    tried = 0
    for case in cases_for(m):
        if not case.n:
            continue
        tried += 1
        each = replicates(m, case)
        expected = [float(m.of_summary(s)) for s in each]
        for shape in ((4,), (2, 2), (1, 4, 1)):
            values = m.of_summary(stacked(each, shape))
            assert values.shape == shape, case
            for value, wanted in zip(values.ravel(), expected, strict=True):
                assert same(value, wanted), case
    assert tried


def test_the_decisions_of_a_table_are_a_batch_of_tables():
    case = cases_for(next(m for m in VARIANTS if m.reads is ScoreTable), wholesome=True)[0]
    table = ScoreTable.of(case.predictions)
    batch = table.decisions()
    for m in VARIANTS:
        if m.reads is not BinaryCounts:
            continue
        for i, value in enumerate(m.of_summary(batch)):
            label = (case.columns["probability"] >= table.score[i]).astype(int)
            assert same(value, m.value(case.with_columns(label=label)))
