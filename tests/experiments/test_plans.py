"""Plans: the same in Python and as TOML, with errors that point to the line."""

import re

import numpy as np
import pytest

from credibly import DataError, Experiment, ParameterError
from credibly.experiments.plan.design import design
from credibly.experiments.plan.plan import FitLimits, Plan, bytes_of
from credibly.experiments.plan.toml_file import read_plan

GOOD = """\
rng = 3
resampling = "2x5"
measures = ["error_rate", "fbeta(beta=2)"]
sizes = [0.5, 1.0]
datasets = ["iris", {data = "*.csv", target = "y"}]

[limits]
seconds = 60
memory = "2 GB"

[[schemes]]
scheme = "zero-r"

[[schemes]]
scheme = "knn"
grid = {k = [1, 5]}

[[schemes]]
name = "chosen"
scheme = "tree"
tune = {max_depth = [1, 3]}
inner = "3"
"""

LIMITS = """\
[limits]
seconds = 60
memory = "2 GB"
"""


@pytest.fixture
def plan(tmp_path):
    for name in ("b.csv", "a.csv"):
        (tmp_path / name).write_text("x,y\n" + "1,no\n2,yes\n" * 10)
    path = tmp_path / "plan.toml"
    path.write_text(GOOD)
    return path


def broken(plan, old, new):
    assert old in GOOD
    text = GOOD.replace(old, new)
    plan.write_text(text.replace(LIMITS, "") if "limits = " in new else text)
    with pytest.raises(ParameterError) as caught:
        read_plan(plan)
    return str(caught.value)


def test_everything_is_read(plan):
    found = read_plan(plan)
    assert [s.name for s in found.schemes] == ["zero-r", "knn(k=1)", "knn(k=5)", "chosen"]
    assert [s.name for s in found.sources] == ["iris", "a", "b"]
    assert found.limits == FitLimits(60, 2_000_000_000)
    assert (found.seed, found.sizes) == (3, (0.5, 1.0))
    assert found.measures == ("error_rate", "fbeta(beta=2)")
    assert found.schemes[3].estimator.inner == "3"


def test_names_of_other_programs_are_read(plan):
    text = plan.read_text()
    for ours, theirs in (
        ('"error_rate"', '"hamming_loss"'), ('"fbeta(beta=2)"', '"f1_macro"'), ('"zero-r"', '"ZeroR"'),
        ('"2x5"', '"LOOCV"'),
    ):  # fmt: skip
        assert ours in text
        text = text.replace(ours, theirs)
    plan.write_text(text)
    found = read_plan(plan)
    assert found.measures == ("error_rate", "fbeta(average='macro')")
    assert found.schemes[0].name == "zero-r"
    assert found.resampling.name == "leave_one_out"
    assert type(found).from_dict(found.to_dict()).measures == found.measures


def test_a_kept_plan_is_read_again(plan):
    found = read_plan(plan)
    again = type(found).from_dict(found.to_dict())
    assert [s.name for s in again.schemes] == [s.name for s in found.schemes]
    assert [s.where for s in again.sources] == [s.where for s in found.sources]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"zero-r"', '"zero-rr"', 12, "There is no scheme 'zero-rr'. Did you mean zero-r"),
        ('"2x5"', '"2x"', 2, "Cannot read '2x'"),
        ('"error_rate"', '"eror_rate"', 3, "Did you mean error_rate"),
        ('"fbeta(beta=2)"', '"fbeta(beta=-2)"', 3, "beta must be greater than 0"),
        ("rng = 3", "rng = -3", 1, "rng must be a whole number"),
        ("seconds = 60", "seconds = -60", 8, "seconds must be a number above 0"),
        ('"2 GB"', '"2 potatoes"', 9, "memory must be a number of bytes"),
        ("[0.5, 1.0]", "[0.5, -1.0]", 4, "sizes must be shares"),
        ('name = "chosen"', 'name = "zero-r"', 18, "Two schemes are called 'zero-r'"),
        ('name = "chosen"', 'nmae = "chosen"', 19, "A scheme has no 'nmae'. Did you mean name"),
        ('inner = "3"', 'measure = "prevalence"', 22, "prevalence has no better direction"),
        (
            "tune = {max_depth = [1, 3]}\n",
            "",
            21,
            "inner says how tune chooses, but there is no tune",
        ),
        ("k = [1, 5]}", 'k = [1, 5]}\nmeasure = "auc"', 17, "measure says how tune chooses"),
        ("k = [1, 5]", "q = [1, 5]", 16, "knn has no parameter 'q'"),
        ("k = [1, 5]", "k = 5", 16, "grid must give a list"),
        ('["iris", ', '["iris", "iris", ', 5, "Two datasets are called 'iris'"),
        ('"y"}', "5}", 5, "target must be a text; got 5."),
        ('"y"}', '"y", missing = 3}', 5, "missing must be a list of texts; got 3."),
        ('"y"}', '"y", ignore = "a"}', 5, "ignore must be a list of texts; got 'a'."),
        ('"y"}', '"y", ignore = ["a", 1]}', 5, "ignore must be a list of texts; got ['a', 1]."),
        ('"y"}', '"y", positive = ["a"]}', 5, "positive must be a text, a number or a boolean"),
        ('"y"}', '"y", task = "regression"}', 5, "task must be 'classification' or 'numeric'"),
        ('name = "chosen"', "name = 3", 19, "name must be a text; got 3."),
        ("grid = {k = [1, 5]}", "grid = 5", 16, "grid must be a table"),
        ('["error_rate", "fbeta(beta=2)"]', "5", 3, "measures must be a text or a list of texts"),
        ("sizes = [0.5, 1.0]", "limits = 5", 4, "limits must be a table"),
        ("[limits]", "[limit]", 7, "A plan has no 'limit'. Did you mean limits"),
    ],
)
def test_an_error_names_its_line(plan, old, new, line, said):
    found = broken(plan, old, new)
    assert f"plan.toml, line {line}: " in found
    assert said in found


