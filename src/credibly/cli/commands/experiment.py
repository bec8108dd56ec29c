"""`credibly experiment`: many schemes on many datasets, kept in a folder that loses nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Group, Parameter

from credibly.cli.analysing import analyse, import_results, report
from credibly.cli.output import OUTPUT, TEXT, Output

if TYPE_CHECKING:
    from credibly.experiments import Experiment, Store

HOW = Group.create_ordered("How to run it")

command = App(help_format="plaintext")
command.command(analyse)
command.command(report)
command.command(import_results, name="import")


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Who does the work, and what a person sees of it."""

    jobs: Annotated[int, Parameter(group=HOW, help="Worker processes; -1 for all cores.")] = -1
    backend: Annotated[
        Literal["loky", "dask", "ray", "spark"],
        Parameter(group=HOW, help="Processes here, or a cluster by way of joblib."),
    ] = "loky"
    scheduler: Annotated[
        str | None,
        Parameter(group=HOW, help="Address of a Dask scheduler; a cluster here when not given."),
    ] = None
    retry_failed: Annotated[
        bool,
        Parameter(
            group=HOW,
            negative=(),
            help="Run again what failed before, or has damaged predictions.",
        ),
    ] = False
    strict: Annotated[
        bool, Parameter(group=HOW, negative=(), help="End with exit code 1 if any fit failed.")
    ] = False
    quiet: Annotated[
        bool, Parameter(group=HOW, negative=(), help="Show no progress and no table.")
    ] = False

    def run(self, experiment: Experiment, folder: Path) -> None:
        """Run an experiment, and print what came of it."""
        try:
            store = experiment.run(
                folder,
                n_jobs=self.jobs,
                backend=self.backend,
                scheduler=self.scheduler,
                retry_failed=self.retry_failed,
                progress=not self.quiet,
            )
        except (KeyboardInterrupt, SystemExit):
            from credibly.cli import complain

            complain(
                f"stopped; what is done is kept: `credibly experiment resume {folder}` goes on."
            )
            raise
        _print_store(store, table=not self.quiet)
        _refuse_failures(store, strict=self.strict)


ALL_CORES = Workers()


