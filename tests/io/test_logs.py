"""Logs of evaluations: what formats say is read, what they leave open is told, and what is damaged is refused."""

import json
import math
import struct
import zlib

import numpy as np
import pytest

import credibly
from credibly import DataError, compare, evaluate, read
from credibly.cli import main
from credibly.io import readers
from credibly.io._declare import LogReader, open_source

STAMP = "2026-11-16T01-57-26.913832"


def codes(p):
    return {f.code for f in p.findings}


def sample(doc_id, scores, name="none", hashed="ab12cd34", **doc):
    line = {"doc_id": doc_id, "doc": doc, "target": "x", "resps": [["a"]], "filter": name}
    return {**line, "metrics": list(scores), "doc_hash": hashed + str(doc_id), **scores}


def lines(*objects):
    return "".join(json.dumps(o) + "\n" for o in objects)


def lm_eval(folder, model="m/small", passed=(1, 0, 1, 1), task="sums", better=True):
    folder.mkdir(exist_ok=True)
    made = lines(*(sample(i, {"acc": float(v)}, level="hard") for i, v in enumerate(passed)))
    (folder / f"samples_{task}_{STAMP}.jsonl").write_text(made)
    about = {"model_name": model, "higher_is_better": {task: {"acc": better}}}
    (folder / f"results_{STAMP}.json").write_text(json.dumps(about))
    return folder


def inspect_log(samples, status="success", **about):
    scorers = [
        {"name": "match", "metrics": [{"name": "stderr", "options": {"cluster": "passage"}}]}
    ]
    run = {"task": "reading", "model": "m/small", "scorers": scorers, **about}
    return {"version": 2, "status": status, "eval": run, "samples": samples}


def graded(case, value, epoch=1, **more):
    return {
        "id": case,
        "epoch": epoch,
        "scores": {"match": {"value": value}},
        "metadata": {"passage": "p1"},
        **more,
    }


def test_a_folder_of_the_harness_is_one_set(tmp_path):
    folder = lm_eval(tmp_path / "small")
    two = lines(
        *(sample(i, {"exact_match": str(i == 0)}, "strict") for i in range(3)),
        *(sample(i, {"exact_match": 1.0}, "flexible") for i in range(3)),
    )
    (folder / f"samples_two_words_{STAMP}.jsonl").write_text(two)
    p = read(folder)
    assert p.outcome.tolist() == [1, 0, 1, 1, 1, 0, 0]
    assert set(p.model.tolist()) == {"m/small"}
    assert p.columns["task"].tolist() == ["sums"] * 4 + ["two_words"] * 3
    assert p.row[0] == "sums/0#ab12cd"
    assert p.better == "higher"
    assert {"log-read", "other-metrics", "mixed-metrics"} <= codes(p)
    other = read(folder / f"samples_two_words_{STAMP}.jsonl", outcome="exact_match (flexible)")
    assert other.outcome.tolist() == [1, 1, 1]
    assert evaluate(p, "pass_rate", by="task").estimates[1].value == pytest.approx(1 / 3)


def test_a_brier_score_is_computed_from_what_numpy_printed(tmp_path):
    file = tmp_path / f"samples_t_{STAMP}.jsonl"
    shown = [2, "[1.42094337e-02 1.93686580e-04 9.85575607e-01 2.12723066e-05]"]
    cut = [0, "[0.5 ... 0.5]"]
    file.write_text(lines(*(sample(i, {"brier_score": v}) for i, v in enumerate([shown, cut]))))
    p = read(file)
    assert p.outcome[0] == pytest.approx(
        0.0142094337**2 + 0.00019368658**2 + (1 - 0.985575607) ** 2, rel=1e-4
    )
    assert p.better == "lower"
    assert len(p.known().outcome) == 1


