"""Evidence kept while checks run: what a killed run loses is little."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from msmap import model
from msmap.evidence import files
from msmap.evidence.files import Line
from msmap.model import Guide, Record

# What is lost at most; writing takes some 20 ms.
EVERY_LINES = 50
EVERY_SECONDS = 20.0


class Ledger:
    """What comes out in one environment; its evidence file, if there is one, is brought up to date.

    Args:
        path: the file; None keeps nothing.
        owned: the checks that each record or guide has now.
    """

    def __init__(self, path: Path | None, owned: dict[str, set[str]]) -> None:
        self.path, self.owned = path, owned
        self.lines: list[Line] = []
        self.kept = 0
        self.last = time.monotonic()

    def add(self, line: Line) -> None:
        """Take an outcome in; write if there are many, or the last time is long ago."""
        self.lines.append(line)
        many = len(self.lines) - self.kept >= EVERY_LINES
        if many or time.monotonic() - self.last >= EVERY_SECONDS:
            self.write()

    def write(self) -> None:
        """Bring the file up to date, whole or not at all."""
        if self.path is not None and len(self.lines) > self.kept:
            files.merge(self.path, self.lines, self.owned)
        self.kept = len(self.lines)
        self.last = time.monotonic()


def owned(records: Iterable[Record], guides: Iterable[Guide]) -> dict[str, set[str]]:
    """The checks that each record or guide has now."""
    found = model.owned(records, guides)
    return {owner: {check.id for check in checks} for owner, checks in found.items()}