@command.default
def run(
    plan: Path,
    *,
    folder: Annotated[
        Path | None,
        Parameter(
            group=OUTPUT, help="Where to keep everything; the plan's name without its ending."
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        Parameter(
            group=HOW,
            negative=(),
            help="Say how many fits there are and how long they may take; keep nothing.",
        ),
    ] = False,
    workers: Workers = ALL_CORES,
) -> None:
    """Run many schemes on many datasets by a plan, or what is missing of it, and say which are better.

    A plan is a TOML file with schemes, datasets, a resampling, measures and a seed. For instance, plan.toml:
      rng = 1
      resampling = "10x10"
      measures = ["error_rate", "auc"]
      schemes = ["zero-r", "tree(max_depth=3)"]
      datasets = ["iris", "data/*.arff", {data = "churn.csv", target = "left"}]
      limits = {seconds = 60, memory = "2 GB"}

    Data files are looked for beside the plan. Then:
      credibly experiment plan.toml --dry-run
      credibly experiment plan.toml --folder results --jobs 4
      credibly experiment status results
      credibly experiment analyse results --measure auc

    Parameters
    ----------
    plan
        The plan, a TOML file.
    """
    from credibly._core.text import visible
    from credibly.cli.printing import print_cells, print_findings
    from credibly.experiments import Experiment

    experiment = Experiment.read(plan)
    home = folder or plan.with_suffix("" if plan.suffix else ".results")
    if not dry_run:
        workers.run(experiment, home)
        return
    made = experiment.forecast(home, n_jobs=workers.jobs, retry_failed=workers.retry_failed)
    print(
        visible(
            f"{made.heading()}\nResampling: {made.resampling}. Measures: {', '.join(made.measures)}."
        )
    )
    print_cells(*made.cells())
    print_findings(made.findings)


@command.command
def resume(folder: Path, *, workers: Workers = ALL_CORES) -> None:
    """Do what is missing in the folder of an experiment, with the plan that is kept there.

    Parameters
    ----------
    folder
        The folder of the experiment.
    """
    workers.run(_kept(folder), folder)


@command.command
def status(folder: Path, *, output: Output = TEXT) -> None:
    """Say what is done, what failed and what is missing, as the folder has it.

    The data are not looked at. Whether they have changed since then, and what is to be run again, says:
      credibly experiment plan.toml --folder FOLDER --dry-run

    Parameters
    ----------
    folder
        The folder of the experiment.
    """
    from credibly._core.text import visible
    from credibly.cli.printing import print_cells, print_findings, print_markdown, print_rows
    from credibly.experiments import Store
    from credibly.experiments.execution.status import standing

    now = standing(Store(folder))
    if output.json:
        print(now.to_json())
    elif output.csv:
        print_rows(now.rows())
    else:
        print(visible(now.heading()))
        (print_markdown if output.markdown else print_cells)(*now.cells())
        print_findings(now.findings)


@command.command
def export(
    folder: Path,
    *,
    to: Annotated[
        Path,
        Parameter(
            name=["--output", "-o"],
            group=OUTPUT,
            help="File to write; its name says the format: results as csv, json or parquet.",
        ),
    ],
    predictions: Annotated[
        str | None,
        Parameter(group=OUTPUT, help="Write the predictions for this dataset instead."),
    ] = None,
) -> None:
    """Write the results, one row a cell, or the predictions for a dataset, for other programs.

    For instance:
      credibly experiment export results -o cells.csv
      credibly experiment export results --predictions iris -o iris.parquet
      credibly evaluate iris.parquet --by fold

    Parameters
    ----------
    folder
        The folder of the experiment.
    """
    from credibly._core.text import visible
    from credibly.experiments import Store
    from credibly.experiments.analysis.export import export_results
    from credibly.io import save

    store = Store(folder)
    written = (
        export_results(store.results(), to)
        if predictions is None
        else save(store.predictions(predictions), to)
    )
    print(f"Wrote {visible(str(written))}")


@command.command
def gc(
    folder: Path,
    *,
    dry_run: Annotated[
        bool,
        Parameter(group=HOW, negative=(), help="Say what would be removed; remove nothing."),
    ] = False,
) -> None:
    """Remove results, predictions and data that the plan in force does not ask for, and say which.

    That is the plan of the last run in the folder.

    Parameters
    ----------
    folder
        The folder of the experiment.
    """
    from credibly._core.text import visible
    from credibly.experiments.store.removal import collect

    print(visible(str(collect(folder, dry_run=dry_run))))


@command.command
def verify(
    folder: Path,
    *,
    cells: Annotated[int, Parameter(help="How many to fit again.")] = 20,
    rng: Annotated[int, Parameter(help="Seed of the sample.")] = 1,
) -> None:
    """Compare data and predictions with their sums; fit a random sample of the cells again, bit for bit.

    Parameters
    ----------
    folder
        The folder of the experiment.
    """
    from credibly._core.errors import DataError
    from credibly._core.text import visible

    found = _kept(folder).verify(folder, cells=cells, rng=rng)
    if not found:
        raise DataError(str(found))
    print(visible(str(found)))


def _kept(folder: Path) -> Experiment:
    """Return the experiment whose plan is kept in a folder."""
    from credibly.experiments import Experiment, Store

    store = Store(folder)
    try:
        return Experiment.of(store.plan())
    finally:
        store.close()


def _print_store(store: Store, *, table: bool) -> None:
    from credibly._core.text import visible
    from credibly.cli.printing import print_cells, print_findings
    from credibly.experiments.execution.status import standing

    now = standing(store)
    print(visible(now.heading()))
    if table:
        print_cells(*store.results().cells())
    print_findings(now.findings)


def _refuse_failures(store: Store, *, strict: bool) -> None:
    from credibly._core.errors import DataError, count

    unread = [name for name, facts in store.datasets().items() if facts["error"]]
    if unread:
        raise DataError(f"{count(len(unread), 'dataset')} cannot be used: {', '.join(unread)}.")
    failed = sum(s != "done" for s in store.results().status)
    if strict and failed:
        raise DataError(f"{count(failed, 'fit')} failed; strict=True takes that for an error.")
