"""What the calls of the server work on: the kept sets, the folder of uploads, and what is being done."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from credibly._core.signatures import arguments_of
from credibly.app.jobs import Jobs, doing
from credibly.app.prediction_store import Kept, MadeBy, PredictionStore, new_id
from credibly.app.preview import preview
from credibly.app.upload_folder import discard_upload
from credibly.app.uploads import (
    PREDICTIONS_KIND,
    Opened,
    open_apart,
    open_or_ask,
    read_parts,
    renamed,
    work_apart,
)
from credibly.app.workshop import Workshop
from credibly.case_scores.tables import table_kinds
from credibly.errors import CrediblyError, DataError, ParameterError, UnknownNameError
from credibly.io import bundled, readers
from credibly.io._limits import ReadingLimits
from credibly.predictions import Predictions
from credibly.predictions.column_names import NAMES
from credibly.predictions.summaries.linear import one_vs_rest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from credibly.app.recent import RecentStudies
    from credibly.case_scores.tables import TableKind
    from credibly.reports import Report

MAX_NAME_LETTERS = 200
MAX_FILE_LETTERS = 150
MAX_MODELS = 24
MAX_SHOWN = 4
MAX_SECONDS = 600.0


@dataclass(slots=True)
class Session:
    """One server's state."""

    limits: ReadingLimits = field(default_factory=ReadingLimits)
    store: PredictionStore = field(default_factory=PredictionStore)
    folder: Path | None = None  # of uploads, while the server runs
    ended: Event = field(default_factory=Event)  # set when the page no longer waits
    at_start: str = ""  # the set that the page shows first
    time_limit: float = MAX_SECONDS  # seconds that one call may compute
    jobs: Jobs = field(default_factory=Jobs)
    workshop: Workshop = field(default_factory=Workshop)
    recent: RecentStudies | None = None  # of earlier starts
    # Pages of reports that are looked at, by id.
    shown: dict[str, str] = field(default_factory=dict)
    # The report that was made last, of which set and as asked for: several calls ask for the same one.
    last_report: tuple[Kept | None, Any, Report | None] = (None, None, None)

    def place(self, name: str) -> Path:
        """Return where an upload is written: a folder of ours, and plain letters of its name, which some readers read."""
        if self.folder is None:
            raise RuntimeError("The server is not running, so it cannot take an upload.")
        folder = self.folder / f"upload-{new_id()}"
        folder.mkdir(mode=0o700)
        return folder / plain_file_name(name)

    def keep_upload(
        self, path: Path, name: str, options: dict[str, Any], made_by: MadeBy | None = None
    ) -> Kept:
        """Read an upload, or what was made here, and keep it; what cannot be read is not kept."""
        try:
            with doing(f"Reading {name}"):
                opened = open_apart(path, name, options, self.limits, self.ended)
        except BaseException:
            discard_upload(path)
            raise
        return self._kept(Kept(new_id(), name, path, True, options, opened, made_by=made_by))  # noqa: FBT003

    def keep_file(self, path: Path, options: dict[str, Any], name: str = "") -> Kept:
        """Keep a file that the owner of the server names, or one of ours."""
        name = name or path.name
        with doing(f"Reading {name}"):
            opened = open_or_ask(path, options)
        return self._kept(Kept(new_id(), name, path, False, options, opened))  # noqa: FBT003

    def read_again(self, key: str, options: dict[str, Any]) -> Kept:
        """Read a kept file with other options, under the same id."""
        kept = self.store[key]
        with doing(f"Reading {kept.name}"):
            opened = open_apart(kept.path, kept.name, options, self.limits, self.ended)
        return self._kept(replace(kept, options=options, opened=opened))

    def preview(self, key: str) -> dict[str, Any]:
        """Look at the first rows of a file and at the spread of its columns."""
        kept = self.store[key]
        with doing(f"Looking at {kept.name}"):
            return work_apart(preview, kept.path, kept.name, kept.options, self.limits, self.ended)

    def join(self, keys: list[str]) -> Kept:
        """Keep the predictions of several sets as those of models for the same cases."""
        sets = [self.store[key] for key in keys]
        parts = [each.opened.part for each in sets if each.opened.part]
        if parts:
            return self._join_parts(table_kinds[parts[0][0]], sets)
        names = [each.name.rpartition(".")[0] or each.name for each in sets]
        if len(set(names)) < len(names):
            names = [f"{name} ({i + 1})" for i, name in enumerate(names)]
        joined = dict(zip(names, sets, strict=True))
        p = Predictions.joined({model: each.predictions for model, each in joined.items()})
        opened = replace(sets[0].opened, predictions=p, suggested={}, kind="", evidence=None)
        name = ", ".join(each.name for each in sets)
        return self._kept(
            replace(sets[0], id=new_id(), name=name, ours=False, opened=opened, joined=joined)
        )

    def _join_parts(self, kind: TableKind, sets: list[Kept]) -> Kept:
        """Keep the parts of a kind that stand in files of their own together."""
        first, others = _parts_of(kind, sets)
        told = {"kind": kind.name, "others": {n: str(each.path) for n, each in others.items()}}
        name = ", ".join(each.name for each in (first, *others.values()))
        with doing(f"Reading {name}"):
            try:
                found = work_apart(
                    read_parts, first.path, first.name, told, self.limits, self.ended
                )
            except CrediblyError as error:
                for each in others.values():
                    error.found = renamed(error.found, each.path, each.name)
                raise
        p = found.scored(found.defined()[0])
        opened = replace(first.opened, predictions=p, problem="", kind=kind.name, evidence=found)
        joined = {"": first, **others}
        return self._kept(
            replace(first, id=new_id(), name=name, ours=False, opened=opened, joined=joined)
        )

    def _kept(self, kept: Kept) -> Kept:
        """Keep a set; a column that names each case a model of its own is no column of models."""
        why = _too_many_models(kept.opened)
        opened = replace(kept.opened, predictions=None, problem=why) if why else kept.opened
        options = {**opened.suggested, **kept.options}
        made = self.store.add(replace(kept, opened=opened, options=options))
        if self.recent is not None and made.is_own:
            self.recent.add(made)
        return made

    def subject(
        self, key: str, positive: str | None = None, score: str | None = None
    ) -> Predictions:
        """Return the predictions of a set, with another class looked for, or another score, where one is named."""
        evidence = self.store[key].opened.evidence
        if score is not None and evidence is not None:
            return evidence.scored(score)
        p = self.store[key].predictions
        if positive is None:
            return p
        named = {str(c): i for i, c in enumerate(p.classes)}
        if positive not in named:
            raise UnknownNameError(
                f"There is no class {positive[:40]!r}.", asked=positive, choices=named
            )
        return looking_for(p, named[positive])

    def page_data(self, key: str, positive: str | None = None) -> dict[str, Any]:
        """Make what the page computes from as the slider moves."""
        from credibly.app.page_data import page_data

        kept = self.store[key]
        with doing(f"Reading the scores of {kept.name}"):
            return page_data(
                self.subject(key, positive), title=kept.name, listed=False, told=kept.options
            )

    def show(self, page: str) -> str:
        """Keep the page of a report while it is looked at, and return its id; older ones go."""
        key = new_id()
        self.shown[key] = page
        while len(self.shown) > MAX_SHOWN:
            del self.shown[next(iter(self.shown))]
        return key

    def warm(self) -> None:
        """Import and start what the first upload needs, while its owner looks for the file."""
        import credibly.app.page
        import credibly.app.page_data
        import credibly.reports.report  # noqa: F401

        with suppress(Exception):  # the server may have ended meanwhile
            open_apart(bundled("campaign"), "campaign", {}, self.limits, self.ended)

    def private_folders(self) -> set[Path]:
        """Return the folders of this machine that no answer may name."""
        ours = [Path(__file__).parents[1], *([] if self.folder is None else [self.folder])]
        kept = {each.path.absolute().parent for each in self.store.all()}
        return {*ours, *kept, *(path.parent for path in self.workshop.folders())}


