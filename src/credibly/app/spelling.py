"""Calls of the page, written as commands and as Python that give the same numbers."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from credibly._core.signatures import function_at
from credibly.app.declared_calls import CALLS, Call
from credibly.app.uploads import PREDICTIONS_KIND
from credibly.io import read
from credibly.results.plot import plot_of_model

if TYPE_CHECKING:
    from credibly.app.prediction_store import Kept

# Called otherwise on the command line.
OPTION_NAMES = {"measures": "measure", "thresholds": "tune-thresholds"}
WITHOUT_OPTION = {"ignore", "format"}  # what the command line has no option for, or does not need
MISTAKES = ("fp", "fn")  # which are to be told also where they cost nothing
PAGE_PARAMETERS = {"id", "format", "model", "theme", "markdown"}
SPELLED_OTHERWISE = {"costs", "name", "kind"}  # what is not written as an option of its name
# Columns called otherwise there: these commands name scores of cases.
TABLE_COLUMNS = {"score": "run"}
# What commands write for others.
JOINED_FILE, RECALIBRATED_FILE = "joined.parquet", "recalibrated.parquet"
CHOSEN_FILE, SCORED_FILE, REPORT_FILE = "chosen.parquet", "scored.csv", "report.html"
MODELS_FOLDER = "models"  # of files that were read each in its own way
PLAN_FILE = "plan.toml"


def spelled(kept: Kept, call: str, given: Mapping[str, Any]) -> tuple[str, str]:
    """Return the command of a call and its Python; nothing for calls that no verb stands behind."""
    call = call.removesuffix("-sections")
    if call != "details" and not any(_is_verb(each, call) for each in CALLS):
        return "", ""
    asked = {n: v for n, v in given.items() if n not in PAGE_PARAMETERS and v is not None}
    told = {**_told(kept), **({"positive": asked.pop("positive")} if asked.get("positive") else {})}
    file, subject, before = _file(kept), "p", ""
    if kept.opened.evidence is not None:
        return _of_scores(kept, call, asked)
    if call == "plot":
        predictions = kept.predictions
        asked["kind"], one = plot_of_model(predictions, asked.get("kind"), given.get("model"))
        command = _command(call, file, told, {**asked, **({"option": one} if one else {})})
        return command, _python(call, subject, {**asked, **one})
    if method := asked.pop("after", None):  # of what another verb makes
        first = {"method": method, **{n: asked[n] for n in ("rng",) if n in asked}}
        before = _command("recalibrate", file, told, {**first, "save": RECALIBRATED_FILE}) + "\n"
        subject = f"{_python('recalibrate', 'p', first)}.predictions"
        file, told = RECALIBRATED_FILE, {}
    if models := asked.pop("models", None):  # some of them, in this order
        before, subject = _chosen(file, told, subject, models)
        file, told = CHOSEN_FILE, {}
    return before + _command(call, file, told, asked), _python(call, subject, asked)


def _chosen(file: str, told: Mapping[str, Any], subject: str, models: list[str]) -> tuple[str, str]:
    """Return the command that writes some of the models to a file, and these models in Python."""
    chosen = f"{{{', '.join(f'{m!r}: {subject}.where(model={m!r})' for m in models)}}}"
    return _command(
        "join", file, told, {"only_models": models, "output": CHOSEN_FILE}
    ) + "\n", chosen


def _of_scores(kept: Kept, call: str, asked: dict[str, Any]) -> tuple[str, str]:
    """Spell a call about a score of each case: the command of the kind writes it for the others."""
    evidence = kept.opened.evidence
    assert evidence is not None  # noqa: S101
    score = asked.pop("score", None) or evidence.defined()[0].call
    told = {TABLE_COLUMNS.get(name, name): value for name, value in _told(kept).items()}
    told.pop("kind", None)
    kind, files = kept.opened.kind.replace("_", "-"), [_file(each) for each in _parts(kept)]
    of_kind: dict[str, dict[str, Any]] = {
        "report": {"score": score, "report": REPORT_FILE},
        "details": {"details": True},
    }
    if call in of_kind:
        python = _python(call, "found", {"measure": score, **asked})
        code = python if call == "report" else f"found.in_detail({_given(asked)})"
        return _command(kind, files, told, {**of_kind[call], **asked}), code
    if call == "evaluate" and not {"measures", "by"} & {*asked}:
        return _command(kind, files, told, asked), f"found.table({_given(asked)})"
    subject, file = f"found.scored({score!r})", SCORED_FILE
    before = _command(kind, files, told, {"score": score, "save": file}) + "\n"
    if models := asked.pop("models", None):
        more, subject = _chosen(file, {}, subject, models)
        before, file = before + more, CHOSEN_FILE
    return before + _command(call, file, {}, asked), _python(call, subject, asked)


def _given(asked: Mapping[str, Any]) -> str:
    return ", ".join(f"{n}={v!r}" for n, v in asked.items())


def _is_verb(call: Call, name: str) -> bool:
    """Whether a public function, and a command of its name, stands behind a call."""
    known = call.verb and function_at(call.verb).__name__.replace("_", "-")
    return call.path == f"/api/{name}" and known == name


def _parts(kept: Kept) -> list[Kept]:
    """Return the files of a kind of prediction: one, or judgements and runs."""
    return [*kept.joined.values()] or [kept]


def _command(
    call: str, file: str | list[str], told: Mapping[str, Any], asked: Mapping[str, Any]
) -> str:
    words = ["credibly", call, *_first(asked), *([file] if isinstance(file, str) else file)]
    words += ["-o", "picture.svg"] if call == "plot" else []
    words += [
        word
        for pair in told.items()
        if pair[0] not in WITHOUT_OPTION
        for word in _option(*_listed(*pair))
    ]
    words += [
        word
        for pair in asked.items()
        if pair[0] not in SPELLED_OTHERWISE
        for word in _option(*pair)
    ]
    costs = asked.get("costs") or {}
    words += [
        word
        for outcome, cost in costs.items()
        if cost or outcome in MISTAKES
        for word in _cost(outcome, cost)
    ]
    return shlex.join(words)


def _python(call: str, subject: str, asked: Mapping[str, Any]) -> str:
    first = map(repr, _first(asked))
    arguments = [f"{n}={v!r}" for n, v in asked.items() if n not in SPELLED_OTHERWISE]
    arguments += [f"costs={asked['costs']!r}"] if asked.get("costs") else []
    return f"credibly.{call.replace('-', '_')}({', '.join([subject, *first, *arguments])})"


def _first(asked: Mapping[str, Any]) -> list[Any]:
    """Return the kind of curve or picture, which is named before everything else."""
    return [asked[n] for n in ("name", "kind") if n in asked]


def preparing(kept: Kept) -> list[str]:
    """Return the commands that must come first: those that join several files, or try schemes."""
    if kept.made_by is not None:
        return list(kept.made_by.shell)
    return _joining(kept.joined) if kept.joined and not kept.opened.part else []


def _joining(parts: Mapping[str, Kept]) -> list[str]:
    """Return the commands that join files; where they are not read alike, each is read by itself first."""
    told = [_told(each) for each in parts.values()]
    alike = all(each == told[0] for each in told)
    if alike and all(Path(each.name).stem == model for model, each in parts.items()):
        return [_command("join", [*map(_file, parts.values())], told[0], {"output": JOINED_FILE})]
    own = [f"{MODELS_FOLDER}/{model}.parquet" for model in parts]
    first = [
        _command("join", _file(each), options, {"output": file})
        for each, options, file in zip(parts.values(), told, own, strict=True)
    ]
    joined = _command("join", own, {}, {"output": JOINED_FILE})
    return [f"mkdir -p {MODELS_FOLDER}", *first, joined]


def running(plan: Mapping[str, Any], folder: str) -> list[str]:
    r"""Return the commands that write a plan and run its experiment.

    >>> print(*running({"rng": 1, "datasets": {"iris": {"data": "iris"}}}, "results"), sep="\n")
    cat > plan.toml << 'END'
    rng = 1
    datasets = {"iris" = {"data" = "iris"}}
    END
    credibly experiment plan.toml --folder results
    """
    lines = [f"{name} = {_toml(value)}" for name, value in plan.items()]
    written = "\n".join([f"cat > {PLAN_FILE} << 'END'", *lines, "END"])
    return [written, shlex.join(["credibly", "experiment", PLAN_FILE, "--folder", folder])]


def _toml(value: object) -> str:
    """Write a value as TOML has it, which is as JSON except for tables."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json.dumps(k)} = {_toml(v)}' for k, v in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)


