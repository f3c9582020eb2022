"""The whole site as files, for any web server: every page as it is served, and search."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path

from datasette_msmap import server
from datasette_msmap.export import crawl, finding, links, names, roots
from datasette_msmap.export.crawl import Address, Asked
from datasette_msmap.routes import prepare
from datasette_msmap.taken import downloads
from datasette_msmap.taken import names as inventory
from datasette_msmap.web import config, texts
from datasette_msmap.web.responses import Ask
from datasette_msmap.web.served import Served
from msmap import atomic, database
from msmap.errors import MsmapError
from msmap.evidence import devices
from msmap.vocabulary import LANGUAGES

# What says of a folder that it may be replaced.
MARK = "msmap-export.json"
_STATIC = server.HERE / "static"
_KINDS = {
    ".html": "pages", ".md": "markdown", ".gz": "data", ".db": "data", ".png": "pictures",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export has: how many files, and how many bytes of each kind."""

    files: int
    sizes: dict[str, int]

    @property
    def size(self) -> int:
        """All bytes."""
        return sum(self.sizes.values())


def export(
    folder: Path,
    path: os.PathLike[str] | str | None = None,
    url: str = "",
    device: str = "",
    data: bool = True,
    jobs: int | None = None,
    told: Callable[[int], None] = lambda made: None,
) -> Exported:
    """Put the whole site into a folder, which is replaced whole or not at all.

    Args:
        folder: where to.
        path: the database, the shipped one if none is given.
        url: where the files are going to be, for what has to name that; every link is relative.
        device: what all pages are for, one of ``vocabulary.PLATFORMS``; "" is all.
        data: also the data as files, and the database.
        jobs: processes that make pages; None is one a core.
        told: called with how many pages there are, now and then.

    Raises:
        MsmapError: the folder has something else, the database can't be read, or a page can't be
            made; the folder is as it was.
    """
    _free(folder)
    device = devices.parse(device) if device else ""
    url = config.address(url, "url")
    served = Served(server.DATABASE, database.path(path))
    try:
        # Where nothing can be written, that is said before thousands of pages are made.
        with atomic.replacing_folder(folder) as made:
            prepare(served)
            asked = Asked(served, url, device)
            first = [*roots.pages(), *(roots.answers(asked) if data else ())]
            # Without whole addresses nobody is told of a picture.
            first += roots.pictures(asked) if asked.url else ()
            found = crawl.crawl(asked, first, _links, jobs or os.cpu_count() or 1, told)
            found.pages.update(roots.gone(asked))
            _Export(asked, found, made, data).write()
            return _sizes(made)
    except OSError as error:
        raise MsmapError("{}: {}", error.filename or folder, error.strerror) from None


