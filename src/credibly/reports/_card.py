"""A document as a model card: Markdown below metadata that model hubs read.

The metadata are those of ``model-index`` (https://github.com/huggingface/hub-docs/blob/main/modelcard.md):
the results of one model, the best where there are several, since hubs take those of several for one's. Metrics
have the names of Hugging Face's ``evaluate``, and no place for an interval, so that their titles, which hubs show
beside the values, say it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from credibly._core.names import VOCABULARIES
from credibly._core.text import interval_text, percent, visible
from credibly.catalogue.entries import names_of
from credibly.errors import ParameterError
from credibly.measures import measures
from credibly.reports._plain import escaped_text, markdown
from credibly.reports.document import Document
from credibly.results.about import ABOUT_ONE_MODEL
from credibly.results.interval import Interval

# What YAML would take for a line break, or refuse, in a text between quotation marks.
_UNSAFE = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
AUTHOR_QUESTIONS = "What the model is, what it learned from, what it is meant for and its licence are for its author to add."


def model_card(document: Document, task: str | None = None, dataset: str | None = None) -> str:
    """Render a document for a model hub; ``task`` and ``dataset`` are the hub's names of them."""
    if "evaluation" not in document.data:
        raise ParameterError("A model card is about predictions; this report is of an experiment.")
    head = "\n".join(_yaml(_metadata(document, task, dataset)))
    limits = "\n".join(_limits(document))
    return f"---\n{head}\n---\n\n{markdown(document)}\n{limits}\n"


def _limits(document: Document) -> Iterator[str]:
    """Say what the evaluation does not tell: checks that found nothing to look at, and the author's part."""
    yield "## Limits"
    yield ""
    yield AUTHOR_QUESTIONS
    if document.models:
        best = escaped_text(document.models[0])
        yield f"The metadata are about {best}, the best of {len(document.models)} models."
    unknown = [c for c in document.data["checks"] if c["status"] == "not applicable"]
    if unknown:
        yield "What was not looked at, and why:"
        yield ""
        yield from (f"- {escaped_text(c['title'])}: {escaped_text(c['message'])}" for c in unknown)


def _metadata(document: Document, task: str | None, dataset: str | None) -> dict[str, Any]:
    evaluation = document.data["evaluation"]
    numeric = "classes" not in evaluation
    about = {
        "task": {"type": task or ("tabular-regression" if numeric else "tabular-classification")},
        "dataset": {
            "type": dataset or "unpublished",
            "name": dataset or document.title,
            "revision": document.data["facts"]["fingerprint"],
        },
    }
    kept = [e for e in evaluation["estimates"] if e.get("headline") is not False]
    name = next(iter(document.models), str(kept[0].get("model", "model")))
    mine = (e for e in kept if str(e.get("model", name)) == name)
    metrics = [_metric(e) for e in mine if math.isfinite(e["value"])]
    return {
        **({"pipeline_tag": task} if task else {}),
        "tags": ["credibly"],
        "metrics": list(dict.fromkeys(m["type"] for m in metrics)),
        "model-index": [{"name": visible(name), "results": [{**about, "metrics": metrics}]}],
    }


def _metric(e: Mapping[str, Any]) -> dict[str, Any]:
    known = measures.parse(e["measure"])
    theirs = [n["name"] for n in names_of(known) if n["origin"] == VOCABULARIES["evaluate"]]
    given = dict(known.arguments) if "(" in e["measure"] else {}
    given |= {"average": e["average"]} if e["average"] else {}
    return {
        "type": known.name if "(" in e["measure"] else next(iter(theirs), known.name),
        "value": e["value"],
        "name": f"{e['title']}{_said(e['interval'])}",
        **({"args": given} if given else {}),
    }


def _said(interval: Mapping[str, Any] | None) -> str:
    if interval is None:
        return " (no interval)"
    limits = Interval(**interval)
    level = f"{percent(limits.confidence_level)} interval"
    return f" ({level} {interval_text(None, limits)}, {limits.method}, about {ABOUT_ONE_MODEL[limits.about]})"


def _yaml(value: Any, indent: str = "") -> Iterator[str]:  # noqa: ANN401
    r"""Write lines of YAML; scalars are those of JSON, which every reader of YAML takes alike.

    >>> print("\n".join(_yaml({"a": [{"b": 1e-05, "c": "x: y"}, "z"], "d": []})))
    a:
    - b: 1.0e-05
      c: "x: y"
    - "z"
    d: []
    """
    entries = value.items() if isinstance(value, dict) else ((None, v) for v in value)
    for key, inside in entries:
        start = f"{indent}-" if key is None else f"{indent}{key}:"
        if not isinstance(inside, dict | list) or not inside:
            yield f"{start} {_scalar(inside)}"
        elif key is None:
            first, *others = _yaml(inside, f"{indent}  ")
            yield f"{start} {first.lstrip()}"
            yield from others
        else:
            yield start
            yield from _yaml(inside, indent if isinstance(inside, list) else f"{indent}  ")


def _scalar(value: object) -> str:
    """Write what JSON and YAML read as the same."""
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, float):
        return re.sub(r"^(-?\d+)e", r"\1.0e", text)  # else YAML 1.1 takes it for a text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
