"""The ROC surface of three classes against rules tried one by one, and against the volume below it."""

import json
from itertools import product

import numpy as np
import pytest

import credibly
from credibly import CrediblyError, DataError, ParameterError, Predictions
from credibly.curves import ordered_surface, ordered_volume, probability_surface


@pytest.fixture(scope="module")
def scored():
    rng = np.random.default_rng(1)
    y = np.repeat(list("abc"), 12)
    return y, (rng.normal(size=36) + np.repeat([0, 1, 2], 12)).round(1)


def test_every_pair_of_cut_points_is_tried(scored):
    y, s = scored
    found = ordered_surface(y, s, order="abc")
    cuts = [-np.inf, *np.unique(s)]
    by_hand = set()
    for low, high in product(cuts, cuts):
        if low <= high:
            label = np.where(s <= low, "a", np.where(s > high, "c", "b"))
            by_hand.add(tuple((label[y == c] == c).mean().round(9) for c in "abc"))
    assert {tuple(r.round(9)) for r in found.rates} == by_hand


def test_levels_are_what_no_rule_beats(scored):
    y, s = scored
    found = ordered_surface(y, s, order="abc")
    for share in (0.0, 0.3, 0.75, 1.0):
        first, third = found.level(share)
        assert (np.diff(first) > 0).all()
        assert (np.diff(third) < 0).all()
        for a, b, c in found.rates:
            if b >= share:
                assert any((first >= a) & (third >= c))
    assert [side.size for side in found.level(1.1)] == [0, 0]


def test_volume_below_the_surface(scored):
    """Over all shares of the first and third class, the best share of the second sums to the volume."""
    y, s = scored
    s = s + np.arange(36) * 1e-4  # no ties
    one, two, three = (np.sort(s[y == c]) for c in "abc")
    between = [
        [np.mean((two > low) & (two < high)) if low < high else 0 for high in three] for low in one
    ]
    assert np.mean(between) == pytest.approx(ordered_volume(y, s, order="abc").value)
    assert ordered_surface(y, s, order="abc").volume.value == pytest.approx(np.mean(between))


def test_weights_of_probabilities():
    rng = np.random.default_rng(2)
    truth = np.arange(30) % 3
    raw = rng.random((30, 3)) + np.eye(3)[truth]
    p = Predictions.of(truth, probability=raw / raw.sum(1, keepdims=True), classes=[0, 1, 2])
    found = probability_surface(p)
    rates = {tuple(r.round(9)) for r in found.rates}
    assert {(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)} <= rates
    for u, v in rng.normal(size=(40, 2)):  # no weights do better than some that were tried
        label = (np.log(p.probability) + np.array([u, 0, v])).argmax(axis=1)
        mine = np.array([(label[truth == c] == c).mean() for c in range(3)])
        assert any((found.rates >= mine - 1e-9).all(axis=1))
    assert json.loads(found.to_json())["volume"]["value"] == found.volume.value


def test_surface_is_drawn(scored):
    figure = credibly.plot(ordered_surface(*scored, order="abc"))
    assert figure.series()[0] == "b at least 0 %"
    assert figure.subtitle.endswith("dashed: guessing")
    rng = np.random.default_rng(3)
    p = Predictions.of(list("abc") * 4, probability=rng.dirichlet([1, 1, 1], 12))
    assert credibly.plot(p, "roc_surface").y.title == "share of c labelled correctly"


def test_many_cases_are_thinned():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 12_000)
    p = Predictions.of(y, probability=rng.dirichlet([1, 1, 1], y.size), classes=[0, 1, 2])
    found = probability_surface(p, points=4)
    assert found.volume is None
    assert abs(found.rates.sum(axis=1) - 1).max() < 0.05


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: probability_surface(Predictions.of([0, 1], probability=[0.1, 0.9])), DataError),
        (lambda: probability_surface(Predictions.of(list("abc"), label=list("abc"))), CrediblyError),
        (lambda: probability_surface(Predictions.of(list("ab"), probability=np.eye(3)[:2], classes=list("abc"))), DataError),
        (lambda: ordered_surface(list("abc"), [1, 2, 3], order="ab"), ParameterError),
        (lambda: ordered_surface(list("abc"), [1, 2, 3], order="abc", points=1), ParameterError),
    ],
)  # fmt: skip
def test_what_has_no_surface_is_refused(call, error):
    with pytest.raises(error):
        call()
