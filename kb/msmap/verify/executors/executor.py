"""What runs jobs, and what its processes say to each other: a line of JSON a message.

The executor hands a ``Task`` to a zygote, which says ``Ready`` or ``Failed``, then ``Started`` and
``Finished``. A forked child says to the zygote what ``Said`` lists.
"""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from functools import cache
from typing import Any, Protocol

from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.model import Finding
from msmap.verify.plan.job import Job
from msmap.vocabulary import CHANCE, OUTCOMES

Todo = Mapping[Environment, Sequence[Job]]


class Executor(Protocol):
    """Runs jobs, here or elsewhere, in one environment or in several."""

    @property
    def environments(self) -> tuple[Environment, ...]:
        """What it has to run jobs in."""

    @property
    def width(self) -> int:
        """How many jobs run at a time."""

    def run(self, todo: Todo) -> Generator[tuple[Environment, Line], None, None]:
        """Run the jobs of each environment; each outcome comes as soon as it is there.

        Raises:
            CannotVerify: a framework is missing or broken, or nobody is there to run them.
        """


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of a part of a job, as a line of evidence has it.

    ``shaken`` and ``doubtful`` as in ``trial.child``.
    """

    outcome: str
    message: str = ""
    reason: str = ""
    gradient: str = ""
    torch_gave: str = ""
    mindspore_gave: str = ""
    shaken: bool = False
    doubtful: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the check or the variant showed what was to be shown, and left no doubt."""
        if self.shaken or self.doubtful or self.message in CHANCE:
            return False
        return self.outcome in ("agrees", "diverges_documented") or (
            self.outcome in OUTCOMES and OUTCOMES[self.outcome].agrees
        )

    def line(self, job: Job, variants: Mapping[str, Result]) -> Line:
        """The line of evidence of a job whose check came out like this."""
        found = {name: Finding(**result._fields("reason", "gradient"))
                 for name, result in variants.items()}  # fmt: skip
        if OUTCOMES[self.outcome].agrees:
            forward_only = self.outcome == "verified_forward_only"
            found[""] = Finding("forward_only" if forward_only else "agrees")
        found |= {name: found[like] for name, like in job.twins.items() if like in found}
        found.pop("", None)
        return Line(job.owner, job.check, job.hash, **self._fields(), variants=found)

    def _fields(self, *without: str) -> dict[str, Any]:
        return {k: v for k, v in asdict(self).items() if k not in (*without, "shaken", "doubtful")}


@dataclass(frozen=True, slots=True)
class Task:
    """A job for a zygote, without the parts that must not run: they would take it down."""

    job: Job
    skip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ready:
    """A zygote has imported both frameworks; ``device`` is the one that MindSpore runs on."""

    torch: str
    mindspore: str
    device: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A zygote can't import a framework."""

    message: str


@dataclass(frozen=True, slots=True)
class Started:
    """A zygote takes up a job, or a part of it."""

    owner: str
    check: str
    part: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A zygote is through with a job: what came out of the check and of its variants."""

    owner: str
    check: str
    result: Result
    variants: dict[str, Result] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """A child is about to run a part, and waits to be heard."""

    name: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of the part that a child named last."""

    result: Result


@dataclass(frozen=True, slots=True)
class Again:
    """A part counts only if it comes out like this in a new child, where nothing ran before."""

    name: str


@dataclass(frozen=True, slots=True)
class Rest:
    """The parts that are left are for a new child."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The parts of a job can't be made."""

    message: str


@dataclass(frozen=True, slots=True)
class End:
    """A child is through with all parts of a job; ``clean`` if another job may run there."""

    clean: bool = False


Answer = Ready | Failed | Started | Finished
Said = Part | Outcome | Again | Rest | Broken | End
_KINDS: dict[str, Any] = {
    kind.__name__: kind for kind in (Task, *typing.get_args(Answer), *typing.get_args(Said))
}


def dumps(message: Task | Answer | Said) -> str:
    """A message as one line of JSON."""
    return json.dumps([type(message).__name__, asdict(message)]) + "\n"


def loads(line: str | bytes) -> Any:
    """The message in a line of JSON; code under check may have written it.

    Raises:
        ValueError: it is none.
    """
    try:
        match json.loads(line):
            case [str(kind), dict(fields)] if kind in _KINDS:
                return _made(_KINDS[kind], fields)
    except RecursionError:
        pass
    raise ValueError("no message")


def _made(kind: Any, fields: dict[str, Any]) -> Any:
    hints = _hints(kind)
    if fields.keys() != hints.keys():
        raise ValueError(f"not the fields of {kind.__name__}")
    return kind(**{name: _value(hints[name], value) for name, value in fields.items()})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _value(hint: Any, value: Any) -> Any:
    """What JSON has of a value of some type."""
    if is_dataclass(hint):
        return _made(hint, value if isinstance(value, dict) else {})
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is dict and isinstance(value, dict):
        return {key: _value(inner[1], item) for key, item in value.items()}
    if origin is tuple and isinstance(value, list):
        return tuple(_value(inner[0], item) for item in value)
    plain = hint if origin in (None, types.UnionType) else origin
    if hint is not Any and not isinstance(value, plain):
        raise ValueError(f"{type(value).__name__} for {hint}")
    return value
