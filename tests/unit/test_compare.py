"""The verb `compare`: which test it takes and why, what it refuses, what it says of several models."""

import json
from dataclasses import replace

import numpy as np
import pytest

from credibly import (
    Comparisons,
    DataError,
    ParameterError,
    Predictions,
    TestResult,
    compare,
    evaluate,
)
from credibly.comparisons import (
    Areas,
    DatasetTable,
    FoldValues,
    Moments,
    PairedValues,
    correlation_of_areas,
)

N = 80
RNG = np.random.default_rng(11)
TRUTH = np.arange(N) % 2
PROBABILITY = {
    name: np.clip(TRUTH * gain + RNG.random(N) * (1 - gain), 0.01, 0.99).round(3)
    for name, gain in (("a", 0.4), ("b", 0.2), ("c", 0.1))
}


def model(name, rows=slice(None), **columns):
    return Predictions.of(TRUTH[rows], probability=PROBABILITY[name][rows], **columns)


@pytest.fixture
def pair():
    rows = {"row": range(N)}
    return model("a", **rows), model("b", **rows)


def test_the_measure_may_stand_second_where_the_first_holds_all_models(pair):
    named = dict(zip("ab", pair, strict=True))
    assert compare(named, "auc") == compare(named, measure="auc")


def test_cases_of_one_model_alone_are_told_by_what_they_count_in(pair):
    found = compare(dict(zip(("new", "old"), pair, strict=True)), "accuracy")
    alone = found.parameters["only_first"], found.parameters["only_second"]
    told = dict(found.lines())["cases"]
    assert told == "only new right in {:g}, only old in {:g}".format(*alone)


