"""A Dask cluster of processes on this machine, of which any may be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from distributed import Client


class Dask:
    """A scheduler, and workers of one thread each."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.settings = os.environ | settings
        self.processes: list[subprocess.Popen[bytes]] = []
        self.file = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port=0")
        wait_for(self.file.exists)

    def worker(self, name: str, **settings: str) -> subprocess.Popen[bytes]:
        """A worker that finds these settings in its environment."""
        return self._start("worker", "--no-nanny", "--nthreads=1", f"--name={name}", **settings)

    def _start(self, what: str, *options: str, **settings: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{what}-{len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{what}", "--host=127.0.0.1",
                 f"--scheduler-file={self.file}", "--no-dashboard", *options],
                env=self.settings | settings, cwd=self.folder, stdout=log, stderr=log,
            )  # fmt: skip
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
            process.kill()
            process.wait()


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Go on when it is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
