"""Runs jobs on the workers of a Dask cluster, each of which has a zygote of its own.

A worker says what checks run on there by a resource, of which it has one: so it runs one batch at a
time, of jobs that were made for its release. Dask does the rest: it runs the batches of a worker
that dies elsewhere, and lets workers come and go.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from distributed import Client, Future, KilledWorker, Reschedule, get_worker, wait
from distributed.diagnostics.plugin import WorkerPlugin

from msmap.errors import CannotVerify
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.verify.executors import executor
from msmap.verify.executors.executor import Todo
from msmap.verify.executors.local import DOWN, Local
from msmap.verify.plan.job import Job

Batch = tuple[Job, ...]
# Jobs of a batch for each that a worker runs at a time: what a worker that dies loses at most.
_ROUNDS = 16
# Batches of a worker, so many in all that none waits long for the last one.
_SHARES = 8
# Batches that a worker is handed: one is ready when the one before it ends.
_AHEAD = 2
_LOOK = 2.0
_PATIENCE = 60.0
_PREFIX = "msmap-"


@dataclass(frozen=True, slots=True)
class Told:
    """What a worker says of itself: what checks run on there, or why none do."""

    environment: Environment | None = None
    problem: str = ""


class Cluster:
    """The executor of a cluster, of the environments of the workers that it has at the start.

    Workers that come later take part if they are of one of these. ``idle`` names workers that run
    no checks, with the reason.

    Args:
        scheduler: the address of Dask's scheduler.
        limit: seconds that one part of a job may take.
        command: starts a worker's zygote.
        patience: seconds to wait for a worker where there is none.

    Raises:
        CannotVerify: no scheduler is there, or no worker that can run checks.
    """

    def __init__(
        self,
        scheduler: str,
        limit: float = 60.0,
        command: Sequence[str] = (),
        patience: float = _PATIENCE,
    ) -> None:
        self.patience = patience
        try:
            self._client = Client(scheduler, timeout=patience, set_as_default=False)
        except (OSError, ValueError, asyncio.TimeoutError):
            raise CannotVerify(f"no Dask scheduler answers at {scheduler}") from None
        try:
            self._client.wait_for_workers(1, timeout=patience)
            self._name = f"{_PREFIX}{self._client.id}"
            self._tidy()
            self._client.register_plugin(
                Zygotes(limit, tuple(command), executor.code()), self._name
            )
            told = self._client.run(_told, self._name, on_error="return")
        except asyncio.TimeoutError:
            self._client.close()
            raise CannotVerify(f"the Dask scheduler at {scheduler} has no workers") from None
        except BaseException:
            self._client.close()
            raise
        self.idle: dict[str, str] = {}
        found: set[Environment] = set()
        for address, answer in told.items():
            if not isinstance(answer, Told):
                self.idle[address] = str(answer)
            elif answer.environment is None:
                self.idle[address] = answer.problem
            else:
                found.add(answer.environment)
        self.environments = tuple(sorted(found, key=lambda e: e.name))
        if not found:
            self.close()
            said = "; ".join(f"{address}: {why}" for address, why in sorted(self.idle.items()))
            raise CannotVerify(f"no worker can run checks: {said}")
        self.width = sum(self._threads().values())

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """End the zygotes of all workers, and what runs in them; the workers stay."""
        # A scheduler that is gone has told its workers so.
        with suppress(OSError, asyncio.TimeoutError):
            self._client.unregister_worker_plugin(self._name)
        self._client.close()

    def run(self, todo: Todo) -> Generator[tuple[Environment, Line], None, None]:
        """Run the jobs of each environment on the workers that have it.

        Raises:
            CannotVerify: a worker can't run checks any more, or there is none for some jobs.
        """
        threads = self._threads()
        queues = [_Queue(e, _batches(jobs, threads[_resource(e)])) for e, jobs in todo.items()]
        try:
            while any(queue.left() for queue in queues):
                self._hand(queues)
                running = {future: queue for queue in queues for future in queue.running}
                finished = self._finished(running)
                for future in finished:
                    queue = running[future]
                    batch = queue.running.pop(future)
                    try:
                        lines = future.result()
                    except KilledWorker:
                        lines = queue.blame(batch)
                    for line in lines:
                        yield queue.environment, line
                for future in () if finished else self._stranded(running):
                    future.cancel()
                    running[future].again(running[future].running.pop(future))
        except (OSError, CancelledError, asyncio.TimeoutError):
            raise CannotVerify("the Dask scheduler is gone") from None
        finally:
            # A client that is closed has given up all that it asked for.
            with suppress(OSError, asyncio.TimeoutError, RuntimeError):
                self._client.cancel([future for queue in queues for future in queue.running])

    def _hand(self, queues: Iterable[_Queue]) -> None:
        """Submit what workers can take; complain where there are none for too long."""
        workers = self._workers()
        for queue in queues:
            resource = _resource(queue.environment)
            if workers[resource] or not queue.left():
                queue.seen = time.monotonic()
            elif time.monotonic() - queue.seen > self.patience:
                raise CannotVerify(f"no worker of {queue.environment.name} is left")
            for batch in queue.ready(workers[resource]):
                future = self._client.submit(
                    _work, self._name, batch, resources={resource: 1}, pure=False
                )
                queue.running[future] = batch

    def _finished(self, running: Iterable[Future[list[Line]]]) -> list[Future[list[Line]]]:
        """The batches that are through, as soon as one is; none after a while."""
        if not (futures := list(running)):
            time.sleep(_LOOK)
            return []
        try:
            with self._client.as_current():
                return list(wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED").done)
        except asyncio.TimeoutError:
            return []

    def _stranded(self, running: Iterable[Future[list[Line]]]) -> list[Future[list[Line]]]:
        """The batches that no worker has: Dask doesn't see that one got a resource later."""
        taken = {key for keys in self._client.processing().values() for key in keys}
        return [f for f in running if f.status == "pending" and f.key not in taken]

    def _workers(self) -> Counter[str]:
        """How many workers have each resource."""
        found = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return Counter(name for worker in found for name in worker["resources"])

    def _threads(self) -> Counter[str]:
        """How many jobs the workers that have a resource run at a time, together."""
        count: Counter[str] = Counter()
        for worker in self._client.scheduler_info(n_workers=-1)["workers"].values():
            count.update(dict.fromkeys(worker["resources"], worker["nthreads"]))
        return count

    def _tidy(self) -> None:
        """End the zygotes of runs that were killed."""
        for name in self._client.run_on_scheduler(_left_behind):
            self._client.unregister_worker_plugin(name)


