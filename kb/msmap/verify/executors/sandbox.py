"""A forked child: shut in, it runs the parts of a job one after another and says what came out.

It says a ``Part`` before each part, for which it waits to be heard, an ``Outcome`` after it, and
``End`` at last. Then it may be given another job.
"""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from msmap.verify.executors import executor, processes
from msmap.verify.executors.executor import (
    Again,
    Broken,
    End,
    Outcome,
    Part,
    Rest,
    Result,
    Said,
    Task,
)
from msmap.verify.plan.job import Job
from msmap.verify.trial import reasons, standing

Parts = Callable[[Job, frozenset[str]], Iterator[tuple[str, Callable[[], dict[str, Any]]]]]

HEARD = b"."
_LARGEST_FILE = 64 << 20


def run(
    job: Job, parts: Parts, skip: frozenset[str], line: int, folder: str, zygote: int, limit: float
) -> None:
    """Run the parts of a job that aren't to be skipped and leave, whatever happens.

    Where all of them agree and leave nothing, what is handed over the socket runs next.

    Args:
        job: what to run.
        parts: makes the parts of a job.
        skip: parts to leave out.
        line: the socket to the process that forked this one.
        folder: a directory of its own.
        zygote: the process that forked this one.
        limit: seconds that a part may take.
    """
    status = 1
    try:
        processes.die_with(zygote)
        os.setsid()
        # What leaves the family of a process of this check comes back to it.
        processes.adopt()
        processes.die_first()
        tempfile.tempdir = folder
        os.environ["TMPDIR"] = folder
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        _bound(resource.RLIMIT_CORE, 0)
        _bound(resource.RLIMIT_FSIZE, _LARGEST_FILE)
        speaker = _Speaker(line)
        task: Task | None = Task(job, tuple(skip))
        before = standing.now()
        while task is not None:
            agreed = _run(task, parts, speaker, folder, limit, task.job is not job)
            speaker.say(End(agreed and standing.now() == before))
            task = speaker.told()
        status = 0
    finally:
        # Not sys.exit: the frameworks' clean-up handlers belong to the parent.
        os._exit(status)


class _Speaker:
    """Says lines, in the process that it was made in only: code that forks returns twice."""

    def __init__(self, line: int) -> None:
        self.line, self.pid = line, os.getpid()

    def say(self, message: Said) -> None:
        if os.getpid() != self.pid:
            os._exit(0)
        data = executor.dumps(message).encode()
        while data:
            data = data[os.write(self.line, data) :]

    def announce(self, part: str) -> None:
        """Name a part and wait to be heard, so that what it does is never blamed on another."""
        self.say(Part(part))
        if os.read(self.line, 1) != HEARD:
            os._exit(1)

    def leave(self, message: Said) -> NoReturn:
        """Say what is left for others, and end."""
        self.say(message)
        os._exit(0)

    def told(self) -> Task | None:
        """The next job, once there is one; None when none comes."""
        said = b""
        while not said.endswith(b"\n"):
            more = os.read(self.line, 1 << 16)
            if not more:
                return None
            said += more
        task: Task = executor.loads(said)
        return task


def _run(
    task: Task, parts: Parts, speaker: _Speaker, folder: str, limit: float, follows: bool
) -> bool:
    """Run the parts of a job; whether all of them agree.

    One that ``follows`` another in this child is told of only as long as it agrees.
    """
    agreed = True
    try:
        for place, (name, action) in enumerate(parts(task.job, frozenset(task.skip))):
            speaker.announce(name)
            os.chdir(folder)
            _limit_processor(limit)
            result = _result(action)
            agreed = agreed and result.agrees
            if (follows and not agreed) or (place and result.doubtful):
                # It counts only if it differs in a child where nothing ran before, too.
                speaker.leave(Again(name))
            speaker.say(Outcome(result))
            if result.shaken:
                speaker.leave(Rest())
    except Exception as error:
        speaker.say(Broken(reasons.brief(error)))
        return False
    return agreed


def _result(action: Callable[[], dict[str, Any]]) -> Result:
    try:
        return Result(**action())
    except BaseException as error:
        # SystemExit and KeyboardInterrupt too: code under check must not end the other parts.
        return Result("inconclusive", f"the check itself: {reasons.brief(error)}")


def _limit_processor(limit: float) -> None:
    """A bound on processor time, far above the limit, where nothing ends orphans (macOS)."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = used.ru_utime + used.ru_stime + (limit + 5) * (os.cpu_count() or 1)
    _bound(resource.RLIMIT_CPU, int(seconds) + 1)


def _bound(kind: int, wanted: int) -> None:
    """Set a limit, or leave a stricter one that the user set."""
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(
        kind, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
    )