def test_two_folders_to_a_verdict_with_no_column_named(tmp_path, capsys, monkeypatch):
    rng = np.random.default_rng(1)
    old = rng.random(200) < 0.5
    new = old | (rng.random(200) < 0.3)
    lm_eval(tmp_path / "Model-3.1", "old", old)
    lm_eval(tmp_path / "Model-3.2", "new", new)
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "Model-3.1/", "Model-3.2/"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Model-3.2 is better than Model-3.1")
    assert main(["evaluate", "."]) == 0
    assert "2 models" in capsys.readouterr().out


def test_models_judged_on_other_cases_are_named(tmp_path):
    a = read(lm_eval(tmp_path / "a", "a"))
    other = lm_eval(tmp_path / "b", "b")
    text = (other / f"samples_sums_{STAMP}.jsonl").read_text().replace("ab12cd340", "ffffff340")
    (other / f"samples_sums_{STAMP}.jsonl").write_text(text)
    with pytest.raises(DataError, match="not evaluated on the same cases"):
        compare({"a": a, "b": read(other)})


def test_epochs_grades_clusters_and_failures_of_inspect(tmp_path):
    file = tmp_path / "log.json"
    samples = [graded("q1", "C"), graded("q1", "P", 2), graded("q2", "I"), graded("q2", "N", 2),
               {"id": "q3", "epoch": 1, "error": {"message": "out of memory"}, "scores": {}},
               graded("q3", math.nan, 2)]  # fmt: skip
    file.write_text(json.dumps(inspect_log(samples)))  # with a bare NaN
    p = read(file)
    assert p.outcome.tolist()[:4] == [1, 0.5, 0, 0]
    assert np.isnan(p.outcome[4:]).all()  # never zeros
    assert p.repeat.tolist() == [0, 1, 0, 1, 0, 1]
    assert p.group[0] == "p1"
    assert "log-without-scores" in codes(p)
    failed = tmp_path / "failed.json"
    failed.write_text(json.dumps(inspect_log(samples[:3], "error")))
    assert "log-unfinished" in codes(read(failed))


def packed_with(method, entries, lie=0):
    """Write a zip by hand: zipfile of Python 3.11 does not write Zstandard."""
    import zstandard

    body, central = b"", b""
    for name, text in entries.items():
        data = text.encode()
        packed = zstandard.ZstdCompressor().compress(data) if method == 93 else data
        common = struct.pack(
            "<HHHHHIIIHH",
            20,
            0,
            method,
            0,
            0,
            zlib.crc32(data),
            len(packed),
            len(data) - lie,
            len(name),
            0,
        )
        central += (
            b"PK\x01\x02"
            + struct.pack("<H", 20)
            + common
            + struct.pack("<HHHII", 0, 0, 0, 0, len(body))
            + name.encode()
        )
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(entries), len(entries), len(central), len(body), 0)
    return body + central + b"PK\x05\x06" + end


def eval_entries(**more):
    header = inspect_log([])
    del header["samples"]
    each = [graded("q1", "C"), graded("q2", "I")]
    return {
        "_journal/start.json": json.dumps(header),
        "header.json": json.dumps(header),
        "summaries.json": json.dumps(each),
        **more,
    }


def test_an_archive_of_inspect(tmp_path):
    file = tmp_path / "log.eval"
    file.write_bytes(packed_with(93, eval_entries()))
    assert read(file).outcome.tolist() == [1, 0]
    file.write_bytes(packed_with(0, eval_entries()))
    assert read(file).outcome.tolist() == [1, 0]
    entries = eval_entries()
    running = {
        "_journal/start.json": entries["_journal/start.json"],
        "_journal/summaries/1.json": entries["summaries.json"],
    }
    file.write_bytes(packed_with(93, running))
    assert "log-unfinished" in codes(read(file))


def test_clusters_of_an_archive_are_sought_in_its_samples(tmp_path):
    file = tmp_path / "log.eval"
    entries = eval_entries()
    each = json.loads(entries["summaries.json"])
    bare = json.dumps([{k: v for k, v in s.items() if k != "metadata"} for s in each])
    whole = {f"samples/{s['id']}_epoch_1.json": json.dumps(s) for s in each}
    file.write_bytes(packed_with(93, {**entries, "summaries.json": bare, **whole}))
    assert read(file).group.tolist() == ["p1", "p1"]
    file.write_bytes(packed_with(93, {**entries, "summaries.json": bare}))
    assert read(file).group is None
    assert "clusters-unknown" in codes(read(file))


