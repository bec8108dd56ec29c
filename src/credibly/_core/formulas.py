"""Formulas of descriptions: between dollar signs in LaTeX's language, shown as mathematics or as plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

FORMULA = re.compile(r"\$([^$]+)\$")
# TP is one name, not T times P.
_NAME = re.compile(r"(?<!\\mathrm{)(?<![A-Za-z\\])([A-Z]{2,})(?![A-Za-z])")
BAR, PRIME = "\u0304", "'"


class FormulaError(ValueError):
    """A formula that cannot be written as MathML."""


def formulas(text: str) -> list[str]:
    """Return every formula of a description.

    >>> formulas("Half of it: $n / 2$.")
    ['n / 2']
    """
    return [" ".join(f.split()) for f in FORMULA.findall(text)]


def to_mathml(formula: str, *, block: bool = False) -> str:
    r"""Write a formula as MathML, which browsers draw themselves: no script and nothing to fetch.

    >>> to_mathml("a^2")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><msup><mi>a</mi>...'
    """
    from latex2mathml.converter import convert

    try:
        converted = convert(_named(formula), display="block" if block else "inline")
    except Exception as error:
        msg = f"cannot write the formula {formula!r} as MathML: {type(error).__name__} {error}"
        raise FormulaError(msg) from error
    if "\\" in converted:  # the converter leaves a command that it does not know as it stands
        msg = f"the formula {formula!r} holds a command that has no MathML: {converted}"
        raise FormulaError(msg)
    return converted


def in_plain_text(formula: str) -> str:
    r"""Write a formula in one line of plain text.

    >>> in_plain_text(r"\frac{2 TP}{2 TP + FP}"), in_plain_text(r"\sqrt{\bar p_g (1 - x_{ij})^2}")
    ('(2 TP)/(2 TP + FP)', 'sqrt(p̄_g(1 - x_ij)^2)')
    """
    if not set(formula) & set("\\{}"):
        return " ".join(formula.split())
    from latex2mathml.converter import convert_to_element

    text = _line(convert_to_element(_named(formula)))
    for pattern, written in _CLOSE:
        text = pattern.sub(written, text)
    return text.replace("\u2223", "|")


def with_plain_formulas(text: str) -> str:
    r"""Write the formulas of a description in plain text.

    >>> with_plain_formulas(r"The mean $\frac{1}{n} \sum x_i$ of all.")
    'The mean 1/n ∑ x_i of all.'
    """
    return FORMULA.sub(lambda found: in_plain_text(found[1]), text)


def _named(formula: str) -> str:
    return _NAME.sub(r"\\mathrm{\1}", formula)


def _line(parts: Iterable[Element]) -> str:
    """Write parts one behind the other."""
    return " ".join(_text(part) for part in parts if part.tag != "mspace")


def _text(part: Element) -> str:
    inside = list(part)
    write = _WRITTEN.get(part.tag)
    if write is not None:
        return write(*map(_text, inside))
    if not inside:
        text = unescape(part.text or "").strip()
        return _PLAIN.get(text, text)
    if all(each.get("mathvariant") == "normal" for each in inside):
        return "".join(map(_text, inside))  # a name in upright letters
    return _line(inside)


def _whole(text: str) -> str:
    """Set what is more than one thing in brackets."""
    return f"({text})" if " " in text else text


def _index(text: str) -> str:
    """Write an index of letters without spaces: n_ij."""
    close = text.replace(" ", "")
    return close if close.isalnum() or len(close) == 1 else f"({text})"


_PLAIN = {"\u2212": "-", "\u2015": BAR, "\u00af": BAR, "\u2032": PRIME}
_CLOSE = [  # brackets stand close to what they hold, and to the name of a function before them
    (re.compile(pattern), written)
    for pattern, written in (
        (r"([(\[]) ", r"\1"),
        (r" (?=[)\],!])", ""),
        (rf"(?:(?<=\))|(?<![^\s(\[])([^\W\d_][\w{BAR}]*)) \(", r"\1("),
        (r"\| (.*?) \|", r"|\1|"),
        (r"(^|[(\[])- ", r"\1-"),
    )
]
_WRITTEN: dict[str, Callable[..., str]] = {
    "mfrac": lambda above, below: f"{_whole(above)}/{_whole(below)}",
    "msqrt": lambda inside: f"sqrt({inside})",
    "msub": lambda base, low: f"{_whole(base)}_{_index(low)}",
    "msup": lambda base, high: f"{_whole(base)}{'' if high == PRIME else '^'}{_index(high)}",
    "msubsup": lambda base, low, high: f"{_whole(base)}_{_index(low)}^{_index(high)}",
    "mover": lambda base, mark: f"{base}{mark}" if len(base) == 1 else f"mean({base.strip('() ')})",
}
