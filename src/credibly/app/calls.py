"""The calls of the JSON API: each is one function here, which gives its route, its checks and its description."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from credibly.app.csv_text import as_csv, list_of
from credibly.app.declared_calls import BINARY_TYPE, CSV_TYPE, Answer, call
from credibly.app.jobs import StoppedError
from credibly.app.page_data import decided_by_costs
from credibly.app.session import Session, parts_of, plain_label, reading_options
from credibly.app.spelling import preparing, reading, spelled
from credibly.app.study_calls import Study, study_call, verb_call
from credibly.app.surface import as_option
from credibly.app.uploads import READ_PARAMETERS
from credibly.errors import ParameterError, surface
from credibly.io import bundled

READ_VERB = "credibly.io.read:read"
Theme = Literal["light", "dark"]
MAX_CALLS = 20  # that are spelled at once
MAX_ROWS, MAX_COLUMNS = 500, 60  # of cases that are shown at once; the file that is saved has all


@call("POST", "/api/predictions", upload=True, status=201, verb=READ_VERB, takes="format")
def upload(session: Session, file: Path, *, name: str = "upload", **options: Any) -> Any:
    """Open the file in the body: CSV, TSV, Excel, JSON lines, Parquet, ARFF or Weka's predictions; text also gzipped.

    Roles of columns are guessed and said. If they cannot be, `problem` says why: tell them by a call of roles.

    Parameters
    ----------
    name
        What to call the file; its ending tells the format.
    """
    asked = reading_options(**options)
    return session.keep_upload(file, plain_label(name), asked).to_dict()


@call("POST", "/api/example", status=201)
def example(session: Session, *, name: str) -> Any:
    """Open predictions that come with Credibly.

    Parameters
    ----------
    name
        campaign or breast-cancer.
    """
    return session.keep_file(bundled(name), {}, name).to_dict()


@call("POST", "/api/roles", verb=READ_VERB, takes=READ_PARAMETERS)
def roles(
    session: Session,
    *,
    id: str,
    roles: dict[str, str | list[str] | dict[str, str]] | None = None,
    kind: str | None = None,
    **options: Any,
) -> Any:
    """Read a set again with these roles of its columns in place of the earlier ones; others are guessed.

    Parameters
    ----------
    roles
        The column of each role, such as {'truth': 'y'}.
    kind
        What is predicted, by the name of a kind that the set offers; nothing for classes, numbers and outcomes.
    """
    return session.read_again(id, reading_options(roles, kind=kind, **options)).to_dict()


@call("POST", "/api/preview")
def preview(session: Session, *, id: str) -> Any:
    """Return the first rows of a file, and how the values of each column are spread."""
    return session.preview(id)


@call("POST", "/api/joined", status=201)
def joined(session: Session, *, ids: list[str]) -> Any:
    """Take several sets as the predictions of as many models for the same cases.

    Parameters
    ----------
    ids
        The sets; models are called by the names of their files.
    """
    return session.join(ids).to_dict()


@call("GET", "/api/predictions", quick=True)
def listed(session: Session) -> Any:
    """List the sets that are open."""
    return {"sets": [kept.to_dict() for kept in session.store.all()]}


@call("GET", "/api/recent", quick=True)
def recent(session: Session) -> Any:
    """List the studies of earlier starts: names and fingerprints, no data."""
    return {"studies": [] if session.recent is None else session.recent.all()}


@call("DELETE", "/api/recent", status=204, quick=True)
def forget_recent(session: Session) -> None:
    """Forget the studies of earlier starts."""
    if session.recent is not None:
        session.recent.forget()


@call("GET", "/api/predictions/{id}", quick=True)
def found(session: Session, *, id: str) -> Any:
    """Return a set: its columns, their roles, its models and classes, and findings."""
    return session.store[id].to_dict()


@call("GET", "/api/predictions/{id}/file")
def original(session: Session, *, id: str) -> Answer:
    """Return the file of a set as it was opened."""
    kept = session.store[id]
    return Answer(kept.path.read_bytes(), BINARY_TYPE, "data")


@call("DELETE", "/api/predictions/{id}", status=204, quick=True)
def forget(session: Session, *, id: str) -> None:
    """Close a set."""
    session.store.forget(id)
    session.last_report = None, None, None


LEVEL_AND_SEED, DEFAULT_LEVEL = "confidence_level rng", 0.95


@study_call("evaluate", f"measures by average estimate interval spread {LEVEL_AND_SEED}")
def evaluate(study: Study, **options: Any) -> Any:
    """Estimate measures, as `credibly.evaluate`; of cases that have several scores, the mean of each."""
    from credibly.evaluation import evaluate

    if study.evidence is None or {"measures", "by"} & {*options}:
        return evaluate(study.predictions, **options)
    return study.evidence.table(confidence_level=options.get("confidence_level", DEFAULT_LEVEL))


OF_VERBS = {  # calls that ask a public function of their name about the predictions, and its arguments
    "best-of": f"measure method thresholds average replicates {LEVEL_AND_SEED}",
    "benchmarks": f"measure by against weights margin replicates {LEVEL_AND_SEED}",
    "slices": f"measures by search ways ranges at_least average replicates {LEVEL_AND_SEED}",
    "attempts": "k how confidence_level",
    "few-labels": "measure judge sampled_with stratum confidence_level",
    "curve": f"name by band prevalence replicates {LEVEL_AND_SEED}",
    "cost-benefit": f"costs at population prevalence {LEVEL_AND_SEED}",
    "check": "costs prevalence difference measure planned_measure tuned_on",
    "recalibrate": f"method folds replicates {LEVEL_AND_SEED}",
}
for verb, arguments in OF_VERBS.items():
    verb_call(verb, arguments)


@study_call("compare", f"measure test margin alternative correction average {LEVEL_AND_SEED}")
def compare(study: Study, *, costs: dict[str, float] | None = None, **options: Any) -> Any:
    """Test whether one model of a set is really better than another, as `credibly.compare`.

    With costs, models are compared by what the decisions cost that are best under these costs.
    """
    from credibly.comparisons.compare import compare

    p = study.predictions
    if costs is None:
        return compare(p, **options)
    decided, measure = decided_by_costs(p, costs)
    return compare(decided, **{**options, "measure": measure})


@study_call("calibration", f"groups of rule fitted_on_these replicates {LEVEL_AND_SEED}")
def calibration(study: Study, *, after: str | None = None, **options: Any) -> Any:
    """Judge whether probabilities can be believed, as `credibly.calibration`.

    Parameters
    ----------
    after
        Recalibrate by this method first, each fold by a map that was fitted on the others.
    """
    from credibly.calibration import calibration, recalibrate

    p = study.predictions
    if after is not None:
        p = recalibrate(p, method=after, rng=options.get("rng")).predictions
    return calibration(p, **options)


@study_call("gate", f"measure margin against sequential average {LEVEL_AND_SEED}")
def gate(
    study: Study, *, models: list[str] | None = None, markdown: bool = False, **options: Any
) -> Any:
    """Decide whether one model of a set may replace another, as `credibly.gate`.

    Parameters
    ----------
    models
        The candidate, then the model that it is to replace; the candidate alone where it is held against a value.
    markdown
        The verdict as text for a pull request.
    """
    from credibly.comparisons.gate import gate

    p = study.predictions
    made = gate(p if models is None else parts_of(p, models), **options)
    if not markdown:
        return made
    with surface(as_option):  # it is read where nobody has this page
        return {"markdown": made.markdown()}


@study_call("outcomes", "at population prevalence confidence_level", verb="cost-benefit")
def outcomes(
    study: Study, *, threshold: float | None = None, taken: float = 1.0, **options: Any
) -> Any:
    """Count the outcomes at a place on the list, with intervals that groups and weights need.

    Parameters
    ----------
    threshold
        The score from which on cases are selected there: for the rates.
    taken
        Which part of the cases with that score is selected.
    """
    from credibly.app.page_data import outcomes_at

    p = study.predictions
    return {"estimates": list(outcomes_at(p, threshold, taken, **options))}


@call("GET", "/api/plots", quick=True)
def kinds_of_plots(_: Session) -> Any:
    """List the pictures that can be made of predictions; some need what not all have."""
    from credibly.plots import plots
    from credibly.predictions import Predictions

    shown = [e for e in plots if Predictions in (*e.types, *e.prepare)]
    return {"plots": [{"name": e.name, "title": e.title} for e in shown]}


@study_call("plot", "full_range")
def plot(
    study: Study,
    *,
    theme: Theme = "light",
    kind: str | None = None,
    model: str | None = None,
    **options: Any,
) -> Any:
    """Draw a picture of predictions, as `credibly.plot`: SVG, and what it shows in words.

    Parameters
    ----------
    theme
        Whether it is drawn for light or dark.
    kind
        The name of the picture; the first that suits by default.
    model
        The model to show where a picture shows one.
    """
    from credibly.results.plot import plot, plot_of_model

    name, of_model = plot_of_model(study.predictions, kind, model)
    figure = plot(study.predictions, name, **of_model, **options)
    return {"title": figure.title, "alt": figure.alt, "svg": figure.svg(theme=theme), **of_model}


@study_call("details")
def details(
    study: Study, *, theme: Theme = "light", confidence_level: float = DEFAULT_LEVEL
) -> Any:
    """Show what else there is to see of this kind of prediction: tables, and pictures as SVG.

    Parameters
    ----------
    theme
        Whether pictures are drawn for light or dark.
    confidence_level
        Confidence level of the intervals.
    """
    from credibly.plots import plot
    from credibly.results.plot import shows

    if study.evidence is None:
        return {"details": []}
    found = study.evidence.in_detail(confidence_level=confidence_level)
    made = []
    for title, part in zip(found.titles, found.parts, strict=True):
        figure = plot(part) if shows(part) else None
        picture = {"svg": figure.svg(theme=theme), "alt": figure.alt} if figure else None
        tables = [{"title": t, "header": h, "body": b} for t, h, b in part.blocks()]
        made.append({"title": title, "says": part.meaning(), "tables": tables, "picture": picture})
    return {"details": made}


@study_call("page_data")
def page_data(study: Study) -> Any:
    """Return what the page computes from while the slider moves: the full table of scores of each model."""
    return study.session.page_data(study.id, study.positive)


@study_call("selection", "at prevalence", verb="cost-benefit", media=CSV_TYPE)
def selection(
    study: Study,
    *,
    costs: dict[str, float] | None = None,
    model: str | None = None,
    rng: int = 0,
    **options: Any,
) -> Answer:
    """Write the selected cases, the highest score first, as CSV that can be opened again.

    Parameters
    ----------
    model
        Which model, where there are several.
    rng
        Seed that draws among cases of the last score.
    """
    from credibly.decisions import cost_benefit

    analysis = cost_benefit(study.predictions, costs, **options)
    chosen = analysis.selected(model, rng=rng)
    return Answer(list_of(chosen, study.kept.with_rows), CSV_TYPE, "selected.csv")


@study_call("worst-cases", "wrong_in of_class most beside")
def worst_cases(study: Study, *, whole: bool = False, **options: Any) -> Any:
    """List the cases that models predict worst, as `credibly.worst_cases`: the first 500, with 60 other columns.

    Parameters
    ----------
    whole
        Every such case with every column, as CSV.
    """
    from credibly.evaluation.worst_cases import worst_cases

    columns = study.kept.with_rows  # under the names that they have in the file
    asked = {"beside": columns} if whole else {"most": MAX_ROWS, "beside": columns[:MAX_COLUMNS]}
    found = worst_cases(study.predictions, **{**asked, **options})
    if not whole:
        return found
    return Answer(as_csv(found.columns, found.table), CSV_TYPE, "rows.csv")


@study_call("flips")
def flips(study: Study, *, model: str, other: str) -> Any:
    """Count the cases that two models get right, one of them alone, and neither.

    Parameters
    ----------
    model
        The first model.
    other
        The second.
    """
    from credibly.evaluation.worst_cases import CaseRows

    return CaseRows(study.predictions).flips(model, other)


@call("POST", "/api/spelled", quick=True)
def spelling(session: Session, *, id: str, calls: list[str], given: list[str]) -> Any:
    """Spell calls about a set as commands and as Python.

    Parameters
    ----------
    calls
        The name of each call, such as evaluate.
    given
        What each was given, as JSON.
    """
    kept = session.store[id]
    pairs = [
        spelled(kept, name, _object(text))
        for name, text in zip(calls[:MAX_CALLS], given, strict=False)
    ]
    pairs = [pair for pair in pairs if pair[0]]
    python = ["import credibly", reading(kept), *(pair[1] for pair in pairs)]
    shell = [*preparing(kept), *(pair[0] for pair in pairs)]
    return {"shell": shell if pairs else [], "python": python if pairs else []}


def _object(text: str) -> dict[str, Any]:
    """Read a JSON object that somebody sent as text."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ParameterError("POST /api/spelled: given must be JSON objects, as text.")
    return found


@call("GET", "/api/progress", quick=True)
def progress(session: Session) -> Any:
    """Say what is being computed and for how many seconds."""
    return {"work": session.jobs.told()}


@call("POST", "/api/stop", quick=True)
def stop(session: Session, *, job: str) -> Any:
    """Stop a computation; the call that started it is answered with an error.

    Parameters
    ----------
    job
        The computation, by the id that `progress` says.
    """
    session.jobs[job].stop(StoppedError("This was stopped."))
    return {"work": session.jobs.told()}
