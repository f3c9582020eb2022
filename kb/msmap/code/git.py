"""What git says of files: which it is told to ignore, and which have changes that it hasn't."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

# A repository may name programs that git starts; asking about files mustn't start them.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_SECONDS = 60


def ignored(folder: Path, paths: Iterable[Path]) -> set[Path]:
    """Those of the files below a folder that git ignores; none where there is no repository."""
    wanted = list(paths)
    names = {os.fsencode(os.path.abspath(path)): path for path in wanted}
    answer = _ask(folder, ["check-ignore", "-z", "--stdin"], b"\0".join([*names, b""]))
    return {names[name] for name in (answer or b"").split(b"\0") if name in names}


def changed(path: Path) -> bool | None:
    """Whether a file has changes that are not committed, or is not in git at all.

    None where nobody can tell: no git, or no repository around the file.
    """
    whole = Path(os.path.realpath(path))
    asked = ["status", "--porcelain", "-z", "--ignored", "--untracked-files=all", "--"]
    answer = _ask(whole.parent, [*asked, f":(literal){whole.name}"])
    return None if answer is None else bool(answer)


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
