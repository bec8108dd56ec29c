"""`credibly label-sets`: cases with any number of labels each."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.command_groups import JUDGE
from credibly.cli.options import COLUMNS, Options
from credibly.cli.output import TEXT, Output
from credibly.cli.scored_cases import EVERY_SCORE, AskedScores

GROUP = JUDGE


class LabelOptions(Options):
    """The columns of the table."""

    verb = "credibly.case_scores.class_tables:read_label_sets"
    leave_out = "source predicted"
    group = COLUMNS


def command(
    file: Path,
    predicted: Path | None = None,
    /,
    *,
    table: LabelOptions,
    averages: bool = False,
    by_label: bool = False,
    cells: Path | None = None,
    asked: AskedScores = EVERY_SCORE,
    output: Output = TEXT,
) -> None:
    """Score cases with any number of labels each (multilabel): subset accuracy, Hamming loss, ranking ..., with intervals.

    For instance:
      credibly label-sets films.csv --truth drama,comedy --probability p_drama,p_comedy
      credibly label-sets films.csv --truth drama,comedy --label d,c --averages
      credibly label-sets films.csv --truth drama,comedy --label d,c --cells cells.csv
      credibly slices cells.csv --by label_name --measure f1
      credibly label-sets true.csv predicted.csv --row film --name genre

    Parameters
    ----------
    file
        A file with one row per case and a column of zeros and ones per label, or with a row for each case and label.
    predicted
        A second file of the latter form, with what was predicted.
    averages
        Show measures over all labels instead: micro, macro and weighted.
    by_label
        Show measures of each label instead, AUC and average precision among them where there are scores.
    cells
        File to write one row per case and label to: a two-class problem that other commands can read.
    """
    from credibly.case_scores.class_tables import read_label_sets
    from credibly.cli.terminal import print_result
    from credibly.io.save import save as save_to

    label_sets = read_label_sets(file, predicted=predicted, **table)
    if cells is not None:
        save_to(label_sets.cells, cells)
    if averages or by_label:
        shown = label_sets.averaged if averages else label_sets.by_label
        print_result(shown(confidence_level=asked.confidence_level), output)
    else:
        asked.show(label_sets, output)
