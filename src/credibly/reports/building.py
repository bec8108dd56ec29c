"""Make the report of an evaluation: what was judged, how well it did, what to doubt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from credibly import __version__
from credibly._core.errors import CrediblyError, ParameterError
from credibly._core.results import SCHEMA_VERSION, Finding, Table
from credibly.checks import check
from credibly.comparisons.comparing import compare
from credibly.comparisons.result import Comparisons, TestResult
from credibly.curves import curve
from credibly.evaluation import evaluate
from credibly.measures import measures as all_measures
from credibly.plots import plot
from credibly.predictions import CostMatrix, Predictions
from credibly.reliability import calibration
from credibly.reports import words
from credibly.reports.document import (
    Block,
    Code,
    Definition,
    Document,
    Findings,
    Grid,
    Paragraph,
    Picture,
    Section,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from credibly.checks import Checklist
    from credibly.measures import Measure
    from credibly.plots import Figure

PANELS = {
    "label": (
        "accuracy",
        "error_rate",
        "balanced_accuracy",
        "f1",
        "precision",
        "recall",
        "mcc",
        "kappa",
    ),
    "probability": ("auc", "average_precision", "brier", "log_loss"),
    "score": ("auc", "average_precision", "ks"),
    "value": ("rmse", "mae", "correlation", "r2"),
}
CURVES = ("roc", "precision_recall", "gains", "cost", "net_benefit")
MOST_MODELS = 6
FEWEST_CASES = 20


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A report, rendered when it is saved or shown.

    >>> import credibly
    >>> p = credibly.Predictions.of([1, 1, 0, 0] * 10, probability=[0.9, 0.4, 0.6, 0.1] * 10)
    >>> made = credibly.report(p)
    >>> [s.title for s in made.document.sections][:3]
    ['What to doubt', 'How well it does', 'Where it operates']
    """

    document: Document

    def html(self) -> str:
        """Return one page that needs nothing else and no network."""
        from credibly.reports._html import page

        return page(self.document)

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
        import json

        from credibly._core.results import json_ready

        return json.dumps(json_ready(dict(self.document.data)), indent=2, ensure_ascii=False)

    def save(self, path: str | Path) -> Path:
        """Write the report in the format that the file name asks for: html, md, tex, json."""
        target = Path(path)
        makers = {".html": self.html, ".md": self.markdown, ".tex": self.latex, ".json": self.json}
        suffix = target.suffix.lower()
        if suffix not in makers:
            msg = f"A report can be saved as {', '.join(s[1:] for s in makers)}; {target.name!r} is none of them."
            raise ParameterError(msg)
        text = makers[suffix]()
        part = target.with_name(f".{target.name}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(target)  # nobody ever sees half a report
        return target

    def __repr__(self) -> str:
        return f"Report({self.document.title!r}: {self.document.headline})"


def report(
    predictions: Predictions,
    *,
    measures: Iterable[str | Measure] | None = None,
    measure: str | None = None,
    costs: CostMatrix | None = None,
    prevalence: float | None = None,
    title: str = "Evaluation",
    command: str = "",
    confidence_level: float = 0.95,
    **known: Any,  # noqa: ANN401
) -> Report:
    """Make the report of predictions of one model or several.

    Parameters
    ----------
    predictions
        What is judged.
    measures
        What is shown; a choice by the kind of prediction when not given.
    measure
        The one that models are ranked and compared by; the first of those shown when not given.
    costs, prevalence
        What mistakes cost, and how common the positive class will be.
    title, command
        Of the report, and what makes it again.
    confidence_level
        Of all intervals.
    **known
        What else :func:`credibly.check` takes: ``training``, ``features``, ``planned_measure`` ...
    """
    if not isinstance(predictions, Predictions):
        msg = f"report takes Predictions; got {type(predictions).__name__}."  # type: ignore[unreachable]
        raise ParameterError(msg)
    builder = _Builder(predictions, measures, measure, costs, prevalence, confidence_level)
    return Report(builder.document(title, command, known))


class _Builder:
    """What the sections share: the table, the models in order, the comparisons, the checks."""

    def __init__(
        self,
        p: Predictions,
        measures: Iterable[str | Measure] | None,
        measure: str | None,
        costs: CostMatrix | None,
        prevalence: float | None,
        confidence_level: float,
    ) -> None:
        self.p, self.costs, self.prevalence, self.level = p, costs, prevalence, confidence_level
        self.missed: list[Finding] = []
        chosen = [all_measures.parse(m) for m in measures] if measures else _panel(p, costs)
        if measure is not None and measure not in [m.name for m in chosen]:
            chosen.insert(0, all_measures.parse(measure))
        self.main = all_measures.parse(measure) if measure else chosen[0]
        self.table: Table = evaluate(p, chosen, costs=costs, confidence_level=confidence_level)
        self.shown = chosen
        self.models = self._ranked()

    def _ranked(self) -> dict[str, Predictions]:
        """Return the models, the best first."""
        known = self.p.known()
        if known.part is not None:
            train = np.array([str(v).lower().startswith("train") for v in known.part.tolist()])
            known = known.take(~train) if train.any() and not train.all() else known
        if known.model is None:
            return {"the model": known}
        parts = {str(k["model"]): part for k, part in known.groups(["model"])}
        values = {name: self._main_estimate(name).value for name in parts}
        sign = -1 if self.main.direction == "higher" else 1
        order = sorted(parts, key=lambda n: (np.isnan(values[n]), sign * values[n]))
        return {name: parts[name] for name in order}

    def _main_estimate(self, model: str) -> Any:  # noqa: ANN401
        found = [
            e
            for e in self.table.estimates
            if e.measure == self.main.call and str(e.keys.get("model", model)) == model
        ]
        return found[0]

    def document(self, title: str, command: str, known: dict[str, Any]) -> Document:
        best = next(iter(self.models))
        compared = self._compared()
        checked = check(
            self.p,
            costs=self.costs,
            prevalence=self.prevalence,
            comparisons=() if compared is None else (compared,),
            measure=self.main.name,
            **known,
        )
        sections = [
            self._estimates(),
            Section("Where it operates", tuple(self._operating())),
            self._comparison(compared),
            self._how(checked),
            Section("What the numbers mean", tuple(self._definitions())),
        ]
        if command:
            sections.append(Section("Make it again", (Code(command),)))
        findings = (*checked.findings(), *self.table.all_findings(), *self.missed)
        doubts = Section("What to doubt", (Findings(tuple(dict.fromkeys(findings))),))
        headline = words.headline(best, self._main_estimate(best), len(self.models))
        kept = (doubts, *(s for s in sections if s.blocks))
        return Document(title, headline, kept, self._data(title, headline, compared, checked))

    def _estimates(self) -> Section:
        header, body = self.table.cells()
        blocks: list[Block] = [
            Grid("Estimates with intervals", tuple(header), tuple(map(tuple, body))),
            Paragraph(self.table.intervals_text()),
        ]
        if len(self.models) > 1:
            blocks.append(Picture(plot(self.table, "estimates", measure=self.main.call)))
        return Section("How well it does", tuple(blocks))

    def _operating(self) -> Iterator[Block]:
        for figure in self._figures():
            yield Picture(figure)

    def _figures(self) -> Iterator[Figure]:
        shown = list(self.models.items())[:MOST_MODELS]
        if self.p.task == "numeric":
            yield plot(self.p, "prediction_against_truth")
            yield plot(self.p, "residuals")
            return
        scored = self.p.score is not None or self.p.probability is not None
        if scored and self.p.has_positive:
            for name in CURVES:
                if name != "net_benefit" or self.p.probability is not None:
                    yield from self._tried(lambda n=name: plot(self._curve(n)))
            if self.p.probability is not None:
                for name, part in shown:
                    yield from self._tried(lambda n=name, q=part: self._calibrated(n, q))
        for name, part in shown:
            if part.label is not None:
                yield _named(plot(part, "confusion_matrix"), name, len(self.models))

    def _curve(self, name: str) -> Any:  # noqa: ANN401
        return curve(name, self.p, prevalence=self.prevalence)

    def _calibrated(self, name: str, part: Predictions) -> Figure:
        if part.n < FEWEST_CASES:
            msg = f"Calibration of {name} needs at least {FEWEST_CASES} cases; there are {part.n}."
            raise ParameterError(msg)
        return _named(plot(calibration(part, confidence_level=self.level)), name, len(self.models))

    def _tried(self, make: Any) -> Iterator[Figure]:  # noqa: ANN401
        """A picture that cannot be drawn is a finding, not the end of the report."""
        try:
            yield make()
        except CrediblyError as error:
            self.missed.append(Finding("no-picture", "note", str(error)))

    def _compared(self) -> TestResult | Comparisons | None:
        if len(self.models) < 2:
            return None
        try:
            found = compare(self.p, measure=self.main, confidence_level=self.level)
        except CrediblyError as error:
            self.missed.append(Finding("no-comparison", "note", str(error)))
            return None
        return found if isinstance(found, TestResult | Comparisons) else None

    def _comparison(self, compared: TestResult | Comparisons | None) -> Section:
        if compared is None:
            return Section("Is one really better", ())
        if isinstance(compared, TestResult):
            lines = tuple((label, text) for label, text in compared.lines())
            blocks: list[Block] = [Grid(compared.heading(), ("", ""), lines)]
        else:
            header, body = compared.cells()
            blocks = [Grid(compared.heading, tuple(header), tuple(map(tuple, body)))]
            why = compared.results[0].why
            blocks += [Paragraph(why)] if why else []
        blocks += [Picture(f) for f in self._tried(lambda: plot(compared, "differences"))]
        return Section("Is one really better", tuple(blocks))

    def _how(self, checked: Checklist) -> Section:
        header, body = checked.cells()
        facts = Grid("What was evaluated", ("", ""), tuple(self._facts()))
        listed = Grid(
            f"All checks: {checked.heading()}", tuple(header), tuple(map(tuple, body)), folded=True
        )
        return Section("What it rests on", (facts, listed))

    def _facts(self) -> Iterator[tuple[str, str]]:
        p = self.p
        yield "predictions", f"{p.n:,} rows, {len(self.models)} models, {', '.join(p.provides)}"
        if p.task == "classification":
            positive = "" if p.positive is None else f"; positive: {p.classes[p.positive]}"
            yield "classes", ", ".join(map(str, p.classes[:20])) + positive
        made = p.provenance
        if made is not None:
            yield "resampling", made.resampling
            yield "seed", str(made.seed)
            yield "splits, data", f"{made.splits}, {made.data}"
            yield "versions", ", ".join(f"{k} {v}" for k, v in made.versions.items())
            yield "seconds", ", ".join(f"{k} {v:.2g}" for k, v in made.seconds.items())
        yield "fingerprint", p.fingerprint
        yield "made by", f"credibly {__version__}"

    def _definitions(self) -> Iterator[Definition]:
        for m in self.shown:
            formula = m.doc.partition("$")[2].partition("$")[0]
            yield Definition(m.title, m.summary, formula, m.cite)

    def _data(
        self,
        title: str,
        headline: str,
        compared: TestResult | Comparisons | None,
        checked: Checklist,
    ) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "title": title,
            "headline": headline,
            "facts": dict(self._facts()),
            "evaluation": self.table.to_dict(),
            "comparison": None if compared is None else compared.to_dict(),
            "checks": checked.to_dict()["checks"],
        }


def _panel(p: Predictions, costs: CostMatrix | None) -> list[Measure]:
    names = [n for column in p.provides for n in PANELS[column]]
    if costs is not None:
        names += ["average_cost"]
    chosen = [all_measures[n] for n in dict.fromkeys(names)]
    chosen = [m.given(costs=costs) if m.name == "average_cost" else m for m in chosen]
    return [m for m in chosen if m.lacks(p) in {"", "a positive class"}]


def _named(figure: Figure, model: str, models: int) -> Figure:
    from dataclasses import replace

    return replace(figure, title=f"{figure.title}: {model}") if models > 1 else figure
