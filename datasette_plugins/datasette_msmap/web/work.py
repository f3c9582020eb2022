"""Slow answers in turns: so many at once in processes of their own, dropped when nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from datasette_msmap.web.aside import Aside
from datasette_msmap.web.gates import Gate, Left

# What is nearly done is cheaper to end than a process to start.
_GRACE = 1.0


class Work:
    """Calls functions in ``at_once`` processes; ``waiting`` more questions may wait."""

    def __init__(self, at_once: int, waiting: int, seconds: float, memory: int) -> None:
        self.gate = Gate(at_once, waiting)
        self._idle = [Aside(seconds, memory) for _ in range(at_once)]
        # They do nothing but wait for the processes.
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="msmap")

    async def __call__(
        self, left: asyncio.Future[Any], function: Callable[..., Any], *given: Any
    ) -> Any:
        """What a function of a module returns; ``left`` is done when the client has gone.

        Raises:
            Busy: too many wait.
            Left: the client has gone.
            Stopped, TooLong: the process ended without an answer.
        """
        async with self.gate.turn(left):
            aside = self._idle.pop()
            try:
                return await self._done(aside, left, function, given)
            finally:
                self._idle.append(aside)

    async def _done(
        self,
        aside: Aside,
        left: asyncio.Future[Any],
        function: Callable[..., Any],
        given: tuple[Any, ...],
    ) -> Any:
        loop = asyncio.get_running_loop()
        done = loop.run_in_executor(self._threads, aside, function, *given)
        try:
            await asyncio.wait({done, left}, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                await asyncio.wait({done}, timeout=_GRACE)
        finally:
            if not done.done():
                aside.stop()
                with suppress(Exception):
                    await done
        if left.done():
            done.exception()
            raise Left
        return await done
