"""Answers as they leave the server: type, language, ETag, caching and security, in one place.

A page or an endpoint is a plain function from an ``Ask`` to an ``Answer``; ``view`` makes it what
Datasette routes to. All answers depend on the database and the address alone, so an ETag needs no
body, an unchanged answer is not made again, and made ones are kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote
from weakref import WeakKeyDictionary

from datasette import Response

from datasette_msmap import base
from msmap.query import KnowledgeBase

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
# Bytes of made answers to keep, and the largest answer that is worth it.
_KEPT, _LARGEST = 32_000_000, 400_000
LONGEST_QUERY = 20_000


@dataclass(frozen=True, slots=True)
class Ask:
    """What was asked: ``path`` as routed, without the language; ``args`` have first values."""

    served: base.Served
    language: str
    path: str
    vars: Mapping[str, str]
    args: Mapping[str, str]
    headers: Mapping[str, str]
    root: str
    site: str

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base of this thread."""
        return self.served.kb


@dataclass(frozen=True, slots=True)
class Answer:
    """What to send. ``framed`` may be shown in frames of any site; ``shared`` has CORS."""

    body: bytes | str
    content_type: str = HTML
    status: int = 200
    language: str = ""
    max_age: int = 300
    framed: bool = False
    shared: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)


View = Callable[[Ask], Answer]


def redirect(address: str, permanent: bool = True) -> Answer:
    """Send the reader to another address of this site."""
    return Answer("", TEXT, 301 if permanent else 302, headers={"location": address})


def view(make: View, slow: bool = False) -> Callable[..., Awaitable[Response]]:
    """What Datasette routes to, made of a function; ``slow`` ones are made in another thread."""

    async def respond(request: Any, datasette: Any) -> Response:
        if request.method == "OPTIONS":
            return _options()
        if request.method not in ("GET", "HEAD"):
            refused = Answer("only GET and HEAD\n", TEXT, 405, headers={"allow": "GET, HEAD"})
            return _response(refused, "")
        if len(request.query_string) > LONGEST_QUERY:
            return _response(Answer("the query is too long\n", TEXT, 414, shared=True), "")
        ask = _ask(request, datasette)
        tag = _tag(ask, request)
        if tag in request.headers.get("if-none-match", ""):
            return _response(Answer("", TEXT, 304), tag)
        kept = _keep(datasette)
        answer = kept.get(tag)
        if answer is None:
            answer = await asyncio.to_thread(make, ask) if slow else make(ask)
            kept.put(tag, answer)
        return _response(answer, tag)

    return respond


def _ask(request: Any, datasette: Any) -> Ask:
    language = "zh" if request.url_vars.get("zh") else "en"
    path = request.scope.get("route_path") or request.path
    found = {key: unquote(value) for key, value in request.url_vars.items() if value is not None}
    args: dict[str, str] = {}
    for key, value in parse_qsl(request.query_string, keep_blank_values=True, max_num_fields=50):
        args.setdefault(key, value)
    options = datasette.plugin_config("msmap") or {}
    return Ask(
        served=base.of(datasette),
        language=language,
        path=(path.removeprefix("/zh") or "/") if language == "zh" else path,
        vars=found,
        args=args,
        headers=request.headers,
        root=datasette.setting("base_url").rstrip("/"),
        site=str(options.get("url") or _origin(request)).rstrip("/"),
    )


def _origin(request: Any) -> str:
    """The address that the request says it was sent to; nothing if that can't be one."""
    host = request.headers.get("host", "")
    if not re.fullmatch(r"[A-Za-z0-9.\-]{1,253}(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?", host):
        return ""
    return f"{request.scheme}://{host}"


def _tag(ask: Ask, request: Any) -> str:
    told = (ask.served.version, ask.site, ask.root, request.path, request.query_string)
    return '"' + hashlib.sha256("\0".join(told).encode()).hexdigest()[:24] + '"'


def _options() -> Response:
    allow = {"access-control-allow-methods": "GET, HEAD", "access-control-max-age": "86400"}
    return _response(Answer("", TEXT, 204, shared=True, headers=allow), "")


def _response(answer: Answer, tag: str) -> Response:
    headers = {
        "cache-control": f"public, max-age={answer.max_age}",
        "content-security-policy": _POLICY.format("*" if answer.framed else "'none'"),
        **answer.headers,
    }
    if tag and answer.status in (200, 304):
        headers["etag"] = tag
    if answer.language:
        headers["content-language"] = "zh-CN" if answer.language == "zh" else "en"
    if answer.shared:
        headers["access-control-allow-origin"] = "*"
        headers["access-control-expose-headers"] = "ETag"
        headers["cross-origin-resource-policy"] = "cross-origin"
    body = answer.body.encode() if isinstance(answer.body, str) else answer.body
    if answer.status not in (204, 304):
        headers["content-length"] = str(len(body))
    if not answer.framed:
        headers["x-frame-options"] = "DENY"
    return Response(body, answer.status, headers, answer.content_type)


class _Kept:
    """Answers by their ETag, the least recently used forgotten first."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._size = 0

    def get(self, tag: str) -> Answer | None:
        if tag in self._answers:
            self._answers.move_to_end(tag)
        return self._answers.get(tag)

    def put(self, tag: str, answer: Answer) -> None:
        if answer.status != 200 or len(answer.body) > _LARGEST:
            return
        self._answers[tag] = answer
        self._size += len(answer.body)
        while self._size > _KEPT:
            self._size -= len(self._answers.popitem(last=False)[1].body)


_kept: WeakKeyDictionary[Any, _Kept] = WeakKeyDictionary()


def _keep(datasette: Any) -> _Kept:
    if datasette not in _kept:
        _kept[datasette] = _Kept()
    return _kept[datasette]


def secured(app: Any) -> Any:
    """An ASGI application whose every answer has the security headers, Datasette's own too."""

    async def wrapped(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return

        async def send_secured(message: Any) -> None:
            if message["type"] == "http.response.start":
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
