"""Answers of the API as bytes of JSON, safe in a page, with the address of their schema."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from datasette_msmap.web.responses import JSON, Answer, Ask
from msmap.query.names import answers

# Only strings hold these. As escapes they are the same to a parser, and nothing to a page, a
# terminal or an editor into which someone pastes the answer.
_TELLING = (
    "<>&\u007f\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060"
    "\u2066\u2067\u2068\u2069\ufeff"
)


_ESCAPES = {c.encode(): f"\\u{ord(c):04x}".encode() for c in _TELLING}
_USUAL = {told: escape for told, escape in _ESCAPES.items() if len(told) == 1}
# What all others but one begin with, and little else does.
_BEGINNINGS, _BEGINNING = (b"\xe2", b"\xd8"), "\ufeff"
_NO_NUMBER = re.compile(rb"[:,\[] *(?:NaN|-?Infinity)\b")


def _escaped(made: str) -> bytes:
    found = made.encode("utf-8", "replace")
    # To look for single bytes takes hardly any time.
    rare = any(beginning in found for beginning in _BEGINNINGS) or _BEGINNING in made
    for told, escape in (_ESCAPES if rare else _USUAL).items():
        if told in found:
            found = found.replace(told, escape)
    return found


def text(value: Any, indent: int | None = None) -> str:
    """JSON in one line, with what could act or mislead elsewhere as escapes."""
    separators = (",", ":") if indent is None else None

    def made(found: Any) -> str:
        return json.dumps(
            found, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
        )

    try:
        found = made(value)
    except ValueError:
        found = made(_finite(value))
    return _escaped(found).decode()


def _finite(value: Any) -> Any:
    """With null for the size of an error that is no number, which JSON has no word for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def stored(document: str) -> bytes:
    """JSON as the database has it, as it may leave the server."""
    if "NaN" in document or "Infinity" in document:
        found = document.encode("utf-8", "replace")
        if _NO_NUMBER.search(found):
            return text(json.loads(document)).encode()
    return _escaped(document)


def schema_address(ask: Ask, name: str) -> str:
    """Where the schema of an answer is."""
    return f"{ask.site}{ask.root}/api/v1/schemas/{name}.json"


def described(ask: Ask, schema: str) -> dict[str, str]:
    """The header that says where the schema of an answer is."""
    return {"link": f'<{schema_address(ask, schema)}>; rel="describedby"'}


def answer(
    ask: Ask,
    schema: str,
    found: Any,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """A dataclass, or a mapping, as an answer of the API; links of ``headers`` add to its own."""
    made = _answer(ask, schema, _body(ask, schema, found), status)
    return replace(made, headers=_joined(made.headers, headers)) if headers else made


def _joined(own: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    links = ", ".join(filter(None, (own.get("link"), more.get("link"))))
    return {**own, **more, "link": links}


def answer_around(ask: Ask, schema: str, found: Any, key: str, document: str) -> Answer:
    """An answer in which a stored document is the value of the first ``key`` that is None.

    Decoding a record and encoding it again would take ten times as long.
    """
    # No string holds this: quotes in strings are escaped.
    before, null, after = _body(ask, schema, found).partition(f'"{key}":null'.encode())
    body = b"".join((before, null.removesuffix(b"null"), stored(document), after))
    return _answer(ask, schema, body, 200)


def _body(ask: Ask, schema: str, found: Any) -> bytes:
    data = found if isinstance(found, dict) else answers.plain(found)
    made = text({"$schema": schema_address(ask, schema), **data}) + "\n"
    return made.encode()


def _answer(ask: Ask, schema: str, body: bytes, status: int) -> Answer:
    return Answer(
        body,
        JSON,
        status,
        shared=True,
        headers=described(ask, schema),
    )


def refusal(ask: Ask, status: int, message: str) -> Answer:
    """An error that has nothing to do with what was asked for."""
    return answer(ask, "error", answers.Error(status, message), status)
