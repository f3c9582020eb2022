"""A check, its job and what came out of it, with what a test doesn't care about filled in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msmap.model import Check, Evidence, Finding
from msmap.verify.plan.job import Job, make

X = {"shape": [2, 3], "dtype": "float32"}
_CHECK = Check(
    id="case", torch="torch.abs(x)", mindspore="mindspore.ops.abs(x)", ported=True,
    target="mindspore.ops.abs", inputs={}, expect="same", gives={}, gradient=True, modes=(),
    ranks=0,    rtol=None, atol=None, why=None, raises=None, hash="0", evidence=(),
)  # fmt: skip

EVIDENCE = Evidence(
    environment="here", outcome="verified", reason="", message="", gradient="", torch_gave="",
    mindspore_gave="", variants={},
)  # fmt: skip


def check(**changes: Any) -> Check:
    """A check of ``torch.abs`` without inputs."""
    return replace(_CHECK, **changes)


def job(**changes: Any) -> Job:
    """A job of ``torch.abs`` on a small matrix ``x``."""
    return replace(make("torch.abs", check(inputs={"x": X})), **changes)


def ran(outcome: str, target: str = _CHECK.target, gradient: str = "", **variants: str) -> Check:
    """A check that ran here once, and its variants, named with ``_`` for ``-``."""
    found = {name.replace("_", "-"): Finding(said) for name, said in variants.items()}
    evidence = replace(EVIDENCE, outcome=outcome, gradient=gradient, variants=found)
    return check(target=target, evidence=(evidence,))
