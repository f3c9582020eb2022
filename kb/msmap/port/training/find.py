"""Training steps in a source: those proved to be one straight line, and why others aren't."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from msmap.port.training.applied import object_of
from msmap.port.training.losses import (
    BACKWARD,
    CLIPS,
    STEP,
    ZERO,
    Left,
    Loss,
    Losses,
    sets,
)
from msmap.port.training.order import SIMPLE
from msmap.port.training.places import Place


@dataclass(eq=False, kw_only=True)
class Step(Loss):
    """A training step in one block."""

    zero: ast.stmt
    update: ast.stmt
    clips: list[ast.stmt] = field(default_factory=list)

    @property
    def own(self) -> list[ast.stmt]:
        """The statements that go, or are written anew."""
        return [self.zero, self.backward, self.update, *self.clips]


class Finder(Losses):
    """The steps of one body, which are all proved, or none is."""

    def steps(self) -> list[Step]:
        """The steps, in order.

        Raises:
            Left: one of them isn't proved.
        """
        self.alone()
        found: list[Step] = []
        for place in self.body.places:
            if self.does(place.node, BACKWARD):
                found.append(self._step(place, found))
        if self.updates() != len(found):
            raise Left("an optimizer steps elsewhere too", "优化器还在别处更新")
        return found

    def _step(self, place: Place, before: Sequence[Step]) -> Step:
        block, at = place.block, place.index
        call = self.calls[place.node]
        assert isinstance(call.func, ast.Attribute)
        update = next((s for s in block[at + 1 :] if self.does(s, STEP)), None)
        if update is None:
            self.perhaps(block[at + 1 :])
            raise Left(
                "no step of an optimizer follows in the same block",
                "同一代码块中没有优化器的 step()",
                sums=True,
            )
        after = block.index(update)
        optimizer = object_of(self.calls[update])
        earlier = [s for s in before if s.place.block is block]
        low = block.index(earlier[-1].update) + 1 if earlier else 0
        made = (index for index in range(low, at) if sets(block[index], optimizer))
        low = max(made, default=low - 1) + 1
        several = [s for s in self.body.places if self.does(s.node, BACKWARD)]
        apart = all(one.block is block for one in several)
        # Gradients that others compute meanwhile are cleared before the step's own.
        zero = self._zero(block, low, at, after, optimizer, alone=apart and not before)
        step = Step(
            self.body, place, place.node, call.func.value, optimizer, [zero],
            zero=zero, update=update,
        )  # fmt: skip
        step.clips = self.between(block[at + 1 : after], step)
        self.complete(step, block[low:at])
        inside = {id(one) for node in step.parts for one in ast.walk(node)}
        if any(id(one.node) in inside for one in several):
            raise Left("several blocks have backward()", "多个代码块中有 backward()", sums=True)
        return step

    def _zero(
        self, block: Sequence[ast.stmt], low: int, at: int, after: int, optimizer: ast.expr,
        alone: bool,
    ) -> ast.stmt:  # fmt: skip
        """The statement that clears the gradients that this step moves by."""
        wanted = ast.dump(optimizer)
        ways = [*reversed(block[low:at])]
        if alone:
            # What may leave the loop would leave the gradients too.
            ways += takewhile(lambda node: isinstance(node, SIMPLE), block[after + 1 :])
        for node in ways:
            if not self.does(node, *ZERO, free=True):
                continue
            call = self.calls[node]
            on = object_of(call)
            if ast.dump(on) == wanted or self.applied.is_owner(on):
                return node
        others = [s for s in block if self.does(s, BACKWARD)]
        if len(others) > 1:
            raise Left("backward() is called several times", "多次调用 backward()", sums=True)
        raise Left(
            "no zero_grad() stands beside it: gradients may accumulate",
            "旁边没有 zero_grad()：梯度可能会累积",
            sums=True,
        )

    def between(self, nodes: Sequence[ast.stmt], step: Step) -> list[ast.stmt]:
        """The clipping between backward and step, beside which only values may be read."""
        clips: list[ast.stmt] = []
        wanted = ast.dump(step.optimizer)
        for node in nodes:
            found = self._clipping(node)
            for clip in found:
                self.clipped(self.calls[clip])
            clips += found
            if not found and (self.does(node, *ZERO, free=True) or not isinstance(node, SIMPLE)):
                raise Left(
                    "more than clipping stands between backward() and step()",
                    "backward() 与 step() 之间不只有梯度裁剪",
                )
            rest = node.test if found and isinstance(node, ast.If) else node
            for one in ast.walk(rest) if rest not in found else ():
                is_state = isinstance(one, ast.Attribute) and one.attr.endswith("parameters")
                if is_state or (isinstance(one, ast.expr) and ast.dump(one) == wanted):
                    raise Left(
                        "parameters are used between backward() and step()",
                        "backward() 与 step() 之间使用了参数",
                    )
        return clips

    def _clipping(self, node: ast.stmt) -> list[ast.stmt]:
        """The clippings that a statement is, or that are all that a condition decides on."""
        if self.does(node, *CLIPS, free=True):
            return [node]
        if not isinstance(node, ast.If):
            return []
        found = [self._clipping(one) for one in (*node.body, *node.orelse)]
        return [clip for some in found for clip in some] if all(found) else []
