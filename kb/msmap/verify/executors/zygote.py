"""A process that has imported both frameworks and forks a child for every check, or for some.

It reads tasks from standard input and says what came out on standard output (``executor`` has the
messages), until standard input ends. It never runs an operator itself: MindSpore's threads don't
survive a fork.
"""

from __future__ import annotations

import argparse
import gc
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field

from msmap.verify.executors import executor, guard, processes, sandbox
from msmap.verify.executors.executor import (
    Again,
    Answer,
    Broken,
    End,
    Failed,
    Finished,
    Outcome,
    Part,
    Ready,
    Rest,
    Result,
    Started,
    Task,
)
from msmap.verify.executors.sandbox import Parts
from msmap.verify.plan.job import EACH, Job
from msmap.verify.plan.sharing import may_share
from msmap.verify.trial import reasons

# Measured with both frameworks: a child that ran one operator has 50 MB of its own, but reserves
# 2.5 GB of addresses and 1.4 GB of data, so that RLIMIT_AS and RLIMIT_DATA bound what it reserves,
# not what it takes; and what they refuse looks like an error of the framework. So memory is
# watched. Filling it goes at 1 GB a second here: a look each 0.2 s is soon enough.
MEMORY = 4 << 30
_LOOK = 0.2
_MOST_PROCESSES = 100
_LARGEST_ANSWER = 1 << 20
# How long a child may live that can't answer any more.
_GRACE = 1.0
# Checks of several ranks at a time, each of which is a family of processes.
_MOST_RANKED = 3
_RANKED_TAKE = 3
# A variant is the check's own call, at most compiled: it has a quarter of the limit, or so many
# times of what the check has taken if that is longer. Seven that never end took a tenth of all the
# time of 18,000 checks.
_SHARE = 4
_TIMES = 50
_REAP = 0.005
# Jobs that one child runs, one after another, and bytes of one that is handed to it: so many go in
# without waiting.
_MOST_SHARED = 8
_LARGEST_TASK = 1 << 15
# Objects made until garbage is looked for: a child that compiles makes millions, and lives briefly.
_GARBAGE = 100_000


@dataclass(slots=True)
class Work:
    """A job, the parts of it that must not run, and what came out of others so far.

    ``took`` is how many seconds the check itself ran, once that is known. It runs ``alone`` once it
    didn't agree in a child that had run another.
    """

    job: Job
    skip: frozenset[str]
    results: dict[str, Result] = field(default_factory=dict)
    took: float | None = None
    alone: bool = False

    @property
    def shares(self) -> bool:
        """Whether it may run in a child before and after others."""
        return not (self.alone or self.skip or self.results) and may_share(self.job)


@dataclass(slots=True)
class Running:
    """A forked child and what it has said so far; ``jobs`` is how many it was given."""

    work: Work
    pid: int
    line: int
    folder: str
    began: float
    deadline: float
    part: str | None = None
    parts: int = 0
    jobs: int = 1
    said: bytearray = field(default_factory=bytearray)
    hangs_up: bool = False
    reaped: bool = False
    ended: bool = False


