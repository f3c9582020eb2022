"""What a comparison found, as it is printed, shown and written as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msmap.compare.terms import Finding, Sizes
from msmap.weights.report import Carried


@dataclass(frozen=True, slots=True)
class Side:
    """One recording."""

    source: str
    framework: str
    release: str
    device: str
    values: str
    steps: int
    layers: int


@dataclass(slots=True)
class Row:
    """A call of a pair of layers: how far inputs, outputs, and the gradient by outputs are apart.

    ``depth`` counts calls in the order in which they end.
    """

    step: int
    depth: int
    torch: str
    mindspore: str
    torch_name: str
    mindspore_name: str
    training: bool | None
    inputs: Sizes
    forward: Sizes
    gradient: Sizes


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was compared."""

    layers: int
    calls: int
    tensors: int
    agreeing: int
    parameters: int
    steps: int


@dataclass(slots=True)
class Compared:
    """What was compared, and what differs, the first first.

    ``verdict`` is ``agrees``, ``differs``, or ``incomplete`` where all that was compared agrees
    but something has no partner. ``broken`` is the first value that is not a number or infinite,
    on each side.
    """

    verdict: str
    torch: Side
    mindspore: Side
    counts: Counts
    findings: list[Finding] = field(default_factory=list)
    torch_alone: list[str] = field(default_factory=list)
    mindspore_alone: list[str] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    losses: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, str]] = field(default_factory=list)
    version: str = ""
    schema_version: int = 1

    @property
    def first(self) -> Finding | None:
        """The first thing that differs."""
        return self.findings[0] if self.findings else None


@dataclass(frozen=True, slots=True)
class Checked(Carried):
    """A checkpoint carried over, and both models compared with its weights, if they were run."""

    compared: Compared | None = field(default=None, kw_only=True)

    @property
    def agrees(self) -> bool:
        """Whether all was carried over, and both models give the same if they were run."""
        return self.is_whole and (self.compared is None or self.compared.verdict == "agrees")
