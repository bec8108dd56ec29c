"""The verb `mdl`: which theory makes the shortest description of the data."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.doors import door
from credibly._core.findings import Finding
from credibly._core.seeds import FIXED_SEED, seed_of
from credibly._core.text import count
from credibly.description_length._declare import coder_of
from credibly.description_length.findings import (
    CLOSE_LENGTHS,
    IMPOSSIBLE_TARGETS,
    LENGTH_AND_ERROR_DISAGREE,
    NULL_THEORY_WINS,
    ORDER_OF_ROWS,
    TOLD_WITHOUT_THE_SCHEME,
)
from credibly.description_length.messages import Message, order_saving, resolution
from credibly.description_length.prequential import Prequential
from credibly.description_length.problem import PSEUDO_COUNTS, CodingProblem
from credibly.description_length.result import CodePart, Description, DescriptionLengths
from credibly.errors import DataError, ParameterError, listed, says
from credibly.measures.selection import headline_measure
from credibly.predictions.findings import FAILED_FITS, UNSEEDED
from credibly.predictions.table import Task
from credibly.results.estimate import Estimate
from credibly.running.data import Data
from credibly.running.findings import FIT_WARNING, INTERRUPTED
from credibly.running.tasks import has_open_seed
from credibly.schemes import Scheme, as_schemes, build, fitted_alone, seeded

NULL_THEORY = "null theory"
ESTIMATORS = {"kt": "Krichevsky and Trofimov's estimator", "laplace": "Laplace's estimator"}
WEAK_EVIDENCE_BITS = math.log2(20)  # a choice by fewer bits is not a strong one


@door
def mdl(
    schemes: Any,
    X: Any,
    y: Any,
    *,
    code: Literal["two-part", "prequential"] = "two-part",
    labels: Literal["probabilities", "exceptions"] = "probabilities",
    zero_frequency: Literal["kt", "laplace"] = "kt",
    precision: float | None = None,
    refits: int = 20,
    refit: bool = True,
    resampling: Any = None,
    task: Task | None = None,
    rng: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
) -> DescriptionLengths:
    """Choose the theory (model) that describes itself and the targets in the fewest bits, without a test set.

    Sender and receiver both know the inputs. The null theory is shown beside the schemes.

    Parameters
    ----------
    schemes
        As for :func:`credibly.run`. ``credibly list coders`` shows the estimators that can be coded.
    X, y
        Inputs and targets: classes or numbers.
    code
        ``"two-part"`` encodes the fitted theory, then the targets given the theory; ``"prequential"``
        encodes no theory: each target is encoded with what was learned from those before it, so it
        works with any estimator.
    labels
        Whether classes are coded by their ``"probabilities"``, or as ``"exceptions"`` to the
        predicted labels, by how often each kind of error occurs.
    zero_frequency
        What keeps probabilities from being 0: half a case (``"kt"``) or one (``"laplace"``) more
        of every class.
    precision
        Precision to which numeric targets are encoded; by default their smallest difference.
    refits
        How many times the prequential code refits.
    refit
        Fit clones of the estimators; ``False`` uses the given ones as fitted on these rows.
    resampling
        Also show the error by resampling, such as ``"10"`` folds; needs ``rng``.
    task
        ``"classification"`` or ``"numeric"``, if the target does not make that clear.
    rng
        Seed of random fits, of the resampling, and of the order of a prequential code; without
        it, the rows stay in order.
    n_jobs
        Worker processes of the resampling.

    >>> import credibly
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = credibly.mdl(["tree(max_depth=2)", "tree", "knn"], X, y, rng=1)
    >>> found.best.name, found.null
    ('tree(max_depth=2)', 'null theory')
    >>> [f"{d.name}: {d.theory:.0f} + {d.data:.0f}" for d in found.descriptions]
    ['tree(max_depth=2): 35 + 33', 'tree: 89 + 4', 'knn: 251 + 0', 'null theory: 8 + 239']
    """
    _check(precision, refits)
    data = Data.of(X, y, task=task)
    if labels == "exceptions" and not data.classes:
        raise ParameterError(
            says("<labels='exceptions'> is for classes; the target holds numbers.")
        )
    seed = None if rng is None else seed_of(rng)
    asked = as_schemes(schemes)
    null = next((s.name for s in asked if s.entry == "zero-r"), NULL_THEORY)
    every = asked if null != NULL_THEORY else (*asked, Scheme(NULL_THEORY, entry="zero-r"))
    conventions = {
        "k": len(data.classes),
        "pseudo_count": PSEUDO_COUNTS[zero_frequency],
        "precision": 1.0 if data.classes else precision or resolution(data.y),
        "labels_only": labels == "exceptions",
    }
    estimators = [build(s, data.task, data.X, seed) for s in every]
    unseeded = _unseeded(every, estimators, seed)
    estimators = [seeded(e, FIXED_SEED) for e in estimators]  # where nobody gave one
    job = _Job(data, conventions, seed, refits, refit)
    describe = job.two_part if code == "two-part" else job.prequential
    told = [_heard(describe, s, e) for s, e in zip(every, estimators, strict=True)]
    errors, failed = _errors(every, X, y, resampling, task, seed, n_jobs)
    descriptions = [replace(t.description, error=errors.get(t.description.name)) for t in told]
    lengths = DescriptionLengths(
        tuple(descriptions),
        null,
        _heading(data, code, labels, zero_frequency),
        order_saving=order_saving(data.y.tolist()),
        precision={} if data.classes else {"target": conventions["precision"]},
        models={t.description.name: t.model for t in told},
        findings=data.findings,
    )
    findings = (*(f for t in told for f in t.findings), *failed, *unseeded)
    if code == "prequential" and seed is None:
        findings = (*findings, ORDER_OF_ROWS())
    return replace(lengths, findings=(*lengths.findings, *findings, *_doubts(lengths)))


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """A description, the model behind it, and what to know about both."""

    description: Description
    model: Any
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """What all descriptions share."""

    data: Data
    conventions: dict[str, Any]
    seed: int | None
    refits: int
    refit: bool

    def two_part(self, name: str, estimator: Any, *, given: Any) -> _Told:
        """Describe a theory and what it leaves."""
        front, last, Z = _shared_front(name, estimator, self.data.X)
        chosen = coder_of(last)
        if self.refit or given is None:
            last = fitted_alone(name, last, Z, self.data.y)
        else:
            last = given.steps[-1][1] if hasattr(given, "steps") else given
        targets = self.data.y if not self.data.classes else _codes(name, last, self.data.y)
        problem = CodingProblem(Z, targets, **self.conventions)
        message = Message(labels_only=problem.labels_only)
        sent = chosen(last, problem, message)
        rest, bits = problem.rest(sent)
        parts = [CodePart(part, length, "theory") for part, length in message.parts().items()]
        description = Description(
            name,
            (*parts, CodePart(rest, bits, "data")),
            chosen.title,
            _log_likelihood(last, problem),
            message.parameters,
            problem.n,
        )
        model = last if front is None else _joined(front, estimator, last)
        impossible = () if math.isfinite(bits) else (IMPOSSIBLE_TARGETS(name=name),)
        return _Told(description, model, impossible)

    def prequential(self, name: str, estimator: Any, *, given: Any) -> _Told:  # noqa: ARG002
        """Describe the targets by what is learnt on the way."""
        data = self.data
        targets = data.codes if data.codes is not None else data.y
        problem = CodingProblem(data.X, np.asarray(targets), **self.conventions)
        rows = np.arange(problem.n)
        order = rows if self.seed is None else np.random.default_rng(self.seed).permutation(rows)
        teller = Prequential(name, estimator, problem, order, data.classes, data.y)
        bits = teller.tell(self.refits)
        rest = "residuals" if not problem.k else "exceptions" if problem.labels_only else "labels"
        description = Description(name, (CodePart(rest, bits, "data"),), "prequential", n=problem.n)
        return _Told(description, fitted_alone(name, estimator, data.X, data.y), _late(teller))


def _heard(describe: Callable[..., _Told], scheme: Scheme, estimator: Any) -> _Told:
    """Describe a theory; report warnings of its estimator as a run does."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        description = describe(scheme.name, estimator, given=scheme.estimator)
    texts = dict.fromkeys(" ".join(str(w.message).split())[:300] for w in heard)
    more = (FIT_WARNING(scheme=scheme.name, often="in 1 fit", text=text) for text in texts)
    return replace(description, findings=(*description.findings, *more))