@pytest.mark.parametrize("damage", ["cut", "lie", "letters", "no header"])
def test_a_damaged_archive_is_refused(tmp_path, damage):
    whole = packed_with(93, eval_entries())
    made = {
        "cut": whole[: len(whole) // 2],
        "lie": packed_with(93, eval_entries(), lie=5),
        "letters": whole.replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe"),
        "no header": packed_with(0, {"samples/1.json": "{}"}),
    }[damage]
    file = tmp_path / "log.eval"
    file.write_bytes(made)
    with pytest.raises(DataError):
        read(file)


def instance(sample_id, score, correct, run="r1", **more):
    return {
        "schema_version": "0.2.1", "evaluation_id": run, "model_id": "m/small", "evaluation_name": "sums",
        "sample_id": sample_id, "interaction_type": "single_turn", "evaluation": {"score": score, "is_correct": correct}, **more,
    }  # fmt: skip


def test_every_eval_ever(tmp_path):
    file = tmp_path / "sums_samples.jsonl"
    file.write_text(
        lines(
            instance("a", 1.0, True),
            instance("b", 0.0, False),
            instance("c", 0.0, False, error="timeout"),
        )
    )
    p = read(file)
    assert p.outcome.tolist()[:2] == [1, 0]
    assert math.isnan(p.outcome[2])
    assert p.better == "higher"
    file.write_text(
        lines(instance("a", 0.7, True), instance("a", 0.4, False, "r2"), instance("b", 0.2, False))
    )
    p = read(file)
    assert p.outcome.tolist() == [0.7, 0.4, 0.2]
    assert p.repeat.tolist() == [0, 1, 0]
    assert p.better is None  # a score of unknown direction
    assert "outcome-direction" in codes(p) or any(
        "higher or a lower" in f.message for f in p.findings
    )


JUNIT = """<?xml version="1.0"?><testsuites><testsuite name="pytest">
<testcase classname="tests.a" name="one" time="0.1"/>
<testcase classname="tests.a" name="two"><failure message="no">text</failure></testcase>
<testcase classname="tests.a" name="three"><skipped/></testcase>
<testcase classname="tests.b" name="one"><error message="setup"/></testcase>
</testsuite></testsuites>"""


def test_results_of_tests(tmp_path):
    file = tmp_path / "junit.xml"
    file.write_text(JUNIT)
    p = read(file)
    assert p.row.tolist() == ["tests.a::one", "tests.a::two", "tests.a::three", "tests.b::one"]
    assert p.known().outcome.tolist() == [1, 0, 0]
    assert {"tests-with-errors", "no-outcome"} <= codes(p)
    log = tmp_path / "log.json"
    phases = [("setup", "passed"), ("call", "passed"), ("teardown", "passed")]
    report = [{"pytest_version": "9", "$report_type": "SessionStart"}]
    report += [
        {"nodeid": "t.py::a", "outcome": o, "when": w, "$report_type": "TestReport"}
        for w, o in phases
    ]
    report += [
        {"nodeid": "t.py::b", "outcome": "failed", "when": "setup", "$report_type": "TestReport"}
    ]
    log.write_text(lines(*report))
    assert read(log).outcome.tolist() == [1, 0]


OTHERS = """<testsuites><testsuite name="outer"><testsuite name="inner">
<testcase name="Adds" status="run" result="completed" classname="Sum"/>
<testcase name="Waits" status="notrun" result="suppressed" classname="Sum"/>
<testcase classname="tests.a" name="one[x-1]"><failure message="no"/></testcase>
<testcase classname="tests.a" name="one[x-1]"><error message="clean-up"/></testcase>
</testsuite></testsuite></testsuites>"""


def test_results_of_other_programs_and_of_failed_tests_with_failed_clean_up(tmp_path):
    file = tmp_path / "junit.xml"
    file.write_text(OTHERS)
    p = read(file)
    assert p.row.tolist() == ["Sum::Adds", "Sum::Waits", "tests.a::one[x-1]"]
    assert np.array_equal(p.outcome, [1, np.nan, 0], equal_nan=True)
    again = OTHERS.replace("<testsuites>", "").replace("</testsuites>", "")
    file.write_text(f"<testsuites>{again}{again.replace('inner', 'other')}</testsuites>")
    assert read(file).row.tolist()[2:4] == ["inner/tests.a::one[x-1]", "other/Sum::Adds"]


def test_metrics_that_are_no_numbers_of_cases_are_named(tmp_path):
    file = tmp_path / f"samples_t_{STAMP}.jsonl"
    pairs = [{"f1": [1, 0], "acc": 1.0}, {"f1": [0, 0], "acc": 0.0}]
    file.write_text(lines(*(sample(i, scores) for i, scores in enumerate(pairs))))
    p = read(file)
    assert p.outcome.tolist() == [1, 0]
    (said,) = [f for f in p.findings if f.code == "not-by-case"]
    assert said.message.startswith("f1 of t")
    file.write_text(lines(sample(0, {"f1": [1, 0]})))
    with pytest.raises(DataError, match=r"No case of .* has a score"):
        read(file)


def test_passes_of_a_metric_of_unknown_direction_are_doubted(tmp_path):
    file = tmp_path / f"samples_t_{STAMP}.jsonl"
    file.write_text(lines(sample(0, {"toxicity": 1.0}), sample(1, {"toxicity": 0.0})))
    assert {"metric-direction", "taken-as-passed"} <= codes(read(file))
    assert "metric-direction" not in codes(read(lm_eval(tmp_path / "known")))
    # Results whose name the user chose stand beside the samples too.
    about = {"model_name": "m/named", "higher_is_better": {"t": {"toxicity": False}}}
    (tmp_path / f"mine_{STAMP}.json").write_text(json.dumps(about))
    assert (read(file).better, set(read(file).model.tolist())) == ("lower", {"m/named"})


def test_fractions_beside_cases_and_other_reducers_of_inspect(tmp_path):
    file = tmp_path / "log.json"
    samples = [
        graded("q1", "C", metadata={"sure": 0.5}),
        graded("q2", "I", metadata={"sure": None}),
    ]
    log = inspect_log(samples, config={"epochs": 2, "epochs_reducer": ["at_least_1", "mean"]})
    file.write_text(json.dumps(log))
    p = read(file)
    assert np.array_equal(p.columns["metadata.sure"], [0.5, np.nan], equal_nan=True)
    (said,) = [f for f in p.findings if f.code == "epochs-reduced"]
    assert "by at_least_1;" in said.message


BOMB = '<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuites><testsuite><testcase name="&b;"/></testsuite></testsuites>'


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (f"samples_t_{STAMP}.jsonl", lines(sample(0, {"acc": 1.0}))[:-9], "in the middle of a case"),
        (f"samples_t_{STAMP}.jsonl", lines(sample(0, {"acc": 1.0})) * 2, "already"),
        ("log.json", json.dumps(inspect_log([graded("q", "C")]))[:-20], "in the middle of a case"),
        ("log.json", json.dumps(inspect_log([graded("q", "C"), graded("q", "I")])), "occurs 2 times"),
        ("log.json", json.dumps(inspect_log([])), "holds no case"),
        ("x.jsonl", lines(instance("a", 1, True), instance("a", 0, False)), "occurs 2 times"),
        ("x.jsonl", lines({**instance("a", 1, True)}, {k: v for k, v in instance("b", 1, True).items() if k != "model_id"}), "model_id"),
        ("junit.xml", BOMB, "document type"),
        ("junit.xml", JUNIT[:300], "cut off"),
        ("junit.xml", "<testsuites><testsuite>" + "<a>" * 200, "nested deeper"),
        ("junit.xml", JUNIT.replace('name="two"', 'name="one"'), "occurs 2 times"),
    ],
)  # fmt: skip
def test_bad_logs_are_named(tmp_path, name, text, said):
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(DataError, match=said):
        read(file)