def _too_many_models(opened: Opened) -> str:
    """Say why a column does not name models."""
    p = opened.predictions
    found = 0 if p is None else len(p.model_names)
    if found <= MAX_MODELS:
        return ""
    return (
        f"The column {opened.roles['model'][0]!r} names {found:,} models; the page shows at most {MAX_MODELS}. "
        "Give it another role, or no role."
    )


def looking_for(p: Predictions, class_index: int) -> Predictions:
    """Return predictions in which another class is the positive one; of two, scores change sides.

    >>> p = Predictions.of(["no", "yes"], probability=[0.25, 1.0], positive="yes")
    >>> other = looking_for(p, 0)
    >>> other.classes, other.positive, other.probability.tolist()
    (('yes', 'no'), 1, [0.75, 0.0])
    """
    if p.positive == class_index:
        return p
    if len(p.classes) > 2 or p.positive is None:
        return replace(p, positive=class_index, cache={})
    view = one_vs_rest(p, class_index)
    return replace(view, classes=(p.classes[1 - class_index], p.classes[class_index]))


def parts_of(p: Predictions, models: list[str]) -> dict[str, Predictions]:
    """Return the predictions of some of the models, in the order given.

    >>> p = Predictions.of([0, 1, 0, 1], label=[0, 1, 1, 1], model=["a", "a", "b", "b"])
    >>> [(name, part.n) for name, part in parts_of(p, ["b", "a"]).items()]
    [('b', 2), ('a', 2)]
    """
    known = {str(m): m for m in p.model_names} or {"model": None}
    for name in models:
        if name not in known:
            raise UnknownNameError(f"There is no model {name[:40]!r}.", asked=name, choices=known)
    return {m: p if known[m] is None else p.where(model=known[m]) for m in models}


