"""The OpenAPI document: made from the table of routes and the schemas of the answers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import msmap
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
    return sorted(path.stem for path in _SHIPPED.glob("*.json"))


@cache
def schema(name: str) -> dict[str, Any]:
    """A schema as the package has it, with room for the address of itself in answers."""
    found: dict[str, Any] = json.loads((_SHIPPED / f"{name}.json").read_text(encoding="utf-8"))
    if "schema_version" in found.get("properties", {}):
        address = {"title": "Schema", "type": "string", "format": "uri-reference"}
        found["properties"] = {"$schema": address, **found["properties"]}
    return found


def document(ask: Ask, routes: tuple[Route, ...], language: str) -> dict[str, Any]:
    """The OpenAPI document of these routes."""
    chinese = language == "zh"
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "msmap",
            "summary": _TITLE[chinese],
            "version": "1",
            "license": {"name": "CC0-1.0", "identifier": "CC0-1.0"},
        },
        "servers": [{"url": f"{ask.site}{ask.root}" or "/"}],
        "paths": {BASE + route.path: _operations(route, chinese) for route in routes},
        "components": {"schemas": _components({route.schema for route in routes} | {"error"})},
    }


def _operations(route: Route, chinese: bool) -> dict[str, Any]:
    get = {
        "operationId": route.operation,
        "summary": route.words[chinese],
        "tags": list(route.tags),
        "parameters": [_parameter(a, a.name in route.in_path, chinese) for a in route.arguments],
        "responses": _responses(route, chinese),
    }
    if not route.posts:
        return {"get": get}
    body = {
        "required": True,
        "content": {
            "application/json": {"schema": _body(route)},
            "text/plain": {"schema": {"type": "string"}},
        },
    }
    rest = {key: value for key, value in get.items() if key != "parameters"}
    post = {**rest, "operationId": f"post_{route.operation}", "requestBody": body}
    refused = {status: _error(status, chinese) for status in ("413", "415")}
    post["responses"] = _responses(route, chinese) | refused
    return {"get": get, "post": post}


def _parameter(argument: Argument, in_path: bool, chinese: bool) -> dict[str, Any]:
    return {
        "name": argument.name,
        "in": "path" if in_path else "query",
        "description": argument.words[chinese],
        "required": argument.required,
        "schema": _value(argument),
        "example": int(argument.example) if argument.number else argument.example,
    }


def _value(argument: Argument) -> dict[str, Any]:
    if argument.number is not None:
        default, most = argument.number
        return {"type": "integer", "minimum": 1, "maximum": most, "default": default}
    if argument.choices:
        return {"type": "string", "enum": list(argument.choices)}
    least: dict[str, Any] = {"minLength": 1, "pattern": r"\S"} if argument.required else {}
    return {"type": "string", **least, "maxLength": argument.longest}


def _body(route: Route) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {argument.name: _value(argument) for argument in route.arguments},
        "required": [argument.name for argument in route.arguments if argument.required],
        "additionalProperties": False,
    }


def _responses(route: Route, chinese: bool) -> dict[str, Any]:
    kind = "application/x-ndjson" if route.kind == "lines" else "application/json"
    content = {kind: {"schema": {"$ref": f"#/components/schemas/{route.schema}"}}}
    found = {"200": {"description": route.words[chinese], "content": content}}
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
