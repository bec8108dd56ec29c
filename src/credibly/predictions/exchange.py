"""How predictions are made of fitted models and of one another, and how they go out again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.layout import Printed
from credibly._core.search_names import search_names
from credibly._core.text import count, plain_table, shown
from credibly.errors import DataError, ParameterError
from credibly.predictions.case_columns import named_attributes
from credibly.predictions.column_names import (
    BETTER_COLUMN,
    HIGHEST_COLUMN,
    LOWEST_COLUMN,
    OUTCOME_NAME_COLUMN,
)
from credibly.predictions.columns import DESIGN_COLUMNS, DesignColumns, at_hand, is_reordered
from credibly.predictions.findings import POSITIVE_CLASS, REORDERED_INDEX
from credibly.predictions.joining import joined
from credibly.predictions.labelled_tables import Orientation, count_columns
from credibly.predictions.labels import (
    as_array,
    as_column,
    as_labels,
    encode,
    likely_positive,
)
from credibly.predictions.parts import all_rows
from credibly.predictions.provenance import Design
from credibly.predictions.recognition import Recognised, of_all_models
from credibly.results.formats import cell_text, frame_of

if TYPE_CHECKING:
    from credibly.predictions.table import PredictionColumns

SPAN_COLUMNS = ("span_low", "span_high")  # of bins of scores, in files of ours
MAX_SHOWN_ROWS = 5  # rows of a text
MAX_SUM_ERROR = 0.05  # how far probabilities that were rounded, or a little wrong, are from it
PREDICTED_COLUMNS = ("y_pred", "label", "score", "probability", "value", "outcome")
M = TypeVar("M", bound=Callable[..., Any])

# What editors offer beside the columns that are there.
FOR_PEOPLE = {"of", "from_estimator", "from_counts", "joined", "frame", "plot", "where", "take", "n", "cases", "model_names", "fingerprint"}  # fmt: skip


def _refuse_swapped(X: Any, y: Any) -> None:  # noqa: ANN401, N803
    if len(getattr(X, "shape", ())) == 1 < len(getattr(y, "shape", ())):
        raise DataError(
            "X has one column and y has several, as if they were swapped.",
            remedy="Write from_estimator(model, X, y).",
        )


def by_model(made: M) -> M:
    """Let a maker of predictions take those of several models, or one column per class, by name."""

    @wraps(made)
    def maker(cls: Any, y_true: object = None, y_pred: object = None, **given: Any) -> Any:  # noqa: ANN401
        y_true, y_pred = at_hand(y_true, "y_true"), at_hand(y_pred, "y_pred")
        given = {name: at_hand(v, name) for name, v in given.items()}
        named = {"y_pred": y_pred, **given}
        there = {n: named[n] for n in PREDICTED_COLUMNS if named.get(n) is not None}
        named_by = (y_true, given.get("classes"))
        several = {n: v for n, column in there.items() if (v := _by_name(column, *named_by))}
        if not several:
            p = made(cls, y_true, y_pred, **given)
            moved = [REORDERED_INDEX(it=n) for n, c in there.items() if is_reordered(c, y_true)]
            return replace(p, findings=(*p.findings, *moved)) if moved else p
        names = list(next(iter(several.values())))
        if any(list(each) != names for each in several.values()):
            raise ParameterError("Every dictionary must name the same models, in one order.")
        scored = "outcome" in several
        if not scored and len(several) == 1 and set(map(str, names)) == _classes_of(*named_by):
            columns = {str(n): v for n, v in next(iter(several.values())).items()}
            rest = {n: v for n, v in named.items() if n not in several}
            rest["classes"] = names if rest.get("classes") is None else rest["classes"]
            ordered = [as_column(columns[str(c)], "probability") for c in rest["classes"]]
            return made(cls, y_true, **rest, probability=np.column_stack(ordered))
        each = {n: {c: by[n] for c, by in several.items()} for n in names}
        if named.get("row") is None:  # the same cases for all
            for c in each.values():
                c["row"] = range(len(as_column(c["outcome"] if scored else y_true, "the cases")))
        findings: list[Finding] = []
        if list(several) == ["y_pred"] and (found := _of_all(y_true, several["y_pred"], given)):
            named = given
            each = {n: {found.column: c.pop("y_pred"), **c} for n, c in each.items()}
            findings = found.said("The predictions of all models were")
        both = cls.joined({str(n): made(cls, y_true, **{**named, **c}) for n, c in each.items()})
        return replace(both, findings=(*findings, *both.findings)) if findings else both

    result: Any = maker
    return cast("M", result)


def _by_name(given: Any, y_true: object, named: object) -> dict[Any, Any]:  # noqa: ANN401
    """Return what is given by name: a mapping, or a frame whose columns are no probabilities of the classes."""
    if isinstance(given, Mapping):
        return dict(given)
    if not (hasattr(given, "columns") or hasattr(given, "column_names")):
        return {}
    columns = named_attributes(given)
    if len(columns) < 2:
        return {}
    classes = _classes_of(y_true, named)
    of_classes = len(columns) == len(classes) and (
        set(map(str, columns)) == classes or _sum_to_one(columns.values())
    )
    return {} if of_classes else dict(columns)


def _sum_to_one(columns: Iterable[Any]) -> bool:
    """Whether columns may be probabilities of all classes: where all are there they come near to 1 in most rows."""
    try:
        sums = np.sum([np.asarray(c, np.float64) for c in columns], axis=0)
    except (TypeError, ValueError):
        return False
    return (
        bool(np.median(np.abs(sums[np.isfinite(sums)] - 1)) < MAX_SUM_ERROR) if sums.size else True
    )


def _of_all(
    y_true: object, models: Mapping[Any, Any], given: Mapping[str, Any]
) -> Recognised | None:
    if any(given.get(n) is not None for n in PREDICTED_COLUMNS):
        return None
    of_classes = any(given.get(n) is not None for n in ("classes", "positive", "threshold"))
    return of_all_models(y_true, list(models.values()), of_classes=of_classes)


def _classes_of(y_true: object, classes: object) -> set[str]:
    """Return the names of the classes, those of a truth if none are given; numbers with fractions have none."""
    try:
        named = encode(y_true, "truth").values if classes is None else as_labels(classes)
    except (
        DataError,
        ParameterError,
    ):  # if it is no truth of anything, each model's predictions are refused
        return set()
    return set(map(str, named))


class Exchanged(Printed):
    """What makes predictions out of what other libraries have."""

    __slots__ = ()

    @classmethod
    @door
    def from_estimator(
        cls,
        estimator: Any,  # noqa: ANN401
        X: Any,  # noqa: ANN401, N803
        y: object,
        *,
        positive: object = None,
        threshold: float | None = None,
        sample_weight: object = None,
        columns: object = None,
        **design: Unpack[DesignColumns],
    ) -> Self:
        """Let a fitted model of scikit-learn, or several, predict cases that it has not seen.

        Parameters
        ----------
        estimator
            A fitted model, pipeline or search, or several of them: a dictionary by name, or a list.
        X, y
            Inputs and truth of the test cases.
        positive
            The class that scores and two-class measures are about; where nothing tells which of two
            it is, the second of the model's ``classes_``, and a finding says so.
        threshold
            Label a case positive if its score or probability is at least this, in the place of what
            the model's ``predict`` says.
        sample_weight
            Case weights.
        columns
            Columns to slice by, as for :meth:`of`; those of ``X`` where it has names.
        **design
            ``row, fold, part, group`` ...: as for :meth:`of`.

        >>> from sklearn.linear_model import LogisticRegression
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from credibly import Predictions
        >>> X, y = [[0], [1], [2], [3]], ["no", "no", "yes", "yes"]
        >>> tree = DecisionTreeClassifier().fit(X, y)
        >>> Predictions.from_estimator(tree, [[0.5], [2.5]], ["no", "yes"])
        Predictions(2 rows, classes 'no', 'yes' (positive), columns: label, probability)
        >>> both = {"tree": tree, "logistic": LogisticRegression().fit(X, y)}
        >>> Predictions.from_estimator(both, [[0.5], [2.5]], ["no", "yes"]).model.tolist()
        ['tree', 'tree', 'logistic', 'logistic']
        """
        maker: Any = cls
        given: dict[str, Any] = {"sample_weight": sample_weight, "columns": columns, **design}
        given |= {} if threshold is None else {"threshold": threshold}
        if isinstance(estimator, list | tuple):
            names = import_module("credibly.schemes.choice").names_of(estimator)
            estimator = dict(zip(names, estimator, strict=True))
        if isinstance(estimator, Mapping):
            given = {
                "row": range(len(as_array(y, "y"))),
                **given,
            }  # one case in the same place for all
            made = {
                n: maker.from_estimator(e, X, y, positive=positive, **given)
                for n, e in estimator.items()
            }
            return maker.joined(made)
        _refuse_swapped(X, y)
        given["columns"] = named_attributes(X) if columns is None else columns
        if not hasattr(estimator, "predict"):
            raise ParameterError(
                f"from_estimator takes a fitted model first; got {type(estimator).__name__}.",
                remedy="Use from_estimator(model, X, y).",
            )
        known = getattr(estimator, "classes_", None)
        if known is None:
            return maker.of(y, value=_outputs(estimator, X).value, **given)
        classes = [
            *known.tolist(),
            *(c for c in encode(y, "y").values if c not in set(known.tolist())),
        ]
        found = _outputs(estimator, X, classes)
        columns = {c: getattr(found, c) for c in ("label", "score", "probability")}
        columns["label"] = found.label if threshold is None else None
        second = len(classes) == 2 and positive is None and likely_positive(classes) is None
        positive = classes[1] if second else positive
        if found.score is not None and str(positive) == str(classes[0]):
            columns["score"] = -found.score  # which is that of the second class
        p = maker.of(y, **columns, classes=classes, positive=positive, **given)
        return replace(p, findings=(*p.findings, POSITIVE_CLASS(name=positive))) if second else p

    @classmethod
    @door
    def from_counts(
        cls,
        matrix: object,
        *,
        classes: Sequence[Any] | None = None,
        orientation: Orientation | None = None,
        positive: object = None,
    ) -> Self:
        """Make predictions from a printed confusion matrix, for every measure of labels.

        It stands for the rows that it counts: results are the same as for these rows, but only
        one row per cell is stored.

        Parameters
        ----------
        matrix
            How many cases of each class got each label: a list of rows, an array, a frame, or a
            mapping such as ``{("yes", "no"): 5}`` or ``{"yes": {"no": 5}}``. Rows and columns of
            totals are checked and left out; a column ``no label`` holds undecided cases.
        classes
            Every class, in the order of the rows and columns where nothing names them.
        orientation
            What the rows are: ``"actual"`` classes, unless said otherwise, or ``"predicted"`` ones.
        positive
            The class that two-class measures are about.

        >>> from credibly import Predictions, evaluate
        >>> p = Predictions.from_counts([[88, 10, 2], [14, 40, 6], [18, 10, 12]], classes=["a", "b", "c"])
        >>> p.cases, p.n
        (200.0, 9)
        >>> evaluate(p, "kappa")["kappa"].value.__round__(3)
        0.492
        """
        maker: Any = cls
        made: Any = maker.of(**count_columns(matrix, classes, orientation), positive=positive)
        return replace(made, design=Design(counted=True))

    @search_names(
        {
            "to_frame, to_pandas, to_dataframe, to_polars, to_df, df, values": ".frame()",
            "with_threshold, threshold, at": "Predictions.of(..., threshold=...), or credibly.decide(p, threshold=0.3)",
            "head, tail, sample": "[:5], or .frame()",
            "shape, size": "len(p)",
            "metrics, summary, describe": "credibly.evaluate(p)",
            "confusion_matrix, confusion, cm": "credibly.evaluate(p).details['confusion_matrix'] or credibly.plot(p, 'confusion_matrix')",
            "classes_, labels": ".classes",
            "models": ".model_names",
            "y_true": ".truth",
            "y_pred, predicted": ".label, .score, .probability or .value",
            "y_prob, y_proba, predict_proba": ".probability",
            "to_csv, to_parquet": "credibly.save(p, 'predictions.csv')",
        }
    )
    def frame(self, backend: Any = "pandas") -> Any:  # noqa: ANN401
        """Return one row per case as a frame of ``backend`` (pandas, polars, pyarrow).

        :func:`credibly.read` reads it back; name the positive class where the names of the classes
        do not show it.

        >>> import credibly
        >>> p = credibly.Predictions.of(["no", "yes"], [0.25, 0.75])
        >>> p.frame()
          truth label  p_yes
        0    no    no   0.25
        1   yes   yes   0.75
        >>> credibly.read(p.frame()).fingerprint == p.fingerprint
        True
        """
        mine: Any = self
        columns = columns_of(mine, every=True)
        return frame_of({n: c.tolist() for n, c in columns.items()}, backend)

    def __getitem__(self, rows: Any) -> Self:  # noqa: ANN401
        """Return some of the rows: a slice, a mask, places, or one place.

        >>> from credibly import Predictions
        >>> p = Predictions.of([1, 0, 1], [0.9, 0.2, 0.4])
        >>> p[:2].n, p[p.probability > 0.3].n, p[[2, 0]].truth.tolist()
        (2, 2, [1, 1])
        """
        mine: Any = self
        if isinstance(rows, slice):
            return mine.take(rows)
        places = np.atleast_1d(rows)
        if places.dtype.kind not in "biu":
            raise ParameterError(
                f"Select rows by a slice, a mask or positions; got {shown(rows)}.",
                remedy="For the rows of a model, a fold or a group use predictions.where(model=...), "
                "for a measure credibly.evaluate(predictions)['auc'].",
            )
        return mine.take(places)

    def __dir__(self) -> list[str]:
        """Return what people read: the columns that are there, and what is made of them."""
        mine: Any = self
        there = {f.name for f in fields(mine) if getattr(self, f.name) is not None} - {"cache"}
        return [n for n in super().__dir__() if n.startswith("__") or n in there | FOR_PEOPLE]

    def _instead_of(self, name: str) -> str:
        """Say which verb takes predictions, or that a measure is evaluated."""
        known: Any = import_module("credibly")
        if name in known.measures.measures:
            return f"credibly.evaluate(p)[{name!r}]"
        return f"credibly.{name}(p)" if name in known.__all__ and name[0].islower() else ""

    def __str__(self) -> str:
        """Show the first rows, and what there is to know."""
        mine: Any = self
        more = (
            [f"... {count(mine.n - MAX_SHOWN_ROWS, 'row')} more"] if mine.n > MAX_SHOWN_ROWS else []
        )
        sentences = [f"  {f}" for f in mine.findings]
        return "\n".join([repr(self), plain_table(*self._first_rows()), *more, *sentences])

    def _repr_html_(self) -> str:
        from credibly.results.notebook import findings_html, page_html, paragraph, table_html

        mine: Any = self
        design = [name for name in DESIGN_COLUMNS if getattr(mine, name) is not None]
        roles = {"Predicted": mine.provides, "Design": design}
        sentences = [f"{role}: {', '.join(names)}." for role, names in roles.items() if names]
        first = (
            [f"The first {MAX_SHOWN_ROWS} of {mine.n:,} rows."] if mine.n > MAX_SHOWN_ROWS else []
        )
        return page_html(
            mine.heading,
            table_html(*self._first_rows()),
            paragraph(" ".join([*first, *sentences, f"Fingerprint {mine.fingerprint}."])),
            findings_html(mine.findings),
        )

    def _first_rows(self) -> tuple[list[str], list[list[str]]]:
        mine: Any = self
        first = replace(mine.take(slice(0, MAX_SHOWN_ROWS)), baseline=None, n_train=None)
        columns = columns_of(first)
        rows = zip(*(c.tolist() for c in columns.values()), strict=True)
        return list(columns), [list(map(cell_text, row)) for row in rows][:MAX_SHOWN_ROWS]

    @classmethod
    @door
    def joined(cls, models: Mapping[str, Self]) -> Self:
        """Put the predictions of several models for the same cases together.

        Parameters
        ----------
        models
            Predictions by the name of the model. Cases are matched by their ``row``, or by their
            places; what was observed must be the same.

        >>> from credibly import Predictions, evaluate
        >>> y = [1, 0, 1, 0]
        >>> both = Predictions.joined({"a": Predictions.of(y, [1, 0, 0, 0]), "b": Predictions.of(y, y)})
        >>> [(e.keys["model"], float(e)) for e in evaluate(both, "accuracy").estimates]
        [('a', 0.75), ('b', 1.0)]
        """
        given: Any = models
        made: Any = joined(given)
        return cast("Self", made.judged())


def _outputs(estimator: Any, X: object, *classes: list[Any]) -> Any:  # noqa: ANN401, N803
    """Return what a model predicts, or say that it has learned nothing yet."""
    try:  # upwards, as registries look: what estimators give is known to schemes
        return import_module("credibly.schemes.prediction").outputs(estimator, X, *classes)
    except ValueError as error:
        if type(error).__name__ != "NotFittedError":
            raise
        raise ParameterError(
            f"{type(estimator).__name__} is not fitted.",
            remedy="Call .fit(X_train, y_train) first, or use credibly.run(model, X, y), which fits it on parts of the data.",
        ) from None


def columns_of(p: PredictionColumns, *, every: bool = False) -> dict[str, NDArray[Any]]:
    """Return one plain array a column, under names that :func:`credibly.read` recognises.

    With ``every``, other columns of the cases stand behind them.

    >>> from credibly import Predictions
    >>> p = Predictions.of(["no", "yes"], probability=[0.25, 0.5], fold=[0, 1])
    >>> list(columns_of(p))
    ['truth', 'label', 'p_yes', 'fold']
    """
    p = all_rows(p)
    others = p.columns.written if every else ()
    columns: dict[str, NDArray[Any]] = {}
    if p.task != "outcome":  # which have none
        columns["truth"] = _written(p, p.truth)
    if p.label is not None:
        columns["label"] = _written(p, p.label)
    if p.score is not None:
        columns["score"] = p.score
    if p.probability is not None and p.probability.ndim == 1 and p.positive is not None:
        columns[f"p_{p.classes[p.positive]}"] = p.probability
    elif p.probability is not None:
        columns |= _by_class("p", p, p.probability)
    plain = ("value", "outcome", "weight", *DESIGN_COLUMNS)
    columns |= {c: a for c in plain if (a := getattr(p, c)) is not None}
    if p.baseline is not None and p.task == "classification":
        columns |= _by_class("baseline", p, p.baseline)
    elif p.baseline is not None:
        columns["baseline"] = p.baseline
    if p.n_train is not None:
        columns["n_train"] = p.n_train
    columns |= {} if p.span is None else dict(zip(SPAN_COLUMNS, p.span.T.copy(), strict=True))
    columns |= _of_every_outcome(p) if every else {}
    columns |= {c: p.columns[c] for c in others if c not in columns}
    return {n: np.array(a, object) if a.dtype.kind == "U" else a for n, a in columns.items()}


def _of_every_outcome(p: PredictionColumns) -> dict[str, NDArray[Any]]:
    """Return which way outcomes are better and how far they reach, in columns that any format can hold."""
    low, high = p.bounds or (None, None)
    said = {
        BETTER_COLUMN: p.better,
        LOWEST_COLUMN: low,
        HIGHEST_COLUMN: high,
        OUTCOME_NAME_COLUMN: p.outcome_name or None,
    }
    return {name: np.full(p.n, each) for name, each in said.items() if each is not None}


def _by_class(prefix: str, p: PredictionColumns, matrix: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return {f"{prefix}_{c}": np.ascontiguousarray(matrix[:, i]) for i, c in enumerate(p.classes)}


def _written(p: PredictionColumns, codes: NDArray[Any]) -> NDArray[Any]:
    """Return classes in place of codes, nothing where one is missing."""
    if p.task == "numeric":
        return codes
    names = np.array(p.classes)
    if codes.min(initial=0) < 0 or names.dtype.kind == "f":  # which 64 bits with a sign become
        return np.array([*p.classes, None, None], object)[codes]  # missing, or absent altogether
    return names[codes]
