"""A Dask cluster of processes on this machine, of which any may be killed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import psutil
from distributed import Client
from tests.builders import forking


class Dask:
    """A scheduler, and workers of one thread each."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.settings = os.environ | settings
        self.processes: list[psutil.Process] = []
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port=0")
        # It is there before anything stands in it.
        wait_for(lambda: self.file.exists() and self.file.read_bytes().rstrip().endswith(b"}"))

    def worker(self, name: str, **settings: str) -> psutil.Process:
        """A worker that finds these settings in its environment."""
        return self._start("worker", "--no-nanny", "--nthreads=1", f"--name={name}", **settings)

    def _start(self, what: str, *options: str, **settings: str) -> psutil.Process:
        there = ["--host=127.0.0.1", f"--scheduler-file={self.file}", "--no-dashboard"]
        log = self.folder / f"{what}-{len(self.processes)}.log"
        number = forking.start(
            f"from distributed.cli.dask_{what} import main; main()",
            [*there, *options], (log, log), self.folder, self.settings | settings,
        )  # fmt: skip
        process = psutil.Process(number)
        self.processes.append(process)
        return process

    def count(self) -> int:
        """How many workers it knows."""
        with Client(self.address, set_as_default=False) as client:
            return len(client.scheduler_info(n_workers=-1)["workers"])

    def clients(self) -> int:
        """How many others are connected to it."""
        with Client(self.address, set_as_default=False) as client:
            found = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.clients))
        return len(set(found) - {client.id, "fire-and-forget"})

    @property
    def address(self) -> str:
        """What `--scheduler` takes."""
        return str(json.loads(self.file.read_text(encoding="utf-8"))["address"])

    def __enter__(self) -> Dask:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        for process in reversed(self.processes):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(self.processes)


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Go on when it is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
