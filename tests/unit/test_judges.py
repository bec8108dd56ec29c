"""Few labels and a judge: equal to the reference package, to slow twins, and honest about what is not known."""

import json
import math

import numpy as np
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions, agreement, corrected_rate, few_labels
from credibly.cli import main

N = 60


def waves(kind, total=460):
    """The same cases in every language: sums of sines, or whether they are above a threshold."""
    i = np.arange(total)
    judge = np.sin(i * 1.7) + 0.3 * np.cos(i * 0.31)
    truth = 0.8 * judge + 0.5 + 0.6 * np.sin(i * i * 0.013)
    if kind == "shares":
        return (truth > 0.6).astype(float), (judge > 0.1).astype(float)
    return truth, judge


def few(kind, **more):
    truth, judge = waves(kind)
    if kind == "numbers":
        return Predictions.of(
            np.where(np.arange(truth.size) < N, truth, np.nan), value=judge, **more
        )
    known = [int(t) if i < N else None for i, t in enumerate(truth)]
    return Predictions.of(known, label=judge.astype(int), **more)


# ppi_py 0.2.3: ppi_mean_pointestimate and ppi_mean_ci(alpha=0.05) with lam=None, 1 and 0.
PPI_PY = {
    ("numbers", "tuned"): (0.5576917529798198, 0.4447736054903647, 0.6706099004692748),
    ("numbers", "ppi"): (0.5601774306311219, 0.4252837677420436, 0.6950710935202002),
    ("numbers", "labels"): (0.5536686486433691, 0.38516303051914946, 0.7221742667675887),
    ("shares", "tuned"): (0.4668025121945056, 0.36480802817307306, 0.5687969962159382),
    ("shares", "ppi"): (0.4533333333333333, 0.3345382375169664, 0.5721284291497003),
    ("shares", "labels"): (0.48333333333333334, 0.35688850786395493, 0.6097781588027118),
}


@pytest.mark.parametrize(("kind", "method"), PPI_PY)
def test_equals_ppi_py_but_for_its_divisors(kind, method):
    value, low, high = PPI_PY[kind, method]
    found = few_labels(few(kind))[method]
    assert found.value == pytest.approx(value, rel=1e-12)
    truth, judge = waves(kind)
    rest = truth[:N] - found.weight * judge[:N], found.weight * judge[N:]
    theirs = math.sqrt(sum(v.var() / v.size for v in rest))
    assert (high - low) / 2 / 1.959963984540054 == pytest.approx(theirs, rel=1e-9)
    ours = math.sqrt(sum(v.var(ddof=1) / v.size for v in rest))  # they divide by n, with 60 labels
    assert found.interval.standard_error == pytest.approx(ours, rel=1e-9)


def test_an_example_of_the_reference_itself():
    """Its test_mean.py: a judge that is off by 2 everywhere leaves exactly nothing of what it adds."""
    truth = np.random.default_rng(1).normal(0, 1, 100)
    p = Predictions.of(
        np.append(truth, np.full(10_000, np.nan)), value=np.append(truth + 2, np.full(10_000, 2.0))
    )
    found = few_labels(p).best
    assert found.weight == 1
    assert found.value == pytest.approx(0, abs=1e-12)


# Its example forest_badmodel: places by whether they were deforested and whether the judge says so (no and no, no and yes,
# yes and no, both), others by the judge; and ppi_mean_ci(alpha=0.05) with lam=None, 1 and 0.
FORESTS = [
    ((83, 3, 14, 0), (1466, 30), {
        "tuned": (0.14, 0.07199179152399525, 0.20800820847600476),
        "ppi": (0.1300534759358289, 0.05184782033618546, 0.20825913153547232),
        "labels": (0.14, 0.07199179152399525, 0.20800820847600476)}),
    ((399, 10, 91, 0), (1073, 23), {
        "tuned": (0.182, 0.14817985738085487, 0.21582014261914512),
        "ppi": (0.182985401459854, 0.14527162743251623, 0.22069917548719178),
        "labels": (0.182, 0.14817985738085487, 0.21582014261914512)}),
]  # fmt: skip


