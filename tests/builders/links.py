"""A folder of pages read as a browser follows them: links and parts of pages that aren't there."""

from __future__ import annotations

import posixpath
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

_LEADING = ("href", "src", "action")


class Read(HTMLParser):
    """The addresses in a page, and the parts that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.parts: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in _LEADING or (name.startswith("data-") and (value or "").startswith("/")):
                self.links.append(value or "")
            elif name == "id":
                self.parts.add(value or "")


def read(folder: Path) -> dict[str, Read]:
    """All pages below a folder, by their paths."""
    pages = sorted(folder.rglob("*.html"))
    return {
        page.relative_to(folder).as_posix(): Read(page.read_text(encoding="utf-8"))
        for page in pages
    }


def broken(folder: Path) -> list[str]:
    """Each link of a page that leads nowhere, or to a part that isn't there."""
    pages = read(folder)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    found = []
    for here, page in pages.items():
        for link in page.links:
            if link.startswith(("https:", "http:", "mailto:")):
                continue
            place, _, part = link.partition("#")
            path = unquote(place.partition("?")[0])
            there = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
            target = there if place else here
            if place.startswith("/") or target not in files:
                found.append(f"{here}: {link}")
            elif part and target in pages and unquote(part) not in pages[target].parts:
                found.append(f"{here}: {link}: no such part")
    return found
