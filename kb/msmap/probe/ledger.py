"""Probes kept while others run: what a killed run loses is little."""

from __future__ import annotations

import time
from collections.abc import Collection
from pathlib import Path

from msmap.evidence import probes
from msmap.probed import Probe

# What is lost at most; writing takes longer the more the file has.
_EVERY_SECONDS = 30.0


class Ledger:
    """What is found in one environment; its file, if there is one, is brought up to date.

    Args:
        path: the file; None keeps nothing.
        known: the names that PyTorch has.
    """

    def __init__(self, path: Path | None, known: Collection[str]) -> None:
        self.path, self.known = path, known
        self.probes: list[Probe] = []
        self.kept = 0
        self.last = time.monotonic()

    def current(self) -> dict[str, Probe]:
        """What is kept of each name."""
        if self.path is None or not self.path.exists():
            return {}
        # What can't be read has to run again.
        return probes.read(self.path, [])

    def add(self, probe: Probe) -> None:
        """Take a probe in; write if the last time is long ago."""
        self.probes.append(probe)
        if time.monotonic() - self.last >= _EVERY_SECONDS:
            self.write()

    def write(self) -> None:
        """Bring the file up to date, whole or not at all."""
        if self.path is not None and len(self.probes) > self.kept:
            probes.merge(self.path, self.probes, self.known)
        self.kept = len(self.probes)
        self.last = time.monotonic()
