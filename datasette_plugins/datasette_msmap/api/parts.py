"""Answers cut down to some fields, their schemas too, and lists given a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, TypeVar
from urllib.parse import urlencode

from datasette_msmap.api.table import Given
from datasette_msmap.web.responses import Ask

# Where in an answer of a schema the objects stand of which `fields` chooses, by its keys; lists are
# gone through.
PARTS: dict[str, tuple[tuple[str, ...], ...]] = {
    "lookup": (("answers", "record"), ("answers", "probe"), ("answers", "reverse")),
    "lookup-summary": (("answers", "brief"),),
    "search": (("hits",),),
    "list": (("records",),),
    "names": (("names",),),
    "guide": (("guides",),),
    "claims": (("claims",),),
}
# What the name of a schema ends in whose objects there may have some of their fields only.
CUT = "-fields"

T = TypeVar("T")


def cut(answer: dict[str, Any], schema: str, chosen: Iterable[str]) -> dict[str, Any]:
    """An answer with these fields alone in the objects of which they choose."""
    wanted = set(chosen)
    for way in PARTS[schema]:
        answer = _cut(answer, way, wanted)
    return answer


def _cut(value: Any, way: tuple[str, ...], wanted: set[str]) -> Any:
    if isinstance(value, list | tuple):
        return [_cut(one, way, wanted) for one in value]
    if not isinstance(value, Mapping):
        return value
    if not way:
        return {key: one for key, one in value.items() if key in wanted}
    key, *rest = way
    return {**value, key: _cut(value[key], tuple(rest), wanted)} if key in value else value


def loosened(schema: dict[str, Any], name: str) -> dict[str, Any]:
    """The schema of answers that were cut: their objects may lack any of their fields."""
    made = deepcopy(schema)
    for way in PARTS[name]:
        for found in _at(made, made, way):
            found.pop("required", None)
    return made


def fields(schema: dict[str, Any], name: str) -> tuple[str, ...]:
    """The fields of the objects of which they choose, in their order."""
    ways = PARTS[name]
    found = (key for way in ways for at in _at(schema, schema, way) for key in at["properties"])
    return tuple(dict.fromkeys(found))


def _at(whole: dict[str, Any], schema: dict[str, Any], way: tuple[str, ...]) -> list[Any]:
    """The schemas of objects at a way into what a schema describes."""
    if "$ref" in schema:
        return _at(whole, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], way)
    if "anyOf" in schema:
        return [found for one in schema["anyOf"] for found in _at(whole, one, way)]
    if "items" in schema:
        return _at(whole, schema["items"], way)
    if "properties" not in schema:
        return []
    if not way:
        return [schema]
    return _at(whole, schema["properties"].get(way[0], {}), way[1:])


def page(ask: Ask, given: Given, found: Sequence[T]) -> tuple[Sequence[T], dict[str, str]]:
    """The part of a list that was asked for, and the headers that tell where the rest is."""
    limit, offset = given.values["limit"], given.number("offset")
    if limit is None:
        return found[offset:], {"x-total-count": str(len(found))}
    last = max(0, (len(found) - 1) // limit * limit)
    places = {
        "first": 0,
        "prev": max(0, min(offset - limit, last)) if offset else None,
        "next": offset + limit if offset + limit < len(found) else None,
        "last": last,
    }
    links = [
        f'<{_address(ask, place)}>; rel="{name}"'
        for name, place in places.items()
        if place is not None
    ]
    return found[offset : offset + limit], {
        "x-total-count": str(len(found)),
        "link": ", ".join(links),
    }


def without_last(links: str) -> list[str]:
    """Links to pages but that to the last."""
    return [link for link in links.split(", ") if 'rel="last"' not in link]


def _address(ask: Ask, offset: int) -> str:
    told = {**ask.args, "offset": str(offset)}
    return f"{ask.site}{ask.root}{ask.path}?{urlencode(told)}"
