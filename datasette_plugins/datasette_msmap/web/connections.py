"""Connections that can't be used up: so many, with a deadline for all that a client has to do."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from datasette_msmap.web.config import Limits

logger = logging.getLogger("msmap")
# Descriptors that a process needs for other things: files, pipes, databases.
SPARE = 64
_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: text/plain\r\n"
    b"content-length: 9\r\n\r\ntoo slow\n"
)
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: text/plain\r\n"
    b"retry-after: 5\r\ncontent-length: 5\r\n\r\nfull\n"
)


def protocol(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol of connections with these limits, as uvicorn takes it."""
    return type("Limited", (Connection,), {"limits": limits})


class Connection(H11Protocol):  # type: ignore[misc]
    """A connection of HTTP/1.1 whose client is waited for only so long."""

    limits: ClassVar[Limits]

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._stall: asyncio.TimerHandle | None = None
        self._waits_for: tuple[str, int] | None = None
        self._since = 0.0

    def connection_made(self, transport: Any) -> None:
        """Begin, if there is room: who keeps a connection and asks nothing makes it."""
        super().connection_made(transport)
        self._since = self.loop.time()
        if len(self.connections) > self.limits.connections and not self._make_room():
            logger.warning("%d connections are busy; others are refused", self.limits.connections)
            self._end(_FULL)
            return
        self._look()

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        if not self.transport.is_closing():
            self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request, but not long."""
        self._rest()
        self._since = self.loop.time()
        super().on_response_complete()
        if self._busy:
            self._look()

    def pause_writing(self) -> None:
        """Wait for the client to take what was sent, but not long."""
        super().pause_writing()
        if self._stall is None:
            self._stall = self.loop.call_later(self.limits.stalled, self.transport.abort)

    def resume_writing(self) -> None:
        """Send on."""
        super().resume_writing()
        self._take_up()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection on which nothing is asked."""
        super().timeout_keep_alive_handler()
        self._abort_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._rest()
        self._take_up()
        self._unset_keepalive_if_required()

    @property
    def _busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _make_room(self) -> bool:
        """Close the connection that has asked nothing for longest; whether there was one."""
        idle = [c for c in self.connections if c is not self and not c._busy]
        if not idle:
            return False
        oldest = min(idle, key=lambda connection: connection._since)
        self.connections.discard(oldest)
        oldest.transport.abort()
        logger.warning("%d connections: idle ones make room", self.limits.connections)
        return True

    def _look(self) -> None:
        """Set the deadline of what the client has to do now."""
        if not self._busy:
            waits_for = ("head", 0)
        elif self.cycle.more_body:
            waits_for = ("body", id(self.cycle))
        else:
            self._rest()
            return
        if waits_for != self._waits_for:
            self._rest()
            self._waits_for = waits_for
            seconds = getattr(self.limits, waits_for[0])
            self._timer = self.loop.call_later(seconds, self._late, waits_for[0])

    def _rest(self) -> None:
        """Set no deadline."""
        self._waits_for = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _take_up(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _late(self, what: str) -> None:
        if what == "body":
            self.transport.abort()
        else:
            self._end(_LATE)

    def _end(self, said: bytes) -> None:
        self.transport.write(said)
        self.transport.close()
        self._abort_later()

    def _abort_later(self) -> None:
        """Wait no longer for a client that doesn't take the last of what was sent."""
        if self._stall is None:
            self._stall = self.loop.call_later(self.limits.stalled, self.transport.abort)