def _check(precision: float | None, refits: int) -> None:
    if precision is not None and not 0 < precision < math.inf:
        raise ParameterError(f"precision must be a number above 0; got {precision!r}.")
    if refits < 1:
        raise ParameterError(f"refits must be a whole number of at least 1; got {refits!r}.")


def _shared_front(name: str, estimator: Any, X: Any) -> tuple[Any, Any, Any]:
    """Return the steps before the last, the last, and the inputs that it sees.

    What is learnt from the inputs alone, the other side can learn as well.
    """
    from sklearn.base import clone

    steps = getattr(estimator, "steps", None) or [("", estimator)]
    if len(steps) == 1:
        return None, steps[0][1], X
    front = clone(estimator[:-1])
    try:
        return front, steps[-1][1], front.fit_transform(X)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"The steps of {name} before the last cannot be fitted on the inputs alone ({error}).",
            remedy=says("If they need the target, set <code='prequential'>."),
        ) from error


def _joined(front: Any, whole: Any, last: Any) -> Any:
    from sklearn.pipeline import Pipeline

    return Pipeline([*front.steps, (whole.steps[-1][0], last)])


def _codes(name: str, model: Any, y: NDArray[Any]) -> NDArray[np.intp]:
    """Return the place of each target among the classes of the model."""
    place = {c: i for i, c in enumerate(np.asarray(model.classes_).tolist())}
    try:
        codes = np.array([place[v] for v in y.tolist()], np.intp)
    except KeyError as error:
        raise DataError(
            f"{name} was not fitted on these rows: it does not know the class {error}."
        ) from None
    return codes


