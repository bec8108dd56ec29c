"""The report of an experiment: sections that read its analysis, in the order of this file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import isnan
from typing import TYPE_CHECKING, Any

from credibly import __version__
from credibly._core.findings import worst_first
from credibly._core.text import count, interval_text, lower_first, number_text, p_is, pvalue_text
from credibly.comparisons import comparisons
from credibly.comparisons.ranking import Ranking
from credibly.errors import CrediblyError
from credibly.measures import measures
from credibly.reports.document import (
    Code,
    Document,
    Findings,
    Grid,
    KeyFigure,
    Paragraph,
    Picture,
    Section,
    Sections,
    definition_of,
)
from credibly.reports.key_figures import doubt_figure
from credibly.results.estimate import Estimate
from credibly.results.formats import SCHEMA_VERSION, plain, table_of
from credibly.results.plot import plot
from credibly.results.table import Table

if TYPE_CHECKING:
    from credibly._core.findings import Finding
    from credibly.experiments import Analysis
    from credibly.reports.document import Block

MAX_CURVES = 6


section: Sections[Analysis] = Sections()


def experiment_document(
    analysis: Analysis, title: str, command: str = "", facts: Mapping[str, str] | None = None
) -> Document:
    """Make the document of an experiment; ``facts`` are what else a reader should know of it."""
    known = {
        "experiment": analysis.heading,
        **(facts or {}),
        "made by": f"credibly {__version__}",
    }
    doubts = tuple(worst_first(analysis.findings))
    sections = (
        Section("What to doubt", (Findings(doubts),)),
        *section.of(analysis),
        Section("What it rests on", (Grid("The experiment", ("", ""), tuple(known.items())),)),
        Section("Make it again", (Code(command),) if command else ()),
    )
    text = headline_sentence(analysis)
    data = {
        "schema_version": SCHEMA_VERSION,
        "title": title,
        "headline": text,
        "facts": known,
        "command": command,
        **analysis.to_dict(),
    }
    shown = tuple(s for s in sections if s.blocks)
    figures = tuple(_key_figures(analysis, doubts))
    data["key_figures"] = [plain(f) for f in figures]
    return Document(title, text, shown, data, analysis.schemes, figures)


def _key_figures(a: Analysis, doubts: Sequence[Finding]) -> Iterator[KeyFigure]:
    """Yield who is best, by how much, over how many datasets, and how much there is to doubt."""
    if a.overviews:
        best, *others = a.overviews
        mean = f"{_title(a.measure)} {interval_text(best.mean, best.interval)}, mean over datasets"
        rank = f"average rank {best.average_rank:.2f} of {1 + len(others)}; {mean}"
        yield KeyFigure("Best scheme", best.scheme, rank)
        yield KeyFigure(
            "Wins", f"{best.wins}", f"significant differences; {count(best.losses, 'loss')}"
        )
    yield _told_apart(a)
    yield KeyFigure(
        "Datasets", f"{len(a.grid.datasets):,}", f"{count(len(a.schemes), 'scheme')}; base {a.base}"
    )
    yield doubt_figure(doubts)


def _told_apart(a: Analysis) -> KeyFigure:
    """Say whether the ranking may be chance."""
    whole = a.over_datasets
    if whole is None:
        return KeyFigure("Verdict", "No ranking over datasets", "the findings say why", "doubtful")
    test = whole.whole if isinstance(whole, Ranking) else whole
    text = "More than chance" if test.rejected else "May be chance"
    why = f"{test.title}: {p_is(test.pvalue)}"
    return KeyFigure("Verdict on the ranking", text, why, "good" if test.rejected else "doubtful")


def headline_sentence(analysis: Analysis) -> str:
    """Say in two sentences which scheme is best, and whether that may be luck."""
    if not analysis.overviews:
        return f"{analysis.heading}. There is no ranking over datasets; the findings say why."
    best, *others = analysis.overviews
    first = [o.scheme for o in analysis.overviews if o.average_rank == best.average_rank]
    text = (
        f"{', '.join(first)} {'ranks' if len(first) == 1 else 'rank'} best of "
        f"{count(1 + len(others), 'scheme')} over {count(best.datasets, 'dataset')} by "
        f"{_title(analysis.measure)} (average rank {best.average_rank:.2f})."
    )
    whole = analysis.over_datasets
    if not isinstance(whole, Ranking):
        if len(first) > 1:
            return text
        sure = whole is not None and whole.rejected
        lead = "is more than chance would give" if sure else "may be chance"
        return f"{text} Its lead over {others[0].scheme} {lead}."
    if not whole.whole.rejected:
        return f"{text} But the schemes rank no more differently than chance would have it."
    alike = {name for group in whole.groups if best.scheme in group for name in group}
    near = [o.scheme for o in others if o.scheme in alike and o.scheme not in first]
    they = "It is" if len(first) == 1 else "They are"
    if not near:
        return f"{text} {they} significantly different from all others."
    return f"{text} {they} not significantly different from {', '.join(near)}."


def _title(measure: str) -> str:
    known = measures.of_values(measure)
    title = known.title if known else measure
    return title if title[:2].isupper() else lower_first(title)


def _pictures(*makers: tuple[object, str, dict[str, Any]]) -> Iterator[Picture]:
    """Yield the pictures that can be drawn."""
    for thing, kind, options in makers:
        try:
            yield Picture(plot(thing, kind, **options))
        except CrediblyError:
            continue


@section("Who is better where")
def who_is_better_where(a: Analysis) -> Iterator[Block]:
    """Yield the table of means, marked against the base, and its picture."""
    title = f"{_title(a.measure)}: means over splits, + better and - worse than {a.base}"
    yield Grid.of(title, a.cells(), folded=False)
    yield Paragraph("\n".join(a.remarks()))
    yield from _pictures((a, "schemes_by_dataset", {}))
    if a.wins is not None and len(a.schemes) > 2:
        yield from _pictures((a.wins, "wins_matrix", {}))


@section("Over all datasets")
def over_all_datasets(a: Analysis) -> Iterator[Block]:
    """Yield ranks, means and wins of each scheme, and which of them are distinguished."""
    if not a.overviews:
        return
    cells = table_of(
        a.overviews,
        {
            "scheme": "scheme",
            "average rank": "average_rank",
            "mean over datasets": lambda o: interval_text(o.mean, o.interval),
            "wins": "wins",
            "losses": "losses",
        },
    )
    yield Grid.of("Schemes over datasets, the best first", cells, folded=False)
    yield Paragraph(
        "Means over datasets of different difficulty say less than ranks. Wins and losses count "
        "significant differences on single datasets against every other scheme."
    )
    if isinstance(a.over_datasets, Ranking):
        yield from _pictures((a.over_datasets, "critical_difference", {}))
        yield Grid.of("Pairs of schemes over datasets", a.over_datasets.cells())


@section("How probable it is")
def how_probable(a: Analysis) -> Iterator[Block]:
    """Yield what Bayesian tests say of each scheme against the base."""
    if not a.chances:
        return
    cells = table_of(
        a.chances,
        {
            "dataset": lambda c: c.dataset or "all datasets",
            "scheme": "scheme",
            "better": lambda c: f"{c.better:.3f}",
            "practically alike": lambda c: f"{c.alike:.3f}",
            "worse": lambda c: f"{c.worse:.3f}",
            "test": "test",
        },
    )
    yield Grid.of(f"Probabilities against {a.base}", cells)


@section("Learning curves")
def learning_curves(a: Analysis) -> Iterator[Block]:
    """Yield a picture for each of the first datasets."""
    if a.growth is not None:
        shown = list(islice(a.grid.datasets, MAX_CURVES))
        yield from _pictures(*((a, "experiment_growth", {"dataset": d}) for d in shown))
        if len(a.grid.datasets) > MAX_CURVES:
            yield Paragraph(f"Curves are those of the first {MAX_CURVES} datasets.")


@section("Do the measures agree")
def do_measures_agree(a: Analysis) -> Iterator[Block]:
    """Yield the ranks by every measure and how far they agree."""
    if a.agreement is not None:
        yield Grid.of("Average ranks by measure, and Kendall's tau", a.agreement.cells())
        yield Paragraph(f"Kendall's W of all measures: {number_text(a.agreement.concordance)}.")


@section("Every estimate")
def every_estimate(a: Analysis) -> Iterator[Block]:
    """Yield all measures of all schemes on all datasets, with intervals and p-values."""
    cells = table_of(
        a.estimates.estimates,
        {
            "dataset": lambda e: str(e.keys["dataset"]),
            "scheme": lambda e: str(e.keys["scheme"]),
            "measure": "name",
            "estimate": lambda e: (
                "pooled cases" if e.keys["estimate"] == "pooled" else "mean over splits"
            ),
            "value": lambda e: interval_text(e.value, e.interval),
            "n": lambda e: f"{e.n:g}",
            f"p against {a.base}": lambda e: _pvalue(a, e),
        },
    )
    yield Grid.of("Estimates with intervals", cells)
    yield Paragraph(a.estimates.intervals_text())


def _pvalue(a: Analysis, e: Estimate) -> str:
    dataset, scheme = str(e.keys["dataset"]), str(e.keys["scheme"])
    tested = e.measure == a.measure and scheme != a.base and a.wins is not None
    return pvalue_text(a.pvalue(dataset, scheme)) if tested else ""


@section("What it took")
def what_it_took(a: Analysis) -> Iterator[Block]:
    """Yield the mean times of fitting and predicting."""
    if a.times is not None:
        for title in dict.fromkeys(e.title for e in a.times.estimates):
            yield _by_dataset(a, a.times, title)


def _by_dataset(a: Analysis, table: Table, title: str) -> Grid:
    found = {(e.keys["dataset"], e.keys["scheme"]): e.value for e in table.where(title=title)}
    known = {place: number_text(value) for place, value in found.items() if not isnan(value)}
    body = [[d, *(known.get((d, s), "missing") for s in a.schemes)] for d in a.grid.datasets]
    return Grid.of(f"{title}, mean over splits", (["dataset", *a.schemes], body))


@section("What is missing")
def what_is_missing(a: Analysis) -> Iterator[Block]:
    """Yield the cells without all their values."""
    if a.grid.gaps:
        cells = table_of(
            a.grid.gaps,
            {
                "dataset": "dataset",
                "scheme": "scheme",
                "values": lambda g: f"{g.values} of {g.splits}",
                "why": lambda g: ", ".join(f"{n} {why}" for why, n in g.reasons.items()),
            },
        )
        yield Grid.of("Incomplete cells", cells)


@section("What the numbers mean")
def what_numbers_mean(a: Analysis) -> Iterator[Block]:
    """Yield the definition and the reference of measures and tests."""
    names = dict.fromkeys(e.measure for e in a.estimates.estimates)
    yield from (definition_of(m) for m in map(measures.of_values, names) if m)
    tests = [a.wins.test] if a.wins else []
    tests += [a.over_datasets.whole.title] if isinstance(a.over_datasets, Ranking) else []
    tests += [c.test for c in a.chances]
    shown = {t.partition(",")[0] for t in tests}
    yield from (definition_of(c) for c in comparisons if c.title in shown)
