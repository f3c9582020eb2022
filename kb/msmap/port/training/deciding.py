"""Steps on a condition: the loss is computed either way, and gradients only where it holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from msmap.code import bindings
from msmap.code.bindings import Place
from msmap.code.source import Change
from msmap.port import block_edits, layout
from msmap.port.session import Rewriter
from msmap.port.training.applied import object_of
from msmap.port.training.find import Finder, Step
from msmap.port.training.losses import BACKWARD, STEP, ZERO, Left, keeps
from msmap.port.training.order import SIMPLE
from msmap.port.training.write import Pen

_ENABLED = "torch.set_grad_enabled"
# What a condition may be made of that is asked twice.
_PLAIN = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Attribute,
          ast.boolop, ast.unaryop, ast.cmpop, ast.expr_context)  # fmt: skip


@dataclass(eq=False, kw_only=True)
class Decided(Step):
    """A step that a condition decides on; ``managers`` turn gradients on by the same."""

    decision: ast.If
    managers: list[ast.With] = field(default_factory=list)


class Deciding(Finder):
    """The steps of one body whose losses are computed outside of the conditions they stand in."""

    def fits(self) -> bool:
        """Whether a loss is computed outside of the condition that its step stands in."""
        return any(self._is_outside(p) for p in self.body.places if self.does(p.node, BACKWARD))

    def _is_outside(self, place: Place) -> bool:
        around = place.around.node if place.around is not None else None
        if not isinstance(around, ast.If) or place.block is not around.body:
            return False
        call = self.calls[place.node]
        assert isinstance(call.func, ast.Attribute)
        names = {name.id for name in bindings.read(call.func.value)}
        text = ast.dump(call.func.value)
        if self.applied.applies([ast.Expr(call.func.value)]):
            return False
        return not any(
            bindings.all_bound(node) & names or keeps(node, text)
            for node in place.block[: place.index]
        )

    def decided(self) -> list[Decided]:
        """The steps, in order.

        Raises:
            Left: one of them isn't proved.
        """
        self.alone()
        found = [self._one(p) for p in self.body.places if self.does(p.node, BACKWARD)]
        if self.updates() != len(found):
            raise Left("an optimizer steps elsewhere too", "优化器还在别处更新")
        if len(found) > 1:
            raise Left("several blocks have backward()", "多个代码块中有 backward()")
        return found

    def _one(self, place: Place) -> Decided:
        if not self._is_outside(place) or place.around is None:
            raise Left("several blocks have backward()", "多个代码块中有 backward()")
        decision, block, at = place.around.node, place.block, place.index
        assert isinstance(decision, ast.If)
        update = next((s for s in block[at + 1 :] if self.does(s, STEP)), None)
        if update is None:
            self.perhaps(block[at + 1 :])
            raise Left(
                "no step of an optimizer follows in the same block",
                "同一代码块中没有优化器的 step()",
            )
        call, optimizer = self.calls[place.node], object_of(self.calls[update])
        assert isinstance(call.func, ast.Attribute)
        zero = self._cleared(place, update, optimizer)
        where, nodes, managers = self._computed(place.around, decision, call.func.value)
        step = Decided(
            self.body, where, place.node, call.func.value, optimizer,
            [zero], zero=zero, update=update, decision=decision, managers=managers,
        )  # fmt: skip
        ahead = [node for node in block[:at] if node is not zero]
        if self.between(ahead, step):
            raise Left(
                "nothing proves whose gradients are clipped", "无法证明裁剪的是哪些参数的梯度"
            )
        step.clips = self.between(
            [n for n in block[at + 1 : block.index(update)] if n is not zero], step
        )
        self.complete(step, nodes)
        if not step.forward:
            raise Left("the loss is not computed in the same block", "loss 不在同一代码块中计算")
        self._asked_twice(decision.test, step.forward)
        return step

    def _cleared(self, place: Place, update: ast.stmt, optimizer: ast.expr) -> ast.stmt:
        """The statement that clears the gradients before each step."""
        block = place.block
        ways = [*block[: place.index]]
        ways += takewhile(lambda n: isinstance(n, SIMPLE), block[block.index(update) + 1 :])
        for around in place.outward():
            if isinstance(around.node, bindings.LOOPS):
                break
            ways += around.block[: around.index]
        for node in ways:
            if self.does(node, *ZERO, free=True):
                on = object_of(self.calls[node])
                if ast.dump(on) == ast.dump(optimizer) or self.applied.is_owner(on):
                    return node
        raise Left(
            "no zero_grad() stands beside it: gradients may accumulate",
            "旁边没有 zero_grad()：梯度可能会累积",
        )

    def _computed(
        self, place: Place, decision: ast.If, loss: ast.expr
    ) -> tuple[Place, Sequence[ast.stmt], list[ast.With]]:
        """Where a loss is computed, the statements there, and what turns gradients on for them."""
        around = place.around.node if place.around is not None else None
        if self._turns_on(around, decision.test):
            assert isinstance(around, ast.With)
            return place, place.block[: place.index], [around]
        names = {name.id for name in bindings.read(loss)}
        for index in reversed(range(place.index)):
            node = place.block[index]
            if not bindings.all_bound(node) & names:
                continue
            if self._turns_on(node, decision.test):
                assert isinstance(node, ast.With)
                inner = next(p for p in self.body.places if p.node is node.body[-1])
                return inner, node.body, [node]
            break
        return place, place.block[: place.index], []

    def _turns_on(self, node: ast.stmt | None, test: ast.expr) -> bool:
        """Whether a statement turns gradients on where a condition holds, and off elsewhere."""
        if not isinstance(node, ast.With) or len(node.items) != 1:
            return False
        call = node.items[0].context_expr
        use = self.work.uses.get(call)
        if use is None or use.how != "call" or not isinstance(call, ast.Call):
            return False
        known = self.work.resolver.reading.canonical(use.names[0])
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return known == _ENABLED and [ast.dump(one) for one in given] == [ast.dump(test)]

    def _asked_twice(self, test: ast.expr, forward: Sequence[ast.stmt]) -> None:
        """A condition is the same before the loss is computed.

        Raises:
            Left: it may not be.
        """
        made = {name for node in forward for name in bindings.all_bound(node)}
        names = {name.id for name in bindings.read(test)}
        read = {n.attr for n in ast.walk(test) if isinstance(n, ast.Attribute)}
        own = {getattr(body.node, "name", "") for body in self.work.bodies}
        computed = read and (read & own or self.work.source.mentions("__getattr", "property"))
        if made & names or computed or not all(isinstance(n, _PLAIN) for n in ast.walk(test)):
            raise Left(
                "the condition to step may depend on what is computed",
                "更新的条件可能取决于计算结果",
            )


class Writer(Pen):
    """A step on a condition, written."""

    def __init__(self, work: Rewriter, steps: Sequence[Decided]) -> None:
        super().__init__(work, steps)
        self.steps = steps

    def write(self) -> None:
        """Make the changes.

        Raises:
            Left: a step can't be written where it stands.
        """
        self.check([node for step in self.steps for node in step.own])
        for step in self.steps:
            for manager in step.managers:
                block_edits.unwrap(self.work, manager)
        self.cut()
        self.make([[*self._changes(step)] for step in self.steps])

    def _changes(self, step: Decided) -> Iterator[Change]:
        grads, forward, grad = (self.free(one) for one in ("grads", "forward_fn", "grad_fn"))
        taking, given = self.taking(step), self.given(step)
        left = f"({taking})" if step.kept else taking
        indent = self.indent(step.forward[0])
        test = layout.enclosed(self.work.changes.text(step.decision.test))
        lines = [
            f"if {test}:",
            f"{self.unit}{grad} = {self.gradients(step, forward)}",
            f"{self.unit}{left}, {grads} = {grad}({given})",
            "else:",
            f"{self.unit}{taking} = {forward}({given})",
        ]
        call = "".join(f"{indent}{line}\n" for line in lines)
        call = self.mark(step.decision.test, indent) + call
        yield from self.put(step, self.function(step, forward), call)
        update = f"{self.named(step.optimizer)}({grads})"
        yield *self.source.span(step.update), update
        yield from (self.clip(node, grads) for node in step.clips)