def _free(folder: Path) -> None:
    """That a folder may be replaced.

    Raises:
        MsmapError: it has something that is no export.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise MsmapError("{}: a file; a folder is meant", folder)
    if any(folder.iterdir()) and not (folder / MARK).is_file():
        raise MsmapError(
            "{}: not empty, and no export of msmap (it has no {}); name another folder",
            folder,
            MARK,
        )


def _links(body: bytes) -> Iterator[str]:
    if not body.startswith(b"<!doctype"):
        return iter(())
    return links.of_page(links.unserved(body.decode(), lambda said: ""))


class _Export:
    """The files of a site while they are written."""

    def __init__(self, asked: Asked, found: crawl.Found, folder: Path, data: bool) -> None:
        self.asked, self.found, self.folder = asked, found, folder
        self.files = names.files(found.pages)
        self.data = self.downloads if data else {}

    @cached_property
    def downloads(self) -> dict[str, str]:
        """The files of data by the addresses that lead to them."""
        ask = self.ask("en")
        found = {f"/{place}": place for place, _ in downloads.listed(ask)}
        for place, name in downloads.dated(ask).items():
            found[f"/data/{name}.gz"] = f"data/{place}"
            found[f"/api/v1/{name}"] = f"data/{place}"
        return {**found, "/msmap.db": downloads.WHOLE}

    def ask(self, language: str) -> Ask:
        """The first page in a language, as it is asked."""
        return crawl.asking(self.asked, Address("/zh" if language == "zh" else "/"))[0]

    def write(self) -> None:
        """Write all files."""
        for address, body in self.found.pages.items():
            self._put(self.files[address], self._told(address, body))
        for path in _STATIC.iterdir():
            self._put(f"static/{path.name}", path.read_bytes())
        for language in LANGUAGES:
            self._search(language)
            self._inventory(language)
        self._data()
        if self.asked.url:
            self._sitemap()
        told = {"msmap": database.ANSWERS_VERSION, "version": self.asked.served.version}
        self._put(MARK, json.dumps(told) + "\n")

    def _put(self, place: str, body: str | bytes) -> None:
        path = self.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body.encode() if isinstance(body, str) else body)

    def _told(self, address: Address, body: bytes) -> str | bytes:
        """A page as its file has it."""
        here = self.files[address]
        language = "zh" if address.path.startswith("/zh") else "en"

        def where(link: str) -> str | None:
            return self.where(here, link)

        if here.endswith(".png"):
            return body
        text = body.decode()
        if here.endswith(".json"):
            return links.answer(text, where)
        if here.endswith(".atom"):
            return links.feed(text, where)
        if not here.endswith(".html"):
            return links.markdown(text, where)
        text = links.unserved(
            text, lambda said: f'<p class="notice">{texts.get(said, language)}</p>'
        )
        if address.plain == "/search":
            text = _searching(text, language)
        if address.plain == roots.GONE and self.asked.url:
            # It stands wherever something was looked for.
            return links.page(text, self.whole, self.asked.url)
        return links.page(text, where, self.asked.url)

    def where(self, here: str, link: str) -> str | None:
        """Where a link leads from a file; None where there is nothing."""
        if self.asked.url and link.startswith(self.asked.url):
            return self.whole(link)
        place = self._place(link)
        return None if place is None else links.relative(here, place)

    def whole(self, link: str) -> str | None:
        """The same with the address of the site in front."""
        place = self._place(link)
        return None if place is None else f"{self.asked.url}/{links.relative('', place)}"

    def _place(self, link: str) -> str | None:
        """The file that a link leads to."""
        address = self.asked.address(link)
        if address is None:
            return None
        address = self.found.moved.get(address, address)
        place = self.files.get(address) or self.data.get(address.path)
        if address.path.startswith("/-/msmap/"):
            place = f"static/{address.path.rpartition('/')[2]}"
        if place is None and address.path.startswith(roots.PICTURES):
            place = "static/preview.png"
        if address.path.startswith("/static/") or address.path.startswith("/search-"):
            place = address.path[1:]
        return place

    def _search(self, language: str) -> None:
        prefix = "/zh" if language == "zh" else ""
        root = "zh/search.html" if prefix else "search.html"

        def file(path: str) -> str | None:
            return self.where(root, f"{prefix}{path}")

        told = finding.index(self.asked.served.as_of(None, self.asked.device), language, file)
        self._put(finding.FILE.format(language), told)

    def _inventory(self, language: str) -> None:
        root = "zh/objects.inv" if language == "zh" else "objects.inv"
        ask = self.ask(language)
        places = (
            each._replace(address=led)
            for each in inventory.places(ask)
            if (led := self.where(root, f"/{each.address}")) is not None
        )
        self._put(root, inventory.made(ask, places))

    def _data(self) -> None:
        if not self.data:
            return
        ask = self.ask("en")
        for place, path in downloads.files(ask).items():
            target = self.folder / place
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        self._put(downloads.SUMS, downloads.sums(ask).body)

    def _sitemap(self) -> None:
        pages = sorted(
            place
            for address, place in self.files.items()
            if place.endswith(".html") and address.plain != roots.GONE
        )
        whole = (f"{self.asked.url}/{links.relative('', place)}" for place in pages)
        places = (f"<url><loc>{escape(place)}</loc></url>" for place in whole)
        head = '<?xml version="1.0" encoding="utf-8"?>\n'
        head += '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        self._put("sitemap.xml", "\n".join([head.rstrip(), *places, "</urlset>", ""]))
        self._put("robots.txt", f"User-agent: *\nSitemap: {self.asked.url}/sitemap.xml\n")


def _searching(page: str, language: str) -> str:
    """The page of search with what a script of its own needs."""
    said = {key: escape(texts.get(f"export.{key}", language)) for key in ("none", "near", "count")}
    told = "".join(f' data-{key}="{text}"' for key, text in said.items())
    noscript = f"<noscript><p>{texts.get('export.noscript', language)}</p></noscript>"
    body = f'<div id="found" role="status"{told}></div>\n{noscript}\n</main>'
    scripts = [finding.FILE.format(language), "static/still.js"]
    head = "".join(f'<script src="/{script}" defer></script>\n' for script in scripts)
    return page.replace("</main>", body, 1).replace("</head>", f"{head}</head>", 1)


def _sizes(folder: Path) -> Exported:
    sizes: Counter[str] = Counter()
    number = 0
    for path in folder.rglob("*"):
        if path.is_file():
            number += 1
            answer = path.is_relative_to(folder / "api") and path.suffix == ".json"
            kind = "answers" if answer else _KINDS.get(path.suffix, "other")
            sizes[kind] += path.stat().st_size
    return Exported(number, dict(sizes))