def _log_likelihood(model: Any, problem: CodingProblem) -> float:
    with np.errstate(divide="ignore"):
        if problem.k:
            chance = np.asarray(model.predict_proba(problem.X))[np.arange(problem.n), problem.y]
            return float(np.log(chance).sum())
        square = np.mean((problem.y - np.ravel(model.predict(problem.X))) ** 2)
    if square == 0:
        return math.nan  # without bound
    return float(-problem.n / 2 * (np.log(2 * np.pi * square) + 1))


def _errors(
    schemes: Sequence[Scheme],
    X: Any,
    y: Any,
    resampling: Any,
    task: Task | None,
    seed: int | None,
    n_jobs: int | None,
) -> tuple[dict[str, Estimate], list[Finding]]:
    """Return the cross-validated error of each scheme, where it was asked for, and why some are missing."""
    if resampling is None:
        return {}, []
    from credibly.evaluation import evaluate
    from credibly.running.run import run

    p = run(
        list(schemes),
        X,
        y,
        resampling=resampling,
        task=task,
        rng=seed,
        n_jobs=n_jobs,
        progress=False,
    )
    estimates = evaluate(p, headline_measure(p.task), rng=seed).estimates
    failed = [f for f in p.findings if f.code in {FAILED_FITS.code, INTERRUPTED.code}]
    alone = p.need("model", "mdl")[0]  # one model alone is not named by its estimate
    return {str(e.keys.get("model", alone)): e for e in estimates}, failed


def _heading(data: Data, code: str, labels: str, zero_frequency: str) -> str:
    what = count(len(data.classes), "class") if data.classes else "numeric target"
    way = {"probabilities": "", "exceptions": ", exceptions by their frequency"}[labels]
    estimator = f", {ESTIMATORS[zero_frequency]}" if data.classes else ""
    return f"{count(data.n, 'row')}, {what}; {code} code in bits{way}{estimator}"


def _late(teller: Prequential) -> tuple[Finding, ...]:
    if teller.unlearnt <= teller.problem.n / 4:
        return ()
    facts = {"late": teller.unlearnt, "n": teller.problem.n, "why": teller.why or "too few rows"}
    return (TOLD_WITHOUT_THE_SCHEME(name=teller.name, **facts),)


def _unseeded(
    schemes: Sequence[Scheme], estimators: Sequence[Any], seed: int | None
) -> tuple[Finding, ...]:
    random = [s.name for s, e in zip(schemes, estimators, strict=True) if has_open_seed(e)]
    random = [name for name in random if name != NULL_THEORY]
    return (UNSEEDED(what=listed(random), seed=FIXED_SEED),) if random and seed is None else ()


def _doubts(made: DescriptionLengths) -> tuple[Finding, ...]:
    """Return findings if the choice is not clear, or cross-validation would have chosen otherwise."""
    findings = []
    if len(made) > 1 and made.best.name == made.null:
        findings.append(NULL_THEORY_WINS())
    elif len(made) > 1 and made.margin < WEAK_EVIDENCE_BITS and made.second is not None:
        pair = {"best": made.best.name, "second": made.second.name}
        findings.append(CLOSE_LENGTHS(**pair, bits=made.margin))
    errors = {d.name: d.error.value for d in made.descriptions if d.error}
    if made.best.name in errors and errors[made.best.name] > min(errors.values()):
        least = min(errors, key=lambda name: errors[name])
        findings.append(
            LENGTH_AND_ERROR_DISAGREE(
                best=made.best.name,
                least=least,
                error=errors[least],
                of_best=errors[made.best.name],
            )
        )
    return tuple(findings)
