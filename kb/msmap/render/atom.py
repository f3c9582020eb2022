"""Feeds as Atom has them (RFC 4287), whose entries keep their ids wherever they are served."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: ``key`` makes its id, ``day`` is the date of what it tells."""

    key: str
    title: str
    address: str
    day: str
    summary: str


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed and where it is: ``home`` is the page of which it tells."""

    key: str
    title: str
    address: str
    home: str
    language: str
    entries: tuple[Entry, ...]


def atom(found: Feed) -> str:
    """A feed as XML; a day is its first moment, in UTC."""
    updated = max((entry.day for entry in found.entries), default="")
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{found.language}">',
        f"<id>{_id(found.key)}</id>",
        f"<title>{_text(found.title)}</title>",
        f'<link rel="self" type="application/atom+xml" href={_quoted(found.address)}/>',
        f'<link rel="alternate" type="text/html" href={_quoted(found.home)}/>',
        f"<updated>{_moment(updated)}</updated>",
        "<author><name>msmap</name></author>",
        *_entries(found.entries),
        "</feed>",
        "",
    ]
    return "\n".join(lines)


def _entries(entries: Iterable[Entry]) -> Iterable[str]:
    for entry in entries:
        yield "<entry>"
        yield f"<id>{_id(entry.key)}</id>"
        yield f"<title>{_text(entry.title)}</title>"
        yield f'<link rel="alternate" type="text/html" href={_quoted(entry.address)}/>'
        yield f"<updated>{_moment(entry.day)}</updated>"
        yield f"<summary>{_text(entry.summary)}</summary>"
        yield "</entry>"


def _id(key: str) -> str:
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'msmap:{key}')}"


def _moment(day: str) -> str:
    return f"{day}T00:00:00Z"


def _text(text: str) -> str:
    """Text without what XML has no place for."""
    return escape("".join(c for c in text if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff")))


def _quoted(text: str) -> str:
    return quoteattr(text)
