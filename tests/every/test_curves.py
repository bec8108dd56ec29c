"""What must hold of every registered curve and of every way to make a band."""

import json
import re

import numpy as np
import pytest

from credibly import DataError, ParameterError, Predictions, curve
from credibly.curves import Curve, band_methods, curves
from credibly.predictions.summaries import ClassScores, ScoreTable, Summary
from each import Each
from every.additions import example_runs

EVERY = list(curves)
BANDS = list(band_methods)
by_name = Each("kind", EVERY)
by_band = Each("method", BANDS)
N = 60


def columns(n=N, seed=5):
    """Two classes that overlap, with ties, and probabilities of both classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    p = np.clip(0.25 * y + 0.7 * rng.random(n), 0.01, 0.99).round(2 if n < 1000 else 6)
    return y, p


def predictions(y, p, **more):
    return Predictions.of(y, probability=p, classes=[0, 1], positive=1, **more)


def same(a: Curve, b: Curve):
    for name in ("x", "y", "threshold"):
        left, right = getattr(a, name), getattr(b, name)
        assert (left is None) == (right is None)
        if left is not None:
            np.testing.assert_allclose(left, right, rtol=0, atol=1e-12)


def test_there_are_curves_and_bands():
    assert len(EVERY) > 10
    assert len(BANDS) > 3


@by_name
def test_is_described(kind):
    assert kind.title[0].isupper()
    assert kind.x_title
    assert kind.y_title
    assert re.search(r"\b(1[89]|20)\d\d\b", kind.cite), "a reference has a year"
    assert kind.doc.split("\n")[0].endswith(".")
    assert issubclass(kind.reads, Summary)
    for alias in (kind.name, *kind.aliases):
        assert curves[alias] is kind


@by_band
def test_a_band_is_described(method):
    assert method.title[0].isupper()
    assert re.search(r"\b(19|20)\d\d\b", method.cite)
    assert method.doc.split("\n")[0].endswith(".")
    assert set(method.only) <= {k.name for k in EVERY}


@by_name
def test_worked_example_runs(kind):
    example_runs(kind, f'"{kind.name}"', curve=curve, Predictions=Predictions)


@by_name
def test_parameters_refuse_what_their_rule_refuses(kind):
    for q in kind.parameters:
        with pytest.raises(ParameterError, match=f"{kind.name}: {q.name} must be"):
            kind.given(**{q.name: q.rule.broken_by})
        assert q.required or q.rule.accepts(q.default)
    with pytest.raises(ParameterError, match="has no parameter 'nonsense'"):
        kind.given(nonsense=1)


@by_name
def test_its_call_reads_back(kind):
    given = kind.given(**{q.name: q.default for q in kind.parameters if q.default is not None})
    assert curves.parse(given.call).arguments == given.arguments


@by_name
def test_x_rises_and_y_keeps_its_range_and_course(kind):
    c = curve(kind, predictions(*columns()))
    assert c.x.shape == c.y.shape
    assert c.threshold is None or c.threshold.shape == c.x.shape
    assert (np.diff(c.x) >= 0).all()
    assert not np.isnan(c.y).any()
    low, high = kind.range
    assert ((c.y >= low - 1e-12) & (c.y <= high + 1e-12)).all()
    if kind.course:
        rise = c.y[1:] - np.where(np.isinf(c.y[:-1]), 0, c.y[:-1])
        assert ((rise if kind.course == "rising" else -rise) >= -1e-12).all()


@by_name
def test_the_order_of_the_rows_does_not_matter(kind):
    y, p = columns()
    order = np.random.default_rng(5).permutation(y.size)
    same(curve(kind, predictions(y, p)), curve(kind, predictions(y[order], p[order])))


@by_name
def test_a_weight_is_a_repeated_row(kind):
    y, p = columns()
    w = np.arange(y.size) % 4
    weighted = predictions(y, p, sample_weight=w, weight_kind="frequency")
    repeated = predictions(np.repeat(y, w), np.repeat(p, w))
    a, b = curve(kind, weighted), curve(kind, repeated)
    same(a, b)
    assert a.numbers == pytest.approx(b.numbers)


@by_name
def test_predictions_stay_as_they_are(kind):
    p = predictions(*columns())
    before = p.fingerprint
    c = curve(kind, p)
    assert predictions(*columns()).fingerprint == before
    assert c.findings == ()


@by_name
def test_at_gives_the_points_back_and_nothing_outside(kind):
    c = curve(kind, predictions(*columns()))
    x, last, first = np.unique(c.x)[1:-1], {}, {}
    for at, value in zip(c.x, c.y, strict=True):
        last[at] = value
        first.setdefault(at, value)
    expected = first if c.drawn == "step" else last
    np.testing.assert_allclose(c.at(x), [expected[v] for v in x])
    assert np.isnan(c.at(c.x[0] - 1))
    assert np.isnan(c.at(c.x[-1] + 1))


@by_name
def test_a_thinned_curve_draws_the_same_picture(kind):
    """In each column of pixels: the same first and last point, the same lowest and highest."""
    c = curve(kind, predictions(*columns(20_000)))
    points = 400
    thin = c.thinned(points)
    assert thin.x.size <= points
    assert c.thinned(c.x.size) is c
    edges = np.linspace(c.x[0], c.x[-1], points // 4 + 1)[1:-1]
    full, less = (np.searchsorted(edges, q.x, side="right") for q in (c, thin))
    assert set(full) == set(less)
    for column in set(full):
        a, b = c.y[full == column], thin.y[less == column]
        assert (a[0], a[-1], a.min(), a.max()) == (b[0], b[-1], b.min(), b.max())


@by_name
def test_results_can_be_read(kind):
    c = curve(kind, predictions(*columns()))
    back = json.loads(c.to_json())["curves"][0]
    assert back["curve"] == kind.call
    assert len(back["x"]) == len(back["y"]) == c.x.size == len(c.rows())
    frame = c.frame()
    assert list(frame["x"]) == c.x.tolist()
    assert c.title in str(c)
    assert max(map(len, "\n".join(c.laid_out()).splitlines())) <= 120
    assert len(str(c).splitlines()) <= 20


@by_name
def test_a_batch_of_summaries_gives_a_batch_of_curves(kind):
    """So that replicates need no loop: each row of a batch is the curve of its own table."""
    if kind.reads is not ScoreTable:
        return
    y, p = columns()
    one = ScoreTable.of(predictions(y, p))
    other = ScoreTable(one.score, one.pos + 1, 2 * one.neg + 1)
    both = ScoreTable(one.score, np.stack([one.pos, other.pos]), np.stack([one.neg, other.neg]))
    try:
        batch = kind.of_summary(both)
    except ParameterError:
        assert kind.name == "likelihood_ratio"
        return
    at = np.linspace(0.05, 0.95, 19)
    for i, t in enumerate((one, other)):
        alone = kind.of_summary(t)
        want = np.interp(at, alone.x, alone.y)
        got = np.interp(at, batch.x[i], batch.y[i])
        np.testing.assert_allclose(
            got, want, atol=1e-12 if kind.name not in {"cost", "error"} else 2e-3
        )


@by_name
def test_one_class_is_refused(kind):
    p = Predictions.of([1, 1, 1], probability=[0.2, 0.4, 0.9], classes=[0, 1], positive=1)
    if kind.reads is ClassScores:
        assert curve(kind, p).y[-1] == 1
        return
    with pytest.raises(
        DataError, match=f"{kind.name} needs cases of both classes; .* none is negative"
    ):
        curve(kind, p)


@by_name
def test_labels_alone_are_refused(kind):
    with pytest.raises(DataError, match=f"{kind.name} needs .* these predictions have: label"):
        curve(kind, Predictions.of([1, 0], label=[1, 0]))


@by_band.apart
@by_name
def test_bands_hold_the_curve(kind, method):
    """Or are refused: a band for other curves only, or a curve that has none."""
    p = predictions(*columns(200))
    asked = {"band": method.name, "rng": 3, "replicates": 200}
    if (method.only and kind.name not in method.only) or kind.name == "likelihood_ratio":
        with pytest.raises(ParameterError):
            curve(kind, p, **asked)
        return
    c = curve(kind, p, **asked)
    b = c.band
    assert (b.low <= b.high).all()
    assert b.confidence_level == 0.95
    assert method.name in str(b) or "band is about" in str(b)
    if method.name != "working_hotelling":  # which holds a smooth curve, not this one
        inside = (b.low - 1e-9 <= c.at(b.x)) & (c.at(b.x) <= b.high + 1e-9)
        assert inside.mean() > 0.9
    again = curve(kind, p, **asked).band
    assert (b.low == again.low).all()
    wider = curve(kind, p, **asked, confidence_level=0.99).band
    assert (wider.high - wider.low).mean() > (b.high - b.low).mean()


@by_band
def test_without_a_seed_bands_take_a_fixed_one_and_say_so(method):
    p = predictions(*columns(100))
    if method.name in {"ks", "working_hotelling"}:
        assert curve("roc", p, band=method.name).band is not None
        return
    fixed, seeded = curve("roc", p, band=method.name), curve("roc", p, band=method.name, rng=1)
    assert (fixed.band.low == seeded.band.low).all()
    assert [f.code for f in fixed.findings if f not in seeded.findings] == ["unseeded"]
