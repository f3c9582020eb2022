"""What is asked and what is answered: type, language, ETag, caching and security, in one place.

A page or an endpoint is a plain function from an ``Ask`` to an ``Answer``. All answers to GET
depend on the database and the address alone, so an ETag needs no body, an unchanged answer is not
made again, and made ones are kept (``kept``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from datasette_msmap.web.addresses import Addresses
from datasette_msmap.web.config import Config
from datasette_msmap.web.served import Served
from msmap import vocabulary
from msmap.query.knowledge_base import KnowledgeBase

HTML = "text/html; charset=utf-8"
JSON = "application/json; charset=utf-8"
SVG = "image/svg+xml; charset=utf-8"
PNG = "image/png"
TEXT = "text/plain; charset=utf-8"

# Pages of ours have no script or style in the page itself.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {}"
)
ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_EXPOSED = "Accept-Ranges, Content-Range, ETag, Link, X-Total-Count"
# Of the one address that answers by the language that is asked for.
BY_LANGUAGE = {"vary": "accept-language"}
# As they are written in addresses.
DEVICES = {device.lower(): device for device in vocabulary.PLATFORMS}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask:
    """What was asked: ``path`` as routed, without the language.

    ``args`` are those that the view reads. ``device`` is what the answer is for, "" for all.
    ``pages`` are those that the site has, for what leads to them; ``config`` is how it is served.
    ``whole`` says that the page stands alone: what a script would fetch is in it.
    """

    served: Served
    language: str
    path: str
    vars: Mapping[str, str]
    args: Mapping[str, str]
    headers: Mapping[str, str]
    root: str
    site: str
    tag: str = ""
    method: str = "GET"
    body: bytes = b""
    device: str = ""
    pages: tuple[Page, ...] = ()
    config: Config = field(default_factory=Config)
    whole: bool = False

    @property
    def to(self) -> Addresses:
        """Where everything else is, in the same language and for the same device."""
        return Addresses(self.root, self.site, self.language, self.device)

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base of this thread, for the device that was asked for."""
        return self.served.as_of(None, self.device)

    def once(self, asked: Callable[[KnowledgeBase], T]) -> T:
        """What a function tells of the knowledge base for all devices, remembered.

        Nobody may change it.
        """
        return self.served.once(asked)


@dataclass(frozen=True, slots=True)
class Answer:
    """What to send. ``framed`` may be shown in frames of any site; ``shared`` has CORS.

    ``file`` is sent instead of a body, or a part of it; ``packed`` is the same compressed, for
    those who take it, and may be all that there is.
    """

    body: bytes | str
    content_type: str = HTML
    status: int = 200
    language: str = ""
    max_age: int = 300
    framed: bool = False
    shared: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    file: Path | None = None
    packed: Path | None = None

    @property
    def large(self) -> bool:
        """Whether what is sent stands in a file."""
        return self.file is not None or self.packed is not None


View = Callable[[Ask], Answer]
# What says that a request can't be taken, with a status and a message.
Refusal = Callable[[Ask, int, str], Answer]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the site as its module declares it.

    ``args`` are the arguments that its views read, beside the device: any other is left out of its
    address. ``nav`` is its place in the navigation, 0 for none; ``also`` are further addresses of
    the module, by their patterns, and what makes them. ``slow`` and ``aside`` are as for a
    route.
    """

    path: str
    make: View
    nav: int = 0
    sitemap: bool = True
    slow: bool = False
    aside: bool = False
    also: Mapping[str, View] = field(default_factory=dict)
    args: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its module, and its key among the words of the navigation."""
        return self.path[1:] or "home"


def refuse(ask: Ask, status: int, message: str) -> Answer:
    """A refusal in a line of text."""
    return Answer(message + "\n", TEXT, status)


def redirect(address: str, permanent: bool = True) -> Answer:
    """Send the reader to another address of this site."""
    return Answer("", TEXT, 301 if permanent else 302, headers={"location": address})


def headers(answer: Answer) -> list[tuple[bytes, bytes]]:
    """The headers of an answer, but those of its tag and of the form of its body."""
    caching = f"public, max-age={answer.max_age}" if answer.max_age else "no-store"
    found = {"content-type": answer.content_type, "cache-control": caching, **ALWAYS}
    found |= answer.headers
    found["content-security-policy"] = _POLICY.format("*" if answer.framed else "'none'")
    if not answer.framed:
        found["x-frame-options"] = "DENY"
    if answer.language:
        found["content-language"] = "zh-CN" if answer.language == "zh" else "en"
    if answer.shared:
        found["access-control-allow-origin"] = "*"
        found["access-control-expose-headers"] = (
            "Accept-Ranges, Content-Range, ETag, Link, X-Total-Count"
        )
        found["cross-origin-resource-policy"] = "cross-origin"
    return [(name.encode(), value.encode("latin-1", "replace")) for name, value in found.items()]


def unchanged(shared: bool) -> list[tuple[bytes, bytes]]:
    """The headers of a 304, which a browser puts over those of what it has.

    Who may frame the answer stays as it was.
    """
    told = headers(Answer("", TEXT, 304, shared=shared))
    left_out = (b"content-type", b"content-security-policy", b"x-frame-options")
    return [(name, value) for name, value in told if name not in left_out]