def test_a_target_with_gaps_is_named(plan):
    (plan.parent / "a.csv").write_text("x,y\n" + "1,no\n2,yes\n3,\n" * 5)
    made = design(read_plan(plan), plan.parent)
    (error,) = [note.error for note in made.datasets if note.error]
    assert "plan.toml, line 5: The target 'y' is missing or infinite in 5 rows" in error


LISTED = """\
rng = 1
schemes = [
  "zero-r",  # "knn", a comment ]
  {scheme = "tree", name = "a, ] b", grid = {max_depth = [1]}},
  {scheme = "knn", tune = {k = [1,
                                3]}, inner = "3", measure = "error_rate"},
]
datasets = ['iris', "wine",
            {data = "diabetes"}]
"""


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("zero-r", "zero-rr", 3),
        ('"tree"', '"treee"', 4),
        ("max_depth", "max_dept", 4),
        ("{k = ", "{q = ", 5),
        ('inner = "3"', 'inner = "x"', 6),
        ('"error_rate"', '"eror_rate"', 6),
    ],
)
def test_an_error_in_a_list_of_many_lines_names_its_own(plan, old, new, line):
    plan.write_text(LISTED)
    read_plan(plan)
    plan.write_text(LISTED.replace(old, new))
    with pytest.raises(ParameterError, match=rf"plan.toml, line {line}: "):
        read_plan(plan)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("'iris'", "'irs'", r"line 8: .*'irs'.* Did you mean iris"),
        ("diabetes", "nothing.csv", "line 9: There is no file .*nothing.csv"),
    ],
)
def test_a_missing_file_of_several_is_found_with_its_line(plan, old, new, said):
    plan.write_text(LISTED.replace(old, new))
    errors = [n.error for n in design(read_plan(plan), plan.parent).datasets if n.error]
    assert len(errors) == 1
    assert re.search(said, errors[0])


def test_a_missing_file_is_an_error_before_anything_is_done(plan, tmp_path):
    """An earlier run may have kept its data; without one, a misspelt name must not cost a night."""
    plan.write_text(LISTED.replace("'iris'", "'irs'"))
    made = Experiment.of(read_plan(plan))
    for start in (made.run, made.forecast):
        with pytest.raises(ParameterError, match=r"plan.toml, line 8: .*'irs'.* Did you mean iris"):
            start(tmp_path / "new", n_jobs=1)
    assert not (tmp_path / "new").exists()


def test_an_error_in_a_table_of_names_has_its_line(plan):
    table = '[schemes]\na = "zero-r"\nb = {scheme = "tree", grid = 5}'
    plan.write_text(f'rng = 1\ndatasets = "iris"\n{table}')
    with pytest.raises(ParameterError, match=r"plan.toml, line 5: "):
        read_plan(plan)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", r"Which column .* Name it with target = \"...\"\. Its columns: x and y"),
        ('target = "z"', "There is no column 'z' for target in .*. Its columns: x, y"),
        ('target = "y"\npositive = "maybe"', "The positive class 'maybe' is not one of"),
    ],
)
def test_data_that_cannot_be_what_the_plan_says_are_named_with_their_line(plan, asked, said):
    old = 'datasets = ["iris", {data = "*.csv", target = "y"}]\n'
    table = f'[[datasets]]\ndata = "iris"\n\n[[datasets]]\ndata = "a.csv"\n{asked}\n\n[limits]'
    plan.write_text(GOOD.replace(old, "").replace("[limits]", table))
    made = design(read_plan(plan), plan.parent)
    (error,) = [note.error for note in made.datasets if note.error]
    assert re.fullmatch(f".*plan.toml, line 10: {said}.*", error)


