"""Rankings by query: trec_eval's numbers, ties, what is missing, and outcomes that every verb takes."""

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

import credibly
from credibly import DataError, ParameterError, compare, evaluate, rankings
from credibly.cli import main


def small():
    """Return judgements and a run with ties, grades from 0 to 3 and documents that nobody judged."""
    judged, run = {}, {}
    for q in range(12):
        documents = [f"d{(q * 7 + 5 * i) % 31:02d}" for i in range(14)]
        judged[f"q{q:02d}"] = {d: (i * q + i * i) % 4 for i, d in enumerate(documents[:9])}
        ranked = documents[3:] + [f"x{q}{j}" for j in range(4)]
        run[f"q{q:02d}"] = {d: ((i * 11 + q * 3) % 9) / 8 for i, d in enumerate(ranked)}
    return judged, run


# pytrec_eval (trec_eval 9) on these, query by query.
TREC = {
    "ndcg": [0.467048595609, 0.292785037494, 0.374091719119, 0.494917019467, 0.41353075058, 0.208814667589, 0.469374489632, 0.315935738082, 0.362128280402, 0.274170812598, 0.418201713988, 0.383064573666],
    "ndcg(k=5)": [0.246302388741, 0.195190024996, 0.151019618228, 0.397322006969, 0.195190024996, 0.0, 0.246302388741, 0.0, 0.0, 0.151019618228, 0.195190024996, 0.151019618228],
    "map": [0.2375, 0.116666666667, 0.166071428571, 0.275, 0.195833333333, 0.058441558442, 0.241071428571, 0.116666666667, 0.157738095238, 0.1125, 0.201388888889, 0.180681818182],
    "mrr": [0.5, 0.333333333333, 0.2, 0.5, 0.333333333333, 0.090909090909, 0.5, 0.1, 0.166666666667, 0.2, 0.333333333333, 0.2],
    "query_precision(k=5)": [0.2, 0.2, 0.2, 0.4, 0.2, 0.0, 0.2, 0.0, 0.0, 0.2, 0.2, 0.2],
    "query_recall(k=5)": [0.25, 0.25, 0.25, 0.5, 0.25, 0.0, 0.25, 0.0, 0.0, 0.25, 0.25, 0.25],
    "r_precision": [0.25, 0.25, 0.0, 0.25, 0.25, 0.0, 0.25, 0.0, 0.0, 0.0, 0.25, 0.0],
    "bpref": [0.5, 0.25, 0.3125, 0.5625, 0.5, 0.0, 0.5, 0.1875, 0.3125, 0.375, 0.5, 0.375],
}  # fmt: skip


@pytest.mark.parametrize("score", TREC)
def test_scores_are_those_of_trec_eval(score):
    assert_allclose(rankings(*small()).scored(score).outcome, TREC[score], atol=1e-11)


def slow(score, judged, ranked):
    """Return a score of one query by its definition, document by document."""
    grades = [judged.get(d, 0) for d in ranked]
    if score == "err":
        highest, left, total = 3, 1.0, 0.0
        for i, g in enumerate(grades, 1):
            stop = (2**g - 1) / 2**highest
            total, left = total + left * stop / i, left * (1 - stop)
        return total
    if score == "rbp(persistence=0.5)":
        return sum(0.5 * 0.5**i for i, g in enumerate(grades) if g >= 1)
    if score == "hit(k=3)":
        return float(any(g >= 1 for g in grades[:3]))
    got = sum((2**g - 1) / np.log2(i + 2) for i, g in enumerate(grades[:4]))
    best = sorted(judged.values(), reverse=True)[:4]
    return got / sum((2**g - 1) / np.log2(i + 2) for i, g in enumerate(best))


@pytest.mark.parametrize("score", ["err", "rbp(persistence=0.5)", "hit(k=3)", "ndcg(k=4, gain='exponential')"])  # fmt: skip
def test_other_scores_follow_their_definitions(score):
    judged, run = small()
    order = {q: sorted(sorted(run[q], reverse=True), key=lambda d, q=q: -run[q][d]) for q in run}
    want = [slow(score, judged[q], order[q]) for q in sorted(judged)]
    assert_allclose(rankings(judged, run).scored(score).outcome, want, atol=1e-12)


