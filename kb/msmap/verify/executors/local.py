"""Runs jobs on this machine, in forked children of a process that imported both frameworks."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from importlib import metadata
from pathlib import Path
from types import TracebackType

from msmap.errors import CannotVerify
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.messages import Message
from msmap.verify.executors import warm
from msmap.verify.executors.executor import (
    Failed,
    Finished,
    Ready,
    Result,
    Started,
    Task,
    Todo,
)
from msmap.verify.executors.talk import Own, Talk
from msmap.verify.plan.job import Job

ZYGOTE = (sys.executable, "-m", "msmap.verify.executors.zygote")
Key = tuple[str, str]
# What PyTorch imports only when an optimizer is made takes 1 s: more than most checks.
_LATE = "optim"
# So many checks and variants are worth the 3 s in which a zygote prepares for them.
_MANY = 200
_SETTINGS = {"GLOG_v": "4", "OMP_NUM_THREADS": "1"}
# Instructions that both frameworks' libraries are held to, so that a newer processor does what an
# older one does: oneDNN of both, PyTorch's own kernels, MKL. Who sets such a variable has it so;
# set to nothing, it holds to nothing.
INSTRUCTIONS = {
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_CBWR": "COMPATIBLE",
}
_PROCESSOR = Path("/proc/cpuinfo")
DOWN = Result("inconclusive", "it took down the whole verifier")


def _instructions() -> dict[str, str]:
    """Those that the processor has: PyTorch alone would run what it is told to, and crash."""
    has = _PROCESSOR.exists() and " avx2 " in _PROCESSOR.read_text(encoding="utf-8")
    return {k: v for k, v in INSTRUCTIONS.items() if has or k != "ATEN_CPU_CAPABILITY"}


def surroundings(outside: Mapping[str, str]) -> dict[str, str]:
    """The environment variables of a zygote, from those of the process that starts it."""
    wanted = _instructions() | {k: outside[k] for k in INSTRUCTIONS if k in outside}
    held = {k: v for k, v in wanted.items() if v}
    # Checks call msrun, which stands beside the interpreter, whether or not that is on the path.
    path = os.pathsep.join(filter(None, [sysconfig.get_path("scripts"), outside.get("PATH")]))
    plain = {k: v for k, v in outside.items() if k not in INSTRUCTIONS}
    return plain | held | {"PATH": path} | _SETTINGS


def environment(device: str = "cpu") -> Environment:
    """What checks run on here, by the versions installed; nothing is imported.

    Raises:
        CannotVerify: a framework is not installed.
    """
    found: dict[str, str] = {}
    for framework in ("torch", "mindspore"):
        try:
            found[framework] = metadata.version(framework).split("+")[0]
        except metadata.PackageNotFoundError:
            raise _missing(Message("{} is not installed", framework)) from None
    return Environment(found["torch"], found["mindspore"], device, machine())


def machine() -> str:
    """The kind of this machine, such as linux-x86_64."""
    return f"{platform.system().lower()}-{platform.machine()}"


class Local:
    """The executor of this machine; its zygote lives until it is closed.

    Args:
        width: how many jobs at a time; by default one for each core.
        limit: seconds that one part of a job may take.
        device: what MindSpore is to run on: ascend, gpu or cpu.
        command: starts the zygote.
        warm: whether to use the zygote that an earlier run left, and to leave this one.
    """

    def __init__(
        self,
        width: int | None = None,
        limit: float = 60.0,
        device: str = "cpu",
        command: Sequence[str] = (),
        warm: bool = False,
    ) -> None:
        self.width, self.limit = width or os.cpu_count() or 1, limit
        self.device, self.command = device, command or ZYGOTE
        self.warm = warm
        self._talk: Talk | None = None
        self._busy = False
        self.closed = False

    def __enter__(self) -> Local:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    @property
    def environments(self) -> tuple[Environment, ...]:
        """What is here, by the versions installed.

        Raises:
            CannotVerify: a framework is not installed.
        """
        return (environment(self.device),)

    def close(self) -> None:
        """End the zygote, and with it whatever runs; what came out of it so far is lost.

        One that is to stay warm, and has nothing to do, is left for the next run.
        """
        self.closed = True
        if self._talk is not None and not self._busy:
            self._talk.leave()
            self._talk = None
        self._end()

    def start(self, ahead: bool = True, many: bool = True) -> Environment:
        """Start the zygote, if none runs; what checks run on there.

        Args:
            ahead: import first what only some checks import.
            many: do first, once, what each check would do; it takes as long as some tens of them.

        Raises:
            CannotVerify: a framework is missing or broken, or the zygote dies at once.
        """
        if self.closed:
            raise CannotVerify("the process that runs checks was ended")
        if self._talk is None:
            command = [*self.command, f"--width={self.width}", f"--limit={self.limit}"]
            if self.warm:
                # Whoever comes next may need all that can be done ahead.
                whole = [*command, "--ahead", "--many"]
                self._talk = warm.borrow(whole, surroundings(os.environ))
                self.warm = False
            if self._talk is None:
                wanted = {"--ahead": ahead, "--many": many}
                whole = [*command, *(option for option, is_wanted in wanted.items() if is_wanted)]
                self._talk = Own(whole, surroundings(os.environ))
        match self._talk.first:
            case Ready(torch, mindspore, device):
                return Environment(torch, mindspore, device, machine())
            case Failed(message):
                raise _missing(message)
            case _:
                raise CannotVerify("the process that runs checks died before it ran any")

    def run(self, todo: Todo) -> Generator[tuple[Environment, Line], None, None]:
        """Run the jobs of the one environment that is here.

        Raises:
            CannotVerify: a framework is missing or broken, or checks run on another device here.
        """
        for wanted, jobs in todo.items():
            with closing(self.lines(jobs)) as lines:
                for line in lines:
                    yield wanted, line

    def lines(self, jobs: Iterable[Job]) -> Generator[Line, None, None]:
        """Run jobs; the outcomes come in no fixed order.

        Raises:
            CannotVerify: as ``run``.
        """
        left = {(job.owner, job.check): job for job in jobs}
        killers: dict[Key, dict[str, Result]] = {key: {} for key in left}
        suspects: list[Key] = []
        # One that was left by another run may have died since.
        fresh = self._talk is None and not self.warm
        self._busy = True
        try:
            while left:
                # Of several under way when a zygote died, each runs alone: one did it.
                chosen = [Task(left[key], tuple(killers[key])) for key in suspects or left]
                # Those of several ranks run beside all others, for as long as these take.
                chosen.sort(key=lambda task: not task.job.ranks)
                many = sum(1 + len(task.job.variants) for task in chosen) >= _MANY
                ahead = many or any(_LATE in task.job.torch for task in chosen)
                found = self.start(ahead, many).device
                if found != (self.device or found):
                    raise CannotVerify(
                        "MindSpore runs on {0} here, not on {1}; say `--device {0}`",
                        found,
                        self.device,
                    )
                assert self._talk is not None
                before = len(left)
                under_way: dict[Key, str] = {}
                # One task a child is ready when the one before it ends.
                ranked = sum(1 for task in chosen if task.job.ranks)
                at_once = 1 if suspects else 2 * self.width + ranked
                for message in self._talk.converse(chosen, at_once):
                    match message:
                        case Started(owner, check, part):
                            under_way[owner, check] = part
                        case Finished(owner, check, result, variants):
                            key = owner, check
                            del under_way[key]
                            yield result.line(left.pop(key), variants | killers[key])
                suspects = []
                if any((task.job.owner, task.job.check) in left for task in chosen):
                    self._end()
                    if not under_way and len(left) == before and fresh:
                        raise CannotVerify("the process that runs checks died before it ran any")
                    fresh = True
                if len(under_way) > 1:
                    suspects = list(under_way)
                for key, part in under_way.items() if len(under_way) == 1 else ():
                    if part:
                        killers[key][part] = DOWN
                    else:
                        yield DOWN.line(left.pop(key), {})
            self._busy = False
        finally:
            if self._busy:
                self._end()
            self._busy = False

    def _end(self) -> None:
        if self._talk is not None:
            self._talk.end()
            self._talk = None


def _missing(error: str) -> CannotVerify:
    """What to install: the pins of the extra stand in pyproject.toml alone."""
    required = (one.partition(";") for one in metadata.requires("msmap") or ())
    pins = sorted(pin.strip() for pin, _, when in required if "'verify'" in when.replace('"', "'"))
    every = " ".join(f"'{pin}'" for pin in pins)
    return CannotVerify(
        "verifying needs both frameworks: {}. Install them with `pip install {}`", error, every
    )
