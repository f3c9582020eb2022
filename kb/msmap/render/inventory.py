"""The names of a site as Sphinx reads them: what ``intersphinx`` makes links of."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import NamedTuple

# What is of no kind of Python's own is data to Sphinx, such as a dtype.
_ROLES = {
    "class": "class", "function": "function", "method": "method", "property": "property",
    "module": "module",
}  # fmt: skip


class Place(NamedTuple):
    """What can be linked to; ``kind`` is that of an API, or ``guide``."""

    name: str
    kind: str
    address: str
    title: str = "-"


def inventory(project: str, version: str, places: Iterable[Place]) -> bytes:
    """An ``objects.inv`` of version 2: names are ``:py:class:`` and so on, guides ``:doc:``."""
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {project}\n"
        f"# Version: {version}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    lines = "".join(sorted(map(_line, places)))
    return head.encode() + zlib.compress(lines.encode(), 9)


def _line(place: Place) -> str:
    role = "std:doc" if place.kind == "guide" else f"py:{_ROLES.get(place.kind, 'data')}"
    name = place.name
    address = (
        f"{place.address.removesuffix(name)}$" if place.address.endswith(name) else place.address
    )
    return f"{name} {role} 1 {address} {place.title}\n"