def spelled_analysis(
    path: str, subject: str, first: Sequence[str], asked: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Spell the analysis of an experiment: ``first`` are the commands that run it.

    >>> spelled_analysis("w.arff", "read_results('w.arff')", [], {"base": "ZeroR"})["shell"]
    ['credibly experiment analyse w.arff --base ZeroR']
    """
    words = ["credibly", "experiment", "analyse", path]
    shell = shlex.join([*words, *(word for pair in asked.items() for word in _option(*pair))])
    given = ", ".join([subject, *(f"{n}={v!r}" for n, v in asked.items())])
    python = ["import credibly.experiments", f"credibly.experiments.analyse({given})"]
    return {"shell": [*first, shell], "python": python}


def reading(kept: Kept) -> str:
    """Return the Python that reads a set."""
    name = "p" if kept.opened.evidence is None else "found"
    made = kept.made_by.python if kept.made_by else _joined(kept) if kept.joined else _read(kept)
    return f"{name} = {made}"


def _read(kept: Kept) -> str:
    told = _told(kept)
    kind = told.pop("kind", "")
    given = "".join(f", {name}={value!r}" for name, value in told.items())
    return f"credibly.{f'read_{kind}' if kind else 'read'}({kept.name!r}{given})"


def _joined(kept: Kept) -> str:
    if kept.opened.part:
        (_, first), *others = kept.joined.items()
        named = {name: each.name for name, each in others}
        return f"credibly.{kept.opened.kind}({first.name!r}, {named!r})"
    parts = ", ".join(f"{model!r}: {_read(each)}" for model, each in kept.joined.items())
    return f"credibly.Predictions.joined({{{parts}}})"


def _told(kept: Kept) -> dict[str, Any]:
    """Return the options of reading, and the positive class, which would otherwise be asked for."""
    p = kept.opened.predictions
    told = {} if kept.joined else dict(kept.options)
    if told.get("kind") == PREDICTIONS_KIND:
        del told["kind"]
    if p is not None and p.positive is not None:
        told["positive"] = p.classes[p.positive]
    return told


def _file(kept: Kept) -> str:
    if kept.joined:
        return JOINED_FILE
    return f"./{kept.name}" if kept.name.startswith("-") else kept.name


def _option(name: str, value: object) -> Iterator[str]:
    """Write an option as the command line takes it.

    >>> list(_option("confidence_level", 0.9)), list(_option("positive", "-1")), list(_option("spread", True))
    (['--confidence-level', '0.9'], ['--positive=-1'], ['--spread'])
    """
    option = f"--{OPTION_NAMES.get(name, name).replace('_', '-')}"
    if value is True:
        yield option
        return
    if value is False:
        return
    if isinstance(value, Mapping):
        value = [f"{key}={each}" for key, each in value.items()]
    if isinstance(value, list | tuple):  # of calls, whose commas belong to them, or of names
        value = ",".join(map(str if name in OPTION_NAMES else _quoted, value))
    text = str(value)
    yield from [f"{option}={text}"] if text.startswith("-") else [option, text]


def _listed(name: str, value: object) -> tuple[str, object]:
    """Return a column as a list of one, where the command line would else split its name at commas."""
    known = signature(read).parameters.get(name)
    splits = known is not None and "Sequence" in str(known.annotation) and isinstance(value, str)
    return name, [value] if splits else value


def _quoted(value: object) -> str:
    """Write one part of a list as the command line reads it back.

    >>> _quoted("a"), _quoted("a,b")
    ('a', '"a,b"')
    """
    text = str(value)
    plain = "," not in text and not text.startswith('"') and text == text.strip()
    return text if plain else '"' + text.replace('"', '""') + '"'


def _cost(outcome: str, cost: float) -> Iterator[str]:
    kind = "--cost" if cost >= 0 else "--benefit"
    yield from (kind, f"{outcome}={abs(cost):.15g}")
