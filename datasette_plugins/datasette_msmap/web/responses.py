"""Answers as they leave the server: type, language, ETag, caching and security, in one place.

A page or an endpoint is a plain function from an ``Ask`` to an ``Answer``; ``view`` makes it what
Datasette routes to. All answers to GET depend on the database and the address alone, so an ETag
needs no body, an unchanged answer is not made again, and made ones are kept (``kept``).
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, unquote

from datasette import Response

from datasette_msmap.web import kept
from datasette_msmap.web.addresses import Addresses
from datasette_msmap.web.served import Served, serving
from msmap import vocabulary
from msmap.query.knowledge_base import KnowledgeBase

HTML = "text/html; charset=utf-8"
JSON = "application/json; charset=utf-8"
SVG = "image/svg+xml; charset=utf-8"
TEXT = "text/plain; charset=utf-8"

# Pages of ours have no script or style in the page itself. Datasette's have.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {}"
)
_STOCK_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; object-src 'none'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
# As they are written in addresses.
DEVICES = {device.lower(): device for device in vocabulary.PLATFORMS}
LONGEST_QUERY, LONGEST_BODY = 20_000, 100_000
_MOST_ARGUMENTS = 50


@dataclass(frozen=True, slots=True)
class Ask:
    """What was asked: ``path`` as routed, without the language; ``args`` have first values.

    ``device`` is what the answer is for, "" for all. ``pages`` are those that the site has, for
    what leads to them.
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

    @property
    def to(self) -> Addresses:
        """Where everything else is, in the same language and for the same device."""
        return Addresses(self.root, self.site, self.language, self.device)

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base of this thread, for the device that was asked for."""
        return self.served.as_of(None, self.device)


@dataclass(frozen=True, slots=True)
class Answer:
    """What to send. ``framed`` may be shown in frames of any site; ``shared`` has CORS.

    ``chunks`` makes what is sent piece by piece instead of a body; it is not kept.
    """

    body: bytes | str
    content_type: str = HTML
    status: int = 200
    language: str = ""
    max_age: int = 300
    framed: bool = False
    shared: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: Callable[[], Iterator[bytes]] | None = None


View = Callable[[Ask], Answer]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the site as its module declares it.

    ``nav`` is its place in the navigation, 0 for none; ``also`` are further addresses of the
    module, by their patterns, and what makes them.
    """

    path: str
    make: View
    nav: int = 0
    sitemap: bool = True
    slow: bool = False
    also: Mapping[str, View] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its module, and its key among the words of the navigation."""
        return self.path[1:] or "home"


# What says that a request can't be taken, with a status and a message.
Refusal = Callable[[Ask, int, str], Answer]


def _refuse(ask: Ask, status: int, message: str) -> Answer:
    return Answer(message + "\n", TEXT, status)


def redirect(address: str, permanent: bool = True) -> Answer:
    """Send the reader to another address of this site."""
    return Answer("", TEXT, 301 if permanent else 302, headers={"location": address})


def view(
    make: View,
    slow: bool = False,
    posts: bool = False,
    shared: bool = False,
    refuse: Refusal = _refuse,
) -> Callable[..., Awaitable[Response]]:
    """What Datasette routes to, made of a function; ``slow`` ones are made in another thread.

    ``shared`` is what its answers are: that one is unchanged is said before it is made.
    """
    methods = ("GET", "HEAD", "POST") if posts else ("GET", "HEAD")

    async def respond(request: Any, datasette: Any) -> Response:
        if request.method == "OPTIONS":
            return _options(methods)
        ask = _ask(request, datasette)
        if (problem := _problem(request, methods)) is not None:
            refused = refuse(ask, *problem)
            if refused.status == 405:
                allow = {**refused.headers, "allow": ", ".join(methods)}
                refused = replace(refused, headers=allow)
            return _response(refused, "")
        if request.method == "POST":
            body = await _body(request)
            if body is None:
                return _response(refuse(ask, 413, f"more than {LONGEST_BODY} bytes"), "")
            made = await _elsewhere(make, replace(ask, method="POST", body=body))
            return _response(replace(made, max_age=0), "")
        tag = ask.tag
        if tag in request.headers.get("if-none-match", ""):
            return _response(Answer("", TEXT, 304, shared=shared), tag)
        answer = await _elsewhere(make, ask) if slow else make(ask)
        if answer.status in (200, 404) and answer.chunks is None:
            kept.keep(request.scope)
        if request.method == "HEAD" and answer.chunks is not None:
            answer = replace(answer, chunks=lambda: iter(()))
        return _response(answer, tag)

    return respond


def _problem(request: Any, methods: tuple[str, ...]) -> tuple[int, str] | None:
    """Why a request is not answered, whatever it is about."""
    if request.method not in methods:
        return 405, f"only {', '.join(methods)}"
    if len(request.query_string) > LONGEST_QUERY:
        return 414, "the query is too long"
    if request.query_string.count("&") >= _MOST_ARGUMENTS:
        return 400, f"more than {_MOST_ARGUMENTS} arguments"
    return None


# One thread: what is slow is computing, so a second would gain nothing. And CPython counts the
# depth of syntax trees for all threads at once: two that parse get a SystemError now and then.
_SLOW = ThreadPoolExecutor(1, thread_name_prefix="msmap")


async def _elsewhere(make: View, ask: Ask) -> Answer:
    return await asyncio.get_running_loop().run_in_executor(_SLOW, make, ask)


async def _body(request: Any) -> bytes | None:
    """What was posted; None if that is too long."""
    found = bytearray()
    while True:
        message = await request.receive()
        found += message.get("body", b"")
        if len(found) > LONGEST_BODY:
            return None
        if not message.get("more_body"):
            return bytes(found)


def _ask(request: Any, datasette: Any) -> Ask:
    language = "zh" if request.url_vars.get("zh") else "en"
    path = request.scope.get("route_path") or request.path
    found = {key: unquote(value) for key, value in request.url_vars.items() if value is not None}
    args: dict[str, str] = {}
    # What is longer is refused.
    for key, value in parse_qsl(request.query_string[:LONGEST_QUERY], keep_blank_values=True):
        args.setdefault(key, value)
    options = datasette.plugin_config("msmap") or {}
    ask = Ask(
        served=serving(datasette),
        language=language,
        path=(path.removeprefix("/zh") or "/") if language == "zh" else path,
        vars=found,
        args=args,
        device=DEVICES.get(args.get("device", "").lower(), ""),
        headers=request.headers,
        root=datasette.setting("base_url").rstrip("/"),
        site=str(options.get("url") or _origin(request)).rstrip("/"),
    )
    return replace(ask, tag=_tag(ask, request))


def _origin(request: Any) -> str:
    """The address that the request says it was sent to; nothing if that can't be one."""
    host = request.headers.get("host", "")
    if not re.fullmatch(r"[A-Za-z0-9.\-]{1,253}(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?", host):
        return ""
    return f"{request.scheme}://{host}"


