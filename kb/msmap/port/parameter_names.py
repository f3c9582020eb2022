"""What layers of any class call their parameters: MindSpore's classes call them otherwise."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from msmap.infer.uses import Use
from msmap.infer.values.lattice import UNKNOWN
from msmap.model import Target
from msmap.port import arguments as values
from msmap.port.arguments import Argument
from msmap.port.session import Rewriter

# What MindSpore's layers call what PyTorch calls so, the commonest first.
NAMES = {
    "weight": ("weight", "gamma", "embedding_table"),
    "bias": ("bias", "beta"),
    "running_mean": ("running_mean", "moving_mean"),
    "running_var": ("running_var", "moving_variance"),
}


def any_layer(work: Rewriter, filled: Argument, node: ast.Attribute) -> Argument:
    """A parameter of a layer of which nothing is known, under the name that the layer has for it.

    An initialiser takes nothing but parameters: what it is given is one of a layer's.
    """
    names = NAMES.get(node.attr, ())
    if work.resolver.reading.given.get(node, UNKNOWN) is not UNKNOWN or not names:
        return filled
    found = values.argument(named(work.changes.text(node.value), names), filled.by)
    # It is computed once, however often it is written.
    return replace(found, watched=True)


def one_of_several(work: Rewriter, use: Use, options: Mapping[str, Sequence[Target]]) -> bool:
    """Write a parameter of a layer that is of one of several classes under the name it has there.

    Args:
        work: the source.
        use: the parameter.
        options: the classes that the layer may be of, each with all that it became.

    Returns:
        Whether that is possible: each class has it, and the layer can be asked twice.
    """
    node = use.node
    assert isinstance(node, ast.Attribute)
    if not isinstance(node.ctx, ast.Load) or not values.is_steady(node.value) or work.resolver.own:
        return False
    names: dict[str, None] = {}
    for targets in options.values():
        for target in targets:
            found = next((s.mindspore for s in target.state if s.torch == node.attr), node.attr)
            if target.api is None or found is None or not found.isidentifier():
                return False
            names.setdefault(found)
    if not all(options.values()):
        return False
    if len(names) == 1:
        return False
    work.put(use, named(work.changes.text(node.value), tuple(names)), True)
    return True


def is_named(text: str) -> bool:
    """Whether a text is one that is written for a parameter of any layer."""
    return text.startswith("getattr(") and "next(name for name in (" in text


def named(on: str, names: tuple[str, ...]) -> str:
    """The one of several attributes that an object has."""
    listed = ", ".join(f'"{name}"' for name in names)
    return f"getattr({on}, next(name for name in ({listed}) if hasattr({on}, name)))"
