"""Indices that NumPy makes: MindSpore's tensors take none, and its loaders give datasets such."""

from __future__ import annotations

import ast

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.infer.values import datasets
from msmap.infer.values.lattice import (
    ARRAY,
    CONTAINER,
    FILE,
    OTHER,
    Class,
    Entry,
    Function,
    Items,
    Keyed,
    Mapped,
)
from msmap.model import Record
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.CLASS)
def of_dataset(work: Rewriter, use: Use) -> None:
    """A dataset's index becomes Python's own before anything is done with it.

    Raises nothing: where the code takes other indices too, it is told at the parameter.
    """
    if use.names[0] != datasets.DATASET:
        return
    assert isinstance(use.receiver, Class)
    entry = use.receiver.entry
    made = entry.members.get("__getitem__")
    if not isinstance(made, Function) or not isinstance(made.node, ast.FunctionDef):
        return
    name = datasets.index(made.node)
    if not name or datasets.is_single(made.node) or not _may_fail(work, entry, made.node, name):
        return
    asked = datasets.asking(made.node)
    if asked is not None and datasets.listing(made.node, asked):
        # NumPy's integers have it as well, and give Python's own.
        work.changes.put(asked, f'hasattr({name}, "tolist")')
        return
    if asked is not None:
        work.refuse(
            asked,
            Refused(
                "value",
                f"{name}: MindSpore's GeneratorDataset gives NumPy's integers, which its tensors"
                f" don't take; write {name} = int({name}) where it is a single number",
                f"{name}：GeneratorDataset 传入的是 NumPy 整数，而 MindSpore 的 Tensor 不接受；"
                f"若为单个整数，请写 {name} = int({name})",
            ),
        )
        return
    _convert(work, made.node, name)


def _may_fail(work: Rewriter, entry: Entry, node: ast.FunctionDef, name: str) -> bool:
    """Whether an index may get to a tensor: it does more than take items of what is none."""
    within = {id(one.slice): one.value for one in ast.walk(node) if isinstance(one, ast.Subscript)}
    used = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == name]
    return any(not _is_other(work, entry, within.get(id(one))) for one in used)


def _is_other(work: Rewriter, entry: Entry, on: ast.expr | None) -> bool:
    """Whether an attribute of the dataset is proved to be no tensor."""
    if not (isinstance(on, ast.Attribute) and isinstance(on.value, ast.Name)):
        return False
    found = work.resolver.reading.field(entry, on.attr) if on.value.id == "self" else None
    return found in (ARRAY, OTHER, FILE, CONTAINER) or isinstance(found, Items | Keyed | Mapped)


def _convert(work: Rewriter, node: ast.FunctionDef, name: str) -> None:
    """Write it before the first statement that does something."""
    source = work.source
    body = node.body[1:] if ast.get_docstring(node, clean=False) and node.body[1:] else node.body
    begin = source.span(body[0])[0]
    line = source.line_span(begin)[0]
    indent = work.changes.indent(begin)
    if indent.strip():
        work.changes.add(begin, begin, f"{name} = int({name}); ")
    else:
        work.changes.add(line, line, f"{indent}{name} = int({name})\n")
    work.records.append(datasets.DATASET)


@rule(Phase.INSTEAD)
def index(work: Rewriter, use: Use, record: Record) -> bool:
    """Write an index of a tensor that NumPy gave, or may have given."""
    if use.how != "operator" or use.seen not in ("array", "index"):
        return False
    (_write if use.seen == "array" else _tell)(work, use)
    return True


def _write(work: Rewriter, use: Use) -> None:
    """What NumPy gave is an index of a tensor: it becomes a tensor itself."""
    assert isinstance(use.node, ast.expr)
    work.write(use, f"mindspore.tensor({work.changes.text(use.node)})", True)
    work.records.append(use.names[0])


def _tell(work: Rewriter, use: Use) -> None:
    """In a dataset it isn't known what an index of a tensor is: NumPy may have chosen it."""
    text = work.source.text(use.node)
    work.refuse(
        use.node,
        Refused(
            "value",
            f"{text}: an index of a tensor that NumPy may have made, and MindSpore's tensors take"
            f" none of NumPy's integers; write int({text}) where it is a single number",
            f"{text}：该 Tensor 索引可能是 NumPy 整数，而 MindSpore 的 Tensor 不接受；"
            f"若为单个整数，请写 int({text})",
        ),
    )
