"""Copies that share memory in one of the frameworks: written as in PyTorch, or said in the file."""

from __future__ import annotations

import ast
from dataclasses import replace

from msmap.infer.uses import Use
from msmap.infer.values.lattice import UNKNOWN, is_tensor
from msmap.model import Record, Text
from msmap.port import arguments as values
from msmap.port import targets
from msmap.port.arguments import Argument
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

# They copy a tensor in PyTorch, and share its memory in MindSpore.
_COPYING = {"torch.tensor": "data", "torch.Tensor.new_tensor": "data"}


@rule(Phase.ARGUMENTS, modes=SOURCES)
def of_argument(
    work: Rewriter, use: Use, record: Record, given: targets.Arguments
) -> targets.Arguments:
    """The arguments of a call that copies its tensor, which MindSpore's doesn't."""
    name = _COPYING.get(record.torch)
    if name is None:
        return given
    if given.positional:
        first, *rest = given.positional
        return replace(given, positional=(_copied(work, first), *rest))
    if name not in given.keywords:
        return given
    return replace(given, keywords={**given.keywords, name: _copied(work, given.keywords[name])})


def _copied(work: Rewriter, given: Argument) -> Argument:
    """A copy of a tensor that something else holds."""
    node = given.node
    if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        return given
    if not is_tensor(work.resolver.reading.given.get(node, UNKNOWN)):
        return given
    return values.argument(f"{values.embedded(given.text, False, True)}.copy()", given.by)


@rule(Phase.NAMES, modes=SOURCES)
def port(work: Rewriter) -> None:
    """Write copies of tensors, and say where memory is shared in one of the frameworks only."""
    reading = work.resolver.reading
    for node in work.source.nodes.of(ast.Call):
        if _leaf(node) == "deepcopy" and node not in reading.uses and _is_plain(work, node):
            on = values.embedded(work.changes.text(node.args[0]), False, True)
            work.changes.put(node, f"{on}.copy()")
    for node, how in reading.shared.items():
        if how == "shared":
            _tell_shared(work, node)
        else:
            _tell_copied(work, node)


def _leaf(node: ast.Call) -> str:
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _is_plain(work: Rewriter, node: ast.Call) -> bool:
    """Whether a tensor is copied that is no parameter: a copy of that has memory of its own."""
    found = work.resolver.reading.values.get(node)
    if found is None or not is_tensor(found) or len(node.args) != 1 or node.keywords:
        return False
    return getattr(found, "name", "") == "torch.Tensor" and not getattr(found, "optional", False)


def _tell_shared(work: Rewriter, node: ast.Call) -> None:
    text = _leaf(node)
    given = work.source.text(node.args[0]) if node.args else ""
    work.warn(
        node,
        Text(
            f"{text}: the result shares the memory of the tensors in {given} in MindSpore, and they"
            f" are changed in place; PyTorch copies them. Copy each tensor: x.copy()",
            f"{text}：MindSpore 中其结果与 {given} 中的张量共享内存，而它们会被原地修改；"
            f"PyTorch 会复制这些张量。请逐个复制张量：x.copy()",
        ),
        _about(work, node),
    )


def _tell_copied(work: Rewriter, node: ast.Call) -> None:
    on = node.args[0] if node.args else getattr(node.func, "value", node)
    text, given = _leaf(node), work.source.text(on)
    work.warn(
        node,
        Text(
            f"{text}: the result shares the memory of {given} in PyTorch, and one of them is"
            f" changed in place; MindSpore copies it. Make the same change to both",
            f"{text}：PyTorch 中其结果与 {given} 共享内存，而其中之一会被原地修改；"
            f"MindSpore 会复制。请对两者做同样的修改",
        ),
        _about(work, node),
    )


def _about(work: Rewriter, node: ast.Call) -> str:
    use = work.uses.get(node)
    return use.names[0] if use is not None else "torch.clone"
