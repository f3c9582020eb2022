"""Running statistics: parameters in MindSpore, buffers in PyTorch; which models may hold them."""

from __future__ import annotations

import ast
import sys

from msmap.code.source import Source
from msmap.infer.uses import Use
from msmap.infer.values.lattice import Instance

# Layers that keep them, and functions that make such layers.
_KEEPING = ("BatchNorm", "InstanceNorm")
# Packages that make no models but those of torch.nn's own layers.
_CLOSED = sys.stdlib_module_names | {"torch", "numpy", "np", "matplotlib", "tqdm"}


def may_hold(source: Source, use: Use | None, alone: bool) -> bool:
    """Whether the code leaves it open that a model holds running statistics.

    Args:
        source: what the use stands in; a file that makes its models, out of PyTorch's layers only,
            shows what they hold.
        use: a method of the model.
        alone: whether no other file of a project may bring the model.
    """
    if not alone or use is None or source.mentions(*_KEEPING):
        return True
    made = isinstance(use.receiver, Instance) and not use.receiver.guessed
    imports = source.nodes.of(ast.Import, ast.ImportFrom)
    return not made or not all(map(_is_closed, imports))


def _is_closed(node: ast.AST) -> bool:
    """Whether an import brings no models of other packages and files."""
    if isinstance(node, ast.ImportFrom):
        names = [node.module or ""] if not node.level else [""]
    else:
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
    return all(name.partition(".")[0] in _CLOSED and "hub" not in name for name in names)