def plain_label(name: str) -> str:
    r"""Return the last part of a file name: a label to show, never a path to open.

    >>> plain_label("../../etc/passwd"), plain_label("C:\\data\\p.csv"), plain_label("a\nb")
    ('passwd', 'p.csv', 'a b')
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    shown = "".join(c if c.isprintable() else " " for c in last).strip()[:MAX_NAME_LETTERS]
    return shown or "upload"


def plain_file_name(name: str) -> str:
    r"""Return a name that means nothing to any system: the one given, or one made of its letters.

    >>> plain_file_name("samples_arc.jsonl"), plain_file_name("a.CSV.gz"), plain_file_name("../x $(a).exe")
    ('samples_arc.jsonl', 'upload-a.csv', 'upload-___x___a__exe')
    """
    known = sorted((s for each in readers for s in each.suffixes), key=len, reverse=True)
    plain = name.lower().removesuffix(".gz")
    suffix = next((s for s in known if plain.endswith(s)), "")
    allowed = "-_." if suffix else "-_"
    stem = name[: len(plain) - len(suffix)][-MAX_FILE_LETTERS:]
    kept = "".join(c if c.isascii() and (c.isalnum() or c in allowed) else "_" for c in stem)
    made = f"{kept}{suffix}"
    return made if made == name and kept[:1].isalnum() else f"upload-{made}"


def reading_options(
    roles: dict[str, str | list[str] | dict[str, str]] | None = None,
    format: str | None = None,  # noqa: A002
    **given: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """Return those of the arguments of :func:`credibly.read` that were given."""
    kind = given.get("kind")
    if kind not in {None, PREDICTIONS_KIND}:
        kind = given["kind"] = table_kinds[kind].name
    known = (
        (*NAMES, "models")
        if kind in {None, PREDICTIONS_KIND}
        else arguments_of(table_kinds[kind].function)
    )
    unknown = [role for role in roles or {} if role not in known]
    if unknown:
        raise ParameterError(f"A column can be {', '.join(known)}; got {unknown[0][:40]!r}.")
    if format is not None:
        given["format"] = readers[format].name
    return {**(roles or {}), **{name: value for name, value in given.items() if value is not None}}


def _parts_of(kind: TableKind, sets: Sequence[Kept]) -> tuple[Kept, dict[str, Kept]]:
    """Return the file of the first part of a kind and those of the other by their names."""
    assert kind.apart is not None  # noqa: S101  (files that wait for others are of such a kind)
    parts = kind.apart.first, kind.apart.other
    first, others = ([s for s in sets if s.opened.part == (kind.name, p.name)] for p in parts)
    if len(first) != 1 or not others or len(first) + len(others) < len(sets):
        raise DataError(
            f"{kind.title} need one file of {parts[0].name} and at least one of {parts[1].name}, and nothing else; there are "
            f"{len(first)} and {len(others)} among {len(sets)} files."
        )
    names = [Path(each.name).stem for each in others]
    if len({*names}) < len(names):
        raise DataError(f"Two files of {parts[1].name} have the same name. Call each by its model.")
    return first[0], dict(zip(names, others, strict=True))