MIXED = """\
rng = 1
resampling = "3"
schemes = ["zero-r"]
datasets = ["iris", "diabetes"]
measures = ["error_rate",
            "rmse"]
"""


def test_a_measure_that_applies_to_no_dataset_is_refused_with_its_line(plan):
    plan.write_text(MIXED.replace('"diabetes"', '"wine"'))
    said = "plan.toml, line 6: rmse does not apply to any of the datasets: it needs numeric predictions for iris, wine."
    with pytest.raises(ParameterError, match=re.escape(said)):
        Experiment.read(plan).forecast(n_jobs=1)
    with pytest.raises(
        ParameterError, match=r"total_cost does not apply to any .* it needs costs for iris"
    ):
        Experiment("zero-r", ["iris"], measures="total_cost", rng=1).forecast(n_jobs=1)


def test_a_measure_that_applies_to_some_datasets_is_a_finding(plan, tmp_path):
    plan.write_text(MIXED)
    experiment = Experiment.read(plan)
    want = [
        "error_rate does not apply everywhere: it needs classification predictions for diabetes. It has no values there.",
        "rmse does not apply everywhere: it needs numeric predictions for iris. It has no values there.",
    ]
    store = experiment.run(tmp_path / "kept", n_jobs=1, progress=False)
    for told in (experiment.forecast(n_jobs=1), store.results()):
        assert [f.message for f in told.findings if f.code == "measure-does-not-apply"] == want


CHOOSING = """\
rng = 1
resampling = "3"
datasets = ["iris"]

[schemes]
plain = "zero-r"
chosen = {scheme = "knn", tune = {k = [1, 3]}, inner = "2", measure = "rmse"}
"""


def test_what_no_dataset_lets_a_scheme_choose_by_is_refused_with_its_line(plan):
    plan.write_text(CHOOSING)
    said = (
        "plan.toml, line 7: rmse, which 'chosen' uses to choose, does not apply to any of the datasets: "
        "it needs numeric predictions for iris. Let it choose by another measure."
    )
    with pytest.raises(ParameterError, match=re.escape(said)):
        Experiment.read(plan).forecast(n_jobs=1)


def test_what_some_datasets_let_a_scheme_choose_by_is_a_finding(plan, tmp_path):
    plan.write_text(CHOOSING.replace('["iris"]', '["iris", "diabetes"]'))
    store = Experiment.read(plan).run(tmp_path / "kept", n_jobs=1, progress=False)
    said = store.results().findings
    (finding,) = [f for f in said if f.code == "measure-does-not-apply"]
    assert finding.message == (
        "rmse, which 'chosen' uses to choose, does not apply everywhere: "
        "it needs numeric predictions for iris. Its fits fail there."
    )
    chosen = store.results().where(scheme="chosen")
    assert set(chosen.where(dataset="iris").status) == {"error"}
    assert set(chosen.where(dataset="diabetes").status) == {"done"}


def test_what_a_scheme_chooses_by_knows_no_costs_of_the_plan():
    data = {"data": "iris", "costs": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}
    tuned = {"scheme": "knn", "tune": {"k": [1, 3]}, "measure": "total_cost"}
    made = Experiment([tuned], [data], measures="total_cost", rng=1)
    with pytest.raises(
        ParameterError, match=r"'knn, tuned' uses to choose, .* it needs costs for iris"
    ):
        made.forecast(n_jobs=1)


def test_a_forecast_says_that_workers_take_time_to_start():
    made = Experiment("zero-r", ["iris"], resampling="3", rng=1)
    assert made.forecast(n_jobs=2).heading().endswith("with 2 processes, plus a few seconds to start them")  # fmt: skip
    assert made.forecast(n_jobs=1).heading().endswith("with 1 process")


@pytest.mark.parametrize("measure", ["auc", "f1", "brier", "rrse", "information_score"])
def test_measures_that_schemes_can_provide_for_are_not_refused(measure):
    made = Experiment("zero-r", ["wine", "diabetes"], measures=measure, resampling="3", rng=1)
    assert len(made.forecast(n_jobs=1).findings) == 1  # of the other task


