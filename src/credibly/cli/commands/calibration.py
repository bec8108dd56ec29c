"""`credibly calibration`: can the probabilities of a file of predictions be believed."""

from __future__ import annotations

from pathlib import Path

from credibly.cli.columns import Columns
from credibly.cli.command_groups import FIRST
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output
from credibly.errors import ParameterError

GROUP = FIRST
EACH_CLASS = {"each-class", "each_class"}


def cut_points(text: str) -> int | list[float]:
    """Read how many groups there are, or where they are cut."""
    try:
        return [float(c) for c in text.split(",")] if "." in text or "," in text else int(text)
    except ValueError:
        raise ParameterError(
            f"groups must be a whole number, or cut points such as 0.2,0.5,0.8; got {text!r}."
        ) from None


class CalibrationOptions(Options):
    """How probabilities are judged."""

    verb = "credibly.calibration.calibration:calibration"
    leave_out = "predictions remainder"
    reads = {"groups": cut_points}
    says = {
        "groups": "How many groups of cases, or cut points separated by commas.",
        "of": "A class against the rest; each-class for every one; or top-label, the default of more than two classes.",
    }


def command(
    file: Path, /, *others: Path, columns: Columns, asked: CalibrationOptions, output: Output = TEXT
) -> None:
    """Check calibration: whether predicted probabilities agree with how often the outcome occurs.

    For instance:
      credibly calibration preds.csv --truth y --probability p --positive yes
      credibly calibration preds.csv --groups 5 --rng 1
      credibly calibration preds.csv --of each-class

    Parameters
    ----------
    file
        The file of predictions, one row per case.
    others
        Files of other models on the same cases, each named after its file.
    """
    from credibly.calibration import calibration, class_calibration
    from credibly.cli.terminal import print_result

    p = columns.read_models([file, *others])
    if asked.get("of") in EACH_CLASS:
        of_classes = {k: v for k, v in asked.items() if k not in {"of", "rule"}}
        print_result(class_calibration(p, **of_classes), output)  # type: ignore[arg-type]
    else:
        print_result(calibration(p, **asked), output)
