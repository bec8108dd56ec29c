"""The calls behind Try schemes and Experiments: data, schemes, runs, and the results of experiments."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any

from credibly.app.data_files import DataFile, described_file, described_set
from credibly.app.declared_calls import BINARY_TYPE, Answer, call
from credibly.app.jobs import doing
from credibly.app.runs import forecast as forecast_of, made_by, plan_of
from credibly.app.session import Session, plain_label
from credibly.app.upload_folder import discard_upload
from credibly.app.uploads import work_apart
from credibly.io.datasets import datasets
from credibly.results.formats import json_ready
from credibly.schemes import schemes as registry

if TYPE_CHECKING:
    from credibly.experiments import Results

Acts = Callable[[Session, str, dict[str, Any]], Any]

READ_DATA_VERB = "credibly.io.datasets.read:read_data"
ANALYSE_VERB = "credibly.experiments.analysis.analyse:analyse"
COLUMN_PARAMETERS = "ignore group time"
ANALYSE_PARAMETERS = "measure base test correction leave_out confidence_level"


@call("GET", "/api/schemes")
def listed_schemes(session: Session) -> Any:  # noqa: ARG001
    """List the schemes that can be run by name, and the bundled data."""
    return {
        "schemes": [
            {"name": e.name, "title": e.title, "summary": e.summary, "tasks": list(e.tasks)}
            for e in registry
        ],
        "datasets": [each.name for each in datasets],
    }


@call("POST", "/api/data", upload=True, status=201)
def upload_data(session: Session, file: Path, *, name: str = "upload") -> Any:
    """Open data to learn from: the file in the body, read as tables of predictions are.

    Parameters
    ----------
    name
        What to call the file; its ending tells the format.
    """
    label = plain_label(name)
    with doing(f"Reading {label}"):
        found = work_apart(described_file, file, label, {}, session.limits, session.ended)
    return session.workshop.keep_data(DataFile(label, file, *found)).to_dict()


@call("POST", "/api/data/opened", status=201)
def opened_data(session: Session, *, id: str) -> Any:
    """Take a file that was opened as predictions for data to learn from."""
    kept = session.store[id]
    file = session.place(kept.name)
    copyfile(kept.path, file)
    return upload_data(session, file, name=kept.name)


@call("POST", "/api/data/bundled", status=201)
def bundled_data(session: Session, *, name: str) -> Any:
    """Open data that come with Credibly.

    Parameters
    ----------
    name
        Such as iris; `schemes` lists them.
    """
    return session.workshop.keep_data(described_set(name)).to_dict()


@call("GET", "/api/data/{id}", quick=True)
def found_data(session: Session, *, id: str) -> Any:
    """Return what is known of data that are open.

    Parameters
    ----------
    id
        Data by their id.
    """
    return session.workshop.data(id).to_dict()


TRY_PARAMETERS = """

    Parameters
    ----------
    data
        Data by their ids.
    schemes
        Schemes of the registry by name, such as tree(max_depth=3).
    target
        Column to predict.
    positive
        The positive class.
    resampling
        Such as 10, 10x10 or bootstrap.
    rng
        Seed of everything random.
    """


def trial_call(about: str, **declared: Any) -> Callable[[Acts], Acts]:
    """Declare a call that does something with schemes on data: what it is given becomes a name and a plan."""

    def declare(act: Acts) -> Acts:
        def tried(
            session: Session,
            *,
            data: list[str],
            schemes: list[str],
            target: str | None = None,
            positive: str | None = None,
            resampling: str | None = None,
            rng: int = 1,
            **columns: Any,
        ) -> Any:
            found = [session.workshop.data(key) for key in data]
            told = {"target": target, "positive": positive, **columns}
            plan = plan_of(found, schemes, resampling=resampling, rng=rng, **told)
            return act(session, ", ".join(each.name for each in found), plan)

        tried.__name__, tried.__doc__ = act.__name__, about + TRY_PARAMETERS
        call(
            "POST", f"/api/{act.__name__}", verb=READ_DATA_VERB, takes=COLUMN_PARAMETERS, **declared
        )(tried)
        return act

    return declare


@trial_call("Say how long it will take to try schemes on data, from a first fold of each.")
def forecast(session: Session, name: str, plan: dict[str, Any]) -> Any:  # noqa: ARG001
    """Time a first fold of each scheme, and spell the run; nothing is kept."""
    made = made_by(plan)
    python = [
        "import credibly",
        f"store = {made.python}",
        "p = store.predictions(store.results().datasets[0])",
    ]
    return {**forecast_of(plan).to_dict(), "shell": [*made.shell], "python": python}


@trial_call("Try schemes on data in a process that can be stopped and continued.", status=201)
def run(session: Session, name: str, plan: dict[str, Any]) -> Any:
    """Start a run."""
    folder = session.place("run")
    return session.workshop.runs.add(name, folder, plan).to_dict()


@call("GET", "/api/runs", quick=True)
def listed_runs(session: Session) -> Any:
    """List the runs and the results of experiments that are open."""
    shop = session.workshop
    results = [{"id": r.id, "name": r.name} for r in shop.results()]
    return {"runs": [each.to_dict() for each in shop.runs.all()], "results": results}


@call("GET", "/api/runs/{id}", quick=True)
def found_run(session: Session, *, id: str) -> Any:
    """Say how far a run is: fits that are done by scheme, and about how many seconds are left.

    Parameters
    ----------
    id
        A run by its id.
    """
    return session.workshop.runs[id].to_dict()


@call("POST", "/api/runs/stop", quick=True)
def stop_run(session: Session, *, id: str) -> Any:
    """Stop a run; what is done stays.

    Parameters
    ----------
    id
        A run by its id.
    """
    session.workshop.runs[id].stop()
    return session.workshop.runs[id].to_dict()


@call("POST", "/api/runs/resume", quick=True)
def resume_run(session: Session, *, id: str) -> Any:
    """Do what is missing of a run that was stopped.

    Parameters
    ----------
    id
        A run by its id.
    """
    return session.workshop.runs.resume(id).to_dict()


@call("DELETE", "/api/runs/{id}", status=204, quick=True)
def forget_run(session: Session, *, id: str) -> None:
    """Stop a run and remove what it has done.

    Parameters
    ----------
    id
        A run by its id.
    """
    session.workshop.runs.forget(id)


@call("POST", "/api/runs/open", status=201)
def open_run(session: Session, *, id: str, dataset: str | None = None) -> Any:
    """Open the predictions of a run as a set, with whatever is done of it.

    Parameters
    ----------
    id
        A run by its id.
    dataset
        Which dataset, where there are several.
    """
    from credibly.experiments import Store
    from credibly.io import save

    run = session.workshop.runs[id]
    name = dataset or next(iter(run.plan["datasets"]))
    with closing(Store(run.store)) as store:
        p = store.predictions(name)
    path = save(p, session.place("run.parquet"))
    called = f"{name}-run.parquet"
    kept = session.keep_upload(path, called, {}, made_by(run.plan, name, called))
    return kept.to_dict()


def _results(path: Path, _: dict[str, Any]) -> Results:
    from credibly.experiments import read_results

    return read_results(path)


@call("POST", "/api/results", upload=True, status=201)
def upload_results(session: Session, file: Path, *, name: str = "upload") -> Any:
    """Open results of experiments: of Weka's Experimenter (CSV, ARFF), or a table with one row per fit.

    Parameters
    ----------
    name
        What to call the file; its ending tells the format.
    """
    label = plain_label(name)
    try:
        with doing(f"Reading {label}"):
            results = work_apart(_results, file, label, {}, session.limits, session.ended)
    finally:
        discard_upload(file)
    kept = session.workshop.keep_results(label, results)
    return {"id": kept.id, "name": kept.name}


@call("POST", "/api/analyse", verb=ANALYSE_VERB, takes=ANALYSE_PARAMETERS)
def analyse(session: Session, *, id: str, **asked: Any) -> Any:
    """Compare schemes on each dataset and over all of them, as `credibly.experiments.analyse`.

    Parameters
    ----------
    id
        A run or results by their id.
    """
    analysis, measures = session.workshop.analysis(id, asked)
    told = {"measures": measures, **session.workshop.spelled(id, asked)}
    return {**json_ready(analysis.to_dict()), **told}


@call("POST", "/api/analyse/report", media=BINARY_TYPE, verb=ANALYSE_VERB, takes=ANALYSE_PARAMETERS)
def report_of_experiment(
    session: Session, *, id: str, title: str | None = None, **asked: Any
) -> Answer:
    """Write the report of an experiment as one page.

    Parameters
    ----------
    id
        A run or results by their id.
    title
        Title of the report.
    """
    from credibly.reports import report

    analysis, _ = session.workshop.analysis(id, asked)
    name = session.workshop.name_of(id)
    page = report(analysis, title=title or f"Experiment on {name}").html()
    return Answer(page, BINARY_TYPE, "experiment.html")
