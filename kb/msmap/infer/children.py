"""Layers that a module gets by a name: a Sequential calls all of them, whoever put them there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap.infer.values.classes import keep
from msmap.infer.values.lattice import (
    BASES,
    NONE,
    TENSOR,
    UNKNOWN,
    Instance,
    Object,
    Several,
    Value,
    instance,
    owner_kind,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

SEQUENCE = "torch.nn.Sequential"
# What any of these ways of putting a layer into a module is another way of writing.
ADD = "torch.nn.Module.add_module"
ADDING = (ADD, "torch.nn.Module.register_module")
CHILDREN = "torch.nn.Module.named_children"
# Where PyTorch's modules keep their layers.
KEPT = "_modules"
_JOINED = (SEQUENCE, "torch.nn.ModuleList")
# A file in which layers of a Sequential have names of their own has one of these words.
_NAMING = ("OrderedDict", "add_module", "register_module", "Sequential)")


def is_sequence(base: Value) -> bool:
    """Whether something is proved to be a Sequential."""
    if isinstance(base, Object):
        return base.entry.torch_base == SEQUENCE
    return isinstance(base, Instance) and set(base.classes) == {SEQUENCE}


def may_be_sequence(base: Value) -> bool:
    """Whether something may be a Sequential: any module, or what nothing is known of."""
    if isinstance(base, Instance) and base.owner == "module":
        return not {SEQUENCE, BASES["module"]}.isdisjoint(base.classes)
    return base is UNKNOWN or is_sequence(base)


def is_module(found: Value) -> bool:
    """Whether something is proved to be a module."""
    if isinstance(found, Object):
        return owner_kind(found.entry.torch_base) == "module"
    return isinstance(found, Instance) and found.owner == "module"


def _may_be_layer(found: Value) -> bool:
    if isinstance(found, Object):
        return is_module(found) or found.entry.is_open
    return found is UNKNOWN or isinstance(found, Several) or is_module(found)


def attribute_set(reading: Reading, target: ast.Attribute, base: Value, found: Value) -> None:
    """``base.name = found``."""
    if is_sequence(base):
        noted = _may_be_layer(found)
    elif base is UNKNOWN:
        # Whoever changes the last layer of a network that came from elsewhere means no Sequential.
        mine = isinstance(target.value, ast.Name) and target.value.id == "self"
        said = reading.source.mentions("Sequential") and reading.source.mentions(*_NAMING)
        noted = said and not mine and is_module(found)
    else:
        noted = may_be_sequence(base) and is_module(found)
    _note(reading, target, base, noted, found)


def set_by_name(reading: Reading, node: ast.Call, positional: list[Value]) -> None:
    """``setattr(base, name, found)``."""
    wanted = 3
    if len(node.args) != wanted or len(positional) != wanted:
        return
    base, _, found = positional
    either = may_be_sequence(base) and (is_module(found) or base is not UNKNOWN)
    _note(reading, node, base, either and _may_be_layer(found), found)


def added(reading: Reading, node: ast.Call, base: Object, names: tuple[str, ...]) -> None:
    """``base.add_module(name, layer)`` of an object of a class of the source."""
    if names[0] in ADDING and node in reading.uses:
        reading.uses[node].receiver = base


def deleted(reading: Reading, node: ast.expr, base: Value) -> None:
    """``del base.name``, ``del base[i]`` or ``delattr(base, name)``."""
    _note(reading, node, base, is_sequence(base), base)


def asked(reading: Reading, node: ast.Attribute, base: Value) -> None:
    """``base._modules``."""
    if is_module(base) or (base is UNKNOWN and not reading.own):
        reading.note(node, "kept", (CHILDREN,), base)


def joined(reading: Reading, node: ast.AST, left: Value) -> None:
    """``left + other``, ``left * number`` and the same in place."""
    if isinstance(left, Instance) and left.name in _JOINED and not reading.own:
        reading.note(node, "joined", (left.name,), left)


def registered(reading: Reading, node: ast.Call, function: ast.Attribute, base: Object) -> None:
    """What a module registers as a buffer is a tensor, and what as a parameter is one."""
    first = node.args[0] if node.args else None
    found = _REGISTERED.get(function.attr)
    if found is not None and base.entry.torch_base and isinstance(first, ast.Constant):
        given = reading.peek(node.args[1]) if len(node.args) > 1 else NONE
        keep(base.entry, str(first.value), NONE if given is NONE else found)


PARAMETER = instance("tensor", "torch.nn.Parameter")
_REGISTERED = {"register_buffer": TENSOR, "register_parameter": PARAMETER}


def _note(reading: Reading, node: ast.expr, base: Value, noted: bool, found: Value) -> None:
    if noted and not reading.own and not reading.quiet:
        reading.note(node, "child", (ADD,), base)
        if found is UNKNOWN and node in reading.uses:
            reading.uses[node].seen = "unproved"
