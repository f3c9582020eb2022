"""Losses that a GradScaler scales: gradients are unscaled, and none is taken that isn't finite."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msmap.infer.uses import Use
from msmap.infer.values.lattice import Instance, owner_kind
from msmap.port.session import Rewriter

_OWNER = "torch.amp.GradScaler."
SCALE, STEP, UNSCALE, UPDATE = (_OWNER + name for name in ("scale", "step", "unscale_", "update"))
# What has to do with gradients; to read the scale, or to keep it, changes none.
_WORK = (SCALE, STEP, UNSCALE, UPDATE)


# Why a step stays.
ELSEWHERE = (
    "a GradScaler scales more than the loss of this step",
    "GradScaler 缩放的不只是这一步的 loss",
)
STAYS = (
    "its GradScaler stays: see to that first, and port again",
    "其 GradScaler 保持原样：请先处理它再重新转写",
)
NO_UPDATE = (
    "no update() of the GradScaler follows in the same block",
    "同一代码块中没有 GradScaler 的 update()",
)
TOO_EARLY = (
    "gradients are clipped where they may be scaled still",
    "裁剪时梯度可能尚未还原",
)


def scaler_of(work: Rewriter, loss: ast.expr) -> ast.expr | None:
    """What scales a loss, if that is all that its expression does."""
    use = work.uses.get(loss)
    if not isinstance(loss, ast.Call) or not isinstance(loss.func, ast.Attribute):
        return None
    if use is None or not _is(use, SCALE) or len(loss.args) != 1 or loss.keywords:
        return None
    return loss.func.value


def perhaps(work: Rewriter, loss: ast.expr) -> str:
    """What may scale a loss, for all that is proved; "" if nothing may."""
    use = work.uses.get(loss)
    if not isinstance(loss, ast.Call) or not isinstance(loss.func, ast.Attribute):
        return ""
    may = use is not None and use.how == "possible" and SCALE in use.names
    return ast.unparse(loss.func.value) if may else ""


def calls(work: Rewriter, call: ast.Call | None, method: str, scaler: ast.expr) -> bool:
    """Whether a call is that of a method of a scaler."""
    use = work.uses.get(call) if call is not None else None
    if call is None or use is None or not _is(use, method):
        return False
    assert isinstance(call.func, ast.Attribute)
    return ast.dump(call.func.value) == ast.dump(scaler)


def optimizer_of(work: Rewriter, call: ast.Call) -> ast.expr | None:
    """The optimizer that a method of a scaler is given, and nothing else."""
    if len(call.args) != 1 or call.keywords:
        return None
    found = work.resolver.reading.given.get(call.args[0])
    is_one = isinstance(found, Instance) and found.owner == "optimizer" and not found.optional
    return call.args[0] if is_one else None


def is_work(use: Use) -> bool:
    """Whether a use has to do with scaled gradients."""
    return use.how != "possible" and not set(_WORK).isdisjoint(use.names)


def left(work: Rewriter) -> bool:
    """Whether some scaler stays PyTorch's, as far as it is seen where it is made."""
    canonical = work.resolver.reading.canonical
    made = (use for use in work.uses.values() if use.how == "call")
    scalers = (u.node for u in made if owner_kind(canonical(u.names[0]) or "") == "scaler")
    return any(one not in work.written for one in scalers)


def _is(use: Use, method: str) -> bool:
    return use.how == "method" and method in use.names


def orderly(
    nodes: Sequence[ast.stmt], unscales: Sequence[ast.stmt], clips: Sequence[ast.stmt],
    before: bool = False,
) -> bool:  # fmt: skip
    """Whether all clipping comes behind what unscales, on each way."""
    done = before
    for node in nodes:
        if node in unscales:
            done = True
        elif node in clips:
            if not done:
                return False
        elif isinstance(node, ast.If):
            ways = (node.body, node.orelse)
            if not all(orderly(way, unscales, clips, done) for way in ways):
                return False
    return True
