"""Work handed to the workers of a Dask cluster, each of which has beside it what does the work.

A worker says what it can do by a resource, of which it has one: so it runs one batch at a time.
Dask does the rest: it runs the batches of a worker that dies elsewhere, and lets workers come and
go.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from distributed import Client, Future, KilledWorker, Reschedule, get_worker, wait
from distributed.diagnostics.plugin import WorkerPlugin

from msmap import cache
from msmap.errors import NoWorkers
from msmap.messages import Message

Batch = tuple[Any, ...]
# Items of a batch for each that a worker works on at a time: what a worker that dies loses at most.
_ROUNDS = 16
# Batches of a worker, so many in all that none waits long for the last one.
_SHARES = 8
# Batches that a worker is handed: one is ready when the one before it ends.
_AHEAD = 2
_LOOK = 2.0
PATIENCE = 60.0
_PREFIX = "msmap-"


@dataclass(frozen=True, slots=True)
class Told:
    """What a worker says of itself: what it can do, by its name too, or why it does nothing."""

    name: str = ""
    able: Any = None
    problem: str = ""


class Ended(Exception):
    """What does the work was told to end: it is to be done elsewhere."""


class Beside(WorkerPlugin, ABC):  # type: ignore[misc]
    """What does the work beside a worker, for as long as a run lasts, or the worker lives."""

    told = Told()

    def __init__(self) -> None:
        self.code = cache.code()

    @abstractmethod
    def begin(self, threads: int) -> Told:
        """Make ready beside a worker of so many threads."""

    @abstractmethod
    def work(self, batch: Batch) -> list[Any]:
        """What comes of a batch.

        Raises:
            Ended: it was told to end.
            Exception: the worker can't go on.
        """

    def end(self) -> None:
        """Let go of what was made ready."""

    async def setup(self, worker: Any) -> None:
        """Make ready, and say so by a resource; workers of other code have another."""
        if self.code != cache.code():
            self.told = Told(problem=Message("it has another msmap than is here"))
            return
        self.told = await asyncio.to_thread(self.begin, worker.state.nthreads)
        if not self.told.problem:
            await worker.set_resources(**{_resource(self.told.name): 1})

    async def teardown(self, worker: Any) -> None:
        """End it."""
        await asyncio.to_thread(self.end)


class Workers:
    """The workers of a scheduler with what does the work beside them.

    ``able`` is what the workers can do that are there at the start, by address, ``idle`` why others
    do nothing. Workers that come later take part if they can do one of the same.

    Args:
        scheduler: the address of Dask's scheduler.
        beside: what does the work.
        patience: seconds to wait for a worker where there is none.

    Raises:
        NoWorkers: no scheduler is there, or it has no workers.
    """

    def __init__(self, scheduler: str, beside: Beside, patience: float = PATIENCE) -> None:
        self.patience = patience
        try:
            self._client = Client(scheduler, timeout=patience, set_as_default=False)
        except (OSError, ValueError, asyncio.TimeoutError):
            raise NoWorkers("no Dask scheduler answers at {}", scheduler) from None
        try:
            self._client.wait_for_workers(1, timeout=patience)
            self._name = f"{_PREFIX}{self._client.id}"
            self._tidy()
            self._client.register_plugin(beside, self._name)
            told = self._client.run(_told, self._name, on_error="return")
        except asyncio.TimeoutError:
            self._client.close()
            raise NoWorkers("the Dask scheduler at {} has no workers", scheduler) from None
        except BaseException:
            self._client.close()
            raise
        self.idle: dict[str, str] = {}
        self.able: dict[str, Any] = {}
        for address, answer in told.items():
            if not isinstance(answer, Told):
                self.idle[address] = str(answer)
            elif answer.problem:
                self.idle[address] = answer.problem
            else:
                self.able[address] = answer.able
        self.width = sum(self._threads().values())

    def close(self) -> None:
        """End what works beside all workers; the workers stay."""
        # A scheduler that is gone has told its workers so.
        with suppress(OSError, asyncio.TimeoutError):
            self._client.unregister_worker_plugin(self._name)
        # Then the client may be closing itself just now, and Dask trips over its own time limit.
        with suppress(RuntimeError):
            self._client.close()

    def queue(
        self, name: str, items: Sequence[Any], lost: Callable[[Any], Any], gone: NoWorkers
    ) -> Queue:
        """Items for the workers that can do what has a name; the rest is as in ``Queue``."""
        resource = _resource(name)
        return Queue(resource, gone, batches(items, self._threads()[resource]), lost)

    def run(self, queues: Sequence[Queue]) -> Generator[tuple[Queue, Any], None, None]:
        """What comes of all items, as soon as it is there, with the queue that each is of.

        Raises:
            NoWorkers: there is none for some items, or the scheduler is gone.
        """
        try:
            while any(queue.left() for queue in queues):
                self._hand(queues)
                running = {future: queue for queue in queues for future in queue.running}
                finished = self._finished(running)
                for future in finished:
                    queue = running[future]
                    batch = queue.running.pop(future)
                    try:
                        found = future.result()
                    except KilledWorker:
                        found = queue.blame(batch)
                    for one in found:
                        yield queue, one
                for future in () if finished else self._stranded(running):
                    future.cancel()
                    running[future].again(running[future].running.pop(future))
        except (OSError, CancelledError, asyncio.TimeoutError):
            raise NoWorkers("the Dask scheduler is gone") from None
        finally:
            # A client that is closed has given up all that it asked for.
            with suppress(OSError, asyncio.TimeoutError, RuntimeError):
                self._client.cancel([future for queue in queues for future in queue.running])

    def _hand(self, queues: Iterable[Queue]) -> None:
        """Submit what workers can take; complain where there are none for too long."""
        workers = self._workers()
        for queue in queues:
            count = workers[queue.resource]
            if count or not queue.left():
                queue.seen = time.monotonic()
            elif time.monotonic() - queue.seen > self.patience:
                raise queue.gone
            for batch in queue.ready(count):
                future = self._client.submit(
                    _work, self._name, batch, resources={queue.resource: 1}, pure=False
                )
                queue.running[future] = batch

    def _finished(self, running: Iterable[Future[list[Any]]]) -> list[Future[list[Any]]]:
        """The batches that are through, as soon as one is; none after a while."""
        if not (futures := list(running)):
            time.sleep(_LOOK)
            return []
        try:
            with self._client.as_current():
                return list(wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED").done)
        except asyncio.TimeoutError:
            return []

    def _stranded(self, running: Iterable[Future[list[Any]]]) -> list[Future[list[Any]]]:
        """The batches that no worker has: Dask doesn't see that one got a resource later."""
        taken = {key for keys in self._client.processing().values() for key in keys}
        return [f for f in running if f.status == "pending" and f.key not in taken]

    def _workers(self) -> Counter[str]:
        """How many workers have each resource."""
        found = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return Counter(name for worker in found for name in worker["resources"])

    def _threads(self) -> Counter[str]:
        """How many items the workers that have a resource work on at a time, together."""
        count: Counter[str] = Counter()
        for worker in self._client.scheduler_info(n_workers=-1)["workers"].values():
            count.update(dict.fromkeys(worker["resources"], worker["nthreads"]))
        return count

    def _tidy(self) -> None:
        """End what works for runs that were killed."""
        for name in self._client.run_on_scheduler(_left_behind):
            self._client.unregister_worker_plugin(name)


