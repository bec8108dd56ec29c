"""Scores of rankings, query by query."""

from __future__ import annotations

from functools import partial

import numpy as np

from credibly._core.arrays import Floats
from credibly._core.names import Names
from credibly._core.parameters import between, one_of, whole
from credibly.case_scores._declare import case_score
from credibly.case_scores.rankings import Rankings
from credibly.predictions.summaries.linear import ratio

JARVELIN = "Jarvelin, K. & Kekalainen, J. (2002) Cumulated gain-based evaluation of IR techniques. ACM TOIS 20, 422-446."
BUCKLEY = "Buckley, C. & Voorhees, E. M. (2004) Retrieval evaluation with incomplete information. SIGIR, 25-32."
CHAPELLE = "Chapelle, O., Metlzer, D., Zhang, Y. & Grinspan, P. (2009) Expected reciprocal rank for graded relevance. CIKM, 621-630."
MOFFAT = "Moffat, A. & Zobel, J. (2008) Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS 27, 2."
MANNING = "Manning, C. D., Raghavan, P. & Schutze, H. (2008) Introduction to Information Retrieval, ch. 8. Cambridge University Press."
NONE_RELEVANT = "no document is relevant"
CUT_RULE = {"k": whole(1)}
query_score = partial(
    case_score, reads=Rankings, range=(0, 1), best=1, undefined=NONE_RELEVANT, cite=MANNING
)


def _gain(grade: Floats, gain: str) -> Floats:
    """Return what documents are worth: their grade, or 2 to its power less 1; nothing where not judged."""
    grade = np.where(np.isnan(grade), 0.0, np.maximum(grade, 0.0))
    return grade if gain == "linear" else np.exp2(grade) - 1


def _where_relevant(r: Rankings, values: Floats) -> Floats:
    """Return values of lists, and none where no document of the query is relevant."""
    return np.where(np.isnan(r.n_relevant), np.nan, values)


def _within(r: Rankings, k: int | None) -> Floats:
    """Return 1 for documents among the first k of their list."""
    return np.ones(r.of.size) if k is None else (r.place <= k).astype(float)


@query_score(
    "Normalised discounted cumulative gain",
    cite=JARVELIN,
    constraints={**CUT_RULE, "gain": one_of("linear", "exponential")},
    aliases=Names("ndcg_cut", sklearn="ndcg_score"),
)
def ndcg(r: Rankings, *, k: int | None = None, gain: str = "linear") -> Floats:
    r"""Sum of gains over the logarithm of their place, as a share of that of the best ranking.

    $\sum_i g_i / \log_2(i + 1)$ of the first k; the gain is the grade, or $2^g - 1$ (``"exponential"``).

    >>> from credibly import rankings
    >>> r = rankings({"q": {"a": 2, "b": 1}}, {"q": {"b": 2, "a": 1}})
    >>> r.scored("ndcg").outcome.round(4).tolist(), r.scored("ndcg(k=1)").outcome.tolist()
    ([0.8597], [0.5])
    """
    got = r.sums(_gain(r.grade, gain) / np.log2(r.place + 1) * _within(r, k))
    best = r.ideal(lambda g, i: _gain(g, gain) / np.log2(i + 1) * (i <= (k or np.inf)))
    return ratio(got, best)


@query_score(
    "Average precision of a query",
    constraints=CUT_RULE,
    aliases=Names("map, mean_average_precision"),
)
def query_average_precision(r: Rankings, *, k: int | None = None) -> Floats:
    """Mean over all relevant documents of the precision down to each, 0 for those not ranked.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1, "b": 1}}, {"q": {"a": 3, "c": 2, "b": 1}}).scored("map").outcome.round(4).tolist()
    [0.8333]
    """
    return ratio(r.sums(r.relevant * r.found / r.place * _within(r, k)), r.n_relevant)


@query_score(
    "Reciprocal rank", constraints=CUT_RULE, aliases=Names("mrr, mean_reciprocal_rank, recip_rank")
)
def reciprocal_rank(r: Rankings, *, k: int | None = None) -> Floats:
    """One over the place of the first relevant document; 0 where none is ranked.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1}}, {"q": {"b": 2, "a": 1}}).scored("mrr").outcome.tolist()
    [0.5]
    """
    first = r.relevant * (r.found == 1) * _within(r, k)
    return r.sums(first / r.place) + 0 * r.n_relevant


