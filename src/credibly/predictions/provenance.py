"""Where predictions come from: which splits of which data, what happened at each fit, how their cases hang together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import repeat
from typing import Any, Literal, NamedTuple, get_args, overload

from credibly._core.arrays import Indices
from credibly.errors import DataError

Repeats = Literal["resampled", "retrained", "independent", "asked_again"]


class Fit(NamedTuple):
    """One scheme on one training part.

    ``how`` says which output of the fitted model was taken, ``chosen`` which parameters a search chose
    on this training part; a fit that failed has its ``error``.
    """

    model: str
    repeat: int
    fold: int
    n_train: int
    n_test: int
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    how: str = ""
    error: str = ""
    chosen: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Fits(Sequence[Fit]):
    """Fits in their order: single ones, and blocks, which stay in columns until somebody asks for a single fit.

    A block is its first fit, and the repeats, folds and sizes of all. Fits of a block did not fail.

    >>> import numpy as np
    >>> first = Fit("ols", 0, 0, 75, 25)
    >>> block = first, (np.array([0, 1]), np.array([0, 0]), np.array([75, 74]), np.array([25, 26]))
    >>> fits = Fits((block, (Fit("tree", 0, 0, 75, 25, error="no"), ())))
    >>> len(fits), fits[1].n_test, fits == (first, first._replace(repeat=1, n_train=74, n_test=26), fits[2])
    (3, 26, True)
    """

    blocks: tuple[tuple[Fit, tuple[Indices, ...]], ...]

    def __len__(self) -> int:
        return sum(len(numbers[0]) if numbers else 1 for _, numbers in self.blocks)

    def __iter__(self) -> Iterator[Fit]:
        for first, numbers in self.blocks:
            if not numbers:
                yield first
                continue
            told = (
                repeat(first.model),
                *(each.tolist() for each in numbers),
                *map(repeat, first[5:]),
            )
            yield from map(partial(tuple.__new__, Fit), zip(*told, strict=False))

    @overload
    def __getitem__(self, index: int) -> Fit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Fit, ...]: ...
    def __getitem__(self, index: int | slice) -> Fit | tuple[Fit, ...]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


@dataclass(frozen=True, slots=True)
class Provenance:
    """How predictions were made. Times and versions are facts of one run, so no fingerprint has them.

    >>> from credibly.predictions.provenance import Fit, Provenance
    >>> made = Provenance("stratified(k=2)", fits=(Fit("tree", 0, 0, 75, 75, 0.25),))
    >>> Provenance.from_json(made.to_json()) == made
    True
    >>> made.seconds
    {'tree': 0.25}
    """

    resampling: str
    splits: str = ""
    data: str = ""
    seed: int | None = None
    schemes: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    fits: Sequence[Fit] = ()
    attributes: int = 0  # of the data; 0 where that is not known
    # share by which a scheme errs less on rows that it was fitted to
    overfitting: Mapping[str, float] = field(default_factory=dict)
    # variance of losses between models of folds, by the jackknife, as a multiple of that over cases
    instability: Mapping[str, float] = field(default_factory=dict)
    # whether a scheme gives a class a probability of 0 at some row that it was fitted to
    impossible: Mapping[str, bool] = field(default_factory=dict)
    # how many different things a scheme says of rows that it was fitted to, beside labels
    different: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[Fit, ...]:
        """The fits that ended in an error."""
        return tuple(f for f in self._with_text if f.error)

    @property
    def _with_text(self) -> Iterable[Fit]:
        """The fits that may say more than numbers: of a block they are alike."""
        return (f for f, _ in self.fits.blocks) if isinstance(self.fits, Fits) else self.fits

    @property
    def chosen(self) -> dict[str, dict[tuple[int, int], str]]:
        """The parameters that searches chose, by model and then by repeat and fold.

        >>> fits = (Fit("grid", 0, i, 75, 75, chosen=f"k={3 - i}") for i in (0, 1))
        >>> Provenance("folds(k=2)", fits=tuple(fits)).chosen
        {'grid': {(0, 0): 'k=3', (0, 1): 'k=2'}}
        """
        made: dict[str, dict[tuple[int, int], str]] = {}
        for f in self._with_text:
            if f.chosen:
                made.setdefault(f.model, {})[f.repeat, f.fold] = f.chosen
        return made

    @property
    def seconds(self) -> dict[str, float]:
        """Time spent on fitting and predicting, by model."""
        spent: dict[str, float] = {}
        for f in self.fits:
            spent[f.model] = spent.get(f.model, 0.0) + f.fit_seconds + f.predict_seconds
        return spent

    def of(self, model: str) -> Provenance:
        """Return how the predictions of one model were made.

        >>> Provenance("folds(k=2)", overfitting={"tree": 0.9, "lda": 0.1}).of("lda").overfitting
        {'lda': 0.1}
        """
        mine: dict[str, Any] = {
            known: {name: found for name, found in getattr(self, known).items() if name == model}
            for known in ("overfitting", "instability", "impossible", "different")
        }
        fits: Sequence[Fit] = (
            Fits(tuple(block for block in self.fits.blocks if block[0].model == model))
            if isinstance(self.fits, Fits)
            else tuple(f for f in self.fits if f.model == model)
        )
        return replace(self, **mine, fits=fits)

    def to_dict(self) -> dict[str, Any]:
        """Return every field by name."""
        return {**asdict(replace(self, fits=())), "fits": [f._asdict() for f in self.fits]}

    def to_json(self) -> str:
        """Write everything as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Provenance:
        """Read what :meth:`to_dict` returns."""
        return cls(**{**given, "fits": tuple(Fit(**f) for f in given.get("fits", ()))})

    @classmethod
    def from_json(cls, text: str) -> Provenance:
        """Read what :meth:`to_json` writes."""
        return cls.from_dict(json.loads(text))