@pytest.mark.parametrize(("labelled", "others", "theirs"), FORESTS)
def test_the_forests_of_the_reference(labelled, others, theirs):
    truth = np.repeat([0, 0, 1, 1], labelled)
    judge, rest = np.repeat([0, 1, 0, 1], labelled), np.repeat([0, 1], others)
    p = Predictions.of([*truth.tolist(), *[None] * rest.size], label=np.append(judge, rest))
    found = few_labels(p)
    for method, (value, low, high) in theirs.items():
        one = found[method]
        assert one.value == pytest.approx(value, rel=1e-12)
        parts = truth - one.weight * judge, one.weight * rest
        errors = [math.sqrt(sum(v.var(ddof=d) / v.size for v in parts)) for d in (0, 1)]
        assert (high - low) / 2 / 1.959963984540054 == pytest.approx(errors[0], rel=1e-9)
        assert one.interval.standard_error == pytest.approx(errors[1], rel=1e-9)


def test_the_interval_of_numbers_is_students():
    found = few_labels(few("numbers"))["tuned"]
    half = (found.interval.high - found.interval.low) / 2
    assert half == pytest.approx(
        2.0009953780882674 * found.interval.standard_error, rel=1e-9
    )  # t, 59


def test_a_measure_by_few_labels_is_the_mean_of_its_losses():
    rng = np.random.default_rng(3)
    truth, label = rng.integers(0, 2, (2, 400))
    judge = np.where(rng.random(400) < 0.8, truth, 1 - truth)
    known = [int(t) if i < 90 else None for i, t in enumerate(truth)]
    p = Predictions.of(known, label=label, columns={"judge": judge})
    by_measure = few_labels(p, "accuracy", judge="judge")
    right = [
        int(a == b) if i < 90 else None for i, (a, b) in enumerate(zip(truth, label, strict=True))
    ]
    by_mean = few_labels(Predictions.of(right, label=(judge == label).astype(int)))
    for method in ("tuned", "ppi", "labels"):
        one, other = by_measure[method], by_mean[method]
        assert one.value == pytest.approx(other.value, rel=1e-12)
        assert one.weight == pytest.approx(other.weight, rel=1e-9)
        assert one.interval.standard_error == pytest.approx(other.interval.standard_error, rel=1e-9)
    given = few_labels(p, "accuracy", judge=judge.tolist())
    assert given.best.value == by_measure.best.value


def test_outcomes_by_few_people_and_a_judge():
    truth, judge = waves("shares")
    known = np.where(np.arange(truth.size) < N, truth, np.nan)
    p = Predictions.of(outcome=known, columns={"gpt": judge.astype(int)})
    found = few_labels(p, judge="gpt")
    assert found.what == "Pass rate"
    assert found.best.value == pytest.approx(PPI_PY["shares", "tuned"][0], rel=1e-12)
    with pytest.raises(ParameterError, match="judge="):
        few_labels(p)


def test_equal_probabilities_are_a_random_sample_and_one_stratum_is_all():
    p = few("numbers")
    plain = few_labels(p)["labels"]
    weighted = few_labels(p, sampled_with=np.full(p.n, N / p.n))["labels"]
    one = few_labels(p, stratum=np.zeros(p.n))["labels"]
    assert weighted.value == pytest.approx(plain.value, rel=1e-12)
    assert weighted.interval.standard_error == pytest.approx(
        plain.interval.standard_error, rel=1e-9
    )
    assert one.interval.standard_error == pytest.approx(plain.interval.standard_error, rel=1e-9)


