"""Requests to copy: the example of each route in curl, Python and JavaScript."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from datasette_msmap.api.table import BASE, Argument, Route


@dataclass(frozen=True, slots=True)
class Request:
    """A request: its address below the site, and what is posted, None for a GET."""

    address: str
    body: Mapping[str, Any] | None = None
    lines: bool = False


def value(argument: Argument) -> str | int | list[str]:
    """The example of an argument."""
    if argument.many:
        return argument.example.split(",")
    return int(argument.example) if argument.number else argument.example


def get(route: Route) -> Request:
    """The example of a route with what it needs, and no more."""
    path, query = route.path, {}
    for argument in route.arguments:
        if argument.name in route.in_path:
            path = path.replace(f"{{{argument.name}}}", quote(argument.example, safe="."))
        elif argument.required:
            query[argument.name] = argument.example
    told = f"?{urlencode(query, safe=',')}" if query else ""
    return Request(f"{BASE}{path}{told}", lines=route.kind == "lines")


def post(route: Route) -> Request:
    """The same as it is posted."""
    return Request(f"{BASE}{route.path}", body(route))


def body(route: Route) -> dict[str, Any]:
    """What is posted as JSON."""
    return {argument.name: value(argument) for argument in route.arguments if argument.required}


def written(site: str, asked: Request) -> Iterator[tuple[str, str, str]]:
    """The languages that a request is shown in, what they are called, and the request in each."""
    address = f"{site}{asked.address}"
    yield "Shell", "curl", _curl(address, asked)
    yield "Python", "Python", _python(address, asked)
    yield "JavaScript", "JavaScript", _javascript(address, asked)


def _curl(address: str, asked: Request) -> str:
    if asked.body is None:
        return f"curl {shlex.quote(address)}"
    told = json.dumps(asked.body, ensure_ascii=False)
    return f"curl {shlex.quote(address)} \\\n  -d {shlex.quote(told)}"


def _python(address: str, asked: Request) -> str:
    made, taken = f'"{address}"', "json.load(answer)"
    used, before = "urlopen", []
    if asked.lines:
        taken = "[json.loads(line) for line in answer]"
    if asked.body is not None:
        used = "Request, urlopen"
        before = [f"asked = json.dumps({asked.body!r}).encode()"]
        made = f'Request({made}, asked, {{"Content-Type": "application/json"}})'
    return "\n".join(
        [
            "import json",
            f"from urllib.request import {used}",
            "",
            *before,
            f"with urlopen({made}) as answer:",
            f"    found = {taken}",
            "print(found)" if not asked.lines else "print(len(found))",
        ]
    )


def _javascript(address: str, asked: Request) -> str:
    told = json.dumps(address)
    if asked.body is not None:
        posted = json.dumps(asked.body, ensure_ascii=False)
        told += (
            ', {\n  method: "POST",\n  headers: { "Content-Type": "application/json" },\n'
            f"  body: JSON.stringify({posted}),\n}}"
        )
    if asked.lines:
        return (
            f"const answer = await fetch({told});\n"
            'const found = (await answer.text()).trim().split("\\n").map(JSON.parse);\n'
            "console.log(found.length);"
        )
    return (
        f"const answer = await fetch({told});\n"
        "const found = await answer.json();\nconsole.log(found);"
    )
