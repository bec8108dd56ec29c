"""What a description length is made of, and how several compare."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from textwrap import fill
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from credibly._core.findings import Finding
from credibly._core.layout import TEXT_WIDTH
from credibly._core.text import interval_text, number_text
from credibly.errors import ParameterError
from credibly.results.estimate import Estimate
from credibly.results.formats import Column, table_of
from credibly.results.result import Cells, Collected, Result

Of = Literal["theory", "data"]
WHY_NO_INTERVAL = (
    "a description length is about exactly these data; it does not estimate anything else"
)
# Odds, in bits, from which on evidence has a name (Kass & Raftery 1995).
EVIDENCE_WORDS = {
    math.log2(150): "very strong evidence",
    math.log2(20): "strong evidence",
    math.log2(3): "positive evidence",
    0.0: "not worth more than a mention",
}
WHOLE_WORDS: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
MAX_ODDS_BITS = 15  # bits up to which odds are written out


class CodePart(Result, eq=True):
    """Bits of one kind, spent on the theory or on what it leaves of the data."""

    name: str
    bits: float
    of: Of


class Description(Result):
    """How long it takes to tell a theory and then the data.

    ``log_likelihood`` is that of the theory as it was fitted, in nats, and ``parameters`` counts its
    fitted numbers; both are NaN where they are not known. ``error`` is the cross-validated one.
    """

    name: str
    parts: tuple[CodePart, ...]
    coder: str = ""
    log_likelihood: float = math.nan
    parameters: float = math.nan
    n: int = 0
    error: Estimate | None = None

    json_keys = "name coder? theory data total parts parameters log_likelihood aic bic error"

    @property
    def theory(self) -> float:
        """Bits of the theory, L[T]: minus log2 of the prior probability that its code gives it."""
        return math.fsum(p.bits for p in self.parts if p.of == "theory")

    @property
    def data(self) -> float:
        """Bits of the data once the theory is known, L[E|T]."""
        return math.fsum(p.bits for p in self.parts if p.of == "data")

    @property
    def total(self) -> float:
        """Bits of both."""
        return self.theory + self.data

    @property
    def aic(self) -> float:
        """Akaike's criterion, in nats times two."""
        return 2 * self.parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion, in nats times two."""
        return self.parameters * math.log(max(self.n, 1)) - 2 * self.log_likelihood

    def parts_text(self) -> str:
        """Say what the bits are spent on."""
        shown = {of: [p for p in self.parts if p.of == of] for of in ("theory", "data")}
        return " | ".join(
            ", ".join(f"{p.name} {bits_text(p.bits)}" for p in parts)
            for parts in shown.values()
            if parts
        )


class DescriptionLengths(Collected[Description]):
    r"""Theories of the same data, by the bits that they and what they leave unexplained take.

    ``null`` names the theory against which bits are saved, and ``order_saving`` is what any of them
    would save if the order of the data did not matter. ``models`` are the fitted estimators.

    >>> made = DescriptionLengths.of({"simple": (10, 30), "rich": (25, 12)})
    >>> made.best.name, made.margin, made.weights["rich"]
    ('rich', 3.0, 0.888...)
    >>> print(made)
    theory  L[T]  L[E|T]  total  saved  weight
    simple  10    30      40     0      0.1111
    rich    25    12      37     3      0.8889
    rich is the shortest, by 3 bits: odds of 8 to 1 against simple if the codes are the priors, positive evidence.
    """

    descriptions: tuple[Description, ...]
    null: str
    heading: str = ""
    kind: str = "theory"  # what is described: a theory or a clustering
    order_saving: float = math.nan
    precision: Mapping[str, float] = field(default_factory=dict)
    models: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    members = "descriptions name"
    versioned = True
    json_keys = (
        "heading descriptions=_described null best=best.name margin order_saving precision "
        "why_no_interval findings"
    )
    why_no_interval: ClassVar[str] = WHY_NO_INTERVAL

    @classmethod
    def of(cls, lengths: Mapping[str, tuple[float, float]]) -> DescriptionLengths:
        """Compare theories that were coded elsewhere: the bits of each, and of the data given it.

        The first is the null theory.
        """
        made = [
            Description(
                str(name), (CodePart("theory", theory, "theory"), CodePart("data", data, "data"))
            )
            for name, (theory, data) in lengths.items()
        ]
        if not made or any(not p.bits >= 0 for d in made for p in d.parts):
            raise ParameterError(
                f"Lengths must be pairs of bits by name, none below 0; got {dict(lengths)!r}."
            )
        return cls(tuple(made), made[0].name)

    @classmethod
    def of_probabilities(cls, theories: Mapping[str, tuple[float, float]]) -> DescriptionLengths:
        """Compare theories by their prior probability and that of the data given each.

        The shortest description is the most probable theory, and the weights are the posterior
        probabilities among these theories.

        >>> made = DescriptionLengths.of_probabilities({"a": (1 / 2, 1 / 16), "b": (1 / 4, 1 / 4)})
        >>> made.best.name, made.best.total, made.weights["b"]
        ('b', 4.0, 0.666...)
        """
        given = [p for pair in theories.values() for p in pair]
        if any(not 0 <= p <= 1 for p in given):
            raise ParameterError(
                f"A theory needs two probabilities from 0 to 1; got {dict(theories)!r}."
            )
        return cls.of({n: (_bits_of(t[0]), _bits_of(t[1])) for n, t in theories.items()})

    @property
    def best(self) -> Description:
        """The shortest; the first of equals."""
        return min(self.descriptions, key=lambda d: d.total)

    @property
    def second(self) -> Description | None:
        """The shortest of the others."""
        others = [d for d in self.descriptions if d is not self.best]
        return min(others, key=lambda d: d.total, default=None)

    @property
    def margin(self) -> float:
        """Bits by which the best is shorter than the second; NaN where there is one only."""
        return math.nan if self.second is None else self.second.total - self.best.total

    @property
    def weights(self) -> dict[str, float]:
        """Posterior probability of each among these, 2 to the minus length over the sum of these."""
        lengths = np.array([d.total for d in self.descriptions])
        with np.errstate(invalid="ignore"):
            share = np.exp2(lengths.min() - lengths)
        return dict(
            zip((d.name for d in self.descriptions), (share / share.sum()).tolist(), strict=True)
        )

    def saved(self, name: str) -> float:
        """Bits by which a theory is shorter than the null theory."""
        return self[self.null].total - self[name].total

    def average(self, X: Any) -> NDArray[Any]:
        """Predict with all theories, each with its weight: keep every explanation, as Epicurus advised.

        Probabilities with one column per class, in alphabetical order, or values.
        """
        if not self.models:
            raise ParameterError(
                "There are no models to average; mdl keeps models only if it fitted schemes."
            )
        weights = self.weights
        kept = {name: m for name, m in self.models.items() if weights[name] > 0}
        ways = {
            "predict_proba" if hasattr(m, "predict_proba") else "predict" for m in kept.values()
        }
        if len(ways) > 1 or (
            ways == {"predict"} and hasattr(next(iter(kept.values())), "classes_")
        ):
            raise ParameterError(
                "Some of the schemes do not give probabilities, so there is nothing to average."
            )
        way = ways.pop()
        each = [weights[name] * np.asarray(getattr(m, way)(X)) for name, m in kept.items()]
        return np.sum(each, axis=0)

    def rows(self) -> list[dict[str, Any]]:
        """Return one flat dictionary per part: the long form, ready for a picture."""
        weights = self.weights
        return [
            {
                self.kind: d.name,
                "of": p.of,
                "part": p.name,
                "bits": p.bits,
                "total": d.total,
                "saved": self.saved(d.name),
                "weight": weights[d.name],
                "aic": d.aic,
                "bic": d.bic,
                "error": d.error.value if d.error else math.nan,
            }
            for d in self.descriptions
            for p in d.parts
        ]

    def _described(self) -> list[dict[str, Any]]:
        weights = self.weights
        return [
            {**d.to_dict(), "saved": self.saved(d.name), "weight": weights[d.name]}
            for d in self.descriptions
        ]

    def cells(self) -> Cells:
        """Return header and body of the table as people read it."""
        weights, each = self.weights, self.descriptions
        columns: dict[str, Column] = {
            self.kind: "name",
            "L[T]": lambda d: bits_text(d.theory),
            "L[E|T]": lambda d: bits_text(d.data),
            "total": lambda d: bits_text(d.total),
            "saved": lambda d: bits_text(self.saved(d.name)),
            "weight": lambda d: number_text(weights[d.name]),
        }
        if not all(math.isnan(d.aic) for d in each):
            columns["AIC"] = lambda d: "" if math.isnan(d.aic) else bits_text(d.aic)
            columns["BIC"] = lambda d: "" if math.isnan(d.bic) else bits_text(d.bic)
        title = next((d.error.title.lower() for d in each if d.error), "")
        if title:
            columns[title] = lambda d: (
                interval_text(d.error.value, d.error.interval) if d.error else ""
            )
        return table_of(each, columns)

    def verdict(self) -> str:
        """Say which is the shortest, by how much, and what that means."""
        if self.second is None:
            return f"{self.best.name} takes {bits_text(self.best.total)} bits."
        if not math.isfinite(self.margin):
            return f"{self.best.name} is the shortest; no other theory can describe these data."
        if self.margin == 0:
            return f"{self.best.name} and {self.second.name} are equally short."
        name = next(words for bits, words in EVIDENCE_WORDS.items() if self.margin >= bits)
        unit = "bit" if bits_text(self.margin) == "1" else "bits"
        return (
            f"{self.best.name} is the shortest, by {bits_text(self.margin)} {unit}: odds of "
            f"{odds_text(self.margin)} against {self.second.name} if the codes are the priors, {name}."
        )

    def remarks(self) -> list[str]:
        """Return the verdict, and what bits are spent on where the table has not said it."""
        many = any(len(d.parts) > 2 for d in self.descriptions)
        bits = [f"  {d.name}: {d.parts_text()}" for d in self.descriptions if many]
        return [_wrapped(line) for line in (self.verdict(), *(["Bits:", *bits] if bits else ()))]


def _wrapped(line: str) -> str:
    return fill(line, TEXT_WIDTH, subsequent_indent="    ", **WHOLE_WORDS)


def _bits_of(probability: float) -> float:
    return -math.log2(probability) if probability else math.inf


def bits_text(bits: float) -> str:
    """Write a length to a tenth of a bit.

    >>> bits_text(12.04), bits_text(1234.56)
    ('12', '1,234.6')
    """
    if not math.isfinite(bits):
        return number_text(bits)
    text = f"{bits:,.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def odds_text(bits: float) -> str:
    """Write the odds that a number of bits stands for.

    >>> odds_text(3.0), odds_text(12.3), odds_text(120.4)
    ('8 to 1', '5,043 to 1', '2^120 to 1')
    """
    return f"{number_text(2**bits)} to 1" if bits < MAX_ODDS_BITS else f"2^{bits:.0f} to 1"
