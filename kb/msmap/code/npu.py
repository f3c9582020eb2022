"""What torch_npu adds to PyTorch for Ascend: it follows what PyTorch has for CUDA, name by name."""

from __future__ import annotations

import ast
from collections.abc import Sequence

PACKAGE = "torch_npu"
# Its methods of tensors, modules and storages, and those of PyTorch's that they are like.
METHODS = {"npu": "cuda", "is_npu": "is_cuda"}
_SPACES = ("torch.npu", f"{PACKAGE}.npu")


def cuda(spelling: str) -> str:
    """A name as PyTorch has it: what torch_npu has for Ascend by the name that CUDA's has."""
    for space in _SPACES:
        if spelling == space or spelling.startswith(f"{space}."):
            return f"torch.cuda{spelling[len(space) :]}"
    return spelling


def is_meant(node: ast.AST, spelled: Sequence[str]) -> bool:
    """Whether a use of what is recorded by the name that CUDA's has is of torch_npu's.

    Args:
        node: the use.
        spelled: its names as they are spelled, but for methods.
    """
    if any(cuda(name) != name for name in spelled[:1]):
        return True
    return getattr(node.func if isinstance(node, ast.Call) else node, "attr", "") in METHODS


def ascend(text: str) -> str:
    """What is written of MindSpore for a name of CUDA's, for Ascend."""
    return text.replace("device_context.gpu.", "device_context.ascend.").replace(
        '"GPU"', '"Ascend"'
    )
