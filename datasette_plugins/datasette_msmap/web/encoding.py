"""Answers of the API as bytes of JSON, safe in a page, with the address of their schema."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from datasette_msmap.web.responses import JSON, Answer, Ask
from msmap.query import answers

# Only strings hold these. As escapes they are the same to a parser, and nothing to a page, a
# terminal or an editor into which someone pastes the answer.
_TELLING = (
    "<>&\u007f\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060"
    "\u2066\u2067\u2068\u2069\ufeff"
)


def _escaped(made: str) -> str:
    # To look for each takes less than half as long as a pattern of all.
    for character in _TELLING:
        if character in made:
            made = made.replace(character, f"\\u{ord(character):04x}")
    return made


def text(value: Any, indent: int | None = None) -> str:
    """JSON in one line, with what could act or mislead elsewhere as escapes."""
    separators = (",", ":") if indent is None else None

    def made(found: Any) -> str:
        return json.dumps(
            found, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
        )

    try:
        return _escaped(made(value))
    except ValueError:
        return _escaped(made(_finite(value)))


def _finite(value: Any) -> Any:
    """With null for the size of an error that is no number, which JSON has no word for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def stored(document: str) -> str:
    """JSON as the database has it, as it may leave the server."""
    if "NaN" in document or "Infinity" in document:
        return text(json.loads(document))
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
    before, null, after = _body(ask, schema, found).partition(f'"{key}":null')
    return _answer(ask, schema, f"{before}{null[:-4]}{stored(document)}{after}", 200)


def _body(ask: Ask, schema: str, found: Any) -> str:
    data = found if isinstance(found, dict) else answers.plain(found)
    return text({"$schema": schema_address(ask, schema), **data}) + "\n"


def _answer(ask: Ask, schema: str, body: str, status: int) -> Answer:
    return Answer(
        body.encode("utf-8", "replace"),
        JSON,
        status,
        shared=True,
        headers=described(ask, schema),
    )


def refusal(ask: Ask, status: int, message: str) -> Answer:
    """An error that has nothing to do with what was asked for."""
    return answer(ask, "error", answers.Error(status, message), status)