def test_strata_are_the_weighted_mean_of_their_means():
    rng = np.random.default_rng(5)
    stratum = np.repeat([0, 1], [300, 100])
    truth = rng.normal(stratum * 3.0, 1 + stratum)
    labelled = np.concatenate([np.arange(300) < 20, np.arange(100) < 40])
    p = Predictions.of(np.where(labelled, truth, np.nan), value=truth + rng.normal(size=400))
    found = few_labels(p, stratum=stratum)["labels"]
    mine = [truth[labelled & (stratum == s)] for s in (0, 1)]
    assert found.value == pytest.approx(0.75 * mine[0].mean() + 0.25 * mine[1].mean(), rel=1e-12)
    # Within strata by their labels; between them, by how many cases of each there happened to be.
    within = sum(w**2 * m.var(ddof=1) / m.size for w, m in zip((0.75, 0.25), mine, strict=True))
    between = 0.75 * 0.25 * (mine[0].mean() - mine[1].mean()) ** 2 / 400
    pooled = sum(w * m.var() for w, m in zip((0.75, 0.25), mine, strict=True)) / 400
    error = found.interval.standard_error
    assert within < error**2 < within + between + pooled
    assert error == pytest.approx(math.sqrt(within + between), rel=0.01)


def test_groups_are_added_up_first():
    p = few("numbers", group=np.arange(460) // 20)
    alone, grouped = few_labels(few("numbers")).best, few_labels(p).best
    assert grouped.value == alone.value
    assert grouped.interval.degrees_of_freedom == 2  # three groups are labelled
    assert "23 groups" in grouped.interval.method


def test_more_labels_bring_what_was_announced():
    rng = np.random.default_rng(2)
    truth = rng.normal(size=8000)
    judge = truth + rng.normal(0, 0.6, 8000)

    def width(n):
        found = few_labels(
            Predictions.of(np.where(np.arange(8000) < n, truth, np.nan), value=judge)
        )
        return found, found.best.interval.high - found.best.interval.low

    found, wide = width(100)
    assert found.labels_to_halve == pytest.approx(430, rel=0.2)
    assert width(found.labels_to_halve)[1] == pytest.approx(wide / 2, rel=0.08)
    poor = few_labels(
        Predictions.of(np.where(np.arange(300) < 250, truth[:300], np.nan), value=judge[:300])
    )
    assert poor.labels_to_halve is None
    assert "cannot halve" in str(poor)


def codes(found):
    return {f.code for f in found.all_findings()}


def test_says_what_is_to_be_doubted():
    never = Predictions.of([1, 0] * 20 + [None] * 100, label=[1, 0] * 70)
    assert "judge-never-wrong" in codes(few_labels(never))
    assert few_labels(never).best.interval.low < 0.42  # although no label disagrees
    skewed = Predictions.of([1] * 30 + [0] * 10 + [None] * 200, label=[1] * 38 + [0] * 202)
    assert "labelled-cases-differ" in codes(few_labels(skewed))
    rng = np.random.default_rng(1)
    noise = Predictions.of(
        [*rng.integers(0, 2, 50).tolist(), *[None] * 200], label=rng.integers(0, 2, 250)
    )
    assert few_labels(noise).best.weight < 0.3
    opposite = Predictions.of([1, 0] * 25 + [None] * 200, label=[0, 1] * 125)
    found = few_labels(opposite)
    assert "judge-says-nothing" in codes(found)
    assert found.best.weight == 0
    assert "chance" in found["rogan_gladen"].why_no_interval
    assert "few-labelled" in codes(
        few_labels(Predictions.of([1, 0, 1, 0, *[None] * 30], label=[1, 0] * 17))
    )


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        (Predictions.of([1, 0, 1], label=[1, 0, 0]), {}, "All cases have a truth"),
        (Predictions.of(outcome=[1, 0, None]), {"judge": [np.nan] * 3}, "no answer for any case"),
        (few("shares"), {"measure": "accuracy"}, "judge="),
        (few("shares"), {"judge": "nobody", "measure": "accuracy"}, "not a column"),
        (few("shares"), {"judge": [1] * 460}, "measure="),
        (few("shares"), {"sampled_with": [0.0] * 460}, "probabilities above 0"),
        (few("shares"), {"sampled_with": [0.5] * 460, "stratum": [1] * 460}, "not both"),
        (few("shares"), {"stratum": np.arange(460)}, "labelled in"),
        (few("shares"), {"judge": ["?"] * 460, "measure": "accuracy"}, "not one of the classes"),
        (Predictions.of(["a", "b", "c", None], label=list("abca")), {}, "positive="),
        (Predictions.of([1, None, None], label=[1, 0, 0], classes=[0, 1]), {}, "at least two"),
    ],
)  # fmt: skip
def test_refuses_what_it_cannot_answer(given, options, said):
    with pytest.raises((DataError, ParameterError), match=said):
        few_labels(given, **options)