# --- which test ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "columns", "asked", "test", "because"),
    [
        ("error_rate", {}, {}, "mcnemar", "label the same cases"),
        ("accuracy", {}, {}, "mcnemar", "only one gets wrong"),
        ("auc", {}, {}, "delong", "DeLong's method"),
        ("gini", {}, {}, "delong", "score the same cases"),
        ("brier", {}, {}, "paired_losses", "mean over the same cases"),
        ("log_loss", {}, {}, "paired_losses", "case by case"),
        ("mcc", {}, {}, "influence", "smooth function"),
        ("average_precision", {}, {}, "influence", "smooth function"),
        ("probability_rmse", {}, {}, "influence", "smooth function"),
        ("ks", {}, {"rng": 1}, "bootstrap", "not smooth"),
        ("auc", {"group": np.arange(N) // 4}, {}, "influence", "groups"),
        ("ks", {"group": np.arange(N) // 4}, {"rng": 1}, "bootstrap", "not smooth"),
        ("auc", {"sample_weight": np.arange(N) / N + 0.1}, {}, "influence", "smooth"),
        ("error_rate", {"sample_weight": np.arange(N) / N + 0.1}, {}, "paired_losses", "mean"),
        ("error_rate", {"fold": np.arange(N) // 8}, {}, "widened_t", "other training sets"),
        ("error_rate", {}, {"independent": True}, "two_proportions", "proportion of different"),
        ("recall", {}, {"independent": True}, "two_proportions", "proportion of different"),
        ("auc", {}, {"independent": True}, "delong_unpaired", "variances of the AUCs add"),
        ("brier", {}, {"independent": True}, "unpaired_losses", "different cases"),
        ("mcc", {}, {"independent": True}, "influence_unpaired", "different cases"),
        ("ks", {}, {"independent": True, "rng": 1}, "bootstrap_unpaired", "not smooth"),
        ("auc", {"row": np.arange(N)}, {"partial": True}, "partially_paired", "share some"),
    ],
)
def test_auto(measure, columns, asked, test, because):
    result = compare(model("a", **columns), model("b", **columns), measure, **asked)
    assert result.test == test
    assert because in result.why


@pytest.mark.parametrize(
    ("measure", "value", "test"),
    [
        ("accuracy", 0.5, "binomial_value"),
        ("auc", 0.5, "influence_value"),
        ("recall_at_specificity", 0.2, "bootstrap_value"),
    ],
)
def test_against_a_value(measure, value, test):
    result = compare(model("a"), measure=measure, against=value, rng=1)
    assert result.test == test
    assert result.names == ("the model", f"{value:g}")
    assert result.difference == pytest.approx(result.values[0] - value)


def test_what_chance_lifts_is_compared_with_another_model_but_with_no_value(pair):
    with pytest.raises(DataError, match=r"biased upwards by chance.*interval='bootstrap'"):
        compare(model("a"), measure="ks", against=0.2, rng=1)
    assert compare(*pair, "ks", rng=1).test == "bootstrap"


def test_a_largest_value_is_not_bootstrapped():
    x, y = (Predictions.of(TRUTH * 1.0, value=PROBABILITY[k]) for k in "ab")
    with pytest.raises(DataError, match=r"Largest error.*no replicate has.*permutation"):
        compare(x, y, "max_error", test="bootstrap", rng=1)
    result = compare(x, y, "max_error", rng=1)
    assert result.test == "permutation"
    assert "no replicate has" in result.why


def test_a_random_test_without_a_seed_takes_a_fixed_one_and_says_so(pair):
    fixed, seeded = compare(*pair, "ks"), compare(*pair, "ks", rng=1)
    assert fixed.pvalue == seeded.pvalue
    assert [f.code for f in fixed.findings if f not in seeded.findings] == ["unseeded"]
    assert "unseeded" not in [f.code for f in compare(*pair, "auc").findings]


def test_numbers_and_default_measures(pair):
    x, y = (Predictions.of(TRUTH * 1.0, value=PROBABILITY[k]) for k in "ab")
    assert compare(x, y).measure == "mae"
    assert compare(*pair).measure == "error_rate"
    scores = [Predictions.of(TRUTH, score=PROBABILITY[k]) for k in "ab"]
    assert compare(*scores).measure == "auc"


def test_several_classes_are_averaged():
    truth = np.arange(N) % 3
    rng = np.random.default_rng(12)
    labels = [np.where(rng.random(N) < right, truth, (truth + 1) % 3) for right in (0.8, 0.6)]
    a, b = (Predictions.of(truth, label=x) for x in labels)
    result = compare(a, b, "recall")
    assert result.measure == "recall, macro average"
    assert result.test == "influence"
    assert compare(a, b, "recall", average="micro").measure == "recall, micro average"


def test_evidence_may_be_values():
    values = np.linspace(0.7, 0.9, 10), np.linspace(0.65, 0.8, 10) + 0.01 * (np.arange(10) % 3)
    assert compare(FoldValues(*values, test_train_ratio=1 / 9)).test == "corrected_resampled_t"
    assert compare(PairedValues(*values)).test == "wilcoxon"
    assert compare(Moments.of(*values)).test == "unpaired_t"
    assert compare(FoldValues(*values), test="unpaired_t").test == "unpaired_t"
    table = DatasetTable(np.column_stack([*values, values[0] - 0.02]), ("a", "b", "c"))
    assert compare(table, test="friedman").test == "friedman"
    assert compare(DatasetTable(np.column_stack(values), ("a", "b"))).test == "wilcoxon"
    with pytest.raises(DataError, match="test_train_ratio="):
        compare(FoldValues(*values))


def test_folds_are_read_from_predictions():
    """Ten folds that hold each case once: a ninth of the size of the training part."""
    fold = np.arange(N) % 10
    a, b = (model(k, row=range(N), fold=fold) for k in "ab")
    corrected = "corrected_resampled_t"
    result = compare(a, b, "brier", test=corrected)
    assert result.about == compare(a, b, "brier").about == "training"
    assert result.parameters["test_train_ratio"] == pytest.approx(1 / 9)
    assert result.n == 10
    known = [replace(p, n_train=np.full(N, 36.0)) for p in (a, b)]
    told = compare(*known, "brier", test=corrected).parameters
    assert told["test_train_ratio"] == pytest.approx(8 / 36)
    assert compare(a, b, "brier", test="paired_t").test == "paired_t"
    assert compare(a, b, "brier", test="unpaired_t").test == "unpaired_t"
    pooled = compare(a, b, "brier", test="paired_losses")
    assert pooled.about == "cases"
    assert "pooled-folds" in [f.code for f in pooled.findings]


def test_repeats_are_read_from_predictions():
    both = {"row": np.tile(np.arange(N), 2), "repeat": np.repeat([0, 1], N)}
    fold = np.concatenate([np.arange(N) % 5, np.arange(N) // 16])
    truth = np.tile(TRUTH, 2)
    a, b = (
        Predictions.of(truth, probability=np.tile(PROBABILITY[k], 2), fold=fold, **both)
        for k in "ab"
    )
    result = compare(a, b, "error_rate", test="corrected_resampled_t")
    assert result.n == 10
    assert result.parameters["test_train_ratio"] == pytest.approx(1 / 4)


def test_a_measure_undefined_in_a_fold_is_refused():
    fold = np.where(TRUTH == 1, 0, 1)
    with pytest.raises(DataError, match=r"undefined in 2 of 2 folds"):
        compare(model("a", fold=fold), model("b", fold=fold), "auc")


# --- what is refused ----------------------------------------------------------------------------


def test_other_rows_are_named():
    a, b = model("a", row=range(N)), model("b", slice(0, 70), row=range(70))
    with pytest.raises(DataError, match=r"10 rows of 80 only in first \(rows 70, 71.*5 more\)"):
        compare(a, b, "auc")
    with pytest.raises(DataError, match=r"only in second"):
        compare(b, a, "auc")
    assert compare(a, b, "auc", independent=True).test == "delong_unpaired"
    assert compare(a, b, "auc", partial=True).parameters["shared"] == 70


def test_rows_are_matched_whatever_their_order(pair):
    order = np.random.default_rng(0).permutation(N)
    expected = compare(*pair, "auc")
    result = compare(pair[0], pair[1].take(order), "auc")
    assert result.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert not result.findings


def test_rows_without_names_are_taken_as_they_stand():
    result = compare(model("a"), model("b"), "auc")
    assert [f.code for f in result.findings] == ["aligned-by-position"]
    with pytest.raises(DataError, match=r"80 rows and second 70 rows.*row="):
        compare(model("a"), model("b", slice(0, 70)), "auc")
    other = Predictions.of(1 - TRUTH, probability=PROBABILITY["b"])
    with pytest.raises(DataError, match=r"truth differs.*80 rows.*first 0 and 1"):
        compare(model("a"), other, "auc")


def test_other_splits_are_refused():
    a = model("a", row=range(N), fold=np.arange(N) % 10)
    b = model("b", row=range(N), fold=np.arange(N) // 8)
    with pytest.raises(DataError, match=r"fold differs.*same ones"):
        compare(a, b, "auc")


def test_other_classes_are_refused():
    a = Predictions.of(["x", "y", "x"], label=["x", "y", "y"])
    b = Predictions.of(["x", "y", "x"], label=["x", "y", "z"])
    with pytest.raises(DataError, match=r"'z' only occurs in second.*classes="):
        compare(a, b, "error_rate")
    flipped = Predictions.of(TRUTH, probability=PROBABILITY["b"], positive=0)
    with pytest.raises(DataError, match=r"positive class is 1 for first and 0 for second"):
        compare(model("a"), flipped, "auc")
    numbers = Predictions.of(TRUTH * 1.0, value=PROBABILITY["b"])
    with pytest.raises(DataError, match="needs classification predictions, which second lacks"):
        compare(model("a"), numbers, "auc")


def test_classes_in_another_order_are_the_same():
    truth = np.array(list("xyzxyzxyzx"))
    label, other = np.array(list("xyzxyyxyzz")), np.array(list("xxzxyyxxzz"))
    wide = np.random.default_rng(13).dirichlet([1, 1, 1], 10)
    a = Predictions.of(truth, label=label, probability=wide, classes=list("xyz"))
    b = Predictions.of(truth, label=other, probability=wide[:, ::-1], classes=list("zyx"))
    same = Predictions.of(truth, label=other, probability=wide, classes=list("xyz"))
    for measure in ("error_rate", "log_loss"):
        assert compare(a, b, measure).to_dict() == compare(a, same, measure).to_dict()


@pytest.mark.parametrize(
    ("arguments", "asked", "message"),
    [
        ((model("a"),), {}, "needs two models"),
        (({"a": model("a")},), {}, "needs two models"),
        (({},), {}, "no models"),
        (([0, 1],), {}, "takes Predictions; got list"),
        ((model("a"), [0, 1]), {}, "takes Predictions; got list"),
        (({"a": model("a")}, model("b")), {}, "not both"),
        ((model("a"), model("b"), "auc"), {"against": 0.5}, "Only one model"),
        ((model("a"), None, "auc"), {"against": 1.5}, "0 to 1"),
        ((model("a"), model("b"), "auc"), {"test": "delong_unpaired"}, "independent=True"),
        ((model("a"), model("b"), "auc"), {"test": "mcnemar"}, "error_rate or accuracy"),
        ((model("a"), model("b"), "auc"), {"test": "nonsense"}, "no comparison"),
        ((model("a"), model("b"), "auc"), {"test": "friedman"}, "table of values"),
        ((model("a"), model("b"), "auc"), {"test": "influence_value"}, "against="),
        ((model("a"), model("b"), "ks"), {"test": "influence"}, "bootstrap"),
        ((model("a"), model("b"), "mcc"), {"test": "paired_losses"}, "influence"),
        ((model("a"), model("b"), "auc"), {"confidence_level": 95}, "confidence_level"),
    ],
)
def test_bad_calls(arguments, asked, message):
    with pytest.raises(ParameterError, match=message):
        compare(*arguments, **asked)


def test_bad_data(pair):
    with pytest.raises(DataError, match="mae needs numeric predictions"):
        compare(*pair, "mae")
    single = [replace(p.take(np.flatnonzero((TRUTH == 0) | (np.arange(N) == 1)))) for p in pair]
    with pytest.raises(DataError, match="at least two positive"):
        compare(*single, "auc")
    sure = [Predictions.of(TRUTH, probability=np.where(TRUTH, x, 1 - x)) for x in (1.0, 0.0)]
    with pytest.raises(DataError, match=r"not a finite number"):
        compare(*sure, "log_loss")
    unvaried = compare(*sure, "auc")
    assert np.isnan(unvaried.pvalue)
    assert unvaried.difference == 1
    assert "1 without any variation" in str(unvaried)
    assert "permutation" in str(unvaried)
    unknown = Predictions.of([None, None], label=[0, 1], classes=[0, 1])
    with pytest.raises(DataError, match="known truth"):
        compare(unknown, unknown, "error_rate")
    weighted = [replace(p, weight=1.0 + np.arange(N), weight_kind="importance") for p in pair]
    with pytest.raises(DataError, match="importance weights"):
        compare(*weighted, "auc", test="delong")
    with pytest.raises(DataError, match="row="):
        compare(model("a"), model("b"), "auc", partial=True)
    other = Predictions.of(1 - TRUTH, probability=PROBABILITY["b"], row=range(40, 40 + N))
    with pytest.raises(DataError, match=r"truth differs.*40 rows"):
        compare(pair[0], other, "auc", partial=True)
    with pytest.raises(DataError, match="undefined for one of the models"):
        compare(replace(pair[0], label=np.zeros(N, int)), pair[1], "precision")
    alone = [Predictions.of([1] * 5, score=range(5), classes=[0, 1]) for _ in "ab"]
    with pytest.raises(DataError, match="both classes"):
        compare(*alone, "auc", test="venkatraman", rng=1)


def test_unknown_truths_are_left_out_of_both(pair):
    truth = [None if i < 8 else int(t) for i, t in enumerate(TRUTH)]
    both = [Predictions.of(truth, probability=PROBABILITY[k], row=range(N)) for k in "ab"]
    result = compare(*both, "auc")
    expected = compare(*(p.take(slice(8, None)) for p in pair), "auc")
    assert result.pvalue == expected.pvalue
    assert result.n == N - 8


# --- several models -----------------------------------------------------------------------------


def test_all_pairs_of_several_models():
    models = {name: model(name, row=range(N)) for name in "abc"}
    found = compare(models, measure="auc")
    assert isinstance(found, Comparisons)
    assert [r.names for r in found.results] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found.whole.test == "delong_several"
    assert all(p >= r.pvalue for p, r in zip(found.adjusted, found.results, strict=True))
    assert found["b", "c"].pvalue == pytest.approx(compare(models["b"], models["c"], "auc").pvalue)
    with pytest.raises(KeyError, match="is not among these"):
        found["c", "a"]
    back = json.loads(found.to_json())
    assert [c["adjusted_pvalue"] for c in back["comparisons"]] == list(found.adjusted)
    assert list(found.frame("pandas")["adjusted_pvalue"]) == list(found.adjusted)
    plain = compare(models, measure="auc", correction="bonferroni")
    assert plain.adjusted == pytest.approx([min(1, 3 * r.pvalue) for r in found.results])
    assert compare(models, measure="error_rate").whole.test == "cochran_q"
    assert compare(models, measure="brier").whole is None


def test_a_column_of_models_is_split():
    together = Predictions.of(
        np.tile(TRUTH, 3),
        probability=np.concatenate([PROBABILITY[k] for k in "abc"]),
        model=np.repeat(list("abc"), N),
        row=np.tile(np.arange(N), 3),
    )
    found = compare(together, measure="auc")
    apart = compare({k: model(k, row=range(N)) for k in "abc"}, measure="auc")
    assert [r.pvalue for r in found.results] == [r.pvalue for r in apart.results]
    two = compare(together.take(np.flatnonzero(together.model != "c")), measure="auc")
    assert isinstance(two, TestResult)
    assert two.names == ("a", "b")
    with pytest.raises(ParameterError, match="several models"):
        compare(together, model("a"), "auc")


def test_a_pair_that_cannot_be_judged_does_not_take_the_others_with_it():
    perfect = Predictions.of(TRUTH, score=TRUTH * 1.0)
    flat = Predictions.of(TRUTH, score=np.zeros(N))
    noisy = Predictions.of(TRUTH, score=PROBABILITY["a"])
    found = compare({"perfect": perfect, "flat": flat, "noisy": noisy}, measure="auc")
    cannot = found["perfect", "flat"]
    assert np.isnan(cannot.pvalue)
    assert cannot.difference == 0.5
    assert "cannot be judged" in str(cannot)
    assert np.isnan(found.adjusted[0])
    assert found["perfect", "noisy"].pvalue < 0.05
    assert "without any variation" in str(found)


def test_results_in_a_notebook():
    models = {f"<{name}>": model(name) for name in "abc"}
    found = compare(models, measure="auc")
    html = found._repr_html_()
    assert "&lt;a&gt;" in html
    assert "<a>" not in html
    assert html.count("<tr>") == 4
    assert "p-value" in found.results[0]._repr_html_()


def test_which_model_is_favoured(pair):
    swapped = pair[::-1]
    for measure, better in (("auc", "first"), ("brier", "first"), ("error_rate", "first")):
        assert compare(*pair, measure).favoured == better
        assert compare(*swapped, measure).favoured == "second"
        assert f"in favour of {better}" in str(compare(*pair, measure))
    assert compare(pair[0], pair[0], "auc").favoured == ""
    assert compare(pair[0], measure="auc", against=0.5).favoured == ""


def test_an_interval_never_contradicts_its_one_sided_test():
    """Of Student's tests, whose interval and p-value rest on one statistic."""
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(200):
        a, b = rng.normal(size=(2, 12))
        a += rng.uniform(-1.5, 1.5)
        margin = rng.choice([0.0, 0.3])
        for side in ("less", "greater"):
            more = {"margin": margin} if margin else {}
            result = compare(FoldValues(a, b), test="paired_t", alternative=side, **more)
            limits = result.confidence_interval
            beyond = limits.high < margin if side == "less" else limits.low > -margin
            assert beyond == result.rejected
            seen.add((side, margin, bool(beyond)))
    assert len(seen) == 8


def test_no_model_is_favoured_without_a_rejection():
    a = Predictions.of([0] * 20, label=[1] * 3 + [0] * 17, classes=[0, 1])
    b = Predictions.of([0] * 20, label=[0] * 18 + [1] * 2, classes=[0, 1])
    result = compare(a, b, "error_rate")
    assert result.favoured == "second"
    assert not result.rejected
    assert "in favour" not in str(result)


def test_words():
    result = compare(model("a"), model("b"), "auc", alternative="greater", confidence_level=0.99)
    text = str(result)
    assert "both models have the same AUC, or the first is lower" in text
    assert "rejected at 1 %" in text
    assert text.index("difference") < text.index("p-value")
    equal = str(compare(model("a"), model("a"), "auc"))
    assert "not rejected at 5 %" in equal
    assert "no variation to test" in equal


# --- rows that count several times, or not at all ---------------------------------------------

COPIES = np.random.default_rng(5).integers(0, 4, N)
COUNTED = [
    ("auc", "delong", {}),
    ("auc", "delong_several", {}),
    ("auc", "hanley_mcneil", {}),
    ("auc", "delong_unpaired", {"independent": True}),
    ("error_rate", "mcnemar", {}),
    ("error_rate", "cochran_q", {}),
    ("error_rate", "bowker", {}),
    ("error_rate", "stuart_maxwell", {}),
    ("error_rate", "two_proportions", {"independent": True}),
    ("brier", "paired_losses", {}),
    ("brier", "redelmeier", {}),
    ("brier", "unpaired_losses", {"independent": True}),
    ("mcc", "influence", {}),
    ("mcc", "influence_unpaired", {"independent": True}),
]


def alike(first, second):
    for name in ("statistic", "pvalue", "difference"):
        assert getattr(first, name) == pytest.approx(getattr(second, name), rel=1e-7, nan_ok=True)
    assert first.assumptions == second.assumptions


@pytest.mark.parametrize(("measure", "test", "more"), COUNTED, ids=lambda v: v if v else "")
def test_a_row_of_frequency_3_is_three_rows(measure, test, more):
    every = np.repeat(np.arange(N), COPIES)
    kind = {"sample_weight": COPIES, "weight_kind": "frequency"}
    results = [
        compare(model("a", rows, **w), model("b", rows, **w), measure, test=test, **more)
        for rows, w in ((slice(None), kind), (every, {}))
    ]
    alike(*results)


@pytest.mark.daily(measure=["auc"])
@pytest.mark.parametrize("measure", ["error_rate", "brier", "auc", "ks", "mcc"])
def test_permutations_of_counted_rows_are_those_of_their_cases(measure):
    """Cases of a row are swapped one by one, not together: p-values agree but for what was drawn."""
    rng, draws = np.random.default_rng(8), 3000
    truth, copies = np.arange(30) % 2, rng.integers(0, 6, 30)
    shares = [1 / (1 + np.exp(-rng.normal(truth - 0.5, 1.2 + d))) for d in (0, 0.4)]
    every, kind = (
        np.repeat(np.arange(30), copies),
        {"sample_weight": copies, "weight_kind": "frequency"},
    )
    counted, repeated = (
        compare(
            *(Predictions.of(truth[rows], probability=s[rows], **w) for s in shares),
            measure,
            test=f"permutation(permutations={draws})",
            rng=1,
        )
        for rows, w in ((slice(None), kind), (every, {}))
    )
    assert counted.difference == pytest.approx(repeated.difference, rel=1e-9)
    p = repeated.pvalue
    assert 0.01 < p < 0.99
    assert counted.pvalue == pytest.approx(p, abs=4 * (2 * p * (1 - p) / draws) ** 0.5)


@pytest.mark.parametrize(
    ("measure", "asked"),
    [
        ("auc", {}),
        ("mcc", {}),
        ("brier", {}),
        ("brier", {"independent": True}),
        ("ks", {"test": "bootstrap(replicates=99)", "rng": 1}),
        ("ks", {"test": "permutation(permutations=99)", "rng": 1}),
    ],
)
def test_a_row_of_importance_0_is_no_row(measure, asked):
    weight = COPIES / 2
    results = [
        compare(*(model(k, rows, sample_weight=weight[rows]) for k in "ab"), measure, **asked)
        for rows in (slice(None), weight > 0)
    ]
    alike(*results)


def test_delong_counts_cases_not_rows():
    def areas(truth, weight):
        kind = {"sample_weight": weight, "weight_kind": "frequency"}
        scores = ([6, 5, 4, 3, 2, 1], [2, 4, 1, 3, 5, 2])
        return [Predictions.of(truth, score=s, **kind) for s in scores]

    few = areas([1, 0, 0, 0, 0, 0], [3, 1, 3, 0, 3, 2])
    rows = np.repeat(np.arange(6), [3, 1, 3, 0, 3, 2])
    repeated = [replace(p.take(rows), weight=None, weight_kind="none", cache={}) for p in few]
    alike(compare(*few, "auc", test="delong"), compare(*repeated, "auc", test="delong"))
    with pytest.raises(DataError, match="there are 1 and 8"):
        compare(*areas([1, 1, 0, 0, 0, 0], [1, 0, 3, 1, 2, 2]), "auc", test="delong")


# --- intervals of a difference --------------------------------------------------------------------


def labelled(both, only_first, only_second, neither):
    """Two models that err on so many cases together, alone, and not at all."""
    cells = np.repeat([0, 1, 2, 3], [both, only_first, only_second, neither])
    errs = [np.isin(cells, [0, 1]), np.isin(cells, [0, 2])]
    return [
        Predictions.of(np.ones(cells.size, int), label=(~e).astype(int), classes=[0, 1])
        for e in errs
    ]


def test_newcombe_of_paired_proportions():
    """Fagerland, Lydersen & Laake (2017), chapter 8, Bentur et al.: -0.507 to -0.026."""
    a, b = labelled(1, 1, 7, 12)
    limits = compare(a, b, "error_rate", test="mcnemar(interval='newcombe')").confidence_interval
    assert (round(limits.low, 3), round(limits.high, 3)) == (-0.507, -0.026)
    assert limits.method == "Newcombe"
    plain = compare(a, b, "error_rate", test="mcnemar(method='chi_square')").confidence_interval
    assert (plain.method, round(plain.low, 3), round(plain.high, 3)) == ("Tango", -0.517, -0.026)
    swapped = compare(b, a, "error_rate", test="mcnemar(interval='newcombe')").confidence_interval
    assert (swapped.low, swapped.high) == pytest.approx((-limits.high, -limits.low))


def test_newcombe_of_independent_proportions():
    """Newcombe (1998), 56 of 70 against 48 of 80: 0.0524 to 0.3339."""
    a = Predictions.of([1] * 70, label=[0] * 56 + [1] * 14, classes=[0, 1])
    b = Predictions.of([1] * 80, label=[0] * 48 + [1] * 32, classes=[0, 1])
    test = "two_proportions(interval='newcombe')"
    limits = compare(a, b, "error_rate", test=test, independent=True).confidence_interval
    assert (round(limits.low, 4), round(limits.high, 4)) == (0.0524, 0.3339)


def test_newcombes_intervals_cover():
    """Over every outcome of 14 paired cases, and of 12 against 15 of their own."""
    from scipy.stats import binom, multinomial

    from credibly.comparisons._scores import newcombe_limits, paired_correlation

    n, covered = 14, []
    cells = [
        (a, b, c, n - a - b - c)
        for a in range(n + 1)
        for b in range(n + 1 - a)
        for c in range(n + 1 - a - b)
    ]
    limits = np.array([
        newcombe_limits((a + b, a + c), (n, n), 0.95, paired_correlation(a, b, c, d))
        for a, b, c, d in cells
    ])  # fmt: skip
    for shares in ([0.5, 0.2, 0.1, 0.2], [0.05, 0.1, 0.05, 0.8], [0.2, 0.3, 0.3, 0.2]):
        inside = (limits[:, 0] <= shares[1] - shares[2]) & (shares[1] - shares[2] <= limits[:, 1])
        covered.append(multinomial.pmf(cells, n, shares)[inside].sum())
    pairs = [(x, y) for x in range(13) for y in range(16)]
    ends = np.array([newcombe_limits(pair, (12, 15), 0.95) for pair in pairs])
    for p, q in ((0.3, 0.1), (0.5, 0.5), (0.9, 0.2)):
        chance = np.outer(binom.pmf(range(13), 12, p), binom.pmf(range(16), 15, q)).ravel()
        covered.append(chance[(ends[:, 0] <= p - q) & (p - q <= ends[:, 1])].sum())
    assert min(covered) > 0.925
    assert 0.94 < np.mean(covered) < 0.98


def scored_pair(n=60, seed=4):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    scores = [truth * size + rng.exponential(size=n) for size in (1.6, 0.2)]
    return [Predictions.of(truth, score=s) for s in scores]


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_a_bootstrap_interval_just_reaches_the_null_at_its_pvalue(method):
    a, b = scored_pair()
    test = f"bootstrap(method='{method}', replicates=4000)"
    found = compare(a, b, "auc", test=test, rng=3)
    assert 0.001 < found.pvalue < 0.5
    at = compare(a, b, "auc", test=test, rng=3, confidence_level=1 - found.pvalue)
    assert at.confidence_interval.low == pytest.approx(0, abs=0.01)
    assert method.replace("bca", "BCa") in at.confidence_interval.method


def test_basic_and_bca_of_a_difference_by_hand():
    """The mean loss of a few cases, each replicate and each acceleration taken slowly."""
    rng = np.random.default_rng(1)
    truth, values = rng.normal(size=40), rng.exponential(size=(2, 40))
    a, b = (Predictions.of(truth, value=truth + v) for v in values)
    losses = values[0] - values[1]
    limits = {
        m: compare(a, b, "mae", test=f"bootstrap(method='{m}')", rng=5).confidence_interval
        for m in ("percentile", "basic", "bca")
    }
    middle = 2 * losses.mean()
    mirrored = middle - limits["percentile"].high, middle - limits["percentile"].low
    assert (limits["basic"].low, limits["basic"].high) == pytest.approx(mirrored)
    from scipy.stats import bootstrap

    slow = bootstrap(
        (losses,), np.mean, n_resamples=20_000, method="BCa", rng=2
    ).confidence_interval
    assert (limits["bca"].low, limits["bca"].high) == pytest.approx((slow.low, slow.high), abs=0.03)


def test_bca_of_two_samples_takes_the_skewness_of_both():
    from scipy.stats import bootstrap

    rng = np.random.default_rng(2)
    values = rng.exponential(size=50), rng.exponential(size=30) ** 2
    a, b = (Predictions.of(np.zeros(v.size), value=v) for v in values)
    found = compare(a, b, "mae", test="bootstrap_unpaired(method='bca')", rng=5, independent=True)
    slow = bootstrap(
        values, lambda x, y, axis: x.mean(axis) - y.mean(axis),
        n_resamples=20_000, method="BCa", rng=2,
    ).confidence_interval  # fmt: skip
    limits = found.confidence_interval
    assert (limits.low, limits.high) == pytest.approx((slow.low, slow.high), abs=0.05)


# --- the correlation of two AUCs from their scores ------------------------------------------------


def test_the_published_table_beside_normal_scores():
    """Placements of normal scores correlate as bivariate normal probabilities say; the table is rounded."""
    from scipy.stats import multivariate_normal, norm

    def both(a, r):
        return multivariate_normal.cdf([a, a], [0, 0], [[1, r], [r, 1]])

    for area in (0.7, 0.8, 0.9, 0.95):
        for r in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9):
            a, of_pairs = norm.ppf(area), area * area
            expected = (both(a, r / 2) - of_pairs) / (both(a, 0.5) - of_pairs)
            assert correlation_of_areas(r, area) == pytest.approx(expected, abs=0.012)
    between = correlation_of_areas(0.33, 0.7375)  # the middle of 0.29, 0.29, 0.31 and 0.31
    assert between == pytest.approx(0.30)


def correlated_pair(n=120):
    rng = np.random.default_rng(12)
    truth, shared = np.arange(n) % 2, rng.normal(size=n)
    scores = [1.3 * truth + shared + rng.normal(size=n) for _ in range(2)]
    return truth, scores, [Predictions.of(truth, score=s) for s in scores]


@pytest.mark.parametrize("name", ["pearson", "kendall"])
def test_hanley_mcneil_by_the_correlation_of_scores(name):
    import scipy.stats

    coefficient = {"pearson": scipy.stats.pearsonr, "kendall": scipy.stats.kendalltau}[name]
    truth, scores, (a, b) = correlated_pair()
    found = compare(a, b, "auc", test=f"hanley_mcneil(correlation='{name}')")
    among = [coefficient(*(s[truth == c] for s in scores)).statistic for c in (1, 0)]
    r = correlation_of_areas(np.mean(among), np.mean(found.values))
    assert found.parameters["correlation"] == pytest.approx(r)
    assert found.parameters["among positives"] == pytest.approx(among[0])
    plain = compare(a, b, "auc", test="hanley_mcneil")
    assert plain.parameters["correlation"] == pytest.approx(r, abs=0.15)
    same = compare(a, a, "auc", test=f"hanley_mcneil(correlation='{name}')")
    assert same.pvalue == 1


def test_correlations_that_the_table_does_not_have():
    for given in ((0.95, 0.8), (0.01, 0.8), (0.5, 0.6), (0.5, 0.99), (float("nan"), 0.8)):
        with pytest.raises(ParameterError, match="table has a mean"):
            correlation_of_areas(*given)
    with pytest.raises(ParameterError, match="computed from scores"):
        compare(Areas((0.9, 0.8), 51, 58, 0.0), test="hanley_mcneil(correlation='kendall')")
    truth, _, (a, _) = correlated_pair()
    with pytest.raises(DataError, match="do not vary"):
        compare(
            a,
            Predictions.of(truth, score=truth),
            "auc",
            test="hanley_mcneil(correlation='pearson')",
        )


def test_groups_of_one_case_each_are_no_groups():
    rng = np.random.default_rng(19)
    y = np.arange(40) % 2
    a, b = (rng.normal(y, 1) > 0.5 for _ in range(2))
    plain, alone = (
        [Predictions.of(y, label=label.astype(int), **more) for label in (a, b)]
        for more in ({}, {"group": range(40)})
    )
    assert compare(*alone, "accuracy").pvalue == compare(*plain, "accuracy").pvalue
    for one, other in zip(alone, plain, strict=True):
        found, expected = (evaluate(p, ["accuracy", "kappa"]) for p in (one, other))
        assert found.estimates == expected.estimates


def test_enough_cases_are_too_few_where_a_handful_carries_the_error():
    """Of 150 cases with a spread worth 2.8 degrees of freedom it said that they were enough."""
    rng = np.random.default_rng(4)
    truth, values = rng.normal(size=150), rng.normal(size=(2, 150)) / 3
    quiet, far = (truth + v for v in values), truth + values[0]
    far[0] += 60.0
    others = [Predictions.of(truth, value=v) for v in quiet]
    for measure in ("rmse", "mse", "correlation"):
        doubted = compare(Predictions.of(truth, value=far), others[1], measure)
        fine = compare(*others, measure)
        large = [
            next(a.stands for a in r.assumptions if "enough cases" in a.text)
            for r in (doubted, fine)
        ]
        assert large == ["doubtful", "holds"], measure
        codes = [{f.code for f in r.findings} for r in (doubted, fine)]
        assert ["few-cases-decide" in each for each in codes] == [True, False]


# --- one case that decides ----------------------------------------------------------------------


def decided(last):
    """Return two models, what the second says of one case being all that it has to say."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=30)
    value = truth + rng.normal(size=30)
    other = {"undefined": np.eye(30)[3], "end": truth + 2 * np.eye(30)[3]}[last]
    return Predictions.of(truth, value=value), Predictions.of(truth, value=other)


@pytest.mark.parametrize(
    ("last", "measure", "test"),
    [("undefined", "correlation", "permutation"), ("end", "r2", "bootstrap")],
)
def test_where_one_case_decides_what_a_model_has_another_test_is_taken(last, measure, test):
    models = decided(last)
    found = compare(*models, measure, rng=1)
    assert found.test == test
    assert found.pvalue > 0
    assert "without one of the cases" in found.why
    with pytest.raises(DataError, match=f"Use test='{test}' with rng=...") as refused:
        compare(*models, measure, test="influence")
    assert ("margin" in str(refused.value)) is (last == "undefined")
    with pytest.raises(DataError, match="without one of the cases"):
        compare(*models, measure, margin=0.1)


def test_other_pairs_keep_their_test_where_one_case_decides_what_one_model_has():
    first, second = decided("undefined")
    third = Predictions.of(first.truth, value=first.value**3)
    found = compare({"a": first, "b": second, "c": third}, "correlation")
    assert {each.test for each in found.results} == {"influence"}
    assert [np.isnan(each.pvalue) for each in found.results] == [True, False, True]