class Zygote:
    """Forks up to ``width`` children at a time, whose parts have ``limit`` seconds each.

    ``memory`` is how many bytes a child and all that it starts may take.
    """

    def __init__(self, width: int, limit: float, memory: int = MEMORY) -> None:
        self.width, self.limit, self.memory = width, limit, memory
        self.waiting: deque[Work] = deque()
        self.running: list[Running] = []
        self.buffer = b""
        self.looked = 0.0
        # Standard output belongs to the answers; what libraries print goes nowhere.
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        quiet = os.open(os.devnull, os.O_RDWR)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        processes.adopt()

    def say(self, message: Answer) -> None:
        """Send one line."""
        self.answers.write(executor.dumps(message))
        self.answers.flush()

    def serve(self, parts: Parts) -> None:
        """Run the parts of jobs until standard input ends."""
        self.parts = parts
        self.base = processes.resident()
        while True:
            while (work := self.due()) is not None:
                self.waiting.remove(work)
                self.start(work)
            watched = [0, *(r.line for r in self.running if not r.hangs_up)]
            ready, _, _ = select.select(watched, [], [], self.pause())
            if 0 in ready and not self.listen():
                return
            # A copy: hearing may end one.
            for running in [r for r in self.running if r.line in ready]:
                self.hear(running)
            for running in list(self.running):
                self.look(running)
            if time.monotonic() - self.looked >= _LOOK:
                self.weigh()

    def due(self) -> Work | None:
        """The first that may start now, if one may.

        Those of several ranks wait for each other most of their time: they take no other's place.
        """
        ranked = sum(1 for r in self.running if r.work.job.ranks)
        free = {True: ranked < _MOST_RANKED, False: len(self.running) - ranked < self.width}
        return next((work for work in self.waiting if free[work.job.ranks > 0]), None)

    def whole(self, job: Job) -> float:
        """Seconds that a check may take: ranks wait for each other, beside all others."""
        return self.limit * (_RANKED_TAKE if job.ranks else 1)

    def patience(self, work: Work, part: str | None) -> tuple[float, float]:
        """Seconds that a part of a job may take: those that it surely has, and those it has here.

        What was run says the first, which no machine's speed changes.
        """
        whole = self.whole(work.job)
        if not part or work.took is None:
            return whole, whole
        return whole / _SHARE, min(whole, max(whole / _SHARE, work.took * _TIMES))

    def pause(self) -> float | None:
        """Seconds until something is to be looked at, whatever is said until then."""
        if not self.running:
            return None
        if any(r.hangs_up for r in self.running):
            return _REAP
        due = min(self.looked + _LOOK, *(r.deadline for r in self.running))
        return max(0.0, due - time.monotonic())

    def listen(self) -> bool:
        """Take in whatever jobs have arrived; False when no more can come."""
        data = os.read(0, 1 << 16)
        self.buffer += data
        *lines, self.buffer = self.buffer.split(b"\n")
        for line in lines:
            task: Task = executor.loads(line)
            self.waiting.append(Work(task.job, frozenset(task.skip)))
        return bool(data)

    def start(self, work: Work) -> None:
        """Fork a child for what is left of a job."""
        if not work.results:
            self.say(Started(work.job.owner, work.job.check, part=""))
        folder = tempfile.mkdtemp(prefix="check-")
        ours, theirs = socket.socketpair()
        zygote = os.getpid()
        pid = os.fork()
        if pid == 0:
            for handle in (self.answers.fileno(), ours.detach(), *(r.line for r in self.running)):
                os.close(handle)
            skip = work.skip | work.results.keys()
            limit = self.whole(work.job)
            sandbox.run(work.job, self.parts, skip, theirs.detach(), folder, zygote, limit)
        theirs.close()
        ours.setblocking(False)
        began = time.monotonic()
        deadline = began + self.whole(work.job)
        self.running.append(Running(work, pid, ours.detach(), folder, began, deadline))

    def hear(self, running: Running) -> None:
        """Read what a child says and act on it."""
        while not (running.ended or running.hangs_up):
            try:
                data = os.read(running.line, 1 << 16)
            except BlockingIOError:
                return
            except ConnectionResetError:
                data = b""
            running.said += data
            if not data:
                running.hangs_up = True
                running.deadline = min(running.deadline, time.monotonic() + _GRACE)
            *lines, rest = running.said.split(b"\n")
            running.said = rest
            if len(rest) > _LARGEST_ANSWER:
                self.fail(running, "it answered more than can be an outcome")
            for line in lines:
                if not running.ended:
                    self.understand(running, bytes(line))

    def understand(self, running: Running, line: bytes) -> None:
        """Act on one line of a child."""
        try:
            message = executor.loads(line)
        except ValueError:
            message = None
        match message, running.part:
            case Part(name), None:
                running.part = name
                running.parts += 1
                job = running.work.job
                running.began = time.monotonic()
                running.deadline = running.began + self.patience(running.work, name)[1]
                self.say(Started(job.owner, job.check, name))
                with suppress(OSError):
                    os.write(running.line, sandbox.HEARD)
            case Outcome(result), str(name):
                gone = name == "" and running.work.job.expect == "crashes"
                running.work.results[name] = _GONE if gone else result
                if name == "" and running.work.job.expect != EACH:
                    running.work.took = time.monotonic() - running.began
                running.part = None
            case Broken(), None if running.jobs > 1:
                self.again(running)
            case Broken(text), None:
                running.work.results[""] = _inconclusive(f"the check itself: {text}")
                self.finish(running, complete=True)
            case End(clean), None:
                self.through(running, clean)
            case Rest(), None:
                self.finish(running, complete=False)
            case Again(again), str(name) if again == name:
                self.again(running)
            case _:
                self.fail(running, "what it answered is no outcome")

    def through(self, running: Running, clean: bool) -> None:
        """A child has run all of its job: give it another if both may share it, or end it."""
        work = running.work
        following = None
        if clean and running.jobs < _MOST_SHARED and may_share(work.job):
            following = next((w for w in self.waiting if w.shares), None)
        task = following and executor.dumps(Task(following.job)).encode()
        if following is None or not task or len(task) > _LARGEST_TASK:
            self.finish(running, complete=True)
            return
        self.report(work)
        self.waiting.remove(following)
        self.say(Started(following.job.owner, following.job.check, part=""))
        running.work, running.parts = following, 0
        running.jobs += 1
        running.began = time.monotonic()
        running.deadline = running.began + self.whole(following.job)
        with suppress(OSError):
            os.write(running.line, task)

    def again(self, running: Running) -> None:
        """What a child was at runs in a new one: the whole job if others ran before it."""
        if running.jobs > 1:
            running.work.results.clear()
            running.work.alone = True
        self.finish(running, complete=False)

    def look(self, running: Running) -> None:
        """End a child that is late; take note of one that has ended."""
        if running.ended:
            return
        pid, status = os.waitpid(running.pid, os.WNOHANG)
        if pid:
            running.reaped = True
            # What it said last may still be on its way.
            self.hear(running)
            if not running.ended:
                self.bury(running, status)
        elif running.deadline <= time.monotonic():
            late = f"no end within {self.patience(running.work, running.part)[0]:g} s"
            self.fail(running, "it stopped answering" if running.hangs_up else late)

    def bury(self, running: Running, status: int) -> None:
        """Take down why a child is dead that wasn't through with its parts."""
        if not os.WIFSIGNALED(status):
            self.fail(running, f"the process left with status {os.waitstatus_to_exitcode(status)}")
            return
        name = _signal(os.WTERMSIG(status))
        if running.part == "" and running.work.job.expect == "crashes":
            running.work.results[""] = Result(
                "diverges_documented",
                f"the process crashed: {name}",
                mindspore_gave=f"crash: {name}",
            )
            self.finish(running, complete=True)
        else:
            self.fail(running, f"the process crashed: {name}")

    def weigh(self) -> None:
        """End children that, with all they started, take too much."""
        for running in list(self.running):
            family = processes.family(running.pid)
            # A fork begins with the pages of the zygote, which cost nothing.
            taken = sum(max(0, processes.resident(pid) - self.base) for pid in family)
            if taken > self.memory:
                self.fail(running, f"it took more than {self.memory / (1 << 30):g} GB of memory")
            elif len(family) > _MOST_PROCESSES:
                self.fail(running, f"it started more than {_MOST_PROCESSES} processes")
        self.looked = time.monotonic()

    def fail(self, running: Running, message: str) -> None:
        """The part under way fails, and its child; behind another job, it is tried anew."""
        if running.jobs > 1:
            self.again(running)
            return
        results = running.work.results
        part = running.part
        if part is None and "" not in results:
            part = ""
        if part is not None:
            results[part] = _inconclusive(message)
        # A child that got nowhere would get nowhere again.
        self.finish(running, complete=part == "" or running.parts == 0)

    def finish(self, running: Running, complete: bool) -> None:
        """Clean up after a child; report its job, or let another do what is left of it."""
        processes.kill(running.pid)
        if not running.reaped:
            os.waitpid(running.pid, 0)
        os.close(running.line)
        running.ended = True
        self.running.remove(running)
        processes.end_others([r.pid for r in self.running])
        shutil.rmtree(running.folder, ignore_errors=True)
        work = running.work
        if not complete:
            self.waiting.appendleft(work)
            return
        self.report(work)

    def report(self, work: Work) -> None:
        """Say what came out of a job."""
        result = work.results.pop("", None) or _inconclusive("the check itself: it has no parts")
        self.say(Finished(work.job.owner, work.job.check, result, work.results))


