"""Keywords that other libraries use for what a function takes under a name of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from credibly.errors import ArgumentName, UnknownArgumentError, listed, says

# For each name here, those that mean the same elsewhere. A function that takes the first takes the others.
OTHER_KEYWORDS = {
    "truth": "y_true y target actual",
    "y_true": "truth target actual",
    "y": "target",
    "label": "y_pred",
    "y_pred": "prediction predictions predicted y_hat yhat pred",
    "score": "y_score y_scores scores",
    "probability": "y_prob y_proba y_pred_proba proba prob probabilities",
    "positive": "pos_label positive_class",
    "classes": "labels class_names target_names",
    "sample_weight": "weight weights",
    "weight": "sample_weight weights",
    "group": "groups",
    "groups": "group n_bins bins",
    "by": "group_by groupby",
    "schemes": "scheme estimator estimators model models",
    "scheme": "schemes estimator model",
    "resampling": "cv n_splits folds kfold n_folds",
    "inner": "cv",
    "threshold": "cutoff cut_off",
    "measures": "scoring scorer metric metrics measure",
    "measure": "scoring scorer metric metrics measures",
    "costs": "cost cost_matrix",
    "rng": "random_state seed",
    "replicates": "n_resamples n_bootstrap n_bootstraps n_boot bootstrap_samples n_iterations",
    "confidence_level": "conf_level level confidence ci_level",
    "rule": "strategy",
    "interval": "ci ci_method interval_method",
    "models": "model_columns",
    "against": "control reference baseline",
    "n_jobs": "n_workers workers",
    "picture": "plot figure image",
}

# Values that other libraries have of an argument here, and what to do instead.
OTHER_VALUES = {
    ("average", "binary"): (
        "Without <average=>, a measure of one class is about the positive class. "
        "Leave it out, and name the positive class with <positive=...>."
    ),
    ("rule", "uniform"): "Set <rule='equal_width'>.",
    ("rule", "quantile"): "Set <rule='equal_size'>.",
}

COSTS_REMEDY = {"costs": "Set <costs=...>, such as {{'fn': 5, 'fp': 1}}."}
BENEFIT_REMEDY = {"costs": "A benefit is a negative cost, such as -15 for tp: set <costs=...>."}
AT_PREDICTIONS = "Set it where the predictions are made: Predictions.of(..., <{}=...>)."
ARRAYS_REMEDY = "Make predictions first: Predictions.of(y_true, y_pred), or Predictions.from_estimator(model, X_test, y_test)."
WEIGHED = {"measures": AT_PREDICTIONS.format("weight"), "measure": AT_PREDICTIONS.format("weight")}
OF_ARRAYS = {"predictions": ARRAYS_REMEDY, "candidate": ARRAYS_REMEDY, "a": ARRAYS_REMEDY}
PLANS_REMEDY = {
    "assurance": "Without predictions see credibly.intervals.sample_size_for_auc, "
    "sample_size_for_two_aucs and others."
}
FILE_REMEDIES = {
    "save": "Set <save=...> to a file for the predictions; `... --csv > FILE` writes the table.",
    "csv": "Send the output to a file: `... --csv > FILE`, or with --json or --markdown. `credibly plot` saves a picture.",
}
POSITIVE_REMEDIES = {
    "measures": AT_PREDICTIONS.format("positive"),
    "of": "Set <of=...> to a class, or to 'top_label'.",
    "by": AT_PREDICTIONS.format("positive"),
}

# Keywords that are no other name of an argument, by the argument that serves in their place; the
# first of several that a function has.
FOREIGN_KEYWORDS: dict[str, dict[str, str]] = {
    "alpha": {"confidence_level": "Set <confidence_level=...>, which is 1 - alpha."},
    "multi_class": {"average": "Set <average=...>: each class is evaluated against the rest."},
    "zero_division": {"measures": "A value that divides by 0 is NaN, and a finding says why."},
    "threshold": {"measures": AT_PREDICTIONS.format("threshold")},
    "positive": POSITIVE_REMEDIES,
    "pos_label": POSITIVE_REMEDIES,
    "method": {"test": "Set <test=...> to a comparison.", "interval": "Set <interval=...>."},
    **dict.fromkeys(("sample_weight", "weight", "weights"), WEIGHED),
    "tp": COSTS_REMEDY,
    "fp": COSTS_REMEDY,
    "fn": COSTS_REMEDY,
    "tn": COSTS_REMEDY,
    "scoring": {"schemes": "Choose measures afterwards, with credibly.evaluate(p, ...)."},
    "test_size": {"resampling": "Set <resampling='holdout(test=0.25)'>."},
    "shuffle": {"resampling": "Set <resampling=...>: folds given by a number are always shuffled."},
    **dict.fromkeys(("output", "out", "o", "save"), FILE_REMEDIES),
    "kind": {
        "band": "The name of a curve stands by itself, such as precision_recall: `credibly list curves` has the names."
    },
    "verbose": {"progress": "Set <progress=...>."},
    "encoding": {
        "format": "Text is read as UTF-8, by its byte order mark, or as Windows-1252; read others with pandas.read_csv(..., encoding=...) and pass the frame."
    },
    "benefits": BENEFIT_REMEDY,
    "benefit": BENEFIT_REMEDY,
    **dict.fromkeys(
        ("y_true", "y_pred", "y_score", "y_prob", "y_proba", "X", "y", "estimator", "model"),
        OF_ARRAYS,
    ),
    **dict.fromkeys(("null", "power", "n"), PLANS_REMEDY),
    "discordant": {"against": "Pass credibly.comparisons.Discordant(only_first, only_second)."},
    "means": {"against": "Pass credibly.comparisons.Moments(means, variances, sizes)."},
}


def own_keywords(
    function: str, known: Collection[str], given: Mapping[str, Any], *, open_ended: bool
) -> dict[str, Any]:
    """Return arguments under the names that a function takes; refuse one that it knows by no name.

    What an ``open_ended`` function does not know is left for it to judge.

    >>> own_keywords("run", ["X", "rng"], {"random_state": 1}, open_ended=False)
    {'rng': 1}
    >>> own_keywords("run", ["X", "rng"], {"colour": 1}, open_ended=False)
    Traceback (most recent call last):
    ...
    credibly.errors.UnknownArgumentError: run has no argument 'colour'. It takes X, rng.
    """
    made: dict[str, Any] = {}
    for name, value in given.items():
        meant = [name] if name in known else _meant(name, known)
        if len(meant) != 1 and not open_ended:
            _refuse(function, name, meant, known)
        own = meant[0] if len(meant) == 1 else name
        if own in made or (own != name and own in given):
            raise UnknownArgumentError(
                says(
                    "{function}: {name} is another name for {own}, which is also given: set only one of them.",
                    function=function,
                    name=name,
                    own=ArgumentName(own),
                )
            )
        made[own] = value
    return made


def _meant(name: str, known: Collection[str]) -> list[str]:
    """Return the arguments that go by this name elsewhere."""
    return [k for k in known if name in OTHER_KEYWORDS.get(k, "").split()]


def in_place_of(name: str, known: Collection[str]) -> str:
    """Return what to do instead of setting a keyword that a function with these arguments lacks.

    >>> in_place_of("alpha", ["confidence_level"])
    'Set <confidence_level=...>, which is 1 - alpha.'
    """
    return next((how for own, how in FOREIGN_KEYWORDS.get(name, {}).items() if own in known), "")


def _refuse(function: str, name: str, meant: list[str], known: Collection[str]) -> None:
    remedy: str = says(in_place_of(name, known))
    if meant:
        remedy = f"It takes {listed(meant)}, which are two things."
    choices = () if remedy else known
    error = UnknownArgumentError(
        f"{function} has no argument {name!r}.", asked=name, choices=choices, remedy=remedy
    )
    if not error.remedy and not error.nearest:
        error.remedy = f"It takes {', '.join(known)}."
        if "columns" in known:
            error.remedy += says(" Other columns of the cases go into <columns=...>.")
    raise error
