"""The site as an ASGI application: own addresses are answered here, the tables by Datasette.

Nothing but the address decides on an answer: no cookie, and no argument that the view doesn't read.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from datasette_msmap.web import compression, languages, responses, routing, sending
from datasette_msmap.web.aside import Stopped, TooLong
from datasette_msmap.web.config import Config
from datasette_msmap.web.gates import Busy, Gate, Left, watched
from datasette_msmap.web.kept import Entry, Kept, Key
from datasette_msmap.web.responses import DEVICES, TEXT, Answer, Ask, redirect
from datasette_msmap.web.routing import Request, Route, Sent
from datasette_msmap.web.served import Served, TakesLong
from datasette_msmap.web.work import Work

logger = logging.getLogger("msmap")
# What is kept of answers in files is a few hundred bytes each.
_MOST_FILES = 200
# To compress more takes longer than to change threads.
_LARGE = 30_000
# Of so many addresses it is known as which answer they are kept, unless they are long.
_MOST_SENT, _LONG = 2_000, 600
_MOST_REFUSED = 100


class Site:
    """One database served.

    Args:
        served: the database.
        config: how.
        routes: what answers, in the order in which addresses are tried; the last takes every one.
        slowly: makes the answer of the route of a number; called in another process.
        stock: what answers for Datasette's own pages, as an ASGI application.
    """

    def __init__(
        self,
        served: Served,
        config: Config,
        routes: Sequence[Route],
        slowly: Callable[[int, Ask], Answer],
        stock: Callable[..., Any],
    ) -> None:
        self.served, self.config = served, config
        limits = config.limits
        self._routes, self._slowly, self._stock = routes, slowly, stock
        # The rest of what Datasette has is for who runs it.
        self._tables = re.compile(
            rf"/(?:{re.escape(served.database)}(?:[./]|$)|-/static(?:-plugins)?/)"
        )
        served.quick = True
        self._kept, self._misses = Kept(limits.kept_bytes), Kept(limits.kept_misses)
        self._sent: dict[Sent, Key] = {}
        self._refused: dict[tuple[Any, ...], Answer] = {}
        self._files: dict[Key, Answer] = {}
        self.work = Work(limits.work, limits.work_waiting, limits.work_time, limits.work_bytes)
        self._aside = Work(
            limits.searches, limits.searches_waiting, limits.work_time, limits.work_bytes
        )
        self._downloads = Gate(limits.downloads, limits.downloads_waiting)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._stock(scope, receive, send)
            return
        entry = self._known(scope)
        if entry is not None:
            await sending.send_entry(entry, send, scope["method"])
            return
        request = routing.request(scope, self.config.root)
        number, match = self._find(request.path)
        if match is None:
            await self._stock(scope, receive, send)
            return
        route = self._routes[number]
        args, others = routing.arguments(
            request.query[: self.config.limits.query_bytes], route.args, not route.shared
        )
        ask = self._ask(request, match, args)
        early = self._early(request, route, ask, others)
        if early is not None:
            await self._send(request, early, send)
        elif request.method == "POST":
            await self._post(request, number, ask, receive, send)
        else:
            await self._get(request, number, ask, receive, send)

    def _known(self, scope: Any) -> Entry | None:
        """What is kept for a request just as it was sent, in the form in which it is sent again.

        All that an answer may depend on is compared; whatever else there is to it takes the long
        way.
        """
        if scope["method"] not in ("GET", "HEAD"):
            return None
        host = accept = None
        for name, value in scope["headers"]:
            if name == b"host":
                host = value if host is None else host
            elif name == b"accept-encoding":
                accept = value if accept is None else accept
            elif name in (b"if-none-match", b"range"):
                return None
        sent = (
            scope.get("raw_path"),
            scope["query_string"],
            host or b"",
            scope.get("scheme", "http"),
        )
        key = self._sent.get(sent)
        entry = self._kept.get(key) if key is not None else None
        if entry is None or not entry.worth:
            return entry
        takes = compression.taken((accept or b"").decode("latin-1"))
        return entry if entry.pressed == takes else None

    def _find(self, path: str) -> tuple[int, re.Match[str] | None]:
        """The number of the route that takes a path; no match where Datasette has it."""
        last = len(self._routes) - 1
        for number, route in enumerate(self._routes):
            if number == last and self._tables.match(path):
                break
            if (match := route.pattern.match(path)) is not None:
                return number, match
        return last, None

    def _ask(self, request: Request, match: re.Match[str], args: dict[str, str]) -> Ask:
        found = routing.variables(match)
        language = "zh" if found.get("zh") else "en"
        path = request.path
        site = self.config.url or request.origin or ""
        told = (
            self.served.version,
            site,
            self.config.root,
            self.config.source,
            self.config.report,
            request.path,
            *map(str, args.items()),
        )
        return Ask(
            served=self.served,
            language=language,
            path=(path.removeprefix("/zh") or "/") if language == "zh" else path,
            vars=found,
            args=args,
            headers=request.headers,
            root=self.config.root,
            site=site,
            tag=hashlib.sha256("\0".join(told).encode("utf-8", "replace")).hexdigest()[:24],
            method=request.method,
            device=DEVICES.get(args.get("device", "").lower(), ""),
            config=self.config,
        )

    def _early(self, request: Request, route: Route, ask: Ask, others: bool) -> Answer | None:
        """The answer to what needs none to be made, whatever it is about."""
        if request.method == "OPTIONS":
            return _options(route.methods)
        problem = self._problem(request, route)
        if problem is not None:
            refused = self._refusal(route, ask, *problem)
            if refused.status == 405:
                allow = {**refused.headers, "allow": ", ".join(route.methods)}
                refused = replace(refused, headers=allow)
            return replace(refused, max_age=0)
        if others and request.method != "POST":
            place = routing.address(self.config.root, request.path, ask.args)
            return replace(redirect(place, permanent=False), shared=route.shared)
        if route.greets and request.path == "/" and not ask.args.get("lang"):
            return _greeting(request, ask)
        return None

    def _problem(self, request: Request, route: Route) -> tuple[int, str] | None:
        """Why a request is not answered."""
        if request.origin is None:
            return 400, "the Host of the request is no address"
        if request.method not in route.methods:
            return 405, f"only {', '.join(route.methods)}"
        if len(request.query) > self.config.limits.query_bytes:
            return 414, "the query is too long"
        if request.query.count("&") >= routing.MOST_ARGUMENTS:
            return 400, f"more than {routing.MOST_ARGUMENTS} arguments"
        return None

    async def _get(self, request: Request, number: int, ask: Ask, receive: Any, send: Any) -> None:
        route = self._routes[number]
        if ask.tag in request.headers.get("if-none-match", ""):
            told = responses.unchanged(route.shared)
            await sending.send_unchanged(request, told, send)
            return
        takes = sending.takes(request)
        key: Key = (ask.site, request.path, tuple(ask.args.items()))
        for kept in (self._kept, self._misses):
            entry = kept.get(key)
            if entry is not None:
                fit = sending.fitting(request, entry)
                if fit is not entry:
                    kept.put(key, fit)
                if kept is self._kept and not route.greets:
                    self._remember(request.sent, key)
                await sending.send_entry(fit, send, request.method, takes)
                return
        answer = self._files.get(key)
        if answer is None:
            answer = await self._made(number, ask, receive)
        if answer is None:
            return
        if answer.large:
            await self._send_large(request, ask, route, key, answer, receive, send)
            return
        entry = await _fitting(request, sending.entry(answer, ask.tag))
        if answer.max_age and answer.status in (200, 404):
            (self._kept if answer.status == 200 else self._misses).put(key, entry)
        await sending.send_entry(entry, send, request.method, takes)

    def _remember(self, sent: Sent, key: Key) -> None:
        """That what is kept under a key is the answer to a request as it was sent."""
        if sum(map(len, sent)) > _LONG:
            return
        if len(self._sent) >= _MOST_SENT:
            self._sent.clear()
        self._sent[sent] = key

    async def _post(self, request: Request, number: int, ask: Ask, receive: Any, send: Any) -> None:
        body = await _body(receive, self.config.limits.body_bytes)
        if isinstance(body, int):
            most = self.config.limits.body_bytes
            route = self._routes[number]
            answer: Answer | None = self._refusal(route, ask, 413, f"more than {most} bytes")
        elif body is None:
            return
        else:
            answer = await self._made(number, replace(ask, body=body), receive)
        if answer is not None:
            await self._send(request, replace(answer, max_age=0), send)

    async def _made(self, number: int, ask: Ask, receive: Any) -> Answer | None:
        """The answer of a route, or why there is none; None if nobody waits for it any more."""
        route = self._routes[number]
        try:
            if not (route.slow or route.aside):
                with suppress(TakesLong):
                    return route.make(ask)
            async with watched(receive) as left:
                work = self.work if route.slow else self._aside
                answer: Answer = await work(left, self._slowly, number, ask)
            return answer
        except Left:
            return None
        except Busy:
            return self._busy(route, ask)
        except TooLong:
            seconds = self.config.limits.work_time
            return self._later(
                route, ask, f"this took more than {seconds:g} seconds, and was stopped"
            )
        except Stopped:
            logger.error("what made %s died of it", ask.path[:200])
            return self._later(route, ask, "what makes this was stopped")
        except Exception:
            logger.exception("could not answer %s", ask.path[:200])
            return replace(_failed(route, ask), max_age=0)

    def _busy(self, route: Route, ask: Ask) -> Answer:
        return self._later(route, ask, "the server is busy")

    def _later(self, route: Route, ask: Ask, why: str) -> Answer:
        seconds = self.config.limits.retry_after
        answer = self._refusal(route, ask, 503, f"{why}; come again in {seconds} seconds")
        return replace(answer, max_age=0, headers={**answer.headers, "retry-after": str(seconds)})

    def _refusal(self, route: Route, ask: Ask, status: int, why: str) -> Answer:
        """Why there is no answer, whatever was asked: made once, for who makes it be said often."""
        key = route.refuse, ask.language, ask.site, status, why
        if key not in self._refused:
            if len(self._refused) >= _MOST_REFUSED:
                self._refused.clear()
            bare = replace(ask, path="/", vars={}, args={}, headers={}, device="", body=b"")
            self._refused[key] = route.refuse(bare, status, why)
        return self._refused[key]

    async def _send_large(
        self,
        request: Request,
        ask: Ask,
        route: Route,
        key: Key,
        answer: Answer,
        receive: Any,
        send: Any,
    ) -> None:
        if len(self._files) >= _MOST_FILES:
            self._files.clear()
        self._files[key] = answer
        if answer.file is not None:
            size = answer.file.stat().st_size
            if sending.span(request, ask.tag, size) == range(0):
                refused = self._refusal(route, ask, 416, f"the file has {size} bytes")
                told = {**refused.headers, "content-range": f"bytes */{size}"}
                await self._send(request, replace(refused, headers=told, max_age=0), send)
                return
        try:
            async with watched(receive) as left, self._downloads.turn(left):
                await sending.send_large(request, answer, ask.tag, left, send)
        except Busy:
            await self._send(request, self._busy(route, ask), send)
        except Left:
            return

    async def _send(self, request: Request, answer: Answer, send: Any) -> None:
        entry = await _fitting(request, sending.entry(answer, ""))
        await sending.send_entry(entry, send, request.method, sending.takes(request))


async def _fitting(request: Request, found: Entry) -> Entry:
    """An answer in the form that a client takes; large ones are compressed in a thread."""
    pressed = found.worth and not found.pressed and sending.takes(request)
    if len(found.body) < _LARGE or not pressed:
        return sending.fitting(request, found)
    return await asyncio.to_thread(sending.fitting, request, found)


def _greeting(request: Request, ask: Ask) -> Answer | None:
    """The first page in Chinese, to whom has come in and reads that rather than English."""
    if not languages.chinese(request.headers.get("accept-language", "")):
        return None
    answer = redirect(ask.to.page("/", "zh"), permanent=False)
    return replace(answer, max_age=0, headers={**answer.headers, **responses.BY_LANGUAGE})


def _failed(route: Route, ask: Ask) -> Answer:
    said = "this could not be answered; the server's log says why"
    try:
        return route.refuse(ask, 500, said)
    except Exception:
        # The database can't even tell what every page has.
        return responses.refuse(ask, 500, said)


async def _body(receive: Any, most: int) -> bytes | int | None:
    """What was posted; its length so far if that is too much, None if the client has gone."""
    found = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        found += message.get("body", b"")
        if len(found) > most:
            return len(found)
        if not message.get("more_body"):
            return bytes(found)


def _options(methods: tuple[str, ...]) -> Answer:
    allow = {
        "access-control-allow-methods": ", ".join(methods),
        "access-control-allow-headers": "Content-Type, If-None-Match, Range",
        "access-control-max-age": "86400",
        "allow": ", ".join([*methods, "OPTIONS"]),
    }
    return Answer("", TEXT, 204, shared=True, headers=allow)