# R asht::prevSeSp computes the same formula, here written out again with its constants.
def slow_limits(x, n, x_se, n_se, x_sp, n_sp, z=1.959963984540054):
    q, se, sp = (x + z**2 / 2) / (n + z**2), (x_se + 1) / (n_se + 2), (x_sp + 1) / (n_sp + 2)
    rate = (q + sp - 1) / (se + sp - 1)
    shift = 2 * z**2 * (rate * se * (1 - se) / (n_se + 2) - (1 - rate) * sp * (1 - sp) / (n_sp + 2))
    spread = q * (1 - q) / (n + z**2) + rate**2 * se * (1 - se) / (n_se + 2)
    spread += (1 - rate) ** 2 * sp * (1 - sp) / (n_sp + 2)
    half = z * math.sqrt(spread) / (se + sp - 1)
    return max(rate + shift - half, 0), min(rate + shift + half, 1)


@pytest.mark.parametrize(
    "counts", [(230, 1000, 45, 50, 92, 100), (23, 150, 96, 100, 89, 100), (5, 300, 30, 40, 95, 96)]
)
def test_a_corrected_rate(counts):
    found = corrected_rate(*counts)
    x, n, x_se, n_se, x_sp, n_sp = counts
    q, se, sp = x / n, x_se / n_se, x_sp / n_sp
    assert found.rate == pytest.approx((q + sp - 1) / (se + sp - 1), rel=1e-12)
    assert tuple(found.interval) == pytest.approx(slow_limits(*counts), rel=1e-9)


def test_a_rate_below_0_and_a_judge_no_better_than_chance():
    found = corrected_rate(5, 200, 48, 50, 90, 100)
    assert found.rate == 0
    assert found.interval.low == 0
    assert {"beyond-the-range"} <= codes(found)
    with pytest.raises(DataError, match="no better than chance"):
        corrected_rate(100, 200, 20, 50, 30, 50)
    assert "hardly-better-than-chance" in codes(corrected_rate(100, 200, 30, 50, 25, 50))
    with pytest.raises(ParameterError, match="part of positives"):
        corrected_rate(5, 200, 51, 50, 90, 100)


def rated():
    rng = np.random.default_rng(3)
    base = rng.integers(1, 5, 40)
    whole = [np.where(rng.random(40) < 0.7, base, rng.integers(1, 5, 40)) for _ in range(3)]
    return np.array(whole).astype(float).T


def with_holes():
    r = rated()
    r[3, 0] = r[7, 1] = r[7, 2] = np.nan
    r[20:25, 2] = np.nan
    return r


# krippendorff 0.9.0, statsmodels 0.15.0 (fleiss_kappa) and scikit-learn 1.9.1 (cohen_kappa_score).
ALPHA = {
    "nominal": (0.5125674920871346, 0.4976076555023923),
    "ordinal": (0.34764745042668355, 0.3424696609759762),
    "interval": (0.3482581446558636, 0.3410203555784591),
}
COHEN = {
    "nominal": 0.43661971830985913,
    "ordinal": 0.32606541129831523,
    "interval": 0.21065614208189443,
}


@pytest.mark.parametrize("level", ALPHA)
def test_agreement_equals_other_programs(level):
    whole, holes = agreement(rated(), level=level), agreement(with_holes(), level=level)
    assert whole["krippendorff_alpha"].value == pytest.approx(ALPHA[level][0], rel=1e-12)
    assert holes["krippendorff_alpha"].value == pytest.approx(ALPHA[level][1], rel=1e-12)
    assert whole["cohen_kappa"].value == pytest.approx(COHEN[level], rel=1e-12)
    if level == "nominal":
        assert whole["fleiss_kappa"].value == pytest.approx(0.5084714205920686, rel=1e-12)
        assert holes["fleiss_kappa"].why_no_interval == "cases have different numbers of ratings"
    assert "not-all-rated" in codes(holes)


