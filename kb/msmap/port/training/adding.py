"""Steps whose gradients add up, over several losses or batches, until an optimizer takes them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msmap.code.bindings import Body, Place
from msmap.code.source import Change
from msmap.port.session import Rewriter
from msmap.port.training import scaled
from msmap.port.training.applied import object_of
from msmap.port.training.loss import Loss, Scaling
from msmap.port.training.losses import BACKWARD, CLIPS, STEP, ZERO, Left, Losses, sets
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
    # What scales the losses, by each update that it lets an optimizer make.
    scaling: dict[ast.stmt, Scaling] = field(default_factory=dict)

    @property
    def own(self) -> list[ast.stmt]:
        """The statements that go, or are written anew."""
        others = [node for scaling in self.scaling.values() for node in scaling.own]
        backward = [loss.backward for loss in self.losses]
        return [*backward, *self.zeros, *self.updates, *self.clips, *others]


class Adding(Losses):
    """The gradients of one body that add up, if that is proved of all of them."""

    def sum(self) -> Sum:
        """What becomes of them.

        Raises:
            Left: it isn't proved.
        """
        self.alone(may_scale=True)
        backward, updates, zeros, clips = (
            self._statements(*names) for names in ((BACKWARD,), (STEP,), ZERO, CLIPS)
        )
        scaler = self._scaler(backward)
        if scaler is not None:
            updates = [p for p in self.body.places if self._is(p.node, scaled.STEP, scaler)]
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
        every = [self.stepped(self.calls[p.node], scaler) for p in updates]
        optimizer = every[0]
        wanted = ast.dump(optimizer)
        if any(ast.dump(one) != wanted for one in every):
            raise Left(
                "several optimizers step, and gradients may add up",
                "有多个优化器更新，且梯度可能会累积",
            )
        self._cleared(zeros, wanted)
        for place in clips:
            self.clipped(self.calls[place.node])
        self._undisturbed(optimizer)
        scaling = {} if scaler is None else self._scaling(scaler, updates, clips, backward, zeros)
        first = next(iter(scaling.values()), None)
        losses = [self._loss(place, optimizer, backward, zeros, first) for place in backward]
        fresh = not all(any(_before(z, b) for z in zeros) for b in backward)
        kept = not all(any(_clears(z, b) for z in zeros) for b in backward)
        if fresh:
            self._starts(losses, optimizer, kept)
        sure = {p.node for p in (*updates, *clips) if _is_sure(p, backward, zeros)}
        if len(sure) < len(updates) + len(clips):
            self._unset(zeros)
        return Sum(
            losses, [z.node for z in zeros], [u.node for u in updates],
            [c.node for c in clips], fresh, sure, scaling,
        )  # fmt: skip

    def _scaler(self, backward: Sequence[Place]) -> ast.expr | None:
        """What scales all losses; None if nothing has to do with such."""
        calls = [self.calls[place.node].func for place in backward]
        found = [scaled.scaler_of(self.work, call.value) for call in calls]  # type: ignore[attr-defined]
        first = next((one for one in found if one is not None), None)
        if first is None and self.scales:
            raise Left("a GradScaler scales the loss", "使用了 GradScaler 缩放 loss")
        if first is None:
            return None
        if any(one is None or ast.dump(one) != ast.dump(first) for one in found):
            raise Left(*scaled.ELSEWHERE)
        return first

    def _is(self, node: ast.stmt, method: str, scaler: ast.expr) -> bool:
        return scaled.calls(self.work, self.calls.get(node), method, scaler)

    def _scaling(
        self, scaler: ast.expr, updates: Sequence[Place], clips: Sequence[Place],
        backward: Sequence[Place], zeros: Sequence[Place],
    ) -> dict[ast.stmt, Scaling]:  # fmt: skip
        """What belongs to each update that a scaler lets an optimizer make.

        Raises:
            Left: something else is scaled, or an update is none that is always made so.
        """
        found: dict[ast.stmt, Scaling] = {}
        for place in updates:
            ahead, behind = place.block[: place.index], place.block[place.index + 1 :]
            adjusts = [node for node in behind if self._is(node, scaled.UPDATE, scaler)]
            if not adjusts or self.calls[adjusts[0]].args or self.calls[adjusts[0]].keywords:
                raise Left(*scaled.NO_UPDATE)
            unscales = [
                one.node for one in self.body.places
                if self._is(one.node, scaled.UNSCALE, scaler) and _is_ahead(one, place)
            ]  # fmt: skip
            mine = [c.node for c in clips]
            if unscales and not scaled.orderly(ahead, unscales, mine):
                raise Left(*scaled.TOO_EARLY)
            if len(unscales) > 1 or not _is_sure(place, backward, zeros):
                raise Left(*scaled.ELSEWHERE)
            found[place.node] = Scaling(scaler, adjusts[0], unscales)
        known = {self.calls[node] for one in found.values() for node in one.own}
        known |= {self.calls[place.node] for place in updates}
        known |= {self.calls[p.node].func.value for p in backward}  # type: ignore[attr-defined]
        if any(scaled.is_work(use) and use.node not in known for use in self.uses_here):
            raise Left(*scaled.ELSEWHERE)
        if scaled.left(self.work):
            raise Left(*scaled.STAYS)
        return found

    def _statements(self, *names: str) -> list[Place]:
        """The statements that call some methods, which nothing else here does.

        Raises:
            Left: something else does.
        """
        free = names not in ((STEP,), (BACKWARD,))
        found = [p for p in self.body.places if self.does(p.node, *names, free=free)]
        if free:
            calls = {self.calls[place.node] for place in found}
            others = (u for u in self.uses_here if not calls.issuperset((u.node,)))
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
        self, place: Place, optimizer: ast.expr, backward: Sequence[Place],
        zeros: Sequence[Place], scaling: Scaling | None,
    ) -> Loss:  # fmt: skip
        block, at = place.block, place.index
        earlier = [p.index for p in backward if p.block is block and p.index < at]
        made = [i for i in range(at) if sets(block[i], optimizer)]
        low = max((*earlier, *made), default=-1) + 1
        call = self.calls[place.node]
        assert isinstance(call.func, ast.Attribute)
        apart = [z.node for z in zeros if z.block is block and low <= z.index < at]
        loss = Loss(self.body, place, place.node, call.func.value, optimizer, apart)
        loss.scaling = scaling
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
        return len(every) == sum(BACKWARD in use.names for use in self.uses_here)

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


def _is_ahead(one: Place, other: Place) -> bool:
    """Whether a statement stands ahead of another in its block, or within conditions there."""
    for place in (one, *one.outward()):
        if place.block is other.block:
            return place.index < other.index
        if place.around is None or not isinstance(place.around.node, ast.If):
            return False
    return False


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
        optimizer = self.named(self.losses[0].optimizer)
        rest = [(*self.source.span(node), f"{self.total} = None") for node in cleared]
        plain = [node for node in self.sum.updates if node not in self.sum.scaling]
        rest += [self._guarded(node, f"{optimizer}({self.total})") for node in plain]
        for node, scaling in self.sum.scaling.items():
            rest += self._scaled(node, scaling, optimizer)
        rest += [self._guarded(n, self.clip(n, self.total)[2]) for n in self.sum.clips]
        self.make([*changes, rest])

    def _scaled(self, node: ast.stmt, scaling: Scaling, optimizer: str) -> list[Change]:
        """An update of which a scaler decides, by gradients that it unscales."""
        scaler, finite, total = self.named(scaling.scaler), self.free("finite"), self.total
        indent = self.indent(node)
        asked = [f"{finite} = mindspore.amp.all_finite({total})"]
        asked.append(f"{total} = {scaler}.unscale({total})")
        update = [f"if {finite}:", f"{self.unit}{optimizer}({total})"]
        found = [(*self.source.span(scaling.adjusts), f"{scaler}.adjust({finite})")]
        if scaling.unscales:
            found += self._unscaled(scaling.unscales[0], node, f"\n{indent}".join(asked))
        else:
            update = asked + update
        return [*found, (*self.source.span(node), f"\n{indent}".join(update))]

    def _unscaled(self, node: ast.stmt, update: ast.stmt, text: str) -> list[Change]:
        """What unscales gradients, ahead of a condition that it may stand in."""
        place, block = self.work.places[node][1], self.work.places[update][1].block
        if place.block is block:
            return [(*self.source.span(node), text)]
        outer = next(one.node for one in place.outward() if one.block is block)
        begin = self.lines(outer)[0]
        alone = len(place.block) == 1
        gone = (*self.source.span(node), "pass") if alone else self.gone(node)
        return [(begin, begin, f"{self.indent(outer)}{text}\n"), gone]

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
