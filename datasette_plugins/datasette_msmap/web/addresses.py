"""Where everything on the site is, in either language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urlencode


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a site below ``root``, in ``language``, of answers for ``device``.

    ``site`` is its origin, if known; without a device answers are for all.
    """

    root: str
    site: str
    language: str
    device: str = ""

    def page(self, path: str, language: str | None = None, **query: str | None) -> str:
        """The address of a page by its path without the language; empty arguments are left out.

        The device stays the same unless the arguments have another, or None.
        """
        prefix = "/zh" if (language or self.language) == "zh" else ""
        address = f"{self.root}{prefix}{path}" if path != "/" or not prefix else f"{self.root}/zh"
        if not (query or self.device):
            return address
        told = _encoded(tuple({"device": self.device.lower(), **query}.items()))
        return f"{address}?{told}" if told else address

    def home(self, language: str | None = None) -> str:
        """The first page in a language, whatever the browser would rather have."""
        chosen = language or self.language
        return self.page("/", chosen, lang="en" if chosen == "en" else None)

    def name(self, name: str, part: str = "", **query: str | None) -> str:
        """The page of a name of either framework, or a part of it."""
        fragment = f"#{quote(part, safe='/')}" if part else ""
        return self.page("/" + _quoted(name), **query) + fragment

    def checks(self, name: str, part: str = "", **query: str | None) -> str:
        """The page of all checks of a record, or one of them."""
        fragment = f"#check-{quote(part)}" if part else ""
        return self.page(f"/{_quoted(name)}/checks", **query) + fragment

    def guide(self, name: str, part: str = "") -> str:
        """The page of a guide, or a section of it."""
        return self.page("/guides/" + _quoted(name)) + (f"#{quote(part)}" if part else "")

    def guide_checks(self, name: str) -> str:
        """The page of all checks of a guide."""
        return self.page(f"/guides/{_quoted(name)}/checks")

    def owner(self, name: str, check: str = "") -> str:
        """The page of what owns a check, as evidence names it: a record, or ``guide:ID``."""
        part = f"check-{check}" if check else ""
        if name.startswith("guide:"):
            return self.guide(name.removeprefix("guide:"), part)
        return self.name(name, part)

    def oembed(self, name: str) -> str:
        """Where other sites learn how to show the page of a name as a card."""
        page = self.absolute(self.name(name))
        return self.absolute(f"{self.root}/oembed?url={quote(page, safe='')}")

    def picture(self, name: str) -> str:
        """The picture of a name for previews of links."""
        return f"{self.root}/preview/{_quoted(name)}.png"

    def markdown(self, address: str) -> str:
        """The page at an address as Markdown."""
        path, mark, query = address.partition("?")
        if path in (f"{self.root}/", f"{self.root}/zh"):
            path = f"{path.rstrip('/')}/index"
        return f"{path}.md{mark}{query}"

    def static(self, name: str, version: str) -> str:
        """A file of the site's own; it may be kept for ever, since its address changes with it."""
        return f"{self.root}/-/msmap/{name}?v={version}"

    def absolute(self, address: str) -> str:
        """With the origin in front, where it is known."""
        return self.site + address


# A page leads to some fifty others, and many lead to the same.
@lru_cache(maxsize=5000)
def _quoted(name: str) -> str:
    return quote(name, safe="")


@lru_cache(maxsize=1000)
def _encoded(query: tuple[tuple[str, str | None], ...]) -> str:
    return urlencode([(key, value) for key, value in query if value])
