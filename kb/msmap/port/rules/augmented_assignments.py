"""``x += y`` of a tensor that others refer to: they see it in the port, or the file says so."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from msmap.infer.uses import Use
from msmap.model import Record, Text
from msmap.port import caveats, targets
from msmap.port.arguments import Argument
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

# Records refuse an item, which may be a slice: here it is known what it is.
_STAND_IN = ast.Name("made", ast.Load())


@rule(Phase.INSTEAD)
def assignment(work: Rewriter, use: Use, record: Record) -> bool:
    """Change the tensor itself, or what it is a view of."""
    node = use.node
    if use.how != "operator" or not isinstance(node, ast.AugAssign):
        return False
    if use.seen == "maybe":
        _warn(work, use)
        return True
    on = work.argument(node.target, "position")
    right = work.argument(node.value, "position")
    given = targets.Arguments((right,), {}, replace(on, node=_STAND_IN))
    done = targets.write(record, given)
    text = done.text
    if use.seen in _INDICES:
        text = _through(text, on, use.seen)
    work.records.append(record.torch)
    work.targets.append((record.torch, done.target.key))
    work.notes += done.notes
    found = caveats.bites(record, done.target, done.bound, node, work.around, work.facts.device)
    found = [bite for bite in found if bite.on != "view"]
    if found:
        work.bites[node] = (record, found)
        work.notes += caveats.told(record, found)
    work.written[node] = (record, done.target)
    work.put(use, text, True)
    return True


def _through(text: str, on: Argument, place: str) -> str:
    """The same as an assignment, which writes into what a view is of.

    ``[...]`` reaches it through an index, and is right for an element too; through other views only
    ``[:]`` does. ``[()]`` always does, and is right for what is no view.
    """
    match = re.fullmatch(rf"{re.escape(on.text)}\.copy_\((.*)\)", text, re.DOTALL)
    assert match is not None, "the records of augmented assignments are written so"
    value = match[1]
    return f"{on.text}[{_INDICES[place]}] = {value}"


# By what all of a tensor is written to.
_INDICES = {"part": "...", "view": ":", "any": "()"}


def _warn(work: Rewriter, use: Use) -> None:
    """Say that a tensor would be changed for all who refer to it."""
    node = use.node
    assert isinstance(node, ast.AugAssign)
    target, statement = work.source.text(node.target), work.source.text(node)
    if "\n" in statement:
        statement = f"{target} {_SIGNS[type(node.op)]}= ..."
    value = work.source.text(node.value)
    value = "(...)" if "\n" in value else value if _is_tight(node.value) else f"({value})"
    write = f"{target}[()] = {target} {_SIGNS[type(node.op)]} {value}"
    work.warn(
        node,
        Text(
            f"if {target} is a tensor, {statement} changes it for everything that refers to it in"
            f" PyTorch, but binds only {target} to a new tensor in MindSpore; write {write}",
            f"若 {target} 为张量，PyTorch 中 {statement} 会原地修改，所有引用它的对象都会看到；"
            f"MindSpore 只让 {target} 指向新张量。请写 {write}",
        ),
        use.names[0],
    )


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>",
}  # fmt: skip


def _is_tight(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Attribute | ast.Subscript)
