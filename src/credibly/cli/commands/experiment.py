"""`credibly experiment`: many schemes on many datasets, kept in a folder that loses nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from credibly._core.text import count, visible
from credibly.cli.command_groups import LEARN
from credibly.cli.experiment_results import analyse, import_results, report
from credibly.cli.options import OUTPUT, OUTPUT_OPTION, Options
from credibly.cli.output import TEXT, Output
from credibly.errors import DataError, says

if TYPE_CHECKING:
    from credibly.experiments import Experiment, Store

GROUP = LEARN

HOW = Group.create_ordered("How to run it")
RUN_OPTION = Parameter(group=HOW)


class WorkerOptions(Options):
    """Who does the work, and what a person sees of it."""

    verb = "credibly.experiments.experiment:Experiment.run"
    leave_out = "folder progress"
    group = HOW


Strict = Annotated[
    bool, Parameter(group=HOW, negative=(), help="Exit with code 1 if any fit failed.")
]
Quiet = Annotated[bool, Parameter(group=HOW, negative=(), help="Show no progress and no table.")]


def command(
    plan: Path,
    *,
    folder: Path | None = None,
    dry_run: Annotated[bool, RUN_OPTION] = False,
    workers: WorkerOptions,
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Run many schemes on many datasets by a plan, resume an interrupted run, and compare the schemes.

    A plan is a TOML file with schemes, datasets, a resampling, measures and a seed. For instance,
    plan.toml:
      rng = 1
      resampling = "10x10"
      measures = ["error_rate", "auc"]
      schemes = ["zero-r", "tree(max_depth=3)"]
      datasets = ["iris", "data/*.arff", {data = "churn.csv", target = "left"}]
      limits = {seconds = 60, memory = "2 GB"}

    Data files are looked up in the folder of the plan. Then:
      credibly experiment plan.toml --dry-run
      credibly experiment plan.toml --folder results --jobs 4
      credibly experiment status results
      credibly experiment analyse results --measure auc

    Parameters
    ----------
    plan
        The plan, a TOML file.
    folder
        Folder for everything; by default the name of the plan without its suffix.
    dry_run
        Say how many fits there are and how long they may take, without running them.
    """
    from credibly.cli.terminal import print_result
    from credibly.experiments import Experiment

    experiment = Experiment.read(plan)
    home = folder or plan.with_suffix("" if plan.suffix else ".results")
    if not dry_run:
        _run(experiment, home, workers, strict=strict, quiet=quiet)
        return
    forecast = {k: v for k, v in workers.items() if k in {"n_jobs", "retry_failed"}}
    made = experiment.forecast(home, **forecast)
    text = f"Resampling: {made.resampling}. Measures: {', '.join(made.measures)}."
    print_result(made, TEXT, remarks=[text])


def resume(
    folder: Path, *, workers: WorkerOptions, strict: Strict = False, quiet: Quiet = False
) -> None:
    """Run what is missing in the folder of an experiment, with the plan stored there.

    Parameters
    ----------
    folder
        The folder of the experiment.
    """
    _run(_kept(folder), folder, workers, strict=strict, quiet=quiet)


def _run(
    experiment: Experiment, folder: Path, workers: WorkerOptions, *, strict: bool, quiet: bool
) -> None:
    """Run an experiment, and print its results."""
    try:
        store = experiment.run(folder, progress=not quiet, **workers)
    except (KeyboardInterrupt, SystemExit):
        from credibly.cli import complain

        complain(
            f"stopped; finished fits are kept: `credibly experiment resume {folder}` continues."
        )
        raise
    _print_store(store, table=not quiet)
    _refuse_failures(store, strict=strict)


def status(folder: Path, *, output: Output = TEXT) -> None:
    """Say what is done, what failed and what is missing in the folder.

    This does not read the data. To see whether they have changed, and what must be run again:
      credibly experiment plan.toml --folder FOLDER --dry-run

    Parameters
    ----------
    folder
        The folder of the experiment.
    """
    from credibly.cli.terminal import print_result
    from credibly.experiments import Store

    print_result(Store(folder).standing(), output)


def export(
    folder: Path,
    *,
    to: Annotated[Path, OUTPUT_OPTION],
    predictions: Annotated[str | None, Parameter(group=OUTPUT)] = None,
) -> None:
    """Write results, one row per cell, or the predictions for a dataset.

    For instance:
      credibly experiment export results -o cells.csv
      credibly experiment export results --predictions iris -o iris.parquet
      credibly evaluate iris.parquet --by fold

    Parameters
    ----------
    folder
        The folder of the experiment.
    to
        File to write; its suffix sets the format: .csv, .json or .parquet for results.
    predictions
        Write the predictions for this dataset instead.
    """
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


def gc(folder: Path, *, dry_run: Annotated[bool, RUN_OPTION] = False) -> None:
    """Remove what the current plan does not ask for, and list it.

    The current plan is that of the last run in the folder.

    Parameters
    ----------
    folder
        The folder of the experiment.
    dry_run
        Say what would be removed, without removing it.
    """
    from credibly.experiments.store.removal import collect

    print(visible(str(collect(folder, dry_run=dry_run))))


def verify(folder: Path, *, cells: int = 20, rng: int = 1) -> None:
    """Compare data and predictions with their checksums, and refit a random sample of the cells to check that they agree bit for bit.

    Parameters
    ----------
    folder
        The folder of the experiment.
    cells
        How many cells to refit.
    rng
        Seed of the sample.
    """
    verification = _kept(folder).verify(folder, cells=cells, rng=rng)
    if not verification:
        raise DataError(str(verification))
    print(visible(str(verification)))


def _kept(folder: Path) -> Experiment:
    """Return the experiment whose plan is kept in a folder."""
    from credibly.experiments import Experiment, Store

    with closing(Store(folder)) as store:
        return Experiment.of(store.plan())


def _print_store(store: Store, *, table: bool) -> None:
    from credibly.cli.terminal import print_findings, table_text

    now = store.standing()
    print(visible(now.heading()))
    if table:
        print(table_text(*store.results().cells()))
    print_findings(now.findings)


def _refuse_failures(store: Store, *, strict: bool) -> None:
    unread = [name for name, facts in store.datasets().items() if facts["error"]]
    if unread:
        raise DataError(f"{count(len(unread), 'dataset')} cannot be used: {', '.join(unread)}.")
    done = store.results().status == "done"
    fits = count(int((~done).sum()), "fit")
    if not done.any():
        raise DataError(
            f"All {fits} failed.",
            remedy=says("Fix the schemes or the data, then resume with <retry_failed=True>."),
        )
    if strict and not done.all():
        raise DataError(says("{fits} failed; <strict=True> treats that as an error.", fits=fits))


def subcommands() -> dict[str, Callable[..., None]]:
    """Return what else is done with experiments, by name."""
    under = (analyse, report, import_results, resume, status, export, gc, verify)
    return {each.__name__.removesuffix("_results"): each for each in under}
