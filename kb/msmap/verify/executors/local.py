"""Run checks and keep what came out."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from msmap.errors import CannotVerify
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.model import Finding
from msmap.verify.plan.job import Job

ZYGOTE = (sys.executable, "-m", "msmap.verify.executors.zygote")
Key = tuple[str, str]
# What PyTorch imports only when an optimizer is made takes 1 s: more than most checks.
_LATE = "optim"
_MANY = 50


@dataclass(frozen=True, slots=True)
class Task:
    """A job for the process that forks, with the parts that must not run: they would kill it."""

    job: Job
    killers: Mapping[str, Any]

    def dumps(self) -> str:
        """The task as one line of JSON."""
        return json.dumps({"job": self.job.dumps(), "skip": list(self.killers)}) + "\n"


def environment() -> Environment:
    """What checks would run on here, by the versions installed; nothing is imported.

    Raises:
        CannotVerify: a framework is not installed.
    """
    found: dict[str, str] = {}
    for framework in ("torch", "mindspore"):
        try:
            found[framework] = metadata.version(framework).split("+")[0]
        except metadata.PackageNotFoundError:
            raise CannotVerify(_missing(f"{framework} is not installed")) from None
    machine = f"{platform.system().lower()}-{platform.machine()}"
    return Environment(found["torch"], found["mindspore"], "cpu", machine)


def outcomes(
    jobs: Iterable[Job],
    width: int | None = None,
    limit: float = 60.0,
    command: Sequence[str] = ZYGOTE,
) -> Generator[Line, None, None]:
    """Run jobs and give each outcome as soon as it is there, in no fixed order.

    Args:
        jobs: what to run.
        width: how many at a time; by default one for each core.
        limit: seconds that one part of a check may take.
        command: starts the process that forks.

    Raises:
        CannotVerify: a framework is missing or broken.
    """
    left = {(job.owner, job.check): job for job in jobs}
    killers: dict[Key, dict[str, dict[str, Any]]] = {key: {} for key in left}
    suspects: list[Key] = []
    while left:
        before = len(left)
        # Of several under way when the process that forks died, each runs alone: one did it.
        chosen = [Task(left[key], killers[key]) for key in suspects or left]
        at_once = 1 if suspects else width or os.cpu_count() or 1
        under_way: dict[Key, str] = {}
        arguments = [*command, f"--width={at_once}", f"--limit={limit}"]
        if len(chosen) >= _MANY or any(_LATE in task.job.torch for task in chosen):
            arguments.append("--ahead")
        for message in _conversation(chosen, at_once, arguments):
            if "failed" in message:
                raise CannotVerify(_missing(message["failed"]))
            if "started" in message:
                owner, check = message["started"]
                under_way[owner, check] = message["part"]
            elif "finished" in message:
                owner, check = message["finished"]
                key = (owner, check)
                del under_way[key]
                variants = message["variants"] | killers[key]
                yield _line(left.pop(key), message["result"], variants)
        if not under_way and len(left) == before:
            raise CannotVerify("the process that runs checks died before it ran any")
        suspects = list(under_way) if len(under_way) > 1 else []
        if len(under_way) == 1:
            ((key, part),) = under_way.items()
            result = {"outcome": "inconclusive", "message": "it took down the whole verifier"}
            if part:
                killers[key][part] = result
            else:
                yield _line(left.pop(key), result, {})


def _conversation(
    tasks: Sequence[Task], width: int, command: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """What the process that forks says, while it is handed one task after another."""
    environment = os.environ | {"GLOG_v": "4", "OMP_NUM_THREADS": "1"}
    # In a session of its own: Ctrl-C is for this process, which ends that one in its own way.
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True,
        encoding="utf-8", start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        waiting, left = deque(tasks), len(tasks)
        try:
            for text in process.stdout:
                if not text.endswith("\n"):
                    return
                message = json.loads(text)
                yield message
                # One task a child is ready when the one before it ends.
                wanted = 2 * width if "ready" in message else 1 if "finished" in message else 0
                handed = [waiting.popleft().dumps() for _ in range(min(wanted, len(waiting)))]
                process.stdin.write("".join(handed))
                process.stdin.flush()
                left -= "finished" in message
                if not left:
                    return
        except BrokenPipeError:
            return
        finally:
            process.terminate()
            with suppress(BrokenPipeError):
                process.stdin.close()


def _line(job: Job, result: dict[str, Any], variants: dict[str, dict[str, Any]]) -> Line:
    findings = {name: Finding(**fields) for name, fields in variants.items()}
    return Line(job.owner, job.check, job.hash, **result, variants=findings)


def _missing(error: str) -> str:
    return (
        f"verifying needs both frameworks: {error}. Install them with "
        "`pip install torch==2.13.0 mindspore==2.10.0 'numpy<2'`"
    )
