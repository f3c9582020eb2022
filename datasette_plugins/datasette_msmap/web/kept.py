"""Made answers kept in memory, and sent again before Datasette has to look for a route.

What is kept depends on the database and the address alone; the process ends before either changes.
A view says that its answer may be kept; what a request with a cookie gets never is.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

# Bytes of answers to keep, and the largest answer that is worth it.
_ROOM, _LARGEST = 48_000_000, 400_000
_SLOT = "msmap.kept"
# What an entry takes beside the body: keys, headers, objects.
_AROUND = 2_000

Key = tuple[str, bytes, bytes, bytes]
Headers = list[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class _Entry:
    """One answer as it was sent."""

    status: int
    headers: Headers
    body: bytes
    tag: bytes


class _Answers:
    """Answers by their address, the least recently used forgotten first."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()
        self._size = 0

    def get(self, key: Key) -> _Entry | None:
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: Key, entry: _Entry) -> None:
        if len(entry.body) > _LARGEST or key in self._entries:
            return
        self._entries[key] = entry
        self._size += _weight(key, entry)
        while self._size > _ROOM:
            self._size -= _weight(*self._entries.popitem(last=False))


def _weight(key: Key, entry: _Entry) -> int:
    return len(entry.body) + len(key[1]) + len(key[2]) + _AROUND


def keep(scope: Any) -> None:
    """Say that the answer to a request may be kept."""
    slot = scope.get(_SLOT)
    if slot is not None:
        slot["keep"] = True


def keeping(app: Any) -> Any:
    """An ASGI application that sends kept answers itself, and lets ``app`` make the others."""
    answers = _Answers()

    async def wrapped(scope: Any, receive: Any, send: Any) -> None:
        key = _key(scope) if scope["type"] == "http" else None
        if key is None:
            await app(scope, receive, send)
            return
        entry = answers.get(key)
        if entry is not None:
            await _send(entry, scope, send)
            return
        slot = {"keep": False}
        started: dict[str, Any] = {}

        async def send_and_keep(message: Any) -> None:
            if message["type"] == "http.response.start":
                started.update(message)
            elif slot["keep"] and started and not message.get("more_body"):
                answers.put(key, _entry(started, message.get("body", b"")))
            await send(message)

        await app({**scope, _SLOT: slot}, receive, send_and_keep)

    return wrapped


def _key(scope: Any) -> Key | None:
    """What an answer depends on; None where it may depend on who asks."""
    if scope["method"] != "GET":
        return None
    host = b""
    for name, value in scope["headers"]:
        if name == b"host":
            host = value
        elif name in (b"cookie", b"authorization"):
            return None
    path = scope.get("raw_path") or scope["path"].encode()
    return scope.get("scheme", "http"), path, scope["query_string"], host


def _entry(started: dict[str, Any], body: bytes) -> _Entry:
    headers = list(started["headers"])
    tag = next((value for name, value in headers if name.lower() == b"etag"), b"")
    return _Entry(started["status"], headers, body, tag)


# What a 304 has to repeat of the answer that it stands for.
_REPEATED = (b"etag", b"cache-control", b"vary", b"content-security-policy")


async def _send(entry: _Entry, scope: Any, send: Any) -> None:
    status, headers, body = entry.status, entry.headers, entry.body
    if entry.tag and any(n == b"if-none-match" and entry.tag in v for n, v in scope["headers"]):
        headers = [
            (name, value)
            for name, value in headers
            if name.lower() in _REPEATED or name.lower().startswith((b"access-", b"x-", b"cross-"))
        ]
        status, body = 304, b""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
