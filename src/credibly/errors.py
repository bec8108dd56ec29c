"""Errors: what was asked, what was found, what there is to choose from, and what to do.

Sentences are data until they are shown. A sentence that names an argument holds its name and value,
and whoever shows it writes them in the words of that place: a keyword in Python, an option on the command
line, a field on a page, a key in a plan.

>>> from credibly.errors import ParameterError, says
>>> error = ParameterError(says("Which of {classes} is it?", classes="no, yes"), remedy=says("Set <positive=...>."))
>>> print(error)
Which of no, yes is it? Set positive=...
>>> error.arguments
(Argument(name='positive', value=Ellipsis),)
>>> with surface(lambda argument: f"--{argument.name}"):
...     print(error)
Which of no, yes is it? Set --positive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral
from string import Formatter
from typing import Any, NamedTuple, Self

MAX_LISTED = 8  # names in a sentence, where there may be many


class Argument(NamedTuple):
    """An argument that a sentence names: its name in Python, and a value (``...`` for any, None for none)."""

    name: str
    value: object = None


class ArgumentName(Argument):
    """An argument that a sentence calls by its name alone."""

    __slots__ = ()


class VerbName(Argument):
    """A verb that a sentence leads to: a function in Python, a command or a screen elsewhere."""

    __slots__ = ()


class OneModel(Argument):
    """The model to take out of predictions of several: its rows in Python, an option elsewhere."""

    __slots__ = ()

    @classmethod
    def of(cls, names: Iterable[object]) -> Self:
        """Take the first of several names for an example."""
        return cls("only_model", next(iter(names)))


class Everything(Argument):
    """What shows all that a first look leaves out: an attribute in Python, an option elsewhere."""

    __slots__ = ()


class ModelColumns(Argument):
    """The columns of several models in one table: a list in Python, an option elsewhere."""

    __slots__ = ()

    @classmethod
    def of(cls, columns: Iterable[str]) -> Self:
        """Name each model by its column."""
        return cls("models", ",".join(columns))


def in_python(argument: Argument) -> str:
    """Write an argument as a keyword.

    >>> in_python(Argument("by", "fold")), in_python(Argument("positive", ...)), in_python(Argument("by"))
    ("by='fold'", 'positive=...', 'by=')
    >>> in_python(ArgumentName("by"))
    'by'
    >>> in_python(OneModel.of(["tree", "forest"]))
    ".where(model='tree')"
    >>> in_python(ModelColumns.of(["a", "b"]))
    "models=['a', 'b']"
    """
    if isinstance(argument, ArgumentName):
        return argument.name
    if isinstance(argument, VerbName):
        return f"credibly.{argument.name}"
    if isinstance(argument, OneModel):
        return f".where(model={argument.value!r})"
    if isinstance(argument, Everything):
        return f".{argument.name}"
    if isinstance(argument, ModelColumns):
        return f"{argument.name}={str(argument.value).split(',')!r}"
    value = "" if argument.value is None else repr(argument.value)
    return f"{argument.name}={'...' if argument.value is ... else value}"


_SURFACE: ContextVar[Callable[[Argument], str]] = ContextVar("surface", default=in_python)


@contextmanager
def surface(write: Callable[[Argument], str]) -> Iterator[None]:
    """Write the arguments of sentences with a function of one's own while the context lasts."""
    before = _SURFACE.set(write)
    try:
        yield
    finally:
        _SURFACE.reset(before)


