"""The calls of the JSON API: each is one function here, which gives its route, its checks and its description."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from credibly._core.averages import Average
from credibly.app.schemas import keywords
from credibly.app.session import Session, plain_label, reading_options
from credibly.io import bundled

if TYPE_CHECKING:
    from collections.abc import Callable

JSON, CSV = "application/json", "text/csv; charset=utf-8"

Id = Annotated[str, "A set of predictions, by the id that it was given."]
Costs = Annotated[
    dict[str, float] | None,
    "What each outcome (tp, fp, fn, tn) costs; a benefit is negative: {'tp': -15, 'fp': 0.8}.",
]
At = Annotated[
    str | None,
    "Where to operate: 20%, number=500, recall=0.8, threshold=0.3, best (the default) or worst.",
]
Population = Annotated[float | None, "How many cases there will be."]
Prevalence = Annotated[float | None, "Share of the positive class among them."]
Level = Annotated[float, "Confidence level of the intervals."]
Seed = Annotated[int | None, "Seed of what is random."]
OverClasses = Annotated[Average | None, "How measures of one class become one number."]
Model = Annotated[str | None, "Which model, where there are several."]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call returns when it is more than JSON that went well."""

    body: Any = None
    status: int = 200
    media: str = JSON
    file_name: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A declared call."""

    method: str
    path: str
    function: Callable[..., Any]
    doc: str
    parameters: dict[str, dict[str, Any]]
    media: str = JSON
    status: int = 200
    upload: bool = False
    quick: bool = False

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.method} {self.path}"


CALLS: list[Call] = []


def call(
    method: str,
    path: str,
    **about: Any,  # noqa: ANN401
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function as a call.

    Its keyword-only arguments come from the path, the query or the JSON body. An ``upload`` gets the
    path of the file that was sent; a ``quick`` call does not wait for the calls that compute.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        doc = " ".join((function.__doc__ or "").split())
        CALLS.append(Call(method, path, function, doc, keywords(function), **about))
        return function

    return declare


@call("POST", "/api/predictions", upload=True, status=201)
def upload(
    session: Session,
    file: Path,
    *,
    name: Annotated[str, "What to call the file; its ending tells the format."] = "upload",
    format: Annotated[str | None, "The format, where the ending does not tell."] = None,  # noqa: A002
) -> Answer:
    """Open the file in the body: CSV, TSV, JSON lines, Parquet, ARFF or Weka's predictions; text also gzipped.

    Roles of columns are guessed and said. If they cannot be, `problem` says why: tell them by a call of roles.
    """
    options = reading_options(format=format)
    return Answer(session.keep_upload(file, plain_label(name), options).to_dict(), 201)


@call("POST", "/api/example", status=201)
def example(session: Session, *, name: Annotated[str, "campaign or breast-cancer."]) -> Answer:
    """Open predictions that come with Credibly."""
    return Answer(session.keep_file(bundled(name), {}, name).to_dict(), 201)


@call("POST", "/api/roles")
def roles(
    session: Session,
    *,
    id: Id,  # noqa: A002
    roles: Annotated[
        dict[str, str | list[str]] | None, "The column of each role, such as {'truth': 'y'}."
    ] = None,
    ignore: Annotated[list[str] | None, "Columns that have no role."] = None,
    positive: Annotated[str | int | float | bool | None, "The positive class."] = None,
    classes: Annotated[list[str | int | float | bool] | None, "All classes in order."] = None,
    threshold: Annotated[float | None, "Label positive from this score on."] = None,
    weight_kind: Annotated[Literal["frequency", "importance"] | None, "What weights say."] = None,
    tolerance: Annotated[float | None, "How far probabilities may be from summing to 1."] = None,
    format: Annotated[str | None, "The format of the file."] = None,  # noqa: A002
) -> Any:  # noqa: ANN401
    """Read a set again with these roles of its columns in place of the earlier ones; others are guessed."""
    options = reading_options(
        roles, format, ignore=ignore, positive=positive, classes=classes, threshold=threshold,
        weight_kind=weight_kind, tolerance=tolerance,
    )  # fmt: skip
    return session.read_again(id, options).to_dict()


@call("GET", "/api/predictions", quick=True)
def listed(session: Session) -> Any:  # noqa: ANN401
    """List the sets that are open."""
    return {"sets": [kept.to_dict(page_data=False) for kept in session.store.all()]}


@call("GET", "/api/predictions/{id}", quick=True)
def found(session: Session, *, id: Id) -> Any:  # noqa: A002, ANN401
    """Return a set: its columns, their roles, findings, and the data (`scene`) that the page draws."""
    return session.store[id].to_dict()


@call("DELETE", "/api/predictions/{id}", status=204, quick=True)
def forget(session: Session, *, id: Id) -> Answer:  # noqa: A002
    """Close a set."""
    session.store.forget(id)
    return Answer(status=204)


@call("POST", "/api/evaluate")
def evaluate(
    session: Session,
    *,
    id: Id,  # noqa: A002
    measures: Annotated[
        list[str] | None, "Such as auc or fbeta(beta=2); all that apply when not given."
    ] = None,
    by: Annotated[
        list[str] | None, "Slices: model, repeat, fold, part, group, class, occurring_class."
    ] = None,
    average: OverClasses = None,
    interval: Annotated[str, "How to make intervals."] = "auto",
    confidence_level: Level = 0.95,
    rng: Seed = None,
) -> Any:  # noqa: ANN401
    """Estimate measures, as `credibly.evaluate`."""
    from credibly.evaluation import evaluate

    return evaluate(
        session.store[id].predictions, measures, by, average,
        interval=interval, confidence_level=confidence_level, rng=rng,
    )  # fmt: skip


@call("POST", "/api/cost-benefit")
def cost_benefit(
    session: Session,
    *,
    id: Id,  # noqa: A002
    costs: Costs = None,
    at: At = None,
    population: Population = None,
    prevalence: Prevalence = None,
    confidence_level: Level = 0.95,
    rng: Seed = None,
) -> Any:  # noqa: ANN401
    """Say what selecting the cases of the highest scores brings, as `credibly.cost_benefit`."""
    from credibly.decisions import cost_benefit

    return cost_benefit(
        session.store[id].predictions, costs, at=at, population=population, prevalence=prevalence,
        confidence_level=confidence_level, rng=rng,
    )  # fmt: skip


@call("POST", "/api/selection", media=CSV)
def selection(
    session: Session,
    *,
    id: Id,  # noqa: A002
    costs: Costs = None,
    at: At = None,
    model: Model = None,
    prevalence: Prevalence = None,
    rng: Annotated[int, "Seed that draws among cases of the last score."] = 0,
) -> Answer:
    """Write the selected cases, the highest score first, as CSV that can be opened again."""
    from credibly.app.selected_rows import list_of
    from credibly.decisions import cost_benefit

    kept = session.store[id]
    made = cost_benefit(kept.predictions, costs, at=at, prevalence=prevalence)
    return Answer(list_of(made.selected(model, rng=rng)), 200, CSV, "selected.csv")


@call("POST", "/api/compare")
def compare(
    session: Session,
    *,
    id: Id,  # noqa: A002
    measure: Annotated[str | None, "What to compare, such as auc or error_rate."] = None,
    test: Annotated[str, "auto, or the name of a comparison."] = "auto",
    margin: Annotated[float | None, "Test equivalence within this difference."] = None,
    correction: Annotated[str | None, "How p-values of several pairs are adjusted."] = None,
    confidence_level: Level = 0.95,
    rng: Seed = None,
) -> Any:  # noqa: ANN401
    """Test whether one model of a set is really better than another, as `credibly.compare`."""
    from credibly.comparisons.compare import compare

    return compare(
        session.store[id].predictions, None, measure, test=test, margin=margin,
        correction=correction, confidence_level=confidence_level, rng=rng,
    )  # fmt: skip


@call("POST", "/api/curve")
def curve(
    session: Session,
    *,
    id: Id,  # noqa: A002
    name: Annotated[str, "The kind of curve, such as roc, precision_recall or lift."],
    by: Annotated[list[str] | None, "Slices: model, repeat, fold, part, group."] = None,
    prevalence: Prevalence = None,
) -> Any:  # noqa: ANN401
    """Draw curves, as `credibly.curve`."""
    from credibly.curves import curve

    return curve(name, session.store[id].predictions, by=by, prevalence=prevalence)


@call("GET", "/api/progress", quick=True)
def progress(session: Session) -> Any:  # noqa: ANN401
    """Say what is being computed and for how many seconds."""
    return {"work": session.work()}
