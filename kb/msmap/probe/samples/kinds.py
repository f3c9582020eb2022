"""What is special about the inputs of a call."""

from __future__ import annotations

import ast
import itertools
from typing import Any

import numpy as np

from msmap.probe.samples.call import Known, fitting
from msmap.sample_words import KINDS
from msmap.verify.trial import inputs

Spec = dict[str, Any]
AXES = frozenset((
    "dim", "axis", "dim0", "dim1", "dim2", "dims", "axes", "axis0", "axis1", "start_dim",
    "end_dim", "source", "destination",
))  # fmt: skip


def of(code: str, specs: dict[str, Spec], known: Known) -> tuple[str, ...]:
    """Which of ``sample_words.KINDS`` the inputs of a call of a name are, in that order."""
    found = set().union(*(_kinds(name, spec) for name, spec in specs.items()))
    shapes = {inputs.array(name, spec).shape for name, spec in specs.items()}
    if any(_broadcast(*pair) for pair in itertools.combinations(sorted(shapes), 2)):
        found.add("broadcasting")
    if _from_the_end(code, known):
        found.add("negative-axis")
    return tuple(kind for kind in KINDS if kind in (found or {"plain"}))


def _kinds(name: str, spec: Spec) -> set[str]:
    array = inputs.array(name, spec)
    checks = {
        "0-d": array.ndim == 0,
        "empty": array.size == 0,
        "size-1": 1 in array.shape,
        "non-contiguous": spec.get("edge") == "non-contiguous",
        "nonfinite": array.dtype.kind in "fc" and not bool(np.isfinite(array).all()),
    }
    return {kind for kind, holds in checks.items() if holds}


def _broadcast(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two different shapes go together, neither being that of a single number."""
    if not one or not other:
        return False
    pairs = zip(reversed(one), reversed(other), strict=False)
    return all(a == b or 1 in (a, b) for a, b in pairs)


def _from_the_end(code: str, known: Known) -> bool:
    """Whether an argument for axes has a negative whole number."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            keywords = {str(k.arg): k.value for k in node.keywords}
            signature = fitting(known.signatures, len(node.args), frozenset(keywords))
            given = dict(zip(signature.names, node.args, strict=False)) | keywords
            if any(_negative(value) for name, value in given.items() if name in AXES):
                return True
    return False


def _negative(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple | ast.List):
        return any(_negative(item) for item in node.elts)
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
        and type(node.operand.value) is int
    )
