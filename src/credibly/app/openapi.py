"""The description of the JSON API: an OpenAPI document, and the same as a page."""

from __future__ import annotations

from html import escape
from typing import Any

from credibly import __version__
from credibly._core.signatures import VerbArgument, json_schema
from credibly.app import calls, experiment_calls, report_calls  # noqa: F401
from credibly.app.declared_calls import CALLS, Call
from credibly.render.web_page import own_text
from credibly.results.formats import plain

ERROR_RESPONSES = {
    "400": "The call is wrong: what was asked, what was found, what to do.",
    "401": "The token is missing or wrong.",
    "403": "The request names another host, or comes from a page of another site.",
    "404": "There is no such set, or no such call.",
    "413": "The file is too large.",
    "422": "The data do not allow this.",
    "503": "Too many calls are already waiting.",
}
TOKEN_TEXT = "The token that was printed when the server started."  # noqa: S105
DESCRIPTION = (
    "What the page of credibly app computes, for programs. The results are those of the Python functions "
    "of the same names; NaN is null, infinities are strings. Errors are JSON: {error, status, details}."
)


def document() -> dict[str, Any]:
    """Return the OpenAPI document, made from the declared calls.

    >>> "/api/evaluate" in document()["paths"]
    True
    """
    paths: dict[str, Any] = {}
    for each in CALLS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Credibly", "version": __version__, "description": DESCRIPTION},
        "paths": paths,
        "security": [{"bearer": []}, {"query": []}],
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": TOKEN_TEXT},
                "query": {
                    "type": "apiKey",
                    "in": "query",
                    "name": "token",
                    "description": TOKEN_TEXT,
                },
            },
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error", "status"],
                    "properties": {
                        "error": {"type": "string"},
                        "status": {"type": "integer"},
                        "details": {"type": "object"},
                    },
                }
            },
        },
    }


def _operation(call: Call) -> dict[str, Any]:
    fine: dict[str, Any] = {"description": call.doc}
    if call.status != 204:
        kind = call.media.partition(";")[0]
        fine["content"] = {kind: {"schema": {"type": "string" if kind == "text/csv" else "object"}}}
    wrong = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    made: dict[str, Any] = {
        "operationId": call.function.__name__,
        "summary": call.doc.partition(". ")[0].rstrip(".") + ".",
        "description": call.doc,
        "responses": {
            str(call.status): fine,
            **{
                code: {"description": text, "content": wrong}
                for code, text in ERROR_RESPONSES.items()
            },
        },
    }
    if call.method == "POST" and not call.upload:
        made["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": body(call)}},
        }
        return made
    made["parameters"] = [_parameter(call, each) for each in call.parameters.values()]
    if call.upload:
        raw = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        made["requestBody"] = {"required": True, "content": raw}
    return made


def body(call: Call) -> dict[str, Any]:
    """Return the schema of the JSON that a call takes."""
    required = [name for name, each in call.parameters.items() if each.required]
    return {
        "type": "object",
        "properties": {n: _schema(p) | {"description": p.text} for n, p in call.parameters.items()},
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }


def _parameter(call: Call, about: VerbArgument) -> dict[str, Any]:
    return {
        "name": about.name,
        "in": "path" if f"{{{about.name}}}" in call.path else "query",
        "required": about.required,
        "description": about.text,
        "schema": _schema(about),
    }


def _schema(about: VerbArgument) -> dict[str, Any]:
    default = {} if about.required or not about.default else {"default": plain(about.default)}
    return json_schema(about.hint) | default


def reference() -> str:
    """Return the page that describes every call."""
    return own_text("app", "reference.html").format(
        about=escape(DESCRIPTION), calls="\n".join(map(_section, CALLS))
    )


def _section(call: Call) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code>{' (required)' if p.required else ''}</td>"
        f"<td>{escape(p.text)}</td></tr>"
        for name, p in call.parameters.items()
    )
    where = "JSON" if call.method == "POST" and not call.upload else "address"
    head = f"<tr><th>in the {where}</th><th>what it is</th></tr>"
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows else ""
    return f"<h2><code>{escape(call.name)}</code></h2><p>{escape(call.doc)}</p>{table}"
