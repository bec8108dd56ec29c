"""Sizes of training parts that some datasets cannot give: what can be done goes on, the rest is named."""

import numpy as np
import pytest

from credibly import DataError, Experiment, ParameterError
from credibly.cli import main
from credibly.experiments.store.removal import collect

TOO_LARGE = (
    "Sizes that do not fit iris: 200. A size, whether a number of rows or a share such as 0.5, "
    "must give from 1 to 100 rows there."
)
PLAN = """\
rng = 1
resampling = "3"
measures = "error_rate"
schemes = "zero-r"
sizes = {sizes}
datasets = {datasets}
"""


def experiment(sizes, datasets=("iris", "breast-cancer")):
    options = {"resampling": "3", "measures": "error_rate", "rng": 1}
    return Experiment("zero-r", list(datasets), sizes=sizes, **options)


def sizes_done(results):
    return {d: set(results.where(dataset=d).size) for d in results.datasets}


@pytest.fixture
def command(tmp_path, capsys):
    """Return a function that runs a plan, and what it printed as a program and as a complaint."""

    def call(sizes, datasets, *options):
        path = tmp_path / "plan.toml"
        path.write_text(PLAN.format(sizes=sizes, datasets=datasets))
        code = main(["experiment", str(path), "--jobs", "1", *options])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_sizes_that_do_not_fit_a_dataset_are_left_out_there_and_named(tmp_path):
    made = experiment([50, 200])
    forecast = made.forecast(n_jobs=1)
    store = made.run(tmp_path / "kept", n_jobs=1, progress=False)
    results = store.results()
    assert sizes_done(results) == {"iris": {50}, "breast-cancer": {50, 200}}
    assert set(results.status) == {"done"}
    assert forecast.fits == results.n == 9
    for said in (forecast.findings, results.findings, store.standing().findings):
        assert [f.message for f in said if f.code == "size-does-not-fit"] == [TOO_LARGE]


def test_a_dataset_that_no_size_fits_stops_no_other(tmp_path):
    made = experiment([200])
    forecast = made.forecast(n_jobs=1)
    store = made.run(tmp_path / "kept", n_jobs=1, progress=False)
    assert sizes_done(store.results()) == {"breast-cancer": {200}}
    assert forecast.fits == 3
    for said in (forecast.findings, store.results().findings, store.standing().findings):
        (finding,) = [f for f in said if f.code == "no-size-fits"]
        assert finding.severity == "problem"
        assert finding.message == TOO_LARGE
    with pytest.raises(DataError, match="No fit of any scheme on iris"):
        store.predictions("iris")


def test_a_store_with_results_takes_a_plan_with_sizes_that_do_not_fit(tmp_path):
    experiment(1.0).run(tmp_path, n_jobs=1, progress=False)
    store = experiment([1.0, 200]).run(tmp_path, n_jobs=1, progress=False)
    assert sizes_done(store.results()) == {"iris": {1.0}, "breast-cancer": {1.0, 200}}
    experiment(200).run(tmp_path, n_jobs=1, progress=False)
    assert collect(tmp_path).removed == 6  # the whole training parts, which no plan asks for now


@pytest.mark.parametrize("size", [1000, 0.001])
def test_a_size_that_fits_no_dataset_is_refused_with_the_reason(size, tmp_path):
    made = experiment([size], ["iris"])
    said = rf"None of the datasets can be used. Sizes that do not fit iris: {size}. .* 1 to 100 rows there\."
    for call in (lambda: made.forecast(n_jobs=1), lambda: made.run(tmp_path, n_jobs=1)):
        with pytest.raises(DataError, match=said):
            call()


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([], "sizes is empty: leave it out for whole training parts"),
        (
            "half",
            "sizes must be shares of the training part up to 1.0, or numbers of rows; got 'half'",
        ),
        (True, "got True"),
        ({"a": 1}, "got {'a': 1}"),
        ([float("nan")], "got nan"),
    ],
)
def test_what_is_no_size_is_refused(sizes, said):
    with pytest.raises(ParameterError, match=said):
        experiment(sizes)


@pytest.mark.parametrize(
    ("given", "sizes"),
    [
        (0.5, (0.5,)),
        (50, (50.0,)),
        (np.array([10, 20]), (10.0, 20.0)),
        (range(10, 30, 10), (10.0, 20.0)),
    ],
)
def test_one_size_or_any_sequence_of_them(given, sizes):
    plan = experiment(given).plan
    assert plan.sizes == sizes
    assert type(plan).from_dict(plan.to_dict()).sizes == sizes


def test_the_command_line_names_what_it_leaves_out_and_goes_on(command):
    datasets = '["iris", "breast-cancer"]'
    for options in (["--dry-run"], []):
        code, out, err = command("[50, 200]", datasets, *options)
        assert (code, err) == (0, "")
        assert TOO_LARGE in " ".join(out.split())
    assert "9 of 9 cells are done" in out


@pytest.mark.parametrize("options", [["--dry-run"], []])
def test_the_command_line_says_why_nothing_can_be_done(command, options):
    code, out, err = command(1000, '["iris"]', *options)
    assert (code, out) == (1, "")
    assert "plan.toml, line 5: Sizes that do not fit iris: 1000." in err
    code, _, err = command("[]", '["iris"]', *options)
    assert code == 2
    assert "plan.toml, line 5: sizes is empty" in err
