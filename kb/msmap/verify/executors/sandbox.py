"""A forked child: shut in, it runs the parts of a job one after another and says what came out.

It says a ``Part`` before each part, for which it waits to be heard, an ``Outcome`` after it, and
``End`` at last.
"""

from __future__ import annotations

import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

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
)
from msmap.verify.plan.job import Job
from msmap.verify.trial import reasons

Parts = Callable[[Job, frozenset[str]], Iterator[tuple[str, Callable[[], dict[str, Any]]]]]

HEARD = b"."
_LARGEST_FILE = 64 << 20


def run(
    job: Job, parts: Parts, skip: frozenset[str], line: int, folder: str, zygote: int, limit: float
) -> None:
    """Run the parts of a job that aren't to be skipped and leave, whatever happens.

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
        _run(job, parts, skip, _Speaker(line), folder, limit)
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


def _run(
    job: Job, parts: Parts, skip: frozenset[str], speaker: _Speaker, folder: str, limit: float
) -> None:
    try:
        for place, (name, action) in enumerate(parts(job, skip)):
            speaker.announce(name)
            os.chdir(folder)
            _limit_processor(limit)
            result = _result(action)
            if result.doubtful and place:
                # It counts only if it differs in a child where nothing ran before, too.
                speaker.say(Again(name))
                return
            speaker.say(Outcome(result))
            if result.shaken:
                speaker.say(Rest())
                return
    except Exception as error:
        speaker.say(Broken(reasons.brief(error)))
    speaker.say(End())


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
