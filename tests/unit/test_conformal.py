"""Sets of classes and conformal prediction: ranks without rounding, slow twins, the guarantee simulated."""

import json
from fractions import Fraction

import numpy as np
import pytest

import credibly
from credibly import DataError, ParameterError, Predictions, compare, conformal, prediction_sets
from credibly.case_scores import conformal_scores
from credibly.case_scores.conformal_thresholds import (
    exact,
    rank_of,
    threshold,
    weighted_thresholds,
)
from credibly.cli import main


def classes(seed, n, k=4, skill=1.5):
    """Probabilities of a model that is right more often than not."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    q = np.exp(rng.normal(size=(n, k)) + skill * (np.arange(k) == y[:, None]))
    return Predictions.of(
        y, probability=q / q.sum(1, keepdims=True), classes=range(k), row=range(n)
    )


def numbers(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    spread = 0.5 + (x > 0)
    y = x + spread * rng.standard_t(4, n)
    given = {
        "scale": spread,
        "low": x - spread,
        "high": x + spread,
        "side": np.where(x > 0, "up", "down"),
    }
    return Predictions.of(y, value=x, row=range(n), columns=given)


@pytest.mark.parametrize(
    ("n", "level", "rank"),
    [
        (9, 0.9, 9),
        (99, 0.9, 90),
        (19, 0.95, 19),
        (8, 0.9, 9),
        (100, 0.9, 91),
        (999, 0.7, 700),
        (9, 0.7, 7),
        (49, 0.94, 47),
    ],
)
def test_ranks_are_whole_numbers(n, level, rank):
    """In floating point 100 * (1 - 0.1) and the like round up once too often (crepes), or refuse n = 9 (MAPIE)."""
    assert rank_of(n, exact(level)) == rank
    scores = np.random.default_rng(n).random(n)
    found = threshold(scores, exact(level))
    assert found == (np.sort(scores)[rank - 1] if rank <= n else np.inf)


def slow_score(name, q, k):
    """How strange class k is under probabilities q, one class at a time."""
    if name == "least_ambiguous":
        return 1 - q[k]
    as_likely = [j for j in range(len(q)) if q[j] >= q[k]]
    return sum(q[j] for j in as_likely) + (
        0.01 * max(len(as_likely) - 2, 0) if name == "regularised" else 0
    )


@pytest.mark.parametrize("name", [s.name for s in conformal_scores if s.task == "classification"])
@pytest.mark.parametrize("by", [None, "class"])
def test_sets_are_those_of_a_slow_twin(name, by):
    p = classes(1, 160)
    old, new = p[:110], p[110:]
    found = conformal(old, new, name, level=0.8, by=by)
    for i in range(new.n):
        for k in range(4):
            mine = [slow_score(name, q, y) for q, y in zip(old.probability, old.truth, strict=True) if by is None or y == k]  # fmt: skip
            cut = sorted(mine)[rank_of(len(mine), Fraction(4, 5)) - 1]
            assert found.sets.sets[0, i, k] == (
                slow_score(name, new.probability[i], k) <= cut + 1e-12
            )


@pytest.mark.parametrize("name", [s.name for s in conformal_scores if s.task == "numeric"])
@pytest.mark.parametrize("by", [None, "side"])
def test_intervals_are_those_of_a_slow_twin(name, by):
    p = numbers(2, 150)
    old, new = p[:99], p[99:]
    found = conformal(old, new, name, by=by)
    for i in range(new.n):
        like = [
            j for j in range(99) if by is None or old.columns["side"][j] == new.columns["side"][i]
        ]
        column = {c: old.columns[c] for c in old.columns}
        y, v = old.truth, old.value
        if name == "beyond_quantiles":
            own = [max(column["low"][j] - y[j], y[j] - column["high"][j]) for j in like]
        else:
            own = [
                abs(y[j] - v[j]) / (column["scale"][j] if name == "scaled_error" else 1)
                for j in like
            ]
        q = sorted(own)[rank_of(len(own), Fraction(9, 10)) - 1]
        mine = {c: new.columns[c][i] for c in new.columns}
        ends = {
            "absolute_error": (new.value[i] - q, new.value[i] + q),
            "scaled_error": (new.value[i] - q * mine["scale"], new.value[i] + q * mine["scale"]),
            "beyond_quantiles": (mine["low"] - q, mine["high"] + q),
        }[name]
        assert (found.low[i], found.high[i]) == pytest.approx(ends, rel=1e-12)


def by_folds(p, new, folds, shift):
    """Predictions of known cases by the models of the other folds, and of new ones by those of all."""
    fold = np.arange(p.n) % folds
    known = Predictions.of(p.truth, value=p.value + shift[fold], row=p.row, fold=fold)
    models = np.repeat(np.arange(folds), new.n)
    fresh = Predictions.of(
        np.tile(new.truth, folds), value=np.tile(new.value, folds) + shift[models], row=np.tile(new.row, folds), fold=models
    )  # fmt: skip
    return known, fresh, fold


@pytest.mark.parametrize("folds", [5, 60])
def test_cross_conformal_intervals_are_those_of_barber(folds):
    p = numbers(3, 80)
    old, new = p[:60], p[60:]
    shift = np.random.default_rng(4).normal(0, 0.3, folds)
    known, fresh, fold = by_folds(old, new, folds, shift)
    found = conformal(known, fresh, level=0.8)
    for i in range(new.n):
        at = [new.value[i] + shift[k] for k in fold]
        left = sorted(m - abs(y - v) for m, y, v in zip(at, known.truth, known.value, strict=True))
        right = sorted(m + abs(y - v) for m, y, v in zip(at, known.truth, known.value, strict=True))
        assert found.low[i] == pytest.approx(left[int(0.2 * 61) - 1])
        assert found.high[i] == pytest.approx(right[rank_of(60, Fraction(4, 5)) - 1])
    assert found.guarantee == (
        pytest.approx(0.6) if folds == 60 else pytest.approx(0.6 - 2 * (1 - 1 / 5) / 13)
    )
    with pytest.raises(DataError, match="model of each fold"):
        conformal(known, fresh[:-1])


def test_cross_conformal_sets_count_the_stranger_cases():
    p = classes(5, 90)
    old, new = p[:60], p[60:]
    fold = np.arange(60) % 4
    known = Predictions.of(
        old.truth, probability=old.probability, classes=range(4), row=old.row, fold=fold
    )
    tiled = Predictions.of(
        np.tile(new.truth, 4), probability=np.tile(new.probability, (4, 1)), classes=range(4), row=np.tile(new.row, 4), fold=np.repeat(range(4), 30)
    )  # fmt: skip
    found = conformal(known, tiled, level=0.8)
    own = 1 - old.probability[np.arange(60), old.truth]
    for i in range(30):
        for k in range(4):
            stranger = sum(s < 1 - new.probability[i, k] for s in own)
            assert found.sets.sets[0, i, k] == (stranger * 5 < 4 * 61)


@pytest.mark.parametrize(("n", "level"), [(9, 0.9), (50, 0.9), (99, 0.8)])
def test_the_guarantee_holds_over_samples(n, level):
    """Coverage of new cases on average over calibration samples: at least the level, at most 1 / (n + 1) more."""
    rng = np.random.default_rng(n)
    samples = 4000
    own = np.sort(rng.exponential(size=(samples, n)), axis=1)[:, rank_of(n, exact(level)) - 1]
    covered = (rng.exponential(size=samples) <= own).mean()
    assert abs(covered - rank_of(n, exact(level)) / (n + 1)) < 4 * np.sqrt(0.1 / samples)
    assert rank_of(n, exact(level)) / (n + 1) >= level


def test_outcomes_of_sets_go_through_the_verbs():
    p = classes(6, 400)
    small, large = (conformal(p[:200], p[200:], s).sets for s in ("lac", "aps"))
    both = prediction_sets(
        [str(c) for c in small.truth], {"lac": small.sets[0], "aps": large.sets[0]}, classes=small.classes, level=0.9
    )  # fmt: skip
    found = compare(both.scored("set_size"))
    assert found.names == ("lac", "aps")
    assert found.difference == pytest.approx(small.sizes.mean() - large.sizes.mean())
    by = both.table("set_coverage", by=["model", "true_class"])
    mine = small.held[0][small.truth == 2].mean()
    assert next(
        e for e in by if e.keys == {"model": "lac", "true_class": "2"}
    ).value == pytest.approx(mine)
    sized = small.table("set_coverage", by="set_size")
    assert {int(e.keys["set_size"]) for e in sized} == {*np.unique(small.sizes)}
    apart = credibly.slices(small.scored("set_coverage"), by="true_class")
    assert "true_class" in str(apart)


def test_what_is_doubted_of_sets():
    truth = ["a"] * 100 + ["b"] * 100
    found = prediction_sets(truth, [["a"]] * 99 + [[]] + [["a"]] * 40 + [["b"]] * 60, level=0.9)
    codes = [f.code for f in found.findings]
    assert codes.count("empty-sets") == 1
    said = [f.message for f in found.findings if f.code == "covered-too-seldom"]
    assert any("class b" in m and "60.0%" in m for m in said)
    assert not any("class a" in m for m in said)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: prediction_sets(["a", "z"], [["a"], ["b"]], classes=["a", "b"]),
            "not among those named: z",
        ),
        (lambda: prediction_sets(["a", "b"], [["a"], ["q"]], classes=["a", "b"]), "q"),
        (lambda: prediction_sets(["a", "b"], [["a"]]), "2 cases in truth and 1 sets"),
        (lambda: prediction_sets(["a"], [["a"]], level=1.5), "level"),
        (lambda: conformal(classes(1, 20)[:10], classes(1, 20)), "among both"),
        (lambda: conformal(classes(1, 20), method="absolute_error", rng=1), "is for numbers"),
        (lambda: conformal(numbers(1, 20)[:8], numbers(1, 20)[8:]), "fewest are 9"),
        (lambda: conformal(numbers(1, 20), by="class", rng=1), "predictions of classes"),
        (lambda: conformal(Predictions.of(outcome=[1, 0])), "classes or numbers"),
        (
            lambda: conformal(Predictions.of([1, 0], value=[1.0, 2], sample_weight=[1, 2.5])),
            "weights",
        ),
    ],
)
def test_what_cannot_be_is_named(call, said):
    with pytest.raises((DataError, ParameterError), match=said):
        call()


def test_too_few_cases_predict_every_class():
    p = classes(7, 30)
    found = conformal(p[:8], p[8:])
    assert found.sets.sets.all()
    assert "too-few-for-level" in {f.code for f in found.findings}


def test_each_fold_gets_the_threshold_of_the_others():
    p = classes(8, 120)
    found = conformal(p, rng=1, folds=4)
    assert found.sets.truth.tolist() == p.truth.tolist()
    assert found.guarantee == 0.9
    fold = np.arange(120) % 3
    folded = Predictions.of(
        p.truth, probability=p.probability, classes=range(4), row=p.row, fold=fold
    )
    apart = conformal(folded)
    assert np.isnan(apart.guarantee)
    own = 1 - p.probability[np.arange(120), p.truth]
    cut = threshold(own[fold != 1], exact(0.9))
    assert (apart.sets.sets[0][fold == 1] == (1 - p.probability[fold == 1] <= cut)).all()


def test_on_the_command_line(tmp_path, capsys):
    p, q = classes(9, 300)[:200], classes(9, 300)[200:]
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for file, part in zip(files, (p, q), strict=True):
        credibly.save(part, file)
    sets = tmp_path / "sets.csv"
    assert main(["conformal", *map(str, files), "--sets", str(sets), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    found = conformal(p, q)
    assert said["thresholds"]["all"] == pytest.approx(found.thresholds["all"])
    assert len(sets.read_text().splitlines()) == 101
    assert (
        main(
            [
                "prediction-sets",
                str(sets),
                "--truth",
                "truth",
                "--sets",
                "0,1,2,3",
                "--level",
                "0.9",
                "--json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["estimates"][0]["value"] == pytest.approx(found.table.estimates[0].value)


def shifted(n, m, rng):
    """Return known and new predictions of numbers whose errors grow with x, where new cases have larger x, and their true weights."""
    x = np.r_[rng.random(n), rng.beta(3, 1, m)]  # densities 1 and 3 x^2
    y = rng.normal(0, 0.1 + x**2)
    p = Predictions.of(y, value=0 * x, row=range(n + m), columns={"ratio": 3 * x**2})
    return p[:n], p[n:]


def test_weights_hold_the_level_where_cases_come_from_elsewhere():
    rng = np.random.default_rng(5)
    held = {"weighted": [], "plain": []}
    for _ in range(60):
        known, new = shifted(400, 50, rng)
        for name, weights in (("weighted", "ratio"), ("plain", None)):
            found = conformal(known, new, level=0.8, weights=weights)
            held[name].append(found.table.estimates[0].value)
    error = np.std(held["weighted"]) / np.sqrt(60)
    assert abs(np.mean(held["weighted"]) - 0.8) < 3 * error + 0.01  # what few cases add
    assert np.mean(held["plain"]) < 0.7


def test_equal_weights_are_none():
    known, new = shifted(99, 30, np.random.default_rng(6))
    same = [p.take(slice(None)) for p in (known, new)]
    made = [Predictions.of(p.truth, value=p.value, row=p.row, columns={"w": np.full(p.n, 0.1)}) for p in same]  # fmt: skip
    plain, weighted = conformal(*made), conformal(*made, weights="w")
    assert (plain.low == weighted.low).all()
    assert plain.thresholds["all"] == weighted.thresholds["median"]
    assert "w says" in str(weighted)


def test_a_threshold_by_weight_is_the_definition():
    rng = np.random.default_rng(7)
    scores, w, new = rng.normal(size=40), rng.random(40), rng.random(9) * 3
    made = weighted_thresholds(scores, w, new, Fraction("0.7"))
    for q, v in zip(made, new, strict=True):
        mass = {s: w[scores <= s].sum() / (w.sum() + v) for s in scores}
        assert q == min([s for s, share in mass.items() if share >= 0.7], default=np.inf)


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"by": "class"}, "neither folds nor"), ({"weights": "no"}, "no"), ({"weights": "bad"}, "at least 0")],
)  # fmt: skip
def test_weights_that_are_refused(asked, said):
    p = Predictions.of([0, 1] * 30, probability=[0.2, 0.7] * 30, row=range(60), columns={"w": np.ones(60), "bad": np.full(60, -1.0)})  # fmt: skip
    with pytest.raises(credibly.CrediblyError, match=said):
        conformal(p[:40], p[40:], **{"weights": "w", **asked})
