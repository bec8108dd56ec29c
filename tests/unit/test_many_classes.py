"""Each of many classes against the rest: all at once is what one by one gives."""

import math
from dataclasses import replace

import numpy as np
import pytest

from credibly import Predictions, compare, evaluate
from credibly.evaluation.trivial_rules import baseline_values, rows_of_rule
from credibly.intervals.added_cases import with_added_cases
from credibly.intervals.influence import (
    MAX_CLASSES,
    _of_tables,
    _of_views,
    _table_point,
    influence,
)
from credibly.intervals.standard_errors import measure_error
from credibly.measures import fbeta, g_mean, mcc, measures, recall, specificity
from credibly.predictions.summaries import BinaryCounts, Counts
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


def test_rows_of_a_rule_for_one_class_give_the_value_of_the_rule():
    p, k = labelled(7, 90, 3), 7
    of_labels = [m for m in measures if m.reads is BinaryCounts and not m.lacks(p, averaged=True)]
    for m in of_labels:
        for name, values in baseline_values(m, p, None, by_class=True).items():
            rows = [rows_of_rule(m, p, name, i) for i in range(k)]
            assert [m.value(r) for r in rows] == pytest.approx(values, rel=1e-12, nan_ok=True)
            assert max(r.n for r in rows) < k  # not k * k, for each of k classes
    assert len(of_labels) > 10


def test_a_rule_that_has_one_value_on_any_cases_is_not_tested():
    truth = np.repeat([0, 1, 2], [60, 30, 30])
    p = Predictions.of(truth, label=np.where(np.arange(120) % 4, truth, 1))
    common, _, rare = (e.advantage for e in evaluate(p, "recall", by="class").estimates)
    assert (common.rule.name, common.pvalue) == ("majority", None)
    assert rare.rule.name == "random"
    assert rare.pvalue < 0.01


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("m", [recall, specificity, fbeta], ids=lambda m: m.name)
def test_derivatives_by_tables_are_those_by_views(m, average):
    p = labelled(6, 120, 4)
    assert m.reads is BinaryCounts
    sizes = class_sizes(p, average)
    assert _of_tables(m, p, sizes) == pytest.approx(_of_views(m, p, sizes), rel=1e-12, abs=1e-14)


def test_slopes_of_a_batch_are_those_of_each_table():
    """Also where complex steps do not serve: a formula with a bend at one of the tables."""
    p = labelled(5, 60, 4)

    def bent(t):
        return np.where(t.tp.real > 7, np.abs(t.tp - t.fp), t.tp * t.tn / t.total)

    batch = _table_point(BinaryCounts.each_class(p, "a test")).gradient(bent)
    tables = BinaryCounts.per_class(p, "a test")
    assert len({float(t.tp) > 7 for t in tables}) == 2
    for i, table in enumerate(tables):
        for name, slope in _table_point(table).gradient(bent).items():
            assert batch[name][i] == pytest.approx(float(slope), rel=1e-12, abs=1e-15), (i, name)


def test_cells_of_a_class_keep_their_digits_beside_heavy_ones():
    """What lies outside of a class that has nearly all of the weight is added up, not left of a difference."""
    truth, label = [0, 0, 1, 2, 2, 1], [0, 1, 1, 2, 1, 0]
    weight = [1e12, 3e11, 1e-12, 0.3e-12, 0.1, 1e11]
    p = Predictions.of(truth, label=label, sample_weight=weight, weight_kind="importance")
    each = BinaryCounts.each_class(p, "a test")
    for i in range(3):
        one = Counts.of(p).binary(i)
        for name in ("tp", "fp", "fn", "tn"):
            exact = math.fsum(
                w
                for t, y, w in zip(truth, label, weight, strict=True)
                if ((t == i) == (name in {"tp", "fn"})) and ((y == i) == (name in {"tp", "fp"}))
            )
            assert getattr(each, name)[i] == pytest.approx(exact, rel=1e-15)
            assert float(getattr(one, name)) == pytest.approx(exact, rel=1e-15)
    empty = Predictions.of([0, 0, 1], label=[0, 1, 0], sample_weight=[0.1, 0.2, 0.7])
    assert BinaryCounts.each_class(empty, "a test").tn[0] == 0


def test_geometric_mean_over_many_classes_is_no_product_too_small_for_a_double():
    k = 1500
    truth = np.repeat(np.arange(k), 2)
    label = truth.copy()
    label[::2] = (truth[::2] + 1) % k
    assert g_mean(Predictions.of(truth, label=label)) == pytest.approx(0.5, rel=1e-12)


def test_what_a_case_adds_to_many_classes_grows_with_them_not_with_their_square():
    p = labelled(300, 900, 5)
    (more,) = with_added_cases(p)
    assert more.n <= p.n + 2 * 300
    few = labelled(40, 900, 5)
    wide = replace(few, classes=tuple(range(80)), cache={})  # the other half have no case
    for m, average in ((recall, "macro_occurring"), (fbeta, "macro_occurring")):
        error, _ = measure_error(m, with_added_cases(few), average)
        assert measure_error(m, with_added_cases(wide), average)[0] == pytest.approx(
            error, rel=0.01
        )


@pytest.mark.parametrize("m", [m for m in measures if m.mean_of], ids=lambda m: m.name)
def test_a_mean_over_classes_is_that_of_its_measure_of_one(m):
    p = labelled(6, 120, 4)
    assert m.value(p) == pytest.approx(m.of_one_class.averaged(p, "macro"), rel=1e-14)
    by_cells, by_classes = influence(m, p), influence(m.of_one_class, p, "macro")
    assert by_cells == pytest.approx(by_classes, rel=1e-12, abs=1e-16)


def test_two_models_of_many_classes_are_compared_by_balanced_accuracy():
    k = MAX_CLASSES + 1
    truth = np.tile(np.arange(k), 10)
    rng = np.random.default_rng(5)
    first, second = (
        Predictions.of(truth, label=np.where(rng.random(truth.size) < right, truth, 0))
        for right in (0.8, 0.6)
    )
    found, recalls = (compare(first, second, name) for name in ("balanced_accuracy", "recall"))
    assert found.pvalue == pytest.approx(recalls.pvalue, rel=1e-9)
    assert found.pvalue < 0.001