def test_metrics_of_opposite_directions_do_not_mix(tmp_path):
    folder = lm_eval(tmp_path / "a")
    (folder / f"samples_text_{STAMP}.jsonl").write_text(lines(sample(0, {"perplexity": 7.5})))
    with pytest.raises(
        DataError, match="some outcomes that are better high and some that are better low"
    ):
        read(folder)


def test_a_folder_without_logs_says_what_it_reads(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(DataError, match="Inspect"):
        read(tmp_path)


@pytest.mark.parametrize(
    "kind", [r for r in readers if isinstance(r, LogReader)], ids=lambda r: r.name
)
def test_every_log_says_what_it_is(kind, tmp_path):
    """No format is taken for another one: each recognises what its own example writes."""
    import re

    text = re.search(r'folder / "([^"]+)"', kind.doc)[1]
    assert text
    heads = [JUNIT.encode(), lines(instance("a", 1, True)).encode(), json.dumps(inspect_log([graded("q", "C")])).encode(),
             lines(sample(0, {"acc": 1.0})).encode(), packed_with(93, eval_entries())[:4096]]  # fmt: skip
    assert all(
        sum(r.recognises(head) for r in readers if isinstance(r, LogReader)) == 1 for head in heads
    )


def test_a_plain_file_of_json_lines_needs_no_format(tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text(lines({"id": "a", "passed": True}, {"id": "b", "passed": False}))
    assert read(file).outcome.tolist() == [1, 0]
    assert not isinstance(open_source(file), LogReader)


# How often each of 111 questions on passages was answered right in 5 epochs of a run of Inspect 0.3.285,
# and what its own reducers and metrics say of them.
PASSED = "342542010002301110103223101011330001335330000101300110102102341400000010000111125524245544212212542001042133302"
PASSAGES = "0 0 1 1 1 1 2 2 2 3 3 3 3 4 4 5 5 5 5 5 6 6 6 6 6 7 7 7 8 8 8 8 9 9 9 9 10 10 10 11 11 12 12 12 12 12 12 13 13 14 14 14 14 15 15 15 16 16 16 17 17 17 17 17 18 18 19 19 19 19 19 19 20 20 20 21 21 22 22 23 23 23 23 23 24 24 24 24 24 24 25 25 25 25 25 25 26 26 26 27 27 27 27 28 28 29 29 29 29 29 29"
INSPECT = {  # reducer: value, standard error, standard error by passages
    ("pass", 1): (0.3243243243243242, 0.029856775673022962, 0.05347075949026279),
    ("pass", 2): (0.4756756756756756, 0.03678781748766401, 0.06614860738352399),
    ("pass", 5): (0.6756756756756757, 0.04463366615377138, 0.07035155365694984),
    ("best", 5): (0.6756756756756757, 0.04463366615377138, 0.07035155365694984),
    ("majority", 5): (0.2882882882882883, 0.043188608675320546, 0.06434178442570508),
}


def epochs(**more):
    passed = np.array([[i < int(c) for i in range(5)] for c in PASSED])
    case, epoch = np.indices(passed.shape)
    more = {name: np.asarray(v)[case.ravel()] for name, v in more.items()}
    return credibly.Predictions.of(
        outcome=passed.ravel(), row=case.ravel(), repeat=epoch.ravel(), **more
    )


@pytest.mark.parametrize(("how", "k"), INSPECT)
def test_attempts_equal_inspect(how, k):
    value, error, clustered = INSPECT[how, k]
    alone = credibly.attempts(epochs(), k=[k], how=how).estimates[0]
    grouped = credibly.attempts(
        epochs(group=[*map(int, PASSAGES.split())]), k=[k], how=how
    ).estimates[0]
    assert alone.value == pytest.approx(value, rel=1e-12)
    if (
        k == epochs().repeats
    ):  # cases pass or fail as a whole: the error of a rate divides by n, not by n - 1
        error *= np.sqrt((alone.n - 1) / alone.n)
    assert alone.interval.standard_error == pytest.approx(error, rel=1e-9)
    assert grouped.interval.standard_error == pytest.approx(clustered, rel=1e-9)


def published(n, c, k):
    """The estimator as it was published with HumanEval."""
    return 1.0 if n - c < k else 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1))


