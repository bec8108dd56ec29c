"""Checks of training parts and test parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credibly._core.text import count, some_rows
from credibly.checks._declare import (
    TUNING_PARTS,
    CheckContext,
    Verdict,
    caution,
    fired,
    given,
    needs,
    not_applicable,
    note,
    passed,
    problem,
    rows_of_part,
)
from credibly.errors import DataError, says
from credibly.predictions import Predictions
from credibly.predictions.labels import distinct
from credibly.predictions.numbering import fold_numbers, repeat_numbers
from credibly.predictions.parts import TRAINING_PARTS
from credibly.resampling._equal_rows import by_chance, equal_rows

MIN_CLASS_CASES = 5


@problem(
    "Judged on training data",
    remedy="Evaluate rows that were not used for training.",
    same_as=("resubstitution", "tested-on-training-rows"),
    of_outcomes=True,
)
def training_rows(d: CheckContext) -> Verdict:
    """Rows of the training part are among those judged: the model has seen them."""
    needs(
        d.predictions.part is not None,
        "It is not stated which part of the data the rows belong to (<part=>).",
    )
    seen = int(rows_of_part(d.predictions, TRAINING_PARTS).sum())
    if seen:
        return fired(f"{count(seen, 'row')} of {d.predictions.n:,} belong to the training part.")
    return passed(f"None of {count(d.predictions.n, 'judged row')} belongs to the training part.")


@problem(
    "Test rows also in the training part",
    remedy="Remove them from the test rows, or split the data before copying rows.",
)
def rows_seen_in_training(d: CheckContext) -> Verdict:
    """Attributes of a judged row are the same as those of a row that was trained on."""
    needs(
        d.training is not None and d.features is not None,
        "The training rows (<training=>) and the evaluated rows (<features=>) are not given.",
    )
    both = _together(d.training, d.features)
    codes = equal_rows(both)
    size = codes.size - _length(d.features)
    seen = np.flatnonzero(np.isin(codes[size:], codes[:size]))
    if not seen.size:
        return passed("No evaluated row has the same attributes as a training row.")
    chance = by_chance(both)
    text = (
        f"{count(seen.size, 'judged row')} also {'stands' if seen.size == 1 else 'stand'} among "
        f"the training rows ({chance}): {some_rows(seen.tolist())}."
    )
    return passed(text) if chance.enough else fired(text)


@problem(
    "Duplicates across folds",
    remedy="Put equal rows into the same group, and resample groups.",
    same_as=("duplicates-across-parts",),
)
def duplicates_across_folds(d: CheckContext) -> Verdict:
    """Rows with the same attributes lie in different folds, so one is used in training while the other is tested."""
    needs(
        d.features is not None and d.fold_codes is not None,
        "The attributes of the evaluated rows (<features=>) or the folds are not given.",
    )
    p = d.beside_features
    sizes = f"There are {_length(d.features):,} rows of features for {p.n:,} predictions."
    codes = given(_of_rows(equal_rows(d.features), p), sizes)
    split = _in_several_folds(codes, p)
    if not split:
        return passed("Equal rows lie in the same fold.")
    chance = by_chance(d.features)
    text = f"{count(split, 'distinct row')} occur in more than one fold ({chance})."
    return passed(text) if chance.enough else fired(text)


@problem(
    "Groups across folds",
    remedy="Resample whole groups, for instance with <resampling='grouped_folds'>.",
    same_as=("groups-split",),
)
def groups_across_folds(d: CheckContext) -> Verdict:
    """Cases of one group (a patient, a town) are used in training while others of it are tested."""
    if d.first.group is None or d.fold_codes is None:
        return not_applicable(says("There are no groups (<group=>) or no folds (<fold=>)."))
    groups = distinct(d.first.group)
    split = _in_several_folds(groups.codes, d.first)
    if split:
        return fired(f"{count(split, 'group')} of {len(groups.values):,} are spread over folds.")
    return passed("Each group lies in one fold.")


@problem(
    "Tuned on the test set",
    remedy="Tune inside the training part, and evaluate once on rows kept for this.",
    same_as=("validation-part",),
    of_outcomes=True,
)
def tuned_on_test(d: CheckContext) -> Verdict:
    """The rows judged were used to choose parameters, thresholds or the model."""
    chosen = int(rows_of_part(d.predictions, TUNING_PARTS).sum())
    if chosen:
        return fired(f"{count(chosen, 'row')} belong to the part on which choices were made.")
    on = given(d.tuned_on, "It is not stated which rows choices were made on (<tuned_on=>).")
    if on.lower() in {"test", "all"}:
        return fired(f"Choices were made on {on!r}, the rows that are evaluated.")
    return passed(f"Choices were made on {on!r}.")


@caution(
    "Classes absent from folds",
    remedy="Use fewer folds, or stratified ones.",
    same_as=("class-absent-from-test",),
)
def classes_absent_from_folds(d: CheckContext) -> Verdict:
    """A class does not occur in some test fold, where its measures are undefined."""
    least = _rarest_in_folds(d)
    poor = int((least == 0).sum())
    if poor:
        return fired(f"{poor} of {least.size} folds lack a class.")
    return passed(f"Every class occurs in each of {least.size} folds.")


@note(
    "Classes rare in folds",
    remedy="Interpret the values of single folds with care; pool the folds or repeat the resampling.",
    same_as=("small-folds",),
)
def classes_rare_in_folds(d: CheckContext) -> Verdict:
    """A class has fewer than five cases in some test fold, so that a value there is mostly chance."""
    least = _rarest_in_folds(d)
    poor = int(((least > 0) & (least < MIN_CLASS_CASES)).sum())
    if poor:
        return fired(
            f"{poor} of {least.size} folds hold fewer than {MIN_CLASS_CASES} cases of some class."
        )
    return passed(f"No class has fewer than {MIN_CLASS_CASES} cases in a fold that has it.")


def _rarest_in_folds(d: CheckContext) -> NDArray[np.float64]:
    """Return the cases of the rarest class in each test part."""
    why = "There are no folds of classified cases."
    needs(d.known.task == "classification", why)
    k = len(d.known.classes)
    sizes = np.bincount(given(d.fold_codes, why) * k + d.first.truth, d.first.counts)
    counts = np.append(sizes, np.zeros(-sizes.size % k, sizes.dtype)).reshape(-1, k)
    needs(
        counts.sum(axis=1).max() > max(k, 2),
        "Test parts of one or two cases cannot hold every class.",
    )
    return counts.min(axis=1)


@caution(
    "Leave-one-out",
    remedy="Use stratified ten-fold cross-validation; for an AUC, use leave-pair-out.",
    same_as=("leave-one-out-majority", "not-stratified", "pooled-ranks", "small-folds"),
)
def leave_one_out(d: CheckContext) -> Verdict:
    """Each case is judged by a model that saw the other class a little more often.

    A rule that predicts the majority is then wrong every time on balanced classes, and a pooled AUC
    falls below one half for a model that knows nothing.
    """
    needs(d.leaves_one_out, "This is not leave-one-out.")
    if d.known.task != "classification":
        return passed(
            "Numbers are predicted, so leaving out a case does not change the class shares."
        )
    return fired(
        "This is leave-one-out: the pooled AUC and rules like the majority rule are misjudged."
    )


@caution(
    "Memoriser under the bootstrap",
    remedy="Use .632+ or the out-of-bag estimate.",
    same_as=("memoriser",),
)
def memoriser_under_bootstrap(d: CheckContext) -> Verdict:
    """A model without any error on its training rows makes the .632 estimate too good."""
    needs(
        d.predictions.part is not None and "bootstrap" in d.resampling,
        "These are not bootstrap predictions.",
    )
    p = d.predictions.seen
    wrong = None if p is None else d.wrong(p)
    if p is None or wrong is None:
        return not_applicable("There are no labels of training rows.")
    names = distinct(np.zeros(p.n) if p.model is None else p.model)
    faultless = np.flatnonzero(np.bincount(names.codes, wrong) == 0).tolist()
    perfect = ["The model" if p.model is None else str(names.values[i]) for i in faultless]
    if perfect:
        return fired(
            f"{', '.join(perfect)} {'makes' if len(perfect) == 1 else 'make'} no error on training "
            "rows, which inflates the .632 estimate."
        )
    return passed("Every model makes errors on its training rows too.")


@problem(
    "Failed fits",
    remedy="Fix the scheme or leave it out; the remaining fits do not represent all folds.",
    same_as=("failed-fits",),
)
def failed_fits(d: CheckContext) -> Verdict:
    """A scheme failed on some training parts, so its estimates rest on the folds that were easy for it."""
    provenance = d.predictions.provenance
    if provenance is None or not provenance.fits:
        return not_applicable("There is no record of fits.")
    if provenance.failed:
        models = ", ".join(dict.fromkeys(f.model for f in provenance.failed))
        return fired(
            f"{len(provenance.failed)} of {len(provenance.fits)} fits failed ({models}): {provenance.failed[0].error[:200]}"
        )
    return passed(f"All {len(provenance.fits)} fits succeeded.")


def _in_several_folds(codes: NDArray[Any], p: Predictions) -> int:
    """Return how many values occur in more than one fold of a repeat."""
    fold, repeat = fold_numbers(p), repeat_numbers(p)
    size, folds = int(codes.max()) + 1, int(fold.max()) + 1
    cells = np.unique((repeat * size + codes) * folds + fold) // folds
    twice = cells[1:][cells[1:] == cells[:-1]]  # sorted, so a value of several folds stands twice
    return np.unique(twice % size).size


def _of_rows(codes: NDArray[np.intp], p: Predictions) -> NDArray[np.intp] | None:
    """Return the code of each prediction, by its place or by the number of its row."""
    if codes.size == p.n and p.repeat is None:
        return codes
    numbered = p.row is not None and p.row.dtype.kind in "iu"
    if numbered and p.row.min() >= 0 and p.row.max() < codes.size:  # type: ignore[union-attr]
        return codes[p.row]
    return codes if codes.size == p.n else None


def _together(training: Any, features: Any) -> Any:  # noqa: ANN401
    """Put two sets of rows below each other."""
    if hasattr(training, "tocsr"):
        from scipy.sparse import vstack

        return vstack([training, features]).tocsr()
    above, below = (np.asarray(rows) for rows in (training, features))
    if above.shape[1:] != below.shape[1:]:
        raise DataError(
            f"training and features must have the same columns; their shapes are {above.shape} and {below.shape}."
        )
    return np.concatenate([above, below])


def _length(rows: Any) -> int:  # noqa: ANN401
    return int(rows.shape[0]) if hasattr(rows, "shape") else len(rows)
