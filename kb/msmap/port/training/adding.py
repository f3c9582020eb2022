"""Steps whose gradients add up, over several losses or batches, until an optimizer takes them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from msmap.code.source import Change
from msmap.port.rewriter import Rewriter
from msmap.port.training.applied import object_of
from msmap.port.training.losses import BACKWARD, CLIPS, STEP, ZERO, Left, Loss, Losses, sets
from msmap.port.training.places import Body, Place
from msmap.port.training.write import Pen

_GRADIENTS = re.compile(r"\bzero_grad\b|\.backward\(|\.grad\b|\boptimizer\.step\(")
_PLAIN = ("print", "len", "sum", "isinstance", "type", "id", "hasattr", "getattr")


@dataclass(eq=False)
class Sum:
    """Gradients that are added up; ``fresh`` says that nothing clears them before the first."""

    losses: list[Loss]
    zeros: list[ast.stmt]
    updates: list[ast.stmt]
    clips: list[ast.stmt]
    fresh: bool
    # The updates and clippings before which gradients are always there.
    sure: set[ast.stmt]

    @property
    def own(self) -> list[ast.stmt]:
        """The statements that go, or are written anew."""
        return [*(s.backward for s in self.losses), *self.zeros, *self.updates, *self.clips]


class Adding(Losses):
    """The gradients of one body that add up, if that is proved of all of them."""

    def sum(self) -> Sum:
        """What becomes of them.

        Raises:
            Left: it isn't proved.
        """
        self.alone()
        backward, updates, zeros, clips = (
            self._statements(*names) for names in ((BACKWARD,), (STEP,), ZERO, CLIPS)
        )
        if not updates:
            self.perhaps([place.node for place in self.body.places])
            raise Left(
                "no step of an optimizer follows in the same function",
                "同一函数中没有优化器的 step()",
            )
        if self.updates() != len(updates):
            raise Left("an optimizer steps elsewhere too", "优化器还在别处更新")
        if not zeros:
            raise Left(
                "no zero_grad() stands beside it: gradients may accumulate",
                "旁边没有 zero_grad()：梯度可能会累积",
            )
        optimizer = object_of(self.calls[updates[0].node])
        wanted = ast.dump(optimizer)
        if any(ast.dump(object_of(self.calls[p.node])) != wanted for p in updates):
            raise Left(
                "several optimizers step, and gradients may add up",
                "有多个优化器更新，且梯度可能会累积",
            )
        self._cleared(zeros, wanted)
        for place in clips:
            self.clipped(self.calls[place.node])
        self._undisturbed(optimizer)
        losses = [self._loss(place, optimizer, backward, zeros) for place in backward]
        fresh = not all(any(_before(z, b) for z in zeros) for b in backward)
        kept = not all(any(_clears(z, b) for z in zeros) for b in backward)
        if fresh:
            self._starts(losses, optimizer, kept)
        sure = {p.node for p in (*updates, *clips) if _is_sure(p, backward, zeros)}
        if len(sure) < len(updates) + len(clips):
            self._unset(zeros)
        return Sum(
            losses, [z.node for z in zeros], [u.node for u in updates],
            [c.node for c in clips], fresh, sure,
        )  # fmt: skip

    def _statements(self, *names: str) -> list[Place]:
        """The statements that call some methods, which nothing else here does.

        Raises:
            Left: something else does.
        """
        free = names not in ((STEP,), (BACKWARD,))
        found = [p for p in self.body.places if self.does(p.node, *names, free=free)]
        if free:
            calls = {self.calls[place.node] for place in found}
            others = (u for u in self.own_uses() if not calls.issuperset((u.node,)))
            if any(not set(names).isdisjoint(use.names) for use in others):
                raise Left(
                    "gradients are cleared or clipped within an expression",
                    "在表达式中清零或裁剪梯度",
                )
        return found

    def _cleared(self, zeros: Sequence[Place], optimizer: str) -> None:
        for place in zeros:
            on = object_of(self.calls[place.node])
            if ast.dump(on) != optimizer and not self.applied.is_owner(on):
                raise Left(
                    "nothing proves whose gradients are cleared", "无法证明清零的是哪些参数的梯度"
                )

    def _undisturbed(self, optimizer: ast.expr) -> None:
        """Nothing that is called meanwhile has to do with the gradients.

        Raises:
            Left: something may.
        """
        text = ast.dump(optimizer)
        named: dict[str, list[Body]] = {}
        for body in self.work.bodies[1:]:
            named.setdefault(body.node.name, []).append(body)  # type: ignore[union-attr]
        for call in self._calls():
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            on = isinstance(call.func, ast.Attribute)
            bodies = [b for b in named.get(name, ()) if (b.owner is not None) is on]
            if any(_GRADIENTS.search(self.work.source.text(b.node)) for b in bodies):
                raise Left(
                    f"`{name}`, which is called meanwhile, has to do with gradients too",
                    f"期间调用的 `{name}` 也与梯度有关",
                )
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            mine = call in self.work.uses or bodies or name in _PLAIN
            if not mine and any(ast.dump(one) == text for one in given):
                raise Left(
                    f"`{name}` is given the optimizer, and may step or clear gradients",
                    f"`{name}` 得到优化器，可能更新参数或清零梯度",
                )
        if "zip" in {name for body in self.work.bodies for name in body.bindings}:
            raise Left("`zip` stands for something else here", "此处 `zip` 另有所指")

    def _calls(self) -> Iterator[ast.Call]:
        return (node for node in ast.walk(self.body.node) if isinstance(node, ast.Call))

    def _loss(
        self, place: Place, optimizer: ast.expr, backward: Sequence[Place], zeros: Sequence[Place]
    ) -> Loss:
        block, at = place.block, place.index
        earlier = [p.index for p in backward if p.block is block and p.index < at]
        made = [i for i in range(at) if sets(block[i], optimizer)]
        low = max((*earlier, *made), default=-1) + 1
        call = self.calls[place.node]
        assert isinstance(call.func, ast.Attribute)
        apart = [z.node for z in zeros if z.block is block and low <= z.index < at]
        loss = Loss(self.body, place, place.node, call.func.value, optimizer, apart)
        self.complete(loss, block[low:at])
        first = block.index(loss.first)
        loss.apart = [node for node in apart if block.index(node) > first]
        return loss

    def _starts(self, losses: Sequence[Loss], optimizer: ast.expr, kept: bool) -> None:
        """No gradients are there when a function begins to add them up.

        Where it clears them itself before it ends, and nothing else computes any, there are none.

        Raises:
            Left: there may be some, of earlier calls.
        """
        none_before = self._is_new(optimizer) or (not kept and self._is_alone())
        if not (losses[0].anchor and none_before):
            raise Left(
                "gradients of earlier calls may be added to. If there are none, write"
                f" {ast.unparse(optimizer)}.zero_grad() before the loop, and port again",
                "可能会累加到先前调用留下的梯度上。若没有，请在循环之前写"
                f" {ast.unparse(optimizer)}.zero_grad() 后重新转写",
            )

    def _is_new(self, optimizer: ast.expr) -> bool:
        """Whether an optimizer is of a module that was made here, and is only applied."""
        module = self._owner(optimizer)
        if module is None or module not in self.body.bindings:
            return False
        if len(self.body.bindings[module]) != 1 or not self.graphs.is_object(module):
            return False
        if not self._is_alone():
            return False
        known = {getattr(body.node, "name", "") for body in self.work.bodies}
        for call in self._calls():
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            is_given = any(isinstance(one, ast.Name) and one.id == module for one in given)
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if is_given and call not in self.work.uses and name not in known | {*_PLAIN}:
                return False
        return True

    def _is_alone(self) -> bool:
        """Whether nothing else in the source computes gradients."""
        every = [use for use in self.work.uses.values() if BACKWARD in use.names]
        return len(every) == sum(BACKWARD in use.names for use in self.own_uses())

    def _owner(self, optimizer: ast.expr) -> str | None:
        """The name of the module whose parameters an optimizer is made of, once, in this body."""
        name = optimizer.id if isinstance(optimizer, ast.Name) else ""
        made = self.body.bindings.get(name, ())
        value = made[0].value if len(made) == 1 and isinstance(made[0], ast.Assign) else None
        if not isinstance(value, ast.Call) or not value.args:
            return None
        use, first = self.work.uses.get(value), value.args[0]
        if use is None or use.how != "call" or not isinstance(first, ast.Call):
            return None
        on = object_of(first) if isinstance(first.func, ast.Attribute) else None
        return on.id if isinstance(on, ast.Name) else None

    def _unset(self, zeros: Sequence[Place]) -> None:
        """What is cleared is nothing: no gradients, no step."""
        for place in zeros:
            call = self.calls[place.node]
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            if any(not isinstance(one, ast.Constant) or one.value is not True for one in given):
                raise Left(
                    "gradients are set to 0, by which an optimizer steps too",
                    "梯度被置为 0，优化器仍会据此更新",
                )


def _before(one: Place, other: Place) -> bool:
    """Whether a statement has always run before another one."""
    return any(
        place.block is one.block and one.index < place.index
        for place in (other, *other.outward())
    )  # fmt: skip


def _clears(zero: Place, backward: Place) -> bool:
    """Whether gradients are always cleared after they were computed, before anybody else runs."""
    for place in (backward, *backward.outward()):
        if place.block is zero.block and place.index < zero.index:
            ahead = [place.node, *place.block[place.index + 1 : zero.index]]
            return not any(isinstance(one, _LEAVING) for node in ahead for one in ast.walk(node))
    return False


_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Try)


def _is_sure(place: Place, backward: Sequence[Place], zeros: Sequence[Place]) -> bool:
    """Whether gradients have been computed before a statement, and not cleared since."""

    def between(one: Place, first: Place) -> bool:
        return first.node.lineno < one.node.lineno < place.node.lineno

    return any(
        _before(first, place) and not any(between(one, first) for one in zeros)
        for first in backward
    )  # fmt: skip


class Writer(Pen):
    """Gradients that add up, written as a sum."""

    def __init__(self, work: Rewriter, found: Sum) -> None:
        super().__init__(work, found.losses)
        self.sum = found

    def write(self) -> None:
        """Make the changes.

        Raises:
            Left: they can't be written where they stand.
        """
        self.check(self.sum.own)
        self.cut()
        self.total, self.grads = self.free("total"), self.free("grads")
        changes = [self._added(loss) for loss in self.losses]
        moved = {id(node) for loss in self.losses for node in loss.apart}
        cleared = [node for node in self.sum.zeros if id(node) not in moved]
        optimizer = self.source.text(self.losses[0].optimizer)
        rest = [(*self.source.span(node), f"{self.total} = None") for node in cleared]
        rest += [self._guarded(node, f"{optimizer}({self.total})") for node in self.sum.updates]
        rest += [self._guarded(n, self.clip(n, self.total)[2]) for n in self.sum.clips]
        self.make([*changes, rest])

    def _added(self, loss: Loss) -> list[Change]:
        forward, grad = self.free("forward_fn"), self.free("grad_fn")
        taking = self.taking(loss)
        left = f"({taking})" if loss.kept else taking
        indent = self.indent(loss.first)
        total, grads = self.total, self.grads
        lines = [f"{total} = None"] if loss.apart else []
        lines.append(f"{left}, {grads} = {grad}({self.given(loss)})")
        added = f"[a + b for a, b in zip({total}, {grads})]"
        lines.append(f"{total} = {grads} if {total} is None else {added}")
        defined = self.function(loss, forward, f"{grad} = {self.gradients(loss, forward)}")
        if self.sum.fresh and loss is self.losses[0]:
            assert loss.anchor is not None
            defined = defined.removesuffix("\n") + f"{self.indent(loss.anchor)}{total} = None\n\n"
        return self.put(loss, defined, "".join(f"{indent}{line}\n" for line in lines))

    def _guarded(self, node: ast.stmt, text: str) -> Change:
        """A statement that takes the sum, where there may be none only if there is one."""
        begin, end = self.source.span(node)
        if node not in self.sum.sure:
            inner = f"{self.indent(node)}{self.unit}"
            text = f"if {self.total} is not None:\n{inner}{text}"
        return begin, end, text
