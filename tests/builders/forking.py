"""Processes that start at once, since what they import is there when they are forked."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Timer


def start(
    code: str, arguments: Sequence[str], output: Sequence[Path], folder: Path,
    environment: Mapping[str, str],
) -> int:  # fmt: skip
    """Run code in a process of its own; its number. Its two streams are appended to two files."""
    told = {
        "code": code,
        "arguments": list(arguments),
        "environment": dict(environment),
        "folder": str(folder),
        "output": [str(path) for path in output],
    }
    nursery = _nursery()
    assert nursery.stdin is not None
    nursery.stdin.write(f"{json.dumps(told)}\n")
    nursery.stdin.flush()
    return int(_heard("started")[0])


def run(code: str, *arguments: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """What came of code that ran here in a process of its own; it is killed if it takes longer."""
    with tempfile.TemporaryDirectory() as name:
        output = (Path(name) / "stdout", Path(name) / "stderr")
        number = start(code, arguments, output, Path.cwd(), os.environ)
        timer = Timer(timeout, os.kill, [number, signal.SIGKILL])
        timer.start()
        while (ended := _heard("ended"))[0] != str(number):
            pass
        timer.cancel()
        out, err = (path.read_text(encoding="utf-8") for path in output)
    return subprocess.CompletedProcess(["-c", *arguments], int(ended[1]), out, err)


def _heard(word: str) -> list[str]:
    """What the nursery says next that begins with that word, without it."""
    nursery = _nursery()
    assert nursery.stdout is not None
    while (said := nursery.stdout.readline().split())[0] != word:
        pass
    return said[1:]


@cache
def _nursery() -> subprocess.Popen[str]:
    """What forks them; it ends with this process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("nursery.py"))], env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip

    # It ends when nobody can ask any more.
    atexit.register(found.__exit__, None, None, None)
    return found