def test_several_runs_are_models_on_the_same_queries():
    judged, run = small()
    other = {q: {d: -s for d, s in held.items()} for q, held in run.items()}
    p = rankings(judged, {"old": run, "new": other}).scored("ndcg")
    assert sorted(set(p.model.tolist())) == ["new", "old"]
    found = compare(p, measure="mean_outcome")
    assert found.n == 12
    values = {e.keys["model"]: e.value for e in evaluate(p, "mean_outcome")}
    assert values["old"] == pytest.approx(np.mean(TREC["ndcg"]))


def test_what_is_missing_is_said():
    judged = {"q1": {"a": 1, "b": -1}, "q2": {"a": 0}, "q3": {"a": 1}}
    found = rankings(judged, {"q1": {"x": 2, "b": 1.5, "a": 1}, "q2": {"a": 1}, "q9": {"a": 1}})
    codes = {f.code: f.message for f in found.findings}
    assert "q9" in codes["queries-without-judgements"]
    assert "q3" in codes["queries-missing"]
    assert "50.0%" in codes["unjudged-documents"]  # a negative grade is none
    p = found.scored("mrr")
    assert_allclose(p.outcome, [1 / 3, np.nan, 0])  # no relevant document, no ranking
    assert "no document is relevant" in next(
        f.message for f in p.findings if f.code == "score-undefined"
    )


def test_ties_stand_in_falling_order_of_identifiers():
    found = rankings({"q": {"a": 0, "b": 1}}, {"q": {"a": 1.0, "b": 1.0}})
    assert found.scored("mrr").outcome.tolist() == [1.0]
    assert "tied-documents" in {f.code for f in found.findings}


@pytest.mark.parametrize(
    ("judged", "run", "said"),
    [
        ({}, {"q": {"a": 1}}, "No query"),
        ({"q": {"a": -1}}, {"q": {"a": 1}}, "No query"),
        (
            {"q": {"a": "good"}},
            {"q": {"a": 1}},
            "grade of document a under query q is not a number: 'good'",
        ),
        ({"q": 3}, {"q": {"a": 1}}, "numbers by query"),
        ({"q": {"a": 1}}, {"Q": {"a": 1}}, "none of the judged queries: it has Q, judged are q"),
        ("nowhere.txt", {"q": {"a": 1}}, "not a file"),
        ({"q": {"a": 1}}, 3, "runs"),
        ({"q": {"a": 1}}, {"q": {"a": float("nan")}}, "score of document a"),
        ({"q": {"a": float("nan")}}, {"q": {"a": 1}}, "grade of document a"),
    ],
)
def test_what_cannot_be_scored_is_refused(judged, run, said):
    with pytest.raises((DataError, ParameterError), match=said):
        rankings(judged, run)


def test_grades_below_one_are_said():
    found = rankings({"q": {"a": 0.5, "b": 1}}, {"q": {"a": 1.0}})
    assert "grades-below-one" in {f.code for f in found.findings}


@pytest.mark.parametrize(
    ("line", "said"), [("q1 0 a", "line 2"), ("q1 0 b 1", "twice"), ("q1 0 a x", "line 2")]
)
def test_bad_lines_of_files_are_named(tmp_path, line, said):
    path = tmp_path / "qrels.txt"
    path.write_text(f"q1 0 b 1\n{line}\n")
    with pytest.raises(DataError, match=said):
        rankings(path, {"q1": {"b": 1}})


def test_a_score_of_another_kind_is_refused():
    with pytest.raises(ParameterError, match="hamming_loss is not a score of these cases"):
        rankings(*small()).scored("hamming_loss")


