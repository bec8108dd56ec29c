"""Which column is what: by what was asked for, and by names and values where that is clear."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from credibly.errors import (
    Argument,
    DataError,
    listed,
    says,
)
from credibly.io.classes import by_prefix
from credibly.io.guesses import is_predicted, lacking, maybe_columns
from credibly.io.roles import (
    ESSENTIAL_ROLES,
    PREDICTION_NAMES,
    PREDICTION_ROLES,
    Roles,
    distinct_values,
    existing,
)
from credibly.predictions.column_names import (
    BETTER_COLUMN,
    CLASSES_COLUMN,
    HIGHEST_COLUMN,
    LOWEST_COLUMN,
    METRIC_NAMES,
    NAMES,
    OUTCOME_NAME_COLUMN,
    POSITIVE_COLUMN,
    PREDICTED_NAMES,
    WEIGHT_KIND,
    plain_name,
    split_prefix,
)
from credibly.predictions.labels import MAX_NUMBER_CLASSES
from credibly.predictions.outcomes import is_pass_or_fail
from credibly.predictions.recognition import Recognised, of_all_models

if TYPE_CHECKING:
    from credibly.io._source import Source
    from credibly.io.roles import Spec


OF_CLASSES = {"probability", "baseline", "outcome"}  # roles that several columns may have


def assign(
    source: Source,
    asked: Mapping[str, Spec | None],
    *,
    threshold: bool = False,
    positive: object = None,
) -> Roles:
    """Find the column of each role by the names the user gave, then by the names in the file."""
    roles = Roles(source, positive=positive)
    for role, spec in asked.items():
        if spec is not None:
            roles.chosen[role] = _named(source, role, spec)
    roles.explicit = frozenset(roles.chosen)
    taken = roles.columns() | source.hidden
    free = [c for c in source.names if c not in taken]
    _take_beside_predictions(roles, free)
    told = _scored_elsewhere(roles, free)
    for role, names in NAMES.items():
        if role not in roles.chosen and not _excluded(role, told, threshold):
            column = _guessed(roles, role, names, free)
            if column is not None:
                roles.take(role, column)
    labelled = (
        bool({"label", "value", "outcome"} & set(roles.chosen)) or "probability" in roles.explicit
    )
    if not labelled and not threshold:
        roles.predicted = _guessed(roles, "label", PREDICTED_NAMES, free)
    roles.telling = [c for c in (POSITIVE_COLUMN, CLASSES_COLUMN) if c in free]
    roles.telling += [c for c in (WEIGHT_KIND,) if c in free and "weight" in roles.chosen]
    if "outcome" in roles.chosen:
        roles.telling += [
            c
            for c in (BETTER_COLUMN, LOWEST_COLUMN, HIGHEST_COLUMN, OUTCOME_NAME_COLUMN)
            if c in free
        ]
        if not source.kept:  # what was saved has been looked at
            roles.telling += [c for c in free if plain_name(c) in METRIC_NAMES]
        return roles
    if "truth" not in roles.chosen:
        raise lacking(roles, "truth", maybe_columns(roles))
    _find_columns_of_classes(roles, free, threshold)
    return roles


def _find_columns_of_classes(roles: Roles, free: list[str], threshold: bool) -> None:  # noqa: FBT001
    for role in ("probability", "baseline"):
        if role not in roles.chosen and not _excluded(role, roles.explicit, threshold):
            _find_prefixed(roles, role, free)
            roles.spare = free


def _take_beside_predictions(roles: Roles, free: list[str]) -> None:
    """Take for the truth, where none is called so, what stands beside predictions of it.

    It is called label beside what is called like a prediction or like probabilities of classes, or
    like the column of its probability (fraud and p_fraud).
    """
    called = {plain_name(c): c for c in free}
    if roles.explicit & ESSENTIAL_ROLES or called.keys() & {*NAMES["truth"], *NAMES["outcome"]}:
        return
    about = {c: split_prefix(c) for c in free}
    pairs = [
        (rest.strip(), c) for c, (prefix, rest) in about.items() if prefix and rest.strip() in free
    ]
    if len(pairs) == 1 and about[pairs[0][1]][0] != "baseline":
        taken = dict(zip(("truth", "probability"), pairs[0], strict=True))
    elif "label" in called and (
        called.keys() & {*PREDICTED_NAMES, *NAMES["probability"]}
        or {prefix for prefix, _ in about.values()} - {"", "baseline"}
    ):
        taken = {"truth": called["label"]}
    else:
        return
    for role, column in taken.items():
        free.remove(column)
        roles.take(role, column)


def _scored_elsewhere(roles: Roles, free: list[str]) -> frozenset[str]:
    """Take a column called like an outcome where none is called like a truth, or where outcomes were saved; return what decides the others."""
    called_truth = any(plain_name(c) in NAMES["truth"] for c in free)
    # These stand beside outcomes alone.
    saved = any(c in free for c in (BETTER_COLUMN, LOWEST_COLUMN, HIGHEST_COLUMN))
    if roles.explicit & {"truth", "outcome"} or (called_truth and not saved):
        return roles.explicit
    predicted = bool(roles.explicit & ESSENTIAL_ROLES)
    column = _guessed(roles, "outcome", ["outcome"] if predicted else NAMES["outcome"], free)
    if column is None:
        return roles.explicit
    if predicted or _names_classes(roles, column, free):
        roles.take("truth", column)
        return roles.explicit
    roles.take("outcome", column)
    return roles.explicit | {"outcome"}


def _names_classes(roles: Roles, column: str, others: Sequence[str]) -> bool:
    """Whether a column holds what happened, not how it was scored: words other than pass and fail.

    What is called outcome is also what happened where it says yes and no, or where something predicts it.
    """
    source, either = roles.source, plain_name(column) == "outcome"
    if either and any(plain_name(c) in PREDICTION_NAMES or split_prefix(c)[0] for c in others):
        return True
    if not source.values_known:
        return False
    source.load([], [column])
    if source.kind(column) != "text":
        return either and is_predicted(roles, column)
    values = source.labels(column).values
    if either and {str(v).strip().lower() for v in values} <= {"yes", "no"}:
        return True
    return not all(map(is_pass_or_fail, values))


def _excluded(role: str, explicit: frozenset[str], threshold: bool) -> bool:  # noqa: FBT001
    """Do not guess beside what the user named: one prediction is of classes or of numbers,
    a threshold applies to the score that was named, and labels follow from a probability.
    """
    if "outcome" in explicit:
        return role in {*ESSENTIAL_ROLES, "baseline", "n_train"}
    if role == "outcome":
        return True  # is told before the others
    if "value" in explicit:
        return role in {"label", "score", "probability"}
    if role == "value":
        return bool(explicit & {"label", "score", "probability"}) or threshold
    if role == "label" and "probability" in explicit:
        return True  # a probability that is named labels the cases itself
    return threshold and (
        role == "label" or (role in PREDICTION_ROLES and bool(explicit & set(PREDICTION_ROLES)))
    )


def _named(source: Source, role: str, spec: Spec) -> Spec:
    """Check that the named columns exist, once; a pattern such as ``p_*`` names all that match."""
    if isinstance(spec, str) and role in OF_CLASSES and spec not in source.names:
        spec = fnmatch.filter(source.names, spec) or spec
    if role in OF_CLASSES and not isinstance(spec, str):
        if isinstance(spec, Mapping):
            return {c: existing(source, role, name) for c, name in spec.items()}
        if isinstance(spec, Sequence):
            found = [existing(source, role, name) for name in spec]
            return found[0] if len(found) == 1 and role == "probability" else found
    return existing(source, role, spec)


def _guessed(roles: Roles, role: str, names: Sequence[str], free: list[str]) -> str | None:
    """Take the one free column that has one of the names, if there is one."""
    found = [c for c in free if plain_name(c) in names]
    if len(found) > 1:
        _ambiguous(roles, role, found)
    if len(found) != 1:
        return None
    free.remove(found[0])
    return found[0]


def _ambiguous(roles: Roles, role: str, found: list[str]) -> None:
    """Refuse to choose what a number depends on; leave what only describes the rows alone."""
    columns = listed(map(repr, found[:6]), "or")
    if len(set(found)) < len(found):
        raise DataError(
            f"{roles.source.where} has {len(found)} columns called {found[0]!r}.",
            remedy="Give each column a name of its own.",
        )
    if role == "truth" or (role in ESSENTIAL_ROLES and not roles.explicit & set(PREDICTION_ROLES)):
        raise DataError(
            f"{roles.source.where}: {role} could be column {columns}.",
            remedy=says("Name one of them with {role}.", role=Argument(role, ...)),
        )
    roles.left_open.append(f"{role} was not used: it could be column {columns}.")


def _find_prefixed(roles: Roles, role: str, free: list[str]) -> None:
    """Collect columns such as p_yes and p_no, which the classes will confirm or not."""
    for column in free:
        prefix, _ = split_prefix(column)
        if prefix and (prefix == "baseline") == (role == "baseline"):
            roles.prefixed.setdefault(prefix, []).append(column)
    for prefix, columns in list(roles.prefixed.items()):
        if len(columns) == 1 and columns[0].strip()[len(prefix) :].isdigit():
            del roles.prefixed[prefix]  # p1 alone may be anything


def kind_of_predictions(
    source: Source, truth: str, columns: Sequence[str], *, of_classes: bool = False
) -> Recognised:
    """Say what columns of predictions hold, by their values and those of the truth: labels, probabilities ..."""
    source.load([], [truth, *columns])
    found = of_all_models(
        distinct_values(source, truth),
        [distinct_values(source, c) for c in columns],
        of_classes=of_classes,
    )
    kinds = {c: source.kind(c) for c in columns}
    if found is None and {"text", "number"} <= {*kinds.values()}:
        text, number = (
            next(c for c, k in kinds.items() if k == kind) for kind in ("text", "number")
        )
        raise DataError(
            f"{source.where}: column {text!r} holds text and {number!r} numbers, but all models "
            f"must predict the same kind of thing."
        )
    return found or Recognised("label")


def settle_task(roles: Roles, *, of_classes: bool) -> None:
    """Decide, where names leave it open, whether a predicted column holds labels or numbers."""
    source = roles.source
    for_classes = {"label", "score", "probability"} & set(roles.chosen)
    named = "value" in roles.guessed
    column = roles.predicted if roles.predicted is not None else roles.chosen.get("value")
    if column is None or "value" in roles.explicit or (named and source.kept):
        return  # what was saved as numbers is numbers
    column = str(column)
    truth, predicted = source.kind(str(roles.chosen["truth"])), source.kind(column)
    numeric = truth in {"whole", "number"} and predicted in {"whole", "number"}
    if (
        not for_classes
        and truth in {"whole", "text"}
        and predicted == "number"
        and (found := _of_two_classes(source, str(roles.chosen["truth"]), column))
    ):
        if named:
            del roles.chosen["value"]
            roles.guessed.remove("value")
        roles.take("probability", column)
        roles.said = found.said(f"Column {column!r} was")
        return
    fits = (numeric and not of_classes) and (
        "number" in {truth, predicted}
        or (named and roles.predicted is None)
        or len(distinct_values(source, str(roles.chosen["truth"]))) > MAX_NUMBER_CLASSES
    )
    if named and roles.predicted is not None and fits:
        _ambiguous(roles, "value", [str(roles.chosen["value"]), roles.predicted])
    if named and (for_classes or not fits):
        del roles.chosen["value"]
        roles.guessed.remove("value")
    if roles.predicted is not None:
        roles.take("value" if fits and not for_classes else "label", roles.predicted)


def _of_two_classes(source: Source, truth: str, column: str) -> Recognised | None:
    """Take fractions from 0 to 1 beside two values for probabilities; others may be scores or numbers."""
    if len(source.labels(truth).values) > 2:
        return None
    found = kind_of_predictions(source, truth, [column], of_classes=True)
    if found.column != "probability":
        raise DataError(
            f"{source.where}: column {column!r} holds fractions and the truth in {truth!r} at "
            "most two values.",
            remedy=says(
                "Say what it is: <probability={column}> (or <score=>) for classes, <value={column}> "
                "for numbers.",
                column=column,
            ),
        )
    return found


def settle_probability(roles: Roles, declared: Sequence[Any], known: Sequence[Any]) -> None:
    """Take a set of columns such as p_yes, p_no if it is about the classes and the only one.

    These are the declared ones, of which some may not occur, or at least those that do.
    """
    for role in ("probability", "baseline"):
        if role in roles.chosen:
            continue
        fitting = [
            matched
            for prefix, columns in roles.prefixed.items()
            if (prefix == "baseline") == (role == "baseline")
            and (matched := by_prefix(columns, declared) or by_prefix(columns, known))
        ]
        if len(fitting) == 1:
            roles.take(role, fitting[0])
        elif fitting:
            _ambiguous(roles, role, [c for m in fitting for c in m.values()])
    if "probability" not in roles.chosen:
        _take_named_like_classes(roles, known)


def _take_named_like_classes(roles: Roles, known: Sequence[Any]) -> None:
    """Take a column for each class that is called like it, if all hold numbers from 0 to 1."""
    named = {c: str(c) for c in known if str(c) in roles.spare}
    if len(named) < max(2, len(known)):
        return
    roles.take("probability", named)
    roles.source.load(*roles.to_load())
    try:
        columns = [roles.source.numbers(name) for name in named.values()]
    except DataError:
        columns = []
    if not columns or not all(((x >= 0) & (x <= 1)).all() for x in columns):
        del roles.chosen["probability"]
        roles.guessed.remove("probability")
