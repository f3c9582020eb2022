"""Signature files: one API a line, read and written without any framework."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from msmap import atomic
from msmap.errors import SignatureFileError

KINDS = ("class", "function", "method", "property", "constant", "module", "dtype")
CALLABLE_KINDS = frozenset({"class", "function", "method"})
SOURCES = ("inspect", "stub", "docstring", "source")


@dataclass(frozen=True, slots=True)
class Api:
    """One public name of a framework; the field order is the key order of the file.

    Of a class ``base`` is the nearest one above it whose members have lines, and ``members`` are
    what its objects have besides, of which there is no line. ``undocumented`` is what only the
    framework's own functions call: it has no text of which documentation could be made.
    """

    name: str
    kind: str
    signatures: tuple[str, ...] = ()
    call: tuple[str, ...] = ()
    source: str = ""
    defined: str = ""
    alias_of: str = ""
    platforms: tuple[str, ...] = ()
    deprecated: str = ""
    base: str = ""
    members: tuple[str, ...] = ()
    undocumented: bool = False


_FIELDS = tuple(field.name for field in fields(Api))
_LISTS = frozenset({"signatures", "call", "platforms", "members"})
_FLAGS = frozenset({"undocumented"})


def load(path: Path, read: dict[bytes, Api] | None = None) -> dict[str, Api]:
    """The APIs of a signature file by name; ``read`` has lines that other files shared so far."""
    found: dict[str, Api] = {}
    read = {} if read is None else read
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            api = read.get(text)
            if api is None:
                api = read[text] = parse(text.decode("utf-8"))
            if api.name in found:
                raise ValueError(f"{api.name} is listed twice")
        except ValueError as error:
            raise SignatureFileError("{}:{}: {}", path, number, error) from error
        found[api.name] = api
    return found


def parse(line: str) -> Api:
    """The API a line describes."""
    record: Any = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError("not an object")
    unknown = sorted(set(record) - set(_FIELDS))
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}")
    for key, value in record.items():
        _check(key, value)
    if not record.get("name") or record.get("kind") not in KINDS:
        raise ValueError("needs a name and a known kind")
    if record.get("source", "") not in ("", *SOURCES):
        raise ValueError(f"unknown source {record['source']!r}")
    values: dict[str, Any] = {k: tuple(v) if k in _LISTS else v for k, v in record.items()}
    return Api(**values)


def _check(key: str, value: object) -> None:
    if key in _FLAGS:
        if value is not True:
            raise ValueError(f"{key} is not true; leave it out")
    elif key not in _LISTS:
        if not isinstance(value, str):
            raise ValueError(f"{key} is not a text")
    elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{key} is not a list of texts")


def line(api: Api) -> str:
    """The line that describes an API: keys in field order, empty ones left out."""
    record = {key: getattr(api, key) for key in _FIELDS if getattr(api, key)}
    return json.dumps(record, ensure_ascii=False)


def write(apis: Iterable[Api], path: Path) -> None:
    """A whole signature file put in place at once, sorted by name."""
    texts = [line(api) + "\n" for api in sorted(apis, key=lambda api: api.name)]
    atomic.write(path, "".join(texts))


def available(directory: Path) -> list[tuple[str, str, Path]]:
    """The signature files of a directory as (framework, version, path), sorted."""
    found = []
    for path in sorted(directory.glob("*.jsonl")):
        match = re.fullmatch(r"([a-z]+)-(\d[\w.]*)\.jsonl", path.name)
        if match:
            found.append((match.group(1), match.group(2), path))
    return found
