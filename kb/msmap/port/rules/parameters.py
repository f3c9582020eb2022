"""Parameters of layers that may be of any class: MindSpore's classes call them otherwise."""

from __future__ import annotations

import ast

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.port.mode import Mode
from msmap.port.parameter_names import NAMES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.USE, "unclear", modes=Mode.FILE)
def field(work: Rewriter, use: Use) -> None:
    """Say of a parameter that its name depends on the layer.

    Raises:
        Refused: always.
    """
    node = use.node
    if isinstance(node, ast.Call):
        on, name = ast.unparse(node.args[0]), str(getattr(node.args[1], "value", ""))
    else:
        assert isinstance(node, ast.Attribute)
        on, name = ast.unparse(node.value), node.attr
    own, *others = NAMES[name]
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