@query_score("Precision of the first k", constraints=CUT_RULE, aliases=Names("P"))
def query_precision(r: Rankings, *, k: int = 10) -> Floats:
    """Share of the first k places that hold a relevant document.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1}}, {"q": {"b": 2, "a": 1}}).scored("query_precision(k=2)").outcome.tolist()
    [0.5]
    """
    return _where_relevant(r, r.sums(r.relevant * _within(r, k)) / k)


@query_score("Recall of the first k", constraints=CUT_RULE)
def query_recall(r: Rankings, *, k: int = 10) -> Floats:
    """Share of the relevant documents that stand among the first k.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1, "c": 1}}, {"q": {"b": 2, "a": 1}}).scored("query_recall(k=2)").outcome.tolist()
    [0.5]
    """
    return ratio(r.sums(r.relevant * _within(r, k)), r.n_relevant)


@query_score("Hit among the first k", constraints=CUT_RULE, aliases=Names("success, hit_rate_at"))
def hit(r: Rankings, *, k: int = 10) -> Floats:
    """Whether a relevant document stands among the first k.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1}}, {"q": {"b": 2, "a": 1}}).scored("hit(k=1)").outcome.tolist()
    [0.0]
    """
    return _where_relevant(r, (r.sums(r.relevant * _within(r, k)) > 0).astype(float))


@query_score("R-precision", aliases=Names("Rprec"))
def r_precision(r: Rankings) -> Floats:
    """Precision of as many documents as are relevant.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1, "c": 1}}, {"q": {"b": 2, "a": 1}}).scored("r_precision").outcome.tolist()
    [0.5]
    """
    near = r.place <= np.nan_to_num(r.n_relevant)[r.of]
    return ratio(r.sums((r.relevant & near).astype(float)), r.n_relevant)


@query_score("bpref", cite=BUCKLEY)
def bpref(r: Rankings) -> Floats:
    """How rarely documents judged not relevant are ranked above relevant ones; unjudged documents do not count.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1, "b": 0}}, {"q": {"b": 2, "x": 1.5, "a": 1}}).scored("bpref").outcome.tolist()
    [0.0]
    """
    above = r.running((~r.relevant & ~np.isnan(r.grade)).astype(float))
    relevant = np.nan_to_num(r.n_relevant)
    bound = np.minimum(relevant, r.n_not_relevant)[r.of]
    lost = np.where(above > 0, np.minimum(above, relevant[r.of]) / np.maximum(bound, 1), 0.0)
    return ratio(r.sums(r.relevant * (1 - lost)), r.n_relevant)


@query_score("Expected reciprocal rank", cite=CHAPELLE, constraints=CUT_RULE, aliases=Names("err"))
def expected_reciprocal_rank(r: Rankings, *, k: int | None = None) -> Floats:
    r"""Expected value of one over the place at which a reader is satisfied.

    A document of grade g satisfies with probability $(2^g - 1) / 2^h$, where h is the highest grade that was given.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1}}, {"q": {"b": 2, "a": 1}}).scored("err").outcome.tolist()
    [0.25]
    """
    stops = _gain(r.grade, "exponential") / np.exp2(r.highest_grade)
    goes_on = np.log1p(-stops)
    reached = np.exp(r.running(goes_on) - goes_on)
    return _where_relevant(r, r.sums(stops * reached / r.place * _within(r, k)))


@query_score(
    "Rank-biased precision",
    cite=MOFFAT,
    constraints={"persistence": between(0, 1)},
    aliases=Names("rbp"),
)
def rank_biased_precision(r: Rankings, *, persistence: float = 0.8) -> Floats:
    """Expected share of relevant documents for a reader who continues to the next one with a fixed probability.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1}}, {"q": {"b": 2, "a": 1}}).scored("rbp(persistence=0.5)").outcome.tolist()
    [0.25]
    """
    seen = (1 - persistence) * persistence ** (r.place - 1)
    return _where_relevant(r, r.sums(r.relevant * seen))


@query_score(
    "Judged among the first k",
    cite=BUCKLEY,
    constraints=CUT_RULE,
    shown=False,
    undefined="nothing is ranked",
)
def judged_share(r: Rankings, *, k: int = 10) -> Floats:
    """Share of the first k documents, or of all if there are fewer, that somebody judged.

    >>> from credibly import rankings
    >>> rankings({"q": {"a": 1}}, {"q": {"b": 2, "a": 1}}).scored("judged_share(k=5)").outcome.tolist()
    [0.5]
    """
    near = _within(r, k)
    return ratio(r.sums(~np.isnan(r.grade) * near), r.sums(near))
