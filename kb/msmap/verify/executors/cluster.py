"""Runs jobs on the workers of a Dask cluster, each of which has a zygote of its own.

A worker's resource names its environment, so it is handed jobs that were made for its release.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from types import TracebackType

from msmap import workers
from msmap.errors import CannotVerify, NoWorkers
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.messages import Message, joined
from msmap.verify.executors.executor import Todo
from msmap.verify.executors.local import DOWN, Local
from msmap.verify.plan.job import Job
from msmap.workers import Batch, Ended, Told


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
        patience: float = workers.PATIENCE,
    ) -> None:
        try:
            self.workers = workers.Workers(scheduler, Zygotes(limit, tuple(command)), patience)
        except NoWorkers as error:
            raise CannotVerify(error.message) from None
        self.idle = self.workers.idle
        found: set[Environment] = set(self.workers.able.values())
        self.environments = tuple(sorted(found, key=lambda e: e.name))
        if not found:
            self.close()
            idle = sorted(self.idle.items())
            said = joined("; ", [Message("{}: {}", address, why) for address, why in idle])
            raise CannotVerify("no worker can run checks: {}", said)
        self.width = self.workers.width

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        """End the zygotes of all workers, and what runs in them; the workers stay."""
        self.workers.close()

    def run(self, todo: Todo) -> Generator[tuple[Environment, Line], None, None]:
        """Run the jobs of each environment on the workers that have it.

        Raises:
            CannotVerify: a worker can't run checks any more, or there is none for some jobs.
        """
        queues = {
            self.workers.queue(environment.name, jobs, _down, _gone(environment)): (environment)
            for environment, jobs in todo.items()
        }
        try:
            for queue, line in self.workers.run(list(queues)):
                yield queues[queue], line
        except NoWorkers as error:
            raise CannotVerify(error.message) from None


def _gone(environment: Environment) -> NoWorkers:
    return NoWorkers("no worker of {} is left", environment.name)


def _down(job: Job) -> Line:
    """What comes out of a job that takes its worker down."""
    return DOWN.line(job, {})


class Zygotes(workers.Beside):
    """Gives a worker a zygote, which runs as many jobs at a time as the worker has threads."""

    def __init__(self, limit: float, command: tuple[str, ...]) -> None:
        super().__init__()
        self.limit, self.command = limit, command
        self.local: Local | None = None

    def begin(self, threads: int) -> Told:
        """Start the zygote."""
        self.local = Local(threads, self.limit, "", self.command)
        try:
            found = self.local.start()
        except CannotVerify as error:
            return Told(problem=error.message)
        return Told(found.name, found)

    def end(self) -> None:
        """End the zygote."""
        if self.local is not None:
            self.local.close()

    def work(self, batch: Batch) -> list[Line]:
        """Run jobs.

        Raises:
            NoWorkers: the zygote doesn't start any more.
            Ended: the worker is about to end.
        """
        assert self.local is not None, "it was made ready"
        try:
            return list(self.local.lines(batch))
        except (CannotVerify, ValueError) as error:
            if self.local.closed:
                raise Ended from None
            raise NoWorkers("{}", error) from None
