"""What is wrong in data files, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from msmap.errors import MsmapError
from msmap.messages import Message, joined


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a data file; ``mend`` has the lines to paste or the command, if any."""

    path: Path
    line: int
    message: str
    rule: str = "schema"
    mend: str = ""

    @property
    def text(self) -> Message:
        """All of it as a message, and below it what mends it."""
        said = Message("{}:{}: {} [{}]", self.path, self.line, self.message, self.rule)
        return Message("{}\n{}", said, self.mend) if self.mend else said

    def __str__(self) -> str:
        return self.text


class DataError(MsmapError):
    """Data files that can't be loaded; ``problems`` lists what is wrong and where."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(joined("\n", [p.text for p in problems]))
        self.problems = problems
