"""The OpenAPI document: made from the table of routes and the schemas of the answers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import msmap
from datasette_msmap.api import samples
from datasette_msmap.api.parts import CUT, PARTS, loosened
from datasette_msmap.api.posted import FORM, JSON
from datasette_msmap.api.table import BASE, Argument, Route
from datasette_msmap.web.responses import Ask

_SHIPPED = Path(msmap.__file__).with_name("schemas")
_TITLE = (
    "How PyTorch's APIs map to MindSpore's, in records whose every claim can be run.",
    "PyTorch API 与 MindSpore API 的对应关系，每条结论都可以运行验证。",
)
_ERRORS = {
    "400": ("Wrong usage.", "用法有误。"),
    "404": ("Not known; with the nearest names.", "没有该项；附最接近的名称。"),
    "413": ("The body is too long.", "请求体过长。"),
    "414": ("The query is too long.", "查询串过长。"),
    "415": ("The body is of another type.", "请求体类型不受支持。"),
}


def schema_names() -> list[str]:
    """The schemas that there are, by name."""
    shipped = [path.stem for path in _SHIPPED.glob("*.json")]
    return sorted([*shipped, *(name + CUT for name in PARTS)])


@cache
def schema(name: str) -> dict[str, Any]:
    """A schema as the package has it, with room for the address of itself in answers.

    Of answers that were cut to some fields it is made of that of whole ones.
    """
    whole = name.removesuffix(CUT)
    if name != whole and whole in PARTS:
        return loosened(schema(whole), whole)
    found: dict[str, Any] = json.loads((_SHIPPED / f"{name}.json").read_text(encoding="utf-8"))
    if "schema_version" in found.get("properties", {}):
        address = {"title": "Schema", "type": "string", "format": "uri-reference"}
        found["properties"] = {"$schema": address, **found["properties"]}
    return found


def document(ask: Ask, routes: tuple[Route, ...], language: str) -> dict[str, Any]:
    """The OpenAPI document of these routes."""
    chinese = language == "zh"
    schemas = {name for route in routes for name in (route.schema, *route.also)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "msmap",
            "summary": _TITLE[chinese],
            "version": "1",
            "license": {"name": "CC0-1.0", "identifier": "CC0-1.0"},
        },
        "servers": [{"url": f"{ask.site}{ask.root}" or "/"}],
        "paths": {BASE + route.path: _operations(ask, route, chinese) for route in routes},
        "components": {"schemas": _components(schemas | {"error"})},
    }


def _operations(ask: Ask, route: Route, chinese: bool) -> dict[str, Any]:
    parameters = [_parameter(ask, a, a.name in route.in_path, chinese) for a in route.arguments]
    get = {
        "operationId": route.operation,
        "summary": route.words[chinese],
        "tags": list(route.tags),
        "parameters": parameters,
        "responses": _responses(route, chinese),
        "x-codeSamples": _samples(ask, samples.get(route)),
    }
    if not route.posts:
        return {"get": get}
    asked = samples.post(route)
    rest = {key: value for key, value in get.items() if key != "parameters"}
    post = {**rest, "operationId": f"post_{route.operation}", "requestBody": _body(ask, route)}
    refused = {status: _error(status, chinese) for status in ("413", "415")}
    post["responses"] = _responses(route, chinese) | refused
    post["x-codeSamples"] = _samples(ask, asked)
    return {"get": get, "post": post}


def _samples(ask: Ask, asked: samples.Request) -> list[dict[str, str]]:
    """A request as code, in each language that it is shown in."""
    written = samples.written(f"{ask.site}{ask.root}", asked)
    return [{"lang": name, "label": label, "source": code} for name, label, code in written]


def _parameter(ask: Ask, argument: Argument, in_path: bool, chinese: bool) -> dict[str, Any]:
    listed = {"style": "form", "explode": False} if argument.many else {}
    return {
        "name": argument.name,
        "in": "path" if in_path else "query",
        "description": argument.words[chinese],
        "required": argument.required,
        "schema": _value(ask, argument),
        "example": samples.value(argument),
        **listed,
    }


def _value(ask: Ask, argument: Argument) -> dict[str, Any]:
    if argument.many:
        least = {"minItems": 1} if argument.required else {}
        return {
            "type": "array",
            "items": _text(ask, argument),
            "maxItems": argument.many,
            **least,
        }
    if argument.number is None:
        return _text(ask, argument)
    told = {"type": "integer", "minimum": argument.number.least, "maximum": argument.number.most}
    default = argument.number.default
    return told if default is None else {**told, "default": default}


def _text(ask: Ask, argument: Argument) -> dict[str, Any]:
    closed = argument.choices or (tuple(argument.listed(ask)) if argument.listed else ())
    if closed:
        return {"type": "string", "enum": list(closed)}
    least: dict[str, Any] = {"minLength": 1, "pattern": r"\S"} if argument.required else {}
    return {"type": "string", **least, "maxLength": argument.longest}


def _body(ask: Ask, route: Route) -> dict[str, Any]:
    found = {
        "type": "object",
        "properties": {argument.name: _value(ask, argument) for argument in route.arguments},
        "required": [argument.name for argument in route.arguments if argument.required],
        "additionalProperties": False,
    }
    example = samples.body(route)
    (main,) = (argument for argument in route.arguments if argument.name == route.body)
    told = example[route.body]
    text = "\n".join(told) if main.many else told
    return {
        "required": True,
        "content": {
            JSON: {"schema": found, "example": example},
            FORM: {"schema": found, "example": example},
            "text/plain": {"schema": {"type": "string"}, "example": text},
        },
    }


def _responses(route: Route, chinese: bool) -> dict[str, Any]:
    kind = "application/x-ndjson" if route.kind == "lines" else JSON
    places = [{"$ref": f"#/components/schemas/{name}"} for name in (route.schema, *route.also)]
    schema = places[0] if len(places) == 1 else {"anyOf": places}
    found = {"200": {"description": route.words[chinese], "content": {kind: {"schema": schema}}}}
    statuses = ["400", "404", "414"] if route.misses else ["400", "414"]
    return found | {status: _error(status, chinese) for status in statuses}


def _error(status: str, chinese: bool) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/error"}}}
    return {"description": _ERRORS[status][chinese], "content": content}


def _components(names: set[str]) -> dict[str, Any]:
    """Each schema, and each of its definitions under a name of its own."""
    found = {}
    for name in sorted(names):
        whole = {key: value for key, value in schema(name).items() if key != "$schema"}
        definitions = whole.pop("$defs", {})
        found[name] = _moved(whole, name)
        found |= {f"{name}.{key}": _moved(value, name) for key, value in definitions.items()}
    return found


def _moved(value: Any, name: str) -> Any:
    """A part of a schema whose references lead to the components."""
    if isinstance(value, list):
        return [_moved(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    moved = {key: _moved(item, name) for key, item in value.items()}
    if isinstance(moved.get("$ref"), str):
        moved["$ref"] = moved["$ref"].replace("#/$defs/", f"#/components/schemas/{name}.")
    return moved