class Sentence(str):
    """Text whose arguments are written by whoever shows it; as plain text it is what Python says."""

    __slots__ = ("parts",)
    parts: tuple[str | Argument, ...]

    def __new__(cls, *parts: str | Argument) -> Self:
        """Put text and arguments together; sentences among the parts are taken apart."""
        flat = tuple(q for p in parts for q in (p.parts if isinstance(p, Sentence) else (p,)))
        made = super().__new__(cls, _written(flat, in_python))
        made.parts = flat
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, self.parts

    def __str__(self) -> str:
        return _written(self.parts, _SURFACE.get())

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments that it names."""
        return tuple(
            p for p in self.parts if isinstance(p, Argument) and not isinstance(p, VerbName)
        )


def _written(parts: Iterable[str | Argument], write: Callable[[Argument], str]) -> str:
    text = ""
    for part in parts:
        if isinstance(part, Argument):
            text += write(part)
        elif part.startswith(".") and text.endswith("..."):  # which ends a sentence as well
            text += part[1:]
        else:  # after an open keyword, a full stop stands apart
            apart = part.startswith(".") and text.endswith("=")
            text += f" {part}" if apart else part
    return text


def says(template: str, **fields: object) -> Sentence:
    """Write a sentence: ``{name}`` is data, as in `str.format` (a whole number is a count), and ``<name=value>`` an
    argument, ``<name>`` its name, and ``<name()>`` a verb.

    The value is a literal, ``...`` for any, a ``{field}``, or nothing. What is data stays what it is,
    whatever it looks like.

    >>> says("{file} has no weights: set <weight_kind='frequency'>.", file="<a=b>.csv").parts
    ('<a=b>.csv', ' has no weights: set ', Argument(name='weight_kind', value='frequency'), '.')
    >>> says("See <best_of()>."), says("{n} rows", n=1200)
    ('See credibly.best_of.', '1,200 rows')
    """
    parts: list[str | Argument] = []
    rest = template
    while rest:
        text, opened, behind = rest.partition("<")
        parts += _filled(text, fields)
        inside, closed, rest = behind.partition(">")
        if closed and inside.partition("=")[0].isidentifier():
            name, given, value = inside.partition("=")
            made = Argument(name, _value(value, fields)) if given else ArgumentName(name)
            parts.append(made)
        elif closed and inside.endswith("()") and inside[:-2].isidentifier():
            parts.append(VerbName(inside[:-2]))
        elif opened:
            parts.append(opened)
            rest = behind
    return Sentence(*parts)


def _filled(text: str, fields: dict[str, object]) -> Iterator[str | Argument]:
    formatter = Formatter()
    for literal, field, spec, conversion in formatter.parse(text):
        if literal:
            yield literal
        if field is not None:
            value = formatter.convert_field(formatter.get_field(field, (), fields)[0], conversion)
            value = value.sentence if isinstance(value, CrediblyError) else value
            data = isinstance(value, Sentence | Argument)
            counted = isinstance(value, Integral) and not isinstance(value, bool)
            yield value if data else format(value, spec or "," * counted)


def _value(text: str, fields: dict[str, object]) -> object:
    if text.startswith("{"):
        return fields[text[1:-1]]
    from ast import literal_eval

    return literal_eval(text) if text else None


def traceback_in_notebook(error: Exception) -> list[str]:
    """Say in a notebook what is wrong, below the lines that asked for it and none of Credibly's own.

    IPython calls it as ``_render_traceback_``; ``%tb`` and ``%debug`` know the rest.
    """
    from pathlib import Path
    from traceback import extract_tb

    home = str(Path(__file__).parent)
    asked = [f for f in extract_tb(error.__traceback__) if not f.filename.startswith(home)]
    lines = [f"line {f.lineno}: {f.line}" for f in asked if f.line and "IPython" not in f.filename]
    return [*lines, "", f"{type(error).__name__}: {error}"]


def no_attribute(message: str, name: str | None = None, of: object | None = None) -> AttributeError:
    """Return the error of a name that a thing lacks, which a notebook shows as it shows our own.

    With both the name and the thing, Python adds the names that are near.

    >>> raise no_attribute("a Table has no to_csv")
    Traceback (most recent call last):
    ...
    AttributeError: a Table has no to_csv
    """
    error = AttributeError(message, name=name, obj=of)
    error._render_traceback_ = lambda: traceback_in_notebook(error)  # type: ignore[attr-defined]
    return error


class CrediblyError(Exception):
    """Every error that Credibly raises on purpose.

    ``found`` says what is wrong, ``remedy`` what to do; ``asked`` is what was asked for and ``choices``
    what there is, from which the nearest are offered.
    """

    def __init__(
        self,
        found: str = "",
        *,
        asked: object = None,
        choices: Iterable[str] = (),
        remedy: str = "",
    ) -> None:
        super().__init__(found)
        self.__suppress_context__ = True  # what it replaces tells a reader nothing more
        self.found = found
        self.asked = asked
        self.choices = tuple(choices)
        self.remedy = remedy

    def __str__(self) -> str:
        return str(self.sentence)

    def _render_traceback_(self) -> list[str]:
        return traceback_in_notebook(self)

    @property
    def sentence(self) -> Sentence:
        """All that it says."""
        return Sentence(self.found, self.nearest, *((" ", self.remedy) if self.remedy else ()))

    @property
    def nearest(self) -> str:
        """A sentence that offers the choices nearest to what was asked for, or nothing."""
        return did_you_mean(self.asked, self.choices) if isinstance(self.asked, str) else ""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments that it names, by their names in Python."""
        return self.sentence.arguments

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, ready for JSON."""
        return {
            "error": type(self).__name__,
            "found": self.found,
            "asked": None if self.asked is None else str(self.asked),
            "choices": list(self.choices),
            "remedy": self.remedy,
            "arguments": [a.name for a in self.arguments],
        }


class DataError(CrediblyError, ValueError):
    """The data cannot be what they are said to be.

    >>> from credibly import Predictions
    >>> Predictions.of([0, 1], score=[0.3, float("inf")])
    Traceback (most recent call last):
    ...
    credibly.errors.DataError: score is not a finite number in 1 row: row 1 (inf), counted from 0. ...
    """


class MissingColumnError(DataError):
    """A column that something needs is not there.

    >>> from credibly import Predictions
    >>> from credibly.measures import auc
    >>> auc(Predictions.of([0, 1], label=[0, 1]))
    Traceback (most recent call last):
    ...
    credibly.errors.MissingColumnError: auc needs a score or probability; ...
    """


class ParameterError(CrediblyError, ValueError):
    """An argument is outside what the function takes.

    >>> from credibly.measures import measures
    >>> measures.parse("fbeta(beta=-1)")
    Traceback (most recent call last):
    ...
    credibly.errors.ParameterError: fbeta: beta must be greater than 0; got -1.
    """


class UnknownArgumentError(ParameterError, TypeError):
    """A keyword that a function does not take, or an argument that is missing.

    >>> from credibly import evaluate
    >>> evaluate(None, intervall="none")
    Traceback (most recent call last):
    ...
    credibly.errors.UnknownArgumentError: evaluate has no argument 'intervall'. Did you mean interval?
    """


class UnknownNameError(ParameterError, LookupError):
    """A name that no entry has.

    >>> from credibly.measures import measures
    >>> measures["kapa"]
    Traceback (most recent call last):
    ...
    credibly.errors.UnknownNameError: There is no measure 'kapa'. Did you mean kappa ...? ...
    """


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a sentence that offers the nearest known names, or nothing.

    Never the contrary of what was written, nor that of a name that is nearer.

    >>> did_you_mean("acuracy", ["accuracy", "auc"])
    ' Did you mean accuracy?'
    >>> did_you_mean("percent_corect", ["percent_incorrect", "percent_correct"])
    ' Did you mean percent_correct?'
    >>> did_you_mean("cost", ["accuracy", "average_cost"])
    ' Did you mean average_cost?'
    """
    from difflib import SequenceMatcher, get_close_matches

    asked = _plain(name)
    exact = {_plain(k): k for k in known if k != name}
    near = {
        c: SequenceMatcher(None, c, asked).ratio() for c in get_close_matches(asked, exact, 9, 0.65)
    }
    fit = {
        c: likeness
        for c, likeness in near.items()
        if not _is_opposite(name, c)
        and (likeness > TYPO_SIMILARITY or not _negates(c, name))
        and not any(near[d] > likeness and (_is_opposite(c, d) or _is_opposite(d, c)) for d in near)
    }
    best = [exact[c] for c in list(fit)[:3] if fit[c] > max(fit.values()) - 0.1]
    best = [*{name.lower().replace("_", ""): name for name in best}.values()]
    if not near and len(asked) > 2:
        best = sorted((n for c, n in exact.items() if asked in c.split("_") or c.startswith(asked)), key=len)[:3]  # fmt: skip
    return f" Did you mean {listed(best, 'or')}?" if best else ""


