"""Training steps in a source: those proved to be one straight line, and why others aren't."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

from msmap.code.bindings import Place
from msmap.port.training import scaled
from msmap.port.training.applied import object_of
from msmap.port.training.loss import Loss, Scaling
from msmap.port.training.losses import (
    BACKWARD,
    CLIPS,
    STEP,
    ZERO,
    Left,
    Losses,
    sets,
)
from msmap.port.training.order import SIMPLE


@dataclass(eq=False, kw_only=True)
class Step(Loss):
    """A training step in one block."""

    zero: ast.stmt
    update: ast.stmt
    clips: list[ast.stmt] = field(default_factory=list)

    @property
    def own(self) -> list[ast.stmt]:
        """The statements that go, or are written anew."""
        scaling = self.scaling.own if self.scaling is not None else []
        return [self.zero, self.backward, self.update, *self.clips, *scaling]


class Finder(Losses):
    """The steps of one body, which are all proved, or none is."""

    def steps(self) -> list[Step]:
        """The steps, in order.

        Raises:
            Left: one of them isn't proved.
        """
        self.alone(may_scale=True)
        found: list[Step] = []
        for place in self.body.places:
            if self.does(place.node, BACKWARD):
                found.append(self._step(place, found))
        if self.updates() != len(found):
            raise Left("an optimizer steps elsewhere too", "优化器还在别处更新")
        self._scaled(found)
        return found

    def _scaled(self, found: Sequence[Step]) -> None:
        """What scales losses here has no more to do with them than the steps say."""
        working = [use for use in self.uses_here if scaled.is_work(use)]
        known = {self.calls[node] for step in found for node in step.own}
        known |= {step.loss for step in found if step.scaling is not None}  # type: ignore[misc]
        if any(use.node not in known for use in working):
            raise Left(*scaled.ELSEWHERE)
        if working and scaled.left(self.work):
            raise Left(*scaled.STAYS)

    def _step(self, place: Place, before: Sequence[Step]) -> Step:
        block, at = place.block, place.index
        call = self.calls[place.node]
        assert isinstance(call.func, ast.Attribute)
        scaler = scaled.scaler_of(self.work, call.func.value)
        if scaler is None:
            if name := scaled.perhaps(self.work, call.func.value):
                raise Left(
                    f"nothing proves that `{name}` is a GradScaler: annotate the parameter by which"
                    " it comes, scaler: torch.amp.GradScaler, and port again",
                    f"无法证明 `{name}` 是 GradScaler：请给传入它的参数加注解 scaler: "
                    "torch.amp.GradScaler 后重新转写",
                )
            if self.scales:
                raise Left(*scaled.ELSEWHERE)
        update = next((s for s in block[at + 1 :] if self._updates(s, scaler)), None)
        if update is None:
            self.perhaps(block[at + 1 :])
            raise Left(
                "no step of an optimizer follows in the same block",
                "同一代码块中没有优化器的 step()",
                sums=True,
            )
        after = block.index(update)
        optimizer = self.stepped(self.calls[update], scaler)
        earlier = [s for s in before if s.place.block is block]
        low = block.index(earlier[-1].update) + 1 if earlier else 0
        made = (index for index in range(low, at) if sets(block[index], optimizer))
        low = max(made, default=low - 1) + 1
        several = self._backward
        apart = all(one.block is block for one in several)
        # Gradients that others compute meanwhile are cleared before the step's own.
        zero = self._zero(block, low, at, after, optimizer, alone=apart and not before)
        step = Step(
            self.body, place, place.node, call.func.value, optimizer, [zero],
            zero=zero, update=update,
        )  # fmt: skip
        if scaler is not None:
            step.scaling = self._scaling(block[after + 1 :], scaler)
        step.clips = self.between(block[at + 1 : after], step)
        if step.scaling is not None and step.scaling.unscales:
            unscales = step.scaling.unscales
            if not scaled.orderly(block[at + 1 : after], unscales, step.clips):
                raise Left(*scaled.TOO_EARLY)
        self.complete(step, block[low:at])
        inside = {id(one) for node in step.parts for one in ast.walk(node)}
        if any(id(one.node) in inside for one in several):
            raise Left("several blocks have backward()", "多个代码块中有 backward()", sums=True)
        return step

    @cached_property
    def _backward(self) -> Sequence[Place]:
        """The places at which gradients are taken."""
        return [one for one in self.body.places if self.does(one.node, BACKWARD)]

    def _updates(self, node: ast.stmt, scaler: ast.expr | None) -> bool:
        """Whether an optimizer steps by a statement, or by it what scaled the loss lets it step."""
        if scaler is None:
            return self.does(node, STEP)
        return scaled.calls(self.work, self.calls.get(node), scaled.STEP, scaler)

    def _scaling(self, behind: Sequence[ast.stmt], scaler: ast.expr) -> Scaling:
        """What scales a loss, that adapts itself behind the step."""
        for node in behind:
            call = self.calls.get(node)
            if call is None or not scaled.calls(self.work, call, scaled.UPDATE, scaler):
                continue
            if not (call.args or call.keywords):
                return Scaling(scaler, node)
        raise Left(*scaled.NO_UPDATE)

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
            found = self._clipping(node, step)
            unscales = step.scaling.unscales if step.scaling is not None else []
            here = [clip for clip in found if clip not in unscales]
            for clip in here:
                self.clipped(self.calls[clip])
            clips += here
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

    def _clipping(self, node: ast.stmt, step: Step) -> list[ast.stmt]:
        """The clippings that a statement is, or that are all that a condition decides on.

        What unscales gradients for them is one of them, and noted.
        """
        if self.does(node, *CLIPS, free=True):
            return [node]
        if step.scaling is not None and self._unscales(node, step):
            step.scaling.unscales.append(node)
            return [node]
        if not isinstance(node, ast.If):
            return []
        found = [self._clipping(one, step) for one in (*node.body, *node.orelse)]
        return [clip for some in found for clip in some] if all(found) else []

    def _unscales(self, node: ast.stmt, step: Step) -> bool:
        """Whether a statement unscales the gradients of a step."""
        assert step.scaling is not None
        call = self.calls.get(node)
        if call is None or not scaled.calls(self.work, call, scaled.UNSCALE, step.scaling.scaler):
            return False
        found = scaled.optimizer_of(self.work, call)
        return found is not None and ast.dump(found) == ast.dump(step.optimizer)
