"""Parameters of layers that may be of any class: MindSpore's classes call them otherwise."""

from __future__ import annotations

import ast
from dataclasses import replace

from msmap.code import arguments as values
from msmap.code.arguments import Argument
from msmap.code.refusal import Refused
from msmap.code.uses import Use
from msmap.code.values import UNKNOWN
from msmap.port.rewriter import Rewriter

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


def named(on: str, names: tuple[str, ...]) -> str:
    """The one of several attributes that an object has."""
    listed = ", ".join(f'"{name}"' for name in names)
    return f"getattr({on}, next(name for name in ({listed}) if hasattr({on}, name)))"
