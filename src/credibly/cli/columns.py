"""The options that say how a file of predictions is read, the same for every command that reads one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from credibly.cli.options import COLUMNS, WHAT, Options, many
from credibly.errors import ParameterError
from credibly.predictions import Predictions


def kind_and_file(
    kind: str, file: Path | None, is_kind: Callable[[str], bool], default: str = ""
) -> tuple[str, Path]:
    """Return the name of what is drawn and the file, whichever was typed first; a file alone gets the default.

    >>> kind_and_file("p.csv", Path("roc"), {"roc"}.__contains__)
    ('roc', ...Path('p.csv'))
    >>> kind_and_file("p.csv", None, {"roc"}.__contains__, default="roc")
    ('roc', ...Path('p.csv'))
    """
    if file is None:
        if is_kind(kind.partition("(")[0].replace("-", "_")):
            raise ParameterError(f"Name the file of predictions after {kind}.")
        return default, Path(kind)
    plain = str(file).partition("(")[0].replace("-", "_")
    if file.suffix and not file.exists() and Path(kind).is_file():
        raise ParameterError(
            f"There is no file {file}.",
            remedy=f"To write a picture, name it last: `credibly plot {kind} -o {file}`.",
        )
    swapped = is_kind(plain) and not is_kind(kind.partition("(")[0].replace("-", "_"))
    return (str(file), Path(kind)) if swapped else (kind, file)


def columns_of_models(text: str) -> dict[str, str]:
    """Read the columns of several models, each called like its column or named before an equals sign.

    >>> columns_of_models("tree,forest=p_forest")
    {'tree': 'tree', 'forest': 'p_forest'}
    """
    pairs = [part.partition("=") for part in many(text) or ()]
    found = {name.strip(): (column if equals else name).strip() for name, equals, column in pairs}
    if not pairs or not all(found) or not all(found.values()) or len(found) < len(pairs):
        raise ParameterError(
            f"models must give each model its column once, such as tree,forest or tree=p_tree,forest=p_forest; got {text!r}."
        )
    return found


def named_files(files: Sequence[Path]) -> dict[str, Path]:
    """Call each file by its stem, or by its whole path where stems are the same.

    >>> list(named_files([Path("iris.csv"), Path("wine.csv")]))
    ['iris', 'wine']
    >>> list(named_files([Path("a/p.csv"), Path("b/p.csv")]))
    ['a/p.csv', 'b/p.csv']
    """
    places = [file.resolve() for file in files]
    twice = [file for i, file in enumerate(files) if places[i] in places[:i]]
    if twice:
        raise ParameterError(f"The same file was given twice: {twice[0]}.")
    stems = [file.name if file.is_dir() else file.stem for file in files]
    names = stems if len(set(stems)) == len(stems) else [str(file) for file in files]
    return dict(zip(names, files, strict=True))


def with_other(files: Sequence[Path], asked: Options) -> list[Path]:
    """Add the file that ``against`` names, if it is one, at the end; it is then the name of its model."""
    named = asked.get("against")
    if not isinstance(named, str) or not Path(named).exists():
        return list(files)
    other = Path(named)
    paths = [*(f for f in files if f.resolve() != other.resolve()), other]
    asked["against"] = list(named_files(paths))[-1]
    return paths


SEVERAL_FILES = 2


class Columns(Options):
    """Which column is what, and what the file does not say itself."""

    verb = "credibly.io.read:read"
    leave_out = "source columns"
    group = COLUMNS
    first = "truth probability label outcome positive models value"
    elsewhere = dict.fromkeys(
        ("only_model", "positive", "classes", "threshold", "tolerance", "format"), WHAT
    )
    reads = {"models": columns_of_models}
    says = {
        "models": "Columns of several models, such as tree,forest or tree=p_tree,forest=p_forest; their values decide what they hold.",
        "truth": "Column of what was observed (y_true). If several files have different names, give them in the order of the files, with commas; this holds for all columns.",
        "probability": "Probability of the positive class, or one column per class with commas.",
        "baseline": "Training prior of each class, with commas, or training mean.",
        "tolerance": "How far probabilities may be from summing to 1, and how far bins may move a measure.",
        "format": "Format of the file, if its name does not show it.",
    }

    def read_models(
        self, files: Sequence[Path], asked: Options | None = None
    ) -> Predictions | dict[str, Predictions]:
        """Read files of one model each by their names, or one file that holds several."""
        given = files if asked is None else with_other(files, asked)
        read = self.read_each(given)
        return read if len(read) > 1 else next(iter(read.values()))

    def read_each(self, files: Sequence[Path]) -> dict[str, Predictions]:
        """Read files of one model each by their names, each with its own columns."""
        named = named_files(files)
        each = self._of_each(list(named.values()))
        return {name: own.read(file) for (name, file), own in zip(named.items(), each, strict=True)}

    def _of_each(self, files: Sequence[Path]) -> list[Columns]:
        """Return the options of each file: as many names as there are files are one for each, if all are not in each."""
        listed = {k: many(v) if isinstance(v, str) else v for k, v in self.items()}
        several = {k: v for k, v in listed.items() if isinstance(v, list) and len(v) == len(files)}
        if not several or len(files) < SEVERAL_FILES:
            return [self for _ in files]
        from credibly.io import column_names

        held = [column_names(file, self.get("format")) for file in files]
        own = {
            k: names
            for k, names in several.items()
            if all(name in columns for name, columns in zip(names, held, strict=True))
            and not all({*names} <= columns for columns in held)
        }
        return [Columns({**self, **{k: v[i] for k, v in own.items()}}) for i in range(len(files))]

    def read(self, file: Path) -> Predictions:
        """Read a file with these options."""
        from credibly.io import bundled_options, read

        return read(file, **{**bundled_options(file), **self})


class OutcomeColumns(Columns):
    """The same, of commands that are mostly about cases that were scored elsewhere."""

    first = "outcome truth row repeat probability label positive models value"
