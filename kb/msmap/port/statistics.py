"""Running statistics: parameters in MindSpore, buffers in PyTorch; which models may hold them."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from msmap.code.source import Source
from msmap.code.uses import Use
from msmap.code.values import Instance
from msmap.model import Record

if TYPE_CHECKING:
    from msmap.port.session import Rewriter

# Layers that keep them, and functions that make such layers.
_KEEPING = ("BatchNorm", "InstanceNorm")
# Packages that make no models but those of torch.nn's own layers.
_CLOSED = sys.stdlib_module_names | {"torch", "numpy", "np", "matplotlib", "tqdm"}


def target(work: Rewriter, use: Use, record: Record) -> str | None:
    """The key of the target that leaves the statistics out, where a model may hold any."""
    other = {c.target for c in record.caveats if c.when is not None and c.when.on == "statistics"}
    node = use.node
    given = isinstance(node, ast.Call) and (node.args or node.keywords)
    if not other or given or work.resolver.own:
        return None
    if not work.around.may_hold_statistics(node):
        return None
    return next((t.key for t in record.targets if t.key not in other), None)


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
