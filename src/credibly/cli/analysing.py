"""What `credibly experiment` says of results: `analyse`, `report` and `import`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from credibly.cli.columns import WHAT, calls
from credibly.cli.options import ReportFile, Title
from credibly.cli.output import TEXT, Output

if TYPE_CHECKING:
    from credibly.experiments import Analysis, Results, Store

TABLE = Group.create_ordered("Columns of a table of results (guessed where names are plain)")


def _column(text: str) -> Parameter:
    return Parameter(group=TABLE, help=text)


def _what(text: str) -> Parameter:
    return Parameter(group=WHAT, help=text)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """How a file of results is read; the folder of an experiment needs none of it."""

    dataset: Annotated[str | None, _column("Name of the dataset.")] = None
    scheme: Annotated[str | None, _column("Name of the scheme.")] = None
    repeat: Annotated[str | None, _column("Repeat of the resampling.")] = None
    fold: Annotated[str | None, _column("Fold of the resampling.")] = None
    values: Annotated[
        list[str] | None,
        Parameter(group=TABLE, negative=(), help="Columns of values; all numbers when not given."),
    ] = None
    directions: Annotated[
        str | None,
        _column(
            "Which way measures that Credibly does not know are better: higher or lower for all, "
            "or by name: gain=higher,cost=lower."
        ),
    ] = None

    def read(self, path: Path) -> Results:
        """Read results from a file: Weka's, or a table."""
        from credibly.experiments import read_results
        from credibly.experiments.importers.weka_results import is_weka
        from credibly.io._declare import check_file

        check_file(path)
        named = {k: getattr(self, k) for k in ("dataset", "scheme", "repeat", "fold")}
        options: dict[str, Any] = {k: v for k, v in named.items() if v is not None}
        if self.values:
            options["measures"] = calls(self.values)
        directions = _by_name(self.directions)
        if isinstance(directions, dict) or (directions is not None and not is_weka(path)):
            options["directions"] = directions
        return read_results(path, **options)


def _by_name(text: str | None) -> str | dict[str, str] | None:
    """Read one word for all measures, or a word for each.

    >>> _by_name("lower"), _by_name("gain=higher, cost=lower")
    ('lower', {'gain': 'higher', 'cost': 'lower'})
    """
    if text is None or "=" not in text:
        return text
    parts = (call.rpartition("=") for call in calls([text]))
    return {name.strip(): direction.strip() for name, _, direction in parts}


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What is asked of the results."""

    measure: Annotated[
        str | None, _what("What to compare by; the first when not given. Also fit_seconds.")
    ] = None
    base: Annotated[
        str | None, _what("Scheme that others are marked against; the first when not given.")
    ] = None
    test: Annotated[str, _what("Test on each dataset, over its splits.")] = "corrected_resampled_t"
    correction: Annotated[
        str | None, _what("How ranks over datasets are judged: nemenyi, holm, shaffer ...")
    ] = None
    leave_out: Annotated[
        Literal["datasets", "schemes"], _what("What ranks leave out where the grid has gaps.")
    ] = "datasets"
    rope: Annotated[float, _what("Difference that nobody minds, for Bayesian tests.")] = 0.0
    test_train_ratio: Annotated[
        float | None, _what("Size of a test part over that of its training part, if not known.")
    ] = None
    pooled: Annotated[
        bool,
        Parameter(group=WHAT, negative=(), help="Also estimate from the pooled predictions."),
    ] = False
    confidence_level: Annotated[float, _what("Of the intervals; tests take the rest.")] = 0.95
    rng: Annotated[int | None, _what("Seed of the Bayesian test over datasets.")] = None

    def answer(self, path: Path, source: Source) -> tuple[Analysis, dict[str, str]]:
        """Analyse a folder or a file, and return what else is known of it."""
        from credibly.experiments import Store, analyse

        asked: dict[str, Any] = {k: getattr(self, k) for k in self.__slots__ if k != "pooled"}
        if not path.is_dir():
            return analyse(source.read(path), **asked), {"results": path.name}
        store = Store(path)
        try:
            results = store.results()
            if self.pooled:
                asked["predictions"] = {d: store.predictions(d) for d in results.datasets}
            return analyse(results, **asked), _facts(store, results)
        finally:
            store.close()


FILE, ALL = Source(), Questions()


def analyse(
    path: Path,
    *,
    questions: Questions = ALL,
    source: Source = FILE,
    output: Output = TEXT,
) -> None:
    """Say which schemes are better, on which datasets and over all of them.

    For instance:
      credibly experiment analyse runs/first --measure error_rate --base zero-r
      credibly experiment analyse weka.arff --base ZeroR --csv
      credibly experiment analyse results.csv --scheme learner --values rmse --test-train-ratio 0.111

    Parameters
    ----------
    path
        The folder of an experiment, results of Weka's Experimenter, or a table with a row a fit.
    """
    from credibly.cli.printing import print_answer

    analysis, _ = questions.answer(path, source)
    print_answer(
        analysis,
        output,
        heading=analysis.heading,
        said=list(analysis.remarks()),
        findings=analysis.findings,
    )


def report(
    path: Path,
    *,
    questions: Questions = ALL,
    source: Source = FILE,
    output: ReportFile = Path("experiment.html"),
    title: Title = None,
) -> None:
    """Write the report of an experiment as one file: a page without network, Markdown, LaTeX, JSON.

    For instance:
      credibly experiment report runs/first --measure error_rate --base zero-r -o first.html
      credibly experiment report weka.csv -o tables.tex

    Parameters
    ----------
    path
        The folder of an experiment, results of Weka's Experimenter, or a table with a row a fit.
    """
    from shlex import join

    from credibly import report as make_report
    from credibly.cli import TYPED
    from credibly.cli.printing import print_saved
    from credibly.reports.report import check_format

    check_format(output)  # before anything is computed
    analysis, facts = questions.answer(path, source)
    made = make_report(
        analysis,
        title=title or f"Experiment {path.resolve().name}",
        command=join(["credibly", *TYPED.get()]),
        facts=facts,
    )
    print_saved(made, output)


def import_results(path: Path, *, source: Source = FILE, output: Output = TEXT) -> None:
    """Read results made elsewhere and write them as a plain table, one row a fit.

    For instance:
      credibly experiment import weka.arff --csv > results.csv

    Parameters
    ----------
    path
        Results of Weka's Experimenter (CSV, ARFF), or a table with a row a fit.
    """
    from credibly.cli.printing import print_answer

    results = source.read(path)
    print_answer(results, output, findings=results.findings)


def _facts(store: Store, results: Results) -> dict[str, str]:
    """Return what a reader of a report needs to know of how the experiment was run."""
    facts = {"resampling": results.resampling}
    runs = store.runs()
    if runs:
        last = runs[-1]
        versions = ", ".join(f"{k} {v}" for k, v in last.get("versions", {}).items())
        facts |= {
            "runs": f"{len(runs)}, the first started {runs[0]['started']}",
            "seed": str(last.get("seed")),
            "versions": versions,
            "machine": f"{last.get('processor')}, {last.get('cores')} cores, {last.get('system')}",
        }
    read = {name: known["data"] for name, known in store.datasets().items() if "rows" in known}
    return {**facts, **{f"data of {name}": str(print_) for name, print_ in read.items()}}