@pytest.mark.parametrize("n", [5, 40, 200])
def test_pass_at_k_is_the_published_estimator(n):
    for c in {0, 1, n // 3, n - 1, n}:
        p = credibly.Predictions.of(
            outcome=[i < c for i in range(n)] * 2, row=[0] * n + [1] * n, repeat=[*range(n)] * 2
        )
        for k in {1, 2, n // 2, n}:
            assert credibly.at_k(p, k).outcome[0] == pytest.approx(
                published(n, c, k), rel=1e-12, abs=1e-12
            )


def test_best_and_majority_are_means_over_all_choices():
    from itertools import combinations

    values = [0.1, 0.9, 0.4, 0.4, 0.7, 0.2]
    p = credibly.Predictions.of(
        outcome=values * 2, row=[0] * 6 + [1] * 6, repeat=[*range(6)] * 2, better="higher"
    )
    for k in (1, 3, 6):
        slow = np.mean([max(c) for c in combinations(values, k)])
        assert credibly.at_k(p, k, "best").outcome[0] == pytest.approx(slow, rel=1e-12)
    low = credibly.Predictions.of(
        outcome=values * 2, row=[0] * 6 + [1] * 6, repeat=[*range(6)] * 2, better="lower"
    )
    slow = np.mean([min(c) for c in combinations(values, 2)])
    assert credibly.at_k(low, 2, "best").outcome[0] == pytest.approx(slow, rel=1e-12)
    passed = [1, 0, 0, 1, 1, 0]
    votes = credibly.Predictions.of(
        outcome=passed * 2, row=[0] * 6 + [1] * 6, repeat=[*range(6)] * 2
    )
    for k in (2, 3, 5):
        slow = np.mean(
            [(sum(c) > k / 2) + 0.5 * (sum(c) == k / 2) for c in combinations(passed, k)]
        )
        assert credibly.at_k(votes, k, "majority").outcome[0] == pytest.approx(slow, rel=1e-12)


def test_case_weights_stay_with_their_cases():
    p = credibly.Predictions.of(
        outcome=[1, 0, 0, 0],
        row=[0, 0, 1, 1],
        repeat=[0, 1, 0, 1],
        sample_weight=[3.0, 3.0, 1.0, 1.0],
    )
    assert credibly.attempts(p, k=[2]).estimates[0].value == pytest.approx(0.75)


def test_models_asked_in_other_numbers_of_epochs_are_compared_by_case(tmp_path):
    once, twice = tmp_path / "once.json", tmp_path / "twice.json"
    rng = np.random.default_rng(1)
    grade = [["C" if rng.random() < 0.5 else "I" for _ in range(60)] for _ in range(3)]
    for file, epochs in ((once, grade[:1]), (twice, grade[1:])):
        samples = [
            graded(f"q{i}", g, e + 1) for e, each in enumerate(epochs) for i, g in enumerate(each)
        ]
        log = inspect_log(samples)
        log["eval"]["scorers"] = []
        file.write_text(json.dumps(log))
    found = compare({"once": read(once), "twice": read(twice)})
    means = np.array([[g == "C" for g in each] for each in grade[1:]]).mean(0) - [
        g == "C" for g in grade[0]
    ]
    assert found.difference == pytest.approx(-means.mean())
    assert "epochs-averaged" in {f.code for f in found.all_findings()}


def test_cases_with_fewer_attempts_are_left_out_and_said():
    p = credibly.Predictions.of(outcome=[1, 0, 1, None], row=[0, 0, 1, 1], repeat=[0, 1, 0, 1])
    found = credibly.at_k(p, 2)
    assert found.n == 1
    assert "fewer-attempts" in codes(found)
    with pytest.raises(DataError, match="No case has 3"):
        credibly.at_k(p, 3)
    with pytest.raises(DataError, match="one outcome"):
        credibly.at_k(credibly.Predictions.of(outcome=[1, 0]), 1)
    numbers = credibly.Predictions.of(outcome=[0.5, 0.2], row=[0, 0], repeat=[0, 1])
    with pytest.raises(DataError, match="pass or fail"):
        credibly.at_k(numbers, 1)
    with pytest.raises(DataError, match="higher or a lower"):
        credibly.at_k(numbers, 1, "best")


def whole_logs():
    """Return a small log of each format."""
    three = [graded("q1", "C"), graded("q2", "I"), graded("q3", 0.5)]
    return {
        f"samples_t_{STAMP}.jsonl": lines(*(sample(i, {"acc": 1.0, "brier_score": [0, "[0.5 0.5]"]}) for i in range(3))).encode(),
        "log.json": json.dumps(inspect_log(three)).encode(),
        "log.eval": packed_with(93, eval_entries()),
        "x.jsonl": lines(instance("a", 1, True), instance("b", 0.5, False)).encode(),
        "junit.xml": JUNIT.encode(),
    }  # fmt: skip


ODD = [
    b"null",
    b"[]",
    b"{}",
    b"-1",
    b"1e999",
    b"NaN",
    b'"\\ud800"',
    b"[[[[",
    b"\x00",
    b"\xff\xfe",
    b"true",
    b'""',
]


@pytest.mark.parametrize("name", [*whole_logs()])
def test_damaged_logs_are_read_or_refused_in_our_words(name, tmp_path):
    whole, file = whole_logs()[name], tmp_path / name
    rng = np.random.default_rng(7)
    for _ in range(25):
        places = sorted(rng.integers(0, len(whole), 2))
        odd = ODD[rng.integers(len(ODD))]
        file.write_bytes(
            whole[: places[0]] + odd + whole[places[1] if rng.random() < 0.5 else places[0] :]
        )
        try:
            evaluate(read(file))
        except credibly.CrediblyError:
            continue


@pytest.mark.daily(value=[None, "x", 1e308, [1, 2]])
@pytest.mark.parametrize(
    "value", [None, [], {}, "x", -1, 1e308, True, [1, 2], {"a": {"b": 1}}, 10**400]
)
def test_odd_values_in_every_place_of_a_log(value, tmp_path):
    one, line, first = graded("q", "C"), sample(0, {"acc": 1.0}), instance("a", 1, True)
    made = [
        ("log.json", {**inspect_log([one]), key: value}) for key in ("eval", "samples", "status")
    ]
    made += [
        ("log.json", inspect_log([one], **{key: value})) for key in ("scorers", "model", "task")
    ]
    made += [
        ("log.json", inspect_log([{**one, key: value}]))
        for key in ("id", "epoch", "scores", "metadata", "error")
    ]
    made += [(f"samples_t_{STAMP}.jsonl", {**line, key: value}) for key in line]
    made += [("x.jsonl", {**first, key: value}) for key in first]
    for name, log in made:
        (tmp_path / name).write_text(json.dumps(log) + "\n")
        try:
            read(tmp_path / name)
        except credibly.CrediblyError:
            continue


def test_rows_that_a_log_counts_and_does_not_hold_are_named(tmp_path):
    few = {**inspect_log([graded("q1", "C"), graded("q2", "I")]), "results": {"total_samples": 5}}
    (tmp_path / "few.json").write_text(json.dumps(few))
    (said,) = [f for f in read(tmp_path / "few.json").findings if f.code == "log-unfinished"]
    assert "announces 5 rows and holds 2" in said.message
    folder = lm_eval(tmp_path / "few")
    about = {"model_name": "m", "n-samples": {"sums": {"original": 9, "effective": 6}}}
    (folder / f"results_{STAMP}.json").write_text(json.dumps(about))
    assert "log-unfinished" in codes(read(folder))
    about["n-samples"]["sums"]["effective"] = 4  # as with --limit
    (folder / f"results_{STAMP}.json").write_text(json.dumps(about))
    assert "log-unfinished" not in codes(read(folder))
    (folder / f"results_{STAMP}.json").write_text(json.dumps(about)[:-9])
    with pytest.raises(DataError, match="ends in the middle"):
        read(folder)


def test_logs_without_samples_and_empty_ones_are_refused(tmp_path):
    (tmp_path / "bare.json").write_text(json.dumps(inspect_log(None)))
    with pytest.raises(DataError, match="holds no samples"):
        read(tmp_path / "bare.json")
    folder = lm_eval(tmp_path / "a")
    (folder / f"samples_reading_{STAMP}.jsonl").write_text("")
    with pytest.raises(DataError, match=f"samples_reading_{STAMP}.jsonl is empty"):
        read(folder)
    only = tmp_path / "only"
    only.mkdir()
    (only / "samples_x.jsonl").write_text("")
    assert main(["evaluate", str(only)]) == 1


def test_lines_of_another_task_in_a_file_are_named(tmp_path):
    file = tmp_path / f"samples_sums_{STAMP}.jsonl"
    file.write_text(lines(sample(0, {"acc": 1.0}), sample(1, {"acc": 0.0}), sample(2, {"f1": 0.5})))
    (said,) = [f for f in read(file).findings if f.code == "other-scores"]
    assert "1 of 3 rows has no acc, which is the outcome, but f1" in said.message
    assert "other-scores" not in codes(read(lm_eval(tmp_path / "a")))


def test_cases_of_the_same_name_in_other_tasks_are_named(tmp_path):
    samples = [graded(f"{i}", "CI"[i % 2], metadata={"passage": f"p{i // 2}"}) for i in range(12)]
    for task in ("reading", "sums"):
        (tmp_path / f"{task}.json").write_text(json.dumps(inspect_log(samples, task=task)))
    models = {task: read(tmp_path / f"{task}.json") for task in ("reading", "sums")}
    assert "other-tasks" in codes(compare(models))
    assert "other-tasks" in codes(credibly.gate(models, margin=0.1))
    assert "other-tasks" not in codes(compare({"a": models["sums"], "b": models["sums"]}))


def test_checks_tell_what_logs_came_with(tmp_path, capsys):
    file = tmp_path / "failed.json"
    file.write_text(json.dumps(inspect_log([graded("q1", "C"), graded("q2", "I")], "error")))
    found = credibly.check(read(file))
    assert found.findings()[0].code == "log-unfinished"
    assert "The predictions came with 1 problem" in found.heading()
    assert found.to_dict()["came_with"][0]["code"] == "log-unfinished"
    for output in ([], ["--all"], ["--markdown"], ["--json"]):
        assert main(["check", str(file), "--fail-on", "problem", *output]) == 3
        assert "did not end well" in capsys.readouterr().out
    said = [f["code"] for f in json.loads(credibly.report(read(file)).json())["findings"]]
    assert said.count("log-unfinished") == 1


def test_scores_of_a_log_are_no_slices(tmp_path):
    file = tmp_path / f"samples_sums_{STAMP}.jsonl"
    scored = [
        sample(i, {"acc": float(i % 2), "f1": i % 3 / 2}, level="ab"[i // 40]) for i in range(80)
    ]
    file.write_text(lines(*scored))
    p = read(file)
    assert {"acc", "f1"} <= {*p.columns}
    assert not {"acc", "f1"} & {*p.columns.free}
    found = credibly.slices(p, search=True, rng=1)
    assert "doc.level" in str(found.all)
    assert "acc=" not in str(found.all)
