"""`credibly final-model`: the model to keep, once its scheme has been evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from credibly.cli.command_groups import LEARN
from credibly.cli.data import DataColumns
from credibly.cli.options import HOW, OUTPUT_OPTION, Options
from credibly.cli.output import TEXT, Output

GROUP = LEARN


class FinalModelOptions(Options):
    """How it is fitted."""

    verb = "credibly.running.final:final_model"
    takes = "task rng"
    group = HOW
    defaults = {"rng": 1}


def command(
    data: str,
    /,
    *,
    columns: DataColumns,
    scheme: Annotated[str, Parameter(group=HOW)],
    asked: FinalModelOptions,
    model: Annotated[Path, OUTPUT_OPTION],
    output: Output = TEXT,
) -> None:
    """Fit one scheme on all data, and save the model with a note about it.

    Evaluate the scheme with `credibly run` first: those estimates are about models like this one. The
    note is a file of the same name with .json added, and holds inputs, classes, versions and a hash.
    Loading a pickle runs the code in it: only load files that you trust.

    For instance:
      credibly run loans.csv --target default --scheme forest
      credibly final-model loans.csv --target default --scheme forest -o loans.joblib
      credibly final-model iris --scheme "tree(max_depth=3)" -o iris.pkl --json

    Parameters
    ----------
    data
        A file, or the name of a bundled dataset.
    scheme
        One learning scheme, such as 'tree(max_depth=3)'.
    model
        File to write: .pkl or .pickle, or .joblib.
    """
    from dataclasses import replace

    from credibly._core.text import visible
    from credibly.cli.terminal import print_result
    from credibly.running import final_model
    from credibly.running.final import model_format, note_of

    model_format(model)  # a file that cannot be written is reported before anything is fitted
    table = columns.read(data)
    made = final_model(
        scheme,
        table.X,
        table.y,
        groups=table.group,
        sample_weight=table.weight,
        names=table.names,
        target=table.target,
        **asked,
    )
    made = replace(made, findings=table.and_more(made.findings))
    made.save(model)
    print_result(made, output)
    if not (output.json or output.csv):
        print(f"\nWrote {visible(str(model))} and {visible(str(note_of(model)))}")
