"""A Dask cluster of processes on this machine, of which any may be killed."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType

import psutil
from distributed import Client


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
        told = {
            "what": what,
            "arguments": [
                "--host=127.0.0.1", f"--scheduler-file={self.file}", "--no-dashboard", *options
            ],
            "environment": self.settings | settings,
            "folder": str(self.folder),
            "log": str(self.folder / f"{what}-{len(self.processes)}.log"),
        }  # fmt: skip
        process = psutil.Process(int(_asked(json.dumps(told))))
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


def _asked(line: str) -> str:
    """What the nursery answers."""
    nursery = _nursery()
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{line}\n")
    nursery.stdin.flush()
    return nursery.stdout.readline()


@cache
def _nursery() -> subprocess.Popen[str]:
    """What forks processes of Dask; it ends with this one."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("nursery.py"))], env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip

    # It ends when nobody can ask any more.
    atexit.register(found.__exit__, None, None, None)
    return found


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Go on when it is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
