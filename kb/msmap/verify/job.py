"""A check as it travels to the process that runs it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from msmap.model import Check, State


@dataclass(frozen=True, slots=True)
class Job:
    """All that a child needs to run one check."""

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

    def dumps(self) -> str:
        """The job as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, line: str) -> Job:
        """The job in a line of JSON."""
        data = json.loads(line)
        return cls(**data | {"modes": tuple(data["modes"]), "state": tuple(data["state"])})


def make(owner: str, check: Check, state: Iterable[State] = ()) -> Job:
    """The job of a check; ``state`` maps the parameters of a layer."""
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
        state=tuple({"torch": s.torch, "mindspore": s.mindspore, "value": s.value} for s in state),
    )


def array(name: str, spec: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The NumPy array of an input, the same on every run: seeded by its name.

    Floats are standard normal, or uniform between ``low`` and ``high``; integers uniform from
    ``low`` (0) to below ``high`` (10). bfloat16, which NumPy lacks, comes as float32.
    """
    dtype = np.dtype("float32" if spec["dtype"] == "bfloat16" else spec["dtype"])
    if "values" in spec:
        return np.array(spec["values"], dtype=dtype)
    shape = tuple(spec["shape"])
    random = np.random.default_rng(zlib.crc32(name.encode()))
    if dtype.kind == "b":
        return np.asarray(random.integers(0, 2, shape), dtype=dtype)
    if dtype.kind in "iu":
        low, high = int(spec.get("low", 0)), int(spec.get("high", 10))
        return np.asarray(random.integers(low, high, shape), dtype=dtype)
    if "low" in spec or "high" in spec:
        values = random.uniform(spec.get("low", 0.0), spec.get("high", 1.0), shape)
    else:
        values = random.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return np.asarray(values, dtype=dtype)
