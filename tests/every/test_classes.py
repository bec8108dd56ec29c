"""Values of each class and averages over classes, against views made by hand."""

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, compare, evaluate
from credibly.intervals import bootstrap
from credibly.predictions.lack import POSITIVE
from credibly.predictions.summaries import BinaryCounts, Counts, ScoreTable
from credibly.predictions.summaries.linear import class_sizes
from each import Each
from every.battery import CASES, VARIANTS, by_variant, cases_for, same

CLASSWISE = [m for m in VARIANTS if m.reads in {BinaryCounts, ScoreTable} or "positive" in m.needs]
TABLES = [m for m in VARIANTS if m.reads is Counts and not any(map(np.ndim, m.arguments.values()))]
TABLES = [m for m in TABLES if not any(q.name == "costs" for q in m.parameters)]
SEVERAL = [c for c in CASES if len(c.columns.get("classes", ())) == 3]


def one_against_rest(columns, i):
    """The columns of class ``i`` against the others, by hand."""

    def codes(values):
        return np.array([None if v is None else int(v == i) for v in values], object)

    made = {"y_true": codes(columns["y_true"]), "label": codes(columns["label"])}
    made["probability"] = np.asarray(columns["probability"])[:, i]
    if "sample_weight" in columns:
        made["sample_weight"] = columns["sample_weight"]
    prior = columns["baseline"][i]
    return {**made, "classes": [0, 1], "positive": 1, "baseline": [1 - prior, prior]}


def weighted(case):
    return {**case.columns, "sample_weight": np.arange(case.n) % 4 + 0.5}


def both(case):
    """The columns of a case without and with weights, their predictions and the views by hand."""

    def make():
        return [
            (c, Predictions.of(**c), [Predictions.of(**one_against_rest(c, i)) for i in range(3)])
            for c in (case.columns, weighted(case))
        ]

    return case.once("views", make)


@by_variant(CLASSWISE + TABLES)
def test_each_class_is_a_view_against_the_rest(m):
    for case in SEVERAL:
        for _, p, views in both(case):
            for value, view in zip(m.by_class(p), views, strict=True):
                assert same(value, m.value(view)), case


@by_variant(CLASSWISE)
def test_averages_over_classes(m):
    for case in SEVERAL:
        for columns, p, views in both(case):
            each = np.array([m.value(view) for view in views])
            weight = np.asarray(columns.get("sample_weight", np.ones(case.n)))
            assert same(m.averaged(p, "macro"), each.mean())
            for average, column in (("weighted", "y_true"), ("weighted_predicted", "label")):
                sizes = np.array(
                    [weight[[v == i for v in columns[column]]].sum() for i in range(3)]
                )
                here = sizes > 0
                expected = (each * sizes)[here].sum() / sizes.sum()
                assert same(m.averaged(p, average), expected), (case, average)


@pytest.mark.daily
@by_variant(CLASSWISE)
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "weighted_predicted"])
def test_averages_ignore_rows_of_unknown_truth(m, average):
    for case in SEVERAL:
        gone = np.arange(case.n) % 4 == 1
        truth = np.array(case.columns["y_true"], object)
        truth[gone] = None
        with_holes = case.once("holes", lambda c=case, t=truth: c.with_columns(y_true=t))
        rest = case.once("rest", lambda c=case, g=gone: c.rows(~g))
        values = (m.averaged(with_holes, average), m.averaged(rest, average))
        assert same(*values), (case, average)


@by_variant(CLASSWISE)
def test_micro_pools_the_views(m):
    for case in SEVERAL:
        for columns in (case.columns, weighted(case)):
            views = [one_against_rest(columns, i) for i in range(3)]
            rows = {"y_true", "label", "probability", "sample_weight"} & set(views[0])
            pooled = {k: np.concatenate([v[k] for v in views]) for k in rows}
            # The priors differ from view to view, so a measure that reads them cannot be pooled.
            pooled |= {"classes": [0, 1], "positive": 1}
            if "baseline" in m.needs:
                continue
            value = m.averaged(Predictions.of(**columns), "micro")
            assert same(value, m.value(Predictions.of(**pooled))), case


@by_variant(CLASSWISE)
def test_without_a_positive_class_it_asks_for_one(m):
    p = next(c for c in SEVERAL if c.wholesome).predictions
    assert m.lacks(p) == POSITIVE
    with pytest.raises(DataError, match="positive"):
        m.value(p)


@by_variant(CLASSWISE)
def test_evaluate_averages_and_lists_classes(m):
    for case in (c for c in SEVERAL if c.wholesome):
        p = case.predictions
        each = m.by_class(p)
        by_class = evaluate(p, m, by="class", interval="none")
        assert [e.keys["class"] for e in by_class.estimates] == [0, 1, 2]
        assert [e.value for e in by_class.estimates] == list(each)
        assert evaluate(p, m, interval="none")[m.call].average == "macro"
        for average in ("macro", "micro", "weighted", "weighted_predicted"):
            (e,) = evaluate(p, m, average=average, interval="none").estimates
            assert (e.average, e.value) == (average, m.averaged(p, average))


def test_class_sizes_of_an_unknown_average_are_refused():
    with pytest.raises(ValueError, match="average must be"):
        class_sizes(SEVERAL[0].predictions, "median")


WHOLE = [m for m in VARIANTS if m.reads is Counts and not m.class_wise]
NUMERIC = [m for m in VARIANTS if m.task == "numeric"]


@Each("m", WHOLE + NUMERIC)
def test_what_is_about_all_classes_or_none_is_not_pooled(m):
    for case in cases_for(m, wholesome=True):
        for asked in (
            lambda p: m(p, average="micro"),
            lambda p: compare(p, p, m, average="micro"),
            lambda p: bootstrap(p, m, average="micro", rng=1, replicates=2),
        ):
            with pytest.raises(ParameterError, match=f"{m.name} is about .*Leave out average="):
                asked(case.predictions)


def test_a_panel_leaves_those_as_they_are():
    p = Predictions.of(list("aabbcc"), label=list("aabcca"))
    for average in ("macro", "micro", "weighted"):
        table = evaluate(p, average=average)
        assert table["accuracy"].value == pytest.approx(4 / 6)
        assert (table["accuracy"].average, table["recall"].average) == (None, average)
