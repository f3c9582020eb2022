"""Medians of whole processes, taken in turns so that a slow spell of the machine hits all alike.

They keep what they have compiled, as installed programs do, whatever is set here: each command runs
once before it is timed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress


def medians(
    commands: Mapping[str, Sequence[str]], runs: int = 21, terminal: Collection[str] = ()
) -> dict[str, float]:
    """The median wall time of each command, in seconds; some of them write to a terminal."""
    found: dict[str, list[float]] = {name: [] for name in commands}
    for command in commands.values():
        _into_nothing(command)
    for _ in range(runs):
        for name, command in commands.items():
            timed = _on_terminal if name in terminal else _into_nothing
            found[name].append(timed(command))
    return {name: statistics.median(times) for name, times in found.items()}


def _into_nothing(command: Sequence[str]) -> float:
    start = time.perf_counter()
    # A name that isn't found is an answer too.
    nothing = subprocess.DEVNULL
    subprocess.run(command, check=False, stdout=nothing, stderr=nothing, env=_environment())
    return time.perf_counter() - start


def _on_terminal(command: Sequence[str]) -> float:
    reading, writing = os.openpty()
    reader = threading.Thread(target=_drain, args=[reading])
    reader.start()
    start = time.perf_counter()
    subprocess.run(command, check=False, stdout=writing, env=_environment(TERM="xterm"))
    taken = time.perf_counter() - start
    os.close(writing)
    reader.join()
    os.close(reading)
    return taken


def _environment(**more: str) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | more


def _drain(reading: int) -> None:
    """Read until the other end is closed, which Linux tells as an error."""
    with suppress(OSError):
        while os.read(reading, 65536):
            pass
