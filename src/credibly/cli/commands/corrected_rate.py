"""`credibly corrected-rate`: a rate by a judge of estimated sensitivity and specificity."""

from __future__ import annotations

from credibly.cli.command_groups import NUMBERS
from credibly.cli.options import Options
from credibly.cli.output import TEXT, Output

GROUP = NUMBERS


class CorrectedRateOptions(Options):
    """The judge's labels of all cases, and of those that people labelled."""

    verb = "credibly.judges.corrected_rate:corrected_rate"
    words = "judged_positive n true_positives positives true_negatives negatives"


def command(*, asked: CorrectedRateOptions, output: Output = TEXT) -> None:
    """Correct a rate by a judge for its mistakes (Rogan-Gladen), with the interval of Lang and Reiczigel.

    For instance, where a judge passes 230 of 1,000 answers, 45 of 50 that people pass, and fails 92 of 100
    that people fail:
      credibly corrected-rate 230 1000 45 50 92 100
    """
    from credibly.cli.terminal import print_result
    from credibly.judges.corrected_rate import corrected_rate

    print_result(corrected_rate(**asked), output)
