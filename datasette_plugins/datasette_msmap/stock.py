"""Datasette's own pages: few at once, read only, behind the site's headers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from datasette_msmap.web.aside import Stopped, TooLong
from datasette_msmap.web.config import Limits
from datasette_msmap.web.gates import Busy, Gate, Left, watched
from datasette_msmap.web.responses import ALWAYS
from datasette_msmap.web.served import Served
from datasette_msmap.web.work import Work

logger = logging.getLogger("msmap")
# Datasette's pages have script and style in the page itself.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; object-src 'none'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_READS = ("GET", "HEAD")
_WHOLE = ("method", "path", "raw_path", "query_string", "headers", "scheme", "http_version")


class Behind:
    """Datasette's application in this process, with its pages made one after the other."""

    def __init__(self, app: Any, limits: Limits) -> None:
        self._app, self._limits = app, limits
        self._gate = Gate(limits.tables, limits.tables_waiting)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] not in _READS:
            await _say(send, 405, "only GET, HEAD", allow="GET, HEAD")
            return

        async def send_secured(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": secure(message.get("headers", []))}
            await send(message)

        try:
            async with watched(receive) as left, self._gate.turn(left):
                await self._app(scope, _nothing(), send_secured)
        except Busy:
            await _busy(send, self._limits, "the server is busy")
        except Left:
            return


class Beside:
    """Datasette in a process of its own, which is started when somebody first asks for it.

    ``answer`` is a function of a module: it is called there.
    """

    def __init__(
        self, answer: Callable[..., Any], served: Served, root: str, limits: Limits
    ) -> None:
        self._answer, self._served, self._root, self._limits = answer, served, root, limits
        self.work = Work(
            limits.tables, limits.tables_waiting, limits.tables_time, limits.work_bytes
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["method"] not in _READS:
            await _say(send, 405, "only GET, HEAD", allow="GET, HEAD")
            return
        told = {key: scope[key] for key in _WHOLE if key in scope}
        try:
            async with watched(receive) as left:
                status, headers, body = await self.work(
                    left, self._answer, self._served, self._root, told
                )
        except Busy:
            await _busy(send, self._limits, "the server is busy")
        except TooLong:
            seconds = self._limits.tables_time
            await _busy(send, self._limits, f"this took more than {seconds:g} seconds")
        except Stopped:
            logger.error("Datasette died of %s", scope["path"][:200])
            await _busy(send, self._limits, "what makes this was stopped")
        except Left:
            return
        else:
            await send(
                {"type": "http.response.start", "status": status, "headers": secure(headers)}
            )
            await send({"type": "http.response.body", "body": body})


async def _busy(send: Any, limits: Limits, why: str) -> None:
    seconds = str(limits.retry_after)
    await _say(send, 503, f"{why}; come again in {seconds} seconds", retry_after=seconds)


async def _say(send: Any, status: int, message: str, **more: str) -> None:
    told = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
    told |= {name.replace("_", "-"): value for name, value in more.items()}
    headers = secure([(name.encode(), value.encode()) for name, value in told.items()])
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": message.encode() + b"\n"})


def secure(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Headers with those of security, and without cookies: nobody logs in here."""
    named = {name.lower() for name, _ in headers}
    left_out = {*(name.encode() for name in ALWAYS), b"set-cookie"}
    kept = [(name, value) for name, value in headers if name.lower() not in left_out]
    kept += [(name.encode(), value.encode()) for name, value in ALWAYS.items()]
    if b"content-security-policy" not in named:
        kept += [(b"content-security-policy", _POLICY.encode()), (b"x-frame-options", b"DENY")]
    return kept


def _nothing() -> Callable[[], Any]:
    """Receives a request without a body, from a client that stays."""
    asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        for message in asked:
            return message
        await asyncio.Event().wait()
        raise AssertionError

    return receive


def whole(
    app: Any, loop: asyncio.AbstractEventLoop, scope: dict[str, Any]
) -> tuple[int, Any, bytes]:
    """What an application answers: status, headers and body."""
    status, headers, pieces = 500, [], []

    async def send(message: Any) -> None:
        nonlocal status, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], message.get("headers", [])
        else:
            pieces.append(message.get("body", b""))

    asked = {"type": "http", "asgi": {"version": "3.0"}, **scope}
    loop.run_until_complete(app(asked, _nothing(), send))
    return status, headers, b"".join(pieces)
