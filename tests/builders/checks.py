"""A check and its job, with what a test doesn't care about filled in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msmap.model import Check
from msmap.verify.plan.job import Job, make

X = {"shape": [2, 3], "dtype": "float32"}
_CHECK = Check(
    id="case", torch="torch.abs(x)", mindspore="mindspore.ops.abs(x)", ported=True,
    target="mindspore.ops.abs", inputs={}, expect="same", gives={}, gradient=True, modes=(),
    rtol=None, atol=None, why=None, raises=None, hash="0", evidence=(),
)  # fmt: skip


def check(**changes: Any) -> Check:
    """A check of ``torch.abs`` without inputs."""
    return replace(_CHECK, **changes)


def job(**changes: Any) -> Job:
    """A job of ``torch.abs`` on a small matrix ``x``."""
    return replace(make("torch.abs", check(inputs={"x": X})), **changes)
