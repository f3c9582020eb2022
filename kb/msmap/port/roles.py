"""Calls that turn gradients off."""

from __future__ import annotations

import ast
from collections.abc import Mapping

# What each of them is given where it turns gradients off, besides nothing.
_WITHOUT_GRADIENTS: Mapping[str, tuple[bool, ...]] = {
    "torch.no_grad": (),
    "torch.inference_mode": (True,),
    "torch.set_grad_enabled": (False,),
}


def turns_off(node: ast.AST, name: str) -> bool:
    """Whether a call of PyTorch's turns gradients off, whatever the code is given."""
    known = _WITHOUT_GRADIENTS.get(name)
    if known is None or not isinstance(node, ast.Call):
        return False
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not given:
        return name != "torch.set_grad_enabled"
    return all(isinstance(one, ast.Constant) and one.value in known for one in given)
