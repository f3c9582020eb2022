"""Turns: so many at once, so many that wait, and who left waits no longer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any


class Busy(Exception):
    """As many wait as may."""


class Left(Exception):
    """The client has gone; nobody waits for the answer."""


class Gate:
    """Lets ``at_once`` through, first come first served; ``waiting`` more may wait."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._free, self._most = at_once, waiting
        self._queue: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._queue)

    @asynccontextmanager
    async def turn(self, left: asyncio.Future[Any]) -> AsyncIterator[None]:
        """Wait for a turn, and have it; ``left`` is done when the client has gone.

        Raises:
            Busy: too many wait already.
            Left: the client has gone before its turn came.
        """
        await self._enter(left)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, left: asyncio.Future[Any]) -> None:
        if self._free:
            self._free -= 1
            return
        if len(self._queue) >= self._most:
            raise Busy
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(mine)
        try:
            await asyncio.wait({mine, left}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._give_up(mine)
            raise
        if left.done():
            self._give_up(mine)
            raise Left

    def _give_up(self, mine: asyncio.Future[None]) -> None:
        if mine.done():
            self._leave()
        else:
            self._queue.remove(mine)

    def _leave(self) -> None:
        if self._queue:
            self._queue.popleft().set_result(None)
        else:
            self._free += 1


@asynccontextmanager
async def watched(receive: Callable[[], Any]) -> AsyncIterator[asyncio.Future[Any]]:
    """A future that is done when the client has gone, for a request that was read whole."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    watching = asyncio.ensure_future(gone())
    try:
        yield watching
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await watching
