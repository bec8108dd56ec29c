"""Make the report of an evaluation: what was judged, how well it did, what to doubt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly._core.doors import door
from credibly._core.entry_names import MeasureName
from credibly._core.files import write_whole
from credibly._core.search_names import search_names
from credibly._core.text import several
from credibly.case_scores._declare import Evidence, case_scores
from credibly.comparisons.result import Comparisons, TestResult
from credibly.errors import Argument, ParameterError, UnknownNameError, says
from credibly.experiments.analysis.result import Analysis
from credibly.measures import Measure, measures as all_measures
from credibly.predictions import Predictions
from credibly.predictions.arguments import as_predictions
from credibly.predictions.cost_matrix import Costs, as_costs
from credibly.reports.context import ReportContext
from credibly.reports.document import Document, Paragraph, Section
from credibly.reports.formats import Format, check_format
from credibly.reports.key_figures import headline_sentence, key_figures
from credibly.reports.sections import facts, section, sections_of
from credibly.results.formats import SCHEMA_VERSION, plain
from credibly.results.result import Blocks, Result

if TYPE_CHECKING:
    from credibly.reports._notebook import EmbeddedPage


class Report(Result):
    """A report, rendered when it is saved or shown.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0] * 10, probability=[0.9, 0.4, 0.6, 0.1] * 10)
    >>> made = credibly.report(p)
    >>> [s.title for s in made.document.sections][:3]
    ['What to doubt', 'How well it does', 'Where it operates']
    """

    document: Document

    json_keys = "*document.data"

    def heading(self) -> str:
        """Its title and the first sentence."""
        return f"{self.document.title}: {self.document.headline}"

    def blocks(self) -> Blocks:
        """Yield no table: those of the report stand in its document."""
        yield from ()

    def remarks(self) -> list[str]:
        """Say how to read it."""
        return ['Save it to read it: .save("report.html"), or as md, tex or json.']

    def html(self) -> str:
        """Return one page that needs nothing else and no network."""
        from credibly.reports._html import page

        return page(self.document)

    def page(self, height: int = 720) -> EmbeddedPage:
        """Show the whole page in a notebook, so many pixels high: with its script, in a frame of its own.

        Its lower edge can be drawn. What is shown without it has no scripts.
        """
        from credibly.reports._notebook import EmbeddedPage

        return EmbeddedPage(self.document.title, self.html(), height)

    def _repr_html_(self) -> str:
        from credibly.reports._notebook import notebook

        return notebook(self.document)

    def markdown(self) -> str:
        """Return Markdown; figures by their text alternative."""
        from credibly.reports._plain import markdown

        return markdown(self.document)

    def latex(self) -> str:
        """Return the tables for a LaTeX document that uses booktabs."""
        from credibly.reports._plain import latex

        return latex(self.document)

    def json(self) -> str:
        """Return the numbers and findings."""
        return self.to_json()

    def word(self) -> bytes:
        """Return the bytes of a Word file (docx), with its pictures; needs ``credibly[word]``."""
        from credibly.reports._word import word

        return word(self.document)

    @search_names({"card, to_model_card, modelcard": ".model_card(), or .save('card.md')"})
    def model_card(self, task: str | None = None, dataset: str | None = None) -> str:
        """Return a model card: Markdown below the metadata that model hubs read.

        ``task`` is the hub's name of the task (``"tabular-classification"`` or ``"tabular-regression"``
        by default), ``dataset`` that of the data.

        >>> import credibly
        >>> p = credibly.Predictions.of([1, 1, 0, 0] * 10, label=[1, 0, 0, 0] * 10)
        >>> print(credibly.report(p).model_card()[:45])
        ---
        tags:
        - "credibly"
        metrics:
        - "accuracy"
        """
        from credibly.reports._card import model_card

        return model_card(self.document, task, dataset)

    @search_names(
        {
            "open, show, view, to_html, write, export": ".save('report.html') and open the file",
            "to_pdf": ".save('report.html') and print it to PDF",
        }
    )
    def save(self, path: str | Path, format: Format | None = None) -> Path:  # noqa: A002
        """Write the report in the format that the file name asks for: html, md, tex, json, docx.

        ``format`` names it where the file name does not: ``"model-card"`` is Markdown with metadata, as
        is ``card.md``.
        """
        target = Path(path)
        return write_whole(target, getattr(self, check_format(target, format))())


@door
@search_names({"model_card, ModelCard, card": "report(p).model_card()"})
def report(
    predictions: Predictions | Mapping[str, Predictions] | Analysis | Evidence,
    *,
    measures: Iterable[MeasureName | Measure] | None = None,
    measure: MeasureName | Measure | None = None,
    by: str | Sequence[str] | None = None,
    costs: object = None,
    prevalence: object = None,
    title: str | None = None,
    command: str = "",
    confidence_level: float = 0.95,
    training: Any = None,  # noqa: ANN401
    features: Any = None,  # noqa: ANN401
    comparisons: Sequence[TestResult | Comparisons] | None = None,
    difference: float | None = None,
    planned_measure: str | None = None,
    tuned_on: str | None = None,
    facts: Mapping[str, str] | None = None,
    note: str = "",
    leave_out: Sequence[str] = (),
    order: Sequence[str] = (),
) -> Report:
    """Write a report about the predictions of one or several models, or about an experiment.

    Parameters
    ----------
    predictions
        Predictions of one or several models; a dictionary holds them by name. Or the analysis of an
        experiment (:func:`credibly.experiments.analyse`), whose report takes ``title``, ``command`` and
        ``facts`` alone. Or evidence of another kind (:func:`credibly.label_sets`, :func:`credibly.rankings`,
        :func:`credibly.forecasts`, :func:`credibly.survival`, :func:`credibly.prediction_sets`), of which ``measure``
        names the score that models are ranked and compared by.
    measures
        Measures to show; by default a choice for the kind of prediction.
    measure
        Measure that models are ranked and compared by; by default the first one shown.
    by
        A column to slice by, or several that are crossed: as for :func:`credibly.slices`. By default all but
        identifiers are searched, one by one, for the worst slices.
    costs
        What mistakes cost: as for :func:`credibly.decide`.
    prevalence
        Share of the positive class where the model will be used: as for :func:`credibly.decide`.
    title
        Of the report.
    command
        Command that reproduces it.
    confidence_level
        Confidence level of all intervals.
    training, features, comparisons
        What else is known, as for :func:`credibly.check`.
    difference
        A claimed difference of error rates.
    planned_measure
        The measure that was planned before looking at the results.
    tuned_on
        The part of the data that choices were made on, such as validation.
    facts
        What a reader needs to know of how an experiment was run.
    note
        A paragraph of your own, placed before all sections.
    leave_out
        Titles of sections to leave out.
    order
        Titles of sections that come first, in this order; the others follow.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 0, 1, 0] * 20, label=[1, 0, 0, 0] * 20)
    >>> credibly.report(p, costs={"fn": 5, "fp": 1}).document.headline
    'The model costs 1.250 per case, against 0.5 for always 1. Its average cost lies between 0.845 and 1.782 (95 % interval).'
    """
    given = {
        "measures": measures, "measure": measure, "by": by, "costs": costs, "prevalence": prevalence,
    }  # fmt: skip
    known = {
        "training": training, "features": features, "comparisons": comparisons,
        "difference": difference, "planned_measure": planned_measure, "tuned_on": tuned_on,
    }  # fmt: skip
    known = {name: value for name, value in known.items() if value is not None}
    if isinstance(predictions, Analysis):
        return _of_experiment(predictions, title, command, {**given, **known}, facts)
    if facts is not None:
        raise ParameterError(says("<facts=...> is for the report of an experiment."))
    evidence, score = None, None
    if isinstance(predictions, Evidence):
        evidence = predictions
        score = case_scores.parse(str(measure)) if measure is not None else evidence.defined()[0]
        predictions = evidence.scored(score)
        measures, measure = [evidence.mean_of(predictions)], None
    predictions = as_predictions(predictions, "report")
    named = () if measures is None else measures
    chosen = tuple(all_measures.parse(m).about(predictions) for m in named)
    if costs is not None:
        costs = given["costs"] = as_costs(costs, predictions.classes, predictions.positive)
    context = ReportContext(
        predictions,
        chosen,
        None if measure is None else all_measures.parse(measure).about(predictions),
        costs,
        prevalence,
        confidence_level,
        command or _call(predictions, {**given, **known}),
        known,
        by=by,
        evidence=evidence,
        score=score,
    )
    left = several(leave_out, "leave_out", "titles of sections")
    document = _document(context, title or "Evaluation", left)
    return Report(_arranged(document, note, left, several(order, "order", "titles of sections")))


def _arranged(
    document: Document, note: str, leave_out: Sequence[str], order: Sequence[str]
) -> Document:
    """Put a note before the sections, leave out those that are not wanted, and put the others in order."""
    sections = {s.title: s for s in document.sections}
    unmade = [title for title in leave_out if title in section.titles]
    for title in (*leave_out, *order):
        if title not in (*sections, *unmade):
            raise UnknownNameError(
                f"There is no section {title!r}.",
                asked=title,
                choices=dict.fromkeys((*sections, *unmade)),
            )
    kept = [title for title in dict.fromkeys((*order, *sections)) if title not in leave_out]
    own = (Section("In the author's words", (Paragraph(note),)),) if note else ()
    return replace(document, sections=(*own, *(sections[title] for title in kept)))


def _of_experiment(
    analysis: Analysis,
    title: str | None,
    command: str,
    given: dict[str, Any],
    facts: Mapping[str, str] | None,
) -> Report:
    from credibly.reports.experiments import experiment_document

    strange = [name for name, value in given.items() if value is not None]
    if strange:
        raise ParameterError(
            says(
                "{argument} is for the report of predictions; that of an experiment shows what its analysis holds.",
                argument=Argument(strange[0], ...),
            )
        )
    return Report(experiment_document(analysis, title or "Experiment", command, facts))


def _call(p: Predictions, given: dict[str, Any]) -> str:
    """Write the call that makes a report, for the predictions that it is about."""
    text = "".join(
        f", {name}={value!r}"
        if isinstance(value, str | int | float | list | Costs)
        else f", {name}=..."
        for name, value in given.items()
        if value is not None
    )
    return f"credibly.report(predictions{text})  # predictions: {p.fingerprint}"


def _document(m: ReportContext, title: str, left: Collection[str]) -> Document:
    best = next(iter(m.models))
    text = headline_sentence(
        best, m.leading(best), list(m.models), m.compared, decided=bool(m.cost_leads)
    )
    sections = sections_of(m, left)
    figures = tuple(key_figures(m, m.findings()))
    data = {
        "schema_version": SCHEMA_VERSION,
        "title": title,
        "headline": text,
        "key_figures": [plain(f) for f in figures],
        "findings": [f.to_dict() for f in m.findings()],
        "facts": dict(facts(m)),
        "evaluation": m.table.to_dict(),
        "comparison": None if m.compared is None else m.compared.to_dict(),
        "decision": None if m.decision is None else m.decision.to_dict(),
        "checks": m.checklist.to_dict()["checks"],
        "command": m.command,
    }
    models = tuple(m.models) if len(m.models) > 1 else ()
    return Document(title, text, sections, data, models, figures)