def test_the_command_reads_trecs_files(tmp_path, capsys):
    judged, run = small()
    lines = [f"{q}\t0 {d} {g}" for q, held in judged.items() for d, g in held.items()]
    (tmp_path / "qrels.txt").write_text("\n".join(lines))
    for name, sign in (("old", 1), ("new", -1)):
        held = [
            f"{q} Q0 {d} 0 {sign * s} {name}"
            for q, ranked in run.items()
            for d, s in ranked.items()
        ]
        (tmp_path / f"{name}.txt").write_text("\n".join(held))
    files = [str(tmp_path / f"{name}.txt") for name in ("qrels", "old", "new")]
    saved = str(tmp_path / "ndcg.csv")
    assert main(["rankings", *files, "--score", "ndcg(k=5),map", "--save", saved, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    means = {(e["measure"], e["model"]): e["value"] for e in said["estimates"]}
    assert means["ndcg(k=5)", "old"] == pytest.approx(np.mean(TREC["ndcg(k=5)"]))
    assert main(["compare", saved, "--better", "higher", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n"] == 12
    assert main(["rankings", *files, "--save", saved]) == 2
    assert credibly.read(saved, outcome="outcome").n == 24


def test_frames_and_tables_are_the_same_as_mappings(tmp_path):
    judged, run = small()
    expected = rankings(judged, run).scored("ndcg").outcome
    qrels, ranked = (
        pd.DataFrame([(q, d, x) for q, held in table.items() for d, x in held.items()])
        for table in (judged, run)
    )
    qrels.columns, ranked.columns = ["qid", "docno", "label"], ["query_id", "doc id", "score"]
    shuffled = ranked.sample(frac=1, random_state=1)  # rows of a query need not stand together
    assert_allclose(rankings(qrels, shuffled).scored("ndcg").outcome, expected)
    two = pd.concat([ranked.assign(system="a"), ranked.assign(system="b", score=-ranked["score"])])
    both = rankings(qrels, two)
    assert both.models == ("a", "b")
    assert_allclose(both.scored("ndcg").outcome[: expected.size], expected)
    qrels.to_csv(tmp_path / "judged.csv", index=False)
    ranked.to_parquet(tmp_path / "bm25.parquet")
    files = rankings(tmp_path / "judged.csv", tmp_path / "bm25.parquet")
    assert_allclose(files.scored("ndcg").outcome, expected)
    assert files.models == ("bm25",)
    with pytest.raises(DataError, match=r"has no column document\b.*columns: qid, label"):
        rankings(qrels[["qid", "label"]], run)
    with pytest.raises(DataError, match="document d00 occurs twice under query q00"):
        rankings(pd.concat([qrels, qrels[:1]]), run)


def test_lines_of_other_lengths_are_read_one_by_one(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 7 b 0\n\nq2 0 a 2 extra\n")
    (tmp_path / "run.txt").write_text("q2 Q0 a 1 0.5 my run\nq1 Q0 b 1 2.5 x\n")
    found = rankings(tmp_path / "qrels.txt", tmp_path / "run.txt")
    assert found.scored("mrr").outcome.tolist() == [0, 1]
    with pytest.raises(DataError, match=r"line 1.*judgements come first"):
        rankings(tmp_path / "run.txt", tmp_path / "qrels.txt")


def test_the_number_of_places_is_said():
    judged, run = small()
    names = [e.name for e in rankings(judged, run).table(["hit", "ndcg(k=3)"])]
    assert names == ["Hit among the first k, k 10", "Normalised discounted cumulative gain (k=3)"]


@pytest.mark.parametrize("grade", [2000, float("inf")])
def test_grades_of_which_no_gain_can_be_made_are_refused(grade):
    with pytest.raises(DataError, match="highest"):
        rankings({"q": {"a": grade}}, {"q": {"a": 1}})


def test_all_documents_that_share_a_score_are_counted():
    run = {
        "q1": {"a": 0.1, "b": 0.9, "c": 0.5, "d": 0.5},
        "q2": {"b": 1.0},
        "q3": {"x": 1.0, "y": 2},
    }
    found = rankings({"q1": {"a": 3}, "q2": {"a": 1}, "q3": {"x": 0}}, run)
    (said,) = [f for f in found.findings if f.code == "tied-documents"]
    assert "28.6%" in said.message


def test_columns_are_not_named_beside_files_of_runs(tmp_path, capsys):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 0\nq2 0 d2 1\n")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 2.0 r\nq1 Q0 d2 2 1.0 r\nq2 Q0 d2 1 2.0 r\n")
    files = [str(tmp_path / name) for name in ("qrels.txt", "run.txt")]
    assert main(["rankings", *files]) == 0
    for named in (["--query", "user"], ["--format", "csv"]):
        assert main(["rankings", *files, *named]) == 2
        assert "TREC's files have no columns" in capsys.readouterr().err
    assert main(["rankings", "--help", "--all"]) == 0
    assert "--format TEXT" in capsys.readouterr().out
