"""What `credibly experiment` says of results: `analyse`, `report` and `import`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from credibly.cli.options import OUTPUT, OUTPUT_OPTION, WHAT, Options, calls
from credibly.cli.output import TEXT, Output

if TYPE_CHECKING:
    from credibly.experiments import Analysis, Results, Store

TABLE = Group.create_ordered("Columns of a table of results (guessed if their names are clear)")


def by_name(text: str) -> str | dict[str, str]:
    """Read one word for all measures, or a word for each.

    >>> by_name("lower"), by_name("gain=higher, cost=lower")
    ('lower', {'gain': 'higher', 'cost': 'lower'})
    """
    if "=" not in text:
        return text
    parts = (call.rpartition("=") for call in calls([text]) or ())
    return {name.strip(): direction.strip() for name, _, direction in parts}


class ResultsSource(Options):
    """How a file of results is read; the folder of an experiment needs none of it."""

    verb = "credibly.experiments.importers.tables:read_results"
    takes = "dataset scheme repeat fold measures directions"
    group = TABLE
    names = {"measures": "values"}
    reads = {"measures": calls, "directions": by_name}
    says = {
        "measures": "Columns of values; all columns of numbers by default.",
        "directions": "Whether higher or lower is better, for measures that Credibly does not "
        "know: one word for all, or by name: gain=higher,cost=lower.",
    }

    def read(self, path: Path) -> Results:
        """Read results from a file: Weka's, or a table."""
        from credibly.experiments import read_results
        from credibly.experiments.importers.weka_results import is_weka
        from credibly.io._files import check_file

        check_file(path)
        if isinstance(self.get("directions"), str) and is_weka(path):
            del self["directions"]  # Weka says so itself
        return read_results(path, **self)


class Questions(Options):
    """What is asked of the results."""

    verb = "credibly.experiments.analysis.analyse:analyse"
    leave_out = "results predictions"


def answered(
    path: Path, questions: Questions, source: ResultsSource, *, pooled: bool
) -> tuple[Analysis, dict[str, str]]:
    """Analyse a folder or a file, and return what else is known of it."""
    from credibly.experiments import Store, analyse

    if not path.is_dir():
        return analyse(source.read(path), **questions), {"results": path.name}
    with closing(Store(path)) as store:
        results = store.results()
        if pooled:
            questions["predictions"] = {d: store.predictions(d) for d in results.datasets}
        return analyse(results, **questions), _facts(store, results)


Pooled = Annotated[
    bool,
    Parameter(group=WHAT, negative=(), help="Also compute estimates from the pooled predictions."),
]


def analyse(
    path: Path,
    *,
    questions: Questions,
    pooled: Pooled = False,
    source: ResultsSource,
    output: Output = TEXT,
) -> None:
    """Compare schemes on each dataset and over all of them.

    For instance:
      credibly experiment analyse runs/first --measure error_rate --base zero-r
      credibly experiment analyse weka.arff --base ZeroR --csv
      credibly experiment analyse results.csv --scheme learner --values rmse --test-train-ratio 0.111

    Parameters
    ----------
    path
        The folder of an experiment, results of Weka's Experimenter, or a table with a row a fit.
    """
    from credibly.cli.terminal import print_result

    analysis, _ = answered(path, questions, source, pooled=pooled)
    print_result(analysis, output)


def report(
    path: Path,
    *,
    questions: Questions,
    pooled: Pooled = False,
    source: ResultsSource,
    output: Annotated[Path, OUTPUT_OPTION] = Path("experiment.html"),
    title: Annotated[str | None, Parameter(group=OUTPUT)] = None,
) -> None:
    """Write the report of an experiment as one file: a page without network, Markdown, LaTeX, JSON.

    For instance:
      credibly experiment report runs/first --measure error_rate --base zero-r -o first.html
      credibly experiment report weka.csv -o tables.tex

    Parameters
    ----------
    path
        The folder of an experiment, results of Weka's Experimenter, or a table with a row a fit.
    output
        File to write; its suffix sets the format: .html, .md, .tex, .json or .docx.
    title
        Title; names the file or folder by default.
    """
    from credibly import report as make_report
    from credibly.cli import typed
    from credibly.cli.terminal import print_saved
    from credibly.reports.formats import check_format

    check_format(output)  # before anything is computed
    analysis, facts = answered(path, questions, source, pooled=pooled)
    name = title or f"Experiment {path.resolve().name}"
    print_saved(make_report(analysis, title=name, command=typed(), facts=facts), output)


def import_results(path: Path, *, source: ResultsSource, output: Output = TEXT) -> None:
    """Read results made elsewhere and write them as a plain table, one row per fit.

    For instance:
      credibly experiment import weka.arff --csv > results.csv

    Parameters
    ----------
    path
        Results of Weka's Experimenter (CSV, ARFF), or a table with a row a fit.
    """
    from credibly.cli.terminal import print_result

    print_result(source.read(path), output)


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
