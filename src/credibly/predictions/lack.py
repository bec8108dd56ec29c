"""What predictions lack for something: the column or parameter that is missing, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from credibly._core.layout import Printed
from credibly.errors import Argument, MissingColumnError, Sentence, says

if TYPE_CHECKING:
    from credibly.predictions.table import PredictionColumns

# What a table of counts cannot hold, whatever is set.
LOST_BY_COUNTING = ("score", "probability", "value", "outcome", "row", "fold", "repeat", "group")


@dataclass(frozen=True, slots=True)
class Lack(Printed):
    """A column, class or parameter that is missing, by the name of its argument; written in words."""

    name: str
    words: str
    remedy: str = ""

    def __str__(self) -> str:
        return self.words

    def refuse(self, p: PredictionColumns, wanted_by: str) -> NoReturn:
        """Say who wanted it, what there is instead, and what to do."""
        have, counted = p.provides, p.design.counted and self.name in LOST_BY_COUNTING
        raise MissingColumnError(
            says(
                "{who} needs {what}; {these} have: {have}.",
                who=wanted_by,
                what=self,
                these="counts have none: these predictions" if counted else "these predictions",
                have=", ".join(have) or "none",
            ),
            asked=self.name,
            choices=have,
            remedy="Give the predictions themselves, one row for each case."
            if counted
            else self.remedy
            if p.task == "classification" or self.name not in CLASSIFICATION_ONLY
            else f"It judges predicted classes; these are {'predicted numbers' if p.task == 'numeric' else 'outcomes'}.",
        )


# What numbers and outcomes cannot have.
CLASSIFICATION_ONLY = {"label", "score", "probability", "positive"}
POSITIVE = Lack("positive", "a positive class", says("Set <positive=...>."))
SCORE = Lack(
    "score",
    "a score or probability",
    says("Set <score=...> or <probability=...>, or use a measure of labels such as accuracy."),
)
CLASSES = Lack("label", "classification predictions")
NUMBERS = Lack(
    "value",
    "numeric predictions",
    says("It judges predicted numbers, such as those of <value=...>."),
)
OUTCOMES = Lack(
    "outcome",
    "outcomes of cases",
    says("It judges cases that were scored elsewhere, such as those of <outcome=...>."),
)
PASS_OR_FAIL = Lack(
    "outcome",
    "outcomes that are pass or fail (1 or 0)",
    says("Use <measure='mean_outcome'>."),
)
LACK_OF_TASK = {"classification": CLASSES, "numeric": NUMBERS, "outcome": OUTCOMES}
BASELINE = Lack(
    "baseline",
    "baseline",
    says(
        "Set <baseline=...> to the class probabilities (or the mean) of the training part: "
        "those of the test part describe no rule that could have been used."
    ),
)
_KNOWN = {lack.name: lack for lack in (POSITIVE, BASELINE)}


@cache
def lack_of(name: str) -> Lack:
    """Return the lack of a column or parameter.

    >>> print(lack_of("fold"), lack_of("positive"), lack_of("positive").remedy, sep="; ")
    fold; a positive class; Set positive=...
    """
    return _KNOWN.get(name) or Lack(name, name, Sentence("Set ", Argument(name, ...), "."))
