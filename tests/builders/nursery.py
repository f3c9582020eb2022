"""Forks processes of Dask: to import it takes ten times as long as all that most of them do.

Reads a line a process, JSON with its arguments, environment, folder and log, and says its number.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from typing import Any

import dask
from distributed.cli import dask_scheduler, dask_worker

_MAINS = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}


def _become(told: dict[str, Any]) -> None:
    """Be what was asked for, as if it had been started so."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(told["folder"])
    os.environ.clear()
    os.environ.update(told["environment"])
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    dask.config.refresh()
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(told["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number, file in ((0, nothing), (1, log), (2, log)):
        os.dup2(file, number)
    _MAINS[told["what"]](told["arguments"], f"dask {told['what']}")


def _reap(*_: object) -> None:
    """Wait for those that have ended: nobody else can."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _serve() -> None:
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        number = os.fork()
        if not number:
            try:
                _become(json.loads(line))
            finally:
                os._exit(1)
        print(number, flush=True)


if __name__ == "__main__":
    _serve()
