"""A parent for the process that forks: whatever ends that one, nothing of it is left."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile

from msmap.verify.executors import processes


def stand() -> None:
    """Go on in a child of this process, which itself only waits for the child to end.

    Then it ends every process that descends from it, removes the child's temporary directory and
    leaves. A signal to end ends the child first; a child that is stopped is set going again.
    """
    folder = tempfile.mkdtemp(prefix="msmap-verify-")
    guard = os.getpid()
    processes.adopt()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(1))
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        processes.die_with(guard)
        tempfile.tempdir = folder
        return
    signal.signal(signal.SIGTERM, lambda *_: processes.kill(pid))
    status = 1
    try:
        # Who talks to the child must see its end, so nobody else may hold these.
        quiet = os.open(os.devnull, os.O_RDWR)
        for handle in (0, 1):
            os.dup2(quiet, handle)
        status = _wait(pid)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        processes.end_others()
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os._exit(status)


def _wait(pid: int) -> int:
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return 0 if status == 0 else 1
        os.kill(pid, signal.SIGCONT)