def _tag(ask: Ask, request: Any) -> str:
    told = (ask.served.version, ask.site, ask.root, request.path, request.query_string)
    return '"' + hashlib.sha256("\0".join(told).encode()).hexdigest()[:24] + '"'


def _options(methods: tuple[str, ...]) -> Response:
    allow = {
        "access-control-allow-methods": ", ".join(methods),
        "access-control-allow-headers": "Content-Type, If-None-Match, Range",
        "access-control-max-age": "86400",
        "allow": ", ".join([*methods, "OPTIONS"]),
    }
    return _response(Answer("", TEXT, 204, shared=True, headers=allow), "")


def _response(answer: Answer, tag: str) -> Response:
    caching = f"public, max-age={answer.max_age}" if answer.max_age else "no-store"
    headers = {"cache-control": caching, **answer.headers}
    # A browser puts what a 304 says over what it has: who may frame the answer stays as it was.
    if answer.status != 304:
        headers["content-security-policy"] = _POLICY.format("*" if answer.framed else "'none'")
        if not answer.framed:
            headers["x-frame-options"] = "DENY"
    if tag and answer.status in (200, 206, 304):
        headers["etag"] = tag
    if answer.language:
        headers["content-language"] = "zh-CN" if answer.language == "zh" else "en"
    if answer.shared:
        headers["access-control-allow-origin"] = "*"
        headers["access-control-expose-headers"] = "ETag, Link"
        headers["cross-origin-resource-policy"] = "cross-origin"
    if answer.chunks is not None:
        return _Pieces(answer.chunks, answer.status, headers, answer.content_type)
    body = answer.body.encode() if isinstance(answer.body, str) else answer.body
    if answer.status not in (204, 304):
        headers["content-length"] = str(len(body))
    return Response(body, answer.status, headers, answer.content_type)


class _Pieces(Response):  # type: ignore[misc]
    """A response whose body is made while it is sent, so that it never is in memory as a whole."""

    def __init__(self, chunks: Callable[[], Iterator[bytes]], *told: Any) -> None:
        super().__init__(None, *told)
        self._chunks = chunks

    async def asgi_send(self, send: Any) -> None:
        named = {**self.headers, "content-type": self.content_type}
        headers = [(name.encode(), value.encode()) for name, value in named.items()]
        start = {"type": "http.response.start", "status": self.status, "headers": headers}
        await send(start)
        for chunk in self._chunks():
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
            # Nobody else is served while a piece is made.
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b""})


def secured(app: Any) -> Any:
    """An ASGI application whose every answer has the security headers, Datasette's own too."""

    async def wrapped(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return

        async def send_secured(message: Any) -> None:
            if message["type"] == "http.response.start" and message["status"] != 304:
                message = {**message, "headers": _secure(message.get("headers", []))}
            await send(message)

        await app(scope, receive, send_secured)

    return wrapped


def _secure(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    named = {name.lower() for name, _ in headers}
    kept = [(name, value) for name, value in headers if name.lower().decode() not in _ALWAYS]
    kept += [(name.encode(), value.encode()) for name, value in _ALWAYS.items()]
    if b"content-security-policy" not in named:
        kept += [
            (b"content-security-policy", _STOCK_POLICY.encode()),
            (b"x-frame-options", b"DENY"),
        ]
    return kept
