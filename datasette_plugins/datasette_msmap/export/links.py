"""Links of pages: found, and written as they lead from one file to another."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from html import escape, unescape
from urllib.parse import quote

# Where an attribute holds an address; in `data-` ones scripts look for it.
_ATTRIBUTE = re.compile(r'\s(href|src|action|content|data-[a-z-]+)="([^"]*)"')
_TAG = re.compile(r"<(a|link|script|form|img|meta|input|body|[a-z]+)\b([^<>]*)>")
# What only a server can do; the value names what is said instead.
_SERVED = re.compile(r'<(\w+)(?=[^<>]*\sdata-server)[^<>]*?\sdata-server(?:="([^"]*)")?[^<>]*>')
_LINKED_DATA = re.compile(r'<script type="application/ld\+json">(.*?)</script>\n?', re.S)
_TEXT = re.compile(r'"(https?://[^"]*)"')
# Where an answer of the API says what it looks like, and its schema where it stands.
_SCHEMA = re.compile(r'("\$(?:schema|id)": ?")([^"]*)"')
_HREF = re.compile(r'href="([^"]*)"')
_MARKDOWN = re.compile(r"\]\(([^)\s]+)\)")
_ABOUT = re.compile(r'<link rel="(?:canonical|search)"|<link rel="alternate" (?:hreflang|type="app)'
                    r'|<meta (?:property="og|name="twitter):')  # fmt: skip

# The address of what a link leads to, from the file that it stands in; None if it leads nowhere.
Where = Callable[[str], str | None]


def unserved(page: str, says: Callable[[str], str]) -> str:
    """A page without what only a server can do, and with what is said instead of it.

    Args:
        page: the page, whose elements are closed as they are opened.
        says: what stands in place of an element, by the name that this gives.
    """
    done, at = [], 0
    while (found := _SERVED.search(page, at)) is not None:
        done += [page[at : found.start()], says(found[2]) if found[2] else ""]
        at = _end(page, found[1], found.end())
    return "".join([*done, page[at:]])


def _end(page: str, tag: str, at: int) -> int:
    """Where an element ends that was opened before a place."""
    depth = 1
    for found in re.compile(rf"<(/?){tag}\b[^<>]*>").finditer(page, at):
        depth += -1 if found[1] else 1
        if depth == 0:
            return found.end()
    return len(page)


def of_page(page: str) -> Iterator[str]:
    """The links of a page, without the part of a page that they name."""
    for name, value in _ATTRIBUTE.findall(page):
        if name != "content":
            yield unescape(value).partition("#")[0]


def page(text: str, where: Where, url: str) -> str:
    """A page whose links lead from its file to others.

    A link to what there isn't becomes text. Without the ``url`` of the site nothing is said to
    those who need whole addresses.
    """
    if not url:
        text = _LINKED_DATA.sub("", text)
        text = "".join(line for line in text.splitlines(True) if not _ABOUT.match(line.lstrip()))
    text = _LINKED_DATA.sub(lambda found: _linked_data(found[0], where), text)
    return _TAG.sub(lambda found: _tag(found[1], found[2], where), text)


def _linked_data(told: str, where: Where) -> str:
    """What a page says of itself, with the addresses of files."""

    def led(found: re.Match[str]) -> str:
        place, mark, query = found[1].partition("?")
        return f'"{where(found[1]) or (where(place) or place) + mark + query}"'

    return _TEXT.sub(led, told)


def _tag(tag: str, attributes: str, where: Where) -> str:
    gone = False

    def led(found: re.Match[str]) -> str:
        nonlocal gone
        name, value = found[1], unescape(found[2])
        if not value.startswith(("/", "http")) or (name == "content" and tag != "meta"):
            return found[0]
        if value.startswith("http") and where(value) is None:
            return found[0]
        place, mark, part = value.partition("#")
        led_to = where(place)
        if led_to is None:
            gone = True
            return ""
        return f' {name}="{escape(f"{led_to}{mark}{part}")}"'

    told = _ATTRIBUTE.sub(led, attributes)
    # A link, a style sheet or a form that leads nowhere is none.
    if gone and tag in ("link", "script", "meta"):
        return ""
    return f"<{tag}{told}>"


def markdown(text: str, where: Where) -> str:
    """The same of a page of Markdown."""

    def led(found: re.Match[str]) -> str:
        place, mark, part = found[1].partition("#")
        told = where(place) if place.startswith("/") else None
        if told is None:
            return found[0] if not place.startswith("/") else "]()"
        return f"]({told}{mark}{part})"

    return _MARKDOWN.sub(led, text)


def feed(text: str, where: Where) -> str:
    """The same of a feed, whose links are whole."""
    return _HREF.sub(
        lambda found: f'href="{escape(where(unescape(found[1])) or unescape(found[1]))}"', text
    )


def answer(text: str, where: Where) -> str:
    """The same of an answer of the API."""
    return _SCHEMA.sub(lambda found: f'{found[1]}{where(found[2]) or found[2]}"', text, count=2)


def relative(here: str, there: str) -> str:
    """The address of a file from another one, as paths below the root."""
    return quote(posixpath.relpath(there, posixpath.dirname(here) or "."))
