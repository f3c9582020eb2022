"""Run checks and keep what came out."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from msmap.evidence import Line
from msmap.index import MsmapError
from msmap.verify.job import Job


class CannotVerify(MsmapError):
    """The frameworks can't be imported, or the process that runs checks can't start."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What checks ran on."""

    torch: str
    mindspore: str

    @property
    def name(self) -> str:
        """The name of the evidence file, such as ``torch-2.13.0_mindspore-2.10.0_cpu_...``."""
        machine = f"{platform.system().lower()}-{platform.machine()}"
        return f"torch-{self.torch}_mindspore-{self.mindspore}_cpu_{machine}"


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
    return Environment(**found)


def outcomes(
    jobs: Iterable[Job],
    width: int | None = None,
    limit: float = 60.0,
) -> Iterator[Line]:
    """Run jobs and give each outcome as soon as it is there, in no fixed order.

    Args:
        jobs: what to run.
        width: how many at a time; by default one for each core.
        limit: seconds that one check may take.

    Raises:
        CannotVerify: a framework is missing or broken.
    """
    left = {(job.owner, job.check): job for job in jobs}
    while left:
        before = len(left)
        started: list[tuple[str, str]] = []
        for message in _conversation(left.values(), width or os.cpu_count() or 1, limit):
            if "failed" in message:
                raise CannotVerify(_missing(message["failed"]))
            if "started" in message:
                started.append(tuple(message["started"]))
            elif "finished" in message:
                key = tuple(message["finished"])
                yield _line(left.pop(key), message["result"])
        # The process that forks died with children under way: they are what killed it.
        for key in (k for k in started if k in left):
            result = {"outcome": "inconclusive", "message": "it took down the whole verifier"}
            yield _line(left.pop(key), result)
        if len(left) == before:
            raise CannotVerify("the process that runs checks died before it ran any")


def _conversation(jobs: Iterable[Job], width: int, limit: float) -> Iterator[dict[str, Any]]:
    command = [sys.executable, "-m", "msmap.verify.zygote", f"--width={width}", f"--limit={limit}"]
    environment = os.environ | {"GLOG_v": "4", "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True,
        encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            first = process.stdout.readline()
            if not first:
                return
            yield json.loads(first)
            try:
                process.stdin.write("".join(job.dumps() + "\n" for job in jobs))
                process.stdin.close()
            except BrokenPipeError:
                return
            for line in process.stdout:
                yield json.loads(line)
        finally:
            process.kill()


def _line(job: Job, result: dict[str, Any]) -> Line:
    return Line(record=job.owner, check=job.check, hash=job.hash, **result)


def _missing(error: str) -> str:
    return (
        f"verifying needs both frameworks: {error}. Install them with "
        "`pip install torch==2.13.0 mindspore==2.10.0 'numpy<2'`"
    )