_GONE = Result("refuted", "the documented crash is gone")


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _inconclusive(message: str) -> Result:
    return Result("inconclusive", message)


def _device() -> str:
    """The device that MindSpore chooses here, as told by a child: asking may start it."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            import mindspore

            os.write(theirs, str(mindspore.get_context("device_target")).lower().encode())
        finally:
            os._exit(0)
    os.close(theirs)
    os.waitpid(pid, 0)
    with os.fdopen(ours, encoding="ascii") as answer:
        return answer.read()


def main() -> None:
    """Import both frameworks, say so, and serve."""
    options = argparse.ArgumentParser()
    options.add_argument("--width", type=int, default=1)
    options.add_argument("--limit", type=float, default=60.0)
    options.add_argument("--ahead", action="store_true", help="import what checks import late")
    options.add_argument("--many", action="store_true", help="do once what each child would do")
    chosen = options.parse_args()
    guard.stand()
    zygote = Zygote(chosen.width, chosen.limit)
    try:
        import mindspore
        import torch

        from msmap.verify.trial import child, sources
    except Exception as error:
        zygote.say(Failed(reasons.brief(error)))
        sys.exit(1)
    torch.set_num_threads(1)
    if chosen.ahead:
        import torch._dynamo
    if chosen.many:
        sources.parse()
    # A collection in a child would touch, and so copy, all that was imported.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_GARBAGE, *gc.get_threshold()[1:])
    if chosen.many:
        processes.gather()
    zygote.say(Ready(torch.__version__.split("+")[0], mindspore.__version__, _device()))
    zygote.serve(child.parts)


if __name__ == "__main__":
    main()