def test_a_file_that_is_gone_stops_no_other(plan):
    """Not in a plan that is read, nor in one that is resumed; the others go on."""
    kept = read_plan(plan).to_dict()
    kept["given"]["datasets"] = ["iris", "gone.csv", {"data": "iris", "name": "b", "costs": "c"}]
    text = re.sub(
        "(?m)^datasets .*",
        'datasets = ["iris", "gone.csv", {data = "iris", name = "b", costs = "c"}]',
        plan.read_text(),
    )
    plan.write_text(text)
    for lacking in (Plan.from_dict(kept), read_plan(plan)):
        made = design(lacking, plan.parent)
        assert {c.dataset for c in made.cells} == {"iris"}
        _, gone, costs = made.datasets
        assert "gone.csv" in gone.error
        assert costs.error
    assert gone.error.startswith(f"{plan}, line 5: ")


@pytest.mark.parametrize(
    ("datasets", "message"),
    [
        ('["*.arff"]', "No file matches '*.arff' in the folder '"),
        ('["c.csv", "d.csv"]', "There is no file 'c.csv' in the folder '"),
        ('[{data = "iris", costs = "c.csv"}]', "There is no file 'c.csv' in the folder '"),
    ],
)
def test_a_plan_without_any_of_its_files_is_refused(plan, datasets, message):
    (whole,) = re.findall("(?m)^datasets = (.*)", plan.read_text())
    said = broken(plan, whole, datasets)
    assert "line 5" in said
    assert message in said


def test_a_plan_needs_schemes_and_datasets(plan):
    plan.write_text("rng = 1\ndatasets = ['iris']")
    with pytest.raises(ParameterError, match="A plan needs schemes"):
        read_plan(plan)


def test_a_plan_needs_a_seed(plan):
    assert broken(plan, "rng = 3", "").endswith(
        "plan.toml: A plan needs rng, such as rng = 1: nothing is random without it."
    )


def test_a_seed_that_is_missing_hides_no_other_error(plan):
    assert "seconds must be a number" in broken(
        plan, GOOD, "seconds = -1".join(GOOD.replace("rng = 3", "").split("seconds = 60"))
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"rng = = 1", "is not a TOML file: .*line 1"),
        (b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_an_unreadable_plan(plan, content, said):
    plan.write_bytes(content)
    with pytest.raises(DataError, match=said):
        read_plan(plan)


def test_a_plan_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match="cannot be read: No such file"):
        read_plan(tmp_path / "none.toml")


class TestPython:
    def test_grids_and_objects(self):
        from sklearn.naive_bayes import GaussianNB

        made = Experiment(
            {"nb": GaussianNB(), "near": {"scheme": "knn", "grid": {"k": [1, 3]}}},
            {"numbers": (np.ones((4, 1)), [0, 1, 0, 1])},
            rng=1,
        )
        assert [s.name for s in made.plan.schemes] == ["nb", "near(k=1)", "near(k=3)"]
        assert made.plan.sources[0].name == "numbers"
        assert made.plan.to_dict()["complete"] is False

    def test_a_tuned_scheme_has_the_name_that_was_given(self):
        tuned = {"scheme": "knn", "tune": {"k": [1, 3]}}
        for given in ({"mine": tuned}, [{"name": "mine", **tuned}]):
            assert [s.name for s in Experiment(given, ["iris"], rng=1).plan.schemes] == ["mine"]
        (unnamed,) = Experiment([tuned], ["iris"], rng=1).plan.schemes
        assert unnamed.name == "knn, tuned"

    def test_objects_cannot_be_planned_again_from_a_folder(self):
        from sklearn.naive_bayes import GaussianNB

        made = Experiment(GaussianNB(), ["iris"], rng=1)
        with pytest.raises(ParameterError, match="planned in Python"):
            type(made.plan).from_dict(made.plan.to_dict())

    def test_arrays_need_a_name(self):
        with pytest.raises(ParameterError, match="Give arrays and frames a name"):
            Experiment("zero-r", [(np.ones((4, 1)), [0, 1, 0, 1])], rng=1)

    def test_a_grid_and_tuning_are_two_things(self):
        both = {"scheme": "knn", "grid": {"k": [1]}, "tune": {"k": [1]}}
        with pytest.raises(ParameterError, match="give only one of them"):
            Experiment([both], ["iris"], rng=1)


@pytest.mark.parametrize(("text", "found"), [("1 GiB", 2**30), ("500MB", 5 * 10**8), (10, 10)])
def test_amounts_of_memory(text, found):
    assert bytes_of(text) == found
