"""A check as it travels to the process that runs it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from msmap.model import Check, State

# What a job expects whose variants count each, with no check that they are variants of; and what
# these may expect besides: that MindSpore raises too, or results of one shape and dtype.
EACH, RAISES, LIKE = "each", "raises-too", "same-form"


@dataclass(frozen=True, slots=True)
class Job:
    """All that a child needs to run one check, or a variant of it.

    ``derived`` marks a variant: its layers take the dtype of its inputs, and its code may have
    become random, as when a rate of 0 is left out. ``twins`` are variants that need no run, each
    with the one that has its sides and inputs, "" if that is the check itself.
    """

    owner: str
    check: str
    hash: str
    torch: str
    mindspore: str
    inputs: dict[str, dict[str, Any]]
    expect: str
    gives: dict[str, str]
    gradient: bool
    modes: tuple[str, ...]
    rtol: float | None
    atol: float | None
    raises: str | None
    state: tuple[dict[str, Any], ...]
    graph: bool = False
    derived: bool = False
    ranks: int = 0
    variants: tuple[dict[str, Any], ...] = ()
    twins: dict[str, str] = field(default_factory=dict)

    @property
    def is_varied(self) -> bool:
        """Whether anything is said of the check besides its own outcome."""
        return bool(self.variants or self.twins)

    def dumps(self) -> str:
        """The job as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, line: str) -> Job:
        """The job in a line of JSON."""
        data: dict[str, Any] = json.loads(line)
        lists = {k: tuple(v) for k, v in data.items() if isinstance(v, list)}
        return cls(**data | lists)

    def variant(self, variant: dict[str, Any]) -> Job:
        """The job of one of its variants: its own, with what the variant changes."""
        changes = {k: v for k, v in variant.items() if k not in ("name", "gradient")}
        gradient = self.gradient and variant["gradient"]
        return replace(self, **changes, gradient=gradient, derived=True, variants=(), twins={})


def make(
    owner: str,
    check: Check,
    state: Iterable[State] = (),
    variants: Iterable[dict[str, Any]] = (),
) -> Job:
    """The job of a check; ``state`` maps the parameters of a layer."""
    made = list(variants)
    return Job(
        owner=owner,
        check=check.id,
        hash=check.hash,
        torch=check.torch,
        mindspore=check.mindspore,
        inputs=check.inputs,
        expect=check.expect,
        gives=check.gives,
        gradient=check.gradient,
        modes=check.modes,
        rtol=check.rtol,
        atol=check.atol,
        raises=check.raises,
        ranks=check.ranks,
        state=tuple({"torch": s.torch, "mindspore": s.mindspore, "value": s.value} for s in state),
        variants=tuple(v for v in made if "like" not in v),
        twins={v["name"]: v["like"] for v in made if "like" in v},
    )
