"""Forks processes that have imported already what takes ten times as long as most of them do.

Reads a line a process, JSON with its code, arguments, environment, folder and the files of its
output. Says ``started NUMBER``, and ``ended NUMBER STATUS``, a status as ``subprocess`` has it.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import dask

_IMPORTED = (
    "distributed.cli.dask_scheduler",
    "distributed.cli.dask_worker",
    "msmap.verify.executors.cluster",
    "msmap.verify.ledger",
    "msmap.probe.ledger",
    "msmap.probe.rounds",
    "msmap.lint.rules",
    "msmap.store.build",
    "msmap_cli.main",
    "msmap_cli.app",
    "msmap_cli.commands.probe",
    "msmap_cli.commands.verify",
    "msmap_cli.probing",
    "msmap_cli.verifying",
)


def _become(told: dict[str, Any]) -> None:
    """Be what was asked for, as if it had been started so."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(told["folder"])
    os.environ.clear()
    os.environ.update(told["environment"])
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = ["-c", *told["arguments"]]
    dask.config.refresh()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(told["output"], 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    # Of the other, lines were read.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)


def _reap(*_: object) -> None:
    """Say of those that have ended how: nobody else can wait for them."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            _say(f"ended {ended[0]} {os.waitstatus_to_exitcode(ended[1])}")


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def _serve() -> dict[str, Any] | None:
    """What a process of its own is to do; nothing in the end, where they were forked."""
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        # One that ends at once is said to have started first.
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        number = os.fork()
        if number:
            _say(f"started {number}")
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        if not number:
            return dict(json.loads(line))
    return None


if __name__ == "__main__":
    for _name in _IMPORTED:
        import_module(_name)
    # The end of a process would go through all of it, and copy what it goes through.
    gc.freeze()
    if (_told := _serve()) is not None:
        _become(_told)
        exec(_told["code"], {"__name__": "__main__"})
