"""Names in a picture: short enough to leave it room, and never two the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from credibly._core.grouping import grouped
from credibly._core.text import ISOLATE, RESUME, visible

ELLIPSIS = "…"
LETTERS_BEFORE_GAP = 7  # letters that are kept before the place where names differ
# Widths of letters in DejaVu Sans, by the size of type.
LETTER_WIDTHS = {
    "ijl'": 0.28, "frtI.,:;|!()[]{}/- ": 0.36, "csz_": 0.52, "aeokvxy": 0.6, "GDNHUOQ": 0.76,
    "mwMW@%&…": 0.95,
}  # fmt: skip
WIDTH_OF_LETTER = {letter: size for letters, size in LETTER_WIDTHS.items() for letter in letters}
LOWER_WIDTH, UPPER_WIDTH = 0.635, 0.68
FONT_ALLOWANCE = 1.05  # since fonts differ
FIRST_SQUARE_LETTER = 0x2E80  # from which on letters are as wide as they are high


def shortened(names: Iterable[str], longest: int) -> dict[str, str]:
    """Return each name as it can be written, at most so many letters long, no two alike.

    The middle is left out; where names would then be alike, what distinguishes them is kept, and where
    that is too much they are numbered.

    >>> shortened(["tree", "logistic regression with many interactions"], 16)
    {'tree': 'tree', 'logistic regression with many interactions': 'logistic…actions'}
    >>> list(shortened([f"boosting_of_trees_of_depth_{i}_by_gradients" for i in (1, 2)], 20).values())
    ['boosting_…_depth_1_…', 'boosting_…_depth_2_…']
    """
    whole = {name: _plain(name) for name in names}
    made = {name: _without_middle(text, longest) for name, text in whole.items()}
    for alike in _same(made):
        shown = [whole[name] for name in alike]
        made |= dict(zip(alike, _where_different(shown, longest), strict=True))
    place = {name: i for i, name in enumerate(whole, 1)}
    while same := _same(made):  # a number may make one like a further name
        for name in same[0]:
            number = f" ({place[name]})"
            made[name] = _without_middle(whole[name], longest - len(number)) + number
    return {name: visible(text) for name, text in made.items()}


def _plain(name: str) -> str:
    """Return a name in one line, without what keeps scripts apart, which is added when it is short."""
    return " ".join(visible(name).replace(ISOLATE, "").replace(RESUME, "").split("\n"))


def _same(made: dict[str, str]) -> list[list[str]]:
    """Return the names that are written alike."""
    groups = grouped((text, name) for name, text in made.items())
    return [names for names in groups.values() if len(names) > 1]


def _where_different(texts: list[str], longest: int) -> list[str]:
    """Return the beginning of each text, and what stands around the places where it differs from others."""
    start = _shared(texts)
    end = _shared([text[start:][::-1] for text in texts])
    made = []
    for text in texts:
        stop = max(len(text) - end, start + 1)
        kept = text[max(0, start - LETTERS_BEFORE_GAP) : stop + 1] + (
            ELLIPSIS if stop + 1 < len(text) else ""
        )
        head = longest - len(kept) - 1
        made.append(f"{text[:head]}{ELLIPSIS}{kept}" if head > 0 else text)
    return [_without_middle(text, longest) for text in made]


def _shared(texts: list[str]) -> int:
    """Return how many letters all texts begin with alike; between the first and the last in order lie all."""
    first, last = min(texts), max(texts)
    pairs = enumerate(zip(first, last, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(last)))


def _without_middle(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    end = (longest - 1) // 2
    return f"{text[: longest - 1 - end]}{ELLIPSIS}{text[len(text) - end :]}"


def width(text: str, size: float = 11) -> float:
    """Return about how many pixels a text takes, at a size of type in pixels."""
    return FONT_ALLOWANCE * size * sum(map(_width, text))


def _width(letter: str) -> float:
    if ord(letter) >= FIRST_SQUARE_LETTER:
        return 1.0
    return WIDTH_OF_LETTER.get(letter, UPPER_WIDTH if letter.isupper() else LOWER_WIDTH)


def wrapped(text: str, pixels: float, size: float = 11) -> list[str]:
    """Return the lines of a text in a column of some width; a word that is wider is left whole.

    >>> wrapped("pointwise 95 % band; dashed: chance", 150)
    ['pointwise 95 % band;', 'dashed: chance']
    """
    return [line.rstrip() for line in _lines(re.findall(r"\S+\s*", text), pixels, size)]


def folded(name: str, pixels: float, size: float = 11) -> list[str] | None:
    """Return a name in lines that fit into a column between words, or nothing if it cannot be parted so."""
    lines = _lines(re.findall(r"[^\s_-]+[\s_-]*|[\s_-]+", name), pixels, size)
    return lines if all(width(line.rstrip(), size) <= pixels for line in lines) else None


def _lines(words: list[str], pixels: float, size: float) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and width((lines[-1] + word).rstrip(), size) <= pixels:
            lines[-1] += word
        else:
            lines.append(word)
    return lines


def widest(texts: Sequence[str], size: float = 11) -> float:
    """Return the width of the widest text."""
    return max((width(text, size) for text in texts), default=0.0)