def _left_behind(dask_scheduler: Any) -> list[str]:
    return [
        name
        for name in dask_scheduler.worker_plugins
        if name.startswith(_PREFIX) and name.removeprefix(_PREFIX) not in dask_scheduler.clients
    ]


@dataclass(slots=True, eq=False)
class Queue:
    """What is left to do of what some workers can do, and what is being done.

    Whatever a worker was handed is given up if it dies too often. So each of these items then runs
    with nothing beside it, to know which of them did it: of that one ``lost`` gives what came out.
    ``gone`` is raised when no such worker is left for too long.
    """

    resource: str
    gone: NoWorkers
    batches: deque[Batch]
    lost: Callable[[Any], Any]
    suspects: deque[Any] = field(default_factory=deque)
    running: dict[Future[list[Any]], Batch] = field(default_factory=dict)
    alone: bool = False
    seen: float = field(default_factory=time.monotonic)

    def left(self) -> bool:
        """Whether anything has no outcome yet."""
        return bool(self.batches or self.suspects or self.running)

    def ready(self, workers: int) -> list[Batch]:
        """What so many workers are to be handed now."""
        if self.suspects or self.alone:
            if self.running or not workers:
                return []
            self.alone = bool(self.suspects)
            if self.alone:
                return [(self.suspects.popleft(),)]
        room = _AHEAD * workers - len(self.running)
        return [self.batches.popleft() for _ in range(min(room, len(self.batches)))]

    def blame(self, batch: Batch) -> list[Any]:
        """The outcome of the one item that did it; none if it is to be found out."""
        if self.alone:
            return [self.lost(item) for item in batch]
        self.suspects += batch
        return []

    def again(self, batch: Batch) -> None:
        """Put back what no worker has."""
        if self.alone:
            self.suspects.extendleft(batch)
        else:
            self.batches.append(batch)


def batches(items: Sequence[Any], width: int) -> deque[Batch]:
    """The items in batches, for workers that work on so many at a time together."""
    size = max(1, min(_ROUNDS, len(items) // (_SHARES * max(1, width))))
    return deque(tuple(items[i : i + size]) for i in range(0, len(items), size))


def _told(name: str, dask_worker: Any) -> Told:
    told: Told = dask_worker.plugins[name].told
    return told


def _work(name: str, batch: Batch) -> list[Any]:
    """Have a batch done beside a worker.

    Raises:
        NoWorkers: it can't go on.
        Reschedule: it is about to end.
    """
    worker = get_worker()
    beside: Beside = worker.plugins[name]
    try:
        return beside.work(batch)
    except Ended:
        raise Reschedule from None
    except NoWorkers as error:
        raise NoWorkers("worker {}: {}", worker.address, error) from None


def _resource(name: str) -> str:
    """What a worker has one of that can do something; workers of other code have another."""
    return f"{_PREFIX}{cache.code()[:12]}-{name}"
