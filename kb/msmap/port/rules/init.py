"""Initialisers fill a tensor in place: MindSpore's fill a parameter, and nothing else."""

from __future__ import annotations

import ast
from dataclasses import replace

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.infer.values.lattice import BASES, Instance
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port import parameter_names
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import Arguments

_INITIALISERS = "torch.nn.init."
_FILLED = "tensor"
_DATA = ".data"
# What has an element or a part of a tensor, or a tensor that nobody has yet.
_PARTS = (ast.Subscript, ast.Call)


@rule(Phase.ARGUMENTS, modes=SOURCES)
def of_parameter(work: Rewriter, use: Use, record: Record, arguments: Arguments) -> Arguments:
    """The arguments of an initialiser, by which the parameter itself is filled: no ``.data``.

    Raises:
        Refused: what is filled is no parameter.
    """
    if not record.torch.startswith(_INITIALISERS):
        return arguments
    filled = arguments.keywords.get(_FILLED, next(iter(arguments.positional), None))
    if filled is None:
        return arguments
    node = filled.node
    while isinstance(node, ast.Attribute) and filled.text.endswith(_DATA):
        filled = replace(filled, text=filled.text.removesuffix(_DATA), node=node.value)
        node = filled.node
    if parameter_names.is_named(filled.text):
        filled = replace(filled, watched=True)
    elif isinstance(node, _PARTS) or _is_plain(work, use, node):
        raise Refused(
            "argument",
            f"{record.torch}: `{filled.text}` is no parameter, and MindSpore's initialisers fill"
            " parameters alone; assign mindspore.common.initializer.initializer(init, shape,"
            " dtype).init_data() to it",
            f"{record.torch}：`{filled.text}` 不是 Parameter，"
            "而 MindSpore 的初始化器只能填充 Parameter；"
            "请将 mindspore.common.initializer.initializer(init, shape, dtype).init_data() 赋给它",
        )
    if isinstance(node, ast.Attribute) and values.is_steady(node.value):
        filled = parameter_names.any_layer(work, filled, node)
    if _FILLED in arguments.keywords:
        return replace(arguments, keywords=arguments.keywords | {_FILLED: filled})
    return replace(arguments, positional=(filled, *arguments.positional[1:]))


def _is_plain(work: Rewriter, use: Use, node: ast.expr | None) -> bool:
    """Whether a name is proved to be of a tensor that the code made, of no parameter."""
    if not isinstance(node, ast.Name) or work.is_parameter(use, node):
        return False
    found = work.resolver.reading.given.get(node)
    if isinstance(found, Instance):
        return not found.guessed and found.name == BASES["tensor"]
    place = work.places.get(use.statement) if use.statement is not None else None
    made = place[0].bindings.get(node.id, ()) if place is not None else ()
    return any(_is_written(work, one) for one in made)


def _is_written(work: Rewriter, node: ast.stmt) -> bool:
    """Whether an earlier run wrote what a statement sets to a tensor, and to no parameter."""
    value = node.value if isinstance(node, ast.Assign) else None
    if not isinstance(value, ast.Call):
        return False
    name = work.source.text(value.func)
    return name.startswith(_WRITTEN) and not name.endswith("Parameter")


_WRITTEN = ("mindspore.", "mint.", "ops.")
