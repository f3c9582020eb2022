"""What is posted, in any usual form: JSON, a form, or the main argument as it is."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote, unquote_plus

from datasette_msmap.api.table import Argument, Route, Value
from datasette_msmap.web.refusals import Refused, short
from datasette_msmap.web.responses import Ask

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
TYPES = (JSON, FORM, "text/plain", "text/x-python")
# A form as the standard has it, and as JavaScript's encodeURIComponent writes values.
_FORM = re.compile(r"(?:[A-Za-z0-9*._+~-]|%[0-9A-Fa-f]{2})*")
_COMPONENT = re.compile(r"(?:[A-Za-z0-9_.!~*'()-]|%[0-9A-Fa-f]{2})*")


def read(ask: Ask, route: Route) -> dict[str, Value]:
    """The arguments in the body of a request.

    What curl sends with ``-d`` says that it is a form, whatever it is: JSON is taken as JSON, and
    what names no argument of the route as the main one.

    Raises:
        Refused: it is none of these.
    """
    kind = ask.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
    if kind not in TYPES:
        raise Refused(415, f'content type "{short(kind)}": one of {", ".join(TYPES)}')
    try:
        written = ask.body.decode()
    except UnicodeDecodeError:
        raise Refused(400, "the body is not UTF-8") from None
    if kind == JSON:
        return _object(_json(written), route)
    if kind == FORM:
        return _form(written, route)
    return {route.body: _plain(written, route)}


def _plain(written: str, route: Route) -> Value:
    """The main argument; of one that has many values a line each."""
    (main,) = (argument for argument in route.arguments if argument.name == route.body)
    return [line for line in written.splitlines() if line.strip()] if main.many else written


def _form(written: str, route: Route) -> dict[str, Value]:
    names = "|".join(argument.name for argument in route.arguments)
    if re.match(f"(?:{names})=", written):
        return _pairs(re.split(f"&(?=(?:{names})=)", written), route)
    if written.lstrip().startswith(("{", "[")):
        try:
            found = json.loads(written)
        except (ValueError, RecursionError):
            # What begins with an argument was meant as one object, and no name is called so.
            if re.match(rf'\s*{{\s*"(?:{names})"\s*:', written):
                raise Refused(400, "the body is not JSON") from None
        else:
            if isinstance(found, dict):
                return _object(found, route)
    return {route.body: _plain(written, route)}


def _pairs(pairs: list[str], route: Route) -> dict[str, Value]:
    many = {argument.name for argument in route.arguments if argument.many}
    found: dict[str, Value] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        told = _decoded(value)
        if name in many:
            before = found.get(name, [])
            found[name] = [*before, *re.split(r"[,\r\n]", told)]
        else:
            found.setdefault(name, told)
    return found


def _decoded(value: str) -> str:
    """A value of a form; what nobody encoded, which `curl -d` doesn't, stays as it is."""
    if _FORM.fullmatch(value):
        return unquote_plus(value)
    return unquote(value) if _COMPONENT.fullmatch(value) else value


def _json(written: str) -> Any:
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None


def _object(found: Any, route: Route) -> dict[str, Value]:
    wanted = f'the body is not an object such as {{"{route.body}": ...}}'
    if not isinstance(found, dict):
        raise Refused(400, wanted)
    arguments = {argument.name: argument for argument in route.arguments}
    read = ((name, _value(arguments.get(name), name, value)) for name, value in found.items())
    return {name: value for name, value in read if value is not None}


def _value(argument: Argument | None, name: str, value: Any) -> Value | None:
    """A value of JSON as one of a query would be; null stands for nothing."""
    if argument is not None and argument.many and isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            return value
        raise Refused(400, f"{name}: a list of strings")
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int):
        return str(value)
    if value is None or isinstance(value, str):
        return value
    said = "a list of strings" if argument is not None and argument.many else "a string"
    raise Refused(400, f"{short(name)}: {said}")
