"""Decompositions of the zero-one loss against their definitions, written out, and against hand-made tables."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from credibly.bias_variance import Values, Votes, decompositions
from every.additions import ByHand

TRUTH = [0.6, 0.3, 0.1]
BIASED, UNBIASED = "aabbbbbccc", "aaaaabbbcc"

# By hand, with s = (.2, .5, .3) and (.5, .3, .2): losses 1 - .30 and 1 - .41.
BY_HAND = ByHand(
    "Add the parts of {name}, by hand, to BY_HAND of tests/reference/test_bias_variance.py.",
    {
    "domingos": {
        "noise": (-0.1, 0.09), "bias": (1, 0), "net_variance": (-0.2, 0.5),
        "unbiased_variance": (0, 0.5), "biased_variance": (0.2, 0),
    },
    "kohavi_wolpert": {"noise": (0.27, 0.27), "bias_squared": (0.12, 0.01), "variance": (0.31, 0.31)},
    "james": {
        "noise": (0.4, 0.4), "systematic_effect": (0.3, 0), "variance_effect": (0, 0.19),
        "bias": (1, 0), "variance": (0.5, 0.5),
    },
    "webb": {"bias": (0.35, 0.2), "variance": (0.35, 0.39)},
    "breiman": {"noise": (0.4, 0.4), "bias": (0.3, 0), "variance": (0, 0.19)},
    "kong_dietterich": {"bias": (0.7, 0.4), "variance": (0, 0.19)},
},
)  # fmt: skip


def test_every_decomposition_of_labels_has_its_hand_made_values():
    BY_HAND.check_complete(d.name for d in decompositions if d.takes == "label")


@pytest.mark.parametrize("name", BY_HAND)
def test_a_table_made_by_hand(name):
    votes = Votes.of([list(BIASED), list(UNBIASED)], truth=[TRUTH, TRUTH], classes="abc")
    parts = decompositions[name](votes)
    np.testing.assert_allclose(parts.loss, [0.70, 0.59], atol=1e-12)
    for part, values in BY_HAND[name].items():
        np.testing.assert_allclose(parts[part], values, atol=1e-12, err_msg=part)


def test_corrected_parts_by_hand():
    """Ten labels: a ninth of the variance .31 moves out of the bias."""
    votes = Votes.of([list(BIASED)], truth=[TRUTH], classes="abc")
    parts = decompositions.parse("kohavi_wolpert(corrected=True)")(votes)
    assert parts["variance"][0] == pytest.approx(0.31 * 10 / 9, abs=1e-12)
    assert parts["bias_squared"][0] == pytest.approx(0.12 - 0.31 / 9, abs=1e-12)


def test_boundary_bias_by_hand():
    """The mean 0.4 of the probabilities lies on the wrong side of the true 0.7 by 0.1, their sd is 0.1."""
    parts = decompositions["friedman"](Values.of([[0.3, 0.5]], [0.7], 0.21))
    assert parts["boundary_bias"][0] == pytest.approx(0.1, abs=1e-12)
    assert parts["variance"][0] == pytest.approx(0.01, abs=1e-12)
    assert parts["crossing"][0] == pytest.approx(0.841344746068543, abs=1e-12)  # Phi(1)


@st.composite
def untied(draw):
    """Votes and truth of one case, with one most frequent label and one most probable class."""
    k = draw(st.integers(2, 4))
    once = st.lists(st.integers(0, 9), min_size=k, max_size=k)
    single = once.filter(lambda v: sum(v) > 1 and v.count(max(v)) == 1)
    return np.array(draw(single)), np.array(draw(single), float)


@given(untied())
def test_domingos_has_the_factors_of_the_paper(drawn):
    """Theorem 2: L = c1 N + B + c2 V, c1 = P(y = y*) - P(y != y*) P(y = t | t != y*), and
    c2 = 1 where the main prediction is optimal, else -P(y = y* | y != y_m).
    """
    counts, weights = drawn
    t, s = weights / weights.sum(), counts / counts.sum()
    best, main = t.argmax(), s.argmax()
    noise, bias, variance = 1 - t[best], float(best != main), 1 - s[main]
    # P(y = t, t != y*) for independent label and truth, so that c1 N needs no division.
    c1_noise = s[best] * noise - sum(s[c] * t[c] for c in range(len(t)) if c != best)
    c2 = 1 if best == main else (-s[best] / variance if variance else 0)
    labels = np.repeat(np.arange(len(t)), counts)[None]
    parts = decompositions["domingos"](Votes.counted(labels, t[None], tuple(range(len(t)))))
    assert parts["noise"][0] == pytest.approx(c1_noise, abs=1e-12)
    assert parts["bias"][0] == bias
    assert parts["net_variance"][0] == pytest.approx(c2 * variance, abs=1e-12)


@given(untied())
def test_webb_and_james_are_expectations_over_labels_and_truths(drawn):
    counts, weights = drawn
    t, s = weights / weights.sum(), counts / counts.sum()
    best, main = t.argmax(), s.argmax()
    pairs = [(y, m, t[y] * s[m]) for y in range(len(t)) for m in range(len(t))]
    labels = np.repeat(np.arange(len(t)), counts)[None]
    votes = Votes.counted(labels, t[None], tuple(range(len(t))))
    webb, james = decompositions["webb"](votes), decompositions["james"](votes)
    assert webb["bias"][0] == pytest.approx(
        sum(p for y, m, p in pairs if m != y and m == main), abs=1e-12
    )
    assert webb["variance"][0] == pytest.approx(
        sum(p for y, m, p in pairs if m != y and m != main), abs=1e-12
    )
    loss = sum(p for y, m, p in pairs if m != y)
    of_main = sum(t[y] for y in range(len(t)) if y != main)
    of_best = sum(t[y] for y in range(len(t)) if y != best)
    assert james["systematic_effect"][0] == pytest.approx(of_main - of_best, abs=1e-12)
    assert james["variance_effect"][0] == pytest.approx(loss - of_main, abs=1e-12)


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=5, max_size=5), min_size=1, max_size=8),
    st.data(),
)
def test_bias_and_variance_without_signs_do_not_add_up(labels, data):
    """mlxtend's `bias_variance_decomp` of the zero-one loss reports Domingos's bias beside the plain
    variance 1 - s_m, which are those that stand beside James's effects. They miss the loss by twice the
    variance of the biased cases.
    """
    truth = data.draw(st.lists(st.integers(0, 1), min_size=len(labels), max_size=len(labels)))
    votes = Votes.of(labels, truth, classes=[0, 1])
    parts, signed = (decompositions[name](votes) for name in ("james", "domingos"))
    excess = parts["bias"] + parts["variance"] - parts.loss
    np.testing.assert_allclose(excess, 2 * signed["biased_variance"], atol=1e-12)
