"""Each of many classes against the rest: all at once is what one by one gives."""

import numpy as np
import pytest

from credibly import Predictions
from credibly.intervals.influence import _of_tables, _of_views
from credibly.measures import fbeta, mcc, recall, specificity
from credibly.predictions.summaries import BinaryCounts
from credibly.predictions.summaries.linear import class_sizes


def labelled(k, n, seed):
    rng = np.random.default_rng(seed)
    truth = np.append(np.arange(k), rng.integers(0, k, n - k))
    label = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n)).astype(object)
    label[rng.random(n) < 0.1] = None
    return Predictions.of(truth, label=label, classes=list(range(k)))


def test_value_of_each_class_is_that_of_its_table():
    p = labelled(7, 90, 3)
    for m in (recall, fbeta, mcc):
        each = [float(m.of_summary(t)) for t in m.reads.per_class(p, m.name)]
        assert m.by_class(p) == pytest.approx(each, rel=1e-14, nan_ok=True)


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("m", [recall, specificity, fbeta], ids=lambda m: m.name)
def test_derivatives_by_tables_are_those_by_views(m, average):
    p = labelled(6, 120, 4)
    assert m.reads is BinaryCounts
    sizes = class_sizes(p, average)
    assert _of_tables(m, p, sizes) == pytest.approx(_of_views(m, p, sizes), rel=1e-12, abs=1e-14)
