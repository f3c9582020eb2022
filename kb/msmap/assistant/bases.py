"""The bases that questions are asked of, in one thread that has all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from msmap.query.knowledge_base import KnowledgeBase

T = TypeVar("T")


class Bases:
    """A base for each release and device that is asked for.

    ``device`` and ``mindspore`` are those of questions that say nothing else.
    """

    def __init__(self, device: str | None = None, mindspore: str | None = None) -> None:
        self.device, self.mindspore = device, mindspore
        self._opened: dict[tuple[str | None, str | None], KnowledgeBase] = {}
        self._worker = ThreadPoolExecutor(1, "msmap-assistant")

    def of(self, device: str | None = None, mindspore: str | None = None) -> KnowledgeBase:
        """The base for a device, as of a release; only in the thread.

        Raises:
            MsmapError: it can't be read, or nobody knows the device or release.
        """
        key = (mindspore or self.mindspore, device or self.device)
        found = self._opened.get(key)
        if found is None:
            found = self._opened[key] = KnowledgeBase.open(mindspore=key[0], device=key[1])
        return found

    async def work(self, action: Callable[[], T]) -> T:
        """What some work gives, done in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, action)

    def close(self) -> None:
        """Leave what nobody waits for any more."""
        self._worker.shutdown(wait=False, cancel_futures=True)
