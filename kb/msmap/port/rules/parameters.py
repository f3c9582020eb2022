"""Parameters of layers that may be of any class: MindSpore's classes call them otherwise."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from msmap.code import arguments as values
from msmap.code.arguments import Argument
from msmap.code.refusal import Refused
from msmap.code.uses import Use
from msmap.code.values import UNKNOWN
from msmap.model import Target
from msmap.port.session import Rewriter

# What MindSpore's layers call what PyTorch calls so, the commonest first.
_NAMES = {
    "weight": ("weight", "gamma", "embedding_table"),
    "bias": ("bias", "beta"),
    "running_mean": ("running_mean", "moving_mean"),
    "running_var": ("running_var", "moving_variance"),
}


def field(work: Rewriter, use: Use) -> None:
    """Say of a parameter that its name depends on the layer.

    Raises:
        Refused: always, but in a snippet.
    """
    if work.resolver.reading.snippet or work.resolver.own:
        return
    node = use.node
    if isinstance(node, ast.Call):
        on, name = ast.unparse(node.args[0]), str(getattr(node.args[1], "value", ""))
    else:
        assert isinstance(node, ast.Attribute)
        on, name = ast.unparse(node.value), node.attr
    own, *others = _NAMES[name]
    en, zh = " or ".join(others), "、".join(others)
    raise Refused(
        "possible",
        f"nothing proves which layer `{on}` is: `{name}` is {en} in MindSpore's norms"
        f"{' and Embedding' if name == 'weight' else ''}. Annotate it, as `{on}:"
        " torch.nn.LayerNorm`, or write the name of its class",
        f"无法证明 `{on}` 是哪种层：在 MindSpore 的归一化层"
        f"{'与 Embedding ' if name == 'weight' else ''}中 `{own}` 名为 {zh}。请注解其类型，"
        f"如 `{on}: torch.nn.LayerNorm`，或改写为该类所用的名称",
    )


def any_layer(work: Rewriter, filled: Argument, node: ast.Attribute) -> Argument:
    """A parameter of a layer of which nothing is known, under the name that the layer has for it.

    An initialiser takes nothing but parameters: what it is given is one of a layer's.
    """
    names = _NAMES.get(node.attr, ())
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
