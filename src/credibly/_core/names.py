"""Names people know: what a thing is called elsewhere, by whom, and what differs there.

>>> from credibly._core.names import Names
>>> names = Names("hit_rate", weka="TP Rate", sklearn="recall_score, recall", caret="Recall")
>>> Names.beside("recall", names)
('hit_rate', 'TP Rate', 'recall_score')
>>> names.known[-1].name, names.known[-1].origin
('Recall', 'caret')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

from credibly._core.parameters import parse_call
from credibly.errors import ParameterError

GENERAL_USE = "in general use"
VOCABULARIES = {
    "common": GENERAL_USE,
    "texts": "text books",
    "weka": "Weka",
    "sklearn": "scikit-learn",
    "proc": "pROC",
    "caret": "caret",
    "yardstick": "yardstick",
    "scipy": "scipy",
    "statsmodels": "statsmodels",
    "evaluate": "Hugging Face's evaluate",
}
# Of a scorer that scikit-learn negates so that more is always better.
NEGATED_IN_SKLEARN = (
    "scikit-learn's scorer is its negative; here it is the loss itself, and lower is better"
)
PERCENT_ELSEWHERE = "it is a percentage there and a share here"


@lru_cache(maxsize=4096)
def name_key(name: str) -> str:
    """Return a name without case, apostrophes and the marks between words.

    >>> name_key("F-Measure") == name_key("f measure") == "f_measure"
    True
    >>> name_key("Youden's J"), name_key(".632+")
    ('youdens_j', '632+')
    >>> name_key("Cost/Benefit analysis"), name_key("./iris")
    ('cost_benefit_analysis', '/iris')
    """
    plain = re.sub(r"['’]", "", name.casefold()).replace("²", "2")
    plain = re.sub(r"\(([^()=]*)\)", r" \1 ", plain)  # but not those of a call
    return re.sub(r"(?:[\s_\-.&|:,]|(?<=\w)/(?=\w))+", "_", plain).strip("_")


@dataclass(frozen=True, slots=True)
class Alias:
    """A name of a thing as one vocabulary spells it, the arguments that it sets, and what differs there."""

    name: str
    origin: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    differs: str = ""

    @property
    def key(self) -> str:
        """The name as it is looked up."""
        return name_key(self.name)


class Names(tuple[str, ...]):
    """The other names of a thing: a tuple of those that mean just it; ``known`` are all, with their origin.

    Names are separated by commas, by who uses them; the first are in general use. One that sets
    arguments is written as a call: ``"f2(beta=2)"``. ``differs`` says of a name what is different about
    the number there, which users see whenever they use the name; ``percent`` are those of
    percentages, and what begins with ``neg_`` in scikit-learn is the negative. ``unlike`` holds
    false friends: names that mean something near but not the same in the program that the sentence
    names. They are shown and found, and refused with that sentence where they are used.
    """

    known: tuple[Alias, ...]
    unlike: Mapping[str, str]

    def __new__(
        cls,
        common: str = "",
        *,
        texts: str = "",
        weka: str = "",
        sklearn: str = "",
        proc: str = "",
        caret: str = "",
        yardstick: str = "",
        scipy: str = "",
        statsmodels: str = "",
        evaluate: str = "",
        percent: str = "",
        differs: Mapping[str, str] | None = None,
        unlike: Mapping[str, str] | None = None,
    ) -> Self:
        """Read the names of each vocabulary."""
        listed = (
            common,
            texts,
            weka,
            sklearn,
            proc,
            caret,
            yardstick,
            scipy,
            statsmodels,
            evaluate,
        )
        told = dict.fromkeys(_listed(percent), PERCENT_ELSEWHERE) | dict(differs or {})
        said = {name_key(name): text for name, text in told.items()}
        known = tuple(
            _read(each, origin, said)
            for names, origin in zip(listed, VOCABULARIES.values(), strict=True)
            for each in _listed(names)
        )
        if lost := said.keys() - {alias.key for alias in known}:
            raise ParameterError(f"`differs` names {sorted(lost)}, which are not among the names.")
        friends = {n: why for names, why in (unlike or {}).items() for n in _listed(names)}
        return cls._made(known, friends)

    @classmethod
    def _made(cls, known: tuple[Alias, ...], unlike: Mapping[str, str], own: str = "") -> Self:
        plain: dict[str, str] = {}
        for alias in known:
            if not alias.arguments and alias.key != name_key(own):
                plain.setdefault(alias.key, alias.name)
        made = super().__new__(cls, plain.values())
        made.known, made.unlike = known, unlike
        return made

    @classmethod
    def beside(cls, own: str, given: Iterable[str]) -> Self:
        """Return these names beside the thing's own name; plain ones are in general use."""
        if isinstance(given, cls):
            return cls._made(given.known, given.unlike, own)
        return cls._made(tuple(Alias(name, GENERAL_USE) for name in given), {}, own)

    def __reduce__(self) -> tuple[Any, ...]:
        return Names._made, (self.known, self.unlike)


def _listed(names: str) -> list[str]:
    """Split at the commas outside brackets; an apostrophe is part of a name.

    >>> _listed("Cohen's kappa, kap(weights='linear', k=2), kappa")
    ["Cohen's kappa", "kap(weights='linear', k=2)", 'kappa']
    """
    return [name.strip() for name in re.split(r",(?![^()]*\))", names) if name.strip()]


def _read(text: str, origin: str, differs: Mapping[str, str]) -> Alias:
    """Read one name, with the arguments that it stands for."""
    head, _, inside = text.partition("(")
    called = "=" in inside  # brackets alone are part of some names
    name, arguments = (head, parse_call(f"_({inside}")[1]) if called else (text, {})
    negated = (
        NEGATED_IN_SKLEARN if origin == VOCABULARIES["sklearn"] and name.startswith("neg_") else ""
    )
    return Alias(name, origin, arguments, differs.get(name_key(name), negated))
