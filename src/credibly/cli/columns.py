"""The options that say how a file of predictions is read, the same for every command that reads one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

if TYPE_CHECKING:
    from credibly.predictions import Predictions

COLUMNS = Group.create_ordered(
    "Columns of the file (names are guessed where unambiguous, and said)"
)
WHAT = Group.create_ordered("What to report")


def _column(text: str) -> Parameter:
    return Parameter(group=COLUMNS, help=text)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column is what, and what the file does not say itself."""

    truth: Annotated[str | None, _column("What was observed.")] = None
    label: Annotated[str | None, _column("Predicted class.")] = None
    score: Annotated[str | None, _column("Score: larger where the positive class is likelier.")] = (
        None
    )
    probability: Annotated[
        str | None,
        _column("Probability of the positive class, or one column a class separated by commas."),
    ] = None
    value: Annotated[str | None, _column("Predicted number.")] = None
    weight: Annotated[str | None, _column("Case weight.")] = None
    weight_kind: Annotated[
        Literal["frequency", "importance"] | None,
        _column("Whether weights count repeated cases or say how much a case matters."),
    ] = None
    row: Annotated[str | None, _column("Identifier of the case.")] = None
    model: Annotated[str | None, _column("Name of the model.")] = None
    repeat: Annotated[str | None, _column("Repeat of the resampling.")] = None
    fold: Annotated[str | None, _column("Fold of the resampling.")] = None
    part: Annotated[str | None, _column("Part of the data: train, validation, test.")] = None
    group: Annotated[str | None, _column("Group that cases belong to.")] = None
    n_train: Annotated[str | None, _column("Size of the training part.")] = None
    baseline: Annotated[
        str | None,
        _column("Training prior of each class, separated by commas, or training mean."),
    ] = None
    positive: Annotated[str | None, Parameter(group=WHAT, help="The positive class.")] = None
    classes: Annotated[
        str | None, Parameter(group=WHAT, help="All classes in their order, separated by commas.")
    ] = None
    threshold: Annotated[
        float | None, Parameter(group=WHAT, help="Label positive from this score on.")
    ] = None
    tolerance: Annotated[
        float | None,
        Parameter(
            group=WHAT,
            help="How far probabilities may be from summing to 1, and bins may move a measure.",
        ),
    ] = None
    format: Annotated[
        str | None, Parameter(group=WHAT, help="Format of the file when its name does not tell.")
    ] = None

    def read(self, file: Path) -> Predictions:
        """Read a file with these options."""
        from credibly.io import bundled_options, read

        return read(file, **(bundled_options(file) | self.options()))

    def options(self) -> dict[str, Any]:
        """Return the arguments of `read` that were given."""
        given = {n: value for n in self.__slots__ if (value := getattr(self, n)) is not None}
        for name, split in (
            ("probability", one_or_many),
            ("baseline", one_or_many),
            ("classes", many),
        ):
            if name in given:
                given[name] = split(given[name])
        return given


DEFAULT = Columns()


def many(text: str | None) -> list[str] | None:
    """Split a list at its commas.

    >>> many("a, b"), many(None)
    (['a', 'b'], None)
    """
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def calls(texts: list[str] | None) -> list[str]:
    """Split lists at the commas outside brackets.

    >>> calls(["auc, fbeta(beta=2)", "kappa"]), calls(None)
    (['auc', 'fbeta(beta=2)', 'kappa'], [])
    """
    from credibly._core.parameters import split_calls

    return [call for text in texts or () for call in split_calls(text)]


def one_or_many(text: str | None) -> str | list[str] | None:
    """Return a name, or a list where there is a comma."""
    return many(text) if text is not None and "," in text else text
