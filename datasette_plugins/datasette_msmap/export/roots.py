"""What an export begins with: the pages, answers of the API, and pictures of link previews."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from datasette_msmap.api import openapi
from datasette_msmap.api.table import BASE
from datasette_msmap.export import crawl
from datasette_msmap.export.crawl import Address, Asked
from datasette_msmap.pages import PAGES, refused
from msmap.query.base.records import answered
from msmap.vocabulary import LANGUAGES

# What the API answers without being asked for anything in particular.
_WHOLE = ("claims", "coverage", "guides", "list", "names", "stats")
# The page of what isn't there.
GONE = "/404"
PICTURES = "/preview/"


def pages() -> Iterator[Address]:
    """The pages that all others are reached from."""
    for language in ("", "/zh"):
        yield Address(language or "/")
        yield from (Address(f"{language}{page.path}") for page in PAGES if page.path != "/")
        yield from (Address(f"{language}/{name}") for name in ("api", "llms.txt"))


def answers(asked: Asked) -> Iterator[Address]:
    """Answers of the API: about every name, about all that there is, and what these look like."""
    kb = asked.served.as_of(None, asked.device)
    yield from (Address(f"{BASE}/{name}") for name in _WHOLE)
    yield from (Address(f"{BASE}/lookup/{name}") for name in answered(kb))
    yield from (Address(f"{BASE}/guides/{guide.id}") for guide in kb.guides())
    yield from (Address(f"{BASE}/schemas/{name}.json") for name in openapi.schema_names())
    yield from (Address(f"{BASE}/openapi.json", (("lang", spoken),)) for spoken in LANGUAGES)


def pictures(asked: Asked) -> Iterator[Address]:
    """The pictures of records, for previews of links to them; others have that of the site."""
    kb = asked.served.as_of(None, asked.device)
    yield from (Address(f"{PICTURES}{record.torch}.png") for record in kb.records())


def gone(asked: Asked) -> Iterator[tuple[Address, bytes]]:
    """The pages that a web server shows where nothing is."""
    for language in ("", "/zh"):
        address = Address(f"{language}{GONE}")
        ask, _ = crawl.asking(asked, address)
        said = refused.refused(replace(ask, pages=PAGES), 404, "")
        assert isinstance(said.body, bytes)
        yield address, said.body
