"""A process that has imported both frameworks and forks a child for every check.

It reads jobs from standard input and writes what came out to standard output, a line of JSON
each. It never runs an operator itself: MindSpore's threads don't survive a fork.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from msmap.verify import child
from msmap.verify.job import Job

_LARGEST_ANSWER = 1 << 20
_LARGEST_FILE = 64 << 20


@dataclass(slots=True)
class Running:
    """A forked child and what it has said so far."""

    job: Job
    pid: int
    pipe: int
    folder: str
    deadline: float
    said: bytearray = field(default_factory=bytearray)


class Zygote:
    """Forks up to ``width`` children at a time, each with ``limit`` seconds."""

    def __init__(self, width: int, limit: float) -> None:
        self.width, self.limit = width, limit
        self.waiting: list[Job] = []
        self.running: dict[int, Running] = {}
        self.open = True
        self.buffer = b""
        # Standard output belongs to the answers; what libraries print goes nowhere.
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        quiet = os.open(os.devnull, os.O_RDWR)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)

    def say(self, **message: Any) -> None:
        """Send one line."""
        self.answers.write(json.dumps(message) + "\n")
        self.answers.flush()

    def serve(self) -> None:
        """Run jobs until standard input ends and all are done."""
        while self.open or self.waiting or self.running:
            while self.waiting and len(self.running) < self.width:
                self.start(self.waiting.pop(0))
            watched = [r.pipe for r in self.running.values()] + ([0] if self.open else [])
            now = time.monotonic()
            wait = min((r.deadline - now for r in self.running.values()), default=60.0)
            ready, _, _ = select.select(watched, [], [], max(0.0, wait))
            for handle in ready:
                if handle == 0:
                    self.listen()
                else:
                    self.hear(self.running[handle])
            for late in [r for r in self.running.values() if r.deadline <= time.monotonic()]:
                self.finish(late, late=True)

    def listen(self) -> None:
        """Take in whatever jobs have arrived."""
        data = os.read(0, 1 << 16)
        if not data:
            self.open = False
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        self.waiting += [Job.loads(line.decode()) for line in lines if line]

    def start(self, job: Job) -> None:
        """Fork a child for a job."""
        folder = tempfile.mkdtemp(prefix="msmap-check-")
        reading, writing = os.pipe()
        self.say(started=[job.owner, job.check])
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            _in_child(job, writing, folder, self.limit)
        os.close(writing)
        self.running[reading] = Running(job, pid, reading, folder, time.monotonic() + self.limit)

    def hear(self, running: Running) -> None:
        """Read what a child says; at its end, report it."""
        data = os.read(running.pipe, 1 << 16)
        running.said += data
        if not data or len(running.said) > _LARGEST_ANSWER:
            self.finish(running)

    def finish(self, running: Running, late: bool = False) -> None:
        """Clean up after a child and report its outcome."""
        if late or len(running.said) > _LARGEST_ANSWER:
            _kill(running.pid)
        _, status = os.waitpid(running.pid, 0)
        # Whatever it started itself goes with it.
        _kill(running.pid)
        os.close(running.pipe)
        del self.running[running.pipe]
        shutil.rmtree(running.folder, ignore_errors=True)
        self.say(
            finished=[running.job.owner, running.job.check],
            result=_result(running, status, late, self.limit),
        )


def _result(running: Running, status: int, late: bool, limit: float) -> dict[str, Any]:
    crashes = running.job.expect == "crashes"
    if late:
        return {"outcome": "inconclusive", "message": f"no end within {limit:g} s"}
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        outcome = "diverges_documented" if crashes else "inconclusive"
        side = {"mindspore_gave": f"crash: {name}"} if crashes else {}
        return {"outcome": outcome, "message": f"the process crashed: {name}", **side}
    try:
        found = json.loads(running.said.decode())
    except ValueError:
        code = os.waitstatus_to_exitcode(status)
        return {"outcome": "inconclusive", "message": f"the process left with status {code}"}
    if crashes:
        return {"outcome": "refuted", "message": "the documented crash is gone"}
    return dict(found)


def _kill(pid: int) -> None:
    """Kill a child and the processes of its group; it may be gone, or have no group yet."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _in_child(job: Job, answer: int, folder: str, limit: float) -> None:
    """Run a job and leave, whatever happens."""
    try:
        os.setsid()
        os.chdir(folder)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 5, int(limit) + 10))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        try:
            found = child.run(job)
        except Exception as error:
            message = f"the check itself: {child.brief(error)}"
            found = {"outcome": "inconclusive", "message": message}
        data = json.dumps(found).encode()
        while data:
            data = data[os.write(answer, data) :]
    finally:
        # Not sys.exit: the frameworks' clean-up handlers belong to the parent.
        os._exit(0)


def main() -> None:
    """Import both frameworks, say so, and serve."""
    options = argparse.ArgumentParser()
    options.add_argument("--width", type=int, default=1)
    options.add_argument("--limit", type=float, default=60.0)
    chosen = options.parse_args()
    zygote = Zygote(chosen.width, chosen.limit)
    try:
        import mindspore
        import torch
    except Exception as error:
        zygote.say(failed=child.brief(error))
        sys.exit(1)
    torch.set_num_threads(1)
    zygote.say(ready=[torch.__version__, mindspore.__version__])
    zygote.serve()


if __name__ == "__main__":
    main()