def listed(words: Iterable[str], last: str = "and", *, most: int | None = None) -> str:
    """Write words one after the other, the last after *and*; of more than ``most``, the first and how many more.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or"), listed(["a"]), listed([])
    ('a, b and c', 'a or b', 'a', '')
    >>> listed(["a", "b", "c", "d"], most=2)
    'a, b and 2 more'
    """
    named = [*words]
    if most is not None and len(named) > most:
        named = [*named[:most], f"{len(named) - most:,} more"]
    *others, end = named or [""]
    return f" {last} ".join(filter(None, [", ".join(others), end]))


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


# Words of names of which one is never offered for another.
OPPOSITES = tuple(
    frozenset(line.split())
    for line in (
        "paired unpaired",
        "roc pr prc",
        "true false",
        "positive negative",
        "positives negatives",
        "pos neg",
        "correct incorrect",
        "correctly incorrectly",
        "classification misclassification",
        "classified misclassified unclassified",
        "tp fp tn fn",
        "tpr fpr tnr fnr",
        "ppv npv",
        "sensitivity specificity",
        "sens spec",
        "precision recall",
        "concordant discordant",
        "better worse",
        "greater less",
        "maximum minimum",
        "max min",
        "macro micro weighted",
        "training test",
        "error accuracy",
        "cost benefit",
        "ovo ovr",
    )
)
NEGATING = ("1", "neg")  # one less something, or its negative
TYPO_SIMILARITY = 0.9  # how like a name is that differs by a slip of the hand


def _negates(name: str, other: str) -> bool:
    """Whether a name is that of one less something, or of its negative, and the other is not."""
    return any(word in _words(name)[:1] and word not in _words(other) for word in NEGATING)


def _is_opposite(asked: str, offered: str) -> bool:
    """Whether one name says in some word the contrary of the other.

    >>> _is_opposite("delong_paired", "delong_unpaired"), _is_opposite("recal", "recall")
    (True, False)
    """
    from difflib import get_close_matches

    theirs = set(_words(offered))
    if _negates(asked, offered):
        return True
    for word in _words(asked):
        for contraries in OPPOSITES:
            if word not in theirs and theirs & contraries:
                meant = get_close_matches(word, contraries, 1, 0.8)
                if meant and meant[0] not in theirs:
                    return True
    return False


def _words(name: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in name.lower()).split()
