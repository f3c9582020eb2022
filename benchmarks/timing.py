"""Medians of whole processes, taken in turns so that a slow spell of the machine hits all alike."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence


def medians(commands: Mapping[str, Sequence[str]], runs: int = 21) -> dict[str, float]:
    """The median wall time of each command, in seconds."""
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            found[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in found.items()}
