"""Processes kept together and ended together: what operating systems do differently is here.

On Linux a process that escapes its family (a new session, a parent that left) comes to the nearest
ancestor that adopts, and children end with their parent. macOS knows neither: there, what a check
starts ends with it unless it opens a session of its own.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

import psutil

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MADV_COLLAPSE = 25
_HUGE = 2 << 20
# A process that forks faster than it is killed would hold up every other check.
_MOST_ROUNDS = 100

_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def adopt() -> None:
    """Become the parent of descendants whose own parent left."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with(parent: int) -> None:
    """End when the parent does, even if it is killed."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def die_first() -> None:
    """Be the one to go when the machine's memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def gather() -> None:
    """Lay this process's own memory out in huge pages, where the system does that when asked.

    A fork copies, and the end of a child drops, an entry for each page.
    """
    if _LIBC is None:
        return
    for start, end in huge(Path("/proc/self/maps").read_text("utf-8")):
        # What can't be laid out so stays as it is.
        _LIBC.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_COLLAPSE)


def huge(maps: str) -> list[tuple[int, int]]:
    """Where whole huge pages fit into memory that a process alone has, by its /proc/PID/maps."""
    found = []
    for line in maps.splitlines():
        place, rights, _, _, node, *name = line.split(maxsplit=5)
        if rights == "rw-p" and node == "0" and name in ([], ["[heap]"]):
            start, end = (int(edge, 16) for edge in place.split("-"))
            start, end = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
            if start < end:
                found.append((start, end))
    return found


def resident(pid: int | None = None) -> int:
    """Bytes of memory that a process has; this one's by default. 0 if it is gone."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def children(pid: int) -> list[int]:
    """The processes that a process started or adopted."""
    try:
        # psutil reads about every process there is, at each of the many times that this is asked.
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(c) for t in tasks for c in (t / "children").read_text("ascii").split()]
    except OSError:
        pass
    try:
        return [p.pid for p in psutil.Process(pid).children()]
    except psutil.Error:
        return []


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for member in found:
        found += [child for child in children(member) if child not in found]
    return found


def kill(pid: int) -> None:
    """Kill a child and its process group; it may be gone, or have no group yet."""
    for send in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            send(pid, signal.SIGKILL)


def end_others(kept: Collection[int] = ()) -> None:
    """Kill all children of this process, with their families, except those ``kept``."""
    for _ in range(_MOST_ROUNDS):
        strays = [child for child in children(os.getpid()) if child not in kept]
        if not strays:
            return
        families = {pid for stray in strays for pid in family(stray)}
        # Stopped first: what can't run can't fork.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in families:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)
        for stray in strays:
            with suppress(ChildProcessError):
                os.waitpid(stray, 0)