@pytest.mark.parametrize("level", ALPHA)
def test_its_error_is_that_of_leaving_out_each_case(level):
    table = rated()
    for name in ("krippendorff_alpha", "cohen_kappa", "agreement"):
        without = [agreement(np.delete(table, i, 0), level=level)[name].value for i in range(40)]
        error = math.sqrt(39 / 40 * np.square(np.array(without) - np.mean(without)).sum())
        found = agreement(table, level=level)[name]
        assert found.interval.standard_error == pytest.approx(error, rel=1e-9)


def test_ratings_that_say_nothing():
    same = agreement({"a": ["x"] * 5, "b": ["x"] * 5})
    assert math.isnan(same["krippendorff_alpha"].value)
    assert agreement({"a": [1, 2, 1], "b": [1, 2, 1]})["cohen_kappa"].interval is None
    for wrong in ({"a": [1, 2]}, {"a": [1, 2], "b": [1]}, {"a": [1, None], "b": [None, 1]}, [1, 2]):
        with pytest.raises((DataError, ParameterError)):
            agreement(wrong)
    with pytest.raises(DataError, match="numbers"):
        agreement({"a": ["low", "high"], "b": ["low", "low"]}, level="ordinal")


def test_on_the_command_line(tmp_path, capsys):
    truth, judge = waves("shares")
    file = tmp_path / "answers.csv"
    rows = [
        f"{int(t) if i < N else ''},{int(j)}"
        for i, (t, j) in enumerate(zip(truth, judge, strict=True))
    ]
    file.write_text("\n".join(["human,judge", *rows]) + "\n")
    assert main(["few-labels", str(file), "--truth", "human", "--label", "judge", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["estimates"][0]["value"] == pytest.approx(PPI_PY["shares", "tuned"][0])
    assert main(["agreement", str(file), "--judges", "human,judge"]) == 0
    assert "Krippendorff's alpha" in capsys.readouterr().out
    assert main(["corrected-rate", "230", "1000", "45", "50", "92", "100"]) == 0
    assert "0.183" in capsys.readouterr().out


def test_names_of_other_packages_lead_here():
    with pytest.raises(AttributeError, match="few_labels"):
        _ = credibly.ppi_mean_ci


def test_cases_on_which_the_judge_is_silent_are_named():
    truth, judge = waves("shares")
    said = [None if i % 10 == 0 else j for i, j in enumerate(judge)]
    people = [bool(t) if i < N else None for i, t in enumerate(truth)]
    found = few_labels(Predictions.of(outcome=people), judge=said)
    (silent,) = [f for f in found.findings if f.code == "not-judged"]
    assert "46 cases of 460" in silent.message
    assert "6 of them labelled" in silent.message
    assert (found.n_labelled, found.n_cases) == (N - 6, 460 - 46)
    chances = [np.nan if v is None else 0.2 + 0.6 * v for v in said]
    asked = few_labels(
        Predictions.of([None if t is None else int(t) for t in people], probability=chances)
    )
    assert "not-judged" in codes(asked)
    assert asked.n_cases == 460 - 46
    numbers = few_labels(
        Predictions.of(
            np.where(np.arange(460) < N, truth, np.nan),
            value=[np.nan if v is None else v for v in said],
        )
    )
    assert "not-judged" in {f.code for f in numbers.findings}
    assert "not-judged" not in {f.code for f in few_labels(few("numbers")).findings}


def test_cases_without_a_label_are_what_few_labels_are_for():
    y = [1, 0] * 20 + [None] * 200
    p = Predictions.of(y, label=[1, 0] * 120)
    assert "missing-truth" in {f.code for f in p.findings}
    assert "missing-truth" not in {f.code for f in few_labels(p).findings}
