"""A zygote that an earlier run left, borrowed instead of started.

It waits behind a socket in a folder of the user's own. What the socket is called depends on all
that decides how checks run: this program, the frameworks' versions, the variables of the
environment. So what has changed isn't found, and what was left of before ends.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import stat
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path

from msmap import cache
from msmap.verify.executors import executor, keeper
from msmap.verify.executors.talk import Talk

# Seconds that a zygote waits for the next run.
IDLE = 600.0
# Importing both frameworks takes some seconds; more than this means that something is wrong.
_PATIENCE = 120.0
_PREFIX, _SUFFIX = "zygote-", ".sock"
# What differs from shell to shell, and no check sees.
_PASSING = ("_", "SHLVL", "PWD", "OLDPWD", "COLUMNS", "LINES", "TERM", "WINDOWID")


class Loan(Talk):
    """A zygote that is given back."""

    def __init__(self, line: socket.socket, first: bytes, pipes: Sequence[int]) -> None:
        ears, mouth = pipes
        super().__init__(os.fdopen(ears, "w", encoding="utf-8"), os.fdopen(mouth, encoding="utf-8"))
        self._line = line
        self.first = executor.loads(first)

    def leave(self) -> None:
        """Give it back, when it has nothing to do."""
        with suppress(OSError):
            self._line.sendall(keeper.RETURNED)
        self.end()

    def end(self) -> None:
        """Hang up; unless it was given back before, it ends."""
        super().end()
        self._line.close()


def folder() -> Path | None:
    """Where sockets are: ``$MSMAP_RUNTIME``, nowhere if that is empty; else the user's own place.

    None too where another user could put one there.
    """
    wanted = os.environ.get("MSMAP_RUNTIME")
    if wanted == "" or not hasattr(socket, "AF_UNIX") or not hasattr(socket, "send_fds"):
        return None
    if wanted is not None:
        place = Path(wanted)
    else:
        from platformdirs import user_runtime_path

        with warnings.catch_warnings():
            # It says when it has to take another place than the system's.
            warnings.simplefilter("ignore")
            place = user_runtime_path("msmap", appauthor=False)
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place if _is_private(place) else None
    except OSError:
        return None


def _is_private(place: Path) -> bool:
    """Whether a folder is this user's and closed to others, who can't put another in its place."""
    found, above = place.lstat(), place.resolve().parent.stat()
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    closed = not found.st_mode & 0o077
    open_above = above.st_mode & 0o022 and not above.st_mode & stat.S_ISVTX
    return mine and closed and above.st_uid in (0, os.getuid()) and not open_above


def borrow(command: Sequence[str], variables: Mapping[str, str]) -> Talk | None:
    """The zygote that such a command starts; None if it is in use, or none can be kept.

    Args:
        command: starts the zygote.
        variables: its environment.
    """
    place = folder()
    if place is None:
        return None
    path = place / f"{_PREFIX}{_digest(command, variables)}{_SUFFIX}"
    try:
        with _alone(place):
            line = _connected(path) or _started(path, command, variables)
    except OSError:
        return None
    try:
        line.settimeout(_PATIENCE)
        line.sendall(keeper.BORROW)
        first, pipes, _, _ = socket.recv_fds(line, 1 << 12, 2)
        line.settimeout(None)
        if len(pipes) == 2:
            for pipe in pipes:
                os.set_inheritable(pipe, False)
            return Loan(line, first, pipes)
    except OSError:
        pass
    line.close()
    return None


def stop() -> int:
    """End whatever waits, and what is in use when it is given back; how many there were."""
    place = folder()
    if place is None:
        return 0
    with _alone(place):
        return sum(map(_ended, sorted(place.glob(f"{_PREFIX}*{_SUFFIX}"))))


def _digest(command: Sequence[str], variables: Mapping[str, str]) -> str:
    """Sixteen hexadecimal digits over all that decides how checks run in a zygote."""
    installed = []
    for framework in ("torch", "mindspore"):
        with suppress(metadata.PackageNotFoundError):
            installed.append(metadata.version(framework))
    lasting = sorted(item for item in variables.items() if item[0] not in _PASSING)
    content = json.dumps([cache.code(), sys.version, *installed, *command, lasting])
    return hashlib.sha256(content.encode()).hexdigest()[:16]


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Hold the folder, so that two that come at once don't start two."""
    import fcntl

    with (place / "lock").open("a", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _connected(path: Path) -> socket.socket | None:
    """A line to who listens at a path; None if nobody does, or another user."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        line.connect(str(path))
        if keeper.same_user(line):
            return line
    except (FileNotFoundError, ConnectionRefusedError):
        pass
    except BaseException:
        line.close()
        raise
    line.close()
    return None


def _started(path: Path, command: Sequence[str], variables: Mapping[str, str]) -> socket.socket:
    """A line to a new keeper, which listens at a path; those that are left from before end."""
    for other in path.parent.glob(f"{_PREFIX}*{_SUFFIX}"):
        _ended(other)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
        number = listener.fileno()
        subprocess.run(
            [sys.executable, "-m", keeper.__name__, f"--listener={number}", f"--place={path}",
             f"--idle={IDLE}", "--", *command],
            env=variables, pass_fds=(number,), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        line.connect(str(path))
    except BaseException:
        line.close()
        raise
    return line


def _ended(path: Path) -> bool:
    """End who listens at a path, and remove what is left of it; whether anybody did."""
    found = False
    with suppress(OSError):
        line = _connected(path)
        if line is not None:
            with line:
                line.settimeout(_PATIENCE)
                line.sendall(keeper.STOP)
                found = True
                # It hangs up when it has heard.
                line.recv(1)
    with suppress(OSError):
        path.unlink()
    return found