def _left_behind(dask_scheduler: Any) -> list[str]:
    return [
        name
        for name in dask_scheduler.worker_plugins
        if name.startswith(_PREFIX) and name.removeprefix(_PREFIX) not in dask_scheduler.clients
    ]


@dataclass(slots=True)
class _Queue:
    """What is left to run in an environment, and what runs.

    Whatever a worker was handed is given up if it dies too often. So each of these jobs then runs
    with nothing beside it, to know which of them did it.
    """

    environment: Environment
    batches: deque[Batch]
    suspects: deque[Job] = field(default_factory=deque)
    running: dict[Future[list[Line]], Batch] = field(default_factory=dict)
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

    def blame(self, batch: Batch) -> list[Line]:
        """The outcome of the one job that did it; none if it is to be found out."""
        if self.alone:
            return [DOWN.line(job, {}) for job in batch]
        self.suspects += batch
        return []

    def again(self, batch: Batch) -> None:
        """Put back what no worker has."""
        if self.alone:
            self.suspects.extendleft(batch)
        else:
            self.batches.append(batch)


def _batches(jobs: Sequence[Job], width: int) -> deque[Batch]:
    """The jobs in batches, for workers that run so many at a time together."""
    size = max(1, min(_ROUNDS, len(jobs) // (_SHARES * max(1, width))))
    return deque(tuple(jobs[i : i + size]) for i in range(0, len(jobs), size))


class Zygotes(WorkerPlugin):  # type: ignore[misc]
    """Gives a worker a zygote for as long as a run lasts, or the worker lives."""

    def __init__(self, limit: float, command: tuple[str, ...], code: str) -> None:
        self.limit, self.command, self.code = limit, command, code

    async def setup(self, worker: Any) -> None:
        """Start a zygote beside the worker, which then runs as many jobs as it has threads."""
        self.local = Local(worker.state.nthreads, self.limit, "", self.command)
        if self.code != executor.code():
            self.told = Told(problem="it has another msmap than is here")
            return
        try:
            found = await asyncio.to_thread(self.local.start)
        except CannotVerify as error:
            self.told = Told(problem=str(error))
            return
        self.told = Told(found)
        await worker.set_resources(**{_resource(found): 1})

    async def teardown(self, worker: Any) -> None:
        """End the zygote."""
        await asyncio.to_thread(self.local.close)


def _told(name: str, dask_worker: Any) -> Told:
    told: Told = dask_worker.plugins[name].told
    return told


def _work(name: str, jobs: Batch) -> list[Line]:
    """Run jobs on a worker.

    Raises:
        CannotVerify: its zygote doesn't start any more.
        Reschedule: the worker is about to end.
    """
    worker = get_worker()
    local: Local = worker.plugins[name].local
    try:
        return list(local.lines(jobs))
    except (CannotVerify, ValueError) as error:
        if local.closed:
            raise Reschedule from None
        raise CannotVerify(f"worker {worker.address}: {error}") from None


def _resource(environment: Environment) -> str:
    """What a worker of an environment has one of; workers of other code have another."""
    return f"{_PREFIX}{executor.code()[:12]}-{environment.name}"
