"""Every page that leads to another, made as the server makes them, side by side."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from datasette_msmap.api.table import BASE
from datasette_msmap.routes import ROUTES
from datasette_msmap.web import routing
from datasette_msmap.web.responses import Ask
from datasette_msmap.web.served import Served
from msmap.errors import MsmapError

# The arguments of addresses that are other pages, one at a time but for the page of a list; with
# any other a page is the same in another order, or for whom only a server can make it.
_ARGS = {
    "/browse": ({"namespace"}, {"page"}, {"namespace", "page"}),
    "/coverage": ({"namespace"},),
    "/claims": ({"topic"}, {"verdict"}, {"source"}, {"about"}),
    "/releases": ({"from", "to"},),
    "/tables": ({"table"}, {"verdict"}, {"table", "page"}, {"verdict", "page"}),
}
# What no page of the site is, or what is one only while somebody asks.
_OTHERS = ("/-/", "/api/", "/badge/", "/data/", "/embed/", "/msmap", "/oembed", "/preview/",
           "/suggest", "/port.json", "/opensearch.")  # fmt: skip
# What of the API is told for a device; what isn't refuses to be asked for one.
_FOR_DEVICE = (f"{BASE}/lookup/", f"{BASE}/list")


class Address(NamedTuple):
    """A page by its path, and by its arguments in order."""

    path: str
    args: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.path}?{urlencode(self.args)}" if self.args else self.path

    @property
    def plain(self) -> str:
        """The path without the language."""
        return self.path.removeprefix("/zh") or "/"


@dataclass(frozen=True, slots=True)
class Asked:
    """What pages are asked of: a database, where it is going to be, and for which device."""

    served: Served
    url: str
    device: str = ""

    def address(self, link: str) -> Address | None:
        """The page that a link of the site leads to; None if it leads elsewhere."""
        if self.url and link.startswith(self.url):
            link = link.removeprefix(self.url) or "/"
        if not link.startswith("/") or link.startswith("//"):
            return None
        told = urlsplit(link)
        args = dict(parse_qsl(told.query))
        if args.get("device", "").lower() == self.device.lower():
            args.pop("device", None)
        if told.path == "/":
            args.pop("lang", None)
        return Address(told.path, tuple(sorted(args.items())))

    def follows(self, address: Address) -> bool:
        """Whether a page is one of those that are made."""
        if address.plain.startswith(_OTHERS) and not address.plain.startswith("/msmap."):
            return False
        if address.plain.startswith("/feeds/") and not self.url:
            # Readers of feeds want whole addresses.
            return False
        names = {name for name, _ in address.args}
        return not names or names in _ARGS.get(address.plain, ())


class Page(NamedTuple):
    """What came of an address: a body, or where it really is."""

    address: Address
    body: bytes
    moved: str = ""


@dataclass(slots=True)
class Found:
    """All pages by their addresses, and where the others lead."""

    pages: dict[Address, bytes] = field(default_factory=dict)
    moved: dict[Address, Address] = field(default_factory=dict)
    missing: set[Address] = field(default_factory=set)


def crawl(
    asked: Asked,
    roots: Iterable[Address],
    links: Callable[[bytes], Iterable[str]],
    jobs: int = 1,
    told: Callable[[int], None] = lambda made: None,
) -> Found:
    """The pages at some addresses, and all that these lead to.

    Args:
        asked: of what.
        roots: where to begin; these must be there.
        links: the links in a page.
        jobs: how many processes make pages.
        told: called with how many pages there are, now and then.

    Raises:
        MsmapError: a page could not be made, or a root isn't there.
    """
    found = Found()
    waiting = dict.fromkeys(roots)
    first = set(waiting)
    with _makers(asked, jobs) as make:
        while waiting:
            beyond: dict[Address, None] = {}
            for page in make(list(waiting)):
                if page.moved:
                    place = asked.address(page.moved)
                    assert place is not None, "pages move within the site"
                    found.moved[page.address] = place
                    beyond[place] = None
                elif page.body:
                    found.pages[page.address] = page.body
                    told(len(found.pages))
                    beyond |= dict.fromkeys(filter(None, map(asked.address, links(page.body))))
                elif page.address in first:
                    raise MsmapError("{}: there is no such page", page.address)
                else:
                    found.missing.add(page.address)
            seen = found.pages.keys() | found.moved.keys() | found.missing
            waiting = {a: None for a in beyond if a not in seen and asked.follows(a)}
    return found


class _makers:
    """What makes pages: this process, or some others that begin as it is."""

    def __init__(self, asked: Asked, jobs: int) -> None:
        self.asked, self.pool = asked, None
        if jobs > 1 and "fork" in multiprocessing.get_all_start_methods():
            # An open database must not be used on both sides of a fork.
            asked.served.rest()
            self.pool = multiprocessing.get_context("fork").Pool(jobs)

    def __enter__(self) -> Callable[[Sequence[Address]], Iterator[Page]]:
        if self.pool is None:
            return lambda wanted: (made((self.asked, address)) for address in wanted)
        pool = self.pool
        return lambda wanted: pool.imap(made, [(self.asked, a) for a in wanted], chunksize=16)

    def __exit__(self, *_: object) -> None:
        if self.pool is not None:
            self.pool.terminate()
            self.pool.join()


def made(task: tuple[Asked, Address]) -> Page:
    """The page at an address, as the server answers it; no body where it says that there is none.

    Raises:
        MsmapError: it could not be made.
    """
    asked, address = task
    answer = _answer(asked, address)
    if answer.status in (301, 302):
        return Page(address, b"", answer.headers["location"])
    if answer.status == 404:
        return Page(address, b"")
    if answer.status != 200:
        raise MsmapError("{}: the page could not be made ({})", address, answer.status)
    body = answer.body if isinstance(answer.body, bytes) else answer.body.encode()
    return Page(address, body)


def _answer(asked: Asked, address: Address) -> Any:
    ask, route = asking(asked, address)
    return route.make(ask)


def asking(asked: Asked, address: Address) -> tuple[Ask, routing.Route]:
    """An address as it is asked, and what answers it."""
    for route in ROUTES:
        match = route.pattern.match(address.path)
        if match is not None:
            break
    else:
        raise MsmapError("{}: there is no such page", address)
    found = routing.variables(match)
    args = dict(address.args)
    api = address.path.startswith(BASE)
    if asked.device and (not api or address.path.startswith(_FOR_DEVICE)):
        args["device"] = asked.device.lower()
    ask = Ask(
        served=asked.served,
        language="zh" if found.get("zh") else "en",
        path=address.plain if found.get("zh") else address.path,
        vars=found,
        args=args,
        headers={},
        root="",
        site=asked.url,
        device=asked.device,
        whole=True,
    )
    return ask, route
