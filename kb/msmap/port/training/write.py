"""A training step written for MindSpore: its function, and what calls it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter

from msmap.code.source import Change
from msmap.port import block_edits, comments, layout, marks
from msmap.port.session import Rewriter
from msmap.port.training.find import Step
from msmap.port.training.loss import Loss, Scaling
from msmap.port.training.losses import Left

_CLIPPED = re.compile(r"\(\s*grads\s*:=\s*(.*)\)", re.DOTALL)


class Pen:
    """What losses of one body become; nothing is changed before all of them can be."""

    def __init__(self, work: Rewriter, losses: Sequence[Loss]) -> None:
        self.work, self.source, self.losses = work, work.source, losses
        self.taken: set[str] = set()

    def check(self, nodes: Sequence[ast.stmt]) -> None:
        """See that what is moved, and each of some statements, can be written.

        Raises:
            Left: one of them can't.
        """
        forward = [node for loss in self.losses for node in loss.parts]
        forward += [loss.keeping for loss in self.losses if loss.keeping is not None]
        for node in (*forward, *nodes):
            begin, end = self.lines(node)
            first, last = self.source.span(node)
            rest = self.source.between(last, end).strip()
            if self.source.between(begin, first).strip() or rest[:1] not in ("", "#"):
                raise Left("several statements stand in a line", "一行中有多条语句")
        for node in forward:
            for one in ast.walk(node):
                text = isinstance(one, ast.JoinedStr) or (
                    isinstance(one, ast.Constant) and isinstance(one.value, str)
                )
                if text and one.lineno != one.end_lineno:  # type: ignore[attr-defined]
                    raise Left("a text stands over several lines", "存在跨行的字符串")

    def cut(self) -> None:
        """What is computed without gradients says so itself."""
        for loss in self.losses:
            for node in loss.constants:
                text = self.work.changes.text(node)
                self.work.changes.put(node, f"mindspore.ops.stop_gradient({text})")
            for block in loss.cuts:
                block_edits.unwrap(self.work, block)

    def make(self, changes: Sequence[Sequence[Change]]) -> None:
        """Make the changes of each loss; at one place they stand in the order of the losses."""
        for found in reversed(changes):
            for begin, end, text in sorted(found, key=lambda change: -change[0]):
                self.work.changes.add(begin, end, text)

    def lines(self, *nodes: ast.stmt) -> tuple[int, int]:
        """The lines from one statement to another."""
        return self.source.lines(self.source.span(nodes[0])[0], self.source.span(nodes[-1])[1])

    def given(self, loss: Loss) -> str:
        """What its function takes."""
        return ", ".join(loss.given)

    def taking(self, loss: Loss) -> str:
        """The names that take what its function gives."""
        if loss.keeping is not None:
            name = layout.enclosed(self.source.text(loss.keeping.targets[0]))
        else:
            free = "loss" if loss.scaling is None else "scaled"
            name = loss.loss.id if isinstance(loss.loss, ast.Name) else self.free(free)
        return ", ".join([name, *loss.kept])

    def put(self, loss: Loss, defined: str, call: str) -> list[Change]:
        """Definitions before the outermost loop, and lines where the loss was computed."""
        place = loss.first
        begin, end = self.lines(place, loss.forward[-1] if loss.forward else place)
        if not loss.forward:
            call = self.gone(place)[2] + call
        found = [(begin, end, call if loss.anchor else defined + call)]
        behind = [loss.backward, *([loss.keeping] if loss.keeping is not None else [])]
        gone = [*loss.apart, *(node for node in behind if node is not place)]
        found += [c for c in map(self.gone, gone) if not (begin < c[0] < end)]
        if loss.anchor:
            at, before = self._before(loss.anchor)
            is_first = next(s for s in self.losses if s.anchor is loss.anchor) is loss
            found.append((at, at, (before if is_first else "") + defined))
        return found

    def function(self, loss: Loss, forward: str, made: str = "") -> str:
        """The function that computes a loss, and what is made of it."""
        indent = self.indent(loss.anchor or loss.first)
        given = layout.enclosed(self.work.changes.text(loss.loss))
        kept = ", ".join([given, *loss.kept])
        lines = [f"{indent}def {forward}({self.given(loss)}):\n"]
        if loss.forward:
            lines.append(self._moved(loss, indent + self.unit))
        if not any(loss.loss in ast.walk(node) for node in loss.forward):
            lines.append(self.mark(loss.loss, indent + self.unit))
        lines.append(f"{indent}{self.unit}return {kept}\n\n")
        lines += [f"{indent}{made}\n"] if made else []
        if loss.anchor is not None and made:
            lines.append("\n")
        return "".join(lines)

    def gradients(self, loss: Loss, forward: str) -> str:
        """The function of its gradients."""
        optimizer = self.named(loss.optimizer)
        aux = ", has_aux=True" if loss.kept else ""
        return f"mindspore.value_and_grad({forward}, None, {optimizer}.parameters{aux})"

    @cached_property
    def unit(self) -> str:
        """By what the file indents."""
        return _unit(self.source.between(0, self.source.span(self.source.tree)[1]))

    def _moved(self, loss: Loss, indent: str) -> str:
        """The statements of the forward pass at another depth, with what is said of them."""
        begin, end = self.lines(loss.forward[0], loss.forward[-1])
        old = self.indent(loss.forward[0])
        inside = (one for one in loss.apart if begin < self.source.span(one)[0] < end)
        skipped = [self.gone(one) for one in inside]
        changes = [
            c for c in self.work.changes.between(begin, end)
            if c[1] <= end and not any(b <= c[0] < e for b, e, _ in skipped)
        ]  # fmt: skip
        changes += skipped
        changes += self._marked(loss, changes)
        pieces: list[str] = []
        at = begin
        for first, last, text in sorted(changes, key=itemgetter(0, 1)):
            pieces += [self.source.between(at, first), text]
            at = last
        text = "".join(pieces) + self.source.between(at, end)
        if not text.endswith("\n"):
            text += "\n"
        return "".join(
            indent + line.removeprefix(old) if line.startswith(old) and line.strip() else line
            for line in text.splitlines(keepends=True)
        )

    def _marked(self, loss: Loss, changes: Sequence[Change]) -> list[Change]:
        """Marks above the statements of the forward pass, but for those in what is changed."""
        known = set(marks.places(changes))
        found = {self.comments.above(self.source.span(node)[0]): node for node in loss.parts}
        return [
            (place, place, self.mark(node, self.indent(node)))
            for place, node in found.items()
            if place not in known and not any(begin < place < end for begin, end, _ in changes)
        ]

    @cached_property
    def comments(self) -> comments.Lines:
        """Where something can be said."""
        return self.work.once(_lines)

    def mark(self, node: ast.AST, indent: str) -> str:
        """A line for what is said of a node, wherever it is written."""
        indent = indent[: len(indent) - len(indent.lstrip())]
        return marks.mark(indent, self.comments.above(self.source.span(node)[0]))

    def _before(self, node: ast.stmt) -> tuple[int, str]:
        """Where a function goes before a statement and its comment, and an empty line if needed."""
        begin = self.lines(node)[0]
        while begin:
            above = self.source.lines(begin - 1, begin)[0]
            line = self.source.between(above, begin).strip()
            if not line.startswith("#"):
                return begin, "" if not line or line.endswith(":") else "\n"
            begin = above
        return 0, ""

    def gone(self, node: ast.stmt) -> Change:
        """A statement that goes with its line; a comment beside it stays."""
        begin, end = self.lines(node)
        rest = self.source.between(self.source.span(node)[1], end).strip()
        return begin, end, f"{self.indent(node)}{rest}\n" if rest else ""

    def clip(self, node: ast.stmt, grads: str) -> Change:
        call = node.value if isinstance(node, ast.Expr) else node
        found = _CLIPPED.fullmatch(self.work.changes.text(call))
        if found is None:
            raise Left("the clipping has no counterpart", "梯度裁剪没有对应写法")
        made = re.sub(r"\bgrads\b", grads, found[1])
        return *self.source.span(node), f"{grads} = {made}"

    def named(self, node: ast.expr) -> str:
        """An expression as the code has it, which may stand in front of a dot or a bracket."""
        return layout.enclosed(self.source.text(node))

    def indent(self, node: ast.stmt) -> str:
        return self.work.changes.indent(self.source.span(node)[0])

    def free(self, name: str) -> str:
        """A name that nothing in sight has."""
        number, found = 1, name
        while found in self.taken or found in self.source.nodes.said:
            number += 1
            found = f"{name}_{number}"
        self.taken.add(found)
        return found


class Writer(Pen):
    """The steps of one body, each a straight line."""

    def __init__(self, work: Rewriter, steps: Sequence[Step]) -> None:
        super().__init__(work, steps)
        self.steps = steps

    def write(self) -> None:
        """Make the changes.

        Raises:
            Left: a step can't be written where it stands.
        """
        self.check([node for step in self.steps for node in step.own])
        self.cut()
        self.finite = {
            step: (step.scaling.adjusts, self.free("finite"))
            for step in self.steps if step.scaling is not None
        }  # fmt: skip
        grads = self.free("grads")
        self.make([self._changes(step, grads) for step in self.steps])

    def _changes(self, step: Step, grads: str) -> list[Change]:
        forward, grad = self.free("forward_fn"), self.free("grad_fn")
        taking = self.taking(step)
        clips = [self.clip(node, grads) for node in step.clips]
        defined = self.function(step, forward, f"{grad} = {self.gradients(step, forward)}")
        left = f"({taking})" if step.kept else taking
        indent = self.indent(step.first)
        call = f"{indent}{left}, {grads} = {grad}({self.given(step)})\n"
        update = f"{self.named(step.optimizer)}({grads})"
        if step.scaling is not None:
            call, update, others = self._scaled(step, step.scaling, call, grads)
            clips += others
        return [*self.put(step, defined, call), (*self.source.span(step.update), update), *clips]

    def _scaled(
        self, step: Step, scaling: Scaling, call: str, grads: str
    ) -> tuple[str, str, list[Change]]:
        """The call and the update of a step whose loss is scaled, and what else becomes of it."""
        scaler, optimizer = map(self.named, (scaling.scaler, step.optimizer))
        finite, indent = self.finite[step][1], self.indent(step.update)
        asked = f"{finite} = mindspore.amp.all_finite({grads})\n{indent}"
        gradients = f"{scaler}.unscale({grads})"
        if scaling.unscales:
            call += f"{indent}{asked}{grads} = {gradients}\n"
            asked, gradients = "", grads
        update = f"{asked}if {finite}:\n{indent}{self.unit}{optimizer}({gradients})"
        # Several steps may come before it adapts itself.
        every = " and ".join(one for at, one in self.finite.values() if at is scaling.adjusts)
        others = [(*self.source.span(scaling.adjusts), f"{scaler}.adjust({every})")]
        for node in scaling.unscales:
            alone = len(self._block(node)) == 1
            others.append((*self.source.span(node), "pass") if alone else self.gone(node))
        return call, update, others

    def _block(self, node: ast.stmt) -> Sequence[ast.stmt]:
        return self.work.places[node][1].block


def _lines(work: Rewriter) -> comments.Lines:
    return comments.Lines(work.source)


def _unit(text: str) -> str:
    """By what a file indents."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return "\t" if found and found[1].startswith("\t") else "    "
