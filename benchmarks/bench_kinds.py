"""Kinds of prediction whose measures are means over cases, against the programs of their fields.

Ours is a table with intervals, theirs bare values. Beside each ratio stands the highest one that could be seen: that of a table of
scores that are ready, whatever it costs to compute them. Peers that are not installed are left out.
"""

from importlib.util import find_spec

import numpy as np

from benchmarks.interleaved import best_times, print_table, times
from credibly import Predictions, conformal, evaluate, forecasts, label_sets, rankings, survival

N = 100_000
QUERIES, DOCUMENTS = 1_000, 100


def labels(rng):
    """Cases with ten labels."""
    from sklearn import metrics

    truth = rng.random((N, 10)) < 0.3
    chance = np.clip(rng.normal(0.3 + 0.3 * truth, 0.2), 0, 1)
    predicted = chance > 0.5
    flags, scores = label_sets(truth, predicted), label_sets(truth, probability=chance)
    told = {"average": "samples", "zero_division": 0}
    yield "subset accuracy", lambda: flags.table("subset_accuracy"), lambda: metrics.accuracy_score(truth, predicted)  # fmt: skip
    yield "F1 of cases", lambda: flags.table("case_f1"), lambda: metrics.f1_score(truth, predicted, **told)  # fmt: skip
    yield "label ranking loss", lambda: scores.table("ranking_loss"), lambda: metrics.label_ranking_loss(truth, chance)  # fmt: skip


def ranked(rng):
    """Rankings of a thousand queries, taken and scored."""
    import pytrec_eval

    judged, run = {}, {}
    for q in map(str, range(QUERIES)):
        documents = [f"d{i}" for i in rng.choice(5000, DOCUMENTS, replace=False)]
        run[q] = dict(zip(documents, rng.random(DOCUMENTS).tolist(), strict=True))
        judged[q] = dict(zip(documents[:30], rng.integers(0, 4, 30).tolist(), strict=True))
    ours = ["ndcg", "map", "mrr", "query_precision", "query_recall", "r_precision", "bpref"]
    theirs = {"ndcg", "map", "recip_rank", "P_10", "recall_10", "Rprec", "bpref"}
    yield "rankings, seven scores", lambda: rankings(judged, run).table(ours), lambda: pytrec_eval.RelevanceEvaluator(judged, theirs).evaluate(run)  # fmt: skip


def forecast(rng):
    """Forecasts of a distribution: 20 members, 19 quantiles, a normal law."""
    import scoringrules

    truth, members = rng.normal(size=N), rng.normal(size=(N, 20))
    levels, quantiles = np.linspace(0.05, 0.95, 19), np.sort(members[:, :19], axis=1)
    mean, sd = rng.normal(size=N), rng.random(N) + 0.5
    law = {"distribution": "normal", "parameters": {"mean": mean, "sd": sd}}
    yield "CRPS of an ensemble", lambda: forecasts(truth, members=members).table("crps"), lambda: scoringrules.crps_ensemble(truth, members)  # fmt: skip
    yield "fair CRPS of an ensemble", lambda: forecasts(truth, members=members).table("fair_crps"), lambda: scoringrules.crps_ensemble(truth, members, estimator="fair")  # fmt: skip
    yield "CRPS of quantiles", lambda: forecasts(truth, quantiles=quantiles, levels=levels).table("crps"), lambda: scoringrules.crps_quantile(truth, quantiles, levels)  # fmt: skip
    yield "CRPS of a normal law", lambda: forecasts(truth, **law).table("crps"), lambda: scoringrules.crps_normal(truth, mean, sd)  # fmt: skip


def times_to_event(rng):
    """Times to an event, a third of them censored; concordance in pairs of 20,000 cases."""
    from sksurv.metrics import brier_score, concordance_index_censored, cumulative_dynamic_auc
    from sksurv.util import Surv

    event_at, lost_at = rng.exponential(1, N), rng.exponential(2, N)
    time, event = np.minimum(event_at, lost_at), event_at <= lost_at
    risk, chance = -np.log(event_at) + rng.normal(size=N), rng.random(N)
    held, part = Surv.from_arrays(event, time), slice(20_000)
    few = survival(time[part], event[part], risk=risk[part])
    yield "concordance of 20,000", lambda: few.table("harrell_c"), lambda: concordance_index_censored(event[part], time[part], risk[part])  # fmt: skip
    many = survival(time, event, risk=risk)
    yield "AUC at a time", lambda: many.table("survival_auc(at=1.0)"), lambda: cumulative_dynamic_auc(held, held, risk, [1.0])  # fmt: skip
    likely = survival(time, event, survival=chance[:, None], times=[1.0])
    yield "Brier score at a time", lambda: likely.table("survival_brier(at=1.0)"), lambda: brier_score(held, held, chance, 1.0)  # fmt: skip


def sets(rng):
    """Conformal sets of ten classes, judged with intervals; theirs are not judged."""
    from mapie.classification import SplitConformalClassifier
    from sklearn.base import BaseEstimator, ClassifierMixin

    truth = rng.integers(0, 10, 2 * N)
    q = np.exp(rng.normal(size=(2 * N, 10)) + 1.5 * (np.arange(10) == truth[:, None]))
    q /= q.sum(axis=1, keepdims=True)
    known, new = (Predictions.of(truth[r], probability=q[r], classes=range(10)) for r in (slice(N), slice(N, None)))  # fmt: skip

    class Given(ClassifierMixin, BaseEstimator):
        """A model that has said what it says."""

        def fit(self, _, __):
            self.classes_ = np.arange(10)
            return self

        def predict_proba(self, X):
            return X

        def predict(self, X):
            return X.argmax(axis=1)

    def theirs(score):
        made = SplitConformalClassifier(Given().fit(0, 0), confidence_level=0.9, conformity_score=score, prefit=True)  # fmt: skip
        return made.conformalize(q[:N], truth[:N]).predict_set(q[N:])

    for ours, name in (("least_ambiguous", "lac"), ("adaptive", "aps")):
        yield f"conformal sets, {ours}", lambda m=ours: conformal(known, new, m), lambda s=name: theirs(s)  # fmt: skip


READY = {"rankings, seven scores": (QUERIES, 7), "concordance of 20,000": (20_000, 1), "conformal sets, least_ambiguous": (N, 4), "conformal sets, adaptive": (N, 4)}  # fmt: skip
KINDS = {"sklearn": labels, "pytrec_eval": ranked, "scoringrules": forecast, "sksurv": times_to_event, "mapie": sets}  # fmt: skip


def ready(rng, cases, scores):
    """Return a table of as many scores, which need not be computed."""
    given = rng.random(cases)

    def tables():
        for _ in range(scores):
            evaluate(Predictions.of(outcome=given, better="lower"), "mean_outcome")

    return tables


def main():
    rows = []
    rng = np.random.default_rng(1)
    for peer, made in KINDS.items():
        if not find_spec(peer):
            rows.append([f"{peer} is not installed", "", ""])
            continue
        for what, ours, theirs in made(rng):
            floor = ready(rng, *READY.get(what, (N, 1)))
            best = best_times({"ours": ours, "theirs": theirs, "floor": floor}, seconds=2)
            shown = (times(best["theirs"] / best[mine]) for mine in ("ours", "floor"))
            rows.append([f"{what}, {peer}", *shown])
    print_table(
        f"{N:,} cases, how many times as fast as the peer", ["what", "times", "at most"], rows
    )


if __name__ == "__main__":
    main()