def merged(made: Sequence[Provenance | None]) -> Provenance | None:
    """Return where rows of several parts come from, with the fits of all; nothing where they differ.

    >>> a, b = (Provenance("folds(k=2)", fits=(Fit("tree", 0, i, 75, 75),)) for i in (0, 1))
    >>> len(merged([a, b]).fits), merged([a, Provenance("bootstrap")])
    (2, None)
    """
    first = made[0]
    if first is None or any(p is None or replace(p, fits=first.fits) != first for p in made):
        return None
    return replace(first, fits=tuple(dict.fromkeys(f for p in made if p for f in p.fits)))


@dataclass(frozen=True, slots=True)
class Design:
    """How cases hang together, as far as it is known; nothing is known of columns from elsewhere.

    ``repeats`` says what one repeat has to do with the next: the same cases are split again
    (``"resampled"``), the same cases are judged after learning from a training set of its own
    (``"retrained"``), each is a data set of its own (``"independent"``), or the same model is asked the
    same cases again (``"asked_again"``: the epochs of outcomes). ``in_time`` says that
    training parts are older than what they are tested on, and that rows stand in the order of time.
    ``counted`` says that rows are the cells of a table of counts, whose cases have no order and no names.

    >>> Design(repeats="independent").independent, Design().independent
    (True, False)
    >>> Design.merged([Design(in_time=True), Design(repeats="independent")])
    Design(repeats='resampled', in_time=True, counted=False)
    """

    repeats: Repeats = "resampled"
    in_time: bool = False
    counted: bool = False

    def __post_init__(self) -> None:
        if self.repeats not in get_args(Repeats):
            raise DataError(
                f"repeats must be one of {', '.join(get_args(Repeats))}; got {self.repeats!r}.",
                asked=self.repeats,
                choices=get_args(Repeats),
            )

    @property
    def independent(self) -> bool:
        """Whether each repeat is a data set of its own."""
        return self.repeats == "independent"

    @property
    def fits(self) -> tuple[str, ...]:
        """The columns that distinguish the fitted models of a resampling."""
        return ("fold",) if self.repeats == "asked_again" else ("repeat", "fold")

    @classmethod
    def promised(cls, promises: Iterable[str]) -> Design:
        """Return what follows from the promises of a resampling."""
        made = set(promises)
        return cls("independent" if "independent" in made else "resampled", "respects_time" in made)

    @classmethod
    def merged(cls, designs: Iterable[Design]) -> Design:
        """Return what holds for rows of several designs: only what every one of them guarantees."""
        known = list(designs)
        repeats = {d.repeats for d in known}
        return cls(
            repeats.pop() if len(repeats) == 1 else "resampled",
            any(d.in_time for d in known),
            any(d.counted for d in known),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every field by name."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any] | None) -> Design:
        """Read what :meth:`to_dict` returns; nothing is known of what was saved without it."""
        return cls(**(given or {}))


UNKNOWN = Design()
