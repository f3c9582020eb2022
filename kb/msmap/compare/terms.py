"""The words of a comparison, and what it asks of those who know the records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from msmap.model import Caveat, Text
from msmap.recording.model import Call

# Where numbers can part, in the order in which they do.
STAGES = (
    "inputs", "layers", "state", "mode", "arguments", "forward", "loss", "gradient", "optimizer",
    "buffers", "parameters",
)  # fmt: skip
VERDICTS = ("agrees", "differs", "incomplete")
# What nothing is to be said of.
FINE = ("agrees", "unknown", "absent")


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a layer that isn't what the record makes of PyTorch's."""

    torch: str
    mindspore: str
    torch_value: Any
    expected: Any
    found: Any


@dataclass(slots=True)
class Cause:
    """A caveat of a record that explains a difference.

    ``shown_by`` says how: the ``arguments`` of both sides, which another ``form`` of the operation
    has too, the ``mode`` they ran in, the ``state`` they began with, or ``unproved`` where it only
    may. ``checks`` are those of the record, with what came out where they were run.
    """

    record: str
    caveat: str
    impact: str
    parameter: str
    shown_by: str
    en: str
    zh: str
    checks: tuple[str, ...] = ()
    confirmed: str = ""


class Facts(Protocol):
    """What is asked of the records."""

    def rules(self, torch: str, mindspore: str) -> list[dict[str, Any]]:
        """The state mapping of a layer under a target, or under its best one."""

    def counterparts(self, torch: str) -> frozenset[str]:
        """The names of MindSpore that a name of PyTorch's may become."""

    def arguments(
        self, torch: str, given: dict[str, Any], mindspore: str, found: dict[str, Any]
    ) -> tuple[Argument, ...]:
        """The arguments that aren't what the record makes of PyTorch's."""

    def called(self, torch: Call, mindspore: Call, rank: int) -> tuple[Argument, ...]:
        """The same of calls of functions; ``rank`` is how many axes the first tensor has."""

    def caveats(self, torch: str, mindspore: str) -> tuple[Caveat, ...]:
        """The caveats of a record that hold for a target."""

    def becoming(self, torch: str, mindspore: str, parameter: str) -> frozenset[str]:
        """The parameters of PyTorch's that become one of MindSpore's."""

    def akin(self, torch: str, parameters: frozenset[str]) -> list[tuple[str, Caveat]]:
        """What the records of an operation's other forms say of parameters, with their names."""

    def section(self, guide: str, name: str) -> tuple[Text, tuple[str, ...]] | None:
        """What a section of a guide says, and its checks."""

    def named(self, torch: str) -> str:
        """The name of the record that tells of a name, "" if there is none."""


@dataclass(slots=True)
class Sizes:
    """How far two tensors are apart.

    ``status`` is ``agrees``, ``differs``, ``shape``, ``dtype``, ``broken`` (not a number, or
    infinite, on one side alone) or ``unknown``. ``largest`` is the largest difference,
    ``relative`` the root of the mean square of differences over that of the values, ``noise``
    PyTorch's own, likewise, ``ratio`` how many times the most that counts as agreement; ``kinks``
    is the same of a gradient with the few values that may be off.
    """

    status: str
    largest: float = 0.0
    relative: float = 0.0
    noise: float | None = None
    ratio: float = 0.0
    detail: str = ""
    kinks: float = 0.0


@dataclass(slots=True)
class Finding:
    """One thing that differs, and why as far as it is known; ``kind`` says what, within a stage.

    ``torch`` and ``mindspore`` are paths of layers, "" outside; ``what`` the name of a function,
    parameter or tensor. ``before`` is the last pair of layers that agrees.
    """

    stage: str
    kind: str
    step: int
    training: bool | None
    torch: str
    mindspore: str
    torch_name: str
    mindspore_name: str
    what: str
    sizes: Sizes | None
    en: str
    zh: str
    before: str = ""
    after: str = ""
    arguments: tuple[Argument, ...] = ()
    causes: list[Cause] = field(default_factory=list)
