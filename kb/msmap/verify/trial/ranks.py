"""Code of a check in several processes that know each other, as torchrun and msrun start them.

They are forked from a process that imported the frameworks, which saves what takes a launcher, its
scheduler and each of its workers a few seconds.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

_HOST = "127.0.0.1"
_POLL = 0.02  # seconds


class Died(RuntimeError):
    """A process ended before it said what its code gives."""


def torch(count: int, code: Callable[[], Any]) -> tuple[Any, ...]:
    """What each of ``count`` ranks of PyTorch gives, the first rank first.

    Raises:
        Exception: what the code raised at the first rank where it raised anything.
        Died: a rank left without a word.
    """
    port = _free_port()
    return _gathered([_torchrun(port, count, rank) for rank in range(count)], code)


def mindspore(count: int, code: Callable[[], Any]) -> tuple[Any, ...]:
    """What each of ``count`` ranks of MindSpore gives; raises as ``torch``."""
    port = _free_port()
    scheduler = os.fork()
    if scheduler == 0:
        _schedule(_msrun(port, count, "MS_SCHED", 0))
    try:
        _listening(port)
        return _gathered([_msrun(port, count, "MS_WORKER", rank) for rank in range(count)], code)
    finally:
        # It would wait for workers to take their leave, which they don't.
        _end(scheduler)


def _free_port() -> int:
    with socket.create_server((_HOST, 0)) as server:
        return int(server.getsockname()[1])


def _listening(port: int) -> None:
    """Wait for the scheduler: a worker that comes before it waits for many seconds."""
    while True:
        with suppress(ConnectionRefusedError), socket.create_connection((_HOST, port)):
            return
        time.sleep(_POLL)


def _torchrun(port: int, count: int, rank: int) -> dict[str, str]:
    """The variables by which init_process_group finds the others."""
    return {
        "MASTER_ADDR": _HOST, "MASTER_PORT": str(port), "WORLD_SIZE": str(count),
        "LOCAL_WORLD_SIZE": str(count), "RANK": str(rank), "LOCAL_RANK": str(rank),
    }  # fmt: skip


def _msrun(port: int, count: int, role: str, rank: int) -> dict[str, str]:
    """The variables that msrun sets: by them mindspore.communication.init finds the others."""
    return {
        "MS_ROLE": role, "MS_WORKER_NUM": str(count), "MS_NODE_ID": str(rank),
        "MS_SCHED_HOST": _HOST, "MS_SCHED_PORT": str(port), "RANK_ID": str(rank),
        "DEVICE_ID": str(rank), "RANK_SIZE": str(count),
    }  # fmt: skip


def _schedule(variables: dict[str, str]) -> None:
    import mindspore

    try:
        os.environ.update(variables)
        mindspore.communication.init()
    finally:
        os._exit(0)


def _gathered(ranks: list[dict[str, str]], code: Callable[[], Any]) -> tuple[Any, ...]:
    # What one framework's ranks leave for each other isn't for the other's.
    folder = tempfile.mkdtemp()
    started = [_started(variables, folder, code) for variables in ranks]
    found: dict[int, Any] = {}
    try:
        # Whichever is ready: while one waits for what another will never send, that one may have
        # raised.
        while len(found) < len(started):
            lines = {line: rank for rank, (_, line) in enumerate(started) if rank not in found}
            for line in wait(list(lines)):
                assert isinstance(line, Connection)
                found[lines[line]] = _result(*started[lines[line]])
    finally:
        # None leaves by itself, as what it sent may still be on its way through it to another.
        for pid, _ in started:
            _end(pid)
    return tuple(found[rank] for rank in range(len(started)))


def _started(
    variables: dict[str, str], folder: str, code: Callable[[], Any]
) -> tuple[int, Connection]:
    """A rank that works in a folder: its process, and where it says what the code gives."""
    mine, theirs = Pipe(duplex=False)
    pid = os.fork()
    if pid:
        theirs.close()
        return pid, mine
    try:
        os.chdir(folder)
        os.environ.update(variables)
        theirs.send_bytes(_said(code))
        while True:
            signal.pause()
    finally:
        os._exit(0)


def _said(code: Callable[[], Any]) -> bytes:
    try:
        return pickle.dumps((code(), None))
    except BaseException as error:
        try:
            return pickle.dumps((None, error))
        except Exception:
            return pickle.dumps((None, RuntimeError(f"{type(error).__name__}: {error}")))


def _result(pid: int, line: Connection) -> Any:
    try:
        value, error = pickle.loads(line.recv_bytes())
    except EOFError:
        _, status = os.waitpid(pid, 0)
        if os.WIFSIGNALED(status):
            # A crash of a rank is the check's.
            os.kill(os.getpid(), os.WTERMSIG(status))
        raise Died("a rank left without a word") from None
    if error is not None:
        raise error
    return value


def _end(pid: int) -> None:
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
