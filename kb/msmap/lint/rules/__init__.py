"""All rules; importing this package registers them."""

from __future__ import annotations

from msmap.lint.rule import RULES
from msmap.lint.rules import (
    announced,
    checks,
    claims,
    families,
    guides,
    mistakes,
    parameters,
    proofs,
    repeated,
    samples,
    siblings,
    texts,
)

__all__ = [
    "RULES",
    "announced",
    "checks",
    "claims",
    "families",
    "guides",
    "mistakes",
    "parameters",
    "proofs",
    "repeated",
    "samples",
    "siblings",
    "texts",
]
