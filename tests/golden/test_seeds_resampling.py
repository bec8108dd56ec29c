"""Figures of the seeds about how rows are cut: counts of folds, sizes of parts, inclusion."""

import numpy as np

from credibly.resampling import as_resampling, bootstrap
from credibly.resampling.bootstraps import bootstrap_inclusion
from golden.goldens import golden


@golden("wf-cv-counts")
def test_ten_times_ten_folds(case):
    splits = as_resampling(f"{case['repeats']}x{case['folds']}").realise(150, rng=1)
    tested = np.zeros((case["repeats"], 150))
    for s in splits:
        tested[s.repeat, s.test] += 1
    case.check(
        fits=len(splits),
        train_fraction=np.mean([s.train.size for s in splits]) / 150,
        test_times_per_instance_per_repeat=tested.min(),
    )
    assert tested.max() == 1


@golden("wf-threefold")
def test_three_folds(case):
    splits = as_resampling(case["folds"]).realise(150, rng=1)
    case.check(
        fits=len(splits),
        train_fraction=splits[0].train.size / 150,
        test_fraction=splits[0].test.size / 150,
    )


@golden(*(f"{seed}-bootstrap-inclusion" for seed in ("wf", "zm", "dw", "ds", "oh")))
def test_a_row_is_drawn(case):
    left_out = {n: 1 - bootstrap_inclusion(float(n)) for n in case["n"]}
    case.check(
        n10=left_out[10],
        n100=left_out[100],
        n1000=left_out[1000],
        not_picked=left_out["inf"],
        picked=bootstrap_inclusion(float("inf")),
    )


def test_the_bootstrap_draws_as_its_formula_says():
    """The share of rows drawn has the standard error 0.3 / sqrt(n) / sqrt(replicates) or less."""
    drawn = [1 - s.test.size / 100 for s in bootstrap(replicates=2000).realise(100, rng=1)]
    assert abs(np.mean(drawn) - bootstrap_inclusion(100)) < 4 * 0.03 / np.sqrt(2000)
