"""Whole jobs without a line of code: from a file to a saved report.

What people do in them with a browser (choose and save files, click, type, pick from lists, move the slider)
stands in the first two, which run in both; the others differ in what the server is asked.
"""

import numpy as np
import pytest

import credibly
from app.conftest import as_called
from app.desk import LONG
from credibly.io import bundled, read
from every.kinds_of_tables import TABLES

in_both = pytest.mark.parametrize("engine", ["chromium", "firefox"])
in_chromium = pytest.mark.parametrize("engine", ["chromium"])


def write(path, header, rows, sep=","):
    lines = [sep.join(header), *(sep.join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def clinical(path, n=240):
    """Two risks in percent with decimal commas, some missing, of patients seen several times."""
    rng = np.random.default_rng(4)
    died = rng.random(n) < 0.3
    risk = [1 / (1 + np.exp(-(died * a - 1 + rng.normal(0, 1, n)))) for a in (1.2, 2)]
    cells = [[f"{100 * x:.1f}".replace(".", ",") for x in each] for each in risk]
    for i in (5, 77):
        cells[1][i] = ""
    rows = zip(
        np.arange(n) // 2, np.where(died, "died", "lived"), *cells, rng.choice(["f", "m"], n),
        strict=True,
    )  # fmt: skip
    return write(path, ["patient", "outcome", "old", "new", "sex"], rows, ";")


def ten_classes(path, n=400):
    rng = np.random.default_rng(8)
    truth = rng.integers(0, 10, n)
    models = [
        np.where(rng.random(n) < a, truth, rng.integers(0, 10, n))
        for a in (0.5, 0.6, 0.7, 0.8, 0.85)
    ]
    rows = zip([f"c{t}" for t in truth], *([f"c{m}" for m in each] for each in models), strict=True)
    return write(path, ["truth", "m1", "m2", "m3", "m4", "m5"], rows)


@pytest.mark.daily(engine=["chromium"])
@in_both
def test_a_clinical_file_with_groups_and_missing_scores(desk, tmp_path):
    path = clinical(tmp_path / "ward.csv")
    desk.open(path)
    assert "Not yet" in desk.text("h1")
    desk.role("patient", "group")
    for column in ("old", "new"):
        desk.role(column, "probability")
    desk.tick("percent")
    desk.positive("died")
    desk.tick("complete")
    heading = desk.text("h1")
    assert "predicted by 2 models" in heading
    desk.use()
    p = read(
        path, truth="outcome", models=["old", "new"], group="patient", positive="died",
        percent=True, complete=True,
    )  # fmt: skip
    assert p.n == 2 * 238
    for name, n in zip(p.classes, np.bincount(p.truth) // 2, strict=True):
        assert (
            f"{name}: {n}" in heading
        )  # of the cases that are judged, not of the rows of the file
    told = desk.asked("evaluate", measures=["auc"])
    assert told["estimates"] == as_called(credibly.evaluate(p, ["auc"]))["estimates"]
    desk.to("measures")
    desk.pick("#screen-measures select", "sex")
    desk.settle()
    desk.click('#chips [data-model="new"]')
    desk.settle()
    desk.type("#screen-measures input", "auc")
    desk.settle()
    sliced = credibly.evaluate(p, ["auc"], by=["model", "sex"])
    value = next(e.value for e in sliced.estimates if e.keys == {"model": "new", "sex": "f"})
    rows = "[...document.querySelectorAll('#screen-measures .whisker-row')].map((r) => r.innerText)"
    row = next(text.split() for text in desk.run(f"{rows}.join('|')").split("|") if text[0] == "f")
    decimals = len(row[1].partition(".")[2])  # those that the interval leaves worth saying
    assert decimals > 1
    assert row[1] == f"{value:.{decimals}f}"
    gap = credibly.slices(p, ["auc"], by=["sex"], rng=1).gaps
    gap = next(each for each in gap if each.model == "new")
    assert f"{gap.difference:.3f}"[:4] in desk.text("#screen-measures").partition("Widest gap")[2]
    desk.to("errors")
    assert "sex" in desk.text("table.rows thead")
    desk.is_accessible()
    page = desk.report(tmp_path / "ward.html")
    assert "died" in page
    assert "Evaluation of ward.csv" in page


@pytest.mark.thorough
@in_both
def test_a_marketing_file_with_costs(desk, tmp_path):
    path = credibly.save(read(bundled("campaign")), tmp_path / "mailing.csv")
    desk.open(path)
    desk.to("threshold")
    desk.sees("#ask-costs")
    assert not desk.run("document.querySelector('#profit').checkVisibility()")
    desk.pick("[aria-label='yes, selected: costs or brings']", "-1")
    for cell, amount in (("yes, selected", "15"), ("no, selected", "0.80"), ("yes, left", "0")):
        desk.type(f"[aria-label='{cell}: amount']", amount)
    desk.settle()
    desk.click("#maximise")
    desk.settle()
    assert "4,560.60" in desk.text("#place-sentence")
    page = desk.report(tmp_path / "mailing.html")
    told = credibly.report(
        read(bundled("campaign")), costs={"tp": -15, "fp": 0.8, "fn": 0, "tn": 0}
    )
    assert told.document.headline.split(".")[0] in page
    assert "What it costs" in page


@pytest.mark.thorough
@in_both
def test_a_regression(desk, tmp_path):
    rng = np.random.default_rng(6)
    y = rng.normal(50, 10, 150)
    rows = [
        (f"{t:.3f}", f"{t + e:.3f}", k)
        for t, e, k in zip(y, rng.normal(0, 3, 150), "ab" * 75, strict=True)
    ]
    path = write(tmp_path / "prices.csv", ["price", "guess", "town"], rows)
    desk.open(path)
    desk.role("price", "truth")
    desk.role("guess", "value")
    desk.use()
    p = read(path, truth="price", value="guess")
    assert desk.asked("report")["headline"] == credibly.report(p).document.headline
    for screen in ("threshold", "curves", "calibration"):
        desk.to(screen)
        assert desk.text(f"#screen-{screen} .notice")
    desk.to("errors")
    worst = int(np.argmax(np.abs(p.value - p.truth)))
    assert desk.text("table.rows thead").split()[-2:] == ["predicted", "town"]
    assert desk.text("table.rows tbody tr").split()[0] == str(worst)
    assert "prices.csv" in desk.report(tmp_path / "prices.html")


@pytest.mark.thorough
@in_both
def test_five_models_of_ten_classes(desk, tmp_path):
    path = ten_classes(tmp_path / "digits.csv")
    desk.open(path)
    guessed = [desk.run(f"document.querySelector('[data-column=m{i}]').value") for i in range(1, 6)]
    assert guessed == ["label"] * 5
    desk.use()
    p = read(path, truth="truth", models=[f"m{i}" for i in range(1, 6)])
    assert desk.asked("report")["headline"] == credibly.report(p).document.headline
    assert desk.to("compare") == "m1 is worse than m2, m3, m4 and m5 by accuracy."
    pairs = credibly.compare(p, measure="accuracy")
    assert desk.count("#screen-compare table") >= 2
    told = desk.asked("compare", measure="accuracy")
    assert {f["code"] for f in told["findings"]} == {"guessed-columns"}  # by name and by values
    assert {**told, "findings": []} == as_called(pairs)
    assert "undefined" not in desk.text("#screen-compare")
    desk.to("errors")
    assert desk.count("input[name=wrong-in]") == 6
    desk.pick("#class", "c3")
    desk.settle()
    desk.to("measures")
    assert "Recall" in desk.text("#screen-measures")
    assert "digits.csv" in desk.report(tmp_path / "digits.html")


@pytest.mark.thorough
@in_both
def test_iris_from_data_to_a_comparison_of_schemes(desk, tmp_path):
    desk.click("#screen-home .doors a[href*=schemes]")
    try_schemes(desk, "naive-bayes", "tree")
    desk.type("#screen-schemes form input", "knn(k=5)")
    desk.sees("#screen-schemes .big", LONG)
    assert "30 fits, folds(k=10)" in desk.text("#screen-schemes")
    desk.click("#run")
    desk.sees("#results", LONG)
    assert "30 of 30 fits, none failed" in desk.text("#screen-schemes [role=status]")
    desk.click("#results")
    desk.sees("#screen-overview h1", LONG)
    asked = desk.asked("evaluate", measures=["accuracy"])["estimates"]
    experiment = credibly.Experiment(
        ["naive-bayes", "tree", "knn(k=5)"], ["iris"], resampling="10", rng=1
    )
    store = experiment.run(tmp_path / "same", n_jobs=1)
    python = credibly.evaluate(store.predictions("iris"), ["accuracy"]).estimates
    assert [e["value"] for e in asked] == [pytest.approx(e.value) for e in python]
    assert "knn(k=5)" in desk.text("body")
    desk.to("compare")
    text = desk.report(tmp_path / "report.html")
    assert "knn(k=5)" in text
    assert "Is one really better" in text


@pytest.mark.thorough
@in_chromium
def test_logs_of_two_models_to_a_verdict(desk, tmp_path):
    """Outcomes by task: who is better over all tasks, and whether the new one may replace the old."""
    rng = np.random.default_rng(5)
    rows = [
        (f"{task}-{i}", task, model, int(rng.random() < share))
        for model, share in (("new", 0.8), ("old", 0.6))
        for task in ("sums", "proofs", "facts")
        for i in range(60)
    ]
    path = write(tmp_path / "evals.csv", ["case", "task", "model", "passed"], rows)
    desk.open(path)
    if desk.count("#use"):
        desk.use()
    p = read(path, outcome="passed", row="case", model="model")
    found = credibly.benchmarks(p, by="task", rng=1)
    assert found.standings[0].model in desk.to("tasks")
    for gap in found.tasks:
        assert f"{abs(gap.difference):.2f}" in desk.text("#screen-tasks")
    desk.to("gate")
    desk.type("#screen-gate input[placeholder='such as 0.02']", "0.05")
    desk.settle()
    verdict = credibly.gate({m: p.where(model=m) for m in ("new", "old")}, margin=0.05)
    assert verdict.verdict == "pass"
    assert desk.text("#screen-gate h1") == "new may replace old."
    assert desk.text("#screen-gate .lead").lower().startswith("pass: ")
    desk.click("#screen-gate .card button")
    desk.sees("#screen-gate pre")
    assert verdict.sentence.split(",")[0] in desk.text("#screen-gate pre")
    desk.is_accessible()


@pytest.mark.thorough
@in_chromium
def test_few_labels_and_a_judge(desk, tmp_path):
    rng = np.random.default_rng(1)
    good = rng.random(200) < 0.6
    says = np.clip(0.6 * good + 0.2 + rng.normal(0, 0.15, 200), 0, 1)
    rows = [(int(g) if i < 60 else "", f"{s:.3f}") for i, (g, s) in enumerate(zip(good, says, strict=True))]  # fmt: skip
    path = write(tmp_path / "judged.csv", ["truth", "judge"], rows)
    desk.open(path)
    desk.use()
    best = credibly.few_labels(read(path, truth="truth", probability="judge")).estimates[0]
    assert f"{best.value:.3f}" in desk.to("few_labels")
    desk.is_accessible()


def try_schemes(desk, *names):
    """Open iris, choose schemes and wait until they can be run."""
    desk.run("location.hash = '#screen=schemes'")
    desk.sees("#screen-schemes h1")
    desk.pick("#screen-schemes select", "iris")
    desk.sees("#run")
    for name in ("zero-r", "naive-bayes", "tree"):
        box = f"#screen-schemes input[value='{name}']"
        if (name in names) != desk.run(f"document.querySelector({box!r}).checked"):
            desk.click(box)
            desk.settle()


@pytest.mark.thorough
@in_chromium
def test_several_labels_per_case(desk, tmp_path):
    """What the kind declares decides the roles, the scores and what else is shown: the page knows none by name."""
    path = tmp_path / "films.csv"
    TABLES["label_sets"]().to_csv(path, index=False)
    desk.open(path)
    assert "several labels per case" in desk.text("#screen-import h1")
    assert desk.run("document.querySelector('[data-column=drama]').value") == "truth"
    desk.role("pred_drama", "")  # one label lacks its prediction now
    assert desk.count("#problem") == 1
    desk.role("pred_comedy", "")
    assert desk.count("#problem") == 0
    desk.use()
    sets = credibly.read_label_sets(path, ["drama", "comedy"], probability=["p_drama", "p_comedy"])
    assert (
        f"subset accuracy of {sets.table('subset_accuracy').estimates[0].value:.3g}"
        in desk.text("#screen-overview h1")
    )
    desk.pick("#score", "hamming_loss")
    desk.settle()
    assert "hamming loss" in desk.text("#screen-overview h1")
    assert desk.to("measures").startswith("Hamming loss is")
    desk.to("details")
    assert desk.text("#screen-details .card h2") == "Over all labels"
    assert "label_name" in desk.text("#screen-details")
    saved = desk.report(tmp_path / "report.html")
    assert "In detail" in saved
    assert "Subset accuracy" in saved
    desk.is_accessible()
