"""Checks of what was learned from and what was judged on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from credibly._core.errors import count
from credibly.checks._declare import Verdict, check_of, fired, not_applicable, passed
from credibly.predictions.labels import distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from credibly.checks.dossier import Dossier
    from credibly.predictions import Predictions

TRAINING = {"train", "training"}
TUNING = {"validation", "tuning", "development"}
FEW = 5
SPLIT_ONCE = ("leave_one_group_out", "grouped", "fold_column")


@check_of(
    "Judged on training data",
    severity="problem",
    action="Judge on rows that were not used for training.",
)
def training_rows(d: Dossier) -> Verdict:
    """Rows of the training part are among those judged: the model has seen them."""
    if d.predictions.part is None:
        return not_applicable("It is not said to which part of the data rows belong (part=).")
    seen = sum(str(v).lower() in TRAINING for v in d.predictions.part.tolist())
    if d.resampling.startswith(("bootstrap", "resubstitution")) and 0 < seen < d.predictions.n:
        return passed("Training rows are there for estimates that need them, and kept apart.")
    if seen:
        return fired(f"{count(seen, 'row')} of {d.predictions.n:,} belong to the training part.")
    return passed(f"None of {d.predictions.n:,} rows belongs to the training part.")


@check_of(
    "Test rows also in training",
    severity="problem",
    action="Remove them from the test rows, or split before copying.",
)
def rows_seen_in_training(d: Dossier) -> Verdict:
    """Attributes of a judged row are the same as those of a row that was trained on."""
    if d.training is None or d.features is None:
        return not_applicable(
            "The rows trained on (training=) and judged (features=) are not given."
        )
    known = set(_row_keys(d.training))
    seen = [i for i, key in enumerate(_row_keys(d.features)) if key in known]
    if seen:
        first = ", ".join(map(str, seen[:FEW]))
        return fired(
            f"{count(len(seen), 'judged row')} also stand among the training rows: {first}."
        )
    return passed("No judged row has the attributes of a training row.")


@check_of(
    "Duplicates across folds",
    severity="problem",
    action="Give equal rows the same group and resample groups.",
)
def duplicates_across_folds(d: Dossier) -> Verdict:
    """Rows with the same attributes lie in different folds, so each is trained on for judging the other."""
    first = next(iter(d.models.values()))
    if d.features is None or first.fold is None:
        return not_applicable("Attributes of the judged rows (features=) or folds are not given.")
    keys = _row_keys(d.features)
    if len(keys) != first.n:
        return not_applicable(f"There are {len(keys)} rows of features for {first.n} predictions.")
    split = _split_values(distinct(np.array(keys, object)).codes, first)
    if split:
        return fired(f"{count(split, 'distinct row')} occur in more than one fold.")
    return passed("Equal rows lie in the same fold.")


@check_of(
    "Groups across folds",
    severity="problem",
    action="Resample whole groups, such as with resampling='grouped'.",
)
def groups_across_folds(d: Dossier) -> Verdict:
    """Cases of one group (a patient, a town) are trained on for judging others of the same group."""
    first = next(iter(d.models.values()))
    if first.group is None or first.fold is None:
        return not_applicable("There are no groups (group=) or no folds (fold=).")
    split = _split_values(distinct(first.group).codes, first)
    if split:
        return fired(
            f"{count(split, 'group')} of {len(distinct(first.group).values)} are spread over folds."
        )
    return passed("Each group lies in one fold.")


@check_of(
    "Tuned on the test set",
    severity="problem",
    action="Tune inside the training part, and judge once on rows kept for it.",
)
def tuned_on_test(d: Dossier) -> Verdict:
    """The rows judged were used to choose parameters, thresholds or the model."""
    part = d.predictions.part
    chosen = 0 if part is None else sum(str(v).lower() in TUNING for v in part.tolist())
    if chosen:
        return fired(f"{count(chosen, 'row')} belong to the part that choices were made on.")
    if d.tuned_on is None:
        return not_applicable("It is not said what choices were made on (tuned_on=).")
    if d.tuned_on.lower() in {"test", "all"}:
        return fired(f"Choices were made on {d.tuned_on!r}, the rows that are judged.")
    return passed(f"Choices were made on {d.tuned_on!r}.")


@check_of(
    "Classes absent from folds",
    severity="caution",
    action="Use fewer folds, or stratified ones.",
)
def classes_absent_from_folds(d: Dossier) -> Verdict:
    """A class does not occur in some test fold, where its measures are undefined."""
    return _folds_with(d, 1, "lack a class")


@check_of(
    "Classes rare in folds",
    severity="note",
    action="Read values of single folds with care; pool them or repeat the resampling.",
)
def classes_rare_in_folds(d: Dossier) -> Verdict:
    """A class has fewer than five cases in some test fold, so that a value there is mostly chance."""
    return _folds_with(d, FEW, f"hold fewer than {FEW} cases of some class")


def _folds_with(d: Dossier, least: int, what: str) -> Verdict:
    if not d.folds or d.known.task != "classification":
        return not_applicable("There are no folds of classified cases.")
    if d.resampling.startswith(("leave_one_out", "leave_pair_out")):
        return not_applicable("Test parts of one or two cases cannot hold every class.")
    parts = next(iter(d.folds.values()))
    k = len(d.known.classes)
    poor = sum(np.bincount(p.truth, minlength=k).min() < least for p in parts)
    if poor:
        return fired(f"{poor} of {len(parts)} folds {what}.")
    return passed(f"Every class has at least {least} cases in each of {len(parts)} folds.")


@check_of(
    "Leave-one-out",
    severity="caution",
    action="Use ten-fold stratified cross-validation; for an AUC leave pairs out.",
)
def leave_one_out(d: Dossier) -> Verdict:
    """Each case is judged by a model that saw the other class a little more often.

    A rule that predicts the majority is then wrong every time on balanced classes, and a pooled AUC
    falls below one half for a model that knows nothing.
    """
    single = d.folds and all(p.n == 1 for parts in d.folds.values() for p in parts)
    if not (single or d.resampling.startswith("leave_one_out")):
        return not_applicable("Cases were not left out one by one.")
    if d.known.task != "classification":
        return passed("Numbers are predicted: no class is held out against its kind.")
    return fired(
        "Cases were left out one by one: pooled AUC and majority-like rules are misjudged."
    )


@check_of(
    "Memoriser under the bootstrap",
    severity="caution",
    action="Use .632+ or the out-of-bag estimate.",
)
def memoriser(d: Dossier) -> Verdict:
    """A model without any error on its training rows makes the .632 estimate too good."""
    part = d.predictions.part
    if part is None or not d.resampling.startswith("bootstrap"):
        return not_applicable("These are not bootstrap predictions.")
    seen = np.array([str(v).lower() in TRAINING for v in part.tolist()])
    p = d.predictions.take(seen)
    wrong = d.wrong(p) if p.n else None
    if wrong is None:
        return not_applicable("There are no labels of training rows.")
    names = np.full(p.n, "model") if p.model is None else p.model
    perfect = [str(m) for m in distinct(names).values if not wrong[names == m].any()]
    if perfect:
        return fired(
            f"{', '.join(perfect)} makes no error on its training rows: .632 weighs that zero in."
        )
    return passed("Every model makes errors on its training rows too.")


@check_of(
    "Failed fits",
    severity="problem",
    action="Mend the scheme or leave it out; what is left does not stand for all folds.",
)
def failed_fits(d: Dossier) -> Verdict:
    """A scheme failed on some training parts, so its estimates rest on the folds that were easy for it."""
    made = d.predictions.provenance
    if made is None or not made.fits:
        return not_applicable("There is no record of fits.")
    if made.failed:
        models = ", ".join(dict.fromkeys(f.model for f in made.failed))
        return fired(
            f"{len(made.failed)} of {len(made.fits)} fits failed ({models}): {made.failed[0].error[:200]}"
        )
    return passed(f"All {len(made.fits)} fits succeeded.")


def _split_values(codes: NDArray[np.int64], p: Predictions) -> int:
    """Return how many values occur in more than one fold of a repeat."""
    fold = distinct(p.need("fold", "this check")).codes
    repeat = np.zeros(p.n, np.int64) if p.repeat is None else distinct(p.repeat).codes
    cells = np.unique(np.column_stack([repeat, codes, fold]), axis=0)
    _, in_folds = np.unique(cells[:, :2], axis=0, return_counts=True)
    values = np.unique(cells[:, :2], axis=0)[in_folds > 1, 1]
    return np.unique(values).size


def _row_keys(rows: Any) -> list[bytes]:  # noqa: ANN401
    """Return one key a row, the same for the same attributes."""
    array = np.asarray(rows)
    if array.ndim == 1:
        array = array[:, None]
    if array.dtype.kind in "fiub":
        plain = np.ascontiguousarray(array.astype(np.float64) + 0.0)  # -0.0 is 0.0
        return [row.tobytes() for row in plain]
    return [repr(row.tolist()).encode() for row in array]
