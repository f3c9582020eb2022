"""What git says of files: which it ignores, which it has as they are, and when they changed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from pathlib import Path

# A repository may name programs that git starts; asking about files mustn't start them.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_SECONDS = 60


def ignored(folder: Path, paths: Iterable[Path]) -> set[Path]:
    """Those of the files below a folder that git ignores; none where there is no repository."""
    names = {os.fsencode(os.path.abspath(path)): path for path in paths}
    if not names or _repository(Path(os.path.realpath(folder))) is None:
        return set()
    answer = _ask(folder, ["check-ignore", "-z", "--stdin"], b"\0".join([*names, b""]))
    return {names[name] for name in (answer or b"").split(b"\0") if name in names}


class Committed:
    """Which files git has as they are; each repository is asked once."""

    def __init__(self) -> None:
        self._safe: dict[Path, set[bytes] | None] = {}

    def has(self, path: Path) -> bool | None:
        """Whether a file could be had back; None where there is no repository around it.

        Where git can't be asked nothing can.
        """
        whole = Path(os.path.realpath(path))
        root = _repository(whole.parent)
        if root is None:
            return None
        if root not in self._safe:
            self._safe[root] = _safe(root)
        safe = self._safe[root]
        return safe is not None and os.fsencode(whole.relative_to(root).as_posix()) in safe


def _repository(folder: Path) -> Path | None:
    """The top folder of the repository in which a folder is, or None."""
    return next((f for f in (folder, *folder.parents) if (f / ".git").exists()), None)


def _safe(root: Path) -> set[bytes] | None:
    """The names of all files that are committed and unchanged; None if git can't be asked."""
    tracked = _ask(root, ["ls-files", "-z", "--cached"])
    status = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=no"]
    changed = _ask(root, status)
    if tracked is None or changed is None:
        return None
    return {*tracked.split(b"\0")} - {entry[3:] for entry in changed.split(b"\0")}


def _ask(folder: Path, arguments: Sequence[str], given: bytes = b"") -> bytes | None:
    """What a command of git prints; None if it can't be run, or fails."""
    # Variables of a hook that is running name another repository.
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        done = subprocess.run(
            [*_GIT, *arguments],
            cwd=folder,
            input=given,
            capture_output=True,
            timeout=_SECONDS,
            env=clean | {"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    # 1 is "none of them".
    return done.stdout if done.returncode in (0, 1) else None


def history(folder: Path) -> dict[Path, list[tuple[str, str]]]:
    """The commits of each file below a folder, newest first, each as its date and its subject.

    Empty where there is no repository, or where it has its last commits alone.
    """
    if not _whole(folder):
        return {}
    command = ["log", "--no-renames", "--relative", "--name-only", "-z", "--format=%x01%cs %s"]
    answer = _ask(folder, [*command, "--", "."]) or b""
    found: dict[Path, list[tuple[str, str]]] = {}
    for commit in answer.split(b"\1")[1:]:
        head, *names = commit.replace(b"\n", b"\0").split(b"\0")
        date, _, subject = head.decode("utf-8", "replace").partition(" ")
        for name in filter(None, names):
            found.setdefault(Path(os.fsdecode(name)), []).append((date, subject))
    return found


def lines(path: Path) -> list[str]:
    """The date of the commit that each line of a file comes from; empty as in ``history``."""
    if not _whole(path.parent):
        return []
    answer = _ask(path.parent, ["blame", "--porcelain", "--", path.name]) or b""
    dates: dict[bytes, str] = {}
    found: list[str] = []
    commit = b""
    for line in answer.split(b"\n"):
        if line.startswith(b"\t"):
            found.append(dates.get(commit, ""))
        elif line.startswith(b"committer-time "):
            when = datetime.fromtimestamp(int(line.split()[1]), timezone.utc)
            dates[commit] = when.date().isoformat()
        elif _COMMIT.match(line):
            commit = line[:40]
    return found


def tip(path: Path) -> str:
    """The newest commit that a file's lines may come from, "" if they aren't all committed."""
    changed = _ask(path.parent, ["status", "--porcelain", "--", path.name])
    newest = _ask(path.parent, ["log", "-1", "--format=%H", "--", path.name])
    return newest.decode().strip() if newest and changed == b"" else ""


_COMMIT = re.compile(rb"[0-9a-f]{40} ")


def _whole(folder: Path) -> bool:
    """Whether a folder is in a repository that has all its commits."""
    if _repository(Path(os.path.realpath(folder))) is None:
        return False
    return (_ask(folder, ["rev-parse", "--is-shallow-repository"]) or b"").strip() == b"false"
