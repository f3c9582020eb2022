"""The files that pages stand in: no two differ by case alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from datasette_msmap.export.crawl import Address

# What every file system takes.
_UNSAFE = re.compile(r"[^\w.\-/]")
_OWN = (".md", ".txt", ".inv", ".atom", ".png")


def files(addresses: Iterable[Address]) -> dict[Address, str]:
    """The path of each page below the root; of two that differ by case the capitalised is marked.

    The Markdown of a page stands beside it.
    """
    found: dict[Address, str] = {}
    taken: set[str] = set()
    for address in sorted(addresses, key=lambda a: (a.plain.lower(), a.plain.swapcase(), a)):
        path = _path(address)
        stem, dot, suffix = path.rpartition(".")
        while path.lower() in taken:
            stem += "_upper"
            path = f"{stem}{dot}{suffix}"
        taken.add(path.lower())
        found[address] = path
    return found


def _path(address: Address) -> str:
    path = unquote(address.path).strip("/")
    if path in ("", "zh"):
        path = f"{path}/index".lstrip("/")
    told = "".join(f"-{name}-{value}" for name, value in address.args)
    path = _UNSAFE.sub("_", f"{path}{told}")
    if path.startswith("api/"):
        return f"{path.replace('.json', '')}.json"
    return path if path.endswith(_OWN) else f"{path}.html"
