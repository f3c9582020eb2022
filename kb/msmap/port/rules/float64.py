"""Numbers beside tensors of float64: written as tensors of float64, which nothing rounds."""

from __future__ import annotations

import ast

from msmap.code.tree import children
from msmap.infer import float64
from msmap.infer.values.lattice import Function
from msmap.model import Text
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_TENSOR = "torch.Tensor"
_ROUNDED = Text(
    "a call passes a float64 tensor to this module: a Python number beside float64 is rounded to"
    " float32. If this is float64, write the number as mindspore.Tensor(0.7, mindspore.float64)",
    "有调用向此模块传入 float64 张量：与 float64 一起运算的 Python 标量会先舍入到 float32。"
    "若此处为 float64，请把数值写成 mindspore.Tensor(0.7, mindspore.float64)",
)


@rule(Phase.PREPARE, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Write each of them so, ahead of the calls and operators that they stand in."""
    for node in work.resolver.reading.exact:
        text = work.source.text(node)
        work.changes.put(node, f"mindspore.Tensor({text}, mindspore.float64)")


@rule(Phase.LAYERS, modes=Mode.FILE)
def tell(work: Rewriter) -> None:
    """Say of modules that are called with float64 where their numbers may be rounded.

    Others may call them with float32, so the numbers stay.
    """
    reading = work.resolver.reading
    for entry in dict.fromkeys(reading.modules.values()):
        forward = entry.member("forward")
        if not isinstance(forward, Function) or forward.home is not reading:
            continue
        said: set[ast.AST] = set()
        for node in float64.rounded_in(forward.node):
            if node not in said and reading.exact.isdisjoint(children(node)):
                work.warn(node, _ROUNDED, _TENSOR)
                # Once for what is one expression.
                said.update(ast.walk(node))
